/**
 * Answers already written: the JSON of an item as bytes, kept so that the next list or item that shows it only copies them.
 *
 * What is kept is good for one record and one state (`Keep.stamp`); anything else is written anew. Bounded by bytes.
 */
import { createHash } from 'node:crypto';
import { createAgingCache } from '../records/aging-cache.ts';

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

export function createPrintCache(maxBytes: number): PrintCache {
  const kept = createAgingCache<{ readonly stamp: string | number; readonly printed: Printed }>(
    maxBytes,
    ({ printed }) => printed.bytes.length + 100,
  );
  return {
    shelf: (form) => ({
      get(record, stamp) {
        const known = kept.get(form, record);
        return known?.stamp === stamp ? known.printed : undefined;
      },
      set: (record, stamp, printed) => kept.set(form, record, { stamp, printed }),
    }),
  };
}
