/**
 * Which IP addresses are those of the public internet, and which others an operator has opened.
 *
 * Source: IANA special-purpose address registries.
 */
import { BlockList, isIP } from 'node:net';

/** Every range that is not the public internet: this host, private, shared, link-local, documentation, multicast, reserved. */
const closed4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4';
/** What is within 2000::/3 and still not the public internet: among others, addresses that carry another one inside. */
const closed6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20';

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, 'ipv4');
  // Only global unicast may be requested: loopback, local, link-local, mapped and translated addresses are outside.
  return family === 6 && global6.check(address, 'ipv6') && !closed.check(address, 'ipv6');
}

const closed = blockList(`${closed4} ${closed6}`);
const global6 = blockList('2000::/3');

function blockList(ranges: string): BlockList {
  const list = new BlockList();
  for (const range of ranges.split(' ')) addRange(list, range);
  return list;
}

/** @returns whether it was a range */
function addRange(list: BlockList, range: string): boolean {
  const [address = '', bits] = range.split('/');
  const family = isIP(address);
  if (family === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)) || Number(bits ?? 0) > (family === 4 ? 32 : 128))
    return false;
  const name = family === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) list.addAddress(address, name);
  else list.addSubnet(address, Number(bits), name);
  return true;
}

/** What the operator opens in spite of all. */
interface AllowList {
  /** Whether the host is listed, by name or with its port. */
  host(url: URL): boolean;
  range(address: string): boolean;
}

export function createAllowList(entries: readonly string[]): AllowList {
  const ranges = new BlockList();
  const hosts = new Set(entries.filter((entry) => !addRange(ranges, entry)).map((entry) => entry.toLowerCase()));
  const range = (address: string): boolean => isIP(address) !== 0 && ranges.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
  return { range, host: (url) => hosts.has(url.host) || hosts.has(url.hostname) || range(bare(url.hostname)) };
}

/** A host without the brackets of IPv6. */
export function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
