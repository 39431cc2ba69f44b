/**
 * Tokens for links in letters: signed with a key of this machine over what they are about. A token ends when its time is over, or when what it is
 * about has changed: so it works once, if using it changes that.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyIn } from '../../../kernel/store/key-documents.ts';
import type { Site } from '../../../kernel/site/site.ts';

interface SealedLinks {
  seal(id: number, state: readonly unknown[], lifeSeconds: number): Promise<string>;
  /** The subject of a token as it is now; null if the token is invalid, expired or used. @param find  null for none */
  read<T>(
    token: string,
    find: (id: number) => Promise<{ readonly is: T; readonly state: readonly unknown[] } | null>,
  ): Promise<T | null>;
}

/** @param keyName  of the private document */
export function createSealedLinks({ store, clock }: Pick<Site, 'store' | 'clock'>, keyName: string): SealedLinks {
  const sealOf = (key: Uint8Array, id: number, expires: string, state: readonly unknown[]): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, expires, ...state]))
      .digest('base64url');
  return {
    async seal(id, state, lifeSeconds) {
      const key = await keyIn(store.private, keyName);
      const expires = String(Math.floor(clock() / 1000) + lifeSeconds);
      return `${id}.${expires}.${sealOf(key, id, expires, state)}`;
    },
    async read(token, find) {
      const [, id, expires, given] = /^(\d{1,10})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
      const key = given === undefined ? null : await store.private.get(keyName);
      if (!key || given === undefined || expires === undefined || Number(expires) * 1000 < clock()) return null;
      const found = await find(Number(id));
      if (!found) return null;
      return timingSafeEqual(Buffer.from(sealOf(key, Number(id), expires, found.state)), Buffer.from(given)) ? found.is : null;
    },
  };
}
