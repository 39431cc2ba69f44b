/** Merges folders of a source into a tree: each is matched by name and parent, or created. Idempotent. */
import type { PlanningSite, Site } from '../../../kernel/site/site.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import { attachment, newRow, type FolderRow, type Tree, treeLock, writeFiled, writeTree } from '../folders/index.ts';
import { folderName, folderSpace, type FolderRecord, inFolder, mostLevels, nameKey, type Scope } from '../folders/record.ts';
import type { SourceFolder } from './record.ts';

interface Merged {
  /** Id in the source → folder of the tree. */
  readonly ids: ReadonlyMap<number, number>;
}

/** Sidecars in the commit of the tree; others follow in batches. */
const mostAtOnce = 64;

/**
 * @param rows  parents first (`fromTop`)
 * @param known  folders of earlier rows, by source id
 */
export async function mergeInto(
  site: Site,
  scope: Scope,
  rows: readonly SourceFolder[],
  known: ReadonlyMap<number, number> = new Map(),
): Promise<Merged> {
  const wanted = wantedFiles(rows);
  const ids = await site.write((site) => {
    const plan = planRows(site, site.folderTrees.of(scope), rows, known);
    const first = filed(site, scope, [...wanted].slice(0, mostAtOnce), plan.ids);
    return { changes: [...plan.changes, ...first], result: plan.ids, once: treeLock(scope) };
  });
  const rest = [...wanted].slice(mostAtOnce);
  for (let at = 0; at < rest.length; at += mostAtOnce) {
    const part = rest.slice(at, at + mostAtOnce);
    await site.write(() => ({ changes: filed(site, scope, part, ids), result: null, once: treeLock(scope) }));
  }
  return { ids };
}

function planRows(
  site: PlanningSite,
  tree: Tree,
  rows: readonly SourceFolder[],
  known: ReadonlyMap<number, number>,
): { readonly changes: readonly FileChange[]; readonly ids: ReadonlyMap<number, number> } {
  const ids = new Map([...known].filter(([, id]) => tree.byId.has(id)));
  const byName = new Map<string, FolderRecord>();
  const last = new Map<number, number>();
  const levels = new Map<number, number>([[0, 0]]);
  const note = (folder: FolderRecord): void => {
    const key = `${folder.parent} ${nameKey(folder.name)}`;
    if (!byName.has(key)) byName.set(key, folder);
    last.set(folder.parent, Math.max(last.get(folder.parent) ?? -1, folder.ord));
  };
  for (const folder of tree.byId.values()) note(folder);
  const levelOf = (id: number): number => {
    const level = levels.get(id) ?? levelOf(tree.byId.get(id)?.parent ?? 0) + 1;
    levels.set(id, level);
    return level;
  };
  const added: FolderRow[] = [];
  for (const { id, name: said, parent: above } of rows) {
    const name = folderName(said);
    const parent = above === 0 ? 0 : ids.get(above);
    if (name === '' || parent === undefined || levelOf(parent) >= mostLevels) continue;
    const found = byName.get(`${parent} ${nameKey(name)}`);
    const folder = found ?? {
      ...{ id: site.nextId(folderSpace), scope: tree.scope, name, parent, ord: (last.get(parent) ?? -1) + 1, color: '' },
    };
    ids.set(id, folder.id);
    if (found) continue;
    levels.set(folder.id, levelOf(parent) + 1);
    note(folder);
    added.push(newRow(folder));
  }
  return { changes: added.length === 0 ? [] : [writeTree(tree, [...tree.rows, ...added])], ids };
}

/** Attachment → its folder in the source; the last one of several. */
function wantedFiles(rows: readonly SourceFolder[]): ReadonlyMap<number, number> {
  return new Map(rows.flatMap(({ id, attachments }) => attachments.map((one) => [one, id] as const)));
}

function filed(
  site: Site,
  scope: Scope,
  pairs: readonly (readonly [attachment: number, source: number])[],
  ids: ReadonlyMap<number, number>,
): readonly FileChange[] {
  return pairs.flatMap(([one, source]) => {
    const media = attachment(site, one);
    const folder = ids.get(source);
    return media && folder !== undefined ? writeFiled(site, media, inFolder(media, scope, folder)) : [];
  });
}
