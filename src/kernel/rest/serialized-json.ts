/**
 * Answers already written: the JSON of an item as bytes, kept so that the next list or item that shows it only copies them.
 *
 * What is kept is good for one record and one state (`Keep.stamp`); anything else is written anew. Bounded by bytes.
 */
import { hash } from 'node:crypto';
import { createAgingCache } from '../records/aging-cache.ts';
import { createAskedAgain } from '../records/asked-again.ts';

/** JSON as bytes. Inside other data it behaves like its value. */
export class SerializedJson {
  /** Another one for other bytes. */
  readonly digest: string;
  /** Bytes. */
  readonly length: number;
  readonly #parts: Buffer<ArrayBuffer> | readonly SerializedJson[];

  /** @param parts  the whole, or the members of a list */
  constructor(parts: Buffer<ArrayBuffer> | readonly SerializedJson[], digest: string) {
    this.digest = digest;
    this.#parts = parts;
    this.length = parts.length;
    if (isWhole(parts)) return;
    this.length = 1 + Math.max(1, parts.length);
    for (const { length } of parts) this.length += length;
  }

  get bytes(): Buffer<ArrayBuffer> {
    return this.join(Buffer.allocUnsafe);
  }

  /** @param allocate  memory for a list; a whole is given as it is kept */
  join(allocate: (length: number) => Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
    if (isWhole(this.#parts)) return this.#parts;
    const bytes = allocate(this.length);
    let at = 0;
    for (const part of this.#parts) {
      bytes[at] = at === 0 ? OPEN : COMMA;
      bytes.set(part.join(allocate), at + 1);
      at += 1 + part.length;
    }
    if (at === 0) bytes[0] = OPEN;
    bytes[this.length - 1] = CLOSE;
    return bytes;
  }

  toJSON(): unknown {
    return JSON.parse(this.bytes.toString('utf8'));
  }
}

const isWhole = (parts: Buffer<ArrayBuffer> | readonly SerializedJson[]): parts is Buffer<ArrayBuffer> => !Array.isArray(parts);

export function print(value: unknown): SerializedJson {
  const bytes = Buffer.from(JSON.stringify(value));
  return new SerializedJson(bytes, digestOf(bytes));
}

/** A list of what is printed; its digest follows from theirs. */
export function serializeList(parts: readonly SerializedJson[]): SerializedJson {
  let digests = '';
  for (const { digest } of parts) digests += digest;
  return new SerializedJson(parts, digestOf(digests));
}

export function digestOf(data: string | Uint8Array): string {
  return hash('sha1', data, 'base64url').slice(0, 20);
}

const OPEN = 0x5b;
const COMMA = 0x2c;
const CLOSE = 0x5d;

/** Items in one form: context, spelling, fields, user. */
export interface ResponseVariant {
  get(record: object, stamp: string | number): SerializedJson | undefined;
  set(record: object, stamp: string | number, printed: SerializedJson): void;
}

export interface PrintCache {
  /**
   * Null for a form that is not kept: one that nobody has asked for before.
   * @param form  names it: everything an item's bytes depend on beside record and stamp
   */
  variant(form: string): ResponseVariant | null;
}

/** Forms that are kept at once. */
const maxForms = 300;
/** So many are kept whenever they come. */
const freeForms = 100;

export function createPrintCache(maxBytes: number): PrintCache {
  const kept = createAgingCache<{ readonly stamp: string | number; readonly printed: SerializedJson }>(
    maxBytes,
    ({ printed }) => printed.length + 100,
  );
  /** Forms that are kept, those used last behind. */
  const forms = new Map<string, ResponseVariant>();
  const isAskedAgain = createAskedAgain();
  const variantOf = (form: string): ResponseVariant => ({
    get(record, stamp) {
      const known = kept.get(form, record);
      return known?.stamp === stamp ? known.printed : undefined;
    },
    set: (record, stamp, printed) => kept.set(form, record, { stamp, printed }),
  });
  return {
    variant(form) {
      const known = forms.get(form);
      // Clients write what names a form: those that come once push out nothing.
      if (known === undefined && forms.size >= freeForms && !isAskedAgain(form)) return null;
      forms.delete(form);
      const variant = known ?? variantOf(form);
      forms.set(form, variant);
      if (forms.size > maxForms) {
        const [oldest] = forms.keys();
        forms.delete(oldest as string);
        kept.drop(oldest as string);
      }
      return variant;
    },
  };
}
