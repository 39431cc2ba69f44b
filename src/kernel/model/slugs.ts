/**
 * Slugs: the part of an address that names an item, and the file name that stands for it.
 *
 * A slug is at most 200 bytes of `a-z 0-9 _ -` and lower-case percent-encoded octets. Its file name is the same slug with
 * the octets written out, so that `%e6%97%a5` is the file `日`; `slugOfFileName(fileNameOf(slug))` gives every slug back.
 */

import { stripTags } from './tags.ts';
import { withoutTrailing } from './text-ends.ts';

const maxBytes = 200;
/** Fast path. */
const plainSlug = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/**
 * The slug of a title, or of a slug as somebody typed it: tags out, accents folded, other letters percent-encoded, the
 * rest to dashes. May be empty. Slugging a slug changes nothing.
 *
 * Source: observed behaviour of the reference (6.9), in en_US: `ü` is `u`.
 */
export function slugify(title: string): string {
  if (title.length <= maxBytes && plainSlug.test(title)) return title;
  let slug = slugOnce(foldAccents(stripTags(title)));
  // Removing a character can bring new octets together; at most 200 bytes are left to look at again.
  for (let next = slugOnce(slug); next !== slug; next = slugOnce(slug)) slug = next;
  return slug;
}

/**
 * The wanted slug, or with the first free suffix `-2`, `-3` …, shortened so that both fit.
 *
 * @param taken  whether a slug may not be used: held by another item, or `isReservedSlug`
 * @param from  all smaller suffixes are known to be taken
 */
export function uniqueSlug(wanted: string, taken: (slug: string) => boolean, from = 2): string {
  if (!taken(wanted)) return wanted;
  for (let number = from; ; number++) {
    const suffix = `-${number}`;
    const slug = shorten(wanted, maxBytes - suffix.length) + suffix;
    if (!taken(slug)) return slug;
  }
}

/**
 * Whether a slug means something else in an address: feeds, embeds, page numbers, and for posts numbers that read as
 * the date or page of an archive.
 *
 * @param type  of the item
 * @param permalink  the pattern of posts; a number can only be mistaken where the slug comes first or after a year or month
 */
export function isReservedSlug(
  slug: string,
  { name, hierarchical }: { readonly name: string; readonly hierarchical: boolean },
  permalink = '/{slug}/',
): boolean {
  if (/^(?:feed|rdf|rss|rss2|atom|embed)$/.test(slug)) return true;
  if (hierarchical) return /^(?:page)?\d+$/.test(slug);
  return name === 'post' && isArchiveNumber(slug, permalink);
}

/** Whether a numeric slug would be read as a date archive. */
export function isArchiveNumber(slug: string, permalink: string): boolean {
  if (!/^\d+$/.test(slug) || Number(slug) === 0) return false;
  const segments = permalink.split('/').filter((segment) => segment !== '');
  const at = segments.indexOf('{slug}');
  const before = segments[at - 1];
  return at === 0 || (before === '{year}' && Number(slug) <= 12) || (before === '{month}' && Number(slug) <= 31);
}

/**
 * The file name, without extension, an item with this slug gets: octets decoded, safe on every system, never beginning
 * with a dot. What would not lead back to the slug stays encoded. At most 120 bytes, or as long as an ASCII slug is (200).
 */
export function fileNameOf(slug: string): string {
  const decoded = decodedPath(slug);
  const readable = decoded !== undefined && byteLength(decoded) <= 120 && isSafeName(decoded) && slugify(decoded) === slug;
  const name = readable ? decoded : slug;
  // `+` is legal in file names everywhere and never part of a slug. Windows keeps `con` and `nul.md` for devices.
  return name === '' || /^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(name) ? `${name}+` : name;
}

export function slugOfFileName(name: string): string {
  return slugify(name.normalize('NFC'));
}

function slugOnce(text: string): string {
  const octets = text.replace(/%(?![\da-f]{2})/gi, '');
  return encodeWithin(octets.toLowerCase(), maxBytes)
    .replace(/%c2%a0|%e2%80%9[34]|&nbsp;|&#160;|&[nm]dash;|&#821[12];|\//g, '-')
    .replace(silent, '')
    .replace(spacing, '-')
    .replace(/%c3%97/g, 'x')
    .replace(/&[^;\n]+(;?)/g, (all, end) => (end === '' ? all : ''))
    .replace(/\./g, '-')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/[ -]+/g, '-')
    .replace(/^-|-$/g, '');
}

