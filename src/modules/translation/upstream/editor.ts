/**
 * The external editor: the calls of its contract, and what its answers mean. An answer that is none of the contract is an error of the
 * service, whatever status it has.
 *
 * Source: reference on languages, 5, 11.
 */
import { fail } from '../../../kernel/errors.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { type ServiceClient, jsonOf } from './client.ts';
import { allowedFile } from './destinations.ts';
import type { EditorClient, EditorJob, ServiceAnswer, SyncPage } from './record.ts';
import type { Auth, EditorSettings, PathName } from './settings.ts';

/** Of a translated document. */
const maxFileBytes = 5 * 1024 * 1024;
const noAuth: Auth = { mode: 'none', tokenEnv: '' };

export function createEditorClient(settings: EditorSettings | null, request: ServiceClient): EditorClient {
  const configured = (): EditorSettings => settings ?? fail('lang_editor_not_configured');

  async function call(
    method: 'GET' | 'POST',
    name: PathName,
    { values = {}, query = '', body }: { values?: Readonly<Record<string, string>>; query?: string; body?: unknown } = {},
  ): Promise<ServiceAnswer> {
    const editor = configured();
    const path = filled(editor.paths[name], values) + query;
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    return request(editor.editorUrl, editor, { method, path, ...sent });
  }

  return {
    isConfigured: settings !== null,
    async create(order) {
      const answer = jsonOf(await call('POST', 'create', { body: order }));
      const rows = Object.entries(mapOf(mapOf(answer).jobs));
      const ids = rows.map(([rid, id]) => [Number(rid), wholeIn(id)] as const);
      if (!isMap(answer) || ids.some(([rid, id]) => !Number.isInteger(rid) || id <= 0)) unknownAnswer();
      return { ids: new Map(ids), answer };
    },
    async lookUp(id) {
      const answer = await call('GET', 'lookup', { values: { id: String(id) } });
      if (answer.status === 404) return null;
      const found = mapOf(jsonOf(answer))[String(id)];
      return found === undefined ? null : jobIn(id, found);
    },
    async preview(id) {
      const list = jsonOf(await call('POST', 'statuses', { body: { id, preview: true } }));
      if (!Array.isArray(list)) unknownAnswer();
      const found = (list as unknown[]).find((one) => isMap(one) && wholeIn(one.ate_job_id) === id);
      return found === undefined ? null : jobIn(id, found);
    },
    sync: async (ids) => pageIn(jsonOf(await call('POST', 'sync', { body: { ids } }))),
    syncPage: async (token, page) =>
      pageIn(
        jsonOf(
          await call('GET', 'sync_page', { query: `?${new URLSearchParams({ pagination_token: token, page: String(page) })}` }),
        ),
      ),
    async confirm(ids) {
      checkStatus(await call('GET', 'confirm', { values: { ids: ids.join(',') } }));
    },
    async cancel(ids) {
      checkStatus(await call('POST', 'cancel', { body: { id: ids, only_failed: false } }));
    },
    async download(address) {
      const editor = configured();
      const { origin } = new URL(editor.editorUrl);
      const url = allowedFile(address, [origin, ...editor.fileOrigins]) ?? fail('lang_destination_denied');
      // Only the API gets credentials, not configured file origins.
      const { timeoutMs } = editor;
      const auth = url.origin === origin && editor.auth.mode !== 'hmac' ? editor.auth : noAuth;
      const options = { method: 'GET', path: url.pathname + url.search, maxBytes: maxFileBytes, headers: { Accept: '*/*' } };
      const answer = await request(url.origin, { auth, timeoutMs }, options);
      checkStatus(answer);
      return answer.body.toString('utf8');
    },
  };
}

function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '').replaceAll('%2C', ','));
}

/** A whole number, or a text that is one; 0 for anything else. */
function wholeIn(value: unknown): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 0;
}

function jobIn(id: number, row: unknown): EditorJob {
  if (!isMap(row)) unknownAnswer();
  const { status_id: status, translated_xliff: url } = row as Readonly<Record<string, unknown>>;
  return { id, status: wholeIn(status), url: typeof url === 'string' ? url : '' };
}

function pageIn(answer: unknown): SyncPage {
  const { items, next } = mapOf(answer);
  if (!Array.isArray(items)) unknownAnswer();
  const found = (items as unknown[]).map((row) => {
    const { id, ate_id: editorId, status, download_link: url } = mapOf(row);
    const job = { id: wholeIn(editorId), status: wholeIn(status), url: typeof url === 'string' ? url : '' };
    return { rid: wholeIn(id), job };
  });
  const { pagination_token: token, pages_number: pages } = mapOf(next);
  const isMore = typeof token === 'string' && token !== '' && wholeIn(pages) > 0;
  return { items: found.filter(({ job }) => job.id > 0), next: isMore ? { token, pages: wholeIn(pages) } : null };
}

function checkStatus({ status }: ServiceAnswer): void {
  if (status >= 400) fail('lang_upstream_error', { upstream_status: status }, `The service answered ${status}.`);
}

function unknownAnswer(): never {
  return fail('lang_upstream_error', {}, 'The answer of the service is not what was asked for.');
}
