/**
 * The allow-list for markup of users without `unfiltered_html`. Elements, attributes and protocols that are not on it go;
 * the text of removed elements stays; entities are normalised; everything else keeps its bytes.
 *
 * The walker works on the source, not on a parsed tree: what is allowed has to come out exactly as it went in.
 * Filtering twice changes nothing more. Source: observed behaviour of the reference (6.9).
 */

import { allowed, type Allowed, type FilterSet, urlAttributes } from './allowed.ts';
import { type Delimiter, delimiters } from './blocks.ts';
import { cleanUrl } from './protocols.ts';
import { filterStyle } from './styles.ts';
import { isCharacter, namedEntities } from './text.ts';
import { escapeOnce } from '../kernel/model/escape.ts';

interface FilterOptions {
  /** Address of the uploads, ending with `/`; PDF files below it may be embedded as objects. */
  readonly uploadsUrl?: string;
}

/**
 * Markup with only what the set allows. Block delimiters stay byte for byte unless their attributes hold markup that is
 * not allowed. Titles are filtered as `comment`, excerpts as `post`. Cost: linear.
 */
export function filterHtml(html: string, set: FilterSet, options: FilterOptions = {}): string {
  return filter(html, { tags: allowed[set], blocks: set === 'post', uploadsUrl: options.uploadsUrl }, 0);
}

interface Rules {
  readonly tags: Allowed;
  /** Whether comments may be block delimiters. */
  readonly blocks: boolean;
  readonly uploadsUrl: string | undefined;
}

function filter(html: string, rules: Rules, depth: number): string {
  const text = html.replace(/[\x00-\x08\v\f\x0e-\x1f]/g, '');
  const blocks = new Map<number, Delimiter>();
  if (rules.blocks) for (const delimiter of delimiters(text)) blocks.set(delimiter.start, delimiter);
  let out = '';
  let at = 0;
  let close = 0;
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', at)) {
    out += filterText(text.slice(at, start));
    const block = blocks.get(start);
    const kept = block && filterDelimiter(text.slice(start, block.end), block, rules);
    if (block && kept !== undefined) {
      out += kept;
      at = block.end;
      continue;
    }
    if (close !== -1 && close < start + 4 && text.startsWith('<!--', start)) close = text.indexOf('-->', start + 4);
    at = close >= start + 4 && text.startsWith('<!--', start) ? close + 3 : endOfTag(text, start);
    out += filterToken(text.slice(start, at), rules, depth);
  }
  return out + filterText(text.slice(at));
}

/** Index behind the tag at `start`. A `<` whose tag never ends is text, up to the next `<`. */
function endOfTag(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '<' && text[end] !== '>') end++;
  return text[end] === '>' ? end + 1 : end;
}

function filterText(text: string): string {
  return normalizeEntities(text).replaceAll('>', '&gt;');
}

function filterToken(token: string, rules: Rules, depth: number): string {
  if (!token.endsWith('>')) return escapeOnce(normalizeEntities(token));
  if (token.startsWith('<!--')) return filterComment(token.slice(4).replace(/-?-?>$/, ''), rules, depth);
  // What a parser takes for a comment, `</!x>` and `<!x>`, stays one.
  if (/^<(?:\/[^a-zA-Z]|![a-z])/.test(token)) {
    const clean = settle(token.slice(2, -1), rules, depth) ?? '';
    return clean === '' ? '' : `${token.slice(0, 2)}${clean}>`;
  }
  return filterTag(normalizeEntities(token), rules);
}

/** A comment whose text is filtered like any other and cannot end early; '' when nothing is left. */
function filterComment(text: string, rules: Rules, depth: number): string {
  const clean = settle(text.replace(/<!--|-->/g, ''), rules, depth) ?? '';
  return clean === '' ? '' : `<!--${clean}-->`;
}

/** Filters text within a comment until it stays as it is; undefined when it does not come to rest. */
function settle(text: string, rules: Rules, depth: number): string | undefined {
  if (depth > 2) return undefined;
  let current = text;
  for (let round = 0; round < 4; round++) {
    const next = filter(current, { ...rules, blocks: false }, depth + 1)
      .replace(/--+/g, '-')
      .replace(/-$/, '');
    if (next === current) return next;
    current = next;
  }
  return undefined;
}

// --- block delimiters ---

/** A delimiter as it is, or with filtered attributes; undefined when it has to be treated as a common comment. */
function filterDelimiter(raw: string, { json }: Delimiter, rules: Rules): string | undefined {
  const head = json === '' ? raw : raw.replace(json, () => '');
  if (/[<>]|--/.test(head.slice(4, -3)) || isDeep(json)) return undefined;
  if (json === '') return raw;
  let attributes: unknown;
  try {
    attributes = JSON.parse(json);
  } catch {
    return /[<>]|--/.test(json) ? undefined : raw;
  }
  const clean = filterValue(attributes, rules);
  const written = JSON.stringify(clean) === JSON.stringify(attributes) ? json : JSON.stringify(clean);
  return raw.replace(json, () => written.replace(/--/g, '\\u002d\\u002d').replace(/</g, '\\u003c').replace(/>/g, '\\u003e'));
}

