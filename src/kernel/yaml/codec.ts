/**
 * Bytes ↔ entries. Reading names what is wrong with line and column; writing changes the lines of the changed keys alone.
 */

import { isUtf8 } from 'node:buffer';
import { table } from '../model/maps.ts';
import { hash } from '../store/bytes.ts';
import { editYaml } from './edit.ts';
import { parseFlatYaml } from './fast.ts';
import { bareHeaderFault } from './bare-header.ts';
import { foreignFrontMatter, isJsonText } from './foreign-front-matter.ts';
import {
  blankLine,
  bodyEnd,
  eolOf,
  maxYamlLength,
  needsFences,
  readFrontMatter,
  type Split,
  splitText,
  within,
} from './frontmatter.ts';
import { type LanguageName, languages } from './language.ts';
import { kindOf } from '../store/paths.ts';
import { positionAt, problemOf } from '../store/problems.ts';
import { FileEntry, type TextArena, arenaOf } from '../store/text-arena.ts';
import type { EntryKind, Problem, Write } from '../store/types.ts';
import { offsetOfPart, parseYaml, YamlFault, type YamlMap } from './parse.ts';
import { printMap } from './print.ts';

/** Texts above this size are not read. */
export const maxTextBytes = 32 * 1024 * 1024;
/** The key that says conflict markers in the body are meant as text. */
export const literalMarkersKey = 'conflict_markers';

/** Files that may be a list, and the key it is read by. */
const listKeys: Readonly<Record<string, string>> = table({ 'redirects.yaml': 'redirects' });

export type Parsed = { readonly entry: FileEntry } | { readonly problem: Problem };

/** Strong validator of a file's bytes: 132 bits of SHA-256. */
export function etagOf(bytes: Uint8Array): string {
  return hash(bytes).slice(0, 22);
}

