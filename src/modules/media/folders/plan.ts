/**
 * Changes of a tree and of folder membership. Every `plan…` here plans; `site.write` executes, one at a time per tree.
 *
 * Errors   validation_failed, folder_name_exist, invalid_params
 * Source   specification 4.15; reference of media folders, 4
 */
import { type ErrorCode, fail } from '../../../kernel/errors.ts';
import type { Fields } from '../../../kernel/model/field.ts';
import { writeRecord } from '../../../kernel/site/record-file.ts';
import type { PreparedWrite } from '../../../kernel/module.ts';
import { inBatches } from '../../../kernel/site/in-batches.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { PlanningSite, Site } from '../../../kernel/site/site.ts';
import type { FileChange, Write } from '../../../kernel/store/types.ts';
import { type AttachmentRecord, isAttachment } from '../../content/attachments/record.ts';
import { treeOf } from './access.ts';
import { wholeNumber } from './exchange.ts';
import {
  cleanName,
  type Filed,
  folderName,
  folderOf,
  type FolderRecord,
  folderSpace,
  inFolder,
  longestName,
  memberKey,
  mostLevels,
  nameKey,
  type Scope,
  trashedKey,
} from './record.ts';
import { changedRow, newRow, type FolderRow, heightOf, levelOf, subtree, type Tree, withRows, writeTree } from './tree.ts';

interface FolderPlan<T> {
  readonly changes: readonly FileChange[];
  readonly result: T;
  readonly once: string;
}

/** Changes of a tree and its members are exclusive. */
export function treeLock(scope: Scope): string {
  return `media-folders:${scope}`;
}

/** A valid name. @throws RestError validation_failed */
export function nameOf(text: string): string {
  const name = cleanName(text);
  return name === '' || name.length > longestName ? fail('validation_failed') : name;
}

/** @throws RestError validation_failed */
export function findFolder(tree: Tree, id: number | null): FolderRecord {
  return (id === null ? undefined : tree.byId.get(id)) ?? fail('validation_failed');
}

export function siblingNamed(tree: Tree, parent: number, name: string, but = 0): FolderRecord | undefined {
  const key = nameKey(name);
  return (tree.below.get(parent) ?? []).find((folder) => folder.id !== but && nameKey(folder.name) === key);
}

/** A folder after its siblings. */
function addedTo(site: Pick<PlanningSite, 'nextId'>, tree: Tree, parent: number, name: string): FolderRecord {
  const last = tree.below.get(parent)?.at(-1);
  return { id: site.nextId(folderSpace), scope: tree.scope, name, parent, ord: last ? last.ord + 1 : 0, color: '' };
}

export function planNewFolder(site: PlanningSite, tree: Tree, parent: number, name: string): FolderPlan<FolderRecord> {
  if (parent !== 0) findFolder(tree, parent);
  if (levelOf(tree, parent) >= mostLevels) fail('validation_failed', {}, `Folders lie at most ${mostLevels} levels deep.`);
  if (siblingNamed(tree, parent, name)) fail('folder_name_exist');
  const folder = addedTo(site, tree, parent, name);
  return { changes: [writeTree(tree, [...tree.rows, newRow(folder)])], result: folder, once: treeLock(tree.scope) };
}

export function planRename(tree: Tree, id: number, name: string): FolderPlan<true> {
  const { parent } = findFolder(tree, id);
  if (siblingNamed(tree, parent, name, id)) fail('folder_name_exist');
  return changed(tree, new Map([[id, { name }]]));
}

export function planColor(tree: Tree, id: number, color: string): FolderPlan<true> {
  findFolder(tree, id);
  return changed(tree, new Map([[id, { color }]]));
}

interface Move {
  readonly dragged: number;
  readonly dropped: number;
  /** 0: into `dropped`; -1: first in `parent`; 1: behind `dropped` in `parent`. */
  readonly position: -1 | 0 | 1;
  readonly parent: number;
}

