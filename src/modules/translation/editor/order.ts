/**
 * The two bodies that make work: `elements`, an order of this site, and `jobs`, what a program of the editor sends there itself.
 *
 * Errors   rest_invalid_param, lang_editor_not_configured, lang_job_not_found
 * Source   reference on languages, 5.2, 13.4
 */
import { fail, RestError } from '../../../kernel/errors.ts';
import { isId } from '../../../kernel/model/ids.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { JobOrder, JobRecord, OrderElement } from '../jobs/record.ts';
import { makeStringBatch } from '../strings/index.ts';
import { log } from './editor.ts';

type Row = Readonly<Record<string, unknown>>;

const maxElements = 100;
const maxTargets = 50;

export async function orderJobs(call: Call, sent: Row): Promise<unknown> {
  const { site, user } = call;
  const order = await readOrder(call, sent);
  const toEditor = order.editor === 'ate';
  if (toEditor && !site.translationUpstream.editor.isConfigured) fail('lang_editor_not_configured');
  if (order.editor === 'tp' && site.translationAgency === null) fail('lang_tp_not_configured');
  const superseded = toEditor ? new Map(openEditorIds(call)) : new Map<number, number>();
  const { batch, created, skipped } = await site.translationJobs.create(order, user);
  const jobs = created.flatMap(({ jobId }) => site.translationJobs.job(jobId) ?? []);
  const ids = toEditor
    ? await site.translationEditor.send(jobs, user, order.automatic ? 'automatic' : 'manual')
    : new Map<number, null>();
  for (const job of jobs)
    if (order.automatic && toEditor && ids.get(job.rid) === null)
      await site.translationJobs.setStatus(job.rid, 'send_failed', null);
  if (order.editor === 'tp') await sendToAgency(call, jobs);
  // The editor's jobs of earlier attempts are obsolete.
  const left = jobs.flatMap(({ rid }) => superseded.get(rid) ?? []);
  if (left.length > 0) {
    await site.translationUpstream.outbox.add('cancel', left);
    await site.translationUpstream.outbox.flush();
  }
  return {
    batch: batch && { id: batch.id, name: batch.name },
    // A member without a value keeps an empty map from becoming a list.
    jobs: created.length === 0 ? { none: undefined } : Object.fromEntries(created.map(({ rid }) => [rid, ids.get(rid) ?? null])),
    created: created.map(({ rid, jobId, item, target, type }) => ({
      rid,
      job_id: jobId,
      original_element_id: item,
      target,
      type,
    })),
    skipped: skipped.map(({ item, target, reason }) => ({ id: item, target, reason })),
  };
}

/** Rid → id of the editor, of jobs that are open there. */
function* openEditorIds({ site }: Call): Iterable<readonly [number, number]> {
  for (const { id } of site.translationJobs.statuses()) {
    const job = site.translationJobs.current(id);
    if (job && job.editor === 'ate' && job.editorJobId > 0 && site.translationJobs.isOpen(job)) yield [id, job.editorJobId];
  }
}

/** What the agency does not take stays here, without an id of it, and is cancelled or ordered again by hand. */
async function sendToAgency({ site }: Call, jobs: readonly JobRecord[]): Promise<void> {
  const agency = site.translationAgency ?? fail('lang_tp_not_configured');
  for (const job of jobs) {
    const status = site.translationJobs.status(job.rid);
    if (!status) continue;
    try {
      const tpId = await agency.send(job, status, site.translationJobs.xliff(job.id, '1.2'));
      await site.translationJobs.note(job.id, { editor: 'tp', service: agency.id, tpId });
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      log(site, `job ${job.id} could not be sent to the agency: ${error.code}`);
    }
  }
}

