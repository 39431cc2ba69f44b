/**
 * Excerpts: the one an author gave, or the first words of the text.
 */

import { balanceTags } from './close-tags.ts';
import { isHidden } from './block-supports.ts';
import { blockTypes } from './block-types.ts';
import { type Block, parseBlocks, hasBlocks, renderBlock } from './blocks.ts';
import { withoutNotes } from './footnotes.ts';
import { renderBeginning, renderMarkdown } from './markdown.ts';
import { withoutAlertTitles } from './markdown-rules.ts';
import { type RenderOptions, renderSummary } from './markup.ts';
import { paragraphs } from './paragraphs.ts';
import { plainBeginning } from './plain-beginning.ts';
import { dropShortcodes } from './shortcodes.ts';
import { smilies } from './smilies.ts';
import { plainText } from './text.ts';
import { typography } from './typography.ts';

interface ExcerptSource {
  /** The excerpt as stored; white space only means that none is given. */
  readonly excerpt: string;
  /** The text as stored. */
  readonly raw: string;
  readonly kind: 'md' | 'html';
  /** Words of a generated excerpt; 55 unless told. */
  readonly words?: number | undefined;
  readonly options: RenderOptions;
  /** A block with what its attributes take from the site. */
  readonly bind?: ((block: Block) => Block) | undefined;
  /** The whole of a Markdown text as HTML, its shortcodes as they stand, where somebody has it. */
  readonly rendered?: () => string;
  /** Whether that is there already, or will be needed. */
  readonly isRendered?: boolean | undefined;
}

/**
 * The excerpt as HTML; '' for a text without words. A generated one has the words before `<!--more-->`, at most `words`
 * of them, ` [&hellip;]` when there are more, and no tags.
 */
export function renderExcerpt(source: ExcerptSource): string {
  const { excerpt, kind, words = 55, options } = source;
  if (excerpt.trim() !== '') return renderSummary(excerpt, options);
  return renderSummary(kind === 'html' ? firstOfMarkup(source, words) : firstOfMarkdown(source, words), options);
}

