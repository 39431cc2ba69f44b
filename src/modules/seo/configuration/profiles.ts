/**
 * Profiles of the organization in social networks, as a client sets them up: all of them, or none when one cannot be.
 *
 * Source: reference of seo/v1, 3.7; corrections from recordings
 */
import { scalarText } from '../../../kernel/model/scalars.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import { webAddress } from './representation.ts';

export const profileArgs: Args = {
  network_a_site: of('string', 'Address of the profile in the first network.'),
  network_b_site: of('string', 'Handle in the second network, or address of the profile there.'),
  other_social_urls: of('array', 'Addresses of other profiles.'),
};

interface Profiles {
  /** Options to be stored; none when something failed. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Names of members that cannot be; of a list with the place in it. */
  readonly failures: readonly string[];
}

export function readProfiles(params: Params): Profiles {
  const { network_a_site: a, network_b_site: b, other_social_urls: others } = params;
  const options: Record<string, unknown> = {};
  const failures: string[] = [];
  const keep = (name: string, value: string | null): void => {
    if (value === null) failures.push(name);
    else options[name] = value;
  };
  if (isThere(a)) keep('network_a_site', profileAddress(scalarText(a)));
  if (isThere(b)) keep('network_b_site', handleIn(scalarText(b)));
  if (Array.isArray(others)) {
    const cleaned = others.map((one) => (typeof one === 'object' ? null : profileAddress(scalarText(one))));
    for (const [at, one] of cleaned.entries()) if (one === null) failures.push(`other_social_urls-${at}`);
    options.other_social_urls = cleaned.filter((one) => one !== null && one !== '');
  }
  return { options: failures.length > 0 ? {} : options, failures };
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

/** '' for none. */
const profileAddress = (sent: string): string | null => (sent.trim() === '' ? '' : webAddress(sent));

/** The handle, also of the address of a profile in the network; null for what is none. */
function handleIn(sent: string): string | null {
  const text = sent.trim();
  const handle = /^(?:https?:\/\/)?(?:www\.)?(?:x|twitter)\.com\/(\w{1,25})\/?$/i.exec(text)?.[1] ?? text;
  return /^\w{0,25}$/.test(handle) ? handle : null;
}
