/**
 * Two people's changes of one text as one: by blocks, and what both have changed side by side.
 */
import { diff3Merge } from 'node-diff3';
import { readText } from './read.ts';

/** A part of the merged text, or what each has made of one place. */
export type Merged = { readonly text: string } | { readonly mine: string; readonly theirs: string };

/** @param base  what both began with */
export function mergeTexts(base: string, mine: string, theirs: string): readonly Merged[] {
  if (mine === theirs || theirs === base) return [{ text: mine }];
  if (mine === base) return [{ text: theirs }];
  const [a, o, b] = [piecesOf(mine), piecesOf(base), piecesOf(theirs)];
  const gaps = new Map([...o.gaps, ...b.gaps, ...a.gaps]);
  const parts: Merged[] = [];
  const join = (sources: readonly string[]): string => sources.map((source) => source + (gaps.get(source) ?? '\n\n')).join('');
  for (const { ok, conflict } of diff3Merge([...a.sources], [...o.sources], [...b.sources], { excludeFalseConflicts: true })) {
    if (ok) parts.push({ text: join(ok) });
    else if (conflict) parts.push({ mine: join(conflict.a), theirs: join(conflict.b) });
  }
  return [{ text: a.start }, ...parts];
}

/** The whole of a merged text. @param choose  of a place that both have changed */
export function mergedText(
  parts: readonly Merged[],
  choose: (part: { mine: string; theirs: string }, at: number) => string,
): string {
  return parts
    .map((part, at) => ('text' in part ? part.text : choose(part, at)))
    .join('')
    .replace(/(?:\r\n|\r|\n)+$/, '');
}

interface Pieces {
  readonly start: string;
  readonly sources: readonly string[];
  /** What stands behind each. */
  readonly gaps: ReadonlyMap<string, string>;
}

function piecesOf(text: string): Pieces {
  const { blocks, gaps, lineEnd } = readText(text);
  const isEnough = (gap: string): boolean => (gap.match(/\r\n|\r|\n/g) ?? []).length > 1;
  return {
    start: gaps[0] ?? '',
    sources: blocks.map(({ source }) => source),
    gaps: new Map(
      blocks.map(({ source }, at) => [source, isEnough(gaps[at + 1] ?? '') ? (gaps[at + 1] as string) : lineEnd + lineEnd]),
    ),
  };
}
