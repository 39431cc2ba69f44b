/**
 * Tokens with which a page sends images as a user. Valid for the twelve hours in which they were made and the next twelve, and only for media tools.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyIn } from '../../../kernel/store/key-documents.ts';
import type { TrustedDocuments } from '../../../kernel/store/types.ts';

export interface MediaTokens {
  sign(user: number, nowMs: number): string;
  /** Id of the user; null if invalid or expired. */
  read(token: string, nowMs: number): number | null;
}

const keyName = 'media-tools.key';
const windowMs = 12 * 60 * 60 * 1000;

/** The signing key is created with the site; a read-only site without one has a temporary key. */
export async function createMediaTokens(
  documents: Pick<TrustedDocuments, 'get' | 'set' | 'update'>,
  readOnly: boolean,
): Promise<MediaTokens> {
  const secret = readOnly ? ((await documents.get(keyName)) ?? randomBytes(32)) : await keyIn(documents, keyName);
  const seal = (user: number, window: number): string =>
    createHmac('sha256', secret).update(`media-tools.${user}.${window}`).digest('base64url').slice(0, 32);
  const windowOf = (ms: number): number => Math.floor(ms / windowMs);
  return {
    sign: (user, nowMs) => `${user}.${seal(user, windowOf(nowMs))}`,
    read(token, nowMs) {
      const [, id, sealed] = /^(\d{1,10})\.([\w-]{32})$/.exec(token) ?? [];
      if (id === undefined || sealed === undefined) return null;
      const user = Number(id);
      const given = Buffer.from(sealed);
      const isOurs = [0, 1].some((age) => timingSafeEqual(Buffer.from(seal(user, windowOf(nowMs) - age)), given));
      return isOurs ? user : null;
    },
  };
}
