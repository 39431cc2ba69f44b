/**
 * Browser sessions. A digest of each token is stored with the account, outside the content, so that ending an account or changing its password ends
 * its sessions with the next request, in every process.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Account, Session } from '../users/record.ts';
import { cookieIn, cookieName, printCookie } from './cookie.ts';
import { isNonceOf, nonceOf } from './nonce.ts';
import type { OpenSession, Sessions } from './record.ts';

const day = 24 * 60 * 60;
/** Lifetime in seconds: as in the reference, two days, or two weeks if remembered. */
const lasting = { short: 2 * day, long: 14 * day };
/** Sessions per account; the oldest is removed. */
const most = 50;
/** Seconds between two records of a session's use. */
const noteEvery = 60 * 60;
const longestAgent = 200;

type Uses = Pick<Site, 'accounts' | 'clock' | 'operator' | 'url'>;

export function createSessions(site: Uses): Sessions {
  const { accounts, clock, operator } = site;
  const now = (): number => Math.floor(clock() / 1000);

  return {
    async find({ headers, client }) {
      if (operator.require_https && !client.isPrivate) return null;
      const sent = sentBy(headers, cookieName('session', site.url, client));
      if (!sent) return null;
      if (!accounts.isCurrent(sent.id)) await accounts.reread(sent.id);
      const account = accounts.get(sent.id);
      const session = account && goesOn(account, digestOf(sent.token), now());
      if (!account || !session) return null;
      if (now() >= session.lastUsed + noteEvery) accounts.noteUse(account.id, session.hash, now(), client.ip ?? null);
      return openSession(account, session, sent.token);
    },
    async begin(account, { headers, client }, { isLong = false, idToken = '' } = {}) {
      const token = randomBytes(32).toString('base64url');
      const name = cookieName('session', site.url, client);
      const before = sentBy(headers, name);
      if (before && before.id !== account.id) await drop(before.id, (one) => one.hash === digestOf(before.token));
      const length = isLong ? lasting.long : lasting.short;
      const { 'user-agent': agent } = headers;
      await accounts.change(account.id, (known) => ({
        ...known,
        sessions: [
          ...known.sessions.filter((one) => goesOn(known, one.hash, now()) && one.hash !== (before && digestOf(before.token))),
          {
            hash: digestOf(token),
            bound: boundTo(known),
            created: now(),
            expires: now() + length,
            lastUsed: now(),
            lastIp: client.ip ?? null,
            agent: typeof agent === 'string' ? agent.slice(0, longestAgent) : '',
            idToken,
          },
        ].slice(-most),
      }));
      return printCookie(name, `${account.id}.${token}`, isLong ? length : null, client);
    },
    end: (id, which) => drop(id, (one) => ('hash' in which ? one.hash === which.hash : one.hash !== which.allBut)),
    forget: (client) => printCookie(cookieName('session', site.url, client), '', 0, client),
  };

  async function drop(id: number, goes: (one: Session) => boolean): Promise<void> {
    await accounts.change(id, (known) =>
      known.sessions.some(goes) ? { ...known, sessions: known.sessions.filter((one) => !goes(one)) } : known,
    );
  }

  function openSession(account: Account, session: Session, token: string): OpenSession {
    return {
      account,
      session,
      nonce: (action) => nonceOf(token, action, clock()),
      isNonce: (nonce, action) => isNonceOf(nonce, token, action, clock()),
    };
  }
}

/** Account and token in the cookie; null if malformed. */
function sentBy({ cookie }: Visit['headers'], name: string): { readonly id: number; readonly token: string } | null {
  const [, id, token] = /^(\d{1,10})\.([\w-]{43})$/.exec(cookieIn(cookie, name) ?? '') ?? [];
  return id === undefined || token === undefined ? null : { id: Number(id), token };
}

/** The session with a digest, if it is still valid. @param now  seconds since the epoch */
function goesOn(account: Account, digest: string, now: number): Session | undefined {
  const bound = boundTo(account);
  return account.sessions.find((one) => isSame(one.hash, digest) && one.expires > now && one.bound === bound);
}

/** Changes with the login password, and reveals nothing about it. */
function boundTo({ passwordHash }: Account): string {
  return digestOf(`login ${passwordHash}`).slice(0, 22);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
