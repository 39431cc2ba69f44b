/**
 * Coercion of one valid value to what its schema says: text of a query string becomes numbers, lists and booleans,
 * members are coerced in turn, and texts with a format are cleaned for it.
 *
 * Never fails: a value that fits no better becomes the type's zero (0, '', false, []), as in the reference.
 * Source: behaviour of the reference 6.9.
 */
import { table } from '../model/maps.ts';
import { dropElements, stripTags } from '../model/tags.ts';
import type { JsonType, Schema } from '../model/schema.ts';
import { bestType, matchSchema, memberSchema, readList, readObject } from './validate.ts';

/** @param param  name of the value, for messages of schemas that are chosen by trying */
export function coerceValue(value: unknown, schema: Schema, param: string): unknown {
  const match = matchSchema(value, schema, param);
  const member = match && !('code' in match) ? match : null;
  const read = member ? coerceValue(value, member, param) : value;
  const declared = schema.type ?? member?.type;
  const type = typeof declared === 'object' ? bestType(read, declared) : declared;
  if (type === null) return null;
  if (type !== undefined && type !== 'string') return coercions[type](read, schema, param);
  const clean = formats[schema.format ?? ''];
  if (clean) return clean(toText(read));
  return type === 'string' ? toText(read) : read;
}

/** One line of plain text: tags, percent-encoded bytes and runs of white space are taken out. */
export function cleanText(text: string): string {
  return cleanLines(text)
    .replace(/[\r\n\t ]+/g, ' ')
    .trim();
}

/** As `cleanText`, but line breaks stay. */
export function cleanLines(text: string): string {
  let clean = text.includes('<') ? withoutMarkup(text) : text;
  let found = false;
  for (let before = ''; before !== clean; ) {
    before = clean;
    clean = clean.replace(/%[a-f\d]{2}/gi, '');
    found ||= clean !== before;
  }
  return (found ? clean.replace(/ +/g, ' ') : clean).trim();
}

const SCHEMES = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(' '),
);

/** An address without what addresses cannot hold, `http://` in front of a bare host; '' when its scheme is not a known harmless one. */
export function cleanUri(text: string): string {
  let uri = text.replace(/^[ \t\n\r\v\0]+/, '').replaceAll(' ', '%20');
  uri = uri.replace(/[^a-z\d\-~+_.?#=!&;,/:%@$|*'()[\]\u0080-\u{10FFFF}]/giu, '');
  if (!/^mailto:/i.test(uri)) uri = stripBreaks(uri);
  uri = uri.replaceAll(';//', '://');
  if (uri === '') return '';
  if (!uri.includes(':') && !/^(?:[/#?]|[a-z\d-]+?\.php)/i.test(uri)) uri = `http://${uri}`;
  uri = encodeBrackets(uri);
  const scheme = uri.startsWith('/') ? null : /^([^/?#]*?)(?::|&#0*58;|&#x0*3a;)/i.exec(uri);
  return !scheme || SCHEMES.has((scheme[1] as string).toLowerCase()) ? uri : '';
}

export function toInteger(value: unknown): number {
  const number = Math.trunc(toNumber(value)) || 0;
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
}

type Coercion = (value: unknown, schema: Schema, param: string) => unknown;

const coercions: Readonly<Record<Exclude<JsonType, 'string'>, Coercion>> = table({
  null: () => null,
  boolean: toBoolean,
  number: toNumber,
  integer: toInteger,
  array: toArray,
  object: toObject,
});

const formats: Readonly<Record<string, (text: string) => string>> = table({
  'hex-color': (text) => (/^#(?:[\da-f]{3}){1,2}$/i.test(text) ? text : ''),
  uri: cleanUri,
  'date-time': cleanText,
  // An address is validated, not repaired.
  email: cleanText,
  ip: cleanText,
  uuid: cleanText,
  'text-field': cleanText,
  'textarea-field': cleanLines,
});

function toArray(value: unknown, { items }: Schema, param: string): unknown[] {
  const list = readList(value) ?? (typeof value === 'object' && value !== null ? Object.values(value) : []);
  return items ? list.map((item, at) => coerceValue(item, items, `${param}[${at}]`)) : [...list];
}

/** Forbidden members fall away, the others keep their order. A list stays one: where objects may be lists, it may be meant. */
function toObject(value: unknown, schema: Schema, param: string): Record<string, unknown> | unknown[] {
  const out = Object.create(null) as Record<string, unknown>;
  for (const [name, member] of readObject(value) ?? []) {
    const declared = memberSchema(schema, name);
    if (declared === undefined) out[name] = member;
    else if (declared !== false) out[name] = coerceValue(member, declared, `${param}[${name}]`);
  }
  return Array.isArray(value) && value.length > 0 ? Object.values(out) : out;
}

/** Everything is true but the words for false and what is empty. */
function toBoolean(value: unknown): boolean {
  if (typeof value !== 'string') return Array.isArray(value) ? value.length > 0 : Boolean(value);
  return !['', '0', 'false'].includes(value.toLowerCase());
}

/** A text counts as far as it reads as a number. */
function toNumber(value: unknown): number {
  if (typeof value === 'string') return Number(/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/i.exec(value)?.[0] ?? 0);
  return typeof value === 'number'
    ? value
    : typeof value === 'object' && value !== null
      ? Math.min(1, Object.keys(value).length)
      : Number(value ?? 0);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '';
  return typeof value === 'number' ? String(value) : '';
}

/** Scripts and styles go with what they hold; a `<` that opens no tag is escaped, so that none is made by joining. */
function withoutMarkup(text: string): string {
  const closed = text.replace(/<[^<>]*(?=<|$)/g, (run) => (/^<\s/.test(run) ? run : run.replace('<', '&lt;')));
  return stripTags(dropElements(closed, ['script', 'style']));
}

/** Takes out encoded line breaks, also those that appear by taking out others. */
function stripBreaks(uri: string): string {
  for (let before = ''; before !== uri; ) {
    before = uri;
    uri = uri.replace(/%0[da]/gi, '');
  }
  return uri;
}

/** Only the host may have brackets (IPv6). */
function encodeBrackets(uri: string): string {
  if (!/[[\]]/.test(uri)) return uri;
  const host = /^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i.exec(uri)?.[0] ?? '';
  return host + uri.slice(host.length).replaceAll('[', '%5B').replaceAll(']', '%5D');
}
