/**
 * A content file that two branches have changed, merged: by line where that leaves no conflict, else front matter field by field and the
 * body by line. Comments, order and quotes stay as they are on our side.
 */
import { parseEntry, printEntry } from '../../../kernel/yaml/codec.ts';
import { linesOfKey } from '../../../kernel/yaml/edit.ts';
import { eolOf, splitText } from '../../../kernel/yaml/frontmatter.ts';
import { isSame } from '../../../kernel/yaml/print.ts';
import type { Entry } from '../../../kernel/store/types.ts';
import { mergeValues } from './values.ts';

export interface Versions {
  readonly base: Buffer;
  readonly ours: Buffer;
  readonly theirs: Buffer;
}

export interface Merge {
  readonly bytes: Buffer;
  /** What is left to a person: names of fields, `body`, or nothing. */
  readonly conflicts: readonly string[];
}

/** Merges texts line by line; conflicts are marked in the text. */
export type LineMerge = (versions: Versions) => Promise<{ readonly bytes: Buffer; readonly hasConflicts: boolean }>;

export async function mergeEntry(path: string, versions: Versions, byLine: LineMerge): Promise<Merge> {
  const whole = await byLine(versions);
  const isReadable = entryOf(path, whole.bytes) !== null;
  if (!whole.hasConflicts && isReadable) return { bytes: whole.bytes, conflicts: [] };
  const [base, ours, theirs] = [entryOf(path, versions.base), entryOf(path, versions.ours), entryOf(path, versions.theirs)];
  // A file that one side cannot read, or that is a list: its lines are all there is.
  if (!base || !ours || !theirs || ![ours, theirs].every(isOfFields)) return { bytes: whole.bytes, conflicts: ['file'] };
  const { values, conflicts } = mergeValues(base.data, ours.data, theirs.data);
  const head = printEntry(versions.ours, { path, data: values, order: Object.keys(theirs.data) });
  const other = versions.theirs.toString();
  const taken = Object.keys(values).filter(
    (key) => isSame(values[key], theirs.data[key]) && !isSame(values[key], ours.data[key]),
  );
  const asTheirs = taken.reduce((text, key) => withTheirLines(text, other, key), Buffer.from(head).toString());
  const marked = conflicts.reduce((text, key) => withConflict(text, other, key), asTheirs);
  if (ours.kind === 'yaml') return { bytes: Buffer.from(marked), conflicts };
  const bodies = await byLine({ base: bodyOf(base), ours: bodyOf(ours), theirs: bodyOf(theirs) });
  const merged = bodies.bytes.toString('utf8');
  // Conflict markers between the fences do not move them.
  const at = splitText(marked).body;
  const body = ours.body === merged.slice(0, -1) ? marked.slice(at) : merged;
  const bytes = Buffer.from(marked.slice(0, at) + (eolOf(marked) === '\r\n' ? body.replace(/\r?\n/g, '\r\n') : body));
  return { bytes, conflicts: [...conflicts, ...(bodies.hasConflicts ? ['body'] : [])] };
}

/** Null for what cannot be read. A file that was not there has nothing in it. */
function entryOf(path: string, bytes: Buffer): Entry | null {
  const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
  return 'entry' in parsed ? parsed.entry : null;
}

/** A YAML file may be a list, whose reader gives it a name. */
const isOfFields = ({ kind, path }: Entry): boolean => kind !== 'yaml' || !/(?:^|\/)redirects\.yaml$/.test(path);

const bodyOf = ({ body }: Entry): Buffer => Buffer.from(body === '' ? '' : `${body.replaceAll('\r\n', '\n')}\n`);

/** A field as they wrote it, with their quotes and comments. */
function withTheirLines(text: string, theirs: string, key: string): string {
  const [here, there] = [linesOf(text, key), linesOf(theirs, key)];
  if (!here || !there) return text;
  return text.slice(0, here.start) + theirs.slice(there.start, there.end).replace(/\r?\n/g, eolOf(text)) + text.slice(here.end);
}

/** Both sides of a field, marked as git marks lines. */
function withConflict(text: string, theirs: string, key: string): string {
  const [here, there] = [linesOf(text, key), linesOf(theirs, key)];
  const eol = eolOf(text);
  const start = here?.start ?? yamlOf(text).end;
  const end = here?.end ?? start;
  const other = there ? theirs.slice(there.start, there.end) : '';
  const marked = ['<<<<<<< ours', eol, text.slice(start, end), '=======', eol, other, '>>>>>>> theirs', eol].join('');
  return text.slice(0, start) + marked + text.slice(end);
}

/** The YAML of a file, as offsets into its text; conflict markers of other fields may stand in it. */
function yamlOf(text: string): { readonly start: number; readonly end: number } {
  return text.startsWith('---') ? (splitText(text).yaml ?? { start: 0, end: 0 }) : { start: 0, end: text.length };
}

/** The lines of a field; null without one. */
function linesOf(text: string, key: string): { readonly start: number; readonly end: number } | null {
  const { start, end } = yamlOf(text);
  const yaml = text.slice(start, end).replace(/^(?:<{7} |={7}|>{7} ).*$/gm, (line) => '#'.repeat(line.length));
  const lines = linesOfKey(yaml, key);
  return lines && { start: start + lines.start, end: start + lines.end };
}
