/**
 * The file of the log (`log.ts`): a head, then two halves that are written over in turn. A half is a row of records; each has a number,
 * the code of the one before it, and a code under the key of this machine over all it holds. What does not follow ends the row: it is
 * torn, was there before, or came with the content.
 */

import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { checkPath } from './paths.ts';
import type { Seal } from './state.ts';

export interface WriteStep {
  readonly write: string;
  /** The etag of what is replaced, or its `statTag`; null when nothing is. */
  readonly before: string | null;
  /** The etag of what is written; of a file that is moved, its size. */
  readonly after: string | number;
  /** Of the staged file, and of the target once it is there. */
  readonly ino: number;
  /** All of a file that is not flushed yet. */
  readonly bytes?: Uint8Array;
  /** Where a file that was flushed waits, absolute. */
  readonly temporary?: string;
}

export type Step = WriteStep | { readonly remove: string; readonly before: string };

export const pathOf = (step: Step): string => ('write' in step ? step.write : step.remove);

export interface LoggedCommit {
  readonly seq: number;
  readonly steps: readonly Step[];
}

/** What one flush makes durable. */
export interface LogRecord {
  /** Of the system that wrote it; '' where that is not told. */
  readonly boot: string;
  /** The last commit that is in place, and the last one whose files have been flushed. */
  readonly done: number;
  readonly flushed: number;
  /** Commits that were refused when they were in the log already. */
  readonly voids: readonly number[];
  readonly commits: readonly LoggedCommit[];
}

/** A record and where it stands. */
export interface PlacedRecord extends LogRecord {
  readonly number: number;
  readonly code: string;
  readonly half: number;
  /** Offset in its half, behind it. */
  readonly end: number;
}

export interface LogHead {
  readonly id: string;
  /** Bytes of a half. */
  readonly size: number;
}

/** The log was written by another version, which alone can tell what of it is in place. */
export class LogVersionError extends Error {
  readonly hint = 'open the folder once with the version that wrote it, and close it';
}

const version = 1;
const mark = 'log';
const headBytes = 4096;
const headForm = /^cms log (\d{1,9}) (\d{1,12}) ([\w-]{22}) ([\w-]{43})\n/;
const recordForm = /^(\d{1,15}) (\d{1,10}) (\d{1,10}) ([\w-]{1,43}) ([\w-]{43})\n/;
const longestForm = 140;
const pieceBytes = 1024 * 1024;

/** Of a record that follows none. */
export const firstCode = '-';

export const placeOf = ({ size }: LogHead, half: number, offset: number): number => headBytes + half * size + offset;

/** Makes the file whole, zeros behind its head: what is written over later needs no room and no new blocks. */
export function writeEmpty(handle: number, size: number, seal: Seal): LogHead {
  const head = { id: randomBytes(16).toString('base64url'), size };
  const text = `${version} ${size} ${head.id}`;
  fs.writeSync(handle, Buffer.from(`cms log ${text} ${seal.of(mark, text)}\n`.padEnd(headBytes, '\0')), 0, headBytes, 0);
  const zeros = Buffer.alloc(Math.min(pieceBytes, 2 * size));
  for (let at = headBytes; at < placeOf(head, 2, 0); )
    at += fs.writeSync(handle, zeros, 0, Math.min(zeros.length, placeOf(head, 2, 0) - at), at);
  return head;
}

/** Null when it is not one of this machine. @throws LogVersionError */
export function readHead(handle: number, seal: Seal): LogHead | null {
  const [, written, size, id, code] = headForm.exec(readAt(handle, 0, 200).toString('latin1')) ?? [];
  if (code === undefined || !seal.matches(code, mark, `${written} ${size} ${id}`)) return null;
  if (Number(written) !== version)
    throw new LogVersionError(`.cms/log was written by another version of this program (${written})`);
  const head = { id: id as string, size: Number(size) };
  return fs.fstatSync(handle).size === placeOf(head, 2, 0) ? head : null;
}

