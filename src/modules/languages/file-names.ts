/**
 * What names of files say of languages: `about.de.md` is the German `about`, `cat.jpg@de.yaml` the German text of a picture.
 */
import { type FileMarks, forms } from '../../kernel/model/field.ts';
import { logicalPath, slugOfPath } from '../../kernel/model/logical-path.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { mediaFolder } from '../../kernel/store/paths.ts';
import type { Languages } from './record.ts';

const inName = /\.([a-z]{2,3}(?:-[a-z0-9]+)*)(?=\.\w+$)/;
const inSidecar = /@([a-z]{2,3}(?:-[a-z0-9]+)*)(?=\.ya?ml$)/;

const patternFor = (path: string): RegExp => (path.startsWith(mediaFolder) ? inSidecar : inName);

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
  return path.startsWith(mediaFolder) ? path.replace(/(?=\.ya?ml$)/, `@${code}`) : path.replace(/(?=\.\w+$)/, `.${code}`);
}

/** What `translation_of` may hold in a file. */
export const referenceForm = { ...forms.reference, type: ['string', 'integer', 'boolean', 'null'] } as const;

/**
 * A translation's reference in the one form that records have: `/pages/about` for items, `terms/tag:sea` for terms, an id as it is, ''
 * for an original.
 * @param path  of the file that has it: names are below the same folder
 */
export function readReference(ref: string | number | false, path: string): string | number {
  if (ref === false || ref === '' || ref === 0) return '';
  if (typeof ref === 'number') return ref;
  if (path.startsWith('terms/')) return `${folderOf(path)}:${slugify(ref)}`;
  const place = ref.replace(/^\/+|\/+$/g, '').replace(/\.(?:md|markdown|html?|yaml)$/, '');
  return `/${ref.startsWith('/') ? place : `${folderOf(path)}/${place}`}`;
}

/** The same as a file has it. */
export function printReference(ref: string | number, path: string): string | number | false {
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
  return path.startsWith('terms/') ? `${folderOf(path)}:${slug}` : `/${logicalPath(path)}`;
}

/** Names in references are below it: the folder of a type, of media, of a taxonomy. */
function folderOf(path: string): string {
  const [top = '', second = ''] = path.split('/');
  return top === 'terms' ? `${top}/${second}` : top;
}
