/**
 * Jobs as lists show them: which, in what order, and what of each.
 *
 * Source: reference on languages, 4.2.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { hasPair, isManager } from './access.ts';
import type { JobContext } from './lookup.ts';
import { isFinished } from './orders.ts';
import type { JobRecord, StatusRecord, TranslatedItem } from './record.ts';
import { jobStatus } from './states.ts';

/** A status, and what is asked of its other records. */
interface JobRow {
  readonly status: StatusRecord;
  readonly job: JobRecord | undefined;
  readonly title: string;
  readonly batchName: string;
}

type SortColumn = 'id' | 'title' | 'batch_name' | 'language' | 'sent_date' | 'deadline_date' | 'status';
type Keys = Readonly<Record<SortColumn, (row: JobRow, site: Site) => string | number>>;

const sortColumns: Keys = table({
  id: ({ status }) => status.id,
  title: ({ title }) => title.toLowerCase(),
  batch_name: ({ batchName }) => batchName.toLowerCase(),
  language: ({ status }, site) => `${nameOf(site, status.source)} ${nameOf(site, status.target)}`,
  sent_date: ({ status }) => status.sent.slice(0, 10),
  deadline_date: ({ job }) => job?.deadline ?? '',
  status: ({ status }) => status.status,
});

const hiddenStatuses: readonly number[] = [jobStatus.none, jobStatus.hidden];

/** What was asked for, in its order, before paging. */
export function listJobs(context: JobContext, call: Call): readonly JobRow[] {
  const filters = filtersOf(call);
  const found: JobRow[] = [];
  for (const status of context.lookup.statuses()) {
    if (hiddenStatuses.includes(status.status) || !mayList(call, context, status)) continue;
    const row = rowOf(context, status);
    if (filters.every((fits) => fits(row))) found.push(row);
  }
  // Unknown columns are ignored (recorded).
  const order = Object.entries((call.params.sorting ?? {}) as Readonly<Record<string, unknown>>).filter(([column]) =>
    Object.hasOwn(sortColumns, column),
  );
  return found.sort((a, b) => {
    for (const [column, direction] of order) {
      const key = sortColumns[column as SortColumn];
      const [one, other] = [key(a, call.site), key(b, call.site)];
      if (one !== other) return (one < other ? -1 : 1) * (String(direction).toLowerCase() === 'desc' ? -1 : 1);
    }
    return b.status.id - a.status.id;
  });
}

function rowOf({ lookup, subjects }: JobContext, status: StatusRecord): JobRow {
  const job = lookup.current(status.id);
  const title = job?.title ?? subjects.get(status.type)?.present(status)?.title ?? '';
  return { status, job, title, batchName: lookup.batch(status.batch)?.name ?? '' };
}

/** A translator sees what is theirs, or nobody's, in their languages. */
function mayList(call: Call, { site }: JobContext, { source, target, translator }: StatusRecord): boolean {
  if (isManager(call)) return true;
  const id = call.user?.id ?? 0;
  return hasPair(site, id, source, target) && (translator === 0 || translator === id);
}

type Filter = (row: JobRow) => boolean;

