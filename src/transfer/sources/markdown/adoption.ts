/**
 * What `site.yaml` has to say for the site of a generator to be served where it lies: its settings, and the folders of its types.
 */
import { isMedia, isPath } from '../../../kernel/store/paths.ts';
import { type TagValues, tagValuesKey } from '../../../modules/content/front-matter/record.ts';
import { reserve, statusStated } from '../../../modules/content/posts/stated-status.ts';
import { standardStatuses } from '../../../modules/types/statuses.ts';
import { textOf } from './keys.ts';
import { type Data, readPage, Unreadable } from './front-matter.ts';
import { type GeneratorFolder, folderOf, nameOf } from './folder.ts';
import type { GeneratorPlan, PageRole } from './site-generator.ts';

export interface Adoption {
  /** Public address, '' when unknown. */
  readonly url: string;
  /** Keys of `site.yaml` beside those of a new site. */
  readonly settings: Data;
  /** Declarations by type, `post` and `page` among them. */
  readonly types: Readonly<Record<string, Data>>;
  /** Files by type. */
  readonly counts: ReadonlyMap<string, number>;
  /** What is not served as it was, by path. */
  readonly remarks: readonly { readonly path: string; readonly why: string }[];
}

interface Text {
  readonly path: string;
  readonly type: string;
  /** What its place says, not itself. */
  readonly given: Data;
  readonly own: Data;
}

const served = /\.(?:md|markdown|html|htm)$/i;
const jekyllName = /^\d{4}-\d{2}-\d{2}-/;

export async function adoptionOf(folder: GeneratorFolder, plan: GeneratorPlan): Promise<Adoption> {
  const remarks: { path: string; why: string }[] = [];
  const texts: Text[] = [];
  for (const path of folder.paths) {
    const role = plan.role(path);
    if (role.kind !== 'page') continue;
    if (!served.test(path)) remarks.push({ path, why: 'only .md and .html files are served; rename it if it is plain Markdown' });
    else {
      const text = await textOfFile(folder, plan, path, role);
      if (text) texts.push(text);
    }
  }
  const held = new Set(texts.flatMap((one) => (isHeldByOthers(one) ? [one.path] : [])));
  const types = new Map<string, Data>();
  const placed = new Set<string>();
  for (const type of new Set(['post', 'page', ...texts.map((one) => one.type)])) {
    const own = texts.filter((one) => one.type === type);
    const folders = foldersOf(type, own, texts);
    for (const { path } of own) if (folders.some((one) => path.startsWith(`${one}/`))) placed.add(path);
    if (folders.length > 0) types.set(type, declarationOf(plan, type, { folders, own, held }));
  }
  for (const { path, type, own, given } of texts) {
    if (!placed.has(path)) remarks.push({ path, why: `${type}s are read in folders of their own; move it into one of them` });
    if (held.has(path) && placed.has(path))
      remarks.push({ path, why: 'its folder or the configuration holds it back: it is a draft, as drafts of site.yaml says' });
    if (given.eleventyExcludeFromCollections === true && own.eleventyExcludeFromCollections === undefined && placed.has(path))
      remarks.push({ path, why: 'eleventyExcludeFromCollections is said beside the file, where it is not read' });
  }
  const media = mediaFoldersOf(
    folder,
    plan,
    [...types.values()].flatMap((one) => [one.folder].flat().map(String)),
  );
  if (media.length > 0) types.set('attachment', { folder: media.length === 1 ? media[0] : media });
  const { name: _name, description: _description, language: _language, timezone: _timezone, ...settings } = plan.settings;
  const taxonomies = Object.fromEntries(
    plan.declarations.flatMap((one) => (one.kind === 'taxonomy' ? [[one.name, one.declaration]] : [])),
  );
  const files = folder.paths.filter((path) => media.some((dir) => path.startsWith(`${dir}/`)) && isMedia(path)).length;
  const counts = new Map(
    [...types.keys()].map((type) => [type, type === 'attachment' ? files : texts.filter((one) => one.type === type).length]),
  );
  const tags = tagValuesOf(plan, texts);
  const all = {
    ...settings,
    ...(tags === 'ids' ? {} : { [tagValuesKey]: tags }),
    ...(Object.keys(taxonomies).length > 0 ? { taxonomies } : {}),
  };
  return { url: plan.address, settings: all, types: Object.fromEntries(types), counts, remarks };
}

