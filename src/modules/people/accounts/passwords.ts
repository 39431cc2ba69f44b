/**
 * Secrets people sign in with: login passwords, hashed slowly, and application passwords, hashed fast because 24 random
 * characters cannot be guessed. Nothing here logs, and no error carries what was entered.
 */

import { createHmac, randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';

/** scrypt with N = 2^15, r = 8, p = 1: 32 MB and some 80 ms a try. */
const cost = { ln: 15, r: 8, p: 1 };
/** More than this in a stored hash is a mistake or an attack, not a setting: 2^20 and r = 8 need 1 GB. */
const limit = { ln: 20, r: 16, p: 4 };
const hashBytes = 32;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const applicationPasswordLength = 24;
/** Keeps these hashes apart from every other use of the same digest. It is no secret. */
const applicationPasswordKey = 'cms application password 1';

/**
 * Hash of a login password: `$scrypt$ln=15,r=8,p=1$<salt>$<hash>`, base64 without padding (PHC string format).
 *
 * @param ln  binary logarithm of the work; lower only in tests
 */
export async function hashPassword(password: string, ln = cost.ln): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, { ...cost, ln }, hashBytes);
  return `$scrypt$ln=${ln},r=${cost.r},p=${cost.p}$${toBase64(salt)}$${toBase64(hash)}`;
}

/** Whether `password` is the one hashed. A hash that cannot be read fits no password. Constant time in the password. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parsed = parseHash(stored);
  if (parsed === null) return false;
  return timingSafeEqual(await derive(password, parsed.salt, parsed, parsed.hash.length), parsed.hash);
}

/**
 * A new application password, shown once as six groups of four, and what is kept of it.
 * 24 characters of 62 are 142 random bits.
 */
export function createApplicationPassword(): { readonly password: string; readonly hash: string } {
  const characters = Array.from({ length: applicationPasswordLength }, () => letters[randomInt(letters.length)]).join('');
  return { password: characters.replace(/.{4}(?=.)/g, '$& '), hash: hashApplicationPassword(characters) };
}

/**
 * What is kept of an application password: `$hmac-sha256$<hash>`. Only letters and digits count, so it may be entered with
 * spaces, without, or with hyphens. The same password always has the same hash, which makes it a key to look up.
 */
export function hashApplicationPassword(password: string): string {
  const characters = password.replace(/[^a-z0-9]/gi, '');
  return `$hmac-sha256$${toBase64(createHmac('sha256', applicationPasswordKey).update(characters).digest())}`;
}

/** Whether a text looks like one, right or wrong. */
export function isApplicationPassword(text: string): boolean {
  return text.replace(/[^a-z0-9]/gi, '').length === applicationPasswordLength && /^[a-z0-9\s-]*$/i.test(text);
}

interface Work {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

function parseHash(stored: string): (Work & { readonly salt: Buffer; readonly hash: Buffer }) | null {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{22,86})$/.exec(stored);
  if (match === null) return null;
  const [ln, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (ln < 1 || r < 1 || p < 1 || ln > limit.ln || r > limit.r || p > limit.p) return null;
  return { ln, r, p, salt: Buffer.from(match[4] ?? '', 'base64'), hash: Buffer.from(match[5] ?? '', 'base64') };
}

function derive(password: string, salt: Buffer, { ln, r, p }: Work, length: number): Promise<Buffer> {
  // Node refuses by default above 32 MB, which N = 2^15, r = 8 just passes.
  const options = { N: 2 ** ln, r, p, maxmem: 256 * r * (2 ** ln + p) };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function toBase64(bytes: Buffer): string {
  return withoutTrailing(bytes.toString('base64'), '=');
}
