/**
 * A client of a site's API, for Node, browsers and workers: it imports nothing and needs `fetch`. `cms types` prints the same client
 * with the types of one site: what stands above the line is replaced there.
 */

/** What can be asked for, by name. */
export type Resources = Record<string, ResourceTypes>;

const api = { root: '/cms-json', content: 'cms/v2', total: 'X-CMS-Total', pages: 'X-CMS-TotalPages' };

// ---

/** A kind of item: its id, its members by context, and what lists and writes accept. */
export interface ResourceTypes {
  id: number | string;
  // biome-ignore-start lint/suspicious/noExplicitAny: without the types of a site, its members are not known.
  view: any;
  edit: any;
  embed: any;
  list: any;
  create: any;
  update: any;
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
}

type Context = 'view' | 'edit' | 'embed';

/** One page of a list. */
export interface ListPage<T> {
  items: T[];
  /** Items of the whole list. */
  total: number;
  /** Pages of the whole list. */
  pages: number;
}

/** What is gone for good. */
export interface Removed<T> {
  deleted: true;
  previous: T;
}

/** A refusal, told apart by its code. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly data: unknown;
  constructor(status: number, answer: { code?: unknown; message?: unknown; data?: unknown }) {
    super(String(answer.message ?? `status ${status}`));
    this.code = String(answer.code ?? 'unknown');
    this.status = status;
    this.data = answer.data;
  }
}

export interface ClientOptions {
  /** Address of the site, without its REST root. */
  url: string;
  /** Login and application password; without them what visitors see. */
  login?: string;
  password?: string;
  /** Instead of the global one. */
  fetch?: typeof fetch;
}

/** A change of the site. With the action `reset`, what was missed is not known: read everything again. */
export interface SiteEvent {
  seq: number;
  kind: 'post' | 'term' | 'user' | 'comment' | 'site';
  action: string;
  id?: number;
  type?: string;
  status?: { before: string | null; after: string | null };
  link?: { before: string | null; after: string | null };
  tags?: string[];
  paths?: string[];
  time: string;
}

export interface EventOptions {
  kind?: readonly SiteEvent['kind'][];
  type?: readonly string[];
  /** The `seq` of the last event seen. */
  after?: number;
  /** Ends it. */
  signal?: AbortSignal;
}

interface Sent {
  query?: object;
  /** The last event seen. */
  last?: string;
  signal?: AbortSignal | undefined;
  body?: unknown;
  /** The write applies to this state alone: an item as the client gave it, or an `ETag`. Else it is refused with 412. */
  ifMatch?: object | string | undefined;
}

const states = new WeakMap<object, string>();

/** The `ETag` of an item that the client gave. */
export function etagOf(item: object): string | undefined {
  return states.get(item);
}

export type Client<R extends Known<R> = Resources> = ReturnType<typeof createClient<R>>;

type Known<R> = { [N in keyof R]: ResourceTypes };

