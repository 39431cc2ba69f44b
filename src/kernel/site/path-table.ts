/**
 * One table of paths: which files of the content folder are what. The indexer, `cms validate` and imports read the same rows, so
 * that none of them takes for content what another passes over.
 */
import { table } from '../model/maps.ts';
import type { Fields } from '../model/field.ts';

/** Files of one pattern. How their bytes are read follows from the extension: `kindOf` of `store/paths.ts`. */
export interface PathRow {
  /** Below the content folder: `*` is one name, `#` a number, `**` any path below, `{md,html}` alternatives. */
  readonly pattern: string;
  /** What a file holds: `post`, `term`, `menu`, … */
  readonly kind: string;
  /** Type, taxonomy or sort of design file; '' where there is but one. */
  readonly type: string;
  /** The id sequence that ids of these files are of. */
  readonly space: string;
  /** Front matter; null when it is read otherwise. */
  readonly fields: Fields<never, never> | null;
  /** Within which a slug names one item; absent: slugs of these files name nothing. */
  readonly scope?: (path: string) => string;
  /** What the pattern cannot say. */
  readonly accepts?: (path: string) => boolean;
}

export interface PathTable {
  readonly rows: readonly PathRow[];
  /** The first row that a path fits; undefined for what is not content. */
  find(path: string): PathRow | undefined;
}

export function createPathTable(rows: readonly PathRow[]): PathTable {
  return { rows, find: createPathLookup(rows.map((row) => [row, row])) };
}

/**
 * Finds what stands for the first row that a path fits.
 * Cost: one look-up of the first folder, then its few rows.
 */
export function createPathLookup<T>(rows: Iterable<readonly [row: PathRow, value: T]>): (path: string) => T | undefined {
  const byFolder = new Map<string, { readonly isFit: (path: string) => boolean; readonly value: T }[]>();
  for (const [row, value] of rows) {
    const folder = folderOf(row.pattern);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), { isFit: matcherOf(row), value }]);
  }
  return (path) => {
    for (const { isFit, value } of byFolder.get(folderOf(path)) ?? []) if (isFit(path)) return value;
    return undefined;
  };
}

/** The first folder of a path; of a file at the top its name. */
function folderOf(path: string): string {
  const end = path.indexOf('/');
  return end === -1 ? path : path.slice(0, end);
}

function matcherOf({ pattern, accepts }: PathRow): (path: string) => boolean {
  const source = pattern.replace(/\*\*|[*#{},]|[.+?^$()|[\]\\]/g, (sign) => signs[sign] ?? `\\${sign}`);
  const expression = new RegExp(`^${source}$`);
  return accepts ? (path) => expression.test(path) && accepts(path) : (path) => expression.test(path);
}

const signs: Readonly<Record<string, string>> = table({
  '**': '.*',
  '*': '[^/]+',
  '#': '\\d+',
  '{': '(?:',
  '}': ')',
  ',': '|',
});
