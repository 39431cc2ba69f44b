/** The terms of a search, and the relevance of results. */
import type { Clause, Sort, Tiers } from '../../../kernel/records/types.ts';
import type { PostType } from '../../types/record.ts';

export interface SearchTerms {
  readonly words: readonly string[];
  readonly without: readonly string[];
  readonly exact?: boolean;
  /** The whole text if it can be matched as a phrase: several words, no exclusions. */
  readonly phrase?: string;
}

/** Words, "phrases", -exclusions. With `exact` each must be a whole text. */
export function readSearch(search: string, exact: boolean): SearchTerms {
  const parts = search.match(/"[^"]*(?:"|$)|[^\s",+]+/g) ?? [];
  const telling = parts
    .map((part) => (/^".+"$/s.test(part) ? part.replace(/^["']+|["']+$/g, '') : part.replace(/^["' ]+|["' ]+$/g, '')))
    .filter((word) => word !== '' && word !== '0' && !/^[a-z-]$/i.test(word) && !stopWords.has(word.toLowerCase()));
  // Without significant terms, or with too many, the search is one phrase. Source: observed, the reference's limit is 9.
  const terms = telling.length === 0 || telling.length > 9 ? [search] : telling;
  const isOut = (term: string): boolean => term.startsWith('-');
  return {
    words: terms.filter((term) => !isOut(term)),
    without: terms.filter(isOut).map((term) => term.slice(1)),
    ...(exact ? { exact } : {}),
    ...(parts.length > 1 && !/(?:\s|^)-/.test(search) ? { phrase: search } : {}),
  };
}

/** Ranking: the phrase in the title, all words in the title, some of them (with fewer than seven words), the phrase in excerpt or content. */
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

const maxWords = 200;

/** The search words of a visitor. */
export function wordsIn(sent: string): string {
  return sent
    .trim()
    .slice(0, maxWords)
    .replace(/\p{Surrogate}/gu, '');
}

/** The words in a search URL: `/search/quay+cranes/`; null for other URLs. */
export function wordsAt(path: string): string | null {
  const [, sent] = /^\/search\/(.+?)\/?$/s.exec(path) ?? [];
  if (sent === undefined) return null;
  const spaced = sent.replaceAll('+', ' ');
  try {
    return wordsIn(decodeURIComponent(spaced));
  } catch {
    return wordsIn(spaced);
  }
}

/** What visitors find on pages and in feeds: items of these types with these words. Protected texts are not searched. */
export function searchClauses(types: Iterable<PostType>, search: string): readonly Clause[] {
  const { words, without } = readSearch(search, false);
  const searched = [...types].filter(({ searchable, viewable, name }) => searchable && viewable && name !== 'attachment');
  return [
    { kind: 'in', index: 'type', values: searched.map(({ name }) => name) },
    { kind: 'search', columns: ['title', 'content', 'excerpt'], words, without },
    { kind: 'in', index: 'password', values: [0] },
  ];
}

/** By relevance, then newest first. */
export function sortOfSearch(search: string): Sort {
  return { by: relevance(readSearch(search, false)), direction: 'desc', then: [{ by: 'date', direction: 'desc' }] };
}

const stopWords = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(' '),
);
