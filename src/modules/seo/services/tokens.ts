/**
 * Tokens of a service: got for a code, kept in the private mount, and renewed when they have expired.
 *
 * Source: RFC 6749 4.1.3 and 6, RFC 7636; reference of seo/v1, 3.14 and 3.15
 */
import { createHash, randomBytes } from 'node:crypto';
import { environment } from '../../../kernel/environment.ts';
import { fail } from '../../../kernel/errors.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { jsonIn } from '../../../kernel/store/bytes.ts';
import type { AskService, SeoServiceAnswer } from './requests.ts';
import { ServiceError } from './requests.ts';
import type { Upstream } from './upstreams.ts';

/** As clients are shown it. */
interface Token {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Seconds since the epoch, as `created_at`. */
  readonly expires: number;
  readonly has_expired: boolean;
  readonly created_at: number;
  /** Refusals to renew it, one after the other. */
  readonly error_count: number;
}

export interface Tokens {
  /** An address part and its secret for one authorization; good for a day. */
  challenge(): Promise<string>;
  /** @param options  of a service that was asked with a challenge: what it calls the site. @throws ServiceError 401 */
  exchange(code: string, options?: { readonly website: number }): Promise<Token>;
  /** A token that has not expired. @throws ServiceError 400 without any, 401 when it cannot be renewed */
  current(): Promise<Token>;
  /** What the service calls the site; '' while it is not connected. */
  website(): Promise<string>;
  forget(): Promise<void>;
}

const dayMs = 86_400_000;

export function createTokens({ store, clock }: Pick<Site, 'store' | 'clock'>, upstream: Upstream, ask: AskService): Tokens {
  const documents = store.private;
  const [tokenKey, verifierKey, websiteKey] = ['', '-verifier', '-website'].map(
    (part) => `seo/secrets/${upstream.name}${part}.json`,
  ) as [string, string, string];
  let renewing: Promise<Token> | null = null;
  const seconds = (): number => Math.floor(clock() / 1000);

  return {
    async challenge() {
      mustKeep();
      const verifier = randomBytes(48).toString('base64url');
      await save(verifierKey, { verifier, until: clock() + dayMs });
      return createHash('sha256').update(verifier).digest('base64url');
    },
    async exchange(code, challenged) {
      mustKeep();
      const verifier = challenged ? await verifierInForce() : undefined;
      const grant = { grant_type: 'authorization_code', code, ...(verifier === undefined ? {} : { code_verifier: verifier }) };
      const token = await request(grant);
      await save(tokenKey, token);
      if (challenged) {
        await save(websiteKey, { id: challenged.website });
        await documents.remove(verifierKey);
      }
      return token;
    },
    website: async () => String((await load(websiteKey)).id ?? ''),
    async current() {
      const known = await read();
      if (!known || !upstream.isSet) throw new ServiceError(400, 'The site is not connected to the service.');
      if (known.expires > seconds()) return known;
      mustKeep();
      // Concurrent requests renew an expired token once.
      renewing ??= renew(known).finally(() => {
        renewing = null;
      });
      return renewing;
    },
    async forget() {
      for (const key of [tokenKey, verifierKey, websiteKey]) await documents.remove(key);
    },
  };

  /** What is given once and cannot be kept would be lost: the process that can is asked instead, where there is one. */
  function mustKeep(): void {
    if (store.readOnly) fail('rest_read_only');
  }

  async function renew(known: Token): Promise<Token> {
    try {
      const token = await request({ grant_type: 'refresh_token', refresh_token: known.refresh_token }, known.refresh_token);
      await save(tokenKey, token);
      return token;
    } catch (error) {
      // One rejection may be a mistake of the service; two in a row are not.
      if (error instanceof GrantError) {
        if (known.error_count > 0) await documents.remove(tokenKey);
        else await save(tokenKey, { ...known, error_count: known.error_count + 1 });
      }
      throw error;
    }
  }

  /** @param former  refresh token that stays where the service gives no other. @throws ServiceError 401 */
  async function request(grant: Readonly<Record<string, string>>, former = ''): Promise<Token> {
    if (!upstream.isSet) throw failure('no service is set up');
    const { client_id, client_secret_env: variable, redirect_uri } = upstream;
    const client_secret = variable === '' ? undefined : environment[variable];
    const form = { client_id, ...(client_secret === undefined ? {} : { client_secret }), redirect_uri, ...grant };
    const answered = await ask(upstream.auth_base_url + upstream.token_path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      timeoutMs: upstream.timeout_ms,
    }).catch((error: unknown) => {
      throw error instanceof ServiceError ? failure(error.message) : error;
    });
    return tokenIn(answered, former, seconds());
  }

  async function verifierInForce(): Promise<string> {
    const known = await load(verifierKey);
    if (!isText(known.verifier) || !(Number(known.until) > clock())) throw failure('no authorization was begun in the last day');
    return known.verifier;
  }

  async function read(): Promise<Token | null> {
    const known = await load(tokenKey);
    return isText(known.access_token) && isText(known.refresh_token) && Number(known.expires) > 0
      ? (known as unknown as Token)
      : null;
  }

  /** What cannot be read counts as nothing: it is got anew. */
  async function load(key: string): Promise<Readonly<Record<string, unknown>>> {
    return mapOf(jsonIn(await documents.get(key)));
  }

  async function save(key: string, value: unknown): Promise<void> {
    await documents.set(key, Buffer.from(JSON.stringify(value)));
  }
}

/** @param now  seconds since the epoch. @throws ServiceError 401 */
function tokenIn({ status, body }: SeoServiceAnswer, former: string, now: number): Token {
  const reason = reasonIn(body);
  if (reason === 'invalid_grant') throw new GrantError(401, failure(reason).message);
  if (status < 200 || status > 299 || reason !== '') throw failure(reason || `the service answered ${status}`);
  const { access_token, refresh_token = former } = body;
  const expires = expiryIn(body, now);
  if (!isText(access_token) || !isText(refresh_token) || expires === null) throw failure('the service gave no token');
  return { access_token, refresh_token, expires, has_expired: false, created_at: now, error_count: 0 };
}

/** Null for none. Services say when it is, or for how long. */
function expiryIn({ expires_in: lifetime, expires }: Readonly<Record<string, unknown>>, now: number): number | null {
  const [inSeconds, at] = [Number(lifetime ?? 0), Number(expires ?? 0)];
  if (inSeconds > 0) return now + Math.floor(inSeconds);
  if (!(at > 0)) return null;
  return at > 1e9 ? Math.floor(at) : now + Math.floor(at);
}

/** The service does not take the refresh token any more. */
class GrantError extends ServiceError {}

function failure(reason: string): ServiceError {
  return new ServiceError(401, `Authentication failed: ${reason}`);
}

function reasonIn({ error, message }: Readonly<Record<string, unknown>>): string {
  const said = error ?? message;
  return typeof said === 'string' ? said : isMap(said) && typeof said.message === 'string' ? said.message : said ? 'refused' : '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
