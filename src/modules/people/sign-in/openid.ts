/**
 * Signing in at an OpenID provider: the page that sends a browser there, and the one to which it comes back. What belongs to a sign-in under way is
 * in a sealed cookie for ten minutes, so that every process can continue it; nothing of it is stored.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { type Dialect, neutral } from '../../../kernel/rest/dialect.ts';
import { originOf, type Page, type Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import {
  type Checks,
  createPeople,
  createProvider,
  isSubject,
  type NoAccount,
  type OpenIdSettings,
  ProviderError,
} from '../openid/index.ts';
import { cookieIn, cookieName, printCookie } from '../sessions/index.ts';
import type { OpenSession } from '../sessions/record.ts';
import type { Account } from '../users/record.ts';
import { ownPath } from './guard.ts';
import { htmlPage, nameOf, redirectPage } from './html.ts';

/** `action` of the page that sends a browser to the provider. */
export const openIdAction = 'openid';
/** Where it comes back, the same in both dialects: providers know one address. */
export const openIdPath = `/${neutral.admin}/openid`;

export interface OpenIdPages {
  readonly settings: OpenIdSettings;
  start(url: string, visit: Visit, dialect: Dialect): Promise<Page>;
  finish(url: string, visit: Visit): Promise<Page>;
  /** Where somebody who signs out here signs out there; null: nowhere. */
  leave(open: OpenSession, visit: Visit): Promise<URL | null>;
}

/** A sign-in under way. */
interface Flow extends Checks {
  /** Where the person goes then. */
  readonly target: string;
  /** Id of the account to connect; 0 to sign in. */
  readonly connect: number;
}

const lifeSeconds = 600;
/** Who signs out here does not wait longer for a provider that has to be asked first. */
const patienceMs = 3000;
/** It is kept with the session, and comes back in an address. */
const longestToken = 4096;
/** Sign-ins that were finished, so that no address is used twice. */
const mostFinished = 1000;

export function createOpenIdPages(site: Site, settings: OpenIdSettings, log: (line: string) => void): OpenIdPages {
  const provider = createProvider(site, settings);
  const people = createPeople(site, settings);
  const finished = new Set<string>();

  return {
    settings,
    async start(url, visit, { admin, login }) {
      const query = new URL(url, 'http://localhost').searchParams;
      const open = await site.sessions.find(visit);
      const connects = query.get('connect');
      if (connects !== null && !open?.isNonce(connects, 'form')) return redirectPage(`/${admin}/profile.php`);
      const wanted = ownPath(query.get('redirect_to') ?? '', site.url) ?? `/${admin}/profile.php`;
      const flow: Flow = {
        ...checks(),
        target: connects === null ? wanted : `/${admin}/profile.php?done=connected`,
        connect: connects === null ? 0 : (open?.account.id ?? 0),
      };
      if (open && connects === null) return redirectPage(wanted);
      try {
        const address = await provider.addressFor(redirectUri(visit), flow);
        return redirectPage(address.href, { 'Set-Cookie': printCookie(nameFor(visit), sealed(flow), lifeSeconds, visit.client) });
      } catch (error) {
        return failed(error, `/${login}`);
      }
    },
    async finish(url, visit) {
      const flow = opened(cookieIn(visit.headers.cookie, nameFor(visit)) ?? '');
      const back = new URL(redirectUri(visit) + url.slice(openIdPath.length));
      if (!flow || back.searchParams.get('state') !== flow.state || finished.has(flow.state)) return page(notOurs);
      finished.add(flow.state);
      if (finished.size > mostFinished) finished.delete(finished.values().next().value as string);
      try {
        const { claims, idToken } = await provider.claims(back, flow);
        if (!isSubject(claims.sub)) return refused('unknown', visit);
        if (site.store.readOnly) return page(readOnly);
        const open = flow.connect === 0 ? null : await site.sessions.find(visit);
        if (flow.connect !== 0 && open?.account.id !== flow.connect) return page(notOurs);
        const account = await (open ? people.connect(flow.connect, claims) : people.find(claims));
        if (typeof account === 'string') return refused(account, visit);
        return open ? redirectPage(flow.target) : signedIn(account, flow, visit, idToken);
      } catch (error) {
        return failed(error, `/${neutral.login}`);
      }
    },
    async leave({ session }, visit) {
      if (!settings.signsOut || session.idToken === '') return null;
      try {
        const back = `${originFor(visit)}/${neutral.login}?loggedout=true`;
        const late = wait(patienceMs, 'late' as const, { ref: false });
        const address = await Promise.race([provider.signOut(session.idToken, back), late]);
        if (address !== 'late') return address;
        log(`openid: no answer in ${patienceMs / 1000} s, so nobody is asked to sign out there`);
        return null;
      } catch (error) {
        // Here they sign out anyway.
        if (!(error instanceof ProviderError)) throw error;
        log(error.message);
        return null;
      }
    },
  };

  async function signedIn(account: Account, { target }: Flow, visit: Visit, idToken: string): Promise<Page> {
    const hint = settings.signsOut && idToken.length <= longestToken ? idToken : '';
    const cookie = await site.sessions.begin(account, visit, { idToken: hint });
    site.audit.note({ event: 'sign-in', by: account.id, ip: visit.client.ip, with: settings.issuer });
    return redirectPage(target, { 'Set-Cookie': cookie });
  }

  function refused(why: NoAccount, { client }: Visit): Page {
    site.audit.note({ event: 'sign-in.refused', ip: client.ip, why, with: settings.issuer });
    return page(refusals(settings.name)[why]);
  }

  function failed(error: unknown, login: string): Page {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind !== 'cancelled') log(error.message);
    return page(faults(settings.name)[error.kind], login);
  }

  function page({ title, sentence, status }: Note, login = `/${neutral.login}`): Page {
    const body = `<p>${sentence}</p><p><a href="${login}">Back to sign-in</a></p>`;
    return htmlPage(nameOf(site), title, body, { status });
  }

  function redirectUri(visit: Visit): string {
    return originFor(visit) + openIdPath;
  }

  function originFor({ headers, client }: Visit): string {
    return site.browserUrl(originOf(headers, client));
  }

  function nameFor({ client }: Visit): string {
    return cookieName('openid', site.url, client);
  }

  function sealed(flow: Flow): string {
    const text = Buffer.from(JSON.stringify([Math.floor(site.clock() / 1000) + lifeSeconds, flow])).toString('base64url');
    return `${text}.${sealOf(text)}`;
  }

  function opened(cookie: string): Flow | null {
    const [text = '', seal = ''] = cookie.split('.');
    const [given, right] = [Buffer.from(seal), Buffer.from(sealOf(text))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
    const [expires, flow] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [number, Flow];
    return expires * 1000 > site.clock() ? flow : null;
  }

  function sealOf(text: string): string {
    return site.previews.seal(`openid flow: ${text}`);
  }
}

