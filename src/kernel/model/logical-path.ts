/** What a path of the content folder says of the file: its place among others, and the slug that it stands for. */
import { slugOfFileName } from './slugs.ts';

/** Place of a file, by which other files call it: `pages/about/index.md` is `pages/about`. */
export function logicalPath(path: string): string {
  return path.replace(/\.[^./]*$/, '').replace(/(.\/[^/]+)\/index$/, '$1');
}

/** The place above: `pages/about` for `pages/about/team.md`. */
export function parentPath(path: string): string {
  const place = logicalPath(path);
  return place.slice(0, Math.max(0, place.lastIndexOf('/')));
}

/** The slug that the place of a file stands for: its name, or for `index` files the folder's. */
export function slugOfPath(path: string): string {
  const parts = path.split('/');
  const name = (parts.at(-1) as string).replace(/\.[^.]*$/, '');
  return slugOfFileName(name === 'index' && parts.length > 2 ? (parts.at(-2) as string) : name);
}
