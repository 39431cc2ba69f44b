/**
 * Two people's changes of one text as one: by blocks, and what both have changed side by side.
 */
import { type Hunk, hunksOf } from './fit.ts';
import { readText } from './read.ts';

/** A part of the merged text, or what each has made of one place. */
export type Merged = { readonly text: string } | { readonly mine: string; readonly theirs: string };

/** @param base  what both began with */
export function mergeTexts(base: string, mine: string, theirs: string): readonly Merged[] {
  if (mine === theirs || theirs === base) return [{ text: mine }];
  if (mine === base) return [{ text: theirs }];
  const texts = [mine, theirs, base].map(readText);
  const [own, other, old] = texts.map(({ blocks }) => blocks.map(({ source }) => source)) as [string[], string[], string[]];
  const parts = joined(old, hunksOf(old, own), hunksOf(old, other));
  const gapAfter = gapsOf(texts);
  const print = (sources: readonly string[], next: string | undefined): string =>
    sources.map((source, at) => source + gapAfter(source, sources[at + 1] ?? next)).join('');
  return [
    { text: texts[0]?.gaps[0] ?? '' },
    ...parts.map((part, at): Merged => {
      const next = parts.slice(at + 1).flatMap((one) => ('both' in one ? one.both : one.mine))[0];
      return 'both' in part
        ? { text: print(part.both, next) }
        : { mine: print(part.mine, next), theirs: print(part.theirs, next) };
    }),
  ];
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

type Part = { readonly both: readonly string[] } | { readonly mine: readonly string[]; readonly theirs: readonly string[] };

/** Changes of neighbouring blocks stand beside each other; those of one place are a part that says both. */
function joined(base: readonly string[], mine: readonly Hunk[], theirs: readonly Hunk[]): readonly Part[] {
  const parts: Part[] = [];
  const left = { mine: [...mine], theirs: [...theirs] };
  let at = 0;
  while (left.mine.length > 0 || left.theirs.length > 0) {
    const [a, b] = [left.mine[0], left.theirs[0]];
    const first = !b || (a && (a.from < b.from || (a.from === b.from && a.to <= b.to))) ? (a as Hunk) : b;
    let [from, to] = [first.from, first.to];
    const taken: { mine: Hunk[]; theirs: Hunk[] } = { mine: [], theirs: [] };
    const take = (side: 'mine' | 'theirs'): boolean => {
      const next = left[side][0];
      if (!next || !(next === first || meets(next, from, to))) return false;
      taken[side].push(next);
      left[side].shift();
      [from, to] = [Math.min(from, next.from), Math.max(to, next.to)];
      return true;
    };
    while (take('mine') || take('theirs'));
    parts.push({ both: base.slice(at, from) });
    const [own, other] = [applied(base, from, to, taken.mine), applied(base, from, to, taken.theirs)];
    if (taken.theirs.length === 0 || own.join('\0') === other.join('\0')) parts.push({ both: own });
    else if (taken.mine.length === 0) parts.push({ both: other });
    else parts.push({ mine: own, theirs: other });
    at = to;
  }
  return [...parts, { both: base.slice(at) }];
}

/** Whether a change is of a place, or both add something there. */
function meets(hunk: Hunk, from: number, to: number): boolean {
  return (hunk.from < to && from < hunk.to) || (hunk.from === hunk.to && from === to && hunk.from === from);
}

function applied(base: readonly string[], from: number, to: number, hunks: readonly Hunk[]): readonly string[] {
  const list: string[] = [];
  let at = from;
  for (const hunk of hunks) {
    list.push(...base.slice(at, hunk.from), ...hunk.parts);
    at = hunk.to;
  }
  return [...list, ...base.slice(at, to)];
}

/** What stands between two blocks: as in the first text where one follows the other, else an empty line. */
function gapsOf(texts: readonly ReturnType<typeof readText>[]): (source: string, next: string | undefined) => string {
  const key = (source: string, next: string): string => JSON.stringify([source, next]);
  const known = new Map<string, string>();
  for (const { blocks, gaps } of texts)
    for (const [at, { source }] of blocks.entries()) {
      const next = blocks[at + 1]?.source;
      if (next !== undefined && !known.has(key(source, next))) known.set(key(source, next), gaps[at + 1] as string);
    }
  const lineEnd = texts[0]?.lineEnd ?? '\n';
  return (source, next) => known.get(key(source, next ?? '')) ?? lineEnd + lineEnd;
}
