/**
 * Answers already written: the JSON of an item as bytes, kept so that the next list or item that shows it only copies them.
 *
 * What is kept is good for one record and one state (`Keep.stamp`); anything else is written anew. Bounded by bytes: two
 * generations, of which the older goes as a whole when the younger is full; what is used again moves to the younger.
 */
import { createHash } from 'node:crypto';

/** JSON as bytes. Inside other data it behaves as the value it stands for. */
export class Printed {
  readonly bytes: Buffer<ArrayBuffer>;
  /** Another one for other bytes. */
  readonly digest: string;
  constructor(bytes: Buffer<ArrayBuffer>, digest: string = digestOf(bytes)) {
    this.bytes = bytes;
    this.digest = digest;
  }

  toJSON(): unknown {
    return JSON.parse(this.bytes.toString('utf8'));
  }
}

export function print(value: unknown): Printed {
  return new Printed(Buffer.from(JSON.stringify(value)));
}

/** A list of what is printed; its digest follows from theirs. */
export function printList(parts: readonly Printed[]): Printed {
  let length = 1 + Math.max(1, parts.length);
  for (const { bytes } of parts) length += bytes.length;
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  let digests = '';
  for (const part of parts) {
    bytes[at] = at === 0 ? OPEN : COMMA;
    bytes.set(part.bytes, at + 1);
    at += 1 + part.bytes.length;
    digests += part.digest;
  }
  if (parts.length === 0) bytes[0] = OPEN;
  bytes[length - 1] = CLOSE;
  return new Printed(bytes, digestOf(digests));
}

export function digestOf(data: string | Uint8Array): string {
  return createHash('sha1').update(data).digest('base64url').slice(0, 20);
}

const OPEN = 0x5b;
const COMMA = 0x2c;
const CLOSE = 0x5d;

/** Items in one form: context, spelling, fields, user. */
export interface PrintShelf {
  get(record: object, stamp: string | number): Printed | undefined;
  set(record: object, stamp: string | number, printed: Printed): void;
}

export interface PrintCache {
  /** @param form  names the form; everything an item's bytes depend on beside record and stamp */
  shelf(form: string): PrintShelf;
}

interface Entry {
  readonly stamp: string | number;
  readonly printed: Printed;
}
type Generation = Map<string, Map<object, Entry>>;

/** What an entry costs beside its bytes. */
const OVERHEAD_BYTES = 320;

export function createPrintCache(maxBytes: number): PrintCache {
  let young: Generation = new Map();
  let old: Generation = new Map();
  let youngBytes = 0;

  return {
    shelf(form) {
      return {
        get(record, stamp) {
          const known = young.get(form)?.get(record);
          if (known) return known.stamp === stamp ? known.printed : undefined;
          const older = old.get(form)?.get(record);
          if (older?.stamp !== stamp) return undefined;
          put(form, record, older);
          return older.printed;
        },
        set: (record, stamp, printed) => put(form, record, { stamp, printed }),
      };
    },
  };

  function put(form: string, record: object, entry: Entry): void {
    youngBytes += entry.printed.bytes.length + OVERHEAD_BYTES;
    if (youngBytes > maxBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = entry.printed.bytes.length + OVERHEAD_BYTES;
    }
    const shelf = young.get(form) ?? new Map<object, Entry>();
    if (shelf.size === 0) young.set(form, shelf);
    youngBytes -= costOf(shelf.get(record));
    shelf.set(record, entry);
  }
}

function costOf(entry: Entry | undefined): number {
  return entry ? entry.printed.bytes.length + OVERHEAD_BYTES : 0;
}
