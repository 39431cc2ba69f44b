/**
 * Text of a post as whoever writes it may have it: without markup they may not use, the title without white space around it.
 */
import type { Actor } from './capabilities.ts';
import { filterHtml } from './render/filter.ts';
import { trimSpace } from './render/text.ts';
import type { Site } from './site.ts';

export const textParts = ['title', 'content', 'excerpt'] as const;

export type TextPart = (typeof textParts)[number];

/** Cleans the parts of a text for one writer. Titles take the short list of comments, as in the reference. */
export function cleanerFor(site: Site, actor: Actor | null): (part: TextPart, text: string) => string {
  const isFree = site.access.can(actor, 'unfiltered_html');
  return (part, text) => {
    const trimmed = part === 'title' ? trimSpace(text) : text;
    return isFree ? trimmed : filterHtml(trimmed, part === 'title' ? 'comment' : 'post');
  };
}
