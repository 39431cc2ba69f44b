/**
 * The tree of one file: its rows as written, and the served folders. Errors are repaired in memory and reported: a missing parent, a cycle, too many
 * levels.
 */
import { isId } from '../../../kernel/model/ids.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import type { Entry, Write } from '../../../kernel/store/types.ts';
import { colorOf, type FolderRecord, folderName, mostLevels, type Scope } from './record.ts';

const rowKeys = ['id', 'name', 'parent', 'ord', 'color'] as const;

type RawFolder = Readonly<Record<string, unknown>>;

/** One item of the list `folders`, and its folder if valid. */
export interface FolderRow {
  readonly raw: unknown;
  readonly folder: FolderRecord | null;
}

export interface Tree {
  readonly scope: Scope;
  readonly path: string;
  /** Null: the file does not exist yet. */
  readonly etag: string | null;
  /** The highest id ever assigned in the tree. */
  readonly lastId: number;
  readonly rows: readonly FolderRow[];
  readonly byId: ReadonlyMap<number, FolderRecord>;
  /** By parent id, in order. */
  readonly below: ReadonlyMap<number, readonly FolderRecord[]>;
}

/** An error in a file, with its position. */
export interface TreeFault {
  readonly rule: string;
  readonly keys: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string;
}

export function emptyTree(scope: Scope, path: string): Tree {
  return { scope, path, etag: null, lastId: 0, rows: [], byId: new Map(), below: new Map() };
}

/** The list in a file; null if it is something else. */
export function listOf(data: Entry['data']): readonly unknown[] | null {
  const { folders = [] } = data;
  return folders === null ? [] : Array.isArray(folders) ? folders : null;
}

/**
 * Reads a tree.
 * @param idOf  the id of a row without one, or with a duplicate
 * @param fault  receives whatever was repaired
 */
export function readTree(
  scope: Scope,
  { path, etag, data }: Pick<Entry, 'path' | 'etag' | 'data'>,
  idOf: (said: unknown, at: number) => number,
  fault: (fault: TreeFault) => void,
): Tree {
  const rows = (listOf(data) ?? []).map((raw, at): FolderRow => ({ raw, folder: readRow(scope, raw, at, idOf, fault) }));
  const places = new Map<number, number>();
  for (const [at, { folder }] of rows.entries()) if (folder) places.set(folder.id, at);
  const parents = parentsOf(rows, places, fault);
  const placed = rows.map(({ raw, folder }) => ({ raw, folder: folder && { ...folder, parent: parents.get(folder.id) ?? 0 } }));
  const { last_id: lastId } = data;
  return withRows({ scope, path, etag, lastId: isId(lastId) ? lastId : 0 }, placed);
}

export function withRows(tree: Pick<Tree, 'scope' | 'path' | 'etag' | 'lastId'>, rows: readonly FolderRow[]): Tree {
  const { scope, path, etag, lastId } = tree;
  const folders = rows.flatMap(({ folder }) => folder ?? []);
  const below = new Map<number, FolderRecord[]>();
  for (const folder of folders) {
    const siblings = below.get(folder.parent);
    if (siblings) siblings.push(folder);
    else below.set(folder.parent, [folder]);
  }
  for (const siblings of below.values()) siblings.sort(byOrd);
  return { scope, path, etag, lastId, rows, byId: new Map(folders.map((folder) => [folder.id, folder])), below };
}

