/**
 * Invitations: a link with which a new user chooses the login password. It works once, because it is signed over the current password, and for a
 * week.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { neutral } from '../../../kernel/rest/dialect.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { keyIn } from '../../../kernel/store/key-documents.ts';
import type { Account } from '../users/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly invitations: Invitations;
  }
}

export interface Invitations {
  /** URL of the page to choose a password. */
  linkFor(account: Account): Promise<string>;
  /** The account of a token; null if invalid, expired or used. */
  read(token: string): Promise<Account | null>;
}

const keyName = 'invitations.key';
const lifeSeconds = 7 * 24 * 60 * 60;
export const action = 'invitation';

export function createInvitations(site: Site): Invitations {
  const { store, accounts, clock } = site;
  const seal = (key: Uint8Array, { id, passwordHash, registered }: Account, expires: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, expires, passwordHash, registered]))
      .digest('base64url');
  return {
    async linkFor(account) {
      const key = await keyIn(store.private, keyName);
      const expires = String(Math.floor(clock() / 1000) + lifeSeconds);
      const token = `${account.id}.${expires}.${seal(key, account, expires)}`;
      return `${site.url}/${neutral.login}?${new URLSearchParams({ action, token })}`;
    },
    async read(token) {
      const [, id, expires, given] = /^(\d{1,10})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
      const key = given === undefined ? null : await store.private.get(keyName);
      if (!key || given === undefined || expires === undefined || Number(expires) * 1000 < clock()) return null;
      if (!accounts.isCurrent(Number(id))) await accounts.reread(Number(id));
      const account = accounts.get(Number(id));
      if (!account) return null;
      return timingSafeEqual(Buffer.from(seal(key, account, expires)), Buffer.from(given)) ? account : null;
    },
  };
}
