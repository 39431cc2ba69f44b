/** What is shown of the text of a post. */

import type { Block } from './blocks.ts';
import { renderExcerpt } from './excerpt.ts';
import { hintLoading } from './images.ts';
import { renderMarkdown } from './markdown.ts';
import { type RenderOptions, setMarkup, showParts, type ShownParts } from './markup.ts';
import { namesPictures, namesUploads } from './library-pictures.ts';
import { namesMedia } from './media-shortcodes.ts';

export interface Text {
  readonly raw: string;
  readonly kind: 'md' | 'html';
  /** The excerpt as stored; '' when one is to be generated. */
  readonly excerpt: string;
  readonly options: RenderOptions;
  /** Where its blocks depend on the site: the text with its blocks shown. */
  readonly parts?: ShownParts;
  /** A block with what its attributes take from the site, for an excerpt. */
  readonly bind?: ((block: Block) => Block) | undefined;
}

/**
 * The text as HTML; its shortcodes of media are still to be shown. Markup that has some, or that names pictures of the media library, still lacks
 * sizes and all loading hints.
 */
export function showContent({ raw, kind, options, parts }: Text): string {
  if (kind === 'md') {
    const html = renderMarkdown(raw, options);
    return namesUploads(html) || namesMedia(raw) ? html : hintLoading(html);
  }
  const html = setMarkup(parts ?? showParts(raw, options), options);
  return namesPictures(html) || namesMedia(raw) ? html : hintLoading(html);
}

/**
 * The excerpt as HTML.
 *
 * @param words       of a generated one
 * @param content     the text as HTML; a Markdown text is mostly shown together with its excerpt
 * @param isRendered  whether `content` is there, or will be needed anyway
 */
export function showExcerpt(text: Text, words: number | undefined, content: () => string, isRendered = false): string {
  return renderExcerpt({ ...text, words, ...(text.kind === 'md' ? { rendered: content, isRendered } : {}) });
}
