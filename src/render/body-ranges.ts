/**
 * What of a body is meant as text: code and comments in it hold no links and no blocks. Cost: linear.
 */

/** Offsets, sorted, not overlapping: from the first up to, not including, the second. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** Comments of markup. A body without an end to one is comment to its end. */
export function commentsIn(body: string): Ranges {
  const found: [number, number][] = [];
  for (let at = body.indexOf('<!--'); at !== -1; ) {
    const end = body.indexOf('-->', at + 4);
    const to = end === -1 ? body.length : end + 3;
    found.push([at, to]);
    at = body.indexOf('<!--', to);
  }
  return found;
}

const fence = /^ {0,3}(?:>[ \t]?)*(?:[*+-]|\d{1,9}[.)])?[ \t]*(`{3,}|~{3,})/;

/** Code of Markdown: between fences, and between backticks. */
export function codeIn(body: string): Ranges {
  const found: [number, number][] = [];
  let open: { readonly sign: string; readonly from: number } | null = null;
  let paragraph = 0;
  for (let at = 0; at <= body.length; ) {
    const next = body.indexOf('\n', at);
    const end = next === -1 ? body.length : next;
    const line = body.slice(at, Math.min(end, at + 200));
    const sign = line.includes('`') || line.includes('~') ? fence.exec(line)?.[1] : undefined;
    if (open !== null) {
      if (sign !== undefined && sign[0] === open.sign[0] && sign.length >= open.sign.length) {
        found.push([open.from, end]);
        open = null;
        paragraph = end;
      }
    } else if (sign !== undefined || line.trim() === '') {
      for (const span of spansIn(body, paragraph, at)) found.push(span);
      if (sign !== undefined) open = { sign, from: at };
      paragraph = end;
    }
    at = end + 1;
  }
  if (open !== null) found.push([open.from, body.length]);
  else for (const span of spansIn(body, paragraph, body.length)) found.push(span);
  return found;
}

/** Of one paragraph: no text has as many. */
const maxRuns = 100_000;

/** Backticks of a paragraph: a run is closed by the next one of its length. */
function spansIn(body: string, from: number, to: number): [number, number][] {
  const text = body.slice(from, to);
  if (!text.includes('`')) return [];
  const runs: { readonly at: number; readonly length: number }[] = [];
  for (const run of text.matchAll(/`+/g)) {
    if (runs.length === maxRuns) break;
    runs.push({ at: from + run.index, length: run[0].length });
  }
  const next = new Map<number, number>();
  const closing = new Array<number | undefined>(runs.length);
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index] as { length: number };
    closing[index] = next.get(length);
    next.set(length, index);
  }
  const found: [number, number][] = [];
  for (let index = 0; index < runs.length; index++) {
    const close = closing[index];
    if (close === undefined) continue;
    const end = runs[close] as { at: number; length: number };
    found.push([(runs[index] as { at: number }).at, end.at + end.length]);
    index = close;
  }
  return found;
}

/** A test whether an offset is in a range, to be asked in rising order. */
export function within(...all: readonly Ranges[]): (offset: number) => boolean {
  const cursors = all.map(() => 0);
  return (offset) =>
    all.some((ranges, which) => {
      let at = cursors[which] as number;
      while (at < ranges.length && (ranges[at] as readonly number[])[1]! <= offset) at++;
      cursors[which] = at;
      return at < ranges.length && (ranges[at] as readonly number[])[0]! <= offset;
    });
}
