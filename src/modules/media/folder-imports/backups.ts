/** All trees as CSV rows, and backups made before everything is deleted: `folders-backups/` in the private mount. */
import type { Site } from '../../../kernel/site/site.ts';
import { parseYaml } from '../../../kernel/yaml/parse.ts';
import { printMap } from '../../../kernel/yaml/print.ts';
import { membersOf } from '../folders/index.ts';
import type { ExportedFolder } from './csv.ts';

export function exportedOf(site: Site): readonly ExportedFolder[] {
  return site.folderTrees.all().flatMap(({ scope, byId }) =>
    [...byId.values()].map(({ id, name, parent, ord }) => {
      const ids = membersOf(site, scope, [id]).map((media) => media.id);
      return {
        ...{ id: String(id), name, parent: String(parent), type: '0', ord: String(ord), created_by: String(scope) },
        attachment_ids: ids.sort((a, b) => a - b).join('|'),
      };
    }),
  );
}

/** Stores a backup of the trees. */
export async function makeBackup(site: Site): Promise<void> {
  const folders = exportedOf(site);
  if (folders.length === 0) return;
  const id = site.now().local.replace(/[-T:]/g, '_');
  await site.store.private.set(keyOf(id), Buffer.from(`${printMap({ folders }).join('\n')}\n`));
}

/** Null if there is none of that name. */
export async function readBackup({ store }: Pick<Site, 'store'>, id: string): Promise<readonly ExportedFolder[] | null> {
  // Only a timestamp, never a path.
  if (!/^\d{4}(?:_\d\d){5}$/.test(id)) return null;
  const bytes = await store.private.get(keyOf(id));
  if (bytes === null) return null;
  const { folders } = parseYaml(Buffer.from(bytes).toString('utf8')) as { folders?: readonly ExportedFolder[] };
  return folders ?? [];
}

function keyOf(id: string): string {
  return `folders-backups/${id}.yaml`;
}
