/**
 * The rows of index records, kept with what can be made again: a document for each thousand objects. They are read when they are first
 * asked for; what was noted before joins what is read. A row that is lost is an object that is found missing.
 */
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { jsonIn } from '../../../kernel/store/bytes.ts';
import type { Store } from '../../../kernel/store/types.ts';
import type { IndexKey, IndexRow, ReadLinks } from './record.ts';

export interface IndexRows {
  get(key: IndexKey): IndexRow | undefined;
  set(key: IndexKey, row: IndexRow): void;
  all(): Iterable<readonly [IndexKey, IndexRow]>;
  /** How often rows were dropped. */
  readonly drops: number;
  /** Reads what is there, and forgets what is there no more. */
  refresh(): Promise<void>;
  /** Writes what has changed. */
  save(): Promise<void>;
}

interface Options {
  readonly documents: Store['cache'];
  readonly faults: Store['faults'];
  /** Rows of objects that are gone are not written. */
  readonly isThere: (key: IndexKey) => boolean;
}

const folder = 'seo/index';
const rowsPerDocument = 1000;

export function createIndexRows({ documents, faults, isThere }: Options): IndexRows {
  const rows = new Map<IndexKey, IndexRow>();
  /** Documents on disk that were read or written. */
  const known = new Set<string>();
  const dirty = new Set<string>();
  let drops = 0;
  let saving: Promise<void> = Promise.resolve();

  return {
    get: (key) => rows.get(key),
    set(key, row) {
      rows.set(key, row);
      dirty.add(documentOf(key));
    },
    all: () => rows,
    get drops() {
      return drops;
    },
    async refresh() {
      await saving;
      const present = new Set(await documents.keys(folder));
      const gone = new Set([...known].filter((name) => !present.has(name)));
      for (const key of gone.size > 0 ? [...rows.keys()] : []) {
        if (!gone.has(documentOf(key))) continue;
        rows.delete(key);
        drops++;
      }
      for (const name of gone) known.delete(name);
      for (const name of present) if (isOfRows(name) && !known.has(name)) await read(name);
    },
    save() {
      saving = saving.then(() => faults.background('seo', write));
      return saving;
    },
  };

  async function read(name: string): Promise<void> {
    const bytes = await documents.get(name);
    known.add(name);
    for (const [key, stored] of Object.entries(mapOf(jsonIn(bytes)))) {
      const row = readRow(stored);
      // An entry recorded meanwhile may have links; its id is the one that was read.
      if (row) rows.set(key, { ...rows.get(key), ...row });
    }
  }

  async function write(): Promise<void> {
    for (const name of [...dirty]) {
      if (!known.has(name)) await read(name);
      dirty.delete(name);
      const kept = [...rows].filter(([key]) => documentOf(key) === name && isThere(key));
      await documents.set(name, Buffer.from(JSON.stringify(Object.fromEntries(kept))));
    }
  }
}

function documentOf(key: IndexKey): string {
  const [kind = '', id = ''] = key.split(':');
  return /^\d+$/.test(id) ? `${folder}/${kind}-${Math.floor(Number(id) / rowsPerDocument)}.json` : `${folder}/pages.json`;
}

function isOfRows(name: string): boolean {
  return /\/(?:(?:post|term)-\d+|pages)\.json$/.test(name);
}

function readRow(stored: unknown): IndexRow | undefined {
  if (!isMap(stored) || !Number.isSafeInteger(stored.id) || typeof stored.createdAt !== 'string') return undefined;
  const { id, createdAt, links } = stored as unknown as IndexRow;
  return { id, createdAt, ...(isLinks(links) ? { links } : {}) };
}

function isLinks(links: unknown): links is ReadLinks {
  return isMap(links) && typeof links.etag === 'string' && Array.isArray(links.internal) && links.internal.every(isText);
}

const isText = (value: unknown): boolean => typeof value === 'string';
