import { describe, expect, it } from 'vitest';
import { createChunks } from '../../../src/kernel/http/buffer-pool.ts';

describe('response buffers', () => {
  it('have the requested length, and are reused after release', () => {
    const chunks = createChunks();
    for (const length of [0, 1, 4096, 8191, 8192, 8193, 65_000, 65_536, 65_537, 1 << 20, (1 << 20) + 1]) {
      expect(chunks.take(length)).toHaveLength(length);
    }
    const first = chunks.take(65_000);
    const second = chunks.take(65_000);
    expect(second.buffer).not.toBe(first.buffer);
    chunks.give(first);
    expect(chunks.take(40_000).buffer).toBe(first.buffer);
    expect(chunks.take(40_000).buffer).not.toBe(first.buffer);
  });

  it('are copied when kept; foreign buffers stay as they are', () => {
    const chunks = createChunks();
    const lent = chunks.take(20_000).fill(7);
    const kept = chunks.own(lent);
    chunks.give(lent);
    chunks.take(20_000).fill(8);
    expect(kept.every((byte) => byte === 7)).toBe(true);
    const other = Buffer.alloc(20_000, 1);
    expect(chunks.own(other)).toBe(other);
    chunks.give(other);
    chunks.give('text');
    chunks.give(null);
    expect(chunks.take(20_000).buffer).not.toBe(other.buffer);
  });
});
