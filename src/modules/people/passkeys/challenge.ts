/** Challenges: random, and sealed with the time until which they hold. Nothing is stored before one comes back; then the account knows that it was used. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Site } from '../../../kernel/site/site.ts';

interface Challenges {
  /** @returns the challenge and its seal, which the form brings back */
  create(): { readonly challenge: string; readonly seal: string };
  /** The challenge of a seal, and until when it holds; null if it has expired or is not ours. */
  read(seal: string): Challenge | null;
}

export interface Challenge {
  readonly challenge: string;
  /** Seconds since the epoch. */
  readonly until: number;
}

/** A page may stay open for a while. */
const lifeSeconds = 60 * 60;

/** @param purpose  a seal for one is none for another */
export function createChallenges({ previews, clock }: Pick<Site, 'previews' | 'clock'>, purpose: string): Challenges {
  const sealOf = (challenge: string, expires: string): string => previews.seal(`${purpose}: ${challenge} ${expires}`);
  return {
    create() {
      const challenge = randomBytes(32).toString('base64url');
      const expires = String(Math.floor(clock() / 1000) + lifeSeconds);
      return { challenge, seal: `${challenge}.${expires}.${sealOf(challenge, expires)}` };
    },
    read(seal) {
      const [challenge = '', expires = '', given = ''] = seal.split('.', 3);
      const [a, b] = [Buffer.from(given), Buffer.from(sealOf(challenge, expires))];
      const isOurs = a.length === b.length && timingSafeEqual(a, b) && Number(expires) * 1000 > clock();
      return isOurs ? { challenge, until: Number(expires) } : null;
    },
  };
}
