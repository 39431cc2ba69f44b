/**
 * Records of files as they are kept for the next start: columns of values, every text once. A record is good for the file it was
 * made of, as long as nothing it refers to has changed; the library sees to that.
 */
import { paced } from '../scheduler.ts';
import { isNarrow } from '../store/text-arena.ts';

/** A record with the file it was made of. */
export interface CachedRow {
  readonly path: string;
  readonly etag: string;
  readonly id: number;
  readonly record: Readonly<Record<string, unknown>>;
}

export interface RecordCache {
  /** Digest of what the records refer to. */
  readonly foundation: string;
  readonly size: number;
  /** Number of the row of a file in this state; -1 without one. */
  row(path: string, etag: string): number;
  id(row: number): number;
  /** The id under which a path was served, in whatever state the file is now. */
  idOf(path: string): number | undefined;
  path(row: number): string;
  /** Puts the values of a row into a record. */
  fill(row: number, draft: Record<string, unknown>): void;
}

/** How a column's values are written: as numbers, or as places in the list of texts, of which some are JSON. */
type Kind = 'number' | 'boolean' | 'text' | 'json';
/** A column of which all values are equal has but that one, as JSON. */
type Column = readonly [key: string, kind: Kind] | readonly [key: string, kind: 'same', value: string];

interface Head {
  readonly foundation: string;
  readonly rows: number;
  readonly columns: readonly Column[];
  readonly texts: number;
}

const version = 2;

/**
 * Gives way to the event loop every few milliseconds.
 * @param keys  of the values to keep
 * @returns  bytes that follow one another
 */
export async function printRecords(
  rows: readonly CachedRow[],
  keys: readonly string[],
  foundation: string,
): Promise<readonly Uint8Array[]> {
  const texts: string[] = [];
  // A single map would hold up everybody whenever it grows.
  const places = Array.from({ length: 64 }, () => new Map<string, number>());
  const placeOf = (text: string): number => {
    const end = text.length;
    const mixed = text.charCodeAt(end - 1) * 7 + text.charCodeAt(end - 2) + text.charCodeAt(end - 5) * 13 + end;
    const some = places[mixed & 63] as Map<string, number>;
    const known = some.get(text);
    if (known !== undefined) return known;
    some.set(text, texts.length);
    return texts.push(text) - 1;
  };
  const column = async (kind: Kind, pick: (row: CachedRow) => unknown): Promise<Buffer> => {
    const values = kind === 'number' ? new Float64Array(rows.length) : new Uint32Array(rows.length);
    for await (const [at, row] of paced(rows.entries())) {
      const value = pick(row);
      values[at] =
        kind === 'text' ? placeOf(value as string) : kind === 'json' ? placeOf(JSON.stringify(value) ?? 'null') : Number(value);
    }
    return Buffer.from(values.buffer);
  };
  const columns: Column[] = [];
  for (const key of keys) columns.push(await columnOf(rows, key));
  const parts = [
    await column('number', (row) => row.id),
    await column('text', (row) => row.path),
    await column('text', (row) => row.etag),
  ];
  for (const [key, kind] of columns) if (kind !== 'same') parts.push(await column(kind, (row) => row.record[key]));
  // Those that need two bytes a character have lengths below zero.
  const lengths = new Int32Array(texts.length);
  const [narrow, wide] = [createTexts('latin1'), createTexts('utf16le')];
  for await (const [at, text] of paced(texts.entries())) {
    const fits = isNarrow(text);
    lengths[at] = fits ? text.length : -text.length;
    (fits ? narrow : wide).add(text);
  }
  const head: Head & { version: number } = { version, foundation, rows: rows.length, columns, texts: texts.length };
  return [Buffer.from(`${JSON.stringify(head)}\n`), ...parts, Buffer.from(lengths.buffer), ...narrow.parts(), ...wide.parts()];
}

/** Texts one behind the other, as bytes of some hundred kilobytes at a time. */
function createTexts(encoding: 'latin1' | 'utf16le') {
  const parts: Buffer[] = [];
  let waiting: string[] = [];
  let length = 0;
  const flush = (): void => {
    parts.push(Buffer.from(waiting.join(''), encoding));
    waiting = [];
    length = 0;
  };
  return {
    add(text: string): void {
      waiting.push(text);
      length += text.length;
      if (length > 100_000) flush();
    },
    parts(): readonly Buffer[] {
      flush();
      return parts;
    },
  };
}

