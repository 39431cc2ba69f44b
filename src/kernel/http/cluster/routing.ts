/**
 * Which requests a worker answers that must not write: those that only read, from what it has in memory or finds made on disk.
 */
import type { IncomingMessage } from 'node:http';
import type { Site } from '../../site/site.ts';
import { readAddress } from '../address.ts';

/** Routes that read and yet may write, or tell of the process that writes; neutral. */
const writing: readonly RegExp[] = [
  // Make the users' styles.
  /^\/cms\/v2\/themes(?:\/|$)/,
  // Makes a navigation.
  /^\/cms-block-editor\/v1\/navigation-fallback$/,
  // Keep what they fetched.
  /^\/cms-block-editor\/v1\/url-details$/,
  /^\/oembed\/1\.0\/proxy$/,
  // Tries whether it can save.
  /^\/cms-site-health\//,
  /^\/cms-abilities\/v1\/.*\/run$/,
];
/** No target without one of these can be a route above, and hardly any has one. */
const suspicious = /%|themes|navigation-fallback|url-details|proxy|site-health|\/run/;

/** Whether a request only reads; files that modules serve aside. */
export function isReading({ method, url = '/' }: Pick<IncomingMessage, 'method' | 'url'>, site?: Site): boolean {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false;
  if (!suspicious.test(url)) return true;
  const address = readAddress(url, site);
  return !address || !writing.some((route) => route.test(address.route));
}
