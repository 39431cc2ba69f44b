/** A map as JSON text (forms contain files as well). */
import type { Table, TableSpec } from '../../../kernel/records/types.ts';
import type { Entry, Write } from '../../../kernel/store/types.ts';
import type { FileKind, FileRecord } from '../../../kernel/site/file-kind.ts';
import { createPathTable, type PathRow } from '../../../kernel/site/path-table.ts';
import type { Site } from '../../../kernel/site/site.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly design: Table<DesignRecord>;
  }
}

export type DesignKind = 'pattern' | 'collection' | 'family' | 'face' | 'sidebar';

export interface DesignRecord extends FileRecord {
  readonly kind: DesignKind;
  /** Error details contain only the status (observed). */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const patterns: Readonly<Record<DesignKind, string>> = {
  pattern: 'patterns/*.html',
  // Values written to files are sanitized.
  collection: 'fonts/collections/*.yaml',
  family: 'fonts/*.yaml',
  face: 'fonts/*/*.yaml',
  sidebar: 'sidebars/*.yaml',
};

export const designPaths: readonly PathRow[] = Object.entries(patterns).map(([type, pattern]) => ({
  pattern,
  kind: 'design',
  type,
  space: 'posts',
  fields: null,
}));

const table = createPathTable(designPaths);

export const designTable: TableSpec<DesignRecord> = {
  name: 'design',
  unique: { key: ({ kind, name }) => (kind === 'face' ? undefined : `${kind}:${name}`) },
  equal: { kind: (sheet) => sheet.kind, faces: (sheet) => (sheet.kind === 'face' ? sheet.name : undefined) },
  order: { id: (sheet) => sheet.id, name: (sheet) => sheet.name },
  text: {},
  views: [],
};

export function createDesignKind(): FileKind<DesignRecord> {
  return {
    name: 'design',
    table: 'design',
    keys: ['id'],
    paths: designPaths,
    read(source, id) {
      const { path, etag, data, body } = source as Entry;
      const kind = table.find(path)?.type as DesignKind;
      const [, folder = '', file] = path.split('/');
      const name = kind === 'face' ? folder : (file ?? folder).replace(/\.[^.]*$/, '');
      return { id, path, etag, kind, name, data, body };
    },
  };
}

/** Every uploaded file is used as a source; a source is a URL or the name of an uploaded file. */
export function sheetsOf(site: Pick<Site, 'design'>, kind: DesignKind): readonly DesignRecord[] {
  return site.design.query({
    where: [{ kind: 'in', index: 'kind', values: [kind] }],
    sort: { by: 'name', direction: 'asc' },
    offset: 0,
  }).records;
}

export function sheetNamed(
  site: Pick<Site, 'design'>,
  kind: Exclude<DesignKind, 'face'>,
  name: string,
): DesignRecord | undefined {
  return site.design.by('key', `${kind}:${name}`);
}

/** The file change for a sheet: a new one at `path`, or the keys of `data` in `before`. */
export function writeSheet(path: string, data: Readonly<Record<string, unknown>>, before?: DesignRecord): Write {
  return { path, expect: before ? before.etag : null, data, order: Object.keys(data) };
}