/** A folder and its descendants, parents first. Not recursive, because files may nest deeply. */
export function* subtree(
  tree: Pick<Tree, 'below'>,
  top: number,
): Generator<{ readonly folder: FolderRecord; readonly level: number }> {
  const waiting = (tree.below.get(top) ?? []).toReversed().map((folder) => ({ folder, level: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next;
    const { folder, level } = next;
    for (const child of (tree.below.get(folder.id) ?? []).toReversed()) waiting.push({ folder: child, level: level + 1 });
  }
}

/** The depth of a folder; 0 for the top. */
export function levelOf(tree: Pick<Tree, 'byId'>, id: number): number {
  let level = 0;
  for (let at = tree.byId.get(id); at; at = tree.byId.get(at.parent)) level++;
  return level;
}

/** The height of a subtree. */
export function heightOf(tree: Pick<Tree, 'below'>, id: number): number {
  let height = 1;
  for (const { level } of subtree(tree, id)) height = Math.max(height, level + 2);
  return height;
}

export function writeTree(tree: Tree, rows: readonly FolderRow[]): Write {
  const ids = [...tree.byId.keys(), ...rows.flatMap(({ folder }) => folder?.id ?? [])];
  const data = {
    last_id: ids.reduce((highest, id) => Math.max(highest, id), tree.lastId),
    folders: rows.map(({ raw, folder }) =>
      folder && (raw as RawFolder).id !== folder.id ? said(raw as RawFolder, folder, ['id']) : raw,
    ),
  };
  return { path: tree.path, expect: tree.etag, data, order: ['last_id', 'folders'] };
}

export function newRow(folder: FolderRecord): FolderRow {
  return { folder, raw: said({}, folder, ['id', 'name', 'parent', 'ord', ...(folder.color === '' ? [] : (['color'] as const))]) };
}

export function changedRow(row: FolderRow, change: Partial<Omit<FolderRecord, 'id' | 'scope'>>): FolderRow {
  const folder = { ...(row.folder as FolderRecord), ...change };
  const changed = rowKeys.filter((key) => Object.hasOwn(change, key));
  return { folder, raw: said(row.raw as RawFolder, folder, changed) };
}

function byOrd(a: FolderRecord, b: FolderRecord): number {
  return a.ord - b.ord || a.id - b.id;
}

function readRow(
  scope: Scope,
  raw: unknown,
  at: number,
  idOf: (said: unknown, at: number) => number,
  fault: (fault: TreeFault) => void,
): FolderRecord | null {
  const say = (rule: string, key: string, message: string, hint?: string): void =>
    fault({
      rule,
      keys: isMap(raw) && Object.hasOwn(raw, key) ? ['folders', at, key] : ['folders', at],
      message,
      ...(hint ? { hint } : {}),
    });
  if (!isMap(raw)) {
    say('folder-row', '', 'a folder must be a map', '- { id: 3, name: Brand, parent: 0, ord: 0 }');
    return null;
  }
  const { name: said, parent = 0, ord = 0, color = '' } = raw;
  const name = typeof said === 'string' || typeof said === 'number' ? folderName(String(said)) : '';
  if (name === '') {
    say('folder-row', 'name', 'a folder needs a name');
    return null;
  }
  if (name !== String(said))
    say('folder-name', 'name', `is served as ${JSON.stringify(name)}`, 'plain text of at most 250 characters');
  if (parent !== null && parent !== 0 && !isId(parent)) say('folder-parent', 'parent', 'a parent is the id of a folder, or 0');
  if (!Number.isSafeInteger(ord)) say('folder-row', 'ord', 'an order is a whole number');
  if (color !== '' && color !== null && colorOf(color) === '')
    say('folder-color', 'color', 'a colour is #rgb or #rrggbb', 'color: "#ff8800"');
  return {
    id: idOf(raw.id, at),
    scope,
    name,
    parent: isId(parent) ? parent : 0,
    ord: Number.isSafeInteger(ord) ? (ord as number) : 0,
    color: colorOf(color),
  };
}

/** The effective parent of each folder: none if it is missing, in a cycle, or too deep. */
function parentsOf(
  rows: readonly FolderRow[],
  places: ReadonlyMap<number, number>,
  fault: (fault: TreeFault) => void,
): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  const say = (id: number, message: string): void => {
    parents.set(id, 0);
    fault({ rule: 'folder-parent', keys: ['folders', places.get(id) ?? 0, 'parent'], message, hint: 'it is shown at the top' });
  };
  for (const { folder } of rows) {
    if (!folder) continue;
    if (folder.parent === 0 || places.has(folder.parent)) parents.set(folder.id, folder.parent);
    else say(folder.id, `there is no folder ${folder.parent} in this tree`);
  }
  const levels = new Map<number, number>([[0, 0]]);
  for (const first of places.keys()) {
    const chain: number[] = [];
    const met = new Set<number>();
    let at = first;
    while (!levels.has(at)) {
      if (met.has(at)) {
        say(at, `folder ${at} is below itself`);
        levels.set(at, 1);
        break;
      }
      met.add(at);
      chain.push(at);
      at = parents.get(at) as number;
    }
    // From the top down, so that each level is one more than its parent's.
    for (const id of chain.toReversed()) {
      if (levels.has(id)) continue;
      const level = (levels.get(parents.get(id) as number) ?? 0) + 1;
      if (level > mostLevels) say(id, `folder ${id} lies deeper than ${mostLevels} levels`);
      levels.set(id, level > mostLevels ? 1 : level);
    }
  }
  return parents;
}

/** The row of a folder in the file; keys keep their order, and an empty color is omitted. */
function said(raw: RawFolder, folder: FolderRecord, changed: readonly (typeof rowKeys)[number][]): RawFolder {
  const next: Record<string, unknown> = {};
  for (const key of rowKeys) {
    const value = changed.includes(key) ? folder[key] : raw[key];
    if (value !== undefined && !(key === 'color' && value === '')) next[key] = value;
  }
  for (const [key, value] of Object.entries(raw)) if (!(rowKeys as readonly string[]).includes(key)) next[key] = value;
  return next;
}
