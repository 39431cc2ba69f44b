/**
 * What the server shows outside the interface: pages of modules, and the forms on them.
 */
import type { IncomingMessage } from 'node:http';
import { FastResponse } from 'srvx';
import type { Peer, Page } from '../site/serving.ts';
import type { Site } from '../site/site.ts';
import { headerValue, matches, varyOf } from './respond.ts';

/** Bytes of a form. */
const most = 16 * 1024;
const text = { 'Content-Type': 'text/plain' };
const missing: Page = { status: 404, headers: text, body: 'Not found\n' };
const tooLarge: Page = { status: 413, headers: { ...text, Connection: 'close' }, body: 'The form is too large.\n' };

/** The page at a request's URL; a POST goes to the form handler there. */
export async function pageFor(site: Site, incoming: IncomingMessage, client: Peer): Promise<Response> {
  const { method, url = '/', headers } = incoming;
  const take = method === 'POST' ? site.form(url) : null;
  if (!take) return pageResponse(await site.page(url, { headers, client }), headers);
  const fields = await readForm(incoming, take.writes ? most * 16 : most);
  return pageResponse(fields ? await take({ fields, headers, client }) : tooLarge, headers);
}

/** The fields of a form (`application/x-www-form-urlencoded`); null when there are too many. */
async function readForm(incoming: IncomingMessage, limit: number): Promise<Record<string, string> | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit) return null;
    chunks.push(chunk);
  }
  const sent = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
  return Object.assign(Object.create(null), Object.fromEntries(sent));
}

function pageResponse(page: Page | null, asked: IncomingMessage['headers']): Response {
  const { status, headers, body } = page ?? missing;
  const vary = varyOf(body?.length ?? 0, headers['Content-Type'], headers.Vary);
  const all = Object.entries({ ...headers, ...(vary === '' ? {} : { Vary: vary }) });
  const values = all.map(([name, value]): [string, string] => [name, headerValue(value)]);
  const { 'if-none-match': tag, 'if-modified-since': date } = asked;
  // Only the same date says that nothing has changed: what is shown may become older, too.
  const [wanted, own] = tag === undefined ? [date, headers['Last-Modified']] : [tag, headers.ETag];
  const isKnown = status === 200 && own !== undefined && matches(wanted, own);
  const told = isKnown ? values.filter(([name]) => name !== 'Content-Type') : values;
  return new FastResponse(isKnown ? null : body, { status: isKnown ? 304 : status, headers: told }) as unknown as Response;
}
