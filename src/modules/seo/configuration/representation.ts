/**
 * Whom the site represents, as a client sets it up: each member by itself. A value that had to be cleaned is stored and yet reported,
 * so that whoever sent it sees that it is another one.
 *
 * Source: reference of seo/v1, 2.4 and 3.7; corrections from recordings
 */
import { of } from '../../../kernel/model/schema.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { cleanText, cleanUri } from '../../../kernel/rest/coerce.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { changeOptions } from './options.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

/** The value as it is stored, and whether it is the one that was sent; undefined stays as it was. */
interface Cleaned {
  readonly stored: unknown;
  readonly isSent: boolean;
}

const asSent = (value: unknown): Cleaned => ({ stored: value, isSent: true });
const never: Cleaned = { stored: undefined, isSent: false };

const cleaners: Readonly<Record<string, (value: unknown) => Cleaned>> = {
  company_or_person: asSent,
  company_name: text,
  website_name: text,
  company_logo: address,
  company_logo_id: id,
  person_logo: address,
  person_logo_id: id,
  company_or_person_user_id: id,
};

export const representationArgs: Args = {
  company_or_person: of('string', 'Whom the site represents.', { enum: ['company', 'person'], required: true }),
  company_name: of('string', 'Name of the organization.'),
  company_logo: of('string', 'Address of its logo.'),
  company_logo_id: of('integer', 'Id of its logo.'),
  person_logo: of('string', 'Address of the picture of the person.'),
  person_logo_id: of('integer', 'Id of the picture of the person.'),
  company_or_person_user_id: of('integer', 'Id of the person.'),
  description: of('string', 'Tagline of the site.'),
};

/** Stores what was sent. @returns names of members that are not as they were sent */
export async function storeRepresentation(call: Call): Promise<readonly string[]> {
  const { site, params } = call;
  const cleaned = Object.entries(cleaners)
    .filter(([name]) => params[name] !== undefined && params[name] !== null)
    .map(([name, clean]) => [name, clean(params[name])] as const);
  const wanted = cleaned.filter(([, { stored }]) => stored !== undefined).map(([name, { stored }]) => [name, stored]);
  await changeOptions(site, () => Object.fromEntries(wanted));
  const failures = cleaned.filter(([, { isSent }]) => !isSent).map(([name]) => name);
  return (await isTaglineStored(call)) ? failures : [...failures, 'description'];
}

/** The tagline is a setting of the site: whoever may change those may set it here. */
async function isTaglineStored({ dispatcher, request, params }: Call): Promise<boolean> {
  const { description } = params;
  if (description === undefined || description === null) return true;
  const { dialect, address: prefix, user, credential } = request;
  const own = { dialect, address: prefix, user, credential, query: {}, headers: {}, inner: true };
  const { status } = await dispatcher.dispatch({ ...own, method: 'POST', route: '/cms/v2/settings', json: { description } });
  return status === 200;
}

function text(value: unknown): Cleaned {
  const stored = cleanText(String(value));
  return { stored, isSent: stored === value };
}

function address(value: unknown): Cleaned {
  if (value === '') return asSent('');
  const stored = webAddress(String(value));
  return stored === null ? never : { stored, isSent: stored === value };
}

/** An address of the web without what addresses cannot hold; a bare word is a host. Null for what is none. */
export function webAddress(sent: string): string | null {
  const cleaned = cleanUri(sent.trim());
  return /^https?:\/\//i.test(cleaned) && isUrl(cleaned) ? cleaned : null;
}

function id(value: unknown): Cleaned {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? asSent(value) : never;
}
