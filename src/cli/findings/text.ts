/**
 * Findings for people: as compilers say it, `file:line:column severity message`, the line with a caret, and the hint.
 */
import { table } from '../../kernel/model/maps.ts';
import type { Located } from '../../kernel/store/locate.ts';
import { type Io, paint, type Stream, type Style } from '../io.ts';
import { type FindingCounts, countsOf, type FindingsReport } from './report.ts';

/** @param notes  whether notes are shown, too, and not only counted */
export function printText({ files, problems, repairs }: FindingsReport, notes: boolean, io: Io): string[] {
  const shown = notes ? problems : problems.filter(({ severity }) => severity !== 'note');
  return [
    ...repairs.map(({ path, message }) => `${paint(io, 'out', 'bold', path)} ${paint(io, 'out', 'green', 'fixed')} ${message}`),
    ...shown.map((problem) => printProblem(problem, io)),
    printSummary(files, countsOf(problems), notes, io),
  ];
}

const styles: Readonly<Record<Located['severity'], Style>> = table({ error: 'red', warning: 'yellow', note: 'cyan' });

export function printProblem(problem: Located, io: Io, stream: Stream = 'out'): string {
  const { path, line, column, severity, message, hint, source } = problem;
  const where = paint(io, stream, 'bold', `${visible(path)}:${line}:${column}`);
  const lines = [`${where} ${paint(io, stream, styles[severity], severity)} ${visible(message)}`];
  if (source !== undefined && source.trim() !== '') lines.push(...printSource(visible(source), column));
  if (hint !== undefined) lines.push(paint(io, stream, 'dim', `    ${visible(hint)}`));
  return lines.join('\n');
}

/** A terminal obeys control characters, and a file may hold any: each shows as one mark, so that columns stay. */
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

const maxShown = 110;

/** The line and a caret below its column; of long lines, the part around it. */
function printSource(source: string, column: number): string[] {
  const start = column > maxShown - 20 ? Math.min(column - 40, Math.max(0, source.length - maxShown)) : 0;
  const part = source.slice(start, start + maxShown);
  const before = source.slice(start, column - 1).replace(/[^\t]/g, ' ');
  return [`    ${part}`, `    ${before}^`];
}

function printSummary(files: number, { errors, warnings, notes }: FindingCounts, areShown: boolean, io: Io): string {
  if (errors + warnings + notes === 0) return paint(io, 'out', 'green', `${count(files, 'file')}, no problems found`);
  const hidden = notes === 0 ? '' : `, ${count(notes, 'note')}`;
  const more = notes > 0 && !areShown ? ' (--notes shows them)' : '';
  const line = `${count(errors, 'error')}, ${count(warnings, 'warning')}${hidden} in ${count(files, 'file')}${more}`;
  return errors + warnings === 0 ? paint(io, 'out', 'green', line) : line;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
