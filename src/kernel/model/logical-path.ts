/** The hierarchy and slug in a content path. */
import { datedName } from './dated-paths.ts';
import { slugOfFileName } from './slugs.ts';

/** The logical path of a file: `pages/about/index.md`, or `_index.md`, is `pages/about`. */
export function logicalPath(path: string): string {
  return path.replace(/\.[^./]*$/, '').replace(/(.\/[^/]+)\/_?index$/, '$1');
}

/** The parent path: `pages/about` for `pages/about/team.md`. */
export function parentPath(path: string): string {
  const place = logicalPath(path);
  return place.slice(0, Math.max(0, place.lastIndexOf('/')));
}

/**
 * The slug that the place of a file stands for: its name, or for `index` files the folder's. Names of posts may begin with their date,
 * which is not of the slug.
 */
export function slugOfPath(path: string, isDated = path.startsWith('posts/')): string {
  const parts = path.split('/');
  const own = (parts.at(-1) as string).replace(/\.[^.]*$/, '');
  const name = parts.length > 2 && (own === 'index' || own === '_index') ? (parts.at(-2) as string) : own;
  return slugOfFileName((isDated && datedName(name)?.rest) || name);
}
