/**
 * The provider, asked by `openid-client`: authorization code flow with PKCE, state and nonce. All requests go through the fetcher of the operator,
 * so a provider cannot send the server into the private network; only the issuer itself, which the operator named, may be there.
 *
 * Source: OpenID Connect Core 1.0, RP-Initiated Logout 1.0; RFC 7636 (PKCE), RFC 9207 (issuer in the response).
 */
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import { createOperatorFetcher, FetchError } from '../../../http-client/fetch.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { OpenIdSettings } from './settings.ts';

/** What the provider states about a person. */
export interface Claims {
  readonly sub: string;
  readonly [name: string]: unknown;
}

/** Secrets of one sign-in, which only the browser and this site know. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Provider {
  /** @throws ProviderError */
  addressFor(redirectUri: string, checks: Checks): Promise<URL>;
  /** @param back  the URL at which the browser came back. @throws ProviderError */
  claims(back: URL, checks: Checks): Promise<{ readonly claims: Claims; readonly idToken: string }>;
  /** Where a browser signs out of the provider; null if that has no such page. @param back  to come back to. @throws ProviderError */
  signOut(idToken: string, back: string): Promise<URL | null>;
}

/** `away`: it cannot be asked, or its answers make no sense; `cancelled`: the person does not want to; `refused`: the sign-in is not valid. */
export class ProviderError extends Error {
  readonly kind: 'away' | 'cancelled' | 'refused';
  constructor(kind: ProviderError['kind'], cause: unknown) {
    super(`openid: ${sentencesOf(cause)}`, { cause });
    this.kind = kind;
  }
}

type Client = typeof import('openid-client');

/** What was discovered is asked for again after this time. */
const lifetimeMs = 60 * 60 * 1000;

export function createProvider({ operator, clock }: Pick<Site, 'operator' | 'clock'>, settings: OpenIdSettings): Provider {
  const fetcher = createOperatorFetcher(operator);
  const own = [new URL(settings.issuer).origin];
  let known: { readonly at: number; readonly found: Promise<Configuration> } | null = null;

  const ask: CustomFetch = async (url, { method, headers, body, signal }) => {
    const sent = { method, ...(body === undefined || body === null ? {} : { body: String(body) }) };
    const answer = await fetcher.send(url, sent, { headers, own, signal });
    const told = Object.entries(answer.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
    const hasNoBody = answer.status === 204 || answer.status === 304;
    return new Response(hasNoBody ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: new Headers(told as [string, string][]),
    });
  };

  async function discover(client: Client): Promise<Configuration> {
    const { issuer, clientId, secret } = settings;
    const server = new URL(issuer);
    const found = await client.discovery(server, clientId, undefined, secret === '' ? client.None() : authOf(client, secret), {
      [client.customFetch]: ask,
      execute: server.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    });
    client.enableNonRepudiationChecks(found);
    return found;
  }

  function configuration(client: Client): Promise<Configuration> {
    if (!known || clock() >= known.at + lifetimeMs) {
      const next = { at: clock(), found: discover(client) };
      known = next;
      next.found.catch(() => {
        if (known === next) known = null;
      });
    }
    return known.found;
  }

  return {
    addressFor: (redirectUri, { state, nonce, verifier }) =>
      asked(async (client) =>
        client.buildAuthorizationUrl(await configuration(client), {
          redirect_uri: redirectUri,
          scope: settings.scope,
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      ),
    claims: (back, { state, nonce, verifier }) =>
      asked(async (client) => {
        const provider = await configuration(client);
        const tokens = await client.authorizationCodeGrant(provider, back, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const stated = tokens.claims() as Claims;
        const { userinfo_endpoint: more } = provider.serverMetadata();
        const told = more === undefined ? {} : await client.fetchUserInfo(provider, tokens.access_token, stated.sub);
        return { claims: { ...stated, ...told }, idToken: tokens.id_token ?? '' };
      }),
    signOut: (idToken, back) =>
      asked(async (client) => {
        const provider = await configuration(client);
        if (provider.serverMetadata().end_session_endpoint === undefined) return null;
        return client.buildEndSessionUrl(provider, { id_token_hint: idToken, post_logout_redirect_uri: back });
      }),
  };
}

/** Loaded with the first sign-in. */
async function asked<T>(work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await work(await import('openid-client'));
  } catch (error) {
    throw new ProviderError(kindOf(error), error);
  }
}

/** As the provider wants it; Basic is the usual one (Core 1.0, 9). */
function authOf(client: Client, secret: string): ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (provider, ...request) => {
    const methods = provider.token_endpoint_auth_methods_supported;
    return (!methods || methods.includes('client_secret_basic') ? basic : post)(provider, ...request);
  };
}

function kindOf(error: unknown): ProviderError['kind'] {
  const { code, error: stated, status } = error as { readonly code?: string; readonly error?: string; readonly status?: number };
  if (stated === 'access_denied') return 'cancelled';
  if (stated === 'temporarily_unavailable' || stated === 'server_error' || (status ?? 0) >= 500) return 'away';
  return causesOf(error).some((one) => one instanceof FetchError) || awayCodes.has(code ?? '') ? 'away' : 'refused';
}

/** Of `openid-client`, for responses that are not those of a provider. */
const awayCodes: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let one = error; one instanceof Error && causes.length < 10; one = one.cause) causes.push(one);
  return causes;
}

/** For the log of the operator. Texts of the provider are cut, and no tokens among them. */
function sentencesOf(error: unknown): string {
  const stated = isMap(error) && typeof error.error === 'string' ? [error.error] : [];
  const said = causesOf(error).map((one) => (one as Error).message);
  return [...new Set([...said, ...stated])]
    .join(': ')
    .replace(/\p{C}+/gu, ' ')
    .slice(0, 300);
}
