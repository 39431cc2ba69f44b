/** Where in a file something is wrong: line, column and the line itself. */

import { table } from '../model/maps.ts';
import type { FileRefusal } from './scan.ts';
import type { Problem, ProblemSeverity } from './types.ts';

export interface TextPosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** The line, cut to a readable length. */
  readonly source: string;
}

const maxSource = 200;

/** Line and column of an offset in UTF-16 units; a byte order mark is not counted. */
export function positionAt(text: string, offset: number): TextPosition {
  return positionsIn(text)(offset);
}

/** The same for many places of one text. */
export function positionsIn(text: string): (offset: number) => TextPosition {
  const starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
  for (let next = text.indexOf('\n'); next !== -1; next = text.indexOf('\n', next + 1)) starts.push(next + 1);
  return (offset) => {
    const at = Math.max(0, Math.min(offset, text.length));
    let [line, beyond] = [0, starts.length];
    while (beyond - line > 1) {
      const middle = (line + beyond) >> 1;
      if ((starts[middle] as number) <= at) line = middle;
      else beyond = middle;
    }
    const start = starts[line] as number;
    const end = Math.min((starts[line + 1] ?? text.length + 1) - 1, start + maxSource);
    return { line: line + 1, column: Math.max(0, at - start) + 1, source: text.slice(start, end).replace(/\r$/, '') };
  };
}

interface Report extends Pick<Problem, 'rule' | 'message' | 'keys' | 'onKey'> {
  readonly hint?: string | undefined;
  readonly severity?: ProblemSeverity;
}

/** A problem of the file at `position`; without one, of the file as a whole, or of the value that `keys` lead to. */
export function problemOf(path: string, { severity = 'error', hint, ...said }: Report, position?: TextPosition): Problem {
  const { line, column, ...source } = position ?? { line: 1, column: 1 };
  return { path, line, column, severity, ...said, ...(hint === undefined ? {} : { hint }), ...source };
}

const refusals: Readonly<Record<FileRefusal, string>> = table({
  link: 'Links are not followed.',
  special: 'Neither a file nor a folder.',
  name: 'The name is not readable: it must be valid UTF-8, without control characters and backslashes, and unique when composed.',
  depth: 'Folders are nested too deeply here.',
  unreadable: 'It cannot be read.',
});

/** Without its settings a site is another one. */
const settingsFile = 'site.yaml';

/** Why something is not read: a warning, and of the settings an error. @param error  what the system said */
export function refusalProblem(path: string, refusal: FileRefusal, error?: unknown): Problem {
  const message = error instanceof Error && refusal === 'unreadable' ? `It cannot be read: ${error.message}` : refusals[refusal];
  const severity = path === settingsFile ? 'error' : 'warning';
  return problemOf(path, { rule: refusal === 'unreadable' ? 'unreadable' : `not-read-${refusal}`, message, severity });
}
