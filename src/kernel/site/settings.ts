/**
 * The settings of a site as `site.yaml` holds them, through the table of `kernel/model/settings.ts`, and as clients see them.
 *
 * The file has plain text and names things by slug or place; in memory and for clients the name of the site is text of a
 * page (`Tom &amp; Jerry`), and things are ids.
 */
import { type Setting, settingValue } from '../model/settings.ts';
import { problemOf } from '../store/problems.ts';
import type { Documents, Entry, Problem } from '../store/types.ts';
import { escapeOnce } from '../model/escape.ts';
import { type CheckedSetting, checkSetting, operatorRemark } from './setting-values.ts';
import type { Keys, Remark } from '../model/remark.ts';

export interface Settings {
  readonly rows: readonly Setting[];
  /** The file as last read; null when there is none. */
  readonly entry: Entry | null;
  /** What is stored under a key of the file, the last usable value where it cannot be used; undefined: nothing. */
  stored(key: string): unknown;
  value(key: string): unknown;
  /** Whether the file has nothing under a key that cannot be used. */
  isSound(key: string): boolean;
  /** Takes a newer state of the file. */
  take(entry: Entry): void;
  /** What is wrong with the file's settings. */
  problems(): readonly Problem[];
}

export function createSettings(rows: readonly Setting[], entry: Entry | undefined): Settings {
  const known = new Set(rows.map(({ key }) => key));
  let current = entry ?? null;
  let service = checked(rows, entry, null);
  return {
    rows,
    get entry() {
      return current;
    },
    stored: (key) => (known.has(key) ? service.stored.get(key) : ownValue(current, key)),
    value(key) {
      if (!known.has(key)) throw new Error(`no setting ${key}`);
      return service.values.get(key);
    },
    isSound: (key) => !service.faulty.has(key),
    take(next) {
      current = next;
      service = checked(rows, next, service);
    },
    problems: () => service.problems,
  };
}

/** A state of the file as it is in service. */
interface Service {
  /** Key → what is stored; of what cannot be used, the last that could. */
  readonly stored: ReadonlyMap<string, unknown>;
  readonly values: ReadonlyMap<string, unknown>;
  readonly faulty: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

function checked(rows: readonly Setting[], entry: Entry | undefined, before: Service | null): Service {
  const stored = new Map<string, unknown>();
  const values = new Map<string, unknown>();
  const faulty = new Set<string>();
  const problems = Object.keys(entry?.data ?? {}).flatMap((key) => problemsOf([key], operatorRemark(key), { onKey: true }));
  for (const row of rows) {
    const { key } = row;
    // Where a row is private, the file has no say.
    const { value, faults } = row.private ? nothing : checkSetting(row, ownValue(entry, key));
    const isLost = faults.length > 0 && value === undefined;
    const used = isLost ? before?.stored.get(key) : value;
    const instead = used === undefined ? 'the default' : 'the last value that was right';
    if (faults.length > 0) faulty.add(key);
    for (const { keys, ...fault } of faults) {
      const message = isLost ? `${fault.message}; ${instead} stays in service` : fault.message;
      problems.push(...problemsOf([key, ...keys], { ...fault, message }));
    }
    stored.set(key, used);
    values.set(key, settingValue(row, key === 'timezone' && used === '' ? undefined : readSetting(row, used)));
  }
  // The address of a front end: whether a page is in front there is said by the page.
  if (/^https?:/i.test(String(values.get('front')))) values.set('front', values.get('front_page') ? 'page' : 'posts');
  return { stored, values, faulty, problems };
}

const nothing: CheckedSetting = { value: undefined, faults: [] };

function ownValue(entry: Entry | null | undefined, key: string): unknown {
  return entry && Object.hasOwn(entry.data, key) ? entry.data[key] : undefined;
}

function problemsOf(keys: Keys, remark: Remark | null, place: Pick<Problem, 'onKey'> = {}): Problem[] {
  if (remark === null || remark.severity === 'note') return [];
  const { severity, ...said } = remark;
  return [problemOf('site.yaml', { keys, ...place, severity, ...said })];
}

/** The document of the private mount that holds what `site.yaml` must not. */
const privateDocument = 'settings.json';

/** Key → value of the private settings. */
export async function readPrivate(documents: Documents): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await documents.get(privateDocument);
  return bytes === null ? {} : (JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>);
}

export async function writePrivate(documents: Documents, values: Readonly<Record<string, unknown>>): Promise<void> {
  await documents.set(privateDocument, Buffer.from(JSON.stringify(values)));
}

/** Texts that stand in pages as they are. */
const markup: ReadonlySet<string> = new Set(['name', 'description']);

/** A value of the file as its setting means it: `name: 2024` is a text. */
export function readSetting({ key, schema, refers }: Setting, stored: unknown): unknown {
  if (schema.type !== 'string' || refers || stored === undefined || stored === null || typeof stored === 'object') return stored;
  const text = String(stored);
  return markup.has(key) ? escapeOnce(text) : text;
}
