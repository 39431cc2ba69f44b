import { describe, expect, it } from 'vitest';
import { readAccepted } from '../../src/operations/codings.ts';

describe('Accept-Encoding', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5, gzip; q = 0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1', 'br'],
    ['*, br;q=0', 'gzip'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['identity', null],
    ['identity;q=1, br;q=0.5', null],
    ['identity;q=0.5, br;q=0.9', 'br'],
    ['identity;q=0, gzip', 'gzip'],
    ['deflate, zstd', null],
    ['', null],
    [',;;q=1,', null],
    ['br;q=2', null],
    ['br;q=-1, gzip;q=much', null],
    ['brotli', null],
    [undefined, null],
  ])('%s: %s', (header, best) => {
    expect(readAccepted(header).best).toBe(best);
    // Once more, as it was read before.
    expect(readAccepted(header).best).toBe(best);
  });

  it('chooses the sent coding without a header, and the preferred one otherwise', () => {
    expect([readAccepted(undefined).takes('br'), readAccepted('gzip').takes('br'), readAccepted('gzip').takes('gzip')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
