/** Challenges: random, sealed with the time until which they hold, and used once. Nothing is stored before one comes back. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Site } from '../../../kernel/site/site.ts';

interface Challenges {
  /** @returns the challenge and its seal, which the form brings back */
  create(): { readonly challenge: string; readonly seal: string };
  /** The challenge of a seal; null if it has expired, was used or is not ours. */
  take(seal: string): string | null;
}

/** A page may stay open for a while. */
const lifeSeconds = 60 * 60;
/** Used ones. */
const most = 10_000;

/** @param purpose  a seal for one is none for another */
export function createChallenges({ previews, clock }: Pick<Site, 'previews' | 'clock'>, purpose: string): Challenges {
  const used = new Set<string>();
  const sealOf = (challenge: string, expires: string): string => previews.seal(`${purpose}: ${challenge} ${expires}`);
  return {
    create() {
      const challenge = randomBytes(32).toString('base64url');
      const expires = String(Math.floor(clock() / 1000) + lifeSeconds);
      return { challenge, seal: `${challenge}.${expires}.${sealOf(challenge, expires)}` };
    },
    take(seal) {
      const [challenge = '', expires = '', given = ''] = seal.split('.', 3);
      const [a, b] = [Buffer.from(given), Buffer.from(sealOf(challenge, expires))];
      if (a.length !== b.length || !timingSafeEqual(a, b) || Number(expires) * 1000 <= clock() || used.has(challenge))
        return null;
      used.add(challenge);
      if (used.size > most) used.delete(used.values().next().value as string);
      return challenge;
    },
  };
}
