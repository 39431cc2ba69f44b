/**
 * Folders and their attachments, for editors. Nothing is declared: values are checked here.
 *
 * Shape    bare values; of counts `{display, actual}`, by folder id
 * Access   upload_files; folders of the user's tree
 * Errors   rest_forbidden, validation_failed, folder_name_exist, invalid_params, delete_failed
 * Source   specification 4.15; reference of media folders, 2 to 4
 */
import { fail } from '../../../kernel/errors.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE, type Endpoint, type Handled, READ } from '../../../kernel/rest/types.ts';
import { inBatches } from '../../../kernel/site/in-batches.ts';
import { mayChangeHere } from '../../people/accounts/record.ts';
import { mayUse, treeOf } from './access.ts';
import { countAll, type FolderCounts, countsOf, limitsOf } from './counts.ts';
import { idList, sentWith, succeeded, textOf, unkept, wholeNumber } from './exchange.ts';
import { foundNodes, nodesOf, optionsOf } from './nodes.ts';
import {
  attachment,
  findFolder,
  membersOf,
  nameOf,
  planAssign,
  planColor,
  planDelete,
  planMove,
  planNewFolder,
  planRename,
  withSubtrees,
  writeFiled,
} from './plan.ts';
import { switchesOf } from './site-settings.ts';
import { type Preferences, preferencesOf, readPreferences, setPreferences, type Sorting } from './preferences.ts';
import { colorOf, inFolder } from './record.ts';

type Handler = (call: Call) => Handled | Promise<Handled>;

const get = (path: string, handle: Handler, more: Pick<Endpoint, 'acts'> = {}): Namespace['routes'][number] => ({
  path: `/folders/v1/${path}`,
  endpoints: [{ methods: READ, args: {}, ...more, allow: mayUse, handle: async (call) => unkept(await handle(call)) }],
});
const post = (path: string, handle: Handler): Namespace['routes'][number] => ({
  path: `/folders/v1/${path}`,
  endpoints: [{ methods: CREATE, args: {}, allow: mayUse, handle }],
});

export const folderRoutes: Namespace['routes'] = [
  get('get-folders', getFolders),
  get('gutenberg-get-folders', (call) => succeeded(optionsOf(treeOf(call)))),
  get('set-folder-counter', setCounter, { acts: true }),
  post('new-folder', create),
  post('update-folder', rename),
  post('update-folder-color', color),
  post('update-folder-ord', move),
  post('delete-folder', remove),
  post('assign-folder', assign),
];

async function getFolders(call: Call) {
  const { orderby, order, search, language, with: more } = sentWith(call);
  const preferences = await preferred(call, sortingOf(orderby, order));
  const tree = treeOf(call);
  const limits = limitsOf(call, language);
  const counts = countsOf(call, tree, preferences.FOLDER_COUNTER_TYPE, limits);
  const sorting = preferences.DEFAULT_SORT_FOLDERS;
  const words = textOf(search).trim();
  return {
    tree: words === '' ? nodesOf(tree, counts.display, sorting) : foundNodes(tree, counts.display, words, sorting),
    allAttachmentsCount: countAll(call, limits),
    attachmentsCount: { display: counts.display, actual: counts.actual },
    ...(more === 'settings' ? { settings: { ...preferences, ...switchesOf(call.site.folderTrees.settings) } } : {}),
  };
}

/** The sort order that a request sets; null resets it, undefined keeps it. */
function sortingOf(orderby: unknown, order: unknown): Sorting | null | undefined {
  if (order === 'reset') return null;
  if (orderby === undefined || order === undefined) return undefined;
  return readPreferences({ DEFAULT_SORT_FOLDERS: { orderby, order } })?.DEFAULT_SORT_FOLDERS ?? undefined;
}

async function preferred(call: Call, sorting: Sorting | null | undefined): Promise<Preferences> {
  const { site, user } = call;
  const id = user?.id ?? 0;
  if (sorting !== undefined && mayChangeHere(call)) await setPreferences(site, id, { DEFAULT_SORT_FOLDERS: sorting });
  return preferencesOf(site, id);
}