/**
 * Octets that leave no trace: soft hyphen, inverted marks, angle and curly quotes, bullet, © ® ° … ™, lone accents,
 * and what is invisible and without width.
 */
const silent = new RegExp(
  [
    '%c2%a[19bde]|%c2%b[04bf]|%cb%8a|%cc%8[014c]|%cd%81|%e2%80%b[9a]|%e2%80%9[89a-f]|%e2%80%a[26]|%e2%84%a2',
    '%e2%80%8[b-f]|%e2%80%a[a-e]|%ef%bb%bf|%ef%bf%bc',
  ].join('|'),
  'g',
);

/** Octets of spaces that have a width: U+2000 to U+200A, line and paragraph separator, narrow no-break space. */
const spacing = /%e2%80%8[0-9a]|%e2%80%a[89f]/g;

/** Percent-encodes what is not ASCII, up to `limit` bytes and never half a character. Lone surrogates become U+FFFD. */
function encodeWithin(text: string, limit: number): string {
  let out = '';
  for (const char of text) {
    const encoded = char < '\x80' ? char : encodeURIComponent(/^[\ud800-\udfff]$/.test(char) ? '\ufffd' : char).toLowerCase();
    if (out.length + encoded.length > limit) break;
    out += encoded;
  }
  return out.replace(/%[\da-f]?$/, '');
}

/** A slug cut to `limit` bytes, not within a character and not behind a dash. */
export function shorten(slug: string, limit: number): string {
  if (slug.length <= limit) return slug;
  const cut = slug.slice(0, limit).replace(/%[\da-f]?$/, '');
  const octets = /(?<!%[\da-f]{2})(?:%[\da-f]{2})*$/.exec(cut)?.[0] ?? '';
  let whole = octets;
  while (octets.length - whole.length < 12 && decodedPath(whole) === undefined) whole = whole.slice(0, -3);
  if (decodedPath(whole) === undefined) whole = octets;
  return withoutTrailing(cut.slice(0, cut.length - octets.length) + whole, '-');
}

/** A decoded slug or URL part; invalid percent-encoding stays. */
export function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

/** A URL segment as slugs are stored: percent-encoded, in lower case. */
export function encodedSlug(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment)).toLowerCase();
  } catch {
    return segment.toLowerCase();
  }
}

/** Percent-encoded text in NFC, as paths of files have it; undefined when it is not valid UTF-8. */
export function decodedPath(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize('NFC');
  } catch {
    return undefined;
  }
}

function isSafeName(name: string): boolean {
  return !/^[.\s]|[\s.]$|[\x00-\x1f\x7f-\x9f<>:"/\\|?*\ufffd]|\p{Cf}|\p{Cn}|\p{Co}/u.test(name);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Latin letters with accents as plain ones. What Unicode can take apart is taken apart; the table has the rest.
 * Only Latin is folded: `ά` and `й` keep their marks, because without them they are other letters.
 */
export function foldAccents(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  return text.normalize('NFC').replace(/[^\x00-\x7f]/gu, (char) => {
    const known = letters.get(char);
    if (known !== undefined) return known;
    const [base = '', ...marks] = char.normalize('NFD');
    if (marks.length === 0 || !/^\p{Script=Latin}$/u.test(base)) return char;
    return letters.get(base) ?? (base < '\x80' ? base : char);
  });
}

const letters = table(
  'ª a º o Æ AE Ð D Ø O Þ TH ß s æ ae ð d ø o þ th Đ D đ d Ħ H ħ h ı i Ĳ IJ ĳ ij ĸ k Ŀ L ŀ l Ł L ł l ŉ n Ŋ N ŋ n Œ OE œ oe ' +
    'Ŧ T ŧ t ſ s Ə E ǝ e € E ɑ a',
).set('£', '');

function table(pairs: string): Map<string, string> {
  const words = pairs.split(' ');
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] as string] as const] : [])));
}
