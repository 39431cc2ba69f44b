/**
 * An agency with a service.
 *
 * Source: reference on languages, 7.
 */
import { fail } from '../../../kernel/errors.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { type AgencySettings, jsonOf } from '../upstream/index.ts';
import { type Agency, type AgencyJob, agencyStates } from './record.ts';

/** Of a translated document. */
const maxFileBytes = 5 * 1024 * 1024;

export function createAgencyService(
  { translationUpstream: upstream }: Pick<Site, 'translationUpstream'>,
  settings: AgencySettings,
): Agency {
  const { id, url, keyEnv, timeoutMs } = settings;
  const auth = { mode: 'bearer', tokenEnv: keyEnv } as const;
  const call = (method: string, path: string, body?: unknown, maxBytes = maxFileBytes) =>
    upstream.request(
      url,
      { auth, timeoutMs },
      {
        method,
        path,
        maxBytes,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      },
    );
  const json = async (method: string, path: string, body?: unknown): Promise<unknown> => jsonOf(await call(method, path, body));
  return {
    id,
    async send(job, { source, target }, xliff) {
      const file = Buffer.from(xliff).toString('base64');
      const sent = {
        title: job.title,
        source_language: source,
        target_language: target,
        deadline: job.deadline,
        id: job.id,
        file,
      };
      const found = mapOf(mapOf(await json('POST', '/jobs.json', { job: sent })).job).id;
      return wholeIn(found) || unknownAnswer();
    },
    async states(ids) {
      if (ids.length === 0) return [];
      const list = await json('GET', `/jobs.json?${ids.map((one) => `filter[job_ids][]=${one}`).join('&')}`);
      if (!Array.isArray(list)) unknownAnswer();
      return (list as unknown[]).flatMap((row): readonly AgencyJob[] => {
        const { id: found, job_state: said, ts_status: tsStatus } = mapOf(row);
        const state = agencyStates.find((one) => one === said);
        const more = isMap(tsStatus) ? JSON.stringify(tsStatus) : typeof tsStatus === 'string' ? tsStatus : '';
        return state && wholeIn(found) > 0 ? [{ id: wholeIn(found), state, tsStatus: more }] : [];
      });
    },
    async fetch(job) {
      const answer = await call('GET', `/jobs/${job}/xliff.json`);
      if (answer.status === 404) fail('lang_job_not_ready');
      if (answer.status >= 400)
        fail('lang_upstream_error', { upstream_status: answer.status }, `The service answered ${answer.status}.`);
      return answer.body.toString('utf8');
    },
    async delivered(job) {
      await json('PUT', `/jobs/${job}.json`, { job: { state: 'delivered' } });
    },
    syncBatches: async (ids) => queued(await json('POST', '/batches/sync.json', { batch_id: ids })),
    queuedBatches: async () => queued(await json('GET', '/batches/sync/status.json')),
  };
}

function queued(answer: unknown): readonly number[] {
  const list = mapOf(answer).queued_batches;
  return Array.isArray(list) ? (list as unknown[]).map(wholeIn).filter((id) => id > 0) : unknownAnswer();
}

function wholeIn(value: unknown): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 0;
}

function unknownAnswer(): never {
  return fail('lang_upstream_error', {}, 'The answer of the service is not what was asked for.');
}
