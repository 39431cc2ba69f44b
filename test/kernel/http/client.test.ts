/**
 * Who is at the other end, directly and behind proxies.
 */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientOf } from '../../../src/kernel/http/client.ts';

type Headers = IncomingMessage['headers'];
type Expected = readonly [ip: string, isHttps: boolean, isPrivate: boolean];

function client(peer: string, headers: Headers, trusted: string, kind: string): Expected {
  const operator = { trusted_proxies: trusted === '' ? [] : trusted.split(' '), proxy_headers: kind };
  const { ip, isHttps, isPrivate } = createClientOf(operator, () => peer)({ headers, socket: {} } as IncomingMessage);
  return [String(ip), isHttps, isPrivate];
}

const from = (addresses: string, scheme = 'https'): Headers => ({ 'x-forwarded-for': addresses, 'x-forwarded-proto': scheme });
const proxies = '127.0.0.1 10.0.0.0/8 ::1';

describe('the client address', () => {
  it.each<[string, string, Headers, string, Expected]>([
    ['is the client', '192.0.2.1', {}, '', ['192.0.2.1', false, false]],
    ['is private on this machine', '127.0.0.1', {}, '', ['127.0.0.1', false, true]],
    ['says nothing about others where no proxy is trusted', '192.0.2.1', from('198.51.100.7'), '', ['192.0.2.1', false, false]],
    ['is not private where somebody has passed it on', '127.0.0.1', from('198.51.100.7'), '', ['127.0.0.1', false, false]],
    ['says nothing about others when it is no proxy', '192.0.2.1', from('198.51.100.7'), proxies, ['192.0.2.1', false, false]],
    ['names nobody by what is no address', '127.0.0.1', from('unknown'), proxies, ['127.0.0.1', true, true]],
    ['names nobody by what anybody may write', '127.0.0.1', from('me-1, _hidden'), proxies, ['127.0.0.1', true, true]],
    ['tells of the client when it is a proxy', '127.0.0.1', from('198.51.100.7'), proxies, ['198.51.100.7', true, true]],
    ['in the notation of the other family, too', '::ffff:127.0.0.1', from('2001:db8::7'), proxies, ['2001:db8::7', true, true]],
    [
      'does not believe the client of a proxy',
      '127.0.0.1',
      from('203.0.113.9, 198.51.100.7', 'http'),
      proxies,
      ['198.51.100.7', false, false],
    ],
    ['passes proxies over', '127.0.0.1', from('198.51.100.7, 10.1.2.3, 10.9.9.9'), proxies, ['198.51.100.7', true, true]],
    [
      'believes the scheme that the last proxy says',
      '127.0.0.1',
      from('198.51.100.7', 'https, http'),
      proxies,
      ['198.51.100.7', false, false],
    ],
    ['has ports, which do not count', '127.0.0.1', from('198.51.100.7:4711'), proxies, ['198.51.100.7', true, true]],
    ['may be a proxy that asks itself', '127.0.0.1', {}, proxies, ['127.0.0.1', false, true]],
  ])('%s', (_, peer, headers, trusted, expected) => expect(client(peer, headers, trusted, 'x-forwarded')).toEqual(expected));
});

describe('the Forwarded header', () => {
  const forwarded = (text: string, more: Headers = {}): Headers => ({ forwarded: text, ...more });

  it.each<[string, Headers, Expected]>([
    ['says address and scheme', forwarded('for=198.51.100.7;proto=https'), ['198.51.100.7', true, true]],
    ['in any case and quotes', forwarded('FOR="[2001:db8::7]:80"; Proto="HTTPS"'), ['2001:db8::7', true, true]],
    [
      'the last that is no proxy counts',
      forwarded('for=203.0.113.9, for=198.51.100.7, for=10.0.0.2;proto=http'),
      ['198.51.100.7', false, false],
    ],
    ['alone', forwarded('for=198.51.100.7;proto=http', from('203.0.113.9')), ['198.51.100.7', false, false]],
    ['missing, others do not count', from('203.0.113.9'), ['127.0.0.1', false, true]],
  ])('%s', (_, headers, expected) => expect(client('127.0.0.1', headers, proxies, 'forwarded')).toEqual(expected));

  it('is ignored where proxies set the X-Forwarded headers', () =>
    expect(
      client('127.0.0.1', forwarded('for=203.0.113.9;proto=https', from('198.51.100.7', 'http')), proxies, 'x-forwarded'),
    ).toEqual(['198.51.100.7', false, false]));
});
