/** Languages in file names: `about.de.md` is the German `about`, `cat.jpg@de.yaml` the German sidecar of an image. */
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

/** Marks are codes of the site's languages; other dots are part of the name. */
export function createMarks(languages: Pick<Languages, 'of'>): FileMarks {
  const markOf = (path: string): string => {
    const code = patternFor(path).exec(path)?.[1];
    return code !== undefined && languages.of(code) ? code : '';
  };
  return { of: markOf, plain: (path) => (markOf(path) === '' ? path : path.replace(patternFor(path), '')) };
}

/** The path with a mark added. */
export function marked(path: string, code: string): string {
  return isMedia(path) ? path.replace(/(?=\.ya?ml$)/, `@${code}`) : path.replace(/(?=\.\w+$)/, `.${code}`);
}

export const referenceForm = { ...forms.reference, type: ['string', 'integer', 'boolean', 'null'] } as const;

/** Types may have nested folders. @param types  evaluated on use */
export function createFolderOf(types: () => Iterable<Pick<PostType, 'folders'>>): FolderOf {
  let inner: readonly string[] | undefined;
  return (path) => {
    inner ??= [...types()].flatMap(({ folders }) => folders.filter((folder) => folder.includes('/'))).sort(byLength);
    return inner.find((folder) => path.startsWith(`${folder}/`)) ?? topOf(path);
  };
}

/** Of nested folders, the inner one first. */
function byLength(a: string, b: string): number {
  return b.length - a.length;
}

/**
 * A normalized reference to the original: `/pages/about` for items, `terms/tag:sea` for terms, an id as it is, '' for an original.
 * @param path  of the file: names are relative to its type's folder; with a leading slash to the content folder
 */
export function readReference(ref: string | number | false, path: string, folderOf: FolderOf = topOf): string | number {
  if (ref === false || ref === '' || ref === 0) return '';
  if (typeof ref === 'number') return ref;
  if (path.startsWith('terms/')) return `${topOf(path)}:${slugify(ref)}`;
  const place = ref.replace(/^\/+|\/+$/g, '').replace(/\.(?:md|markdown|html?|yaml)$/, '');
  return `/${ref.startsWith('/') ? place : `${folderOf(path)}/${place}`}`;
}

/** The same for a file. */
export function printReference(ref: string | number, path: string, folderOf: FolderOf = topOf): string | number | false {
  if (typeof ref === 'number') return ref;
  if (ref === '') return false;
  const folder = folderOf(path);
  if (ref.startsWith(`${folder}:`)) return ref.slice(folder.length + 1);
  return ref.startsWith(`/${folder}/`) ? ref.slice(folder.length + 2) : ref;
}

/** The implied original of a marked file: the same name without the mark. */
export function impliedReference(path: string, marks: FileMarks | undefined): string {
  if (marks === undefined || marks.of(path) === '') return '';
  return referenceTo(marks.plain(path), slugOfPath(marks.plain(path)));
}

export function referenceTo(path: string, slug: string): string {
  return path.startsWith('terms/') ? `${topOf(path)}:${slug}` : `/${logicalPath(path)}`;
}

/** The top folder of a type. */
function topOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'terms' ? `${top}/${second}` : top;
}

/**
 * Possible file names of an item: with its code if another language has the name (`about.de.md`).
 * @param path  the default
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
  // A file of that name with a mark would become a translation of this one.
  const isClaimed = [...site.posts.with('translation_of', `/${logicalPath(path)}`)].some(
    (id) => !site.translations.members(record).some((one) => one.id === id),
  );
  if ((marks?.of(record.path) ?? '') !== '') return [withMark, path];
  return isClaimed ? [withMark] : [path, withMark];
}
