/**
 * Lines and columns: where in its file a remark belongs.
 */
import type { Keys, PlacedRemark, Severity } from '../model/remark.ts';
import { valuesIn } from '../yaml/codec.ts';
import { languages } from '../yaml/language.ts';
import { type TextPosition, positionsIn, problemOf } from './problems.ts';
import type { Problem } from './types.ts';

type Read = (path: string) => Promise<Uint8Array | null>;

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

/** A file in which places are looked up: many, where a file is all wrong. */
interface Source {
  readonly text: string;
  readonly body: number;
  readonly positionAt: (offset: number) => TextPosition;
  /** @throws YamlFault where nothing can be looked up */
  readonly offset: (keys: Keys, onKey?: boolean) => number;
}

function sourceOf(bytes: Uint8Array | null, path: string): Source | null {
  if (bytes === null) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  const positionAt = positionsIn(text);
  try {
    const { start, end, language, body } = valuesIn(text, path);
    const offset = languages[language].places(text.slice(start, end));
    return { text, body, positionAt, offset: (keys, onKey) => start + offset(keys, onKey) };
  } catch (error) {
    const offset = (): never => {
      throw error;
    };
    return { text, body: 0, positionAt, offset };
  }
}

function place({ text, body, positionAt, offset }: Source, { keys, onKey, at }: PlacedRemark): TextPosition {
  if (at !== undefined) return positionAt(body + at);
  try {
    return positionAt(offset(keys, onKey));
  } catch {
    // A key may be found in an unreadable text all the same; otherwise its start is used.
    const key = String(keys[0]).replace(/[^\w]/g, '\\$&');
    const found = onKey && keys.length === 1 ? new RegExp(`^(["']?)${key}\\1[ \\t]*[:=]`, 'm').exec(text) : null;
    return positionAt(found?.index ?? 0);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
