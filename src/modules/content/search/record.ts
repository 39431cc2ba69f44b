/**
 * What a search asks for, and how well an item answers it.
 */
import type { Clause, Tiers } from '../../../kernel/records/types.ts';

/** A search as it was understood. */
export interface SearchTerms {
  readonly words: readonly string[];
  readonly without: readonly string[];
  readonly exact?: boolean;
  /** The whole text when it can be found as one: several words, none of them taken out. */
  readonly phrase?: string;
}

/** Words, "phrases", -exclusions. With `exact` each must be the whole of a text. */
export function readSearch(search: string, exact: boolean): SearchTerms {
  const parts = search.match(/"[^"]*(?:"|$)|[^\s",+]+/g) ?? [];
  const telling = parts
    .map((part) => (/^".+"$/s.test(part) ? part.replace(/^["']+|["']+$/g, '') : part.replace(/^["' ]+|["' ]+$/g, '')))
    .filter((word) => word !== '' && word !== '0' && !/^[a-z-]$/i.test(word) && !stopWords.has(word.toLowerCase()));
  // Nothing that tells, or very much, is taken as one phrase. Source: observed, the reference's limit is 9.
  const terms = telling.length === 0 || telling.length > 9 ? [search] : telling;
  const isOut = (term: string): boolean => term.startsWith('-');
  return {
    words: terms.filter((term) => !isOut(term)),
    without: terms.filter(isOut).map((term) => term.slice(1)),
    ...(exact ? { exact } : {}),
    ...(parts.length > 1 && !/(?:\s|^)-/.test(search) ? { phrase: search } : {}),
  };
}

/**
 * The whole phrase in the title, all words in the title, some of them (with fewer than seven words), the phrase in excerpt
 * or content.
 */
export function relevance(terms: SearchTerms | null): Tiers {
  const { words = [], phrase } = terms ?? {};
  const holds = (column: string, texts: readonly string[]): Clause[] => [
    { kind: 'search', columns: [column], words: texts, without: [] },
  ];
  const whole = (column: string): Clause[][] => (phrase === undefined ? [] : [holds(column, [phrase])]);
  const some: Clause = { kind: 'any', of: words.map((word) => holds('title', [word])) };
  const titled = words.length === 0 || words.length > 6 ? [] : words.length === 1 ? [[some]] : [holds('title', words), [some]];
  return { tiers: [...whole('title'), ...titled, ...whole('excerpt'), ...whole('content')] };
}

const stopWords = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(' '),
);
