/**
 * The callback of the editor: a job is finished, or has changed. Whoever calls proves by the token of the address that the site gave it
 * out; without one nothing is done and nothing is said.
 *
 * Shape    null when the result was applied
 * Errors   lang_job_forbidden, lang_editor_not_configured, lang_rate_limited, lang_locked; 422 `{code, jobId}` for a job that takes no
 *          result, 425 `xliff_not_ready`, 503 `apply_failed`, each with `retry_after`
 * Source   reference on languages, 5.8
 */
import { fail, RestError } from '../../../kernel/errors.ts';
import { answer, type Answer, type Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { JobRecord, StatusRecord } from '../jobs/record.ts';
import { jobStatus } from '../jobs/index.ts';
import { log } from './editor.ts';

/** Jobs that are being received now, and when each was last, in milliseconds since the epoch. */
const receiving = new WeakMap<Site, { readonly busy: Set<number>; readonly last: Map<number, number> }>();
const maxRemembered = 10_000;

export async function receive(call: Call): Promise<Answer | null> {
  const { site, params, request } = call;
  const jobId = Number(params.wpmlJobId);
  const { identity, editor, settings } = site.translationUpstream;
  const { t: token } = request.query;
  if (token === undefined || token === '') return null;
  if (typeof token !== 'string' || !(await identity.isReceiveToken(jobId, token))) fail('lang_job_forbidden');
  if (!editor.isConfigured) fail('lang_editor_not_configured');
  if (site.store.readOnly) fail('rest_read_only');
  const state = receiving.get(site) ?? { busy: new Set(), last: new Map() };
  receiving.set(site, state);
  const wait = (state.last.get(jobId) ?? Number.NEGATIVE_INFINITY) + settings.receiveMs - site.clock();
  if (wait > 0) fail('lang_rate_limited', { retry_after: Math.ceil(wait / 1000) });
  if (state.busy.has(jobId)) fail('lang_locked');
  if (state.last.size > maxRemembered) state.last.clear();
  state.last.set(jobId, site.clock());
  state.busy.add(jobId);
  try {
    return await apply(call, jobId);
  } finally {
    state.busy.delete(jobId);
  }
}

async function apply({ site }: Call, jobId: number): Promise<Answer | null> {
  const job = site.translationJobs.job(jobId);
  const status = job && site.translationJobs.status(job.rid);
  const reason = job && status ? refusalOf(job, status) : 'lang_job_missing';
  if (!job || !status || reason !== null) return refused(reason ?? 'lang_job_missing', jobId, 422);
  try {
    const found = await site.translationUpstream.editor.preview(job.editorJobId);
    if (!found || found.url === '') return refused('xliff_not_ready', jobId, 425, 60);
    await site.translationEditor.fetch(job, found.url, null);
    await site.translationEditor.confirm([job.editorJobId]);
    return null;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    log(site, `the result of job ${jobId} could not be applied: ${error.code}`);
    if (error.code === 'lang_translation_edited' || error.code === 'lang_job_not_open')
      return refused(error.code === 'lang_translation_edited' ? error.code : 'lang_job_superseded', jobId, 422);
    return refused('apply_failed', jobId, 503, 300);
  }
}

/** Why a job takes no result; null: it does. The same result again is taken, and changes nothing. */
function refusalOf(job: JobRecord, status: StatusRecord): string | null {
  if (job.editorJobId === 0 || status.reviewStatus === 'EDITING') return 'lang_job_missing';
  if (status.job !== job.id) return 'lang_job_superseded';
  if (status.status === jobStatus.none || status.status === jobStatus.hidden) return 'lang_job_cancelled';
  return job.history.at(-1)?.event === 'target_edited' ? 'lang_translation_edited' : null;
}

function refused(code: string, jobId: number, status: number, retryAfter?: number): Answer {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  const more = retryAfter === undefined ? {} : { retry_after: retryAfter };
  return answer({ code, message: 'The result was not applied.', data: { status }, jobId, ...more }, { status, headers });
}
