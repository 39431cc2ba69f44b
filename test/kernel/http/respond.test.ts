import { describe, expect, it } from 'vitest';
import { writeResponse } from '../../../src/kernel/http/respond.ts';
import { dialects } from '../../../src/kernel/rest/dialect.ts';
import type { RestRequest } from '../../../src/kernel/rest/request.ts';

describe('a response body', () => {
  const write = (data: unknown, method = 'GET', headers: Readonly<Record<string, string>> = {}) => {
    const taken: number[] = [];
    const request = { dialect: dialects[0], query: {}, headers, method } as unknown as RestRequest;
    const allocate = (length: number): Buffer<ArrayBuffer> => {
      taken.push(length);
      return Buffer.alloc(length, 'x');
    };
    const written = writeResponse(
      request,
      { status: 200, headers: {}, data },
      { home: 'http://example.com', requestHeaders: undefined, allocate },
    );
    return { ...written, taken };
  };

  it.each(['a', 'ä', '…', '𝒳'])('is written once into a pooled buffer, unless it is short: %s', (sign) => {
    const data = { text: sign.repeat(5000) };
    const { body, headers, taken } = write(data);
    expect(body).toBeInstanceOf(Uint8Array);
    expect(JSON.parse(Buffer.from(body as Uint8Array).toString())).toEqual(data);
    expect(taken).toEqual([(body as Uint8Array).length]);
    expect(headers[headers.indexOf('Content-Length') + 1]).toBe(String(taken[0]));
    expect(write({ text: sign }).body).toBe(JSON.stringify({ text: sign }));
  });

  it('uses no buffer if it is not sent', () => {
    const data = { text: 'a'.repeat(5000) };
    const { headers } = write(data);
    const etag = headers[headers.indexOf('ETag') + 1] as string;
    expect(write(data, 'HEAD')).toMatchObject({ body: null, taken: [] });
    expect(write(data, 'GET', { 'if-none-match': etag })).toMatchObject({ status: 304, body: null, taken: [] });
  });
});