function filterValue(value: unknown, rules: Rules): unknown {
  if (typeof value === 'string') return value.includes('<') ? filter(value, { ...rules, blocks: false }, 0) : value;
  if (Array.isArray(value)) return value.map((item) => filterValue(item, rules));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [String(filterValue(key, rules)), filterValue(item, rules)]),
  );
}

function isDeep(json: string): boolean {
  let depth = 0;
  let deepest = 0;
  for (const char of json) {
    if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return deepest > 100;
}

// --- tags ---

function filterTag(token: string, rules: Rules): string {
  const [, slash, name = '', rest = ''] = /^<\s*(\/\s*)?([a-zA-Z0-9-]+)(?![a-zA-Z0-9-])([^>]*)>$/.exec(token) ?? [];
  const attributes = rules.tags.get(name.toLowerCase());
  if (!attributes) return '';
  if (slash !== undefined) return `</${name}>`;
  const end = /\/\s*$/.test(rest) ? ' /' : '';
  if (attributes.size === 0) return `<${name}${end}>`;
  const kept = attributesOf(rest).filter((attribute) => isAllowed(attribute, attributes, name));
  if (name.toLowerCase() === 'object' && !isPdf(kept, rules)) return end === '' ? `<${name}>` : '';
  return `<${name}${kept.map(writeAttribute).join('')}${end}>`;
}

interface Attribute {
  readonly name: string;
  /** Null for a name alone. */
  readonly value: string | null;
}

function isAllowed({ name, value }: Attribute, attributes: ReadonlySet<string>, tag: string): boolean {
  const key = name.toLowerCase();
  if (key === 'style') return attributes.has(key) && value !== null && value !== '';
  if (key === 'download' && tag.toLowerCase() === 'a') return value === null;
  return attributes.has(key) || (attributes.has('data-') && /^data-[a-z0-9_-]+$/.test(key));
}

/** An object is allowed for PDF files of the site itself. */
function isPdf(attributes: readonly Attribute[], { uploadsUrl }: Rules): boolean {
  const value = (name: string) => attributes.find((attribute) => attribute.name.toLowerCase() === name)?.value ?? '';
  const data = value('data');
  if (uploadsUrl === undefined || value('type').toLowerCase() !== 'application/pdf') return false;
  return data.startsWith(uploadsUrl) && data.endsWith('.pdf') && !/[?#]/.test(data);
}

function writeAttribute({ name, value }: Attribute): string {
  return value === null ? ` ${name}` : ` ${name}="${value.replace(/[<>]/g, '').replaceAll('"', '&quot;')}"`;
}

const attributeName = /[_a-zA-Z][-_a-zA-Z0-9:.]*/y;
const equals = /\s*=\s*/y;
const spaces = /\s+/y;
const quoted = /"([^"]*)"(?=\s|\/?$)|'([^']*)'(?=\s|\/?$)|([^\s"']+)(?=\s|$)/y;
/** What is skipped where no attribute can be read: quoted parts and everything else up to the next white space. */
const unreadable = /(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"']+)*\s*/y;

/** The attributes of a tag, the first of each name; addresses are cleaned, styles filtered. They are written in double quotes (7.1). */
function attributesOf(text: string): Attribute[] {
  const found = new Map<string, Attribute>();
  const add = (name: string, value: string | null) => {
    if (!found.has(name)) found.set(name, { name, value: value === null ? null : cleanValue(name, value) });
  };
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match;
  };
  while (at < text.length) {
    const name = read(attributeName)?.[0];
    if (name !== undefined && read(equals)) {
      const value = read(quoted);
      if (value) add(name, value[1] ?? value[2] ?? value[3] ?? '');
      if (value && (at === text.length || read(spaces))) continue;
    } else if (name !== undefined && (at === text.length || read(spaces))) {
      add(name, null);
      continue;
    }
    read(unreadable);
  }
  return [...found.values()];
}

function cleanValue(name: string, value: string): string {
  const key = name.toLowerCase();
  if (key === 'style') return filterStyle(value);
  return urlAttributes.has(key) ? cleanUrl(value) : value;
}

// --- entities ---

/** Every `&` that begins no entity of HTML 4 as `&amp;`; numeric references with at least three digits, or in lower-case `x`. */
function normalizeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(0*\d{1,7});|#[xX](0*[\da-fA-F]{1,6});|([A-Za-z]{2,8}\d{0,2});)?/g, (all, decimal, hex, name) => {
    if (name !== undefined) return namedEntities.has(name) ? all : `&amp;${name};`;
    if (decimal !== undefined)
      return isCharacter(Number(decimal)) ? `&#${decimal.replace(/^0+/, '').padStart(3, '0')};` : `&amp;#${decimal};`;
    if (hex !== undefined) return isCharacter(Number.parseInt(hex, 16)) ? `&#x${hex.replace(/^0+/, '')};` : `&amp;#x${hex};`;
    return '&amp;';
  });
}
