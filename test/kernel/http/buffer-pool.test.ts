import { describe, expect, it } from 'vitest';
import { createChunks } from '../../../src/kernel/http/buffer-pool.ts';

describe('memory of answers', () => {
  it('is as long as asked for, and lent again when it was given back', () => {
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

  it('is copied for whoever keeps it; what is not from here stays as it is', () => {
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
