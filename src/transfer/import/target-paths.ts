/**
 * Names of files that are safe in addresses and on every system.
 */
import { mediaFolder } from '../../modules/media/record.ts';
import { parentPath } from '../../modules/posts/record.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { PostType } from '../../modules/types/types.ts';
import { cleanFileName } from '../../modules/media-files/names.ts';
import { extensionOf, mimeOf } from '../../modules/media-files/types.ts';
import { isPath } from '../../kernel/store/paths.ts';
import type { TermItem } from './items.ts';

/** The slug a term asks for. */
export function slugOfTerm({ slug, name }: Pick<TermItem, 'slug' | 'name'>): string {
  return slugify(slug) || slugify(name);
}

/** A wanted place, when it is one of the type's and says the same parent. */
export function allowedPath({ folder }: PostType, preferredPath: string, above: string | null): string | null {
  if (!preferredPath.startsWith(`${folder}/`) || !isPath(`${preferredPath}.html`)) return null;
  return above === null || parentPath(`${preferredPath}.html`) === above ? preferredPath : null;
}

/** Whether the site can hold it: files of kinds it does not know are not served. */
export function isSupported(of: string, media: string): boolean {
  return of !== 'attachment' || mimeOf(media) !== null;
}

/** Path below `media/` that is safe in addresses and on every system. */
export function mediaPath(path: string, id: number): string {
  const parts = path
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const isSafe = (part: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._@+-]*$/u.test(part);
  const clean = parts.map((part) => (isSafe(part) ? part : cleanFileName(part))).filter((part) => part !== '');
  const name = clean.join('/');
  return mimeOf(name) !== null && isPath(`${mediaFolder}${name}.yaml`) ? name : `file-${id}.${extensionOf(path)}`;
}

/** Our pattern in the words of the rule for reserved slugs. */
export function patternOf(permalink: string): string {
  return permalink.replaceAll('{slug}', '%postname%').replaceAll('{year}', '%year%').replaceAll('{month}', '%monthnum%');
}
