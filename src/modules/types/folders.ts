/**
 * Folders of types in `site.yaml`, for sites with their own structure:
 *
 *     types:
 *       post: { folder: [_posts, _drafts], file_name: '{year}-{month}-{day}-{slug}' }
 *       page: { folder: src/pages, drafts: '_*' }
 *       attachment: { folder: [static, src/assets] }
 *
 * A folder is inside the content folder, not used for anything else, and belongs to one type; a nested folder has its own files. Media may have
 * folders in addition to `media/`, where new ones go.
 */
import { withoutTrailing } from '../../kernel/model/text-ends.ts';
import { isPath } from '../../kernel/store/paths.ts';
import { DeclarationError, isDraftFolder, type PostType } from './record.ts';
import { contentFolders } from './reserved-names.ts';

type Row = Readonly<Record<string, unknown>>;
type Places = Pick<PostType, 'folder' | 'folders' | 'fileName' | 'drafts'>;

export const folderKeys: readonly string[] = ['folder', 'file_name', 'drafts'];

/** Reserved top-level folders: users, terms, media and the like, and those of the server, programs and modules. */
const taken: ReadonlySet<string> = new Set([
  ...contentFolders.filter((name) => !['posts', 'pages'].includes(name)),
  ...['plugins', 'import', 'lang', 'options', 'node_modules'],
]);
const namePattern = /^(?:[A-Za-z0-9_.-]|\{(?:year|month|day|slug)\}|\/(?!\/))*\{slug\}(?:\/index)?$/;
const jekyllName = '{year}-{month}-{day}-{slug}';
/** More would be a list of files. */
const maxFolders = 20;
const maxDrafts = 1000;

/**
 * The folders in a declaration; null if there are none.
 * @param others  folder → the type that has it
 * @throws DeclarationError
 */
export function declaredPlaces(row: Row, type: string, others: ReadonlyMap<string, string>): Places | null {
  const { folder: given } = row;
  const second = ['file_name', 'drafts'].find((key) => row[key] !== undefined && row[key] !== null);
  if ((given === undefined || given === null) && second === undefined) return null;
  const keys = ['folder'];
  if (given === undefined || given === null) throw new DeclarationError([second as string], `${second} requires folder`);
  const isMedia = type === 'attachment';
  const named = [given].flat().map((one) => {
    if (typeof one !== 'string') throw new DeclarationError(keys, 'folder must be the path of a folder, or a list of them');
    return withoutTrailing(one.replace(/^\.\//, ''), '/');
  });
  const folders = isMedia ? named.filter((one) => one !== 'media') : named;
  if (folders.length === 0 || folders.length > maxFolders || new Set(folders).size < folders.length)
    throw new DeclarationError(keys, `folder must be one to ${maxFolders} different folders`);
  for (const folder of folders) {
    if (!isPath(`${folder}/x.md`))
      throw new DeclarationError(keys, `folder "${folder}" must be a path inside the content folder`);
    if (taken.has(folder.split('/', 1)[0] as string))
      throw new DeclarationError(keys, `folder "${folder}" is in a folder of the site itself`);
    const owner = others.get(folder);
    if (owner !== undefined && owner !== type) throw new DeclarationError(keys, `folder "${folder}" is that of ${owner}`);
  }
  const drafts = draftsOf(row.drafts);
  if (isMedia) return { folder: 'media', folders: ['media', ...folders], fileName: '{slug}', drafts: [] };
  const first = folders.find((one) => !isDraftFolder(one));
  if (first === undefined) throw new DeclarationError(keys, 'folder must name another folder beside that of drafts');
  return { folder: first, folders, fileName: fileNameOf(row.file_name, first), drafts };
}

function draftsOf(given: unknown): readonly string[] {
  if (given === undefined || given === null) return [];
  const all = [given].flat();
  const isFit = (one: unknown): boolean =>
    typeof one === 'string' &&
    (/^[^/*]{1,50}\*$/.test(one) || (!one.includes('*') && isPath(`${withoutTrailing(one, '/')}/x.md`)));
  if (all.length > maxDrafts || !all.every(isFit))
    throw new DeclarationError(
      ['drafts'],
      `drafts must be up to ${maxDrafts} paths of files and folders, or beginnings of names such as "_*"`,
    );
  return all.map((one) => withoutTrailing(String(one), '/'));
}

function fileNameOf(name: unknown, folder: string): string {
  if (name === undefined || name === null) return /(?:^|\/)_posts$/.test(folder) ? jekyllName : '{slug}';
  if (typeof name !== 'string' || name.length > 200 || !namePattern.test(name) || !isPath(`${folder}/${filled(name)}.md`))
    throw new DeclarationError(
      ['file_name'],
      'file_name must be a name with {slug} at its end, such as "{year}-{month}-{day}-{slug}" or "{slug}/index"',
    );
  return name;
}

const filled = (name: string): string => name.replace(/\{\w+\}/g, '2026');
