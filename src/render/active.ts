/**
 * Active content: what would run a script in a browser. It is found here for reports, and taken out of answers on sites whose operator
 * does not trust those who write files.
 */
import { table } from '../kernel/model/maps.ts';
import { Parser } from 'htmlparser2';
import { filterHtml } from './filter.ts';
import { cleanUrl } from './protocols.ts';
import { decodeEntities } from './text.ts';

/** Where active content stands in a text, and what it is. */
interface ActivePart {
  readonly at: number;
  readonly length: number;
  /** `script element`, `onclick attribute`, `javascript: address`. */
  readonly what: string;
}

interface Options {
  /** Looks into comments, too: a parser other than a browser's may end them elsewhere. */
  readonly comments?: boolean;
}

/** Elements that run or load scripts, or change what others load. */
const elements = new Set(['script', 'base', 'applet']);
/** Attributes that lead somewhere, or that make others do so. */
const addresses = new Set(
  (
    'href xlink:href src action formaction data poster background cite longdesc ping manifest codebase classid lowsrc dynsrc profile ' +
    'usemap icon archive to from by values content'
  ).split(' '),
);
/** Elements whose content browsers do not always take for text. */
const opaque = new Set([
  'style',
  'title',
  'textarea',
  'xmp',
  'noscript',
  'noembed',
  'noframes',
  'iframe',
  'plaintext',
  'template',
]);
const maxDepth = 4;

/** Every element that is active, in order. Cost: linear, for each level of markup in attributes. */
export function activeParts(html: string, options: Options = {}): ActivePart[] {
  return parts(html, options, 0);
}

/** Whether an address, however it is disguised, runs something. */
export function isActiveAddress(address: string): boolean {
  const plain = decodeEntities(address)
    .replace(/&(colon|tab|newline);/gi, (_, name: string) => (/^c/i.test(name) ? ':' : ''))
    .replace(/[\p{C}\p{Z}]/gu, '')
    .toLowerCase();
  if (/^(?:javascript|vbscript|livescript|mocha):/.test(plain)) return true;
  return /^data:(?!image\/(?!svg)|audio\/|video\/|font\/)[a-z]+\/[a-z]/.test(plain);
}

/** The text without active content: markup that has some is left with what authors without the right for it may write. */
export function withoutActive(text: string): string {
  if (/:|&/.test(text) && isActiveAddress(text)) {
    const clean = cleanUrl(text.replace(/[\p{C}\p{Z}]/gu, ''));
    return isActiveAddress(clean) ? '' : withoutActive(clean);
  }
  if (!text.includes('<') || activeParts(text, { comments: true }).length === 0) return text;
  const clean = filterHtml(text, 'post');
  return activeParts(clean, { comments: true }).length === 0 ? clean : filterHtml(clean, 'strip');
}

/** Who asks: what is stored is for those who edit it, so that saving it again changes nothing. */
type Reader = 'visitor' | 'user' | 'editor';

const stored: Readonly<Record<Reader, ReadonlySet<string>>> = table({
  visitor: new Set(),
  user: new Set(['raw']),
  editor: new Set(['raw', 'meta', 'instance']),
});

/** Data of an answer with every text in it `withoutActive`, but for what is meant as stored. */
export function dataWithoutActive(data: unknown, reader: Reader): unknown {
  if (typeof data === 'string') return withoutActive(data);
  if (Array.isArray(data)) return data.map((one) => dataWithoutActive(one, reader));
  if (data === null || typeof data !== 'object') return data;
  const prototype: unknown = Object.getPrototypeOf(data);
  if (prototype !== Object.prototype && prototype !== null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key.includes('<') ? filterHtml(key, 'strip') : key,
      stored[reader].has(key) ? value : dataWithoutActive(value, reader),
    ]),
  );
}

function parts(html: string, options: Options, depth: number): ActivePart[] {
  const found: ActivePart[] = [];
  if (depth > maxDepth) return [{ at: 0, length: html.length, what: 'markup within markup' }];
  const open: string[] = [];
  const inside = (text: string): boolean => text.includes('<') && parts(text, options, depth + 1).length > 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const what =
          activeTag(name, attributes) ?? (Object.values(attributes).some(inside) ? 'markup in an attribute' : undefined);
        if (what !== undefined) found.push({ at: parser.startIndex, length: parser.endIndex - parser.startIndex + 1, what });
        if (opaque.has(name)) open.push(name);
      },
      onclosetag(name) {
        if (open.at(-1) === name) open.pop();
      },
      ontext(text) {
        if (open.length > 0 && inside(text))
          found.push({ at: parser.startIndex, length: text.length, what: `markup in a ${open.at(-1)} element` });
      },
      oncomment(text) {
        if (options.comments && inside(text))
          found.push({ at: parser.startIndex, length: text.length, what: 'markup in a comment' });
      },
    },
    { lowerCaseTags: true, lowerCaseAttributeNames: true, recognizeSelfClosing: true },
  );
  parser.write(html);
  parser.end();
  return found;
}

function activeTag(name: string, attributes: Readonly<Record<string, string>>): string | undefined {
  if (elements.has(name) || name.endsWith(':script')) return `${name} element`;
  if (name === 'meta' && Object.hasOwn(attributes, 'http-equiv')) return 'meta element that acts';
  for (const [key, value] of Object.entries(attributes)) {
    if (/^on[a-z]/.test(key)) return `${key} attribute`;
    if (key === 'srcdoc') return 'srcdoc attribute';
    if (key === 'attributename' && /^(?:on|(?:xlink:)?href$)/i.test(value.trim())) return 'animation of an address';
    if (addresses.has(key) && value.split(';').some(isActiveAddress)) return `${scheme(value)} address`;
    if (key === 'style' && /expression\s*\(|(?:java|vb)script\s*:|behaviou?r\s*:|-moz-binding/i.test(value))
      return 'script in a style';
  }
  return undefined;
}

function scheme(address: string): string {
  return /data/i.test(address.slice(0, 20)) ? 'data:' : 'javascript:';
}
