/**
 * When two pieces of HTML show the same: the form they are brought into before they are compared. It evens out
 *
 * - white space that no reader sees: runs of it, around block elements and line breaks, and at the inner edges of emphasis;
 * - spelling: case of names, order of attributes, quotes and entities, `<br />` and `<br>`, the last line end of a `pre`;
 * - a paragraph around nothing but a comment (`<!--more-->`): neither shows;
 * - titles of alerts, which depend on the language;
 * - loading hints (`decoding`, `loading`, `fetchpriority`), which the renderer adds to images and frames of one kind of file.
 *
 * Everything else counts: each element, attribute, class, comment and character.
 */
import { table } from '../../kernel/model/maps.ts';
import { withoutTrailing } from '../../kernel/model/text-ends.ts';
import { decodeEntities } from '../../render/text.ts';
import { withoutAlertTitles } from '../../render/markdown-rules.ts';
import { piecesOf, tagName } from '../../render/html-tokenizer.ts';
import { blockClass } from '../../render/wire-constants.ts';

interface Sameness {
  /** Classes by which block editors mark headings, lists and the like do not count where Markdown has a form for the element. */
  readonly loose?: boolean;
}

/** The HTML in the form in which equal ones are equal strings. Not for showing. Cost: linear. */
export function normalHtml(html: string, { loose = false }: Sameness = {}): string {
  let out = '';
  let preformatted = 0;
  let edge = true;
  for (const { kind, raw } of piecesOf(withoutAlertTitles(html))) {
    if (kind === 'text') {
      const text = escapeText(decodeEntities(raw));
      if (preformatted > 0) out += text.replace(/ /g, protectedSpace.space).replace(/\r?\n/g, protectedSpace.line);
      else {
        const even = text.replace(/[ \t\n\r\f]+/g, ' ');
        const shown = edge || out.endsWith(' ') ? even.replace(/^ /, '') : even;
        out += shown;
        if (shown !== '') edge = false;
      }
      continue;
    }
    const name = kind === 'tag' ? tagName(raw) : '';
    const bare = name.replace('/', '');
    const isEdge = edges.has(bare);
    if (isEdge && preformatted === 0) out = withoutTrailing(out, ' ');
    out += kind === 'comment' || name === '' ? raw : printTag(raw, name, loose);
    if (bare === 'pre') preformatted = Math.max(0, preformatted + (name === 'pre' ? 1 : -1));
    edge = isEdge || (edge && kind === 'comment');
  }
  return withoutTrailing(settleEmphasis(out), ' ')
    .replace(loneComment, '$1')
    .replaceAll(`<pre>${protectedSpace.line}`, '<pre>')
    .replaceAll(`${protectedSpace.line}</pre>`, '</pre>')
    .replaceAll(`${protectedSpace.line}</code></pre>`, '</code></pre>');
}

/** Classes of a tag that `loose` takes for nothing. */
export function dropBlockClasses(tag: string): string {
  if (!tag.includes('class=') || !hasMarkdownForm.has(tagName(tag))) return tag;
  return tag.replace(/\sclass=(?:"([^"]*)"|'([^']*)')/, (_, double: string | undefined, single: string | undefined) => {
    const words = (double ?? single ?? '').split(/\s+/).filter((word) => word !== '' && !isBlockMark(word));
    return words.length === 0 ? '' : ` class="${words.join(' ')}"`;
  });
}

/** A paragraph that holds a comment and nothing else. */
export const loneComment = /<p>\s*(<!--[^<>]*-->)\s*<\/p>/g;

/** Stand for white space that counts. */
const protectedSpace = { space: '\u0001', line: '\u0002' } as const;

/** Elements around which white space shows nothing. */
const edges = new Set(
  [
    'address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset figcaption',
    'figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre section summary',
    'table tbody td tfoot th thead tr ul',
  ].flatMap((names) => names.split(' ')),
);
const hasMarkdownForm = new Set('p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code hr table'.split(' '));
const hints = new Set(['decoding=async', 'loading=lazy', 'fetchpriority=high']);
const blockMark = blockClass('');
const layoutMarks = new Set(['is-layout-flow', 'has-alpha-channel-opacity', 'has-fixed-layout']);

const isBlockMark = (word: string): boolean => word.startsWith(blockMark) || layoutMarks.has(word);

function printTag(raw: string, name: string, loose: boolean): string {
  if (name.startsWith('/')) return `<${name}>`;
  const found = new Map<string, string>();
  const source = loose ? dropBlockClasses(raw) : raw;
  // The name and what comes behind it; a slash before the end says nothing.
  for (const part of source.slice(1 + name.length).matchAll(attribute)) {
    const key = (part[1] as string).toLowerCase();
    const value = decodeEntities(part[2] ?? part[3] ?? part[4] ?? '');
    if (!found.has(key)) found.set(key, value);
  }
  const media = name === 'img' || name === 'iframe';
  const printed = [...found].flatMap(([key, value]) => {
    if (media && hints.has(`${key}=${value}`)) return [];
    const kept = media && key === 'sizes' ? value.replace(/^auto, /, '') : value;
    return [`${key}="${escapeText(kept).replaceAll('"', '&quot;')}"`];
  });
  return `<${[name, ...printed.sort()].join(' ')}>`;
}

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

const edgeTag = '(?:p|li|h[1-6]|td|th|br|blockquote|dd|dt|figcaption)';
const besideEdge = new RegExp(`(</?${edgeTag}(?: [^<>]*)?>) | (?=</?${edgeTag}[ >])`, 'g');

/** A space at the inner edge of emphasis shows as much as one outside of it. */
function settleEmphasis(html: string): string {
  return html
    .replace(/(?<!<(?:em|strong|b|i|s)>)((?:<(?:em|strong|b|i|s)>)+) /g, ' $1')
    .replace(/ ((?:<\/(?:em|strong|b|i|s)>)+)/g, '$1 ')
    .replace(/ {2,}/g, ' ')
    .replace(besideEdge, '$1');
}

const inText: Readonly<Record<string, string>> = table({ '&': '&amp;', '<': '&lt;' });

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => inText[char] ?? '&gt;');
}
