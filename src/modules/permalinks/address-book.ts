/**
 * How former addresses lead to items: by an alias that is a whole path, below a page that has one, and by slugs of items and of those
 * above them. The server asks it of records (`resolve-url.ts`), `cms validate` of files (`validate/addresses.ts`).
 */
import { isPathAlias } from '../../kernel/model/aliases.ts';
import { encodedSlug } from '../../kernel/model/slugs.ts';

export interface AddressBook<T> {
  /** Items with a slug; with `~slug`, a former one; with `~/path`, an alias that is a whole path. The first to be tried comes first. */
  named(name: string): readonly T[];
  /** Whether visitors may meet it. */
  isReachable(item: T): boolean;
  typeOf(item: T): { readonly name: string; readonly hierarchical: boolean } | undefined;
  slugsOf(item: T): { readonly slug: string; readonly aliases: readonly string[] };
  /** What it stands below in a hierarchy. */
  above(item: T): T | undefined;
  isDirectlyBelow(item: T, parent: T): boolean;
}

/** The item with an alias that is the whole path. @param segments  encoded as slugs are */
export function withPathAlias<T>(book: AddressBook<T>, segments: readonly string[]): T | undefined {
  return segments.length === 0 ? undefined : book.named(`~/${segments.join('/')}`).find(book.isReachable);
}

/** What lies below a page that has an alias for a part of the path: its children moved with it. */
export function belowPathAlias<T>(book: AddressBook<T>, segments: readonly string[]): T | undefined {
  for (let length = segments.length - 1; length > 0; length--) {
    let item = withPathAlias(book, segments.slice(0, length));
    if (!item || !book.typeOf(item)?.hierarchical) continue;
    for (const segment of segments.slice(length)) item = item && childNamed(book, item, segment);
    if (item) return item;
  }
  return undefined;
}

/** Whether every segment is a slug, present or former, of a hierarchical item and those above it. */
export function isBelow<T>(book: AddressBook<T>, item: T, segments: readonly string[]): boolean {
  const type = book.typeOf(item)?.name;
  // Types of a site's own have their name before the path.
  if (type !== 'page' && segments[0] !== type) return false;
  let at: T | undefined = item;
  for (const segment of (type === 'page' ? segments : segments.slice(1)).toReversed()) {
    if (at === undefined) return false;
    const stated = encodedSlug(segment);
    const { slug, aliases } = book.slugsOf(at);
    if (slug !== stated && !aliases.some((alias) => !isPathAlias(alias) && alias === stated)) return false;
    at = book.above(at);
  }
  return at === undefined;
}

function childNamed<T>(book: AddressBook<T>, parent: T, slug: string): T | undefined {
  for (const name of [slug, `~${slug}`])
    for (const item of book.named(name)) if (book.isDirectlyBelow(item, parent) && book.isReachable(item)) return item;
  return undefined;
}
