/**
 * Identifies the sender of a request: HTTP Basic or a Bearer token with an application password, or a browser session with its nonce. Login passwords
 * are refused. Wrong or malformed credentials make the request anonymous, and so does a session without a nonce, because another site may have sent
 * it; a wrong nonce is refused.
 *
 * The work per request is bounded: one or two digests, and a comparison with each application password of one account. Verified headers are cached by
 * digest until accounts change, and trusted only after a stat of the account's document, so that a revocation by another process takes effect at
 * once.
 * Source: conformance scenario authentication; reference notes, "Authentication and errors".
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { RestError } from '../../../kernel/errors.ts';
import type { Account, ApplicationPassword } from '../users/record.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { Authenticated, Authenticator } from '../../../kernel/site/serving.ts';
import { hashApplicationPassword, isApplicationPassword } from './passwords.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { limitsOf, type ScopedSite } from './scope.ts';
import type { OpenSession } from '../sessions/record.ts';

interface KnownCredential {
  readonly user: Actor;
  readonly credential: string;
  /** At the last recorded use. */
  usedFrom: string | null;
  /** Seconds since the epoch of the last recorded use; null: none. */
  usedAt: number | null;
}

const maxKnown = 1000;
/** Seconds between two records of one password's use, from the same address and from another. */
const noteEvery = { same: 24 * 60 * 60, other: 60 };
const visitor: Authenticated = { user: null };

/** @param nonceHeaders  lower-case header names that only come with a session */
export function createAuthenticator(
  site: ScopedSite & Pick<Site, 'accounts' | 'clock' | 'signIns' | 'sessions' | 'operator'>,
  nonceHeaders: readonly string[],
): Authenticator {
  const { accounts, clock, signIns, operator } = site;
  const known = new Map<string, KnownCredential>();
  const checking = new Map<string, Promise<KnownCredential | RestError | null>>();
  accounts.onChange(() => known.clear());
  return {
    recall(header) {
      void accounts.refresh();
      const found = known.get(keyOf(header));
      return found && accounts.isCurrent(found.user.id) && !signIns.isLocked(accountKey(found.user.id))
        ? found.credential
        : undefined;
    },
    async authenticate(headers, client, nonce = nonceHeaders.map((name) => headers[name]).find((one) => one !== undefined)) {
      const { authorization: header } = headers;
      const { ip } = client;
      const isTaken = header !== undefined && (client.isPrivate || !operator.require_https);
      const found = isTaken ? await signIn(header, ip ?? '') : null;
      if (found instanceof RestError) return { user: null, refusal: found };
      if (found) {
        note(found, ip);
        // A revocation by another process takes effect soon.
        void accounts.refresh();
        return { user: found.user, credential: found.credential };
      }
      const told =
        header === undefined ? visitor : { user: null, told: { Auth: isTaken ? faultOf(header) : 'insecure-connection' } };
      const open = headers.cookie === undefined ? null : await site.sessions.find({ headers, client });
      if (nonce !== undefined) return open ? confirmed(open, nonce) : unconfirmed();
      return open ? { user: null, session: { user: actorOf(open.account), confirm: (sent) => confirmed(open, sent) } } : told;
    },
  };

  async function signIn(header: string, address: string): Promise<KnownCredential | RestError | null> {
    const key = keyOf(header);
    const before = known.get(key);
    if (before) {
      const seconds = signIns.wait(accountKey(before.user.id), address);
      if (seconds > 0) return tooMany(seconds);
      await confirm(before.user.id);
      // Unchanged meanwhile.
      if (known.get(key) === before) return before;
    }
    const sent = readSent(header);
    if (!sent) return null;
    // Concurrent requests with one header are one attempt.
    const attempt = `${key} ${address}`;
    const running = checking.get(attempt) ?? check(key, sent, address).finally(() => checking.delete(attempt));
    checking.set(attempt, running);
    return running;
  }

  async function check(key: string, { name, password }: Sent, address: string): Promise<KnownCredential | RestError | null> {
    const account = accountKey(accounts.byLogin(name)?.id ?? name);
    // Generated passwords cannot be guessed: right ones work despite attempts elsewhere.
    const attempt = signIns.begin(account, address);
    if (attempt.wait > 0) return tooMany(attempt.wait);
    let found: KnownCredential | null = null;
    try {
      const hash = Buffer.from(hashApplicationPassword(password));
      found = await matchNow(name, hash);
      if (!found) {
        // Another process may have created it a moment ago.
        await accounts.refresh(name);
        found = await matchNow(name, hash);
      }
    } finally {
      attempt.end(found !== null);
    }
    if (found) remember(key, found);
    return found;
  }

  async function matchNow(name: string, hash: Buffer): Promise<KnownCredential | null> {
    const account = accounts.byLogin(name);
    if (account) await confirm(account.id);
    return match(accounts.byLogin(name), hash, site);
  }

  /** Ingests the account's current document. */
  async function confirm(id: number): Promise<void> {
    if (!accounts.isCurrent(id)) await accounts.reread(id);
  }

  function remember(key: string, found: KnownCredential): void {
    if (known.size >= maxKnown) known.delete(known.keys().next().value as string);
    known.set(key, found);
  }

  /** Once a day, and when the address changes; soon, not now. */
  function note(found: KnownCredential, ip: string | undefined): void {
    const now = Math.floor(clock() / 1000);
    const rest = found.usedFrom === (ip ?? null) ? noteEvery.same : noteEvery.other;
    if (found.usedAt !== null && now < found.usedAt + rest) return;
    found.usedAt = now;
    found.usedFrom = ip ?? null;
    accounts.noteUse(found.user.id, found.credential, now, ip ?? null);
  }
}

