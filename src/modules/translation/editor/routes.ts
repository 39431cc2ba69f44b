/**
 * Jobs and the external editor, `lang/tm/v1/ate`.
 *
 * Shape    see each handler
 * Access   sending: manage_translations, manage_options; fetching: translate as well; the callback: whoever has its token
 * Errors   rest_forbidden, rest_invalid_param, lang_job_not_found, lang_job_forbidden, lang_job_not_open, lang_editor_not_configured,
 *          lang_upstream_unreachable, lang_upstream_timeout, lang_upstream_error, lang_destination_denied; of members of a list as
 *          `error` in the list
 * Source   specification 4.13; reference on languages, 5; recordings lang-service
 */
import { fail, RestError } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/model/ids.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { of } from '../../../kernel/model/schema.ts';
import { asSent } from '../../../kernel/rest/args.ts';
import { mergeParams } from '../../../kernel/rest/params.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { answer, anyone, type Call, CREATE, READ } from '../../../kernel/rest/types.ts';
import type { AppliedResult, JobRecord } from '../jobs/record.ts';
import { isEligible, isManager, jobStatus, mayManage, mayTranslate } from '../jobs/index.ts';
import { log } from './editor.ts';
import { forwardJobs, orderJobs } from './order.ts';
import { receive } from './receive.ts';

const base = '/lang/tm/v1/ate/jobs';
const maxMembers = 100;
const retriesPerCall = 10;
const maxRetries = 10;
const retryPauseMs = 600_000;

type Row = Readonly<Record<string, unknown>>;

export function editorRoutes(): Namespace['routes'] {
  /** Milliseconds since the epoch of the last round of automatic retries. */
  const retries = { last: 0 };
  const id = (description: string) => of('integer', description);
  return [
    {
      path: `${base}/store`,
      endpoints: [
        {
          methods: CREATE,
          args: {
            lang_job_id: of('string', 'Id of the job.', { required: true }),
            ate_job_data: {
              description: 'What the editor says of the job: its id as ate_job_id.',
              type: 'array',
              required: true,
              ...asSent,
            },
          },
          allow: mayManage,
          handle: store,
        },
      ],
    },
    { path: base, endpoints: [{ methods: CREATE, args: {}, allow: mayManage, handle: create }] },
    {
      path: `${base}/(?P<ateJobId>\\d+)`,
      endpoints: [{ methods: READ, args: { ateJobId: id('Id of the job in the editor.') }, allow: mayTranslate, handle: lookUp }],
    },
    {
      path: `${base}/sync`,
      endpoints: [
        {
          methods: CREATE,
          args: {
            lockKey: of('string', 'The key of the answer before.'),
            ateToken: of('string', 'The token of the answer before.'),
            page: of('integer', 'The page that is asked for, from 1.'),
            numberOfPages: of('integer', 'The number of pages of the answer before.'),
          },
          allow: mayTranslate,
          handle: sync,
        },
      ],
    },
    { path: `${base}/download`, endpoints: [{ methods: CREATE, args: {}, allow: mayTranslate, handle: download }] },
    {
      path: `${base}/retry`,
      endpoints: [{ methods: CREATE, args: {}, allow: mayTranslate, handle: (call) => retry(call, retries) }],
    },
    {
      path: `${base}/receive/(?P<wpmlJobId>\\d+)`,
      endpoints: [
        {
          methods: READ,
          args: { wpmlJobId: of('integer', 'Id of the job.', { required: true }) },
          allow: anyone,
          handle: receive,
        },
      ],
    },
    {
      path: `${base}/(?P<ateJobId>\\d+)/fix`,
      endpoints: [{ methods: READ, args: {}, acts: true, allow: mayTranslate, handle: fix }],
    },
  ];
}

/** Everything that was sent, lists and maps too. */
function sentWith({ request: { query, form, json } }: Pick<Call, 'request'>): Row {
  return mergeParams(query, form, json);
}

