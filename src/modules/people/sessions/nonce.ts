/**
 * Nonces: proof that a request comes from the holder of a session, not from another site's page. Valid for the twelve hours in which it was made and
 * the next twelve, for one action of one session; nothing is stored.
 *
 * Source: `X-WP-Nonce` of the reference, which also lasts half a day.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const tickMs = 12 * 60 * 60 * 1000;

/** @param token  of the session, known only to the browser and the request */
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
