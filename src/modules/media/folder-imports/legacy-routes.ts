/**
 * Folders of an old version, from `imports/media-folders/legacy.yaml`: read in parts, inserted part by part, deleted. Also deletes all folders.
 *
 * Shape    an envelope
 * Access   upload_files; all but reading also manage_options
 * Errors   rest_forbidden; within the envelope, with 403, for users with only upload_files
 * Source   specification 4.15; reference of media folders, 7
 */
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE } from '../../../kernel/rest/types.ts';
import { isId } from '../../../kernel/model/ids.ts';
import { inBatches } from '../../../kernel/site/in-batches.ts';
import type { Site } from '../../../kernel/site/site.ts';
import {
  attachment,
  type FiledAttachment,
  idList,
  mayUse,
  refused,
  sentWith,
  succeeded,
  textOf,
  treeLock,
  wholeNumber,
  writeFiled,
  writeTree,
} from '../folders/index.ts';
import { type Scope, shared } from '../folders/record.ts';
import { makeBackup } from './backups.ts';
import { changeMarks, readMarks } from './marks.ts';
import { mergeInto } from './merge.ts';
import { fromTop, type SourceFolder } from './record.ts';
import { findSource, readSource } from './sources.ts';

const perPart = 20;
const prefix = 'legacy';

export const legacyRoutes: Namespace['routes'] = [
  route('fld-get-old-data', list),
  route('fld-insert-old-data', managed(insert)),
  route('fld-wipe-old-data', managed(wipeOld)),
  route('fld-wipe-clear-all-data', managed(clear)),
];

type Handler = (call: Call) => Promise<unknown>;

function route(path: string, handle: Handler): Namespace['routes'][number] {
  return { path: `/folders/v1/${path}`, endpoints: [{ methods: CREATE, args: {}, allow: mayUse, handle }] };
}

function managed(handle: Handler): Handler {
  return async (call) =>
    call.can('manage_options') ? handle(call) : refused('You are not authorized to perform this action.', 403);
}

async function list({ site }: Call) {
  const rows = fromTop((await readSource(site, prefix)) ?? []).map(({ id, name, parent, owner, attachments }) => {
    return { id: String(id), name, parent, created_by: owner, attachments: attachments.map(String) };
  });
  const parts = Array.from({ length: Math.ceil(rows.length / perPart) }, (_, at) => rows.slice(at * perPart, (at + 1) * perPart));
  return succeeded({ folders: parts });
}

async function insert(call: Call) {
  const { site } = call;
  const { folders } = sentWith(call);
  const rows = Array.isArray(folders) ? folders.flatMap(readRow) : [];
  if (rows.length === 0) return refused('validation failed');
  const known = new Map(Object.entries((await readMarks(site.store.private)).legacy).map(([id, folder]) => [Number(id), folder]));
  const made = new Map(known);
  for (const scope of new Set(rows.map(({ owner }) => scopeOfOwner(site, owner)))) {
    const own = rows.filter(({ owner }) => scopeOfOwner(site, owner) === scope);
    const inPart = new Set(own.map(({ id }) => id));
    // A parent that is in no part is dropped.
    const placed = own.map((row) => (inPart.has(row.parent) || known.has(row.parent) ? row : { ...row, parent: 0 }));
    const { ids } = await mergeInto(site, scope, ordered(placed, known), known);
    for (const [id, folder] of ids) made.set(id, folder);
  }
  await changeMarks(site.store.private, ({ legacy, completed }) => ({
    legacy: { ...legacy, ...Object.fromEntries(made) },
    completed: [...new Set([...completed, prefix])],
  }));
  return succeeded({ mess: 'success' });
}

/** Parents first, including those from other parts. */
function ordered(rows: readonly SourceFolder[], known: ReadonlyMap<number, number>): readonly SourceFolder[] {
  const parents = new Map(rows.map(({ id, parent }) => [id, parent]));
  const local = rows.map((row) => (known.has(row.parent) ? { ...row, parent: 0 } : row));
  return fromTop(local).map((row) => ({ ...row, parent: parents.get(row.id) ?? 0 }));
}

function readRow(raw: unknown): SourceFolder | readonly never[] {
  if (typeof raw !== 'object' || raw === null) return [];
  const { id: said, name, parent, created_by: owner, attachments, ord } = raw as Readonly<Record<string, unknown>>;
  const id = wholeNumber(said);
  if (!isId(id) || textOf(name) === '') return [];
  return {
    ...{ id, name: textOf(name), parent: wholeNumber(parent) ?? 0, ord: wholeNumber(ord) ?? 0, owner: wholeNumber(owner) ?? 0 },
    attachments: idList(attachments) ?? [],
  };
}

/** Folders of an unknown user become shared. */
function scopeOfOwner({ users }: Pick<Site, 'users'>, owner: number): Scope {
  return owner > 0 && users.get(owner) ? owner : shared;
}

async function wipeOld({ site }: Call) {
  const found = await findSource(site, prefix);
  if (found) await site.write(() => ({ changes: [{ remove: found.path }], result: null }));
  await changeMarks(site.store.private, ({ completed }) => ({
    legacy: {},
    completed: completed.filter((one) => one !== prefix),
  }));
  return succeeded({ mess: 'Successfully wiped.' });
}

async function clear({ site }: Call) {
  await makeBackup(site);
  const filed = site.posts
    .query({ where: [{ kind: 'in', index: 'type', values: ['attachment'] }], sort: { by: 'id', direction: 'asc' }, offset: 0 })
    .records.flatMap(({ id }) => attachment(site, id) ?? [])
    .filter(({ folder, userFolders }) => folder > 0 || Object.keys(userFolders ?? {}).length > 0)
    .map(({ id }) => id);
  await inBatches(filed, (part) => site.write(() => ({ changes: part.flatMap((id) => freed(site, id)), result: null })));
  await site.write(() => ({
    changes: [
      // The file stays, so that ids are not reused.
      ...site.folderTrees.all().flatMap((tree) => (tree.rows.length > 0 ? writeTree(tree, []) : [])),
      ...filed.flatMap((id) => freed(site, id)),
    ],
    result: null,
    once: treeLock(shared),
  }));
  await changeMarks(site.store.private, () => ({ completed: [], declined: [], snapshots: {}, legacy: {} }));
  return succeeded({ mess: 'Successfully cleared!' });
}

function freed(site: Site, id: number) {
  const media: FiledAttachment | undefined = attachment(site, id);
  return media ? writeFiled(site, media, { ...media, folder: 0, userFolders: {} }) : [];
}