/** The user of a session with a nonce; the response has the next one. */
function confirmed(open: OpenSession, nonce: string): Authenticated {
  return open.isNonce(nonce, 'rest') ? { user: actorOf(open.account), told: { Nonce: open.nonce('rest') } } : unconfirmed();
}

function unconfirmed(): Authenticated {
  return { user: null, refusal: new RestError('rest_cookie_invalid_nonce') };
}

const actors = new WeakMap<Account, Actor>();

/** Cached per state of an account. */
export function actorOf(account: Account): Actor {
  const { id, roles, capabilities } = account;
  const actor = actors.get(account) ?? { id, roles, capabilities };
  actors.set(account, actor);
  return actor;
}

function keyOf(header: string): string {
  return createHash('sha256').update(header).digest('base64');
}

/** The key of attempts: an account has several names, and unknown ones count too. */
export function accountKey(account: number | string): string {
  return typeof account === 'number' ? String(account) : `"${account.toLowerCase().slice(0, 100)}"`;
}

function tooMany(seconds: number): RestError {
  return new RestError('rest_too_many_attempts', { retry_after: seconds });
}

interface Sent {
  readonly name: string;
  readonly password: string;
}

/**
 * Name and password of a Basic header (RFC 7617), or of a Bearer token, which is the same or plain `name:password`, for programs that only know
 * tokens. Null if it is neither, or has no name, or no letter or digit in the password.
 */
function readSent(header: string): Sent | null {
  const [, scheme, sent = ''] = /^(Basic|Bearer) +(\S+)\s*$/i.exec(header) ?? [];
  if (scheme === undefined) return null;
  if (/^bearer$/i.test(scheme)) {
    const found = partsOf(sent.includes(':') ? sent : decoded(sent));
    // Other kinds of tokens are not attempts to sign in.
    return found && isApplicationPassword(found.password) ? found : null;
  }
  return /^[\w+/=-]+$/.test(sent) ? partsOf(decoded(sent)) : null;
}

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}

function partsOf(text: string): Sent | null {
  const colon = text.indexOf(':');
  const [name, password] = [text.slice(0, colon).trim(), text.slice(colon + 1)];
  return colon < 1 || name === '' || !/[a-z\d]/i.test(password) ? null : { name, password };
}

/** What is wrong with credentials, without revealing accounts. */
function faultOf(header: string): string {
  if (!/^(?:Basic|Bearer)\b/i.test(header)) return 'unknown-scheme';
  const sent = readSent(header);
  if (!sent) return 'malformed';
  return isApplicationPassword(sent.password) ? 'wrong-name-or-password' : 'not-an-application-password';
}

/** Compares with every password of the account, and with a dummy without an account. */
function match(account: Account | undefined, hash: Buffer, site: ScopedSite): KnownCredential | null {
  let found: ApplicationPassword | null = null;
  for (const one of account?.applicationPasswords ?? [nobody]) if (isEqual(hash, Buffer.from(one.hash))) found = one;
  if (!account || !found) return null;
  const { uuid, lastUsed, lastIp, scope } = found;
  const user = scope === undefined ? actorOf(account) : { ...actorOf(account), ...limitsOf(scope, site) };
  return { user, credential: uuid, usedAt: lastUsed, usedFrom: lastIp };
}

const nobody = {
  uuid: '',
  appId: '',
  name: '',
  hash: hashApplicationPassword('nobody'),
  created: 0,
  lastUsed: null,
  lastIp: null,
};

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
