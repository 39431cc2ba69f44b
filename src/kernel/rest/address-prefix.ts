/**
 * The prefix before the REST root in the URLs of responses.
 */
import type { Site } from '../site/site.ts';
import type { AddressPrefix, Params, RestRequest } from './request.ts';

/**
 * The segments before the REST root that links have.
 *
 * @param params  of the call; before it is known, those of its address
 */
export function prefixOf(site: Site, kept: string, params: Params): string {
  let prefix = '';
  for (const part of site.modules.address) if (part.write) prefix = withSegment(prefix, part.write(params, site));
  return prefix + kept;
}

/** The segments before the address of an item. */
export function itemPrefix(site: Site, record: unknown): string {
  let prefix = '';
  for (const part of site.modules.address)
    if (part.of && part.write) prefix = withSegment(prefix, part.write(part.of(record, site), site));
  return prefix;
}

/** The parameters that an item is shown for. */
export function itemParams(site: Site, record: unknown): Params {
  const { address } = site.modules;
  return address.length === 0 ? none : Object.assign({}, ...address.map((part) => part.of?.(record, site)));
}

const none: Params = Object.freeze({});

/** What requests within a call know of its address: what the call says of every request, in whatever way, holds for them too. */
export function innerAddress({ modules }: Site, { address }: RestRequest, params: Params): AddressPrefix | undefined {
  if (!address || modules.argNames.length === 0) return address;
  const said = modules.argNames.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]);
  return { ...address, defaults: { ...address.defaults, ...Object.fromEntries(said) } };
}

/** A page's path without the prefix segments of items, and the parameters these mean. */
export function splitPath(site: Site, path: string): { readonly prefix: string; readonly path: string; readonly params: Params } {
  const params: Record<string, unknown> = {};
  let [prefix, rest] = ['', path];
  for (const part of site.modules.address) {
    const segment = /^\/?([^/?]+)/.exec(rest);
    const read = part.of && segment ? part.read(segment[1] as string, site) : null;
    if (!read || !segment) continue;
    Object.assign(params, read);
    prefix += `/${segment[1]}`;
    rest = rest.slice(segment[0].length) || '/';
  }
  return { prefix, path: rest, params };
}

function withSegment(prefix: string, segment: string): string {
  return segment === '' ? prefix : `${prefix}/${segment}`;
}
