/**
 * One call of a service: credentials, time limit, size limit, and errors that say whose fault it is. Nothing follows a redirect, and
 * credentials go to the address of the call alone.
 *
 * Source: reference on languages, 11, 13.9.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { environment } from '../../../kernel/environment.ts';
import { fail } from '../../../kernel/errors.ts';
import { createOperatorFetcher, FetchError, type Fetched, type Fetcher } from '../../../http-client/fetch.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { ServiceAnswer, ServiceCall, SiteIdentity } from './record.ts';
import type { Auth, EditorSettings } from './settings.ts';

export const maxAnswerBytes = 10 * 1024 * 1024;

/** Names in queries that only this client gives. */
export const reservedNames: readonly string[] = ['shared_key', 'signature', 'token', 'website_uuid'];

export type ServiceClient = (
  base: string,
  settings: Pick<EditorSettings, 'auth' | 'timeoutMs'>,
  call: ServiceCall,
) => Promise<ServiceAnswer>;

export function createServiceClient({ operator }: Pick<Site, 'operator'>, identity: SiteIdentity): ServiceClient {
  const fetchers = new Map<number, Fetcher>();
  return async (base, { auth, timeoutMs }, { method, path, body, headers = {}, maxBytes = maxAnswerBytes }) => {
    const fetcher = fetchers.get(timeoutMs) ?? createOperatorFetcher(operator, { timeoutMs });
    fetchers.set(timeoutMs, fetcher);
    const url = auth.mode === 'hmac' ? await signed(identity, method, base + path, body) : base + path;
    const all = { Accept: 'application/json', ...headers, ...credentials(auth) };
    const answer = await sent(fetcher, { method, ...(body === undefined ? {} : { body }) }, url, all, maxBytes);
    const { status, headers: given, isCut } = answer;
    if (isCut) fail('lang_upstream_error', { upstream_status: status }, 'The answer of the service is too large.');
    if (status >= 300 && status < 400 && status !== 304)
      fail('lang_upstream_error', { upstream_status: status }, 'The service answered with a redirect, which is not followed.');
    return { status, headers: given, body: answer.body };
  };
}

/** The value of an answer. @throws RestError lang_upstream_error for a status of 400 and more, and for what is not JSON */
export function jsonOf({ status, body }: ServiceAnswer): unknown {
  if (status >= 400) fail('lang_upstream_error', { upstream_status: status }, `The service answered ${status}.`);
  if (body.length === 0) return null;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return fail('lang_upstream_error', { upstream_status: status }, 'The answer of the service is not JSON.');
  }
}

/** Asked once more where nothing can have happened: a GET whose connection was reset. */
async function sent(
  fetcher: Fetcher,
  call: Parameters<Fetcher['send']>[1],
  url: string,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
): Promise<Fetched> {
  const options = { headers, maxBytes, own: [new URL(url).origin] };
  for (let tries = 1; ; tries++) {
    try {
      return await fetcher.send(url, call, options);
    } catch (error) {
      const code = causeOf(error);
      if (code === 'ECONNRESET' && call.method === 'GET' && tries === 1) continue;
      if (code === 'timeout') fail('lang_upstream_timeout');
      if (!(error instanceof FetchError)) throw error;
      // The URL may contain a signature, so neither it nor the error message is passed on.
      return fail('lang_upstream_unreachable');
    }
  }
}

/** Why nothing came: `timeout`, or the code of the system. */
function causeOf(error: unknown): string {
  for (let one = error as { name?: string; code?: unknown; cause?: unknown } | undefined; one; one = one.cause as typeof one) {
    if (one.name === 'TimeoutError' || one.code === 'ETIMEDOUT' || one.code === 23) return 'timeout';
    if (typeof one.code === 'string' && /^E[A-Z]+$/.test(one.code)) return one.code;
  }
  return '';
}

function credentials({ mode, tokenEnv }: Auth): Readonly<Record<string, string>> {
  const secret = (environment[tokenEnv] ?? '').trim();
  if (mode === 'bearer') return { Authorization: `Bearer ${secret}` };
  return mode === 'basic' ? { Authorization: `Basic ${Buffer.from(secret).toString('base64')}` } : {};
}

/** An address with the signature of the site: of the method, the address, and the digest of the body. */
async function signed(identity: SiteIdentity, method: string, url: string, body: string | undefined): Promise<string> {
  const keys = await identity.keys();
  const address = new URL(url);
  address.searchParams.set('website_uuid', await identity.uuid());
  if (keys === null) return address.href;
  address.searchParams.set('shared_key', keys.shared);
  address.searchParams.set('token', randomUUID());
  const canonical = new URL(address);
  if (method !== 'GET' && body !== undefined) canonical.searchParams.set('body', createHash('md5').update(body).digest('hex'));
  const signature = createHmac('sha256', keys.secret)
    .update(method.toLowerCase() + canonical.href)
    .digest('base64');
  address.searchParams.set('signature', signature);
  return address.href;
}
