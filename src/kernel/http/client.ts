/**
 * Who is at the other end of a connection: the address, and whether it speaks HTTPS, also behind proxies that the operator trusts.
 *
 * What a proxy says is believed of trusted ones alone, and of their headers the one kind they are known to set: whoever sends the other
 * kind through a proxy that passes it on would be whoever they like.
 * Source: RFC 7239; the de-facto `X-Forwarded-For` and `X-Forwarded-Proto`.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { createAllowList } from './ip-ranges.ts';
import type { Operator } from '../model/operator.ts';
import type { Peer } from '../site/serving.ts';

type Headers = IncomingMessage['headers'];

/** What a proxy says: addresses from the client to the proxy's neighbour, and the scheme of the client. */
interface Said {
  readonly addresses: readonly string[];
  readonly scheme: string | undefined;
}

/** @param peerOf  who is connected */
export function createClientOf(
  { trusted_proxies, proxy_headers }: Pick<Operator, 'trusted_proxies' | 'proxy_headers'>,
  peerOf: (incoming: IncomingMessage) => string | undefined,
): (incoming: IncomingMessage) => Peer {
  const trusted = createAllowList(trusted_proxies);
  const read = proxy_headers === 'forwarded' ? readForwarded : readCommon;
  return (incoming) => {
    const { headers, socket } = incoming;
    const peer = peerOf(incoming);
    if (trusted_proxies.length > 0 && peer !== undefined && trusted.range(peer)) {
      const { addresses, scheme } = read(headers);
      const named = addresses.findLast((one) => !trusted.range(one)) ?? addresses[0] ?? peer;
      // `unknown`, and names that a proxy hides an address behind: anybody could send another one each time.
      const ip = isIP(named) === 0 ? peer : named;
      const isHttps = scheme === 'https';
      return { ip, isHttps, isPrivate: isHttps || (addresses.length === 0 && isWithin(peer)) };
    }
    const isHttps = 'encrypted' in socket;
    return { ip: peer, isHttps, isPrivate: isHttps || (isWithin(peer) && !isPassedOn(headers)) };
  };
}

function readCommon(headers: Headers): Said {
  const list = (value: string | string[] | undefined): string[] => listOf([value ?? []].flat().join(','));
  return {
    addresses: list(headers['x-forwarded-for']).map(addressIn),
    scheme: list(headers['x-forwarded-proto']).at(-1)?.toLowerCase(),
  };
}

function readForwarded({ forwarded = '' }: Headers): Said {
  const hops = listOf(forwarded).map((hop) => new Map(hop.split(';').map(pairIn)));
  return { addresses: hops.flatMap((hop) => addressIn(hop.get('for') ?? '') || []), scheme: hops.at(-1)?.get('proto') };
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function pairIn(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=', 2);
  return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '').toLowerCase()];
}

/** An address without its port: `[::1]:80`, `192.0.2.1:80`. */
function addressIn(text: string): string {
  return /^\[([^\]]*)\]/.exec(text)?.[1] ?? text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
}

function isWithin(address: string | undefined): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address ?? '');
}

/** Somebody between says so, trusted or not. */
function isPassedOn(headers: Headers): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined;
}