async function textOfFile(folder: GeneratorFolder, plan: GeneratorPlan, path: string, role: PageRole): Promise<Text | null> {
  const page = await folder
    .text(path)
    .then(readPage)
    .catch((error: unknown) => {
      if (error instanceof Unreadable) return { data: {}, hasFront: true };
      throw error;
    });
  if (role.needsFront && !page.hasFront) return null;
  const given = plan.defaults(path, role);
  const type = role.type === 'auto' ? (plan.typeOf?.({ ...given, ...page.data }, role) ?? 'page') : role.type;
  return { path, type, given, own: page.data };
}

/** The folders of a type, those of drafts last. */
function foldersOf(type: string, own: readonly Text[], all: readonly Text[]): readonly string[] {
  if (own.length === 0) return [];
  const dirs = new Map<string, number>();
  const common = type === 'page' ? commonFolder(own.map(({ path }) => folderOf(path))) : '';
  for (const { path } of own) {
    const dir = common || pureFolder(placeOf(path), type, all);
    // Pages that lie everywhere have their addresses from the top, which is no folder.
    if (dir !== '' && (common !== '' || type !== 'page' || dir.startsWith('_'))) dirs.set(dir, (dirs.get(dir) ?? 0) + 1);
  }
  const outer = [...dirs.keys()].filter((dir) => ![...dirs.keys()].some((other) => dir.startsWith(`${other}/`)));
  const isDraft = (dir: string): number => (/(?:^|\/)_drafts$/.test(dir) ? 1 : 0);
  return outer
    .filter((dir) => isPath(`${dir}/x.md`))
    .sort((a, b) => isDraft(a) - isDraft(b) || (dirs.get(b) as number) - (dirs.get(a) as number));
}

/** Folders of pictures that do not lie beside texts: below them, the paths are those on the web. */
function mediaFoldersOf({ paths }: GeneratorFolder, plan: GeneratorPlan, texts: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const role = plan.role(path);
    if (role.kind !== 'file' || !path.includes('/') || !isMedia(path) || texts.some((one) => path.startsWith(`${one}/`)))
      continue;
    const root = role.url !== '' && path.endsWith(role.url) ? path.slice(0, -role.url.length) : '';
    found.add(
      root ||
        path
          .split('/')
          .slice(0, role.url === '' ? -1 : 1)
          .slice(0, 2)
          .join('/'),
    );
  }
  return [...found].filter((dir) => isPath(`${dir}/x.png`)).sort();
}

/** The folder of a text; of a bundle the one that the bundle is in. */
function placeOf(path: string): string {
  const dir = folderOf(path);
  return nameOf(path) === 'index' ? folderOf(dir) : dir;
}

/** The smallest folder with the texts around one, as far up as there are none of another type, without years and months. */
function pureFolder(dir: string, type: string, all: readonly Text[]): string {
  if (/^_/.test(lastOf(dir))) return dir;
  let top = dir;
  const isPure = (one: string): boolean => all.every(({ path, type: other }) => other === type || !path.startsWith(`${one}/`));
  for (let above = folderOf(dir); above !== '' && isPure(above); above = folderOf(above)) {
    top = above;
    if (/^_/.test(lastOf(above))) break;
  }
  const within = all.filter((one) => one.type === type && one.path.startsWith(`${top}/`)).map(({ path }) => placeOf(path));
  return commonFolder(within).replace(/(?<!\/\d{2,4})(?:\/\d{2,4})+$/, '');
}

