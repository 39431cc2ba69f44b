/** Creates application passwords, for the API, sign-in pages and the command line. */
import { randomUUID } from 'node:crypto';
import { fail } from '../../../kernel/errors.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { ApplicationPassword } from '../users/record.ts';
import { createApplicationPassword } from './passwords.ts';

/** A new application password: the secret, shown once, and what is stored. @throws RestError rest_user_invalid_id */
export async function addApplicationPassword(
  site: Pick<Site, 'accounts' | 'clock'>,
  id: number,
  name: string,
  appId = '',
  scope = '',
): Promise<{ readonly password: string; readonly entry: ApplicationPassword }> {
  const { password, hash } = createApplicationPassword();
  const created = Math.floor(site.clock() / 1000);
  const entry: ApplicationPassword = {
    uuid: randomUUID(),
    appId,
    name,
    hash,
    created,
    lastUsed: null,
    lastIp: null,
    ...(scope && { scope }),
  };
  const account = await site.accounts.change(id, (known) => ({
    ...known,
    applicationPasswords: [...known.applicationPasswords, entry],
  }));
  return account ? { password, entry } : fail('rest_user_invalid_id');
}
