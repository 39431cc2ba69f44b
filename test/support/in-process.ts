/** Requests without a connection: what the server does before and after the dispatcher, and nothing of HTTP. */
import type { Actor } from '../../src/kernel/model/access.ts';
import { readAddress } from '../../src/kernel/http/address.ts';
import { writeResponse } from '../../src/kernel/http/respond.ts';
import { readBody } from '../../src/kernel/rest/body.ts';
import type { Method, RestRequest } from '../../src/kernel/rest/request.ts';
import type { Answered, TestSite } from './site.ts';

export interface Sent {
  /** Null for a visitor. */
  readonly user?: Actor | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param target  path and query from the root of the site: `/cms-json/cms/v2/posts?page=2` */
export async function askInProcess(
  { server, site }: TestSite,
  method: string,
  target: string,
  { user = null, body, headers = {} }: Sent = {},
): Promise<Answered> {
  const address = readAddress(target);
  if (address === null) throw new Error(`${target} is no address of the interface`);
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const bytes = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const read = bytes === null ? {} : await readBody(bytes, lower['content-type'] ?? 'application/json');
  const request: RestRequest = { ...address, method: method as Method, headers: lower, user, ...read };
  const written = writeResponse(request, await server.dispatcher.dispatch(request), {
    home: site.url,
    requestHeaders: site.modules.requestHeaders,
  });
  const text = written.body === null ? '' : Buffer.from(written.body as Uint8Array).toString();
  const got = new Headers();
  for (let at = 0; at < written.headers.length; at += 2)
    got.append(written.headers[at] as string, written.headers[at + 1] as string);
  const isJson = got.get('content-type')?.includes('json') && text !== '';
  return { status: written.status, headers: got, body: isJson ? JSON.parse(text) : text };
}
