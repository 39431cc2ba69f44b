/**
 * Two states of a text as a unified diff, as `git diff` and `patch` write it.
 */

const context = 3;

/** What goes, stays or comes, line by line. */
interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
}

/** '' when nothing differs. @param from, to  paths; both may be the same */
export function unifiedDiff(from: string, to: string, before: string, after: string): string {
  if (from === to && before === after) return '';
  const moved = from === to ? [] : [`rename from ${from}`, `rename to ${to}`];
  const head = [`diff --git a/${from} b/${to}`, ...moved];
  if (before === after) return head.join('\n');
  return [...head, `--- a/${from}`, `+++ b/${to}`, ...hunks(steps(lines(before), lines(after)))].join('\n');
}

/** Lines with their ends; a text that does not end its last line says so as diffs do. */
function lines(text: string): string[] {
  const all = text.split('\n');
  const last = all.pop() as string;
  return last === '' ? all : [...all, `${last}\n\\ No newline at end of file`];
}

/**
 * Edits are few and small, so what is equal at both ends goes first; the rest is compared by its longest common subsequence, or,
 * where that would be large, replaced as a whole.
 */
function steps(a: readonly string[], b: readonly string[]): Step[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const stay = (line: string): Step => ({ sign: ' ', line });
  return [
    ...a.slice(0, start).map(stay),
    ...between(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(stay),
  ];
}

const maxCells = 4_000_000;

function between(a: readonly string[], b: readonly string[]): Step[] {
  const gone = (line: string): Step => ({ sign: '-', line });
  const come = (line: string): Step => ({ sign: '+', line });
  if (a.length * b.length > maxCells) {
    // As many lines as before: line by line, so that a few changes far apart stay a few.
    if (a.length !== b.length) return [...a.map(gone), ...b.map(come)];
    return a.flatMap((line, at) => (line === b[at] ? [{ sign: ' ' as const, line }] : [gone(line), come(b[at] as string)]));
  }
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let row = a.length - 1; row >= 0; row--) {
    for (let column = b.length - 1; column >= 0; column--) {
      const here = row * width + column;
      lengths[here] =
        a[row] === b[column]
          ? (lengths[here + width + 1] as number) + 1
          : Math.max(lengths[here + width] as number, lengths[here + 1] as number);
    }
  }
  const out: Step[] = [];
  let [row, column] = [0, 0];
  while (row < a.length || column < b.length) {
    const here = row * width + column;
    if (row < a.length && column < b.length && a[row] === b[column]) {
      out.push({ sign: ' ', line: a[row++] as string });
      column++;
    } else if (row < a.length && (column === b.length || (lengths[here + width] as number) >= (lengths[here + 1] as number)))
      out.push(gone(a[row++] as string));
    else out.push(come(b[column++] as string));
  }
  return out;
}

/** Changes with three lines around them; those that touch are one. */
function hunks(all: readonly Step[]): string[] {
  const out: string[] = [];
  const counts = { a: 1, b: 1 };
  let at = 0;
  while (at < all.length) {
    const next = all.findIndex(({ sign }, index) => index >= at && sign !== ' ');
    if (next === -1) break;
    const from = Math.max(at, next - context);
    counts.a += from - at;
    counts.b += from - at;
    let to = next;
    for (let index = next; index < all.length && index <= to + 2 * context; index++) if (all[index]?.sign !== ' ') to = index;
    const hunk = all.slice(from, Math.min(all.length, to + context + 1));
    const [a, b] = [hunk.filter(({ sign }) => sign !== '+').length, hunk.filter(({ sign }) => sign !== '-').length];
    out.push(`@@ -${a === 0 ? counts.a - 1 : counts.a},${a} +${b === 0 ? counts.b - 1 : counts.b},${b} @@`);
    for (const { sign, line } of hunk) out.push(sign + line);
    counts.a += a;
    counts.b += b;
    at = from + hunk.length;
  }
  return out;
}
