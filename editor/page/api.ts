/**
 * The REST interface as the person who is signed in has it. Nothing else is asked of the server.
 */
import { say } from './words.ts';

export const root = new URL('../cms-json/', document.baseURI).href;
let nonce: string | null = null;

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface Answer<T> {
  readonly data: T;
  readonly headers: Headers;
  readonly status: number;
}

export interface Asked {
  readonly method?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @throws ApiError with the sentence of the server, or one of ours; status 0 where the net is away */
export async function ask<T>(route: string, asked: Asked = {}): Promise<Answer<T>> {
  nonce ??= await freshNonce();
  const answer = await send<T>(route, asked);
  if (answer.status < 400) return answer;
  const { code = '', message } = (answer.data ?? {}) as { code?: string; message?: string };
  if (code === 'rest_cookie_invalid_nonce') {
    // It is good for half a day; a page may stay open for longer.
    nonce = await freshNonce();
    const again = await send<T>(route, asked);
    if (again.status < 400) return again;
  }
  throw new ApiError(answer.status, code, message ? String(message) : failed(answer.status));
}

const failed = (status: number): string => say('The server cannot do this now (error {status}). Try again later.', { status });

/** A nonce that is good now. */
export async function nonceNow(): Promise<string> {
  nonce ??= await freshNonce();
  return nonce;
}

async function send<T>(route: string, { method = 'GET', query = {}, body, headers = {} }: Asked): Promise<Answer<T>> {
  const url = new URL(route, root);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  const isJson = body !== undefined && !(body instanceof Blob);
  const response = await reached(
    fetch(url, {
      method,
      headers: { 'X-CMS-Nonce': nonce ?? '', ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as Blob) }),
      cache: 'no-store',
    }),
  );
  nonce = response.headers.get('X-CMS-Nonce') ?? nonce;
  const text = await reached(response.text());
  return { data: jsonOf<T>(text, response), headers: response.headers, status: response.status };
}

/** @throws ApiError where something between here and the server answers in its place */
function jsonOf<T>(text: string, { status, headers, ok }: Response): T {
  if (text === '' || (!ok && !(headers.get('Content-Type') ?? '').includes('json'))) return null as T;
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError(status, 'unreadable', failed(status));
  }
}

async function freshNonce(): Promise<string> {
  const response = await reached(fetch(new URL('api-settings.json', document.baseURI), { cache: 'no-store' }));
  if (response.status === 401)
    throw new ApiError(401, 'rest_not_logged_in', say('You are signed out. Sign in in another tab, then try again here.'));
  if (!response.ok) throw new ApiError(response.status, 'unreadable', failed(response.status));
  return jsonOf<{ nonce: string }>(await reached(response.text()), response).nonce;
}

async function reached<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch {
    throw new ApiError(0, 'unreachable', say('The server cannot be reached.'));
  }
}

export const namespace = 'cms/v2';

/** All pages of a list, a few hundred at most. */
export async function askAll<T>(route: string, query: Asked['query'] = {}): Promise<readonly T[]> {
  const list: T[] = [];
  for (let page = 1; page <= 5; page++) {
    const { data, headers } = await ask<T[]>(route, { query: { ...query, per_page: 100, page } });
    list.push(...data);
    if (page >= Number(headers.get('X-CMS-TotalPages') ?? 1)) break;
  }
  return list;
}
