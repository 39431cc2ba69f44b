/**
 * Front matter of other programs, for files that are served in place: other names for our keys (`pubDate`), other forms of values (`tags: a, b`,
 * `comments: false`), a title in the first heading. Writes keep name and form.
 *
 * Our own key wins if a file has both.
 */
import { parseFileDate } from '../../../kernel/model/dates.ts';
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { usualDate } from './dates.ts';
import { firstHeading } from './headings.ts';
import { foldKey, type Name, names } from './names.ts';

type Data = Readonly<Record<string, unknown>>;

/** How a file spells one of our keys, if it differs from ours. */
interface Form {
  /** Key in the file; '' for a title in the first heading. */
  readonly key: string;
  readonly found: unknown;
  /** Whether another key would be read if this one were removed. */
  readonly hasOther: boolean;
  /** Whether a text is split at spaces. */
  readonly atBlanks?: true;
}

/** Meaning of the values of tags and categories: numbers are ids; or numbers are names; or a text without commas is also split at spaces. */
export type TagValues = 'ids' | 'names' | 'words';
export const tagValues: readonly TagValues[] = ['ids', 'names', 'words'];
export const tagValuesKey = 'tag_values';

export type Forms = Readonly<Record<string, Form>>;

export interface UsualData {
  readonly data: Data;
  /** Null if the file uses our own forms. */
  readonly forms: Forms | null;
}

/** Converts a value in a file to ours; undefined if it is invalid. */
type Reading = (raw: unknown, path: string) => unknown;