/** @throws RestError invalid_params for an unknown folder or a cycle, folder_name_exist */
export function planMove(tree: Tree, { dragged, dropped, position, parent: wanted }: Move): FolderPlan<true> {
  const folder = tree.byId.get(dragged) ?? fail('invalid_params');
  const parent = position === 0 && tree.byId.has(dropped) ? dropped : wanted;
  if (parent !== 0 && !tree.byId.has(parent)) fail('invalid_params');
  for (let at = parent; at !== 0; at = tree.byId.get(at)?.parent ?? 0)
    if (at === dragged) fail('invalid_params', {}, 'A folder cannot be moved below itself.');
  if (levelOf(tree, parent) + heightOf(tree, dragged) > mostLevels)
    fail('invalid_params', {}, `Folders lie at most ${mostLevels} levels deep.`);
  if (siblingNamed(tree, parent, folder.name, dragged)) fail('folder_name_exist');
  const others = (tree.below.get(parent) ?? []).filter(({ id }) => id !== dragged);
  const at = others.findIndex(({ id }) => id === dropped);
  const ordered = position !== 1 ? [folder, ...others] : at < 0 ? [...others, folder] : others.toSpliced(at + 1, 0, folder);
  const first = position === 1 ? 0 : 1;
  const changes = new Map<number, Change>(ordered.map(({ id }, place) => [id, { ord: place + first }]));
  changes.set(dragged, { ...changes.get(dragged), parent });
  return changed(tree, changes);
}

/** The folders with their descendants; unknown ones are ignored. */
export function withSubtrees(tree: Tree, ids: readonly number[]): ReadonlySet<number> {
  const gone = new Set<number>();
  for (const id of ids) {
    if (!tree.byId.has(id) || gone.has(id)) continue;
    gone.add(id);
    for (const { folder } of subtree(tree, id)) gone.add(folder.id);
  }
  return gone;
}

/** Deletes folders with their descendants; their files become unfiled. */
export function planDelete(site: Site, tree: Tree, ids: readonly number[]): FolderPlan<null> {
  const gone = withSubtrees(tree, ids);
  const rows = tree.rows.filter(({ folder }) => !folder || !gone.has(folder.id));
  const freed = membersOf(site, tree.scope, gone).flatMap((media) => writeFiled(site, media, inFolder(media, tree.scope, 0)));
  const changes = gone.size === 0 ? [] : [writeTree(tree, rows), ...freed];
  return { changes, result: null, once: treeLock(tree.scope) };
}

/** Moves attachments into a folder of a tree; 0: unfiled. Other ids are ignored. */
export function planAssign(
  site: Site,
  tree: Tree,
  ids: Iterable<number>,
  folder: number,
  code: ErrorCode = 'validation_failed',
): FolderPlan<null> {
  if (folder !== 0 && !tree.byId.has(folder)) fail(code);
  const changes = withTranslations(site, ids).flatMap((media) =>
    folderOf(media, tree.scope) === folder ? [] : writeFiled(site, media, inFolder(media, tree.scope, folder)),
  );
  return { changes, result: null, once: treeLock(tree.scope) };
}

/** Attachments, and the same files in other languages: a file is in one folder. */
function withTranslations(site: Site, ids: Iterable<number>): readonly FiledAttachment[] {
  const found = new Map<number, FiledAttachment>();
  for (const id of ids) {
    const media = attachment(site, id);
    for (const { id: one } of media ? site.translations.members(media as never) : []) {
      const member = attachment(site, one);
      if (member) found.set(one, member);
    }
  }
  return [...found.values()];
}

/**
 * Moves an upload into the folder in its `fldv` parameter: an id, optionally with names of subfolders, which are created. Anything else is ignored.
 */
export function placeUpload(write: PreparedWrite, call: Call, before: unknown, site: PlanningSite): PreparedWrite {
  const { fldv } = call.params;
  if (before !== undefined || (typeof fldv !== 'string' && typeof fldv !== 'number')) return write;
  const [first = '', ...names] = String(fldv).split('/');
  const known = treeOf(call);
  let tree = known;
  let folder = wholeNumber(first) ?? 0;
  if (!tree.byId.has(folder)) return write;
  for (const name of names.map(folderName)) {
    if (name === '' || levelOf(tree, folder) >= mostLevels) break;
    const found = siblingNamed(tree, folder, name) ?? addedTo(site, tree, folder, name);
    if (!tree.byId.has(found.id)) tree = withRows(tree, [...tree.rows, newRow(found)]);
    folder = found.id;
  }
  const { folder: inShared, userFolders } = inFolder({ folder: 0, userFolders: {} } as Filed, tree.scope, folder);
  return {
    ...write,
    input: { ...write.input, folder: inShared, userFolders },
    changes: [...(write.changes ?? []), ...(tree === known ? [] : [writeTree(known, tree.rows)])],
  };
}

