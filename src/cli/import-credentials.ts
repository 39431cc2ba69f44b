/**
 * Login and application password for a live site: whole from the environment or, where nobody else looks, the command line; or a
 * login whose password is typed, or comes on standard input.
 */
import { misuse } from './failure.ts';
import { credentials } from './flags.ts';
import type { Io } from './io.ts';

/** @param user  `login` or `login:password` @returns `login:password`; undefined where a visitor asks. @throws Failure with status 2 */
export async function credentialsOf(user: string | undefined, io: Io): Promise<string | undefined> {
  const known = io.env.CMS_IMPORT_CREDENTIALS || undefined;
  if (user === undefined) return known === undefined ? undefined : credentials(known);
  if (user.includes(':')) return credentials(user);
  if (known?.startsWith(`${user}:`)) return credentials(known);
  const password = (await io.secret(`application password of ${user}: `)).trim();
  if (password === '')
    misuse(`no application password for ${user}`, 'type it, pipe it in, or set CMS_IMPORT_CREDENTIALS=login:password');
  return `${user}:${password}`;
}