const text: Reading = (raw) => (typeof raw === 'string' || typeof raw === 'number' ? raw : undefined);
const date: Reading = (raw) => {
  const usual = usualDate(raw);
  return usual === null || parseFileDate(usual, 'UTC') === null ? undefined : usual;
};
const several: Reading = (raw) => {
  if (typeof raw === 'string') return raw.split(',').flatMap((one) => one.trim().replace(/^#(?=\S)/, '') || []);
  return Array.isArray(raw) || typeof raw === 'number' ? raw : undefined;
};
/** The same, but numbers are names. */
const severalNames: Reading = (raw) => {
  const found = several(raw, '');
  if (found === undefined) return undefined;
  return [found].flat().map((one) => (typeof one === 'number' ? String(one) : one));
};
/** The same, but a text without commas is split at spaces. */
const severalWords: Reading = (raw) =>
  typeof raw === 'string' && !raw.includes(',') ? several(raw.trim().replace(/\s+/g, ','), '') : severalNames(raw, '');
const person: Reading = (raw) => {
  const [first] = Array.isArray(raw) ? raw : [raw];
  const { slug, name } = mapOf(first);
  const said = typeof first === 'string' ? first.replace(/(?<!\s)\s*<[^<>]*>$/, '') : (slug ?? name ?? first);
  return text(said, '');
};
const words: Readonly<Record<string, boolean>> = table({ true: true, yes: true, on: true, false: false, no: false, off: false });
const flag: Reading = (raw) => (typeof raw === 'boolean' ? raw : words[String(raw).trim().toLowerCase()]);
const openness: Reading = (raw) => {
  const is = flag(raw, '');
  return is === undefined ? (raw === 'open' || raw === 'closed' ? raw : undefined) : is ? 'open' : 'closed';
};
const whole: Reading = (raw) => (typeof raw === 'number' ? raw : undefined);
const list: Reading = (raw) => (Array.isArray(raw) || typeof raw === 'string' ? raw : undefined);
const picture: Reading = (raw, path) => {
  const target = picturePath(raw);
  return target === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target) ? undefined : placeOf(target, path);
};

/** Our key → its other names, and how the value is read. */
const keys: Readonly<Record<string, readonly [Name, Reading]>> = table({
  title: ['title', text],
  slug: ['slug', text],
  date: ['date', date],
  modified: ['modified', date],
  author: ['author', person],
  excerpt: ['excerpt', text],
  categories: ['categories', several],
  tags: ['tags', several],
  featured_media: ['image', picture],
  order: ['order', whole],
  aliases: ['former', list],
  sticky: ['sticky', flag],
  comments: ['comments', openness],
  pings: ['pings', openness],
});

/** Folded name → our key, and its rank among the names. */
const meanings = new Map<string, readonly { readonly key: string; readonly rank: number }[]>();
for (const [key, [name]] of Object.entries(keys))
  for (const [rank, one] of names[name].entries()) meanings.set(one, [...(meanings.get(one) ?? []), { key, rank }]);

/** The later of two values of a key that says when a file was last changed; null for other keys, and if either is not a date. */
export function laterChange(key: string, one: unknown, other: unknown): unknown {
  if (!meanings.get(foldKey(key))?.some((meaning) => meaning.key === 'modified')) return null;
  const [first, second] = [one, other].map((raw) => parseFileDate(usualDate(raw) ?? '', 'UTC')?.gmt);
  if (first === undefined || second === undefined) return null;
  return first >= second ? one : other;
}

export function isKnownName(key: string): boolean {
  return meanings.has(foldKey(key));
}

/** Keys whose fields accept other forms than ours. */
const lenient: ReadonlySet<string> = new Set(['date', 'modified', 'author', 'categories', 'tags', 'comments', 'pings']);

/**
 * The values of a file under our keys and in our forms.
 * @param known  keys of the type
 * @param body   of a Markdown file without a title; absent for others
 * @param tags   meaning of tags and categories
 */
export function usualData(
  data: Data,
  path: string,
  known: ReadonlySet<string>,
  body?: () => string,
  tags: TagValues = 'ids',
): UsualData {
  let found: Map<
    string,
    { readonly key: string; readonly rank: number; readonly value: unknown; readonly count: number }
  > | null = null;
  for (const key in data) {
    const raw = data[key];
    // A date as restriction hides nothing.
    if (known.has(key) && key !== 'published') {
      if (!lenient.has(key) || isUsual(key, raw, tags)) continue;
      const value = readingOf(key, key, tags)?.(raw, path);
      if (value === undefined || value === raw) continue;
      found ??= new Map();
      found.set(key, { key, rank: -1, value, count: 1 });
      continue;
    }
    if (raw === null || raw === '') continue;
    for (const { key: own, rank } of meanings.get(foldKey(key)) ?? []) {
      if (!known.has(own) || data[own] !== undefined) continue;
      const before = found?.get(own);
      const value = readingOf(own, key, tags)?.(raw, path);
      if (value === undefined) continue;
      found ??= new Map();
      const count = (before?.count ?? 0) + 1;
      found.set(own, before && before.rank <= rank ? { ...before, count } : { key, rank, value, count });
      break;
    }
  }
  const heading =
    body !== undefined && known.has('title') && data.title === undefined && !found?.has('title') ? firstHeading(body()) : '';
  if (found === null && heading === '') return { data, forms: null };
  const usual: Record<string, unknown> = { ...data };
  const forms: Record<string, Form> = {};
  for (const [own, { key, value, count }] of found ?? []) {
    if (key !== own) delete usual[key];
    usual[own] = value;
    const atBlanks = tags === 'words' && isTagKey(own) && typeof data[key] === 'string' && !String(data[key]).includes(',');
    forms[own] = { key, found: data[key], hasOther: count > 1, ...(atBlanks ? { atBlanks } : {}) };
  }
  if (heading !== '') {
    usual.title = heading;
    forms.title = { key: '', found: heading, hasOther: false };
  }
  return { data: usual, forms };
}

const isTagKey = (own: string): boolean => own === 'categories' || own === 'tags';

/** How a value is read under the given key. A single tag or category may contain spaces. */
function readingOf(own: string, key: string, tags: TagValues): Reading | undefined {
  if (tags === 'ids' || !isTagKey(own)) return keys[own]?.[1];
  return tags === 'words' && foldKey(key) === own ? severalWords : severalNames;
}

/** Fast path: most values need no conversion. */
function isUsual(key: string, raw: unknown, tags: TagValues): boolean {
  if (raw === undefined || raw === null) return true;
  if (key === 'date' || key === 'modified')
    return typeof raw === 'string' && /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?$/.test(raw);
  if (key === 'author') return typeof raw === 'number' || (typeof raw === 'string' && !raw.includes('<'));
  if (isTagKey(key) && tags !== 'ids')
    return Array.isArray(raw) ? !raw.some((one) => typeof one === 'number') : typeof raw === 'string' && !/[,#\s]/.test(raw);
  if (isTagKey(key)) return typeof raw !== 'string' || !/[,#]/.test(raw);
  return raw === 'open' || raw === 'closed';
}

/**
 * Changes of a file, in the names and forms that it uses.
 * @param changes   by our keys
 * @param title     of the item, for a file with its title in a heading and a changed text
 */
export function inForms(changes: Data, forms: Forms | null, title: string | undefined): Data {
  if (forms === null) return changes;
  const out: Record<string, unknown> = {};
  for (const [own, value] of Object.entries(changes)) {
    const form = forms[own];
    if (form === undefined || form.key === '') out[own] = form !== undefined && value === undefined ? '' : value;
    else if (value !== undefined) out[form.key] = like(own, value, form);
    else {
      out[form.key] = undefined;
      // Otherwise another key would be read instead.
      if (form.hasOther) out[own] = '';
    }
  }
  if (forms.title?.key === '' && title !== undefined && !Object.hasOwn(out, 'title')) out.title = title;
  return out;
}

function like(own: string, value: unknown, { key, found, atBlanks }: Form): unknown {
  if (own === 'comments' || own === 'pings') return flag(found, '') === undefined ? value : value === 'open';
  if (isTagKey(own) && typeof found === 'string' && Array.isArray(value)) {
    if (!atBlanks) return value.join(', ');
    return value.some((one) => /[\s,]/.test(String(one))) ? value : value.join(' ');
  }
  if (own === 'author' && Array.isArray(found)) return [value, ...found.slice(1)];
  if (own !== 'featured_media' || key === own) return value;
  const address = typeof value === 'string' ? `/uploads/${value}` : value;
  return Array.isArray(found) ? [address, ...found.slice(1)] : address;
}

const inside = ['image', 'src', 'path', 'url', 'file', 'relative', 'teaser', 'overlay_image', 'og_image', 'feature', 'filename'];

/** The image path in a front-matter value: a text, the first of a list, or a member of a map; '' for none. */
function picturePath(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? picturePath(value[0]) : '';
  if (typeof value === 'string') return /^\s*$|\n|\{\{/.test(value) ? '' : value.trim();
  const map = mapOf(value);
  const texts = inside.map((name) => (typeof map[name] === 'string' ? (map[name] as string).trim() : ''));
  return texts.find((one) => one !== '') ?? '';
}

/** A media reference: below `media/`, or the whole path next to a text. */
function placeOf(target: string, path: string): string | undefined {
  const [plain = ''] = target.split(/[?#]/, 1);
  if (plain.startsWith('/')) return plain.replace(/^\/+(?:uploads\/)?/, '');
  const segments = path.split('/').slice(0, -1);
  for (const step of plain.split('/')) {
    if (step === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (step !== '' && step !== '.') segments.push(step);
  }
  return segments.join('/').replace(/^media\//, '');
}
