/**
 * Which items an export takes: one rule for every format.
 */
import { parseFileDate } from '../../kernel/model/dates.ts';
import type { PostRecord } from '../../modules/content/posts/record.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { Site } from '../../kernel/site/site.ts';
import { original } from '../../kernel/rest/dialect.ts';

/** What is left out chooses everything. */
export interface Filter {
  /** Names or REST bases, in either spelling: `post`, `pages`. */
  readonly types?: readonly string[];
  readonly statuses?: readonly string[];
  /** Slug, login or id. */
  readonly author?: string | number;
  /** From this day or moment on, site time: `2026-03-01`, `2026-03-01T12:00`. */
  readonly after?: string;
  /** Up to this day or moment, itself not included. */
  readonly before?: string;
  /** Locale of the items (`de_DE`), or the language alone (`de`); an item that names none has that of the site. */
  readonly lang?: string;
}

/** Whether an item is wanted. @throws RangeError saying which wish names nothing the site has */
export function createFilter(site: Site, filter: Filter): (post: PostRecord) => boolean {
  const { types, statuses, author, after, before, lang } = filter;
  const tests: ((post: PostRecord) => boolean)[] = [];
  if (types) {
    const wanted = new Set(types.map((name) => typeOf(site, name)));
    tests.push((post) => wanted.has(post.type));
  }
  if (statuses) {
    for (const name of statuses)
      if (!site.statuses.some((one) => one.name === name))
        throw new RangeError(`unknown status "${name}": use ${list(site.statuses)}`);
    tests.push((post) => statuses.includes(post.status));
  }
  if (author !== undefined) {
    const id = userOf(site, author);
    tests.push((post) => post.author === id);
  }
  if (after !== undefined)
    tests.push(
      (
        (from) => (post: PostRecord) =>
          post.dateGmt >= from
      )(moment(site, after)),
    );
  if (before !== undefined)
    tests.push(
      (
        (end) => (post: PostRecord) =>
          post.dateGmt < end
      )(moment(site, before)),
    );
  if (lang !== undefined) {
    const wanted = locale(lang);
    tests.push((post) => `${locale(localeOf(site, post))}_`.startsWith(`${wanted}_`));
  }
  return (post) => tests.every((test) => test(post));
}

/** A site without languages may have one among the meta of an item. */
function localeOf(site: Site & Partial<Pick<Site, 'languages'>>, post: PostRecord & { readonly lang?: string }): string {
  if (post.lang !== undefined && site.languages) return site.languages.of(post.lang)?.locale ?? post.lang;
  return String(post.meta.lang ?? site.settings.value('language'));
}

function typeOf(site: Site, name: string): string {
  const word = original.readWord(name);
  const found = site.types.get(word) ?? [...site.types.values()].find(({ restBase }) => restBase === name);
  if (!found) throw new RangeError(`unknown type "${name}": use ${list([...site.types.values()])}`);
  return found.name;
}

function userOf(site: Site, author: string | number): number {
  const slug = slugify(String(author));
  const found = [...site.users.all()].find(
    (user) => user.slug === slug || user.account?.login === author || String(user.id) === String(author),
  );
  if (!found) throw new RangeError(`unknown author "${author}"`);
  return found.id;
}

function moment(site: Site, text: string): string {
  const found = parseFileDate(text, site.zone);
  if (!found) throw new RangeError(`invalid date "${text}": use the form 2026-03-05 or 2026-03-05T10:00`);
  return found.gmt;
}

function locale(text: string): string {
  return text.replaceAll('-', '_').toLowerCase();
}

function list(named: readonly { readonly name: string }[]): string {
  return `one of ${named.map(({ name }) => name).join(', ')}`;
}
