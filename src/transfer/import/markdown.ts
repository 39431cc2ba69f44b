/**
 * Markup as Markdown, where that is proved: what a post shows as Markdown must be what it shows as markup (`same-html.ts` says
 * when two are the same). Where it is not, the post stays as it is.
 *
 * The rendered markup is cut into its outermost elements. Each is converted; one that has no form in Markdown, or whose form
 * shows something else, stays in the text as HTML. In the end the whole is rendered and compared.
 */
import { blockClass } from '../../render/wire-constants.ts';
import { createRun, showBlocks } from '../../render/block-tree.ts';
import { delimiters, hasBlocks } from '../../render/blocks.ts';
import { withoutAnchor } from '../../render/footnotes.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { renderMarkup } from '../../render/markup.ts';
import { paragraphs } from '../../render/paragraphs.ts';
import { piecesOf, tagName } from '../../render/html-tokenizer.ts';
import { showCaptions, unwrapShortcodes } from '../../render/shortcodes.ts';
import { withoutTags } from '../../render/text.ts';
import { typography as setTypography } from '../../render/typography.ts';
import { createConverter, voidElements } from './markdown-converter.ts';
import { dropBlockClasses, loneComment, normalHtml } from './same-html.ts';

interface MarkdownWriterOptions {
  /** As the site is set; the proof holds for these. */
  readonly typography?: boolean;
  readonly smilies?: boolean;
  /**
   * Lets go of the classes by which block editors mark headings, lists, quotes, code and tables. Without it an element that has
   * one stays HTML.
   */
  readonly loose?: boolean;
}

/**
 * A function from block markup or classic markup to Markdown, or null where the post should keep its markup: because nothing
 * proves the two equal, because more than half of its text would stay HTML, or because it holds what Markdown would lose
 * (blocks without markup of their own, galleries, scripts, forms). It never throws.
 * Cost: linear; texts over 512 KB, nesting over 60 levels and runs of a thousand blanks are not tried.
 */
export function createMarkdownWriter(options: MarkdownWriterOptions = {}): (markup: string) => string | null {
  const { typography = true, smilies = true, loose = false } = options;
  const light = createConverter(false);
  const heavy = createConverter(true);
  const shown = (markdown: string): string => normalHtml(renderMarkdown(markdown, { typography }), { loose });

  function write(source: string): string | null {
    const markup = withoutAnchor(source);
    if (markup.trim() === '') return '';
    if (markup.length > maxLength || blankRun.test(markup) || !isConvertible(markup)) return null;
    const html = showCaptions(
      hasBlocks(markup) ? plainParagraphs(showBlocks(markup, createRun())) : unwrapShortcodes(paragraphs(markup)),
    );
    const elements = outermost(html.replace(loneComment, '$1'));
    if (elements === null) return null;
    const wanted = normalHtml(plainParagraphs(renderMarkup(markup, { typography, smilies })), { loose });
    // Nearly always all elements convert, and the one proof of the whole is enough; where it fails, each is proved by itself.
    for (const isEachProved of [false, true]) {
      const parts: Part[] = [];
      for (const element of elements) parts.push(partOf(loose ? looseElement(element) : element, parts.at(-1), isEachProved));
      if (isMostlyHtml(parts)) return null;
      const markdown = parts.map(({ text }) => text).join('\n\n');
      if (shown(markdown) === wanted) return markdown;
    }
    return null;
  }

  function partOf(element: string, before: Part | undefined, isProved: boolean): Part {
    const name = tagName(element);
    if (element.startsWith('<!--')) return { text: element, name, isHtml: true };
    // Two lists of one kind in a row would become one: the second has other marks.
    const alternate = (name === 'ul' || name === 'ol') && before?.name === name && !before.isHtml && !before.alternate;
    const wanted = isProved ? normalHtml(typography ? setTypography(element) : element, { loose }) : '';
    for (const convert of isProved ? [light, heavy] : [light]) {
      const text = convert(element, alternate);
      if (text.startsWith(`<${name}`)) break;
      if (text !== '' && (!isProved || shown(text) === wanted)) return { text, name, isHtml: false, alternate };
    }
    return { text: withoutBlankLines(element), name, isHtml: true };
  }

  return (markup) => {
    try {
      return write(markup);
    } catch {
      // A parser that gives up in its own way (its stack, a bug): the post keeps its markup.
      return null;
    }
  };
}

/** Paragraphs of Markdown have no class: one that every paragraph block gets says nothing of it. */
function plainParagraphs(html: string): string {
  return html.replaceAll(`<p class="${blockClass('paragraph')}">`, '<p>');
}

/** An outermost element in its new form. */
interface Part {
  readonly text: string;
  /** Name of its tag; '' for a comment. */
  readonly name: string;
  readonly isHtml: boolean;
  /** A list with the second kind of mark. */
  readonly alternate?: boolean;
}

const maxLength = 512 * 1024;
const maxDepth = 60;
const maxTags = 20_000;
/** The converter looks for the end of a text anew from each of them. */
const blankRun = /(?:\s|&nbsp;|&#160;|&#xa0;){1000}/i;
/** What Markdown would lose, or what is no text at all. */
const refused = new Set(
  'script style svg math template noscript textarea select form button frameset frame title plaintext xmp listing'.split(' '),
);

/** Blocks that show nothing of their own are for the front end; Markdown has no place for them. Nor for galleries. */
function isConvertible(markup: string): boolean {
  if (/\[gallery[\s\]]/.test(markup)) return false;
  for (const { kind, name } of delimiters(markup)) if (kind === 'void' || name === 'core/gallery') return false;
  return true;
}

/**
 * The outermost elements and comments of a text; null when there is text outside of them, when tags do not match, or when the
 * text holds what is not converted. Matching tags are what keeps the parser behind it linear.
 */
function outermost(html: string): readonly string[] | null {
  const found: string[] = [];
  const open: string[] = [];
  let current = '';
  let figures = 0;
  let tags = 0;
  for (const { kind, raw } of piecesOf(html)) {
    if (kind === 'text' && open.length === 0) {
      if (raw.trim() !== '') return null;
      continue;
    }
    current += raw;
    if (kind === 'tag') {
      const name = tagName(raw);
      if (name === '' || refused.has(name) || ++tags > maxTags || !raw.endsWith('>')) return null;
      if (name.startsWith('/')) {
        if (open.pop() !== name.slice(1)) return null;
        if (name === '/figure') figures--;
      } else if (!voidElements.has(name)) {
        if (raw.endsWith('/>') || open.push(name) > maxDepth) return null;
        if (name === 'figure' && ++figures > 1) return null;
      }
    }
    if (open.length === 0) {
      found.push(current);
      current = '';
    }
  }
  return open.length === 0 ? found : null;
}

function looseElement(element: string): string {
  return piecesOf(element)
    .map(({ kind, raw }) => (kind === 'tag' ? dropBlockClasses(raw) : raw))
    .join('');
}

function isMostlyHtml(parts: readonly Part[]): boolean {
  const length = (some: readonly Part[]): number => some.reduce((sum, { text }) => sum + withoutTags(text).trim().length, 0);
  const html = parts.filter(({ isHtml, name }) => isHtml && name !== '');
  if (html.length === 0) return false;
  const texts = html.filter(({ name }) => name !== 'figure');
  return html.length === parts.length || length(texts) * 2 > length(parts);
}

/** An HTML block of Markdown ends with an empty line. */
function withoutBlankLines(element: string): string {
  return element.includes('<pre') ? element : element.replace(/\n(?:[ \t]*\n)+/g, '\n');
}