async function setCounter(call: Call) {
  const { type, language } = sentWith(call);
  const changes = readPreferences({ FOLDER_COUNTER_TYPE: type }) ?? {};
  await setPreferences(call.site, call.user?.id ?? 0, changes);
  return counts(call, language);
}

async function create(call: Call) {
  const { title, parent } = sentWith(call);
  const name = nameOf(textOf(title));
  const above = wholeNumber(parent) ?? fail('validation_failed');
  const { id } = await call.site.write((site) => planNewFolder(site, treeOf(call), above, name));
  return { title: name, id, key: id, type: 0, parent: above, children: [], 'data-count': 0, 'data-id': id };
}

async function rename(call: Call) {
  const { id, parent, title } = sentWith(call);
  const name = nameOf(textOf(title));
  const folder = wholeNumber(id) ?? fail('validation_failed');
  // The parent is known but required.
  if (wholeNumber(parent) === null) fail('validation_failed');
  return call.site.write(() => planRename(treeOf(call), folder, name));
}

async function color(call: Call) {
  const { folderId, color: wanted } = sentWith(call);
  const folder = wholeNumber(folderId) ?? fail('validation_failed');
  return call.site.write(() => planColor(treeOf(call), folder, colorOf(wanted)));
}

async function move(call: Call) {
  const sent = sentWith(call);
  const [dragged, dropped, position, parent] = ['dragNodeId', 'dropNodeId', 'dropPosition', 'toParentId'].map(
    (name) => wholeNumber(sent[name]) ?? fail('invalid_params'),
  ) as [number, number, number, number];
  if (position !== 0 && position !== 1 && position !== -1) fail('invalid_params');
  await call.site.write(() => planMove(treeOf(call), { dragged, dropped, position, parent }));
  const { FOLDER_COUNTER_TYPE: type } = await preferred(call, undefined);
  return type === 'counter_file_in_folder' ? true : counts(call, sent.language);
}

async function remove(call: Call) {
  const { site } = call;
  const { ids: sent, language } = sentWith(call);
  const ids = idList(sent) ?? [];
  if (ids.length === 0) fail('delete_failed');
  const tree = treeOf(call);
  const members = membersOf(site, tree.scope, withSubtrees(tree, ids)).map(({ id }) => id);
  // Thousands of files are released in batches; the folders are deleted with the last one.
  await inBatches(members, (part) => site.write(() => ({ changes: part.flatMap((id) => freed(call, id)), result: null })));
  await site.write(() => planDelete(site, treeOf(call), ids));
  return counts(call, language);
}

function freed(call: Call, id: number) {
  const media = attachment(call.site, id);
  return media ? writeFiled(call.site, media, inFolder(media, treeOf(call).scope, 0)) : [];
}

async function assign(call: Call) {
  const { folderId, ids: sent, language } = sentWith(call);
  const ids = idList(sent);
  if ((folderId === undefined || folderId === null) && ids === null) fail('validation_failed');
  const folder = folderId === undefined || folderId === null ? 0 : (wholeNumber(folderId) ?? fail('validation_failed'));
  await assignTo(call, ids ?? [], folder);
  return counts(call, language);
}

/** Moves attachments into a folder of the caller's tree. @throws RestError validation_failed */
async function assignTo(call: Call, ids: readonly number[], folder: number): Promise<void> {
  const { site } = call;
  if (folder !== 0) findFolder(treeOf(call), folder);
  await inBatches(ids, (part) => site.write(() => planAssign(site, treeOf(call), part, folder)));
  await site.write(() => planAssign(site, treeOf(call), ids, folder));
}

async function counts(call: Call, language: unknown): Promise<FolderCounts> {
  const { FOLDER_COUNTER_TYPE: type } = await preferred(call, undefined);
  const { display, actual } = countsOf(call, treeOf(call), type, limitsOf(call, language));
  return { display, actual };
}