/** The first words of Markdown. The first of many blocks mostly have them; then the others are not rendered, and mostly no parser is needed. */
function firstOfMarkdown({ raw, options, rendered, isRendered }: ExcerptSource, words: number): string {
  const isBeginning = !isRendered && words >= 0;
  const plain = isBeginning && !options.filtered ? plainBeginning(raw, words, options.typography) : null;
  if (plain !== null) return firstWords(plain, words);
  const start = isBeginning ? renderBeginning(raw, options, words * signsOfMarkdownWord) : null;
  // What begins there may end behind it.
  if (start !== null && !/\[|<(?:script|style)/i.test(start)) {
    const { found, hasMore } = wordsUpTo(plainText(withoutAlertTitles(untilMore(start))), words);
    if (hasMore) return found.join(' ') + more;
  }
  const html = rendered ? rendered() : renderMarkdown(raw, options);
  return firstWords(plainText(dropShortcodes(withoutAlertTitles(withoutNotes(untilMore(html))))), words);
}

/** The first words of a text, white space between them a single space; with a negative number all but the last (observed). */
export function firstWords(text: string, words: number): string {
  const limit = words < 0 ? Math.max(0, (text.match(/[^\n\r\t ]+/g) ?? []).length - 1) : words;
  const { found, hasMore } = wordsUpTo(text, limit);
  return found.join(' ') + (hasMore ? more : '');
}

/** Behind words that are not all. */
const more = ' [&hellip;]';

function wordsUpTo(text: string, limit: number): { readonly found: readonly string[]; readonly hasMore: boolean } {
  const found: string[] = [];
  for (let at = 0; ; ) {
    while (isSpace(text.charCodeAt(at))) at++;
    if (at === text.length) return { found, hasMore: false };
    if (found.length === limit) return { found, hasMore: true };
    const from = at;
    while (at < text.length && !isSpace(text.charCodeAt(at))) at++;
    found.push(text.slice(from, at));
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The first words of markup. The first of many blocks mostly have them; then the others are not set. */
function firstOfMarkup({ raw, options, bind }: ExcerptSource, words: number): string {
  const text = dropShortcodes(untilMore(raw));
  if (!hasBlocks(text)) return firstWords(plainText(setText(text, options)), words);
  const blocks = bind ? bound(parseBlocks(text), bind, 0) : parseBlocks(text);
  const start = words < 0 ? null : startOf(blocks, words * signsOfWord);
  if (start !== null) {
    const { found, hasMore } = wordsUpTo(plainText(setText(start, options)), words);
    if (hasMore) return found.join(' ') + more;
  }
  return firstWords(plainText(setText(blocks.map(readableBlock).join(''), options)), words);
}

function bound(blocks: readonly Block[], bind: (block: Block) => Block, depth: number): readonly Block[] {
  return depth > 100
    ? blocks
    : blocks.map((block) => ({ ...bind(block), innerBlocks: bound(block.innerBlocks, bind, depth + 1) }));
}

/** Signs of HTML in which a word is mostly found. */
const signsOfWord = 16;
/** The same of Markdown. */
const signsOfMarkdownWord = 9;

/** The first blocks that have so many signs together; null when no others follow. */
function startOf(blocks: readonly Block[], signs: number): string | null {
  let html = '';
  for (const block of blocks.slice(0, -1)) {
    html += readableBlock(block);
    if (html.length > signs) return html;
  }
  return null;
}

/** Text as it is shown, without footnotes. */
function setText(text: string, options: RenderOptions): string {
  const typed = paragraphs(options.typography ? typography(dropFootnotes(text)) : dropFootnotes(text));
  return (options.smilies ? smilies(typed) : typed).replaceAll(']]>', ']]&gt;');
}

/** The part of the first page before `<!--more-->`, its tags closed; the whole page when there is none. */
function untilMore(text: string): string {
  const page = firstPage(text);
  const more = page.search(/<!--more(?:[^-]|-(?!->)){0,500}-->/);
  return more === -1 ? page : balanceTags(page.slice(0, more));
}

const nextPage = '<!--nextpage-->';

/** What stands before the first page break; a break at the very beginning is none. */
function firstPage(text: string): string {
  if (!text.includes(nextPage)) return text;
  const plain = text.replace(/<!-- \/?(?:wp|cms):nextpage -->/g, '').replace(/^\s*<!--nextpage-->/, '');
  const end = plain.indexOf(nextPage);
  return end === -1 ? plain : plain.slice(0, end);
}

function readableBlock(block: Block): string {
  const type = blockTypes.get(block.name ?? '');
  if (isHidden(block, type)) return '';
  const isWrapper = type?.excerpt === 'wrapper';
  if (isWrapper && block.innerBlocks.length > 0) return readableWithin(block, 0);
  const allowed = isText(block) && block.innerBlocks.every((inner) => isText(inner) && inner.innerBlocks.length === 0);
  return allowed || isWrapper ? renderBlock(block) : '';
}

/** The text of the blocks in a block that only holds others; of one with blocks in it, theirs alone. */
function readableWithin({ innerBlocks }: Block, depth: number): string {
  return innerBlocks
    .map((block) => {
      const type = blockTypes.get(block.name ?? '');
      if (type?.excerpt === undefined || isHidden(block, type) || depth > 100) return '';
      return block.innerBlocks.length === 0 ? renderBlock(block) : readableWithin(block, depth + 1);
    })
    .join('');
}

/** Whether the text of a block belongs into an excerpt. */
function isText({ name }: Block): boolean {
  return name === null || blockTypes.get(name)?.excerpt === 'text';
}

function dropFootnotes(html: string): string {
  return html.includes('data-fn=')
    ? html.replace(/<sup data-fn="[^"<>]+" class="fn"><a href="[^"<>]+" id="[^"<>]+">\d+<\/a><\/sup>/g, '')
    : html;
}
