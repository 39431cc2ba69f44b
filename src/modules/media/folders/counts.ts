/** Counts of files in folders. The index of attachments maintains them, so a response only visits the folders of one tree. */
import type { Clause } from '../../../kernel/records/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { memberKey, type Scope } from './record.ts';
import { subtree, type Tree } from './tree.ts';

export type CounterType = 'counter_file_in_folder' | 'counter_file_in_folder_and_sub';

/** By folder id; empty ones are omitted. */
export type CountMap = Readonly<Record<string, number>>;

export interface FolderCounts {
  /** The displayed count. */
  readonly display: CountMap;
  /** Files directly in a folder. */
  readonly actual: CountMap;
}

/** Files that are counted. */
const counted: readonly Clause[] = [
  { kind: 'in', index: 'type', values: ['attachment'] },
  { kind: 'in', index: 'status', values: ['inherit', 'private'] },
];

/**
 * The scope of attachment lists, mainly the language.
 * @param language  in place of the request's; `all`: none
 */
export function limitsOf(call: Call, language?: unknown): readonly Clause[] {
  if (language === 'all') return [];
  const named =
    typeof language === 'string' && language !== '' ? { ...call, params: { ...call.params, lang_language: language } } : call;
  const names = call.site.types.get('attachment')?.extensionNames ?? [];
  return call.site.modules.extension(names, ['scope']).scope(named);
}

/** All files, in folders or not. */
export function countAll(call: Pick<Call, 'site'>, limits: readonly Clause[]): number {
  return filesOf(call, limits, 0).total;
}

/** Unfiled files. */
export function countUnfiled(call: Pick<Call, 'site'>, tree: Tree, limits: readonly Clause[]): number {
  const filed = [...tree.byId.keys()].reduce((sum, id) => sum + countIn(call, tree.scope, id, limits), 0);
  return Math.max(0, countAll(call, limits) - filed);
}

/** Files directly in a folder. */
function countIn({ site }: Pick<Call, 'site'>, scope: Scope, folder: number, limits: readonly Clause[]): number {
  const key = memberKey(scope, folder);
  const direct = site.posts.count('folder', key);
  if (direct === 0 || limits.length === 0) return direct;
  const where: readonly Clause[] = [{ kind: 'in', index: 'folder', values: [key] }, ...limits];
  return site.posts.query({ where, sort: { by: 'id', direction: 'asc' }, offset: 0, limit: 0 }).total;
}

export function countsOf(call: Pick<Call, 'site'>, tree: Tree, type: CounterType, limits: readonly Clause[]): FolderCounts {
  const actual: Record<string, number> = {};
  for (const id of tree.byId.keys()) {
    const count = countIn(call, tree.scope, id, limits);
    if (count > 0) actual[id] = count;
  }
  return { actual, display: type === 'counter_file_in_folder' ? actual : withSubfolders(tree, actual) };
}

/** Folders get the sum of their descendants, and the top that of all. */
function withSubfolders(tree: Tree, actual: CountMap): CountMap {
  const display: Record<string, number> = {};
  // Parents come first, so in reverse order each sum is complete.
  for (const { folder } of [...subtree(tree, 0)].toReversed()) {
    const sum = (display[folder.id] ?? 0) + (actual[folder.id] ?? 0);
    if (sum > 0 || tree.below.has(folder.id)) display[folder.id] = sum;
    display[folder.parent] = (display[folder.parent] ?? 0) + sum;
  }
  return { 0: 0, ...display };
}

/** Counted attachments that satisfy the clauses, by id; `limit` 0: only their number. */
export function filesOf({ site }: Pick<Call, 'site'>, where: readonly Clause[], limit?: number) {
  const all = [...counted, ...where];
  return site.posts.query({
    where: all,
    sort: { by: 'id', direction: 'asc' },
    offset: 0,
    ...(limit === undefined ? {} : { limit }),
  });
}