/** @typeParam R  what the site has; `Resources` of a file that `cms types` has written */
export function createClient<R extends Known<R> = Resources>({ url, login, password, fetch: send = fetch }: ClientOptions) {
  type Name = keyof R & string;
  const base = url.replace(/(?<!\/)\/+$/, '');
  const bytes = new TextEncoder().encode(`${login}:${password}`);
  const credentials = login === undefined ? undefined : `Basic ${btoa(String.fromCharCode(...bytes))}`;

  async function ask(method: string, path: string, { query = {}, body, ifMatch, last, signal }: Sent = {}): Promise<Response> {
    const headers = new Headers();
    if (last) headers.set('Last-Event-ID', last);
    if (credentials !== undefined) headers.set('Authorization', credentials);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const state = typeof ifMatch === 'object' ? etagOf(ifMatch) : ifMatch;
    if (typeof ifMatch === 'object' && state === undefined) throw new TypeError('ifMatch is no item of this client');
    if (state !== undefined) headers.set('If-Match', state);
    const search = queryOf(query);
    const answer = await send(base + path + (search && `?${search}`), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (answer.ok) return answer;
    throw new ApiError(answer.status, (await answer.json().catch(() => ({}))) as object);
  }

  async function item<T>(answer: Response): Promise<T> {
    const found = (await answer.json()) as T;
    const state = answer.headers.get('ETag');
    if (state !== null && typeof found === 'object' && found !== null) states.set(found, state);
    return found;
  }

  async function list<N extends Name, C extends Context = 'view', F extends keyof R[N][C] & string = keyof R[N][C] & string>(
    name: N,
    params?: R[N]['list'] & { context?: C; _fields?: readonly F[] },
  ): Promise<ListPage<Pick<R[N][C], F>>> {
    const answer = await ask('GET', pathOf(name), { query: params ?? {} });
    const items = (await answer.json()) as Pick<R[N][C], F>[];
    const count = (header: string): number => Number(answer.headers.get(header) ?? items.length);
    return { items, total: count(api.total), pages: Number(answer.headers.get(api.pages) ?? 1) };
  }

  const at = (name: Name, id: string | number): string =>
    `${pathOf(name)}/${String(id).split('/').map(encodeURIComponent).join('/')}`;

  return {
    /** Any route below the root: `request('GET', '/…')`. @throws ApiError */
    async request<T = unknown>(method: string, route: string, sent?: Sent): Promise<T> {
      return item<T>(await ask(method, api.root + route, sent));
    },
    /** One page of a list; with `_fields`, items of these members alone. @throws ApiError */
    list,
    /** Every item of a list, page after page. @throws ApiError */
    async *each<N extends Name, C extends Context = 'view', F extends keyof R[N][C] & string = keyof R[N][C] & string>(
      name: N,
      params?: R[N]['list'] & { context?: C; _fields?: readonly F[] },
    ): AsyncGenerator<Pick<R[N][C], F>, void, undefined> {
      for (let page = 1, pages = 1; page <= pages; page++) {
        const found = await list<N, C, F>(name, { per_page: 100, ...params, page } as typeof params);
        pages = found.pages;
        yield* found.items;
      }
    },
    /** Changes of the site as they happen. When the connection is lost, it goes on where it was. @throws ApiError */
    async *events({ after, signal, ...query }: EventOptions = {}): AsyncGenerator<SiteEvent, void, undefined> {
      let last = after === undefined ? '' : String(after);
      for (; !signal?.aborted; await new Promise((resolve) => setTimeout(resolve, 2000))) {
        const answer = await ask('GET', pathOf('events'), { query, last, signal }).catch((error: unknown) => {
          if (error instanceof ApiError && error.status < 500) throw error;
        });
        const reader = answer?.body?.getReader();
        const decoder = new TextDecoder();
        let rest = '';
        try {
          for (;;) {
            const part = await reader?.read().catch(() => undefined);
            if (!part?.value) break;
            const blocks = (rest + decoder.decode(part.value, { stream: true })).split('\n\n');
            rest = blocks.pop() ?? '';
            for (const block of blocks) {
              const lines = block.split('\n');
              const said = (name: string): string | undefined => lines.find((line) => line.startsWith(name))?.slice(name.length);
              last = said('id: ') ?? last;
              const data = said('data: ');
              if (data !== undefined) yield JSON.parse(data) as SiteEvent;
            }
          }
        } finally {
          await reader?.cancel().catch(() => undefined);
        }
        if (signal?.aborted) return;
      }
    },
    /** @throws ApiError */
    async get<N extends Name, C extends Context = 'view'>(name: N, id: R[N]['id'], params?: { context?: C }): Promise<R[N][C]> {
      return item(await ask('GET', at(name, id), { query: params ?? {} }));
    },
    /** @throws ApiError */
    async create<N extends Name>(name: N, input: R[N]['create']): Promise<R[N]['edit']> {
      return item(await ask('POST', pathOf(name), { body: input }));
    },
    /** @throws ApiError */
    async update<N extends Name>(
      name: N,
      id: R[N]['id'],
      input: R[N]['update'],
      options: Pick<Sent, 'ifMatch'> = {},
    ): Promise<R[N]['edit']> {
      return item(await ask('POST', at(name, id), { ...options, body: input }));
    },
    /** Into the trash, where there is one; for good with `force`. @throws ApiError */
    async remove<N extends Name, F extends boolean = false>(
      name: N,
      id: R[N]['id'],
      { force, ...options }: { force?: F } & Pick<Sent, 'ifMatch'> = {},
    ): Promise<F extends true ? Removed<R[N]['edit']> : R[N]['edit']> {
      return item(await ask('DELETE', at(name, id), { ...options, query: { force } }));
    },
  };
}

/** Resources of other namespaces have it in their name. */
function pathOf(name: string): string {
  return `${api.root}/${name.includes('/') ? '' : `${api.content}/`}${name}`;
}

/** Lists with commas, maps with brackets; what is undefined is not sent. */
function queryOf(query: object): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (value === undefined) return;
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isMap) for (const [inner, one] of Object.entries(value as object)) add(`${name}[${inner}]`, one);
    else pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`);
  };
  for (const [name, value] of Object.entries(query)) add(name, value);
  return pairs.join('&');
}
