/**
 * What became of an import: counts for each kind of thing, and remarks. Counts are exact; of remarks the first few of each rule
 * are kept, so that a source of any size leaves a report that fits in memory and can be read.
 */
import type { Sibling } from './import-state.ts';
import type { Place, ImportRemark } from './items.ts';

/** What an item is, for the table: kind, and type or taxonomy. */
export interface Category {
  readonly kind: 'user' | 'account' | 'term' | 'menu' | 'menu-link' | 'media' | 'post' | 'comment' | 'site' | 'other';
  /** Type or taxonomy; '' where the kind says it all. */
  readonly of: string;
}

/**
 * `kept`: the file here has been edited, or is not from this source, and stays as it is; `lost`: the site does not hold it;
 * `failed`: it could not be written.
 */
export const outcomes = ['new', 'updated', 'unchanged', 'kept', 'lost', 'failed'] as const;
export type ImportOutcome = (typeof outcomes)[number];

export type ReportRow = Category & Readonly<Record<ImportOutcome, number>>;

/** A remark with what it is about. */
export interface Noted extends Omit<ImportRemark, 'severity'> {
  readonly severity: ImportRemark['severity'] | 'error';
  /** `post "About us"`, `comment 12`. */
  readonly what: string;
  readonly place: Place | null;
  /** How often the rule was met; the remark is the first of as many, on the first one alone. */
  readonly times?: number;
}

export interface AddressRow {
  /** Type, taxonomy, or `author`. */
  readonly what: string;
  /** As the source has it. */
  readonly from: string;
  /** Path on this site. */
  readonly to: string;
  /** `lost`: the old address is on another host, or something else has it here. */
  readonly outcome: 'same' | 'redirected' | 'lost';
}

export interface ImportReport {
  readonly format: string;
  readonly source: string;
  /** The content folder. */
  readonly into: string;
  readonly dryRun: boolean;
  /** Everything the source has is dealt with; false after an interruption or a source that broke. */
  readonly complete: boolean;
  readonly rows: readonly ReportRow[];
  readonly remarks: readonly Noted[];
  /** Rule → how often, remarks that are not listed included. */
  readonly rules: Readonly<Record<string, number>>;
  /** Parts of the source that could not be read. */
  readonly unreadable: number;
  /** `bytes`: of those that were brought. */
  readonly files: { readonly brought: number; readonly missing: number; readonly bytes: number };
  readonly links: { readonly files: number; readonly pages: number; readonly unknown: readonly string[] };
  /** What became of every address; where that was asked for. */
  readonly addresses?: readonly AddressRow[];
  /** Other parts of the same site that named things which are here now: importing them again mends that. */
  readonly again?: readonly Sibling[];
  /** Digest of the options, by which such parts are told to have been imported in the same way. */
  readonly options?: string;
  /** Bodies that became Markdown, and those that were kept as markup. */
  readonly markdown: { readonly converted: number; readonly kept: number };
  readonly seconds: number;
  /** Highest resident memory of the process, in bytes. */
  readonly peakRss: number;
}

export interface ImportLog {
  count(sort: Category, outcome: ImportOutcome, number?: number): void;
  remark(remark: Omit<Noted, 'times'>): void;
  readonly files: { brought: number; missing: number; bytes: number };
  readonly links: { files: number; pages: number };
  readonly markdown: { converted: number; kept: number };
  /** Looks at memory; called often. */
  sample(): void;
  print(
    about: Pick<ImportReport, 'format' | 'source' | 'into' | 'dryRun' | 'complete' | 'addresses' | 'again' | 'options'> & {
      readonly unknown: readonly string[];
    },
  ): ImportReport;
}

/** Remarks kept of one rule. */
const PER_RULE = 20;

export function createReport(): ImportLog {
  const started = Date.now();
  const rows = new Map<string, Category & Record<ImportOutcome, number>>();
  const rules = new Map<string, Omit<Noted, 'times'>[]>();
  const times = new Map<string, number>();
  let peakRss = 0;
  let unreadable = 0;
  const report: ImportLog = {
    count({ kind, of }, outcome, number = 1) {
      const key = `${kind}:${of}`;
      let row = rows.get(key);
      if (!row) {
        row = { kind, of, new: 0, updated: 0, unchanged: 0, kept: 0, lost: 0, failed: 0 };
        rows.set(key, row);
      }
      row[outcome] += number;
    },
    remark(remark) {
      const { rule } = remark;
      if (remark.unreadable) unreadable++;
      times.set(rule, (times.get(rule) ?? 0) + 1);
      const known = rules.get(rule) ?? [];
      if (known.length === 0) rules.set(rule, known);
      if (known.length < PER_RULE) known.push(remark);
    },
    files: { brought: 0, missing: 0, bytes: 0 },
    links: { files: 0, pages: 0 },
    markdown: { converted: 0, kept: 0 },
    sample() {
      peakRss = Math.max(peakRss, process.memoryUsage.rss());
    },
    print({ unknown, ...about }) {
      report.sample();
      const remarks = [...rules.values()].flatMap((list) =>
        list.map((remark, at) => (at === 0 ? { ...remark, times: times.get(remark.rule) as number } : remark)),
      );
      return {
        ...about,
        rows: [...rows.values()].sort((a, b) => order(a) - order(b) || (a.of < b.of ? -1 : 1)),
        remarks: remarks.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)),
        rules: Object.fromEntries(times),
        unreadable,
        files: { ...report.files },
        links: { ...report.links, unknown },
        markdown: { ...report.markdown },
        seconds: Math.round((Date.now() - started) / 10) / 100,
        // The system's own count knows the moments between two looks.
        peakRss: Math.max(peakRss, process.resourceUsage().maxRSS * 1024),
      };
    },
  };
  return report;
}

const severities: readonly Noted['severity'][] = ['error', 'lost', 'changed', 'note'];
const kinds: readonly Category['kind'][] = [
  'site',
  'user',
  'account',
  'term',
  'menu',
  'menu-link',
  'media',
  'post',
  'comment',
  'other',
];

function order({ kind }: Category): number {
  return kinds.indexOf(kind);
}
