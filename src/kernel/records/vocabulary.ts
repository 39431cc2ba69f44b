/**
 * The two structures under text search: a vocabulary (word → number, and which words contain a piece of text) and delta
 * lists (number → ascending numbers, packed to little more than a byte each). Both only grow; both live in typed arrays,
 * because a hundred thousand posts have a few hundred thousand words and tens of millions of entries.
 */

/** Written around each word in the vocabulary, so that a needle can ask for the start or end of a word. */
export const edge = '\n';

/** Words in a segment. */
const segmentBits = 12;

export const hashStep = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

export function createVocabulary() {
  let pool = new Uint16Array(1 << 16);
  pool[0] = edge.charCodeAt(0);
  let used = 1;
  let starts = new Uint32Array(1 << 12);
  starts[0] = 1;
  let hashes = new Int32Array(1 << 12);
  let table = new Int32Array(1 << 13).fill(-1);
  let size = 0;
  /** The text of each segment, an edge before and after every word; the last one's is made again as it grows. */
  const texts: { readonly text: string; readonly end: number }[] = [];

  function add(text: string, from: number, to: number, hash: number): number {
    if (used + to - from + 1 > pool.length) pool = grown(pool, (used + to - from + 1) * 2);
    if (size + 2 > starts.length) {
      starts = grown(starts, size * 2);
      hashes = grown(hashes, size * 2);
    }
    for (let i = from; i < to; i++) pool[used++] = text.charCodeAt(i);
    pool[used++] = edge.charCodeAt(0);
    hashes[size] = hash;
    starts[size + 1] = used;
    if (++size * 2 > table.length) rehash();
    return size - 1;
  }

  function rehash(): void {
    table = new Int32Array(table.length * 2).fill(-1);
    const mask = table.length - 1;
    for (let word = 0; word < size; word++) {
      let at = spread(hashes[word]!) & mask;
      while (table[at]! >= 0) at = (at + 1) & mask;
      table[at] = word;
    }
  }

  return {
    get size(): number {
      return size;
    },
    /** Number of the word `text[from, to)`, new or known. `hash` is `hashStep` over its characters from 0. */
    intern(text: string, from: number, to: number, hash: number): number {
      const mask = table.length - 1;
      let at = spread(hash) & mask;
      for (let word = table[at]!; word >= 0; word = table[at]!) {
        if (hashes[word] === hash && starts[word + 1]! - starts[word]! - 1 === to - from) {
          let same = 0;
          const start = starts[word]!;
          while (same < to - from && pool[start + same] === text.charCodeAt(from + same)) same++;
          if (same === to - from) return word;
        }
        at = (at + 1) & mask;
      }
      table[at] = size;
      return add(text, from, to, hash);
    },
    /** Number of segments of words; each is scanned separately. */
    get segments(): number {
      return (size + (1 << segmentBits) - 1) >>> segmentBits;
    },
    /** Makes ready what `containing` looks through. @returns whether it was not */
    prepare(segment: number): boolean {
      const end = endOf(segment);
      if (texts[segment]?.end === end) return false;
      textOf(segment, end);
      return true;
    },
    /** Numbers of the segment's words in which `needle` occurs; `edge` in it stands for the start or end of a word. */
    containing(needle: string, segment: number): number[] {
      const first = segment << segmentBits;
      const end = endOf(segment);
      const text = textOf(segment, end);
      const words: number[] = [];
      const offset = starts[first]! - 1;
      for (let at = text.indexOf(needle), next = first; at >= 0; at = text.indexOf(needle, starts[next]! - 1 - offset)) {
        // The word whose span, from the edge before it, holds the position: usually one of the next.
        let low = next;
        let high = low;
        for (let step = 1; high < end && starts[high + 1]! - 1 - offset <= at; step *= 2) {
          low = high + 1;
          high += step;
        }
        for (high = Math.min(high, end); low < high; ) {
          const middle = (low + high) >>> 1;
          if (starts[middle + 1]! - 1 - offset <= at) low = middle + 1;
          else high = middle;
        }
        if (low >= end) break;
        words.push(low);
        next = low + 1;
      }
      return words;
    },
  };

  function endOf(segment: number): number {
    return Math.min((segment + 1) << segmentBits, size);
  }

  function textOf(segment: number, end: number): string {
    const known = texts[segment];
    if (known?.end === end) return known.text;
    const to = starts[end]!;
    let text = '';
    for (let from = starts[segment << segmentBits]! - 1; from < to; from += 4096)
      text += String.fromCharCode(...pool.subarray(from, Math.min(to, from + 4096)));
    texts[segment] = { text, end };
    return text;
  }
}

