/**
 * Lines and columns: where in its file a remark belongs.
 */
import type { PlacedRemark, Severity } from '../model/remark.ts';
import { splitText } from '../yaml/frontmatter.ts';
import { composeYaml, offsetOf } from '../yaml/parse.ts';
import { type Position, positionAt, problemOf } from './problems.ts';
import type { Problem } from './types.ts';

export type Read = (path: string) => Promise<Uint8Array | null>;

/** A remark with its line, and where what is meant ends on its line, when that is known. */
export type Located = Omit<Problem, 'severity'> & { readonly severity: Severity; readonly endColumn?: number };

/**
 * Remarks with their line and column.
 * @param read  bytes of a file; null when it has gone meanwhile
 */
export async function locate(remarks: readonly PlacedRemark[], read: Read): Promise<Located[]> {
  const problems: Located[] = [];
  let last: { readonly path: string; readonly source: Source | null } | undefined;
  for (const remark of remarks) {
    const { path, keys, at, length = 0, severity, rule, message, hint } = remark;
    const isPlaced = keys.length > 0 || at !== undefined;
    if (isPlaced && last?.path !== path) last = { path, source: sourceOf(await read(path), path) };
    const position = isPlaced && last?.source ? place(last.source, remark) : undefined;
    const end = position && length > 0 ? { endColumn: position.column + length } : {};
    problems.push({ ...problemOf(path, { rule, message, hint }, position), severity, ...end });
  }
  return problems.sort((a, b) => compare(a.path, b.path) || a.line - b.line || a.column - b.column);
}

/** A file in which places are looked up; its YAML is read at most once. */
interface Source {
  readonly text: string;
  readonly body: number;
  readonly yaml: number;
  readonly document: () => ReturnType<typeof composeYaml> | null;
}

function sourceOf(bytes: Uint8Array | null, path: string): Source | null {
  if (bytes === null) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const mark = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let document: ReturnType<typeof composeYaml> | null | undefined;
  let range: { readonly start: number; readonly end: number } | null = { start: mark, end: text.length };
  let body = 0;
  try {
    if (!/\.ya?ml$/i.test(path)) ({ yaml: range, body } = splitText(text));
  } catch {
    range = null;
  }
  return {
    text,
    body,
    yaml: range?.start ?? 0,
    document() {
      try {
        document ??= range === null ? null : composeYaml(text.slice(range.start, range.end));
      } catch {
        document = null;
      }
      return document;
    },
  };
}

function place({ text, body, yaml, document }: Source, { keys, onKey, at }: PlacedRemark): Position {
  if (at !== undefined) return positionAt(text, body + at);
  const key = String(keys[0]).replace(/[^\w]/g, '\\$&');
  const found = onKey && keys.length === 1 ? new RegExp(`^(["']?)${key}\\1[ \\t]*:`, 'm').exec(text) : null;
  if (found) return positionAt(text, found.index);
  const read = document();
  return positionAt(text, read === null ? 0 : yaml + offsetOf(read, keys, onKey));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
