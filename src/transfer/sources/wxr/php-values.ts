/**
 * Serialised values as the reference stores lists and maps in meta: `a:1:{s:4:"name";i:7;}`. The input is anybody's text:
 * nothing but data is ever built, depth and number of entries are bounded, every length is checked. Linear in the text.
 *
 * A text becomes a structure only where nothing is lost on the way through a content file and back; else it stays the text it is.
 */

interface ReadMeta {
  /** The structure, or the text as it came. */
  readonly value: unknown;
  /** Why a text that looks serialised stays text: it holds an object or reference, or it is damaged. */
  readonly kept?: 'object' | 'damaged';
}

const maxDepth = 40;
const maxEntries = 200_000;
const maxKeyLength = 1000;

/** The value of a stored text. Only lists and maps are taken for serialised: a scalar stays as it is written. */
export function readMetaValue(text: string): ReadMeta {
  if (!/^a:\d+:\{/.test(text)) return /^[OCE]:\d+:"/.test(text) ? { value: text, kept: 'object' } : { value: text };
  try {
    const value = parsePhp(text);
    return printPhp(value) === text ? { value } : { value: text };
  } catch (error) {
    if (!(error instanceof PhpFault)) throw error;
    return error.why === 'unheld' ? { value: text } : { value: text, kept: error.why };
  }
}

/** The text stored for a value of a file. Top-level scalars are stored plain, as the reference does. */
export function printMetaValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return printPhp(value);
  if (typeof value === 'boolean') return value ? '1' : '';
  return value === null || value === undefined ? '' : String(value);
}

/**
 * Parses one value: booleans, integers, texts, null, lists and maps. Maps with the keys 0, 1, 2 … in order are lists.
 * @throws PhpFault for everything else
 */
export function parsePhp(text: string): unknown {
  // Lengths count bytes.
  const bytes = Buffer.from(text);
  let at = 0;
  let entries = 0;
  const value = read(0);
  if (at !== bytes.length) throw new PhpFault('damaged');
  return value;

  function read(depth: number): unknown {
    if (depth > maxDepth) throw new PhpFault('unheld');
    const kind = String.fromCharCode(bytes[at] ?? 0);
    if ('OCErR'.includes(kind)) throw new PhpFault('object');
    if (kind === 'N') {
      skip('N;');
      return null;
    }
    skip(`${kind}:`);
    if (kind === 'b') return number(';') !== 0;
    if (kind === 'i') return number(';');
    if (kind === 's') {
      const found = string();
      skip(';');
      return found;
    }
    if (kind === 'a') return map(depth);
    throw new PhpFault(kind === 'd' ? 'unheld' : 'damaged');
  }

  function map(depth: number): unknown {
    const count = number(':');
    skip('{');
    const keys: (string | number)[] = [];
    const values: unknown[] = [];
    for (let i = 0; i < count; i++) {
      if (++entries > maxEntries) throw new PhpFault('unheld');
      const key = read(maxDepth);
      if (typeof key !== 'string' && typeof key !== 'number') throw new PhpFault('damaged');
      if (key === '__proto__' || String(key).length > maxKeyLength) throw new PhpFault('unheld');
      keys.push(key);
      values.push(read(depth + 1));
    }
    skip('}');
    return keys.every((key, i) => key === i) ? values : Object.fromEntries(keys.map((key, i) => [key, values[i]]));
  }

  function string(): string {
    const length = number(':');
    skip('"');
    const end = at + length;
    if (end > bytes.length) throw new PhpFault('damaged');
    const found = bytes.toString('utf8', at, end);
    at = end;
    skip('"');
    return found;
  }

  function number(end: string): number {
    const stop = bytes.indexOf(end, at);
    const digits = stop < 0 || stop - at > 20 ? '' : bytes.toString('latin1', at, stop);
    if (!/^-?\d+$/.test(digits)) throw new PhpFault('damaged');
    const found = Number(digits);
    if (!Number.isSafeInteger(found)) throw new PhpFault('unheld');
    at = stop + 1;
    return found;
  }

  function skip(expected: string): void {
    if (bytes.toString('latin1', at, at + expected.length) !== expected) throw new PhpFault('damaged');
    at += expected.length;
  }
}

/** Serialises what files hold: texts, whole numbers, booleans, null, lists and maps. Other numbers are texts there too. */
export function printPhp(value: unknown): string {
  if (value === null || value === undefined) return 'N;';
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return `i:${value};`;
  if (typeof value !== 'object') return `s:${Buffer.byteLength(String(value))}:"${value}";`;
  const rows = Array.isArray(value) ? value.map((item, i) => [i, item] as const) : Object.entries(value);
  const body = rows.map(([key, item]) => printPhp(keyOf(key)) + printPhp(item)).join('');
  return `a:${rows.length}:{${body}}`;
}

/** Why a text is not read. `unheld`: sound, but files would not keep it exactly (decimals, very deep or very large values). */
class PhpFault extends Error {
  readonly why: 'object' | 'damaged' | 'unheld';
  constructor(why: PhpFault['why']) {
    super(why);
    this.why = why;
  }
}

/** Keys that are whole numbers in their shortest form are numbers. */
function keyOf(key: string | number): string | number {
  return typeof key === 'string' && /^(?:0|-?[1-9]\d{0,14})$/.test(key) ? Number(key) : key;
}