export interface DeltaLists {
  /** Begins a list with a number. @returns the list's own number */
  begin(value: number): number;
  /** Appends to a list a number not below its last; the last itself is not repeated. Numbers are above 0. */
  append(list: number, value: number): void;
  count(list: number): number;
  /** Sets the bit of each number of the list. @returns how many were 0 before */
  mark(list: number, bits: Int32Array): number;
}

/**
 * A list of one number is that number. Others are chains of blocks of doubling size; a block ends with the address of the
 * next. Blocks never cross chunks.
 */
const chunkBits = 18;
const chunkMask = (1 << chunkBits) - 1;
const firstBlockBits = 4;
const lastLevel = 6;
const addressBytes = 4;
/** A delta of 32 bits takes at most this much; a block is left when less remains. */
const maxDeltaBytes = 5;

export function createDeltaLists(): DeltaLists {
  const chunks: Uint8Array[] = [];
  let allocated = 0;
  let size = 0;
  let heads = new Uint32Array(1024);
  let tails = new Uint32Array(1024);
  let limits = new Uint32Array(1024);
  let lasts = new Uint32Array(1024);
  let counts = new Uint32Array(1024);
  let levels = new Uint8Array(1024);

  function allocate(bytes: number): number {
    if (chunks.length === 0 || (allocated & chunkMask) + bytes > chunkMask + 1 || (allocated & chunkMask) === 0) {
      allocated = (chunks.length << chunkBits) >>> 0;
      chunks.push(new Uint8Array(1 << chunkBits));
    }
    const at = allocated;
    allocated += bytes;
    return at;
  }

  function extend(list: number): number {
    const first = limits[list] === 0;
    const level = first ? 0 : Math.min(levels[list]! + 1, lastLevel);
    const bytes = 1 << (firstBlockBits + level);
    const at = allocate(bytes);
    if (first) heads[list] = at;
    else writeAddress(chunks[limits[list]! >>> chunkBits]!, limits[list]! & chunkMask, at);
    levels[list] = level;
    limits[list] = at + bytes - addressBytes;
    return at;
  }

  function write(list: number, delta: number): void {
    let at = tails[list]!;
    if (at + maxDeltaBytes > limits[list]!) at = extend(list);
    const chunk = chunks[at >>> chunkBits]!;
    let left = delta;
    for (; left > 127; left >>>= 7) chunk[at++ & chunkMask] = (left & 127) | 128;
    chunk[at++ & chunkMask] = left;
    tails[list] = at;
  }

  return {
    begin(value) {
      if (size === heads.length) {
        const length = Math.ceil(size * 1.5);
        [heads, tails, limits] = [grown(heads, length), grown(tails, length), grown(limits, length)];
        [lasts, counts, levels] = [grown(lasts, length), grown(counts, length), grown(levels, length)];
      }
      lasts[size] = value;
      counts[size] = 1;
      return size++;
    },
    append(list, value) {
      const last = lasts[list]!;
      if (value === last) return;
      if (counts[list] === 1) write(list, last);
      write(list, value - last);
      lasts[list] = value;
      counts[list]!++;
    },
    count: (list) => counts[list]!,
    mark(list, bits) {
      let remaining = counts[list]!;
      if (remaining === 1) return markBit(bits, lasts[list]!);
      let fresh = 0;
      let value = 0;
      for (let at = heads[list]!, level = 0; remaining > 0; level = Math.min(level + 1, lastLevel)) {
        const chunk = chunks[at >>> chunkBits]!;
        let offset = at & chunkMask;
        const limit = offset + (1 << (firstBlockBits + level)) - addressBytes;
        for (; remaining > 0 && offset + maxDeltaBytes <= limit; remaining--) {
          let byte = chunk[offset++]!;
          let delta = byte & 127;
          for (let shift = 7; byte > 127; shift += 7) {
            byte = chunk[offset++]!;
            delta |= (byte & 127) << shift;
          }
          value += delta;
          fresh += markBit(bits, value);
        }
        at = readAddress(chunk, limit);
      }
      return fresh;
    },
  };
}

/** @returns 1 when the bit was 0 */
function markBit(bits: Int32Array, value: number): number {
  const word = bits[value >>> 5]!;
  const bit = 1 << (value & 31);
  bits[value >>> 5] = word | bit;
  return (word & bit) === 0 ? 1 : 0;
}

export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(array: T, length: number): T {
  const bigger = new (array.constructor as new (length: number) => T)(length);
  bigger.set(array);
  return bigger;
}

/** FNV leaves its best bits on top. */
const spread = (hash: number): number => hash ^ (hash >>> 15);

function writeAddress(chunk: Uint8Array, at: number, address: number): void {
  for (let i = 0; i < addressBytes; i++) chunk[at + i] = address >>> (i * 8);
}

function readAddress(chunk: Uint8Array, at: number): number {
  return (chunk[at]! | (chunk[at + 1]! << 8) | (chunk[at + 2]! << 16) | (chunk[at + 3]! << 24)) >>> 0;
}
