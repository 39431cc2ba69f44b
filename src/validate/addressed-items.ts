/**
 * Files that visitors can meet, by their slugs, places and ids, and the addresses that files alone give them.
 */
import { aliasKey } from '../kernel/model/aliases.ts';
import { itemPrefix, splitPath } from '../kernel/rest/address-prefix.ts';
import { type AddressBook, isBelow } from '../modules/permalinks/address-book.ts';
import { prettyLink, segmentsOf } from '../modules/permalinks/record.ts';
import { createMarks } from '../modules/languages/file-names.ts';
import type { PostRecord } from '../modules/posts/record.ts';
import { logicalPath, parentPath } from '../kernel/model/logical-path.ts';
import type { Entry } from '../kernel/store/types.ts';
import { placeNamed, type PostType } from '../modules/types/record.ts';
import { createFileSite } from './file-site.ts';
import type { Speller } from './finding.ts';
import { aliasesOf, type ParsedFile } from './parsed-file.ts';
import type { Declarations } from './declarations.ts';

export type AddressMatch =
  /** Nothing to say: it is there, or it is not for the content to say. */
  | { readonly kind: 'there' }
  /** A former address; `to` is the present one, null where it is not known for certain. */
  | { readonly kind: 'moved'; readonly to: string | null; readonly path: string }
  | { readonly kind: 'hidden'; readonly path: string; readonly why: string }
  | { readonly kind: 'unknown'; readonly near: string | undefined };

export interface AddressSetup {
  readonly parsedFiles: readonly ParsedFile[];
  readonly model: Declarations;
  /** `site.yaml`. */
  readonly entry: Entry | undefined;
  readonly zone: string;
  readonly nowGmt: string;
  readonly spell: Speller;
  /** Keys of the addresses that `redirects.yaml` leads on. */
  readonly redirects: ReadonlySet<string>;
}

/** Names of terms and users stand behind what their addresses begin with: `category:news`, `author:~anna`. */
export interface AddressedItems extends AddressBook<ParsedFile> {
  readonly byPlace: ReadonlyMap<string, ParsedFile>;
  readonly byId: ReadonlyMap<number, ParsedFile>;
  /** Where the site is, as absolute addresses; the server's own is not among them. */
  readonly homes: readonly string[];
  /** First segments that stand for a list by themselves. */
  readonly bases: ReadonlySet<string>;
  /** Null where files alone do not say it. */
  addressOf(item: ParsedFile): string | null;
  /** What stands before the address of an item: `/de`, or ''. */
  segmentOf(item: ParsedFile): string;
  /** A path without such a segment, and the segment. */
  split(path: string): { readonly segment: string; readonly path: string };
  /** Those whose addresses begin so; without a segment all, those of the default language first. */
  within(segment: string): AddressedItems;
  /** Why visitors do not meet it; null: they do. */
  hidden(item: ParsedFile): AddressMatch | null;
  /** Whether an address with these segments may be that of an item; in a hierarchy each must be a slug, present or former. */
  fits(item: ParsedFile, segments: readonly string[]): boolean;
  /** Address of the item with the slug most like this one. */
  nearest(slug: string): string | undefined;
}

const none: readonly ParsedFile[] = [];

