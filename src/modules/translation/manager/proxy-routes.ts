/**
 * The way to the services for their own programs in a browser, `lang/ate/v1/ate/proxy`: credentials are the server's, and nothing goes
 * anywhere but below the addresses that the operator names.
 *
 * Shape    what the service answers: status, body, and few of its headers
 * Access   manage_translations, manage_options
 * Errors   400 without a body for what is missing or does not fit; rest_forbidden, rest_invalid_param, lang_too_large,
 *          lang_editor_not_configured, lang_destination_denied, lang_upstream_unreachable, lang_upstream_timeout, lang_upstream_error
 * Source   specification 4.14; reference on languages, 8
 */
import { fail } from '../../../kernel/errors.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { mergeParams } from '../../../kernel/rest/params.ts';
import type { Method } from '../../../kernel/rest/request.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { answer, type Answer, type Call } from '../../../kernel/rest/types.ts';
import { allowedCall, maxAnswerBytes, reservedNames } from '../upstream/index.ts';
import { mayManage } from '../jobs/index.ts';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const maxBodyBytes = 2 * 1024 * 1024;

export const proxyRoutes: Namespace['routes'] = [
  { path: '/lang/ate/v1/ate/proxy', endpoints: [{ methods, args: {}, acts: true, allow: mayManage, handle: forward }] },
];

/** Headers of the caller that reach the service, in lower case. */
const forwarded: readonly string[] = ['accept', 'accept-language', 'content-type', 'if-none-match', 'x-request-id'];
/** Types of answers that pass as they are. */
const passing = /^(?:application\/(?:[\w.+-]*json|[\w.+-]*xml)|text\/(?:plain|csv|xml))$/;

async function forward(call: Call): Promise<Answer> {
  const { query, form, json, method } = call.request;
  const sent = mergeParams(query, method === 'GET' ? null : form, json);
  const type =
    typeof sent.content_type === 'string' && /^[\w.+/;= -]{1,100}$/.test(sent.content_type)
      ? sent.content_type
      : 'application/json';
  const { url, headers, method: named } = sent;
  const isNamed = typeof named === 'string' && named.toUpperCase() === method;
  if (typeof url !== 'string' || !isNamed || !Array.isArray(headers))
    return answer(Buffer.alloc(0), { status: 400, headers: { 'Content-Type': type } });
  const { settings, request } = call.site.translationUpstream;
  const editor = settings.editor ?? fail('lang_editor_not_configured');
  const bases = [editor.editorUrl, editor.managerUrl].filter((one) => one !== '');
  const { url: address, base } = allowedCall(withQuery(url, sent.query), bases) ?? fail('lang_destination_denied');
  const body = bodyOf(sent.body, method);
  const path = address.href.slice(base.length);
  const {
    status,
    headers: given,
    body: bytes,
  } = await request(base, editor, {
    method,
    path,
    maxBytes: maxAnswerBytes,
    headers: { 'Content-Type': type, ...headersOf(headers) },
    ...(body === undefined ? {} : { body }),
  });
  return answer(bytes, { status, headers: passed(given) });
}

/** The address with the parameters of `query`, without those that only the server gives. */
function withQuery(address: string, query: unknown): string {
  const at = address.indexOf('?');
  const [plain, own] = at < 0 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)];
  const all = new URLSearchParams(own);
  const added = typeof query === 'string' ? [...new URLSearchParams(query)] : isMap(query) ? Object.entries(query) : [];
  for (const [name, value] of added)
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') all.append(name, String(value));
  for (const name of reservedNames) all.delete(name);
  return all.size === 0 ? plain : `${plain}?${all}`;
}

/** Lines `Name: value` of the caller, as far as the service gets them. */
function headersOf(lines: readonly unknown[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const line of lines) {
    if (typeof line !== 'string' || /[\r\n\0]/.test(line)) {
      fail(
        'rest_invalid_param',
        { params: { headers: 'A header is a line: Name: value.' }, details: [] },
        'Invalid parameter(s): headers',
      );
    }
    const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (forwarded.includes(name.toLowerCase()) && /^[\x20-\x7e]*$/.test(value)) found[titled(name)] = value;
  }
  return found;
}

function titled(name: string): string {
  return name.toLowerCase().replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());
}

function bodyOf(body: unknown, method: Method): string | undefined {
  if (method === 'GET' || body === undefined || body === null) return undefined;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return Buffer.byteLength(text) > maxBodyBytes ? fail('lang_too_large', { limit: maxBodyBytes }) : text;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function passed(given: Headers): Record<string, string> {
  const value = (name: string): string => (typeof given[name] === 'string' ? (given[name] as string) : '');
  const [plain = ''] = value('content-type').split(';', 1);
  const type = passing.test(plain.trim().toLowerCase()) ? value('content-type') : 'application/octet-stream';
  const found: Record<string, string> = { 'Content-Type': type, 'Cache-Control': 'no-store' };
  if (value('etag') !== '') found.ETag = value('etag');
  if (value('retry-after') !== '') found['Retry-After'] = value('retry-after');
  return found;
}