function checks(): Checks {
  const [state, nonce, verifier] = [24, 24, 32].map((bytes) => randomBytes(bytes).toString('base64url')) as [
    string,
    string,
    string,
  ];
  return { state, nonce, verifier };
}

interface Note {
  readonly title: string;
  /** HTML. */
  readonly sentence: string;
  readonly status: number;
}

const notOurs: Note = {
  title: 'Please sign in again',
  sentence: 'This sign-in has expired, was already used, or was started in another browser.',
  status: 400,
};
const readOnly: Note = {
  title: 'Site is read-only',
  sentence: 'This site is read-only at the moment. Try again later.',
  status: 503,
};

/** @param provider  its name */
function faults(provider: string): Readonly<Record<ProviderError['kind'], Note>> {
  const name = escapeHtml(provider);
  return {
    away: {
      title: `${provider} cannot be reached`,
      sentence: `${name}, where you sign in, does not answer properly at the moment. Try again later; nothing is wrong with your account.`,
      status: 502,
    },
    cancelled: { title: 'You are not signed in', sentence: `The sign-in at ${name} was cancelled.`, status: 403 },
    refused: { title: 'Please sign in again', sentence: `The response of ${name} is not valid for this sign-in.`, status: 400 },
  };
}

/** @param provider  its name */
function refusals(provider: string): Readonly<Record<NoAccount, Note>> {
  const name = escapeHtml(provider);
  const title = 'You do not have access to this site';
  return {
    unknown: {
      title,
      sentence: `${name} knows you, but you have no account on this site. Ask its administrator for one.`,
      status: 403,
    },
    taken: {
      title,
      sentence: `An account on this site has your email address, but the address is not verified. If the account is yours, sign in another way and connect ${name} on your profile page.`,
      status: 403,
    },
    bound: { title, sentence: `The account is already connected to somebody else at ${name}.`, status: 403 },
    'no-role': { title, sentence: `${name} does not give you a role on this site. Ask its administrator.`, status: 403 },
  };
}
