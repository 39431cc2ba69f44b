/**
 * Stored text as the reference shows it: content, titles, comments. Each is a chain of conversions; the order is theirs.
 */

import { withoutActive } from './active.ts';
import { absoluteUploads } from './addresses.ts';
import { balanceTags } from './close-tags.ts';
import { createRun, showBlocks } from './block-tree.ts';
import type { BlockContext } from './live-block.ts';
import { hasBlocks, withoutStrayEnd } from './blocks.ts';
import { filterHtml } from './filter.ts';
import { hintLoading } from './images.ts';
import { linkAddresses } from './links.ts';
import { paragraphs } from './paragraphs.ts';
import { showCaptions, showEmbeds, showRecordings, unwrapShortcodes } from './shortcodes.ts';
import { smilies } from './smilies.ts';
import { trimSpace } from './text.ts';
import { encodeAmpersands, typography } from './typography.ts';

export interface RenderOptions {
  readonly smilies: boolean;
  readonly typography: boolean;
  readonly postId?: number;
  /** Only what authors without `unfiltered_html` may write is shown. */
  readonly filtered?: boolean;
  /** Address of the site without a trailing slash; media that the text names root-relative are given it. */
  readonly home?: string;
  /** Of the text, a code or a locale: titles of alerts are in it. */
  readonly language?: string;
}

/**
 * Markup of a post, page or description as HTML. Text with blocks is shown as its blocks hold it, with the classes they get; classic text gets
 * paragraphs. `<!--more-->` stays: where a text is cut is a matter of the page that shows it.
 *
 * @param parts  the text with its blocks shown, where they depend on more than the text
 */
export function renderMarkup(raw: string, options: RenderOptions, parts = showParts(raw, options)): string {
  return hintLoading(setMarkup(parts, options));
}

/** Markup whose blocks are shown and whose type is still to be set. */
export interface ShownParts {
  readonly html: string;
  readonly hasBlocks: boolean;
}

/** The first half of the way of a text: what it embeds and its blocks. */
export function showParts(raw: string, options: RenderOptions, run = createRun(), context: BlockContext = {}): ShownParts {
  const text = showRecordings(showEmbeds(options.filtered ? filterHtml(raw, 'post') : raw));
  const closed = withoutStrayEnd(text);
  if (closed !== null) return { html: showBlocks(closed, run, context), hasBlocks: true };
  return hasBlocks(text) ? { html: showBlocks(text, run, context), hasBlocks: true } : { html: text, hasBlocks: false };
}

/** The second half. */
export function setMarkup({ html, hasBlocks }: ShownParts, options: RenderOptions): string {
  const typed = setType(html, options);
  const text = unwrapShortcodes(hasBlocks ? typed : paragraphs(typed));
  return settled(absoluteUploads(setFaces(showCaptions(text), options), options.home ?? ''), options);
}

/** A title as HTML: typography, nothing else. Tags stay. */
export function renderTitle(
  text: string,
  options: Pick<RenderOptions, 'typography' | 'filtered'> = { typography: true },
): string {
  const raw = options.filtered ? filterHtml(text, 'comment') : text;
  return settled(trimSpace(encodeAmpersands(setType(raw, options))), options);
}

/** A given excerpt or a caption as HTML, in paragraphs. */
export function renderSummary(text: string, options: RenderOptions): string {
  const raw = options.filtered ? filterHtml(text, 'post') : text;
  const typed = encodeAmpersands(setFaces(setType(raw, options), options));
  return settled(absoluteUploads(hintLoading(unwrapShortcodes(paragraphs(typed))), options.home ?? ''), options);
}

/**
 * A comment as HTML: addresses become links, open tags are closed.
 *
 * @param home  address of the site, to tell its own links from others
 */
export function renderComment(text: string, options: RenderOptions, home = ''): string {
  const raw = options.filtered ? filterHtml(text, 'comment') : text;
  const typed = encodeAmpersands(setType(linkAddresses(raw, home), options));
  return settled(paragraphs(balanceTags(setFaces(typed, options))), options);
}

/** Filtered text stays so, whatever became of it on its way. */
function settled(html: string, { filtered }: Pick<RenderOptions, 'filtered'>): string {
  return filtered ? withoutActive(html) : html;
}

function setType(text: string, options: Pick<RenderOptions, 'typography'>): string {
  return options.typography ? typography(text) : text;
}

function setFaces(html: string, options: RenderOptions): string {
  return options.smilies ? smilies(html) : html;
}
