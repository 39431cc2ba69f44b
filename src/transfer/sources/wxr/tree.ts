/**
 * Elements of an export while they are read, as small trees: one for each record, the children of the channel.
 */
import type { ImportRemark, SourceError } from '../../import/items.ts';
import { byteMark, controlMark } from './text.ts';

export interface Element {
  /** With the usual prefix of its namespace: `wp:post_id`, whatever the file calls it. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own character data. */
  readonly text: string;
  readonly children: readonly Element[];
  readonly line: number;
  readonly column: number;
}

/** Makes an error for the present place. */
type Fault = (message: string, hint?: string) => SourceError;

export interface WxrTree {
  /** Elements that are open. */
  readonly depth: number;
  readonly inside: Element | undefined;
  readonly record: Element | undefined;
  /** The root was that of an export. */
  readonly isExport: boolean;
  /** The root is closed. */
  readonly isDone: boolean;
  /** @throws SourceError where it cannot stand, or is too much for one record */
  enter(name: string, attributes: Readonly<Record<string, string>>, place: Pick<Element, 'line' | 'column'>): void;
  /** Character data. @throws SourceError */
  add(text: string): void;
  /** Counts characters that are on their way. @throws SourceError */
  grow(characters: number): void;
  /** @returns the record, when this was its end */
  leave(): { readonly element: Element; readonly remarks: readonly ImportRemark[] } | null;
  /** About the record that is open. */
  report(rule: string, message: string): void;
  /** Nothing is open any more; what the root said still holds. */
  restart(): void;
  /** ` in <title>`, for messages. */
  within(): string;
  tooLarge(): SourceError;
}

/** Characters of one record, names and attributes included. */
export const maxRecord = 64 * 1024 * 1024;
export const maxDepth = 64;
const maxRemarks = 20;
/** Characters of texts that are read in the beginning alone. */
const maxBrief = 16 * 1024;

type Open = { -readonly [K in keyof Element]: Element[K] } & { children: Open[] };

/** @param without  elements of whose text nobody will read more than the beginning: a description of a menu link stands where texts of posts do */
export function createTree({ without, fault }: { readonly without: ReadonlySet<string>; readonly fault: Fault }): WxrTree {
  let remarks: ImportRemark[] = [];
  let prefixes: ReadonlyMap<string, string> | null = null;
  let isDone = false;
  /** From the root down; empty before and behind it. */
  let open: Open[] = [];
  let size = 0;

  const tree: WxrTree = {
    get depth() {
      return open.length;
    },
    get inside() {
      return open.at(-1);
    },
    get record() {
      return open[2];
    },
    get isExport() {
      return prefixes !== null;
    },
    get isDone() {
      return isDone;
    },
    enter(name, attributes, place) {
      if (open.length === 0) prefixes ??= prefixesOf(name, attributes, fault);
      if (open.length === 1 && name !== 'channel') throw fault(`not an export: found <${name}> instead of <channel>`);
      if (open.length === 2) {
        size = 0;
        remarks = [];
      }
      const colon = name.indexOf(':');
      const prefix = colon < 0 ? undefined : prefixes?.get(name.slice(0, colon));
      const values = Object.entries(attributes).map(([key, value]) => [key, detached(value)] as const);
      tree.grow(values.reduce((sum, [key, value]) => sum + key.length + value.length, 100 + name.length));
      const element: Open = {
        name: prefix === undefined ? name : `${prefix}${name.slice(colon)}`,
        attributes: Object.fromEntries(values),
        text: '',
        children: [],
        ...place,
      };
      if (open.length > 2) open.at(-1)?.children.push(element);
      open.push(element);
    },
    add(text) {
      const element = open.at(-1);
      // Between the records there is white space alone.
      if (!element || open.length < 3) return;
      const isBrief = without.has(element.name);
      if (isBrief && element.text.length >= maxBrief) return;
      const kept = isBrief ? text.slice(0, maxBrief - element.text.length) : text;
      tree.grow(kept.length);
      element.text += kept;
    },
    grow(characters) {
      size += characters;
      if (size > maxRecord) throw tree.tooLarge();
    },
    leave() {
      const element = open.pop();
      if (!element) return null;
      element.text = detached(unmarked(element));
      if (open.length === 0) isDone = true;
      return open.length === 2 ? { element, remarks } : null;
    },
    report(rule, message) {
      if (remarks.length >= maxRemarks || remarks.some((one) => one.rule === rule && one.message === message)) return;
      remarks.push({ severity: 'changed', rule, message });
    },
    restart() {
      open = [];
      isDone = false;
    },
    within: () => (open.length === 0 ? '' : ` in <${open.at(-1)?.name}>`),
    tooLarge: () =>
      fault(
        `<${open.at(-1)?.name ?? 'the text'}> is larger than ${maxRecord / 1024 / 1024} MB`,
        'no post is that large: the file is damaged or malicious',
      ),
  };
  return tree;

  function unmarked({ text, name }: Open): string {
    let clean = text;
    if (clean.includes(controlMark)) {
      clean = clean.replaceAll(controlMark, '');
      tree.report('control-character', `control characters in <${name}> were removed`);
    }
    if (clean.includes(byteMark)) {
      clean = clean.replaceAll(byteMark, '');
      tree.report('encoding', `invalid UTF-8 bytes in <${name}> were read as Windows-1252`);
    }
    return clean.includes('&#') && shownTexts.has(name) ? clean.replace(splitCharacter, joined) : clean;
  }
}

