/**
 * What becomes of jobs beside their texts: who translates them, whether they go on, what others call them. Each event is checked
 * against the state table.
 *
 * Errors   lang_job_not_found, lang_job_not_open
 * Source   reference on languages, 13.4
 */
import { fail } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { PlanningSite, Site } from '../../../kernel/site/site.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import { placedRecord, tables, writeRow } from './file.ts';
import type { JobContext } from './lookup.ts';
import type { JobRecord, StatusRecord, StatusValues } from './record.ts';
import { isOpenStatus, type JobEvent, jobStatus, openStatuses, statusAfter } from './states.ts';

/** @throws RestError lang_job_not_found */
export function findJob({ lookup }: JobContext, jobId: number): { readonly job: JobRecord; readonly status: StatusRecord } {
  const job = lookup.job(jobId);
  const status = job && lookup.status(job.rid);
  return job && status ? { job, status } : fail('lang_job_not_found', { job_id: jobId });
}

/** @throws RestError lang_job_not_open saying why */
export function refuseClosed({ lookup }: JobContext, job: JobRecord, status: StatusRecord): void {
  if (status.job !== job.id)
    fail(
      'lang_job_not_open',
      { reason: 'superseded', current_job_id: status.job },
      'A newer job has taken the place of this one.',
    );
  if (!lookup.isOpen(job)) fail('lang_job_not_open', { reason: 'closed', job_status: status.status });
}

/** The status as its file has it. */
export function storedStatus({ records }: Pick<Site, 'records'>, { id }: StatusRecord): StatusRecord {
  return records.table<StatusRecord>(tables.status.name).get(id) as StatusRecord;
}

export async function assignJob(context: JobContext, jobId: number, translator: number, by: Actor | null): Promise<void> {
  await context.site.write(() => {
    const { job, status } = findJob(context, jobId);
    refuseClosed(context, job, status);
    if (job.translator === translator) return { changes: [], result: null };
    const event = translator === 0 ? 'resign' : 'assign';
    const { files } = moved(context, job, status, event, by, { service: 'local' }, translator);
    return { changes: files, result: null };
  });
}

export async function cancelJobs(
  context: JobContext,
  rids: readonly number[],
  by: Actor | null,
): Promise<readonly StatusRecord[]> {
  return context.site.write(() => {
    const cancelled = [...new Set(rids)].flatMap((rid) => {
      const job = context.lookup.current(rid);
      const status = context.lookup.status(rid);
      const isTaken = status !== undefined && statusAfter('cancel', status.status, status.prev) !== null;
      return job && isTaken ? [moved(context, job, status, 'cancel', by)] : [];
    });
    return { changes: cancelled.flatMap(({ files }) => files), result: cancelled.map(({ status }) => status) };
  });
}

export async function setStatus(
  context: JobContext,
  rid: number,
  event: JobEvent,
  by: Actor | null,
  values: StatusValues = {},
): Promise<StatusRecord> {
  return context.site.write(() => {
    const { job, status } = findCurrent(context, rid);
    const done = moved(context, job, status, event, by, values);
    const plan = event === 'accept' ? context.subjects.get(status.type)?.release?.(status, by) : undefined;
    return {
      changes: [...(plan?.changes ?? []), ...done.files],
      result: done.status,
      ...(plan?.once ? { once: plan.once } : {}),
    };
  });
}

/** Members that change no status. */
export async function noteJob(context: JobContext, jobId: number, values: StatusValues): Promise<void> {
  await context.site.write(() => {
    const { job, status } = findJob(context, jobId);
    const after = withValues(job, status, values);
    return {
      changes: [
        writeRow(context.site, 'job', after.job, job),
        writeRow(context.site, 'status', after.status, storedStatus(context.site, status)),
      ].filter(({ data }) => Object.keys(data).length > 0),
      result: null,
    };
  });
}

function findCurrent(context: JobContext, rid: number): { readonly job: JobRecord; readonly status: StatusRecord } {
  const job = context.lookup.current(rid);
  return job ? findJob(context, job.id) : fail('lang_job_not_found', { id: rid });
}

