/**
 * The second factor of people who sign in with a password: six digits of an authenticator app (`otpauth`), or a recovery code. Each works once. Only
 * digests of the recovery codes are stored; the secret of the app has to be, outside the content, like everything of an account.
 *
 * Source: RFC 6238 (TOTP) with the values that every app has: SHA-1, six digits, 30 seconds.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Site } from '../../../kernel/site/site.ts';
import { accountKey, createSignInLimit, isKnownTo } from '../accounts/index.ts';
import type { Account, SecondFactor } from '../users/record.ts';

/** A new secret that is not stored yet. */
export interface Offered {
  /** Base32. */
  readonly secret: string;
  /** For apps: `otpauth://…`. */
  readonly uri: string;
  /** SVG of the same. */
  readonly picture: string;
  /** Comes back with the first code. */
  readonly seal: string;
}

/** What a code was; or how long to wait, in seconds. */
type CheckedCode = { readonly kind: 'app' | 'recovery' | 'wrong' } | { readonly kind: 'later'; readonly seconds: number };

export interface SecondFactors {
  offer(account: Account, siteName: string): Promise<Offered>;
  /** Stores the secret, if the code shows that the app has it. @returns the recovery codes, which are not shown again; null: wrong */
  enable(account: Account, seal: string, code: string): Promise<readonly string[] | null>;
  /** New recovery codes in place of the others. */
  renew(id: number): Promise<readonly string[]>;
  disable(id: number): Promise<void>;
  /** Uses a code up. @param ip  whose wrong codes are counted */
  check(id: number, code: string, ip: string | undefined): Promise<CheckedCode>;
}

const period = 30;
const offerSeconds = 30 * 60;
const recoveryCodes = 10;
/** Bytes: sixteen letters. */
const recoverySize = 10;
/** Wrong codes from one address in five minutes, a tenth of those from all addresses in an hour: six digits are few. */
const attempts = 5;

export function createSecondFactors(site: Site): SecondFactors {
  const { accounts, clock, operator, previews } = site;
  const limit = createSignInLimit({
    attempts: Math.min(attempts, operator.sign_in_attempts),
    clock,
    isKnown: isKnownTo(accounts),
  });
  const now = (): number => Math.floor(clock() / 1000);
  const sealOf = (id: number, secret: string, expires: string): string =>
    previews.seal(`second factor of ${id}: ${secret} ${expires}`);

  return {
    async offer({ id, login }, siteName) {
      const [{ Secret, TOTP }, { renderSVG }] = await Promise.all([import('otpauth'), import('uqr')]);
      const secret = new Secret({ size: 20 });
      const uri = new TOTP({ issuer: siteName.replaceAll(':', ' '), label: login, secret, period }).toString();
      const expires = String(now() + offerSeconds);
      const seal = `${secret.base32}.${expires}.${sealOf(id, secret.base32, expires)}`;
      return { secret: secret.base32, uri, picture: renderSVG(uri, { border: 4 }), seal };
    },
    async enable({ id }, seal, code) {
      const [secret = '', expires = '', given = ''] = seal.split('.', 3);
      if (!isSame(given, sealOf(id, secret, expires)) || Number(expires) <= now()) return null;
      const step = await stepOf(secret, code);
      if (step === null) return null;
      const { codes, digests } = await newRecoveryCodes();
      const factor: SecondFactor = { secret, since: now(), lastStep: step, recovery: digests };
      await accounts.change(id, (known) => ({ ...known, secondFactor: factor }));
      return codes;
    },
    async renew(id) {
      const { codes, digests } = await newRecoveryCodes();
      await accounts.change(id, (known) => withFactor(known, (factor) => ({ ...factor, recovery: digests })));
      return codes;
    },
    async disable(id) {
      await accounts.change(id, (known) => ({ ...known, secondFactor: null }));
    },
    async check(id, code, ip) {
      const attempt = limit.begin(accountKey(id), ip ?? '', 'everywhere');
      if (attempt.wait > 0) return { kind: 'later', seconds: attempt.wait };
      let kind: 'app' | 'recovery' | 'wrong' = 'wrong';
      try {
        kind = await use(id, code);
      } finally {
        attempt.end(kind !== 'wrong');
      }
      return { kind };
    },
  };

  /** Of requests with one code only the first uses it. */
  async function use(id: number, code: string): Promise<'app' | 'recovery' | 'wrong'> {
    if (!accounts.isCurrent(id)) await accounts.reread(id);
    const factor = accounts.get(id)?.secondFactor;
    const step = factor ? await stepOf(factor.secret, code) : null;
    const digest = digestOf(code);
    let kind: 'app' | 'recovery' | 'wrong' = 'wrong';
    await accounts.change(id, (known) => {
      kind = 'wrong';
      return withFactor(known, (present) => {
        if (step !== null && present.secret === factor?.secret && step > present.lastStep) {
          kind = 'app';
          return { ...present, lastStep: step };
        }
        const left = present.recovery.filter((one) => !isSame(one, digest));
        if (left.length === present.recovery.length) return present;
        kind = 'recovery';
        return { ...present, recovery: left };
      });
    });
    return kind;
  }

  /** The period for which a code is right: the present one, or one next to it. */
  async function stepOf(secret: string, code: string): Promise<number | null> {
    const token = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return null;
    const { Secret, TOTP } = await import('otpauth');
    const delta = new TOTP({ secret: Secret.fromBase32(secret), period }).validate({ token, timestamp: clock(), window: 1 });
    return delta === null ? null : Math.floor(now() / period) + delta;
  }
}

function withFactor(account: Account, alter: (factor: SecondFactor) => SecondFactor): Account {
  const { secondFactor: before } = account;
  const after = before && alter(before);
  return after === before ? account : { ...account, secondFactor: after };
}

async function newRecoveryCodes(): Promise<{ readonly codes: readonly string[]; readonly digests: readonly string[] }> {
  const { Secret } = await import('otpauth');
  const codes = Array.from({ length: recoveryCodes }, () => new Secret({ size: recoverySize }).base32.toLowerCase());
  return { codes: codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-')), digests: codes.map(digestOf) };
}

/** 80 random bits need no slow hash. Spaces, hyphens and case do not matter. */
function digestOf(code: string): string {
  return createHash('sha256')
    .update(`recovery code ${code.replace(/[\s-]/g, '').toLowerCase()}`)
    .digest('base64url');
}

function isSame(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