/** Texts that are HTML: in sections of CDATA, too, two references may be the halves of one character. Rows of meta count their characters. */
const shownTexts: ReadonlySet<string> = new Set([
  ...['title', 'content:encoded', 'excerpt:encoded', 'category'],
  ...['wp:comment_content', 'wp:comment_author', 'wp:cat_name', 'wp:tag_name', 'wp:term_name', 'wp:author_display_name'],
]);
const splitCharacter = /&#(?:(5\d{4})|[xX](d[89ab][\da-f]{2}));&#(?:(5\d{4})|[xX](d[c-f][\da-f]{2}));/gi;

function joined(written: string, high?: string, highHex = '', low?: string, lowHex = ''): string {
  const [first, second] = [Number(high ?? `0x${highHex}`), Number(low ?? `0x${lowHex}`)];
  const isPair = first >= 0xd800 && first <= 0xdbff && second >= 0xdc00 && second <= 0xdfff;
  return isPair ? String.fromCharCode(first, second) : written;
}

/** What else it is, by its root. */
export function notExport(root: string, fault: Fault): SourceError {
  const kind = root.toLowerCase();
  if (kind === 'html')
    return fault('this is an HTML page, not an export', 'sign in to the old site, choose Tools → Export, and save the file');
  if (kind === 'rss' || kind === 'feed')
    return fault('this is a news feed, not an export', 'a feed has only the newest posts: use Tools → Export on the old site');
  return fault(`not an export: the root element is <${root}>`, 'a WXR file begins with <rss> and declares the export namespace');
}

/** Namespace → the prefix it usually has. */
const namespaces: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/excerpt\/?$/, 'excerpt'],
  [/^https?:\/\/wordpress\.org\/export\/[\d.]+\/?$/, 'wp'],
  [/^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\/?$/, 'content'],
  [/^https?:\/\/purl\.org\/dc\/elements\/1\.1\/?$/, 'dc'],
];

/** Prefix in the file → the usual one. @throws SourceError when the root is not that of an export */
function prefixesOf(root: string, attributes: Readonly<Record<string, string>>, fault: Fault): ReadonlyMap<string, string> {
  const prefixes = new Map(
    Object.entries(attributes).flatMap(([key, uri]): [string, string][] => {
      const usual = namespaces.find(([pattern]) => pattern.test(uri))?.[1];
      return key.startsWith('xmlns:') && usual !== undefined ? [[key.slice(6), usual]] : [];
    }),
  );
  if (root !== 'rss' || ![...prefixes.values()].includes('wp')) throw notExport(root, fault);
  return prefixes;
}

/** A copy. A part of a text keeps the whole of it in memory, here 256 KB for a slug that somebody remembers. */
function detached(text: string): string {
  return text === '' ? '' : ` ${text}`.slice(1);
}