const lastOf = (dir: string): string => dir.slice(dir.lastIndexOf('/') + 1);

function commonFolder(dirs: readonly string[]): string {
  const [first = [], ...others] = dirs.map((dir) => dir.split('/'));
  const length = others.reduce((shared, dir) => {
    const end = dir.findIndex((segment, at) => at >= shared || segment !== first[at]);
    return end === -1 ? Math.min(shared, dir.length) : end;
  }, first.length);
  return first.slice(0, length).join('/');
}

/** Whether what lies beside a file holds it back further than it does itself, which the server would not see. */
function isHeldByOthers({ given, own }: Text): boolean {
  const [alone, all] = [own, { ...given, ...own }].map((data) => reserve(standardStatuses, statusStated(data, standardStatuses)));
  return (alone as number) < (all as number);
}

/** What the tags and categories of the files are, as the generator reads them. */
function tagValuesOf(plan: GeneratorPlan, texts: readonly Text[]): TagValues {
  const values = texts.flatMap(({ own: { tags, categories } }) => [tags, categories]);
  if (plan.split('a b', 'tags').length > 1 && values.some((value) => typeof value === 'string' && /\S\s+\S/.test(value)))
    return 'words';
  return values.some((value) => [value].flat().some((one) => typeof one === 'number')) ? 'names' : 'ids';
}

/** The files that are drafts, by their folders where all of a folder are. */
function draftsAmong(folders: readonly string[], own: readonly Text[], held: ReadonlySet<string>): readonly string[] {
  const within = own.map(({ path }) => path).filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
  const whole = (dir: string): boolean =>
    !folders.includes(dir) && within.every((path) => held.has(path) || !path.startsWith(`${dir}/`));
  const found = within.flatMap((path) => {
    if (!held.has(path)) return [];
    let top = path;
    for (
      let dir = folderOf(path);
      dir !== '' && folders.some((folder) => dir.startsWith(`${folder}/`)) && whole(dir);
      dir = folderOf(dir)
    )
      top = dir;
    return [top];
  });
  return [...new Set(found)];
}

interface Placed {
  readonly folders: readonly string[];
  readonly own: readonly Text[];
  /** Files that are held back by what lies beside them. */
  readonly held: ReadonlySet<string>;
}

function declarationOf({ declarations, drafts = [] }: GeneratorPlan, type: string, { folders, own, held }: Placed): Data {
  const said = declarations.find((one) => one.kind === 'type' && one.name === type);
  const { plural, singular, taxonomies } = (said && 'declaration' in said ? said.declaration : {}) as Data;
  const [first = ''] = folders;
  const among = [...drafts, ...draftsAmong(folders, own, held)];
  const fileName = type === 'page' ? undefined : namesIn(first, own);
  const isUsual = fileName === (lastOf(first) === '_posts' ? '{year}-{month}-{day}-{slug}' : '{slug}');
  return {
    ...(said ? { plural: textOf(plural), singular: textOf(singular), taxonomies } : {}),
    folder: folders.length === 1 ? first : folders,
    ...(fileName === undefined || isUsual ? {} : { file_name: fileName }),
    ...(among.length === 0 ? {} : { drafts: among }),
  };
}

/** How most files of a folder are named. */
function namesIn(folder: string, own: readonly Text[]): string {
  const names = own.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path }) => path.slice(folder.length + 1));
  const isMost = (test: (name: string) => boolean): boolean => names.filter(test).length * 2 > names.length;
  const dated = isMost((name) => jekyllName.test(nameOf(name) === 'index' ? lastOf(folderOf(name)) : nameOf(name)));
  const inMonths = isMost((name) => /^\d{4}\/\d{2}\//.test(name));
  const bundled = isMost((name) => nameOf(name) === 'index');
  return `${inMonths ? '{year}/{month}/' : ''}${dated ? '{year}-{month}-{day}-' : ''}{slug}${bundled ? '/index' : ''}`;
}
