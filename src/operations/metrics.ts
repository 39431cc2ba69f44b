/**
 * What a server counts, as one table of families; and how the counts of several processes become one page.
 *
 * Source: Prometheus, "Text-based exposition format" 0.0.4.
 */
import { table } from '../kernel/model/maps.ts';

interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Of several processes each has its own, labelled with its worker; the others are added up. */
  readonly isOwn?: true;
}

export const families = table({
  cms_http_requests_total: { type: 'counter', help: 'Requests, by method, route and status.' },
  cms_http_request_duration_seconds: { type: 'histogram', help: 'Response times, by route.' },
  cms_http_requests_in_progress: { type: 'gauge', help: 'Requests in progress.' },
  cms_commits_total: { type: 'counter', help: 'Commits to the content folder, by result: saved, stale (retried), refused.' },
  cms_commit_duration_seconds: { type: 'histogram', help: 'Time of a commit, with its time in the queue.' },
  cms_committed_files_total: { type: 'counter', help: 'Files written or removed by commits.' },
  cms_commits_pending: { type: 'gauge', help: 'Commits waiting or in progress.' },
  cms_sweeps_total: { type: 'counter', help: 'Scans of the content folder.' },
  cms_sweep_seconds_total: { type: 'counter', help: 'Time spent on them.' },
  cms_watching: { type: 'gauge', help: '1: the system reports changes; 0: only scans find them.' },
  cms_index_files: { type: 'gauge', help: 'Files in the index.' },
  cms_index_pending: { type: 'gauge', help: 'Changes on disk that are not indexed yet, and scans in progress.' },
  cms_index_behind_seconds: { type: 'gauge', help: 'Age of the oldest of them; 0: the index is up to date.' },
  cms_index_age_seconds: { type: 'gauge', help: 'Time since the last scan began.' },
  cms_storage_faults: { type: 'gauge', help: 'Current disk errors.' },
  cms_front_cache_hits_total: { type: 'counter', help: 'Responses from the front cache.' },
  cms_front_cache_entries: { type: 'gauge', help: 'Responses in the front cache.' },
  cms_front_cache_bytes: { type: 'gauge', help: 'Their size.' },
  cms_event_streams: { type: 'gauge', help: 'Open event streams.' },
  cms_webhooks_sent_total: { type: 'counter', help: 'Webhooks accepted.' },
  cms_webhooks_failed_total: { type: 'counter', help: 'Failed attempts.' },
  cms_webhooks_waiting: { type: 'gauge', help: 'Webhooks waiting for an attempt.' },
  cms_webhooks_dead: { type: 'gauge', help: 'Dead webhooks.' },
  cms_letters_sent_total: { type: 'counter', help: 'Emails accepted by the mail server.' },
  cms_letters_failed_total: { type: 'counter', help: 'Failed attempts.' },
  cms_letters_waiting: { type: 'gauge', help: 'Emails waiting for an attempt.' },
  cms_letters_dead: { type: 'gauge', help: 'Dead emails.' },
  cms_spam_reports_sent_total: { type: 'counter', help: 'Corrections of moderators accepted by the service against spam.' },
  cms_spam_reports_failed_total: { type: 'counter', help: 'Failed attempts.' },
  cms_spam_reports_waiting: { type: 'gauge', help: 'Corrections waiting for an attempt.' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory.', isOwn: true },
  nodejs_heap_size_used_bytes: { type: 'gauge', help: 'Heap in use.', isOwn: true },
  nodejs_external_memory_bytes: { type: 'gauge', help: 'Memory outside the heap.', isOwn: true },
  nodejs_eventloop_utilization: { type: 'gauge', help: 'Share of time the event loop was busy since the start.', isOwn: true },
  process_cpu_seconds_total: { type: 'counter', help: 'Processor time.', isOwn: true },
  process_start_time_seconds: { type: 'gauge', help: 'When the process started.', isOwn: true },
  cms_workers: { type: 'gauge', help: 'Processes that these metrics cover.' },
} as const satisfies Readonly<Record<string, Family>>);

type FamilyName = keyof typeof families;

/** Series (`name{label="value"}`) → value. What processes hand to one another. */
export type MetricsReport = Readonly<Record<string, number>>;

type Labels = Readonly<Record<string, string | number>>;

/** Upper bounds in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class Histogram {
  readonly #counts = new Float64Array(bounds.length + 1);
  #sum = 0;

  observe(seconds: number): void {
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] as number)) at++;
    this.#counts[at]!++;
    this.#sum += seconds;
  }

  /** Its series, added to a report. */
  into(report: Record<string, number>, name: FamilyName, labels: Labels): void {
    let below = 0;
    for (const [at, count] of this.#counts.entries()) {
      below += count;
      report[seriesOf(`${name}_bucket`, { ...labels, le: bounds[at] ?? '+Inf' })] = below;
    }
    report[seriesOf(`${name}_sum`, labels)] = this.#sum;
    report[seriesOf(`${name}_count`, labels)] = below;
  }
}

export function seriesOf(name: string, labels: Labels = {}): string {
  const written = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(String(value))}"`);
  return written.length === 0 ? name : `${name}{${written.join(',')}}`;
}

/** Several reports as one: by the number of the worker, 0 where there is only one process. */
export function mergeReports(reports: Iterable<readonly [worker: number, report: MetricsReport]>): MetricsReport {
  const merged: Record<string, number> = {};
  for (const [worker, report] of reports) {
    for (const [series, value] of Object.entries(report)) {
      const name = familyOf(series);
      const isOwn = worker !== 0 && name !== null && (families[name] as Family).isOwn === true;
      const key = isOwn ? seriesOf(series, { worker }) : series;
      merged[key] = (merged[key] ?? 0) + value;
    }
  }
  return merged;
}

/** What of a report stays true when its process has ended. */
export function lastingPart(report: MetricsReport): MetricsReport {
  const lasting = Object.entries(report).filter(([series]) => {
    const name = familyOf(series);
    if (name === null) return false;
    const { type, isOwn }: Family = families[name];
    return type !== 'gauge' && !isOwn;
  });
  return Object.fromEntries(lasting);
}

export function printMetrics(report: MetricsReport): string {
  const byFamily = new Map<FamilyName, string[]>();
  for (const [series, value] of Object.entries(report)) {
    const name = familyOf(series);
    if (name !== null) byFamily.set(name, [...(byFamily.get(name) ?? []), `${series} ${value}`]);
  }
  const names = Object.keys(families) as FamilyName[];
  return names
    .filter((name) => byFamily.has(name))
    .map((name) => {
      const { type, help } = families[name];
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...(byFamily.get(name) as string[]), ''].join('\n');
    })
    .join('');
}

/** Null for a series of no family here. */
function familyOf(series: string): FamilyName | null {
  const name = series.replace(/\{.*$/s, '');
  if (Object.hasOwn(families, name)) return name as FamilyName;
  const base = name.replace(/_(?:bucket|sum|count)$/, '');
  return Object.hasOwn(families, base) ? (base as FamilyName) : null;
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}