export function indexItems(setup: AddressSetup): AddressedItems {
  const { parsedFiles, model, entry, zone, spell } = setup;
  const types = new Map(model.types.filter(({ viewable }) => viewable).map((type) => [type.name, type]));
  const bases = new Map(model.taxonomies.map(({ name, base }) => [name, base]));
  const bySlug = new Map<string, ParsedFile[]>();
  const byPlace = new Map<string, ParsedFile>();
  const byId = new Map<number, ParsedFile>();
  const slugs = new Set<string>();
  const put = (key: string, item: ParsedFile): void => void (bySlug.get(key)?.push(item) ?? bySlug.set(key, [item]));
  for (const item of parsedFiles) {
    const { kind, of, slug, entry } = item;
    const isPost = (kind === 'post' || kind === 'media') && types.has(of);
    if (!isPost && kind !== 'term' && kind !== 'user') continue;
    const space = isPost ? '' : `${kind === 'user' ? 'author' : bases.get(of)}:`;
    put(space + slug, item);
    for (const alias of aliasesOf(item)) put(`${space}~${isPost ? aliasKey(alias) : alias}`, item);
    if (!isPost) continue;
    byPlace.set(logicalPath(entry.path), item);
    if (typeof entry.data.id === 'number') byId.set(entry.data.id, item);
    slugs.add(slug);
  }
  const above = ({ entry: { path } }: ParsedFile): ParsedFile | undefined => {
    const mark = marks?.of(path) ?? '';
    const place = parentPath(path);
    // `about/team.de.md` is below `about.de.md`, where there is one.
    return (mark === '' ? undefined : byPlace.get(`${place}.${mark}`)) ?? byPlace.get(place);
  };
  const named = (type: string, ref: string | number): ParsedFile | undefined =>
    typeof ref === 'number'
      ? byId.get(ref)
      : types.get(type)?.folders.flatMap((folder) => byPlace.get(`${folder}/${placeNamed(ref)}`) ?? [])[0];
  const { site, recordOf } = createFileSite({ model, entry, zone, above, named });
  const marks = model.modules.address.length > 0 ? createMarks(site.languages) : null;
  const pattern = site.settings.value('permalink') as string;
  const items: AddressedItems = {
    byPlace,
    byId,
    homes: [site.settings.value('home'), site.settings.value('url')].flatMap((home) => (typeof home === 'string' ? [home] : [])),
    bases: new Set([...bases.values(), 'author', ...types.keys()].flatMap((base) => base ?? [])),
    named: (name) => bySlug.get(name) ?? none,
    isReachable: (item) => items.hidden(item) === null,
    typeOf: ({ of }) => types.get(of),
    slugsOf: (item) => ({ slug: item.slug, aliases: aliasesOf(item) }),
    above,
    isDirectlyBelow: (item, parent) => items.above(item) === parent,
    hidden: (item) => hiddenBecause(item, setup),
    addressOf(item) {
      const needsOthers = item.of === 'post' && /\{(?:category|author)\}/.test(pattern);
      if (item.of === 'attachment' || needsOthers) return null;
      const record = recordOf(item);
      return item.of === 'post' && record.id < 0 && pattern.includes('{id}') ? null : prettyLink(site, record);
    },
    segmentOf: (item) => segmentsOf(site, recordOf(item)),
    split(path) {
      const { prefix, path: rest } = splitPath(site, path);
      return { segment: prefix, path: rest };
    },
    within(segment) {
      if (model.modules.address.length === 0) return items;
      const own = segment === '' ? itemPrefix(site, {}) : segment;
      const rank = (item: ParsedFile): number => Number(items.segmentOf(item) !== own);
      return {
        ...items,
        named(name) {
          const found = items.named(name);
          return segment === '' ? [...found].sort((a, b) => rank(a) - rank(b)) : found.filter((item) => rank(item) === 0);
        },
      };
    },
    fits(item, segments) {
      const { name, hierarchical } = types.get(item.of) as PostType;
      if (name === 'attachment') return true;
      if (hierarchical) return isBelow(items, item, segments);
      if (name === 'post') return segments.length === pattern.split('/').filter(Boolean).length;
      return segments.length === 2 && segments[0] === name;
    },
    nearest(slug) {
      const near = spell(slug, slugs);
      const [item] = near === undefined ? none : items.named(near);
      return item && (items.addressOf(item) ?? undefined);
    },
  };
  return items;
}

function hiddenBecause({ kind, draft, entry: { path } }: ParsedFile, { nowGmt, model }: AddressSetup): AddressMatch | null {
  if (kind === 'media') return null;
  const { status = 'publish', dateGmt = '' } = draft as Partial<PostRecord>;
  if ((status === 'publish' || status === 'future') && dateGmt > nowGmt)
    return { kind: 'hidden', path, why: `is scheduled for ${draft.date}` };
  if (status === 'future' || model.statuses.find(({ name }) => name === status)?.public) return null;
  return { kind: 'hidden', path, why: `has the status ${status}` };
}