export function encode(
  head: LogHead,
  number: number,
  before: string,
  record: LogRecord,
  seal: Seal,
): { bytes: Buffer; code: string } {
  const parts: Uint8Array[] = [];
  const printed = (step: Step): object => {
    if (!('bytes' in step) || step.bytes === undefined) return step;
    parts.push(step.bytes);
    return { ...step, bytes: step.bytes.length };
  };
  const commits = record.commits.map(({ seq, steps }) => ({ seq, steps: steps.map(printed) }));
  const meta = Buffer.from(JSON.stringify({ ...record, commits }));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const form = `${number} ${meta.length} ${length} ${before}`;
  const code = seal.of(mark, `${head.id} ${form}\n`, meta, ...parts);
  return { bytes: Buffer.concat([Buffer.from(`${form} ${code}\n`), meta, ...parts]), code };
}

/** The records behind one that is known, in the same half and then in the other. */
export function readFollowing(
  handle: number,
  head: LogHead,
  seal: Seal,
  last: Pick<PlacedRecord, 'number' | 'code' | 'half' | 'end'>,
) {
  const records: PlacedRecord[] = [...recordsOf(handle, head, last.half, seal, last)];
  const { number, code, half } = records.at(-1) ?? last;
  if (numberAt(handle, head, 1 - half, 0) !== number + 1) return records;
  const [first, ...more] = recordsOf(handle, head, 1 - half, seal);
  return first?.before === code ? [...records, first, ...more] : records;
}

/** The records in their order, up to the first that is not whole. */
export function readRecords(handle: number, head: LogHead, seal: Seal): readonly PlacedRecord[] {
  const [one = [], other = []] = [0, 1].map((half) => [...recordsOf(handle, head, half, seal)]);
  const [older, newer] = (one[0]?.number ?? 0) < (other[0]?.number ?? 0) ? [one, other] : [other, one];
  const last = older.at(-1);
  return last === undefined || newer[0]?.before === last.code ? [...older, ...newer] : older;
}

/** Number of the record that stands there, whole or not; 0 for none. */
export function numberAt(handle: number, head: LogHead, half: number, offset: number): number {
  return Number(recordForm.exec(readAt(handle, placeOf(head, half, offset), longestForm).toString('latin1'))?.[1] ?? 0);
}

function* recordsOf(
  handle: number,
  head: LogHead,
  half: number,
  seal: Seal,
  after?: Pick<PlacedRecord, 'number' | 'code' | 'end'>,
): Generator<PlacedRecord & { readonly before: string }> {
  let last = after;
  let window: { readonly from: number; readonly bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) };
  // Behind what is known there is little, mostly nothing.
  const atOnce = pieceBytes / (after === undefined ? 8 : 64);
  /** What there is of the half, from `offset`. */
  const read = (offset: number, length: number): Buffer => {
    const wanted = Math.min(length, head.size - offset);
    if (offset < window.from || offset + wanted > window.from + window.bytes.length)
      window = {
        from: offset,
        bytes: readAt(handle, placeOf(head, half, offset), Math.min(Math.max(wanted, atOnce), head.size - offset)),
      };
    return window.bytes.subarray(offset - window.from, offset - window.from + wanted);
  };
  for (let offset = after?.end ?? 0; ; ) {
    const found = recordForm.exec(read(offset, longestForm).toString('latin1'));
    if (found === null) return;
    const [form, number, metaLength, length, before, code] = found as unknown as [string, string, string, string, string, string];
    if (last !== undefined && (Number(number) !== last.number + 1 || before !== last.code)) return;
    const start = offset + form.length;
    const [meta, all] = [Number(metaLength), Number(metaLength) + Number(length)];
    if (start + all > head.size) return;
    const content = read(start, all);
    const own = `${head.id} ${form.slice(0, form.lastIndexOf(' '))}\n`;
    if (!seal.matches(code, mark, own, content)) return;
    offset = start + all;
    last = { number: Number(number), code, end: offset };
    yield { ...decode(content.subarray(0, meta), content.subarray(meta)), ...last, before, half };
  }
}

function decode(meta: Buffer, bytes: Buffer): LogRecord {
  let at = 0;
  return JSON.parse(meta.toString('utf8'), (key, value: unknown) => {
    if (key === 'write' || key === 'remove') return checkPath(value as string);
    if (key !== 'bytes') return value;
    at += value as number;
    return bytes.subarray(at - (value as number), at);
  }) as LogRecord;
}

function readAt(handle: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  for (let count = -1; count !== 0 && filled < length; filled += count)
    count = fs.readSync(handle, bytes, filled, length - filled, from + filled);
  return bytes.subarray(0, filled);
}
