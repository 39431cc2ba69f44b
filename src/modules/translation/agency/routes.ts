/**
 * Jobs of an agency, `lang/tm/v1/tp`.
 *
 * Shape    a document, or `{source_language, target_language, translations}`; `[{id, type, status}]`; ids of batches
 * Access   manage_options, manage_translations, translate; translators only for jobs of their languages
 * Errors   rest_forbidden, rest_invalid_param, lang_job_not_found, lang_job_forbidden, lang_job_local_only, lang_job_not_ready,
 *          lang_tp_not_configured, lang_upstream_unreachable, lang_upstream_timeout, lang_upstream_error
 * Source   specification 4.13; reference on languages, 7; recordings lang-service
 */
import { fail, RestError } from '../../../kernel/errors.ts';
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import { of } from '../../../kernel/model/schema.ts';
import { mergeParams } from '../../../kernel/rest/params.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { answer, type Call, CREATE, READ, type AccessRule } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isEligible, isManager, jobStatus, mayTranslate, outsider } from '../jobs/index.ts';
import type { StatusRecord } from '../jobs/record.ts';
import { readXliff } from '../xliff/index.ts';
import type { Agency, AgencyState } from './record.ts';

const base = '/lang/tm/v1/tp';
const types: readonly string[] = ['post', 'string', 'package'];
const maxMembers = 500;

const allow: AccessRule = mayTranslate;

export const agencyRoutes: Namespace['routes'] = [
  {
    path: `${base}/xliff/download/(?P<job_id>\\d+)/(?P<job_type>\\w+)`,
    endpoints: [
      {
        methods: READ,
        args: {
          job_id: of('integer', 'Id of the status of the job.', { required: true }),
          job_type: {
            ...of('string', 'Type of the job.', { required: true }),
            validate: (type) => (types.includes(String(type)) ? null : false),
          },
          json: of('boolean', 'The texts in place of the document.'),
        },
        allow,
        handle: download,
      },
    ],
  },
  { path: `${base}/apply-translations`, endpoints: [{ methods: CREATE, args: {}, allow, handle: apply }] },
  {
    path: `${base}/batches/sync`,
    endpoints: [
      {
        methods: CREATE,
        args: {
          batchId: {
            description: 'Ids of batches.',
            required: true,
            validate: (ids) => (Array.isArray(ids) ? null : false),
            coerce: false,
          },
        },
        allow,
        handle: syncBatches,
      },
    ],
  },
  {
    path: `${base}/batches/status`,
    endpoints: [{ methods: READ, args: {}, allow, handle: (call) => agencyOf(call).queuedBatches() }],
  },
];

function agencyOf({ site }: Pick<Call, 'site'>): Agency {
  return site.translationAgency ?? fail('lang_tp_not_configured');
}

/** Jobs that the agency has. */
function remote({ tpId, service }: StatusRecord): boolean {
  return tpId > 0 && service !== 'local';
}

const isDone = ({ status }: StatusRecord): boolean => status === jobStatus.ready || status === jobStatus.complete;

async function download(call: Call) {
  const { site, params, user } = call;
  const status = site.translationJobs.status(params.job_id);
  if (!status || !isType(status, params.job_type)) return fail('lang_job_not_found');
  const job = site.translationJobs.current(status.id);
  if (!isManager(call) && !(job && isEligible(site, user, job, status))) fail('lang_job_forbidden');
  if (!remote(status)) fail('lang_job_local_only');
  const agency = agencyOf(call);
  if (!isDone(status)) fail('lang_job_not_ready');
  const xliff = await agency.fetch(status.tpId);
  if (params.json !== true)
    return answer(Buffer.from(xliff), {
      headers: {
        'Content-Type': 'application/x-xliff+xml; charset=UTF-8',
        'Content-Disposition': `attachment; filename=job-${status.id}.xliff`,
        'Cache-Control': 'no-store',
      },
    });
  if (!site.translationJobs.identify(xliff)) fail('lang_xliff_malformed');
  const { sourceLang, targetLang, units } = readXliff(xliff);
  const translations = units.map(({ id, source, target }) => ({
    field: id,
    source,
    target: (target ?? []).map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''),
  }));
  return { source_language: sourceLang, target_language: targetLang, translations };
}

