/**
 * Jobs as they are found: by each of their four numbers, by what they are of, and whether they need an update.
 */
import type { Table } from '../../kernel/records/types.ts';
import type { Site } from '../../kernel/site/site.ts';
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

export interface Lookup
  extends Pick<
    TranslationJobs,
    'status' | 'statusOf' | 'statuses' | 'job' | 'current' | 'byEditorId' | 'byAgencyId' | 'batch' | 'isOpen'
  > {
  /** Every attempt of a rid, the newest first. */
  attempts(rid: number): readonly JobRecord[];
}

export function createLookup(site: Site, subjects: ReadonlyMap<JobType, JobSubject>): Lookup {
  const statuses = (): Table<StatusRecord> => site.records.table(tables.status.name);
  const jobs = (): Table<JobRecord> => site.records.table(tables.job.name);
  const batches = (): Table<BatchRecord> => site.records.table(tables.batch.name);

  /** With what only the original tells. */
  function judged(status: StatusRecord | undefined): StatusRecord | undefined {
    if (status === undefined || status.hash === '') return status;
    const original = subjects.get(status.type)?.present(status);
    const needsUpdate = original !== undefined && original !== null && original.hash() !== status.hash;
    return needsUpdate === status.needsUpdate ? status : { ...status, needsUpdate };
  }

  const first = <R extends { readonly id: number }>(table: Table<R>, index: string, value: string | number): R | undefined => {
    const id = table.lowest(index, value);
    return id === undefined ? undefined : table.get(id);
  };

  const lookup: Lookup = {
    status: (rid) => judged(statuses().get(rid)),
    statusOf(element, item, target) {
      const members = [...subjects.values()].flatMap((subject) => subject.members(element, item));
      for (const one of new Set([item, ...members])) {
        const found = first(statuses(), 'element', pairKey({ element, item: one, target }));
        if (found) return judged(found);
      }
      return undefined;
    },
    *statuses() {
      for (const status of statuses().all()) yield judged(status) as StatusRecord;
    },
    job: (id) => jobs().get(id),
    current(rid) {
      const status = statuses().get(rid);
      const job = status && jobs().get(status.job);
      return job?.rid === rid ? job : undefined;
    },
    byEditorId: (id) => first(jobs(), 'editor_job_id', id),
    byAgencyId: (id) => judged(first(statuses(), 'tp_id', id)),
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
