/** What is shown of the text of a post. */

import { renderExcerpt } from './excerpt.ts';
import { renderMarkdown } from './markdown.ts';
import { type RenderOptions, renderMarkup } from './markup.ts';

export interface Text {
  readonly raw: string;
  readonly kind: 'md' | 'html';
  /** The excerpt as stored; '' when one is to be generated. */
  readonly excerpt: string;
  readonly options: RenderOptions;
}

/** The text as HTML. */
export function showContent({ raw, kind, options }: Text): string {
  return kind === 'md' ? renderMarkdown(raw, options) : renderMarkup(raw, options);
}

/**
 * The excerpt as HTML.
 *
 * @param words    of a generated one
 * @param content  the text as HTML; a Markdown text is mostly shown together with its excerpt
 */
export function showExcerpt(text: Text, words: number | undefined, content: () => string): string {
  return renderExcerpt({ ...text, words, ...(text.kind === 'md' ? { rendered: content } : {}) });
}