async function readOrder({ site }: Call, sent: Row): Promise<JobOrder> {
  const { batch_name: name = '', deadline = '', editor = 'local', automatic = false, translators = {}, elements } = sent;
  if (typeof name !== 'string' || name.length > 200) refuse('batch_name', 'must be a text of at most 200 characters.');
  if (typeof deadline !== 'string' || (deadline !== '' && !isDay(deadline))) refuse('deadline', 'must be a day: YYYY-MM-DD.');
  if (editor !== 'local' && editor !== 'ate' && editor !== 'tp') refuse('editor', 'is one of local, ate, tp.');
  if (typeof automatic !== 'boolean') refuse('automatic', 'must be true or false.');
  if (automatic && editor !== 'ate') refuse('automatic', 'is for the external editor: editor must be ate.');
  if (!isMap(translators) || Object.values(translators).some((id) => !isId(id)))
    refuse('translators', 'must be a map of languages and users.');
  if (!Array.isArray(elements) || elements.length === 0) refuse('elements', 'must be a list of items.');
  if (elements.length > maxElements) refuse('elements', `has at most ${maxElements} items.`);
  const read: OrderElement[] = [];
  for (const [at, row] of (elements as unknown[]).entries()) {
    const { id, type, targets, ids } = mapOf(row);
    const place = `elements[${at}]`;
    if (typeof type !== 'string' || type === '') refuse(`${place}[type]`, 'must be a type.');
    const isList = Array.isArray(targets) && targets.length <= maxTargets && targets.every((one) => typeof one === 'string');
    if (!isList || targets.length === 0) refuse(`${place}[targets]`, 'must be a list of languages.');
    const isBatch = type === 'string' && Array.isArray(ids);
    if (isBatch && (ids.length === 0 || ids.length > 1000 || !ids.every(isId)))
      refuse(`${place}[ids]`, 'must be a list of at most 1000 ids.');
    if (!isBatch && !isId(id)) refuse(`${place}[id]`, 'must be an id.');
    read.push({
      id: isBatch ? await makeStringBatch(site, ids as number[]) : (id as number),
      type,
      targets: targets as string[],
    });
  }
  return { name, deadline, editor, automatic, translators: translators as Record<string, number>, elements: read };
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function refuse(param: string, why: string): never {
  return fail('rest_invalid_param', { params: { [param]: `${param} ${why}` }, details: [] }, `Invalid parameter(s): ${param}`);
}

/** Jobs that a program has packed: each must be one of this site, and what says where results go is the server's. */
export async function forwardJobs(call: Call, sent: Row): Promise<unknown> {
  const { site, user } = call;
  const { jobs = [], existing_jobs: existing = [], auto_translate: isAutomatic, preview, job_type: kind } = sent;
  if (!Array.isArray(jobs) || !Array.isArray(existing)) refuse('jobs', 'must be a list.');
  if (!site.translationUpstream.editor.isConfigured) fail('lang_editor_not_configured');
  const known: JobRecord[] = [];
  const own: Row[] = [];
  for (const row of jobs as unknown[]) {
    const { id, source_id: rid } = mapOf(row);
    const job = site.translationJobs.job(Number(id));
    const status = job && site.translationJobs.status(job.rid);
    if (job === undefined || status === undefined || job.rid !== Number(rid)) fail('lang_job_not_found');
    const packed = await site.translationEditor.packageOf(job, status, user);
    const { notify_url, site_identifier, job_sender, notify_enabled } = packed;
    own.push({ ...mapOf(row), notify_url, site_identifier, job_sender, notify_enabled });
    known.push(job);
  }
  for (const id of existing as unknown[]) if (!site.translationJobs.byEditorId(Number(id))) fail('lang_job_not_found');
  const order = {
    jobs: own,
    existing_jobs: existing,
    auto_translate: isAutomatic === true,
    preview: preview === true,
    job_type: Number(kind) || 1,
  };
  const { ids, answer } = await site.translationUpstream.editor.create(order);
  for (const job of known) {
    const editorJobId = ids.get(job.rid);
    if (editorJobId !== undefined)
      await site.translationJobs.note(job.id, { editorJobId, editor: 'ate', automatic: isAutomatic === true });
  }
  return answer;
}