/** True once the editor's id is that of the job. */
async function store({ site, params }: Call): Promise<true> {
  const jobId = Number(params.lang_job_id);
  const { ate_job_data: data } = params;
  const { ate_job_id: given } = mapOf(Array.isArray(data) ? data[0] : data);
  const editorJobId = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given;
  if (!isId(editorJobId)) {
    const why = 'ate_job_data must hold an ate_job_id above 0.';
    fail('rest_invalid_param', { params: { ate_job_data: why }, details: [] }, 'Invalid parameter(s): ate_job_data');
  }
  const job = site.translationJobs.job(jobId) ?? fail('lang_job_not_found');
  const other = site.translationJobs.byEditorId(editorJobId);
  if (other && other.id !== job.id) fail('lang_job_not_open', { job_id: other.id }, 'Another job has this id of the editor.');
  if (job.editorJobId !== editorJobId || job.editor !== 'ate')
    await site.translationJobs.note(jobId, { editorJobId, editor: 'ate' });
  return true;
}

/** Of an order `{batch, jobs, created, skipped}`; of packed jobs what the editor answers. */
function create(call: Call): Promise<unknown> {
  const sent = sentWith(call);
  return Object.hasOwn(sent, 'elements') || !Object.hasOwn(sent, 'jobs') ? orderJobs(call, sent) : forwardJobs(call, sent);
}

/** `{<id>: {status_id, translated_xliff}}`, the address for managers alone; null for 0. */
async function lookUp(call: Call) {
  const { site, params } = call;
  const id = Number(params.ateJobId);
  const { editor } = site.translationUpstream;
  if (!editor.isConfigured) fail('lang_editor_not_configured');
  if (id === 0) return null;
  if (!site.translationJobs.byEditorId(id)) fail('lang_job_not_found');
  const found = (await editor.lookUp(id)) ?? fail('lang_job_not_found');
  const shown = { status_id: found.status, ...(isManager(call) && found.url !== '' ? { translated_xliff: found.url } : {}) };
  return { [id]: shown };
}

async function sync(call: Call) {
  const { site, params } = call;
  if (!site.translationUpstream.editor.isConfigured) fail('lang_editor_not_configured');
  const { includeManualAndLongstandingJobs: all, nextPage } = sentWith(call);
  const page = Number(nextPage ?? params.page ?? 0);
  return site.translationEditor.sync({
    lockKey: params.lockKey ?? '',
    token: params.ateToken ?? '',
    page: Number.isInteger(page) ? page : 0,
    numberOfPages: params.numberOfPages ?? 0,
    withManual: all !== false && all !== 'false' && all !== '0' && all !== 0,
  });
}

/** What was handed in or fetched, each with `status: 10`; a document that was handed in and is refused has `error`. */
async function download(call: Call): Promise<readonly unknown[]> {
  const { site } = call;
  const { lockKey, jobs } = sentWith(call);
  if (jobs !== undefined && (!Array.isArray(jobs) || jobs.length > maxMembers)) {
    const why = `jobs must be a list of at most ${maxMembers}.`;
    fail('rest_invalid_param', { params: { jobs: why }, details: [] }, 'Invalid parameter(s): jobs');
  }
  const members = ((jobs ?? []) as unknown[]).filter(isMap);
  const toFetch = members.filter(({ content }) => content === undefined);
  const holdsLock =
    toFetch.length > 0 && typeof lockKey === 'string' && lockKey !== '' && site.translationEditor.lock.take(lockKey) === lockKey;
  if (holdsLock && !site.translationUpstream.editor.isConfigured) fail('lang_editor_not_configured');
  const done: unknown[] = [];
  const arrived: number[] = [];
  for (const member of members) {
    if (member.content !== undefined) done.push(await handedIn(call, member));
    else if (holdsLock) {
      const one = await fetched(call, member);
      if (one) {
        done.push(one);
        arrived.push(Number(member.ateJobId));
      }
    }
  }
  await site.translationEditor.confirm(arrived);
  return done;
}

/** A document in the request. */
async function handedIn(call: Call, { content, ...member }: Row): Promise<unknown> {
  const { site, user } = call;
  const job = site.translationJobs.job(Number(member.jobId));
  try {
    const status = job && site.translationJobs.status(job.rid);
    if (!job || !status) return fail('lang_job_not_found');
    if (!isManager(call) && !isEligible(site, user, job, status)) return fail('lang_job_forbidden');
    if (typeof content !== 'string') return fail('lang_xliff_malformed');
    const result = await site.translationJobs.applyResult(job.id, Buffer.from(content, 'base64').toString('utf8'), user);
    return appliedMember(member, job, result);
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const status = job ? (site.translationJobs.status(job.rid)?.status ?? 0) : 0;
    return { jobId: Number(member.jobId), status, error: { code: error.code, message: error.message, data: error.data } };
  }
}