function filtersOf({ params }: Call): readonly Filter[] {
  const filters: Filter[] = [];
  const words = (name: string): readonly string[] =>
    String(params[name] ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  const given = (name: string, fits: (values: readonly string[]) => Filter): void => {
    const values = words(name);
    if (values.length > 0) filters.push(fits(values));
  };
  const { scope = 'all', id, needs_update: needsUpdate, translated_by: translatedBy } = params;
  if (scope !== 'all') filters.push(({ status, job }) => scopeOf(status, job).includes(scope));
  if (id) filters.push(({ status }) => status.id === id);
  given(
    'local_job_ids',
    (ids) =>
      ({ status }) =>
        ids.includes(String(status.id)),
  );
  given(
    'title',
    (parts) =>
      ({ title }) =>
        parts.some((part) => title.toLowerCase().includes(part.toLowerCase())),
  );
  given(
    'batch_name',
    (parts) =>
      ({ batchName }) =>
        parts.some((part) => batchName.toLowerCase().includes(part.toLowerCase())),
  );
  given(
    'element_type',
    (types) =>
      ({ status }) =>
        types.includes(status.element),
  );
  given(
    'source_language',
    ([code]) =>
      ({ status }) =>
        status.source === code,
  );
  given(
    'target_language',
    (codes) =>
      ({ status }) =>
        codes.includes(status.target),
  );
  given('status', statusFilter);
  if (needsUpdate === 'include') filters.push(({ status }) => status.needsUpdate);
  if (needsUpdate === 'exclude') filters.push(({ status }) => !status.needsUpdate);
  if (translatedBy && scope === 'local') filters.push(({ status }) => String(status.translator) === translatedBy);
  if (translatedBy && (scope === 'remote' || scope === 'ate')) filters.push(({ status }) => status.service === translatedBy);
  return [
    ...filters,
    ...between(params.sent_from, params.sent_to, ({ status }) => status.sent.slice(0, 10)),
    ...between(params.deadline_from, params.deadline_to, ({ job }) => job?.deadline ?? ''),
  ];
}

/** 30 is the review: a condition more, never a status. */
function statusFilter(values: readonly string[]): Filter {
  const numbers = values.map(Number).filter((value) => Number.isInteger(value));
  const stored = numbers.filter((value) => value !== jobStatus.needsReview);
  const isReview = stored.length < numbers.length;
  return ({ status }) =>
    (stored.length === 0 || stored.includes(status.status)) &&
    (!isReview || status.reviewStatus === 'NEEDS_REVIEW' || status.reviewStatus === 'EDITING');
}

/** Days, both of them counted; bounds that are the wrong way round are none. */
function between(from: unknown, to: unknown, dayOf: (row: JobRow) => string): readonly Filter[] {
  const [first, last] = [String(from ?? ''), String(to ?? '')];
  if ((first === '' && last === '') || (first !== '' && last !== '' && last < first)) return [];
  return [
    (row) => {
      const day = dayOf(row);
      return day !== '' && (first === '' || day >= first) && (last === '' || day <= last);
    },
  ];
}

function scopeOf({ service }: StatusRecord, job: JobRecord | undefined): readonly string[] {
  if (service !== 'local') return ['remote'];
  return job?.editor === 'ate' ? ['local', 'ate'] : ['local'];
}

function nameOf(site: Site, code: string): string {
  return site.languages.of(code)?.name ?? code;
}

/** A job as clients get it. */
export function shownJob({ site, subjects, lookup }: JobContext, { status, job, title, batchName }: JobRow): object {
  const subject = subjects.get(status.type);
  const source = subject?.present(status);
  const translated = subject?.translated(status) ?? null;
  const batch = lookup.batch(status.batch);
  return {
    id: status.id,
    original_element_id: String(status.item),
    type: status.type,
    tp_id: status.tpId,
    status: status.status,
    needs_update: status.needsUpdate,
    review_status: status.reviewStatus,
    language_codes: { source: status.source, target: status.target },
    languages: { source: nameOf(site, status.source), target: nameOf(site, status.target) },
    translation_service_id: status.service,
    translation_service: status.service === 'local' ? 'Local' : status.service,
    sent_date: status.sent.slice(0, 10),
    deadline: job?.deadline ?? '',
    ts_status: status.tsStatus,
    element: { name: title, url: source?.href ?? '', status: translated?.status ?? null, type: typeOf(site, status.element) },
    translator_name: status.translator === 0 ? '' : (site.users.get(status.translator)?.name ?? ''),
    translator_id: status.translator === 0 ? '' : status.translator,
    is_ate_job: job?.editor === 'ate',
    automatic: job?.automatic ?? false,
    progress: progressOf(status, job),
    batch: { id: status.batch, name: batchName, tp_id: batch?.tpId || null },
    extra_data: { icl_translate_job_id: status.job, editor_job_id: job?.editorJobId ?? 0 },
    edit_url: `${site.url}/cms-admin/translation?job_id=${status.job}`,
    view_url: viewOf(translated),
    view_original_url: source?.href ?? '',
  };
}

function viewOf(translated: TranslatedItem | null): string {
  return translated?.href ?? '';
}

function typeOf(site: Site, element: string): { readonly value: string; readonly label: string } {
  const name = element.replace(/^(?:post|tax)_/, '');
  const label = site.types.get(name)?.labels.singular_name ?? site.taxonomies.get(name)?.labels.singular_name ?? name;
  return { value: element, label };
}

/** Of a local job that has been begun. */
function progressOf({ status, service, type }: StatusRecord, job: JobRecord | undefined): string {
  if (status !== jobStatus.inProgress || service !== 'local' || type.includes('string') || !job) return '';
  const units = job.parts.flatMap((part) => part.units);
  return `${Math.trunc((units.filter(isFinished).length / Math.max(1, units.length)) * 100)}% completed`;
}
