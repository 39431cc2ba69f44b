/**
 * Both services on a free port of this machine: they give tokens for codes, renew them, and answer what they are told to.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startUpstream, type Upstream } from '../../../support/upstream.ts';

export interface AskedOf {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An answer, or what is done instead of one. */
export type Told = { readonly status?: number; readonly body: unknown } | ((response: ServerResponse) => void);

export interface FakeService extends Upstream {
  readonly requests: AskedOf[];
  /** Path → what is answered from now on. */
  tell(path: string, told: Told): void;
  /** Forms that were sent for tokens. */
  grants(): Record<string, string>[];
  of(path: string): AskedOf[];
}

export const token = { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 3600, token_type: 'Bearer' };
export const account = (usage: number, limit: number | null) => ({
  limits: { keywords: { usage, limit }, history_days: 31 },
});
export const words = { columnNames: ['Keyword', 'Volume'], rows: [['tide times', '900']] };

export async function startFakeService(): Promise<FakeService> {
  const requests: AskedOf[] = [];
  const told = new Map<string, Told>([
    ['/oauth2/access_token', { body: token }],
    ['/connect/token', { body: token }],
    ['/api/v1/keywords/phrase_fullsearch', { body: { data: words, status: 200 } }],
    ['/beta/account', { body: account(3, 10) }],
    ['/v1/partner/upgrade-campaign', { body: { type: 'RATE', months: 3, value: 20 } }],
    ['/beta/websites/12/keywords/bulk', { body: { data: [{ id: 'k1', keyword: 'tide', ranking: 4 }] } }],
    ['/beta/partner/12', { body: { data: [{ id: 'k1', keyword: 'Tide', position: 4 }, { keyword: 'other' }] } }],
    ['/beta/websites/12/keywords/k%2F1', { body: {} }],
  ]);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const { method = '', headers } = request;
    requests.push({
      method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers,
      body: await text(request),
    });
    const what = told.get(url.pathname) ?? { status: 404, body: { message: 'not found' } };
    if (typeof what === 'function') return what(response);
    const { status = 200, body } = what;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  };
  const pages = new Proxy(
    {},
    { get: () => (request: IncomingMessage, response: ServerResponse) => void answer(request, response) },
  );
  const upstream = await startUpstream(() => pages);
  return {
    ...upstream,
    requests,
    tell: (path, what) => void told.set(path, what),
    of: (path) => requests.filter((one) => one.path === path),
    grants: () =>
      requests
        .filter(({ path }) => path.endsWith('token'))
        .map(({ body }) => Object.fromEntries(new URLSearchParams(body)) as Record<string, string>),
  };
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
