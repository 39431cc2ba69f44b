/**
 * The form in which a block was written, kept where it was not changed: what was changed on the page, made in its source.
 */
import { diffIndices } from 'node-diff3';

/** Longer blocks are printed anew where they changed: the search costs the square. */
const maxParts = 3000;

/**
 * Sources that the block may have now, the likeliest first; whoever asks reads them to see whether they mean it.
 *
 * @param source   as it was written
 * @param before   the same, printed
 * @param after    what it has become, printed
 */
export function fitSource(source: string, before: string, after: string): readonly string[] {
  if (source === before) return [after];
  return [...fitWhole(source, before, after), ...fitLines(source, before, after)];
}

function fitWhole(source: string, before: string, after: string): readonly string[] {
  const all = [partsOf(source), partsOf(before), partsOf(after)] as const;
  const [own, old, next] = all;
  const shortest = Math.min(own.length, old.length, next.length);
  const isSame = (place: (parts: readonly string[]) => string | undefined): boolean =>
    place(own) === place(old) && place(next) === place(old);
  let start = 0;
  while (start < shortest && isSame((parts) => parts[start])) start++;
  let end = 0;
  while (end < shortest - start && isSame((parts) => parts.at(-1 - end))) end++;
  const [form, base, changed] = all.map((parts) => parts.slice(start, parts.length - end)) as [string[], string[], string[]];
  if (form.length + base.length + changed.length > maxParts) return [];
  const changes = hunksOf(base, changed);
  const forms = hunksOf(base, form).filter((one) => !changes.some((other) => areCrossed(one, other)));
  const whole = (middle: readonly string[]): string =>
    [...own.slice(0, start), ...middle, ...own.slice(own.length - end)].join('');
  return [whole(applied(base, changes, forms)), whole(applied(base, forms, changes))];
}

/** Line by line, for blocks of many: rows, items, wrapped text. */
function fitLines(source: string, before: string, after: string): readonly string[] {
  const [own, old, next] = [source, before, after].map((text) => text.split('\n')) as [string[], string[], string[]];
  if (own.length === 1) return [];
  const forms = hunksOf(old, own).flatMap(byLine);
  const changes = hunksOf(old, next).flatMap(byLine);
  const kept = forms.filter((form) => !changes.some((change) => areCrossed(form, change)));
  // Of the forms that a changed line may have, its first, its second, or the one that is printed.
  return [0, 1, 2].map((choice) => {
    const fitted = changes.map((change): Hunk => {
      const form = forms.find(({ from, to }) => from === change.from && to === change.to);
      const [was, line] = [form?.parts[0], change.parts[0]];
      if (form?.parts.length !== 1 || change.parts.length !== 1 || was === undefined || line === undefined) return change;
      return { ...change, parts: [fitSource(was, old[change.from] as string, line)[choice] ?? line] };
    });
    return applied(old, fitted, kept).join('\n');
  });
}

/** One by one, where as many stand in place of some. */
function byLine({ from, to, parts }: Hunk): readonly Hunk[] {
  if (parts.length !== to - from) return [{ from, to, parts }];
  return parts.map((part, at) => ({ from: from + at, to: from + at + 1, parts: [part] }));
}

/** What stands in another list in place of a part of this one. */
export interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly string[];
}

export function hunksOf(a: string[], b: string[]): readonly Hunk[] {
  return diffIndices(a, b).map(({ buffer1: [from, length], buffer2Content }) => ({
    from,
    to: from + length,
    parts: buffer2Content,
  }));
}

function areCrossed(a: Hunk, b: Hunk): boolean {
  return a.from < b.to && b.from < a.to;
}

/** @param first  come first where both stand at one place */
function applied(base: readonly string[], first: readonly Hunk[], second: readonly Hunk[]): string[] {
  const parts: string[] = [];
  let at = 0;
  for (const hunk of [...first, ...second].sort((a, b) => a.from - b.from || a.to - b.to)) {
    parts.push(...base.slice(at, hunk.from), ...hunk.parts);
    at = Math.max(at, hunk.to);
  }
  return [...parts, ...base.slice(at)];
}

/** Words, spaces, and each other sign by itself. */
function partsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|[ \t]+|[^\p{L}\p{N} \t]/gu) ?? [];
}