/** Texts are a type of their own here. */
function isType({ type }: StatusRecord, wanted: string): boolean {
  return type === wanted || (wanted === 'string' && type === 'st-batch_strings');
}

/** What was applied or cancelled of the jobs that are meant. */
async function apply(call: Call) {
  const { site, user } = call;
  const meant = statusesMeant(call).filter(remote);
  if (meant.length === 0) return [];
  const agency = agencyOf(call);
  const running = meant.filter(({ status }) => status === jobStatus.inProgress || status === jobStatus.waiting);
  await syncStates(site, agency, running);
  const found: { id: number; type: string; status: number }[] = [];
  for (const { id } of meant) {
    const status = site.translationJobs.status(id);
    const job = site.translationJobs.current(id);
    if (!status || !job || (!isManager(call) && !isEligible(site, user, job, status))) continue;
    if (status.status === jobStatus.none) found.push({ id, type: status.type, status: status.status });
    if (!isDone(status)) continue;
    const applied = await applyOne(call, agency, status, job.id);
    if (applied) found.push({ id, type: status.type, status: applied.status });
  }
  return found;
}

async function applyOne(
  { site, user }: Pick<Call, 'site' | 'user'>,
  agency: Agency,
  status: StatusRecord,
  jobId: number,
): Promise<StatusRecord | null> {
  try {
    const document = await agency.fetch(status.tpId);
    const { status: after } = await site.translationJobs.applyResult(jobId, document, outsider(user?.id));
    await agency.delivered(status.tpId);
    return after;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    void site.store.faults.background('translation', () =>
      Promise.reject(new Error(`job ${jobId} of the agency could not be applied: ${error.code}`)),
    );
    return null;
  }
}

const events = table({
  received: 'agency_working',
  waiting_translation: 'agency_working',
  translation_ready: 'agency_ready',
  delivered: 'agency_ready',
  cancelled: 'agency_cancelled',
} as const satisfies Readonly<Record<AgencyState, string>>);

const targets = table({ agency_working: jobStatus.inProgress, agency_ready: jobStatus.ready, agency_cancelled: jobStatus.none });

/** Takes over what the agency says of jobs. */
async function syncStates(site: Site, agency: Agency, statuses: readonly StatusRecord[]): Promise<void> {
  for (const { id, state, tsStatus } of await agency.states(statuses.map(({ tpId }) => tpId))) {
    const status = statuses.find(({ tpId }) => tpId === id);
    if (status && status.status !== targets[events[state]])
      await site.translationJobs.setStatus(status.id, events[state], null, { tsStatus });
  }
}

/** Of the body: nothing means all that are ready. */
function statusesMeant({ site, request }: Call): readonly StatusRecord[] {
  const all = [...site.translationJobs.statuses()];
  const raw: unknown =
    request.raw && request.raw.length > 0 && !request.form ? JSON.parse(Buffer.from(request.raw).toString('utf8')) : null;
  const sent = Array.isArray(raw) ? raw : mergeParams(request.query, request.form, request.json);
  if (Array.isArray(sent)) {
    if (sent.length === 0) return all.filter(({ status }) => status === jobStatus.ready);
    return (sent as unknown[]).slice(0, maxMembers).flatMap((row) => {
      const { id, type } = mapOf(row);
      const found = isMap(row) ? site.translationJobs.status(Number(id)) : undefined;
      return found && isType(found, String(type)) ? [found] : [];
    });
  }
  const { original_element_id: item, element_type: element } = sent as Readonly<Record<string, unknown>>;
  if (item === undefined) return all.filter(({ status }) => status === jobStatus.ready);
  return all.filter(
    (one) => one.item === Number(item) && (element === undefined || one.element === element || one.type === element),
  );
}

async function syncBatches(call: Call) {
  const agency = agencyOf(call);
  const ids = (call.params.batchId as readonly unknown[]).map(Number).filter((id) => Number.isSafeInteger(id) && id > 0);
  const queued = await agency.syncBatches(ids);
  const running = [...call.site.translationJobs.statuses()].filter(
    (status) => remote(status) && (status.status === jobStatus.waiting || status.status === jobStatus.inProgress),
  );
  await syncStates(call.site, agency, running);
  return queued;
}