/** Null for what `printRecords` has not written. */
export function readRecords(bytes: Uint8Array): RecordCache | null {
  try {
    return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  } catch {
    return null;
  }
}

/** @throws when the bytes are not what the head says */
function parse(bytes: Buffer): RecordCache | null {
  const headEnd = bytes.indexOf(10);
  const head = JSON.parse(bytes.toString('utf8', 0, headEnd)) as Head & { version: number };
  if (head.version !== version) return null;
  let at = headEnd + 1;
  const take = <T>(kind: new (buffer: ArrayBuffer) => T, width: number, count: number): T => {
    const part = new Uint8Array(bytes.subarray(at, at + width * count));
    if (part.length !== width * count) throw new TypeError('cut short');
    at += part.length;
    return new kind(part.buffer);
  };
  const numbers = (kind: Kind) => (kind === 'number' ? take(Float64Array, 8, head.rows) : take(Uint32Array, 4, head.rows));
  const ids = take(Float64Array, 8, head.rows);
  const paths = take(Uint32Array, 4, head.rows);
  const etags = take(Uint32Array, 4, head.rows);
  const same: [key: string, value: unknown][] = [];
  const stored: { key: string; kind: Kind; values: Float64Array | Uint32Array }[] = [];
  for (const [key, kind, value] of head.columns) {
    if (kind === 'same') same.push([key, JSON.parse(value)]);
    else stored.push({ key, kind, values: numbers(kind) });
  }
  const lengths = take(Int32Array, 4, head.texts);
  const wideAt = at + lengths.reduce((sum, length) => sum + Math.max(0, length), 0);
  const texts = cut(bytes.toString('latin1', at, wideAt), bytes.toString('utf16le', wideAt), lengths);
  const parsed = new Array<unknown>(head.texts);
  const columns = stored.map(({ key, kind, values }) => ({ key, read: readerOf(kind, values, texts, parsed) }));
  const byPath = new Map<string, number>();
  for (let row = 0; row < head.rows; row++) byPath.set(texts[paths[row] as number] as string, row);
  return {
    foundation: head.foundation,
    size: head.rows,
    row(path, etag) {
      const row = byPath.get(path);
      return row !== undefined && texts[etags[row] as number] === etag ? row : -1;
    },
    id: (row) => ids[row] as number,
    idOf(path) {
      const row = byPath.get(path);
      return row === undefined ? undefined : (ids[row] as number);
    },
    path: (row) => texts[paths[row] as number] as string,
    fill(row, draft) {
      for (const [key, value] of same) if (draft[key] !== value) draft[key] = value;
      for (const { key, read } of columns) draft[key] = read(row);
    },
  };
}

function readerOf(
  kind: Kind,
  values: Float64Array | Uint32Array,
  texts: readonly string[],
  parsed: unknown[],
): (row: number) => unknown {
  if (kind === 'number') return (row) => values[row];
  if (kind === 'boolean') return (row) => values[row] === 1;
  if (kind === 'text') return (row) => texts[values[row] as number];
  // Equal values are one value: records and what is in them are never changed.
  return (row) => {
    const place = values[row] as number;
    parsed[place] ??= JSON.parse(texts[place] as string);
    return parsed[place];
  };
}

function cut(narrow: string, wide: string, lengths: Int32Array): string[] {
  const texts: string[] = [];
  let narrowAt = 0;
  let wideAt = 0;
  for (const length of lengths) {
    texts.push(length < 0 ? wide.slice(wideAt, wideAt - length) : narrow.slice(narrowAt, narrowAt + length));
    narrowAt += Math.max(0, length);
    wideAt += Math.max(0, -length);
  }
  if (narrowAt !== narrow.length || wideAt !== wide.length) throw new TypeError('texts of other lengths');
  return texts;
}

async function columnOf(rows: readonly CachedRow[], key: string): Promise<Column> {
  const first = rows[0]?.record[key] ?? null;
  const value = JSON.stringify(first);
  const types = new Set<string>();
  let isSame = rows.length > 0;
  for await (const { record } of paced(rows)) {
    const one = record[key];
    types.add(typeof one);
    isSame &&= one === first || JSON.stringify(one) === value;
  }
  if (isSame) return [key, 'same', value];
  const [type] = types;
  if (types.size !== 1 || (type !== 'number' && type !== 'boolean' && type !== 'string')) return [key, 'json'];
  return [key, type === 'string' ? 'text' : type];
}
