/** An OpenID provider on a free port of this machine (`oidc-provider`), and a person who signs in there with a browser's cookies. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface OpenIdProvider {
  readonly issuer: string;
  /** Subject → further claims; whoever is not here has none. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>;
  /** The site comes back to these addresses. */
  readonly redirectUris: string[];
  /** What is asked for is answered with this status, if it is set, or not at all. */
  state: { failing: number; isSilent: boolean };
  close(): Promise<void>;
}

export const clientId = 'cms';
export const clientSecret = 'a secret of forty characters, or of more.';

/** A client without a secret: it has PKCE alone. */
export const publicClient = { token_endpoint_auth_method: 'none' };
const secretClient = { client_secret: clientSecret };

export async function startOpenIdProvider(client: object = secretClient): Promise<OpenIdProvider> {
  const people: OpenIdProvider['people'] = new Map();
  const redirectUris: string[] = [];
  const state = { failing: 0, isSilent: false };
  /** It reads its clients once: a new one for more addresses. */
  let made: { readonly addresses: number; readonly handle: ReturnType<Provider['callback']> } | null = null;
  const server = createServer((request, response) => {
    if (state.isSilent) return;
    if (state.failing > 0) response.writeHead(state.failing).end('out of order');
    else {
      if (made?.addresses !== redirectUris.length) made = { addresses: redirectUris.length, handle: createProvider().callback() };
      made.handle(request, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const createProvider = (): Provider =>
    new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          ...client,
          redirect_uris: redirectUris,
          post_logout_redirect_uris: redirectUris.map((uri) => new URL('/cms-login.php?loggedout=true', uri).href),
          grant_types: ['authorization_code'],
        },
      ],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username', 'groups', 'realm_access'],
      },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
      cookies: { keys: ['of a test'] },
      pkce: { required: () => true },
    });

  return {
    issuer,
    people,
    redirectUris,
    state,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A browser that follows no redirects by itself. */
export function openCookieJar() {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async go(url: string, fields?: Readonly<Record<string, string>>): Promise<Response> {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      return response;
    },
  };
}

/** Signs in at the provider. @returns the address at which the browser comes back to the site */
export async function signInAtProvider(address: string, subject: string): Promise<string> {
  const { go } = openCookieJar();
  const { origin } = new URL(address);
  let next = address;
  for (let step = 0; step < 20; step++) {
    const response = await go(next);
    const location = response.headers.get('location');
    if (location !== null) {
      next = new URL(location, next).href;
      if (new URL(next).origin !== origin) return next;
      continue;
    }
    const html = await response.text();
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(html) ?? [];
    if (action === '') throw new Error(`no form at ${next}: ${response.status} ${html.slice(0, 300)}`);
    const answered = await go(new URL(action, next).href, {
      prompt,
      ...(prompt === 'login' ? { login: subject, password: 'any' } : {}),
    });
    next = new URL(answered.headers.get('location') ?? '', next).href;
    if (new URL(next).origin !== origin) return next;
  }
  throw new Error(`no way back from ${address}`);
}
