/**
 * Jobs as they are found: by each of their four numbers, by what they are of, and whether they need an update.
 */
import type { Table } from '../../../kernel/records/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { pairKey } from './fields.ts';
import { tables } from './file.ts';
import type { BatchRecord, JobRecord, JobSubject, JobType, StatusRecord, TranslationJobs } from './record.ts';
import { openStatuses } from './states.ts';

/** What all parts of the service work on. */
export interface JobContext {
  readonly site: Site;
  readonly subjects: ReadonlyMap<JobType, JobSubject>;
  readonly lookup: Lookup;
}

interface Lookup
  extends Pick<
    TranslationJobs,
    'status' | 'statusOf' | 'recordOf' | 'statuses' | 'job' | 'current' | 'byEditorId' | 'byAgencyId' | 'batch' | 'isOpen'
  > {
  /** Every attempt of a rid, the newest first. */
  attempts(rid: number): readonly JobRecord[];
}

export function createLookup(site: Site, subjects: ReadonlyMap<JobType, JobSubject>): Lookup {
  const statuses = (): Table<StatusRecord> => site.records.table(tables.status.name);
  const jobs = (): Table<JobRecord> => site.records.table(tables.job.name);
  const batches = (): Table<BatchRecord> => site.records.table(tables.batch.name);

  /** With what only the original tells. */
  function judged(stored: StatusRecord): StatusRecord {
    const subject = subjects.get(stored.type);
    const { element, named } = stored;
    const status = named === '' ? stored : { ...stored, item: subject?.names?.find(element, named) ?? 0 };
    const original = status.hash === '' ? null : subject?.present(status);
    const needsUpdate = original !== undefined && original !== null && original.hash() !== status.hash;
    return needsUpdate === status.needsUpdate ? status : { ...status, needsUpdate };
  }

  /** What was made without a job is no job: its status tells of the translation as long as there is one. */
  function told(stored: StatusRecord | undefined): StatusRecord | undefined {
    if (stored === undefined) return undefined;
    const status = judged(stored);
    const names = status.job === 0 ? subjects.get(status.type)?.names : undefined;
    return names === undefined || names.isTranslated(status) ? status : undefined;
  }

  function stored(element: string, item: number, target: string): StatusRecord | undefined {
    const found = (one: number | string) => first(statuses(), 'element', pairKey(element, one, target));
    for (const subject of subjects.values())
      for (const one of new Set([item, ...subject.members(element, item)])) {
        const name = subject.names?.of(element, one) ?? '';
        const status = found(one) ?? (name === '' ? undefined : found(name));
        if (status) return status;
      }
    return undefined;
  }

  const first = <R extends { readonly id: number }>(table: Table<R>, index: string, value: string | number): R | undefined => {
    const id = table.lowest(index, value);
    return id === undefined ? undefined : table.get(id);
  };

  const lookup: Lookup = {
    status: (rid) => told(statuses().get(rid)),
    statusOf: (element, item, target) => told(stored(element, item, target)),
    recordOf(element, item, target) {
      const status = stored(element, item, target);
      return status && judged(status);
    },
    *statuses() {
      for (const one of statuses().all()) {
        const status = told(one);
        if (status) yield status;
      }
    },
    job: (id) => jobs().get(id),
    current(rid) {
      const status = statuses().get(rid);
      const job = status && jobs().get(status.job);
      return job?.rid === rid ? job : undefined;
    },
    byEditorId: (id) => first(jobs(), 'editor_job_id', id),
    byAgencyId: (id) => told(first(statuses(), 'tp_id', id)),
    batch: (id) => batches().get(id),
    isOpen: (job) => {
      const status = statuses().get(job.rid);
      return status !== undefined && status.job === job.id && openStatuses.includes(status.status);
    },
    attempts: (rid) =>
      [...jobs().with('rid', rid)].flatMap((id) => jobs().get(id) ?? []).sort((a, b) => b.revision - a.revision || b.id - a.id),
  };
  return lookup;
}
