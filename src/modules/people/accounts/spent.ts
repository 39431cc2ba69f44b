/**
 * What signs in once: an answer of a passkey, a link in a letter. That it was used is in the account, which a process changes alone: so it counts in
 * every process and node, and over restarts.
 */
import { createHash } from 'node:crypto';
import type { Account } from '../users/record.ts';

export function isSpent({ spent }: Account, what: string): boolean {
  return spent.some(({ hash }) => hash === digestOf(what));
}

/** The account in which it is spent; null: it was. @param until  when it expires. Both in seconds */
export function spend(account: Account, what: string, until: number, now: number): Account | null {
  if (isSpent(account, what)) return null;
  return { ...account, spent: [...account.spent.filter((one) => one.until > now), { hash: digestOf(what), until }] };
}

function digestOf(what: string): string {
  return createHash('sha256').update(what).digest('base64url');
}
