/**
 * What names of files say of languages: `about.de.md` is the German `about`, `cat.jpg@de.yaml` the German text of a picture.
 */
import { type FileMarks, forms } from '../../kernel/model/field.ts';
import { logicalPath, slugOfPath } from '../../kernel/model/logical-path.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { isMedia } from '../../kernel/store/paths.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { PostType } from '../types/record.ts';
import type { FolderOf, Languages, Translated } from './record.ts';

const inName = /\.([a-z]{2,3}(?:-[a-z0-9]+)*)(?=\.\w+$)/;
const inSidecar = /@([a-z]{2,3}(?:-[a-z0-9]+)*)(?=\.ya?ml$)/;

const patternFor = (path: string): RegExp => (isMedia(path) ? inSidecar : inName);

/** Marks are codes of the site's languages; a name may have other dots. */
export function createMarks(languages: Pick<Languages, 'of'>): FileMarks {
  const markOf = (path: string): string => {
    const code = patternFor(path).exec(path)?.[1];
    return code !== undefined && languages.of(code) ? code : '';
  };
  return { of: markOf, plain: (path) => (markOf(path) === '' ? path : path.replace(patternFor(path), '')) };
}

/** The path with a mark; it has none yet. */
export function marked(path: string, code: string): string {
  return isMedia(path) ? path.replace(/(?=\.ya?ml$)/, `@${code}`) : path.replace(/(?=\.\w+$)/, `.${code}`);
}

/** What `translation_of` may hold in a file. */
export const referenceForm = { ...forms.reference, type: ['string', 'integer', 'boolean', 'null'] } as const;

/** Types may have folders further down. @param types  all of them, once somebody asks */
export function createFolderOf(types: () => Iterable<Pick<PostType, 'folders'>>): FolderOf {
  let inner: readonly string[] | undefined;
  return (path) => {
    inner ??= [...types()].flatMap(({ folders }) => folders.filter((folder) => folder.includes('/'))).sort(byLength);
    return inner.find((folder) => path.startsWith(`${folder}/`)) ?? topOf(path);
  };
}

/** Of two of which one is in the other, the inner one comes first. */
function byLength(a: string, b: string): number {
  return b.length - a.length;
}

/**
 * A translation's reference in the one form that records have: `/pages/about` for items, `terms/tag:sea` for terms, an id as it is, ''
 * for an original.
 * @param path  of the file that has it: names are below the same folder; with a slash in front below the content folder
 */
export function readReference(ref: string | number | false, path: string, folderOf: FolderOf = topOf): string | number {
  if (ref === false || ref === '' || ref === 0) return '';
  if (typeof ref === 'number') return ref;
  if (path.startsWith('terms/')) return `${topOf(path)}:${slugify(ref)}`;
  const place = ref.replace(/^\/+|\/+$/g, '').replace(/\.(?:md|markdown|html?|yaml)$/, '');
  return `/${ref.startsWith('/') ? place : `${folderOf(path)}/${place}`}`;
}

/** The same as a file has it. */
export function printReference(ref: string | number, path: string, folderOf: FolderOf = topOf): string | number | false {
  if (typeof ref === 'number') return ref;
  if (ref === '') return false;
  const folder = folderOf(path);
  if (ref.startsWith(`${folder}:`)) return ref.slice(folder.length + 1);
  return ref.startsWith(`/${folder}/`) ? ref.slice(folder.length + 2) : ref;
}

/** What a file with a mark translates when it does not say it: the file of the same name without one. */
export function impliedReference(path: string, marks: FileMarks | undefined): string {
  if (marks === undefined || marks.of(path) === '') return '';
  return referenceTo(marks.plain(path), slugOfPath(marks.plain(path)));
}

/** The reference that names an item. */
export function referenceTo(path: string, slug: string): string {
  return path.startsWith('terms/') ? `${topOf(path)}:${slug}` : `/${logicalPath(path)}`;
}

/** The folder of a type that has none of its own further down. */
function topOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'terms' ? `${top}/${second}` : top;
}

/**
 * Names that the file of an item may get: where another language has the name, the code stands behind it (`about.de.md`).
 * @param path  that it would have
 */
export function fileNames(path: string, record: Translated & { readonly parent?: number }, site: Site): readonly string[] {
  const { marks } = site.refs;
  const { lang } = record;
  const withMark = marked(path, lang);
  const parent = site.posts.get(record.parent ?? 0);
  if (parent && parent.type === record.type && marks) {
    // Below a page, a file belongs to the page with its own mark, else to the one without.
    const mark = marks.of(parent.path);
    if (mark === lang) return [withMark];
    const hasRival = site.posts.with('place', logicalPath(marked(marks.plain(parent.path), lang))).size > 0;
    if (mark !== '') return [`${(site.refs.folderAt ?? topOf)(path)}${path.slice(path.lastIndexOf('/'))}`];
    if (hasRival) return [path];
  }
  // What has the same name with a mark would become a translation of this one.
  const isClaimed = [...site.posts.with('translation_of', `/${logicalPath(path)}`)].some(
    (id) => !site.translations.members(record).some((one) => one.id === id),
  );
  if ((marks?.of(record.path) ?? '') !== '') return [withMark, path];
  return isClaimed ? [withMark] : [path, withMark];
}