/** A job after an event. @throws RestError lang_job_not_open when its status does not take it */
function moved(
  { site }: JobContext,
  job: JobRecord,
  status: StatusRecord,
  event: JobEvent,
  by: Actor | null,
  values: StatusValues = {},
  translator = job.translator,
): { readonly status: StatusRecord; readonly files: readonly FileChange[] } {
  const to = statusAfter(event, status.status, status.prev) ?? fail('lang_job_not_open', { job_status: status.status, event });
  const row = { at: site.now().gmt, by: by?.id ?? 0, event, from: status.status, to };
  const valued = withValues(job, status, values);
  const reviewStatus = event === 'accept' ? 'ACCEPTED' : valued.status.reviewStatus;
  const after: StatusRecord = { ...valued.status, status: to, translator, reviewStatus, ...formerIf(event, status) };
  const changed = { ...valued.job, translator, history: [...job.history, row] };
  const files = [writeRow(site, 'job', changed, job), writeRow(site, 'status', after, storedStatus(site, status))];
  return { status: after, files };
}

/** A cancelled attempt leaves the translation that needed an update, else nothing. */
function formerIf(event: JobEvent, { prev }: StatusRecord): Partial<StatusRecord> {
  if (event !== 'cancel') return {};
  if (!prev?.needsUpdate) return { hash: '', reviewStatus: null };
  const { hash, reviewStatus, job } = prev;
  return { hash, reviewStatus, job, needsUpdate: true, prev: null };
}

function withValues(
  job: JobRecord,
  status: StatusRecord,
  values: StatusValues,
): { readonly job: JobRecord; readonly status: StatusRecord } {
  const { editor, editorJobId, automatic, syncCount, ...ofStatus } = values;
  const ofJob = Object.fromEntries(
    Object.entries({ editor, editorJobId, automatic, syncCount }).filter(([, value]) => value !== undefined),
  );
  return { job: { ...job, ...ofJob }, status: { ...status, ...ofStatus } };
}

/** Statuses in which a translator may give a job back, or get it. */
export function isAssignable({ status }: Pick<StatusRecord, 'status'>): boolean {
  return openStatuses.includes(status) && statusAfter('assign', status, null) !== null;
}

/** What a translation is of that somebody makes without a job. */
export type TranslatedOriginal = Pick<StatusRecord, 'element' | 'item' | 'named' | 'source' | 'hash'>;

/**
 * A translation is of an original as its hash says. The file of a new record is called as the original is, for branches give out one id
 * twice: `lang/status/pages/about.de.yaml`.
 * @param present  the record of the pair, if there is one
 */
export function writeDirect(
  site: PlanningSite,
  original: TranslatedOriginal,
  target: string,
  present: StatusRecord | undefined,
): readonly FileChange[] {
  const said = { ...original, target, status: jobStatus.complete, reviewStatus: null };
  if (present) {
    const before = storedStatus(site, present);
    const write = writeRow(site, 'status', { ...before, ...said }, before);
    return Object.keys(write.data).length === 0 ? [] : [write];
  }
  const placed = placedRecord(site, 'status', {
    ...{ ...said, type: 'post', needsUpdate: false, service: 'local', translator: 0, batch: 0, tpId: 0, tsStatus: '' },
    ...{ retryCount: 0, sent: '', job: 0, prev: null },
  });
  return [writeRow(site, 'status', { ...placed, path: pathOf(site, original.named, target) ?? placed.path })];
}

/** There is no translation any more: what was ordered stays, the rest is forgotten. */
export function dropStatus(site: Site, status: StatusRecord): readonly FileChange[] {
  if (isOpenStatus(status)) return [];
  const before = storedStatus(site, status);
  if (before.job === 0) return [{ remove: before.path, expect: before.etag }];
  const after = { ...before, status: jobStatus.none, hash: '', reviewStatus: null, prev: null };
  const write = writeRow(site, 'status', after, before);
  return Object.keys(write.data).length === 0 ? [] : [write];
}

/** The original has other texts, which do not matter to the translation. */
export function renewHash(site: Site, status: StatusRecord, hash: string): readonly FileChange[] {
  const before = storedStatus(site, status);
  return before.hash === hash ? [] : [writeRow(site, 'status', { ...before, hash }, before)];
}

/** The original has another name. */
export function renameOriginal(site: Site, status: StatusRecord, named: string): FileChange {
  const before = storedStatus(site, status);
  return writeRow(site, 'status', { ...before, named }, before);
}

function pathOf({ store }: Site, named: string, target: string): string | null {
  if (named === '') return null;
  const path = `${tables.status.folder}/${named.replace(/^\//, '').replace(':', '/')}.${target}.yaml`;
  return store.knows(path) ? null : path;
}
