/**
 * Folders for other programs: the site's key allows reading and filling the shared tree.
 *
 * Shape    always an envelope
 * Access   the key, in `Authorization: Bearer` or as `token`
 * Errors   rest_forbidden, rest_too_many_attempts
 * Source   specification 4.15; reference of media folders, 10
 */
import { fail } from '../../../kernel/errors.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE, READ } from '../../../kernel/rest/types.ts';
import type { Method } from '../../../kernel/rest/request.ts';
import { inBatches } from '../../../kernel/site/in-batches.ts';
import { hasKey, stillHasKey } from './api-key.ts';
import {
  countAll,
  countsOf,
  countUnfiled,
  filesOf,
  idList,
  limitsOf,
  mayManage,
  nodesOf,
  planAssign,
  planNewFolder,
  refused,
  sentWith,
  siblingNamed,
  succeeded,
  textOf,
  type Tree,
  treeLock,
  unkept,
  wholeNumber,
} from '../folders/index.ts';
import { cleanName, longestName, memberKey, shared } from '../folders/record.ts';

type Handler = (call: Call, sent: Readonly<Record<string, unknown>>) => unknown;

export const publicRoutes: Namespace['routes'] = [
  route('folders', [READ, list], [CREATE, create]),
  route('folder', [READ, read]),
  route('attachment-id', [READ, members]),
  route('attachment-count', [READ, count]),
  route('folder/set-attachment', [CREATE, assign]),
];

/** The key is renewed by a user, through the media library. */
export const keyRoutes: Namespace['routes'] = [
  { path: '/folders/v1/fldv-api', endpoints: [{ methods: CREATE, args: {}, allow: mayManage, handle: renew }] },
];

async function renew(call: Call) {
  if (sentWith(call).act !== 'generate-key') return refused('Invalid action');
  return succeeded({ key: await call.site.folderKey.renew() });
}

function route(path: string, ...endpoints: readonly (readonly [readonly Method[], Handler])[]): Namespace['routes'][number] {
  return {
    path: `/folders/public/v1/${path}`,
    endpoints: endpoints.map(([methods, handle]) => ({
      methods,
      args: {},
      allow: hasKey,
      async handle(call) {
        if (!(await stillHasKey(call))) fail('rest_forbidden');
        const given = await handle(call, sentWith(call));
        // A cached response would be valid for another key.
        return methods === READ && !isAnswer(given) ? unkept(given) : given;
      },
    })),
  };
}

const isAnswer = (value: unknown): boolean => (value as { kind?: unknown }).kind === 'answer';

const treeOf = ({ site }: Call): Tree => site.folderTrees.of(shared);

function list(call: Call, { language }: Readonly<Record<string, unknown>>) {
  const tree = treeOf(call);
  const { display } = countsOf(call, tree, 'counter_file_in_folder', limitsOf(call, language));
  return succeeded({ folders: nodesOf(tree, display, null) });
}

async function create(call: Call, { name: sent, parent_id: above = 0 }: Readonly<Record<string, unknown>>) {
  const { site } = call;
  const name = cleanName(textOf(sent));
  const parent = wholeNumber(above);
  if (name === '' || name.length > longestName || parent === null) return refused('Required fields are missing.');
  if (parent !== 0 && !treeOf(call).byId.has(parent)) return refused('Validation failed');
  const id = await site.write((site) => {
    const known = siblingNamed(treeOf(call), parent, name);
    if (known) return { changes: [], result: known.id, once: treeLock(shared) };
    const { result, ...plan } = planNewFolder(site, treeOf(call), parent, name);
    return { ...plan, result: result.id };
  });
  return succeeded({ id });
}

function read(call: Call, { folder_id: id }: Readonly<Record<string, unknown>>) {
  const folder = treeOf(call).byId.get(wholeNumber(id) ?? 0);
  return succeeded({ folder: folder ? { id: String(folder.id), name: folder.name, parent: String(folder.parent) } : null });
}

function members(call: Call, { folder_id: sent }: Readonly<Record<string, unknown>>) {
  const id = wholeNumber(sent);
  if (id === null) return refused('folder_id is missing.');
  const files = treeOf(call).byId.has(id) ? filesOf(call, [within(id), ...limitsOf(call)]).records : [];
  return succeeded({ attachment_ids: files.map((media) => String(media.id)) });
}

function count(call: Call, { folder_id: sent, lang }: Readonly<Record<string, unknown>>) {
  const id = wholeNumber(sent);
  if (id === null) return refused('folder_id is missing.');
  const limits = limitsOf(call, lang);
  if (id === -1) return succeeded({ count: countAll(call, limits) });
  if (id === 0) return succeeded({ count: countUnfiled(call, treeOf(call), limits) });
  return succeeded({ count: treeOf(call).byId.has(id) ? filesOf(call, [within(id), ...limits]).total : 0 });
}

async function assign(call: Call, { ids: sent, folder: to }: Readonly<Record<string, unknown>>) {
  const { site } = call;
  const ids = idList(sent) ?? [];
  const folder = wholeNumber(to);
  if (ids.length === 0 || folder === null || (folder !== 0 && !treeOf(call).byId.has(folder)))
    return refused('Validation failed');
  await inBatches(ids, (part) => site.write(() => planAssign(site, treeOf(call), part, folder)));
  await site.write(() => planAssign(site, treeOf(call), ids, folder));
  return { success: true };
}

function within(folder: number): Clause {
  return { kind: 'in', index: 'folder', values: [memberKey(shared, folder)] };
}
