/**
 * Text of a post as whoever writes it may have it: without markup they may not use, the title without white space around it.
 */
import type { AccessControl, Actor } from '../kernel/model/access.ts';
import { filterHtml } from './filter.ts';
import { trimSpace } from './text.ts';

export const textParts = ['title', 'content', 'excerpt'] as const;

export type TextPart = (typeof textParts)[number];

/** Cleans the parts of a text for one writer. Titles take the short list of comments, as in the reference. */
export function cleanerFor(access: AccessControl, actor: Actor | null): (part: TextPart, text: string) => string {
  const isFree = access.can(actor, 'unfiltered_html');
  return (part, text) => {
    const tidy = part === 'title' ? trimSpace(text) : text.replace(/&#(1[2-5]\d);/g, characterMeant);
    return isFree ? tidy : filterHtml(tidy, part === 'title' ? 'comment' : 'post');
  };
}

/** References to control characters that old programs wrote for those of their own character set (`&#147;` for an opening quote). */
function characterMeant(reference: string, digits: string): string {
  const character = meant[Number(digits) - 128];
  if (character === undefined) return reference;
  return character === ' ' ? '' : `&#${character.charCodeAt(0)};`;
}

/** Characters 128 to 159 of that set, a space for none. */
const meant = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
