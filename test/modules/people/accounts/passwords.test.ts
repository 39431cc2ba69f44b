import { scryptSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createApplicationPassword,
  hashApplicationPassword,
  hashPassword,
  verifyPassword,
} from '../../../../src/modules/people/accounts/passwords.ts';

const quick = 4;

describe('login passwords', () => {
  it('are hashed with the parameters in the hash', async () => {
    const hash = await hashPassword('Sturdy-pass-91');
    const [, scheme, cost, salt, key] = hash.split('$');
    expect([scheme, cost]).toEqual(['scrypt', 'ln=15,r=8,p=1']);
    const again = scryptSync('Sturdy-pass-91', Buffer.from(salt!, 'base64'), 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 });
    expect(again.toString('base64').replace(/=+$/, '')).toBe(key);
    expect(await verifyPassword('Sturdy-pass-91', hash)).toBe(true);
  });

  it('match only their own hash, whatever the characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), async (one, other) => {
        const hash = await hashPassword(one, quick);
        expect(await verifyPassword(one, hash)).toBe(true);
        expect(await verifyPassword(other, hash)).toBe(one === other);
        expect(hash).not.toBe(await hashPassword(one, quick));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['nothing', ''],
    ['another scheme', '$2y$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234'],
    ['cost beyond measure', '$scrypt$ln=31,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g'],
    ['no work', '$scrypt$ln=0,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2g'],
    ['no hash', '$scrypt$ln=15,r=8,p=1$c2FsdHNhbHRzYWx0$'],
  ])('match no unreadable hash: %s', async (_, hash) => {
    expect(await verifyPassword('', hash)).toBe(false);
  });
});

describe('application passwords', () => {
  it('are six groups of four letters and digits, and never the same', () => {
    const made = Array.from({ length: 50 }, () => createApplicationPassword());
    for (const { password, hash } of made) {
      expect(password).toMatch(/^[A-Za-z0-9]{4}( [A-Za-z0-9]{4}){5}$/);
      expect(hash).toMatch(/^\$hmac-sha256\$[\w+/]{43}$/);
      expect(hashApplicationPassword(password)).toBe(hash);
    }
    expect(new Set(made.map((one) => one.hash)).size).toBe(50);
  });

  const { password, hash } = createApplicationPassword();
  it.each([
    ['as shown', password, true],
    ['without spaces', password.replaceAll(' ', ''), true],
    ['with hyphens', password.replaceAll(' ', '-'), true],
    ['in other letters', password.toLowerCase() === password ? password.toUpperCase() : password.toLowerCase(), false],
    ['cut short', password.slice(0, -1), false],
    ['empty', '', false],
    ['of spaces', '    ', false],
  ])('entered %s', (_, entered, fits) => {
    expect(hashApplicationPassword(entered) === hash).toBe(fits);
  });
});