/** A document that the editor has; its address is what the editor said, never what the request says. */
async function fetched({ site, user }: Call, member: Row): Promise<unknown> {
  const id = Number(member.ateJobId);
  const said = site.translationEditor.seen(id);
  const job = site.translationJobs.byEditorId(id);
  if (!said || said.url === '' || !job) {
    log(site, `job ${id} of the editor is not fetched: the editor was not asked for it, or has no document`);
    return null;
  }
  try {
    return appliedMember(member, job, await site.translationEditor.fetch(job, said.url, user));
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    log(site, `job ${id} of the editor could not be applied: ${error.code}`);
    return null;
  }
}

function appliedMember(member: Row, job: JobRecord, { status, ignored }: AppliedResult): Row {
  return {
    ...member,
    jobId: job.id,
    status: status.status,
    needsReview: status.reviewStatus === 'NEEDS_REVIEW',
    automatic: job.automatic,
    language_code: status.target,
    original_element_id: status.item,
    ...(ignored.length > 0 ? { ignored_units: ignored } : {}),
  };
}

/** `{jobsToProcess, processed}` of job ids: those that are left, and those that were tried. */
async function retry(call: Call, retries: { last: number }) {
  const { site } = call;
  const { jobsToProcess: given } = sentWith(call);
  if (!site.translationUpstream.editor.isConfigured) fail('lang_editor_not_configured');
  if (given !== undefined && (!Array.isArray(given) || !given.every((id) => Number.isSafeInteger(Number(id))))) {
    const why = 'jobsToProcess must be a list of ids.';
    fail('rest_invalid_param', { params: { jobsToProcess: why }, details: [] }, 'Invalid parameter(s): jobsToProcess');
  }
  const asked = ((given ?? []) as unknown[]).map(Number);
  const isOwn = asked.length === 0;
  if (isOwn && retries.last + retryPauseMs > site.clock()) return { jobsToProcess: [], processed: [] };
  const failed = [...site.translationJobs.statuses()].filter(
    ({ status, retryCount }) => status === jobStatus.failed && (!isOwn || retryCount < maxRetries),
  );
  const wanted = isOwn ? failed.map(({ job }) => job) : asked.filter((id) => failed.some(({ job }) => job === id));
  const now = wanted.slice(0, retriesPerCall);
  const jobs = now.flatMap((id) => site.translationJobs.job(id) ?? []);
  const sent = await site.translationEditor.send(jobs, call.user, 'retry');
  for (const job of jobs) {
    const retryCount = (site.translationJobs.status(job.rid)?.retryCount ?? 0) + 1;
    if (sent.get(job.rid) === null) await site.translationJobs.note(job.id, { retryCount });
    else await site.translationJobs.setStatus(job.rid, 'retried', null);
  }
  const left = wanted.slice(retriesPerCall);
  if (left.length === 0) retries.last = site.clock();
  return { jobsToProcess: left, processed: now };
}

/** `{completed, error}` */
async function fix(call: Call) {
  const { site, params } = call;
  const { editor } = site.translationUpstream;
  if (!editor.isConfigured) fail('lang_editor_not_configured');
  if (site.store.readOnly) fail('rest_read_only');
  const id = Number(params.ateJobId);
  const job = site.translationJobs.byEditorId(id) ?? fail('lang_job_not_found');
  const { jobId } = call.request.query;
  const headers = { 'Cache-Control': 'no-store' };
  if (jobId !== undefined && Number(jobId) !== job.id) return answer({ completed: false, error: true }, { headers });
  try {
    const found = await editor.lookUp(id);
    if (!found || found.url === '') return answer({ completed: false, error: false }, { headers });
    const result = await site.translationEditor.fetch(job, found.url, call.user);
    await site.translationEditor.confirm([id]);
    return answer({ completed: result.status.status === jobStatus.complete, error: false }, { headers });
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    log(site, `job ${id} of the editor could not be repaired: ${error.code}`);
    return answer({ completed: false, error: true }, { headers });
  }
}
