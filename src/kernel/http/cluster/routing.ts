/**
 * Which requests a worker answers that must not write: those that only read, from what it has in memory or finds made on disk.
 */
import type { IncomingMessage } from 'node:http';
import { dialects } from '../../rest/dialect.ts';
import type { Registry } from '../../rest/types.ts';
import type { Site } from '../../site/site.ts';
import { readAddress } from '../address.ts';

/** Whether a request only reads; files that modules serve aside. */
export type IsReading = (request: Pick<IncomingMessage, 'method' | 'url'>) => boolean;

/** A target without a word that routes and pages of the writer have, and hardly any has one, is looked at no further. */
export function createIsReading({ routes, unlisted, find }: Registry, site: Site): IsReading {
  const words = [...routes, ...unlisted].flatMap(({ needsWriter, path }) =>
    needsWriter ? dialects.map((dialect) => wordOf(dialect.spellRoute(path))) : [],
  );
  const suspicious = new RegExp(['%', ...site.changing, ...new Set(words)].join('|'), 'i');
  return ({ method, url = '/' }) => {
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false;
    if (!suspicious.test(url)) return true;
    const address = readAddress(url, site);
    if (!address) return !site.changing.includes(url.replace(/\?.*$/s, ''));
    return !find(address.route)?.route.needsWriter;
  };
}

/** The last fixed segment of a path. */
function wordOf(path: string): string {
  const bare = path.replace(/^([^(]*?)\/?\(.*\)/s, '$1');
  return bare.slice(bare.lastIndexOf('/') + 1);
}
