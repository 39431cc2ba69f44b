/**
 * What stands before the REST root in the addresses of answers.
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
  for (const part of site.modules.address) if (part.write) prefix += `/${part.write(params, site)}`;
  return prefix + kept;
}

/** What requests within a call know of its address: what the call says of every request, in whatever way, holds for them too. */
export function innerAddress({ modules }: Site, { address }: RestRequest, params: Params): AddressPrefix | undefined {
  if (!address || modules.argNames.length === 0) return address;
  const said = modules.argNames.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]);
  return { ...address, defaults: { ...address.defaults, ...Object.fromEntries(said) } };
}