/** What is known of a file before its text is read. */
export interface FileOf {
  readonly path: string;
  readonly etag: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * Reads a file of an entry kind.
 * @param stat  what the disk says of the file; `etag` when it is known already
 */
export function parseEntry(
  path: string,
  bytes: Uint8Array,
  stat: { readonly size: number; readonly mtimeMs: number; readonly etag?: string },
): Parsed {
  const problem = byteProblem(path, bytes);
  if (problem !== null) return { problem };
  const text = decode(bytes);
  const file = { path, etag: stat.etag ?? etagOf(bytes), size: stat.size, mtimeMs: stat.mtimeMs };
  return readEntry(file, arenaOf(text), 0, text.length);
}

/** Why bytes are not a readable text; null if they are. */
export function byteProblem(path: string, bytes: Uint8Array): Problem | null {
  if (bytes.length > maxTextBytes) return tooLarge(path);
  return isUtf8(bytes) ? null : invalidUtf8(path, bytes);
}

/** Reads the file whose text is in an arena. */
export function readEntry(file: FileOf, arena: TextArena, start: number, end: number): Parsed {
  const kind = entryKind(file.path);
  const text = arena.text.slice(start, end);
  try {
    const { data, bodyAt } = readText(text, kind, file.path);
    return { entry: new FileEntry({ ...file, kind }, { arena, start, end, bodyAt }, rereadData, data) };
  } catch (error) {
    return { problem: faultProblem(file.path, text, error) };
  }
}

/** The values of a text that has been read before; none where it cannot be read after all. */
export function rereadData(text: string, kind: EntryKind): YamlMap {
  try {
    return readText(text, kind, '').data;
  } catch {
    return {};
  }
}

export function tooLarge(path: string): Problem {
  return problemOf(path, { rule: 'too-large', message: `The file is larger than ${maxTextBytes / 1024 / 1024} MB.` });
}

/**
 * The file's new bytes. Comments, order, quoting, unknown keys, line ends and byte order mark stay; equal values leave their
 * lines alone and an equal body its bytes, a missing final line end included, so nothing changed prints the same bytes. Another
 * body is stored as given (lone surrogates, for which UTF-8 has no form, become U+FFFD), with a line end after it unless it is empty.
 *
 * @param current  null for a new file
 * @throws TypeError for values that cannot be stored, and for a body in a YAML file
 * @throws YamlFault when the current bytes cannot be read
 */
export function printEntry(
  current: Uint8Array | null,
  write: Pick<Write, 'path' | 'from' | 'data' | 'order' | 'body'>,
): Uint8Array {
  const kind = entryKind(write.path);
  if (kind === 'yaml' && write.body !== undefined && write.body !== '')
    throw new TypeError(`a YAML file has no body: ${write.path}`);
  if (current === null) return Buffer.from(printNew(kind, write.data, write.order, write.body ?? ''));
  if (!isUtf8(current)) throw new YamlFault('invalid-utf8', 0, 'Not UTF-8.');
  const text = decode(current);
  const before = entryKind(write.from ?? write.path);
  if ((before === 'yaml') !== (kind === 'yaml')) {
    const { data, bodyAt } = readText(text, before, write.path);
    return Buffer.from(
      printNew(kind, { ...data, ...write.data }, write.order, write.body ?? text.slice(bodyAt, bodyEnd(text, bodyAt))),
    );
  }
  return Buffer.from(kind === 'yaml' ? printYamlFile(text, write) : printMatterFile(text, write));
}

function readText(text: string, kind: EntryKind, path: string): { data: YamlMap; bodyAt: number } {
  const marker = conflictMarker(text);
  if (kind === 'yaml') {
    if (marker !== null) throw markerFault(marker);
    refuseLong(text.length);
    const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    return { data: within(start, () => readMap(start === 0 ? text : text.slice(1), listKeys[path])), bodyAt: text.length };
  }
  const split = splitAround(text, marker, path);
  if (split.yaml !== null) {
    refuseLong(split.yaml.end - split.yaml.start);
    refuseMany(text, split.yaml);
  }
  const data = readFrontMatter(text, split);
  if (marker !== null && data[literalMarkersKey] !== true) throw markerFault(marker);
  return { data, bodyAt: split.body };
}

function readMap(yaml: string, listKey?: string): YamlMap {
  return parseFlatYaml(yaml) ?? parseYaml(yaml, listKey);
}

/** Why a text without front matter is not a body. */
function unopened(text: string, start: number, path: string): YamlFault | null {
  return foreignFrontMatter(text, start, path) ?? bareHeaderFault(text, start, path);
}

/** Splits a text with front matter. @throws YamlFault for unsupported front matter */
function splitOwn(text: string, path: string): Split {
  const split = splitText(text, isJsonText(path));
  const fault = split.yaml === null ? unopened(text, split.start, path) : null;
  if (fault !== null) throw fault;
  // A word behind the dashes names a language; another than YAML is refused by its reader.
  if (
    split.yaml !== null &&
    split.language === 'yaml' &&
    !/^(?:ya?ml)?$/.test(text.slice(split.start + 3, split.yaml.start).trim())
  )
    readFrontMatter(text, split);
  return split;
}

/** A conflict that swallowed a fence is reported as the conflict it is. */
function splitAround(text: string, marker: number | null, path: string): Split {
  try {
    const split = splitOwn(text, path);
    if (marker !== null && marker < split.fence) throw markerFault(marker);
    return split;
  } catch (error) {
    throw marker === null ? error : markerFault(marker);
  }
}

function printYamlFile(text: string, write: Pick<Write, 'data' | 'order'>): string {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  return text.slice(0, start) + editYaml(text.slice(start), write.data, write.order, eolOf(text));
}

function printMatterFile(text: string, write: Pick<Write, 'path' | 'data' | 'order' | 'body'>): string {
  const split = splitOwn(text, write.path);
  const { eol } = split;
  const before = text.slice(split.body, split.end);
  const { body = before } = write;
  const isKept = body === before;
  const data = isKept ? write.data : withLiteralMarkers(write.data, body, readFrontMatter(text, split));
  const rest = isKept ? text.slice(split.body) : ended(body, eol);
  if (split.yaml === null) {
    const mark = text.slice(0, split.start);
    const lines = printMap(inOrder(data, write.order));
    const bare = isKept ? rest : ended(body, eolAlone(body, eol));
    if (lines.length === 0 && (isKept || (!needsFences(bare, isJsonText(write.path)) && unopened(bare, 0, write.path) === null)))
      return mark + bare;
    return mark + ['---', ...lines, '---', ''].join(eol) + gapBefore(rest, eol) + rest;
  }
  const yaml = text.slice(split.yaml.start, split.yaml.end);
  const head =
    text.slice(0, split.yaml.start) +
    languages[split.language].edit(yaml, data, write.order, eol) +
    text.slice(split.yaml.end, split.fence);
  if (isKept) return head + text.slice(split.fence);
  if (rest === '') return head;
  const gap = text.slice(split.fence, split.body) || gapBefore(beginning(body, eol), eol);
  return head + (head.endsWith('\n') ? '' : eol) + gap + rest;
}

function printNew(kind: EntryKind, data: Readonly<Record<string, unknown>>, order: readonly string[], body: string): string {
  const lines = printMap(inOrder(kind === 'yaml' ? data : withLiteralMarkers(data, body, {}), order));
  if (kind === 'yaml') return lines.map((line) => `${line}\n`).join('');
  const rest = ended(body, '\n');
  return ['---', ...lines, '---', ''].join('\n') + gapBefore(beginning(body, '\n'), '\n') + rest;
}

/** A body as in the file. */
function ended(body: string, eol: string): string {
  return body === '' ? '' : body + eol;
}

/** The line end after a body that is all of its file: what the reader of that file takes for its line end. */
function eolAlone(body: string, eol: string): string {
  if (body.includes('\n')) return eolOf(body);
  return body.endsWith('\r') ? '\r\n' : eol;
}

/** One blank line behind the fence is not of the body: what begins with one needs another. */
function gapBefore(rest: string, eol: string): string {
  return blankLine(rest, 0) > 0 ? eol : '';
}

/** As much of a body as it stands in a file as says whether it begins with a blank line; the whole would be copied to be looked at. */
function beginning(body: string, eol: string): string {
  return ended(body.slice(0, 2), eol);
}

/** A body that holds conflict markers as text says so in its front matter, else it could not be read again. */
function withLiteralMarkers(
  data: Readonly<Record<string, unknown>>,
  body: string,
  current: YamlMap,
): Readonly<Record<string, unknown>> {
  // A byte order mark that begins a body does not begin the file. Long bodies are not copied to find nothing.
  const has = (body.includes('<<<<<<< ') || body.includes('>>>>>>> ')) && conflictMarker(`\n${body}`) !== null;
  if (has === (current[literalMarkersKey] === true)) return data;
  return { ...data, [literalMarkersKey]: has ? true : undefined };
}

/** Keys in `order` first, the others as they come. */
function inOrder(data: Readonly<Record<string, unknown>>, order: readonly string[]): Record<string, unknown> {
  const sorted: Record<string, unknown> = {};
  for (const key of order) if (Object.hasOwn(data, key)) sorted[key] = data[key];
  for (const key of Object.keys(data)) if (!Object.hasOwn(sorted, key)) sorted[key] = data[key];
  return sorted;
}

/**
 * Offset of the first line that git left in a conflict: `<<<<<<< `, or `>>>>>>> ` after a `=======`. A lone `=======` is a
 * Markdown heading, a lone `>>>>>>> ` a quotation.
 */
function conflictMarker(text: string): number | null {
  const ours = lineStart(text, '<<<<<<< ', 0);
  if (ours !== -1) return ours;
  const theirs = lineStart(text, '>>>>>>> ', 0);
  if (theirs === -1) return null;
  const separator = /(?:(?<![\s\S])\ufeff|^)=======\r?$/m.exec(text);
  return separator !== null && separator.index < theirs ? separator.index : null;
}

function lineStart(text: string, mark: string, from: number): number {
  for (let at = text.indexOf(mark, from); at !== -1; at = text.indexOf(mark, at + 1)) {
    if (at === 0 || text.charCodeAt(at - 1) === 10 || (at === 1 && text.charCodeAt(0) === 0xfeff)) return at;
  }
  return -1;
}

function markerFault(offset: number): YamlFault {
  const hint = `Resolve the conflict. Where such lines are meant as text of the body, add \`${literalMarkersKey}: true\` to the front matter.`;
  return new YamlFault('conflict-marker', offset, 'A merge conflict is not resolved.', hint);
}

function refuseLong(length: number): void {
  if (length > maxYamlLength) throw new YamlFault('too-large', 0, `More than ${maxYamlLength / 1024 / 1024} MB of YAML.`);
}

/** Front matter has at most so many keys, values and signs between them: some thousand lines. */
const maxParts = 40_000;

function refuseMany(text: string, { start, end }: { readonly start: number; readonly end: number }): void {
  if (end - start <= maxParts) return;
  const offset = offsetOfPart(text.slice(start, end), maxParts);
  if (offset === null) return;
  const hint = 'Some thousand keys and list items fit. Keep larger data in files of its own.';
  throw new YamlFault('too-large', start + offset, 'The front matter has too many keys and values.', hint);
}

function faultProblem(path: string, text: string, error: unknown): Problem {
  if (error instanceof YamlFault) {
    return problemOf(path, { rule: error.rule, message: error.message, hint: error.hint }, positionAt(text, error.offset));
  }
  // A parser that gives up in its own way (its stack, a bug) must not take the server with it.
  return problemOf(path, {
    rule: 'yaml-syntax',
    message: `Cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  });
}

function invalidUtf8(path: string, bytes: Uint8Array): Problem {
  let low = 0;
  // The longest valid prefix ends at most three bytes before the first invalid sequence.
  for (let high = bytes.length; low + 1 < high; ) {
    const middle = (low + high) >> 1;
    if (isUtf8(bytes.subarray(0, trimPartial(bytes, middle)))) low = middle;
    else high = middle;
  }
  const text = Buffer.from(bytes).toString('utf8');
  const offset = Buffer.from(bytes.subarray(0, trimPartial(bytes, low))).toString('utf8').length;
  const report = { rule: 'invalid-utf8', message: 'The file is not valid UTF-8.', hint: 'Save it as UTF-8.' };
  return problemOf(path, report, positionAt(text, offset));
}

/** The largest length up to `length` that does not end inside a character's bytes. */
function trimPartial(bytes: Uint8Array, length: number): number {
  let end = length;
  while (end > 0 && length - end < 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** Position of the values of a file, and their language; without front matter an empty range. @throws YamlFault */
export function valuesIn(
  text: string,
  path: string,
): { readonly start: number; readonly end: number; readonly language: LanguageName; readonly body: number } {
  const mark = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (kindOf(path) === 'yaml') return { start: mark, end: text.length, language: 'yaml', body: 0 };
  const { yaml, language, body } = splitOwn(text, path);
  return { start: yaml?.start ?? 0, end: yaml?.end ?? 0, language, body };
}

function entryKind(path: string): EntryKind {
  const kind = kindOf(path);
  if (kind === null || kind === 'blob') throw new TypeError(`not an entry: ${path}`);
  return kind;
}

function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
