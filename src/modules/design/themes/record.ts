/**
 * Small files of the design that are not posts: patterns, fonts and sidebars. A record is what its file says; the modules blocks,
 * fonts and widgets read it as they need it.
 *
 *   patterns/<name>.html          fonts/<family>.yaml            sidebars/<id>.yaml
 *                                 fonts/<family>/<face>.yaml     fonts/collections/<name>.yaml
 */
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
  /** File name; for a face, that of its family. */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const patterns: Readonly<Record<DesignKind, string>> = {
  pattern: 'patterns/*.html',
  // Before faces, whose pattern also matches.
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

/** All files of a kind, by name. */
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

/** The file change: a new one at `path`, or changed keys in `before`. */
export function writeSheet(path: string, data: Readonly<Record<string, unknown>>, before?: DesignRecord): Write {
  return { path, expect: before ? before.etag : null, data, order: Object.keys(data) };
}
