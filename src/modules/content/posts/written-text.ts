/**
 * Text of a post as whoever writes it may have it: without markup they may not use, the title without white space around it.
 */
import type { AccessControl, Actor } from '../../../kernel/model/access.ts';
import { filterHtml } from '../../../render/filter.ts';
import { trimSpace } from '../../../render/text.ts';

export const textParts = ['title', 'content', 'excerpt'] as const;

export type WrittenPart = (typeof textParts)[number];

/** Cleans the parts of a text for one writer. Titles take the short list of comments, as in the reference. @param kind  of the file it goes to */
export function cleanerFor(
  access: AccessControl,
  actor: Actor | null,
): (part: WrittenPart, text: string, kind?: 'md' | 'html' | 'yaml') => string {
  const isFree = access.can(actor, 'unfiltered_html');
  return (part, text, kind = 'html') => {
    const tidy = part === 'title' ? trimSpace(text) : text.replace(/&#(1[2-5]\d);/g, characterMeant);
    if (isFree) return tidy;
    return kind === 'md' && part === 'content' ? filterMarkdown(tidy) : filterHtml(tidy, part === 'title' ? 'comment' : 'post');
  };
}

/** No text has it (a noncharacter), and to the filter it is text: a `>` that it stands for ends no tag while tags are read. */
const heldMark = '\ufdd0';
const quoteMarks = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*)+/gm;

/** The marks of quotes at the beginning of lines stay: markup has no use for them. */
function filterMarkdown(text: string): string {
  const held = text.replaceAll(heldMark, '').replace(quoteMarks, (marks) => marks.replaceAll('>', heldMark));
  return filterHtml(held, 'post').replaceAll(heldMark, '>');
}

/** References to control characters that old programs wrote for those of their own character set (`&#147;` for an opening quote). */
function characterMeant(reference: string, digits: string): string {
  const character = meant[Number(digits) - 128];
  if (character === undefined) return reference;
  return character === ' ' ? '' : `&#${character.charCodeAt(0)};`;
}

/** Characters 128 to 159 of that set, a space for none. */
const meant = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
