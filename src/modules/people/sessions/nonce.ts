/**
 * Proofs that a request was meant by whoever has the session, and not by a page of another site that knows nothing of it. One is good for the
 * twelve hours in which it was made and the twelve after them, for one action of one session; nothing of it is kept.
 *
 * Source: `X-WP-Nonce` of the reference, whose ticks last half a day as well.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const tickMs = 12 * 60 * 60 * 1000;

/** @param token  of the session, which browser and request alone have */
export function nonceOf(token: string, action: string, nowMs: number): string {
  return madeAt(token, action, Math.floor(nowMs / tickMs));
}

export function isNonceOf(nonce: string, token: string, action: string, nowMs: number): boolean {
  const given = Buffer.from(nonce);
  const tick = Math.floor(nowMs / tickMs);
  const fits = [tick, tick - 1].map((one) => isSame(Buffer.from(madeAt(token, action, one)), given));
  return fits.includes(true);
}

function madeAt(token: string, action: string, tick: number): string {
  return createHmac('sha256', token).update(`${action} ${tick}`).digest('hex').slice(0, 20);
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
