/**
 * An external editor on a port of this machine, with the contract that the site expects and switches for everything that can go wrong.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface EditorJobState {
  readonly id: number;
  readonly rid: number;
  readonly jobId: number;
  status: number;
  /** The document as it was sent, and as it is translated. */
  readonly sent: string;
  translated: string;
  readonly notifyUrl: string;
}

export interface AskedCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What an answer is instead of the right one. */
export type Failure = 'error' | 'html' | 'cut' | 'redirect' | 'slow' | 'reset' | null;

export interface EditorService {
  readonly url: string;
  readonly jobs: Map<number, EditorJobState>;
  readonly asked: AskedCall[];
  /** Of calls whose path begins so; absent: of all. */
  failure: Failure;
  failing: string;
  pageSize: number;
  /** Overrides the answer for a path. */
  readonly answers: Map<string, { readonly status?: number; readonly headers?: Record<string, string>; readonly body: string }>;
  translate(id: number, change: (source: string) => string): void;
  close(): Promise<void>;
}

export async function startEditor(): Promise<EditorService> {
  let next = 9001;
  let pages: { readonly token: string; readonly items: readonly object[] }[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const service: EditorService = {
    url: '',
    jobs: new Map(),
    asked: [],
    failure: null,
    failing: '/',
    pageSize: 100,
    answers: new Map(),
    translate(id, change) {
      const job = service.jobs.get(id);
      if (!job) throw new Error(`no job ${id}`);
      job.translated = translated(job.sent, change);
      job.status = 6;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return service;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const body = await text(request);
    service.asked.push({ method: request.method ?? '', path, headers: request.headers, body });
    if (service.failure && path.startsWith(service.failing)) return fail(service.failure, response);
    const plain = path.replace(/\?.*$/, '');
    const own = service.answers.get(plain);
    if (own)
      return void response.writeHead(own.status ?? 200, { 'content-type': 'application/json', ...own.headers }).end(own.body);
    const found = handle(request.method ?? 'GET', plain, new URL(path, service.url).searchParams, body);
    if (found === undefined) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    const isText = typeof found === 'string';
    response.writeHead(200, { 'content-type': isText ? 'application/x-xliff+xml' : 'application/json' });
    response.end(isText ? found : JSON.stringify(found));
  }

  function handle(method: string, path: string, query: URLSearchParams, body: string): unknown {
    const json = body === '' ? {} : (JSON.parse(body) as Record<string, any>);
    const file = /^\/files\/(\d+)\.xliff$/.exec(path)?.[1];
    if (file) return service.jobs.get(Number(file))?.translated;
    const shown = (job: EditorJobState) => ({
      status_id: job.status,
      ...(job.translated === '' ? {} : { translated_xliff: `${service.url}/files/${job.id}.xliff` }),
    });
    if (path === '/api/lang/jobs' && method === 'POST')
      return { code: 200, status: 'ok', jobs: Object.fromEntries(json.jobs.map(made)) };
    if (path === '/api/lang/jobs/statuses') {
      const job = service.jobs.get(json.id);
      return job ? [{ ate_job_id: job.id, ...shown(job) }] : [];
    }
    if (path === '/api/lang/jobs/cancel') {
      for (const id of json.id) Object.assign(service.jobs.get(id) ?? {}, { status: 20 });
      return { jobs: json.id };
    }
    const confirmed = /^\/api\/lang\/jobs\/confirm\/([\d,]+)$/.exec(path)?.[1];
    if (confirmed) {
      for (const id of confirmed.split(',')) Object.assign(service.jobs.get(Number(id)) ?? {}, { status: 8 });
      return {};
    }
    const known = /^\/api\/lang\/jobs\/(\d+)$/.exec(path)?.[1];
    if (known) {
      const job = service.jobs.get(Number(known));
      return job ? { [job.id]: shown(job) } : undefined;
    }
    if (path === '/api/lang/sync/all') return synced(json.ids);
    if (path === '/api/lang/sync/page')
      return pages.find(({ token }) => token === `${query.get('pagination_token')}/${query.get('page')}`);
    if (path === '/api/lang/websites/create_unique') return { secret_key: 'secret-of-the-service', shared_key: 'shared-one' };
    if (/^\/api\/lang\/websites\//.test(path)) return json;
    if (/^\/api\/lang\/access_keys\/[\w-]+\/status$/.test(path)) return { activated: true };
    if (path === '/api/lang/engines') return method === 'GET' ? { list: [] } : true;
    return undefined;
  }

  function made(job: Record<string, any>): [string, number] {
    const id = next++;
    const sent = Buffer.from(job.file.content, 'base64').toString('utf8');
    service.jobs.set(id, { id, rid: job.source_id, jobId: job.id, status: 0, sent, translated: '', notifyUrl: job.notify_url });
    return [String(job.source_id), id];
  }

  function synced(ids: readonly number[]) {
    const items = ids.flatMap((id) => {
      const job = service.jobs.get(id);
      return job
        ? [
            {
              id: job.rid,
              ate_id: id,
              status: job.status,
              download_link: job.translated === '' ? null : `${service.url}/files/${id}.xliff`,
            },
          ]
        : [];
    });
    const parts: (readonly object[])[] = [];
    for (let at = 0; at < items.length; at += service.pageSize) parts.push(items.slice(at, at + service.pageSize));
    const [first = [], ...rest] = parts;
    pages = rest.map((part, at) => ({ token: `p-1/${at}`, items: part }));
    return { items: first, ...(rest.length > 0 ? { next: { pagination_token: 'p-1', pages_number: rest.length } } : {}) };
  }

  function fail(failure: Exclude<Failure, null>, response: ServerResponse): void {
    if (failure === 'error') response.writeHead(500).end('{"errors":[{"status":500,"title":"down"}]}');
    if (failure === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    if (failure === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    if (failure === 'reset') response.destroy();
    if (failure === 'cut') {
      response.writeHead(200, { 'content-length': '1000' }).write('{"items":[');
      setImmediate(() => response.destroy());
    }
    // Whoever asked gives up first.
    if (failure === 'slow') setTimeout(() => response.end('{}'), 3000).unref();
  }
}

/** Every source of a document translated; codes, tags and entities stay. */
function translated(document: string, change: (source: string) => string): string {
  const codes = /(<(ph|bpt|ept|it)\b[^>]*>[\s\S]*?<\/\2>|<[^>]*>|&[#\w]+;)/;
  const changed = (source: string): string =>
    source
      .split(codes)
      .map((part, at) => (at % 3 === 0 ? change(part) : at % 3 === 1 ? part : ''))
      .join('');
  return document.replace(
    /<source([^>]*)>([\s\S]*?)<\/source>(?:\s*<target[^>]*>[\s\S]*?<\/target>|\s*<target[^>]*\/>)?/g,
    (_, attributes: string, source: string) => {
      const target = source.startsWith('<![CDATA[') ? `<![CDATA[${changed(source.slice(9, -3))}]]>` : changed(source);
      return `<source${attributes}>${source}</source><target state="translated">${target}</target>`;
    },
  );
}