/** Attachments in folders of a tree, including trashed ones. */
export function membersOf(site: Pick<Site, 'posts'>, scope: Scope, folders: Iterable<number>): FiledAttachment[] {
  const found: FiledAttachment[] = [];
  for (const folder of folders)
    for (const key of [memberKey(scope, folder), trashedKey(scope, folder)])
      for (const id of site.posts.with('folder', key)) {
        const media = attachment(site, id);
        if (media) found.push(media);
      }
  return found;
}

export type FiledAttachment = AttachmentRecord & Filed;

export function attachment(site: Pick<Site, 'posts'>, id: number): FiledAttachment | undefined {
  const post = site.posts.get(id);
  return isAttachment(post) ? (post as FiledAttachment) : undefined;
}

/** The change of a sidecar; none if nothing changes. */
export function writeFiled(site: Site, before: FiledAttachment, after: FiledAttachment): readonly Write[] {
  const fields = (site.postFields.get('attachment') ?? {}) as unknown as Fields<FiledAttachment, never>;
  // A file without a sidecar gets one.
  const write = writeRecord(site, fields, after, before.etag === '' ? undefined : before);
  return Object.keys(write.data).length === 0 ? [] : [write];
}

/**
 * The tree of a deleted user goes to the heir, or is deleted with its assignments.
 *
 * @param heir  0: nobody
 * Source: reference of media folders, 8.
 */
export async function handOver(site: Site, user: number, heir: number): Promise<void> {
  const tree = site.folderTrees.of(user);
  const files = membersOf(site, user, tree.byId.keys()).map(({ id }) => id);
  if (tree.etag === null && files.length === 0) return;
  const moved = (ids: readonly number[]): readonly FileChange[] =>
    ids.flatMap((id) => {
      const media = attachment(site, id);
      if (!media) return [];
      const isFree = heir > 0 && folderOf(media, heir) === 0;
      const kept = isFree ? inFolder(media, heir, folderOf(media, user)) : media;
      return writeFiled(site, media, inFolder(kept, user, 0));
    });
  await inBatches(files, (part) => site.write(() => ({ changes: moved(part), result: null })));
  await site.write(() => {
    const own = site.folderTrees.of(user);
    const removed: readonly FileChange[] = own.etag === null ? [] : [{ remove: own.path, expect: own.etag }];
    const given = heir > 0 && own.rows.length > 0 ? [joined(site.folderTrees.of(heir), own)] : [];
    return { changes: [...given, ...removed, ...moved(files)], result: null, once: treeLock(user) };
  });
}

type Change = Parameters<typeof changedRow>[1];

function changed(tree: Tree, changes: ReadonlyMap<number, Change>): FolderPlan<true> {
  const isNew = ({ id, ...own }: FolderRecord): boolean =>
    Object.entries(changes.get(id) ?? {}).some(([key, value]) => own[key as 'name'] !== value);
  const once = treeLock(tree.scope);
  if (!tree.rows.some(({ folder }) => folder && isNew(folder))) return { changes: [], result: true, once };
  const rows = tree.rows.map((row) =>
    row.folder && isNew(row.folder) ? changedRow(row, changes.get(row.folder.id) ?? {}) : row,
  );
  return { changes: [writeTree(tree, rows)], result: true, once };
}

/** Ids are unique over all trees, so rows are copied; a duplicate top-level name gets a number. */
function joined(to: Tree, from: Tree): FileChange {
  const behind = (to.below.get(0)?.at(-1)?.ord ?? -1) + 1;
  const rows = from.rows.map((row): FolderRow => {
    const { folder } = row;
    if (folder?.parent !== 0) return row;
    let name = folder.name;
    for (let number = 2; siblingNamed(to, 0, name); number++) name = `${folder.name} (${number})`;
    return changedRow(row, { name, ord: folder.ord + behind });
  });
  return writeTree(to, [...to.rows, ...rows]);
}
