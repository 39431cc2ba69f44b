/**
 * Memory for answers that are put together for one request, used again when they have been sent. Memory that is new each time
 * costs more than what is written into it: the system clears every page, and the collector has to come for it.
 */

export interface Chunks {
  /** Memory of `length` bytes, with anything in it. */
  take(length: number): Buffer<ArrayBuffer>;
  /** Bytes to keep: a copy, if these will be reused. */
  own(bytes: Uint8Array): Uint8Array;
  /** Nobody reads it any more. What did not come from here is passed over. */
  give(bytes: unknown): void;
}

/** Shorter ones come from node's own pool, longer ones are rare. */
const [leastBits, mostBits] = [13, 20];
/** Kept of each size. */
const maxFree = 8;

export function createChunks(): Chunks {
  const free: ArrayBuffer[][] = Array.from({ length: mostBits + 1 }, () => []);
  const ours = new WeakSet<ArrayBuffer>();
  return {
    take(length) {
      const bits = Math.max(leastBits, 32 - Math.clz32(length - 1));
      if (length < 1 << (leastBits - 1) || bits > mostBits) return Buffer.allocUnsafe(length);
      let memory = free[bits]!.pop();
      if (memory === undefined) {
        memory = Buffer.allocUnsafeSlow(1 << bits).buffer;
        ours.add(memory);
      }
      return Buffer.from(memory, 0, length);
    },
    own: (bytes) => (ours.has(bytes.buffer as ArrayBuffer) ? Buffer.from(bytes) : bytes),
    give(bytes) {
      if (!(bytes instanceof Uint8Array) || !ours.has(bytes.buffer as ArrayBuffer)) return;
      const list = free[31 - Math.clz32(bytes.buffer.byteLength)]!;
      if (list.length < maxFree) list.push(bytes.buffer as ArrayBuffer);
    },
  };
}
