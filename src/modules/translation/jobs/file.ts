/**
 * Files of jobs: `lang/status/<rid>.yaml`, `lang/jobs/<job id>.yaml`, `lang/batches/<id>.yaml`.
 */
import { table } from '../../../kernel/model/maps.ts';
import { fileKeys, type Fields, readFields } from '../../../kernel/model/field.ts';
import type { TableSpec } from '../../../kernel/records/types.ts';
import type { FileKind, FileRecord } from '../../../kernel/site/file-kind.ts';
import type { PathRow } from '../../../kernel/site/path-table.ts';
import { contextOf, writeRecord } from '../../../kernel/site/record-file.ts';
import type { PlanningSite, Site } from '../../../kernel/site/site.ts';
import { tableOf } from '../../../kernel/site/tables.ts';
import type { Entry, Write } from '../../../kernel/store/types.ts';
import { batchFields, jobFields, statusFields } from './fields.ts';
import type { BatchRecord, JobRecord, StatusRecord } from './record.ts';

/** Table, sequence of ids and folder of each. */
export const tables = table({
  status: { name: 'translationStatuses', folder: 'lang/status', fields: statusFields },
  job: { name: 'translationAttempts', folder: 'lang/jobs', fields: jobFields },
  batch: { name: 'translationBatches', folder: 'lang/batches', fields: batchFields },
} as const);

interface Records {
  readonly status: StatusRecord;
  readonly job: JobRecord;
  readonly batch: BatchRecord;
}

type Kind = keyof Records;
type Own<K extends Kind> = Fields<Records[K], never>;

const kinds = Object.keys(tables) as Kind[];

// biome-ignore lint/suspicious/noExplicitAny: tables of different records stand side by side
export function jobTables(): TableSpec<any>[] {
  return kinds.map((kind) => tableOf(tables[kind].name, [tables[kind].fields as Own<Kind>]));
}

export const jobPaths: readonly PathRow[] = kinds.flatMap(pathsOf);

function pathsOf(kind: Kind): PathRow[] {
  const { name, folder, fields } = tables[kind];
  const row = (pattern: string): PathRow => ({
    pattern: `${folder}/${pattern}.{yaml,yml}`,
    kind: name,
    type: '',
    space: name,
    fields,
  });
  return [row('*'), ...(kind === 'status' ? [row('**/*')] : [])];
}

export function jobKinds(site: Site): FileKind[] {
  return kinds.map((kind) => {
    const { name } = tables[kind];
    const fields = tables[kind].fields as Own<Kind>;
    return {
      name,
      table: name,
      keys: fileKeys(fields),
      paths: pathsOf(kind),
      read(source, id) {
        const { path, etag, data, mtimeMs } = source as Entry;
        const draft = { id, path, etag, needsUpdate: false } as unknown as Records[Kind] & FileRecord;
        readFields(fields, data, draft as never, contextOf(site, path, mtimeMs));
        return draft;
      },
    };
  });
}

/** A new record, with its place. */
export function placedRecord<K extends Kind>(
  site: PlanningSite,
  kind: K,
  record: Omit<Records[K], 'id' | 'path' | 'etag'>,
): Records[K] {
  const { name, folder } = tables[kind];
  const id = site.nextId(name);
  return { ...record, id, path: `${folder}/${id}.yaml`, etag: '' } as unknown as Records[K];
}

export function writeRow<K extends Kind>(site: Site, kind: K, after: Records[K], before?: Records[K]): Write {
  return writeRecord(site, tables[kind].fields as Own<K>, after, before);
}
