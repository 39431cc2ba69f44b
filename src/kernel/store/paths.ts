/**
 * What a path inside a mount may be, what a scan leaves out, and how a path becomes a key of an engine.
 *
 * unstorage treats `:`, `/` and `\` alike, cuts keys at `?` and hides those that end in `$`; the engine key therefore
 * escapes these, so that every path has exactly one key and comes back unchanged.
 */

import { table } from '../model/maps.ts';
import { withoutTrailing } from '../model/text-ends.ts';
import type { EntryKind } from './types.ts';

/** A path the store will not touch: outside the folder, or a name a scan would not find again. */
export class PathError extends Error {}

/** More folders, or longer names, than a path may have. */
export class LongPathError extends PathError {}

/** A directory is where a file belongs, or a link is on the way to it: a write that needs the place does nothing. */
export class BlockedPathError extends PathError {}

/** Names of temporary files begin so; followed by the process id, a dash and letters. */
export const temporaryPrefix = '.cms-tmp-';

/** Where files of any kind are content; the sidecar of `media/cat.jpg` is `media/cat.jpg.yaml`. */
export const mediaFolder = 'media/';
/** Path under which a site serves everything in `media/`. */
export const uploadsRoot = '/uploads';

const maxSegmentBytes = 255;
const maxPathLength = 3000;
/** Deeper folders are not read. */
export const maxDepth = 64;

const kinds: Readonly<Record<string, EntryKind>> = table({
  md: 'md',
  markdown: 'md',
  html: 'html',
  htm: 'html',
  yaml: 'yaml',
  yml: 'yaml',
});

const besideTexts =
  /^(?!(?:terms|users|menus|comments|revisions|plugins)\/)[^/]+\/.*\.(?:png|jpe?g|gif|webp|avif|svg|mp[34]|webm|og[gav]|m4[av]|wav|pdf)(?:(?:@[a-z][a-z0-9-]*)?\.ya?ml)?$/i;

/** Whether a file is media, or a sidecar: everything below `media/`, and pictures, sounds, films and PDF beside texts. */
export function isMedia(path: string): boolean {
  return path.startsWith(mediaFolder) || besideTexts.test(path);
}

/** Where a media file is served below the uploads: the path below `media/`, of one beside texts the whole. */
export function uploadOf(path: string): string {
  return path.startsWith(mediaFolder) ? path.slice(mediaFolder.length) : path;
}

/** The files that may be served at a path below the uploads, the one that is first. */
export function originalsAt(upload: string): readonly string[] {
  return isMedia(upload) ? [mediaFolder + upload, upload] : [mediaFolder + upload];
}

/** How the file is read by its name: an entry kind, `blob` for other media, null for what is not content. */
export function kindOf(path: string): EntryKind | 'blob' | null {
  const kind = kinds[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  return kind ?? (isMedia(path) ? 'blob' : null);
}

/** The media file that a sidecar describes; a media file is its own. */
export function originalOf(path: string): string {
  return path.replace(/(?:@(?<=\.\w+@)[a-z][a-z0-9-]*)?\.ya?ml$/, '');
}

/** A media file and its sidecar are one: the path both go by. */
export function unitOf(path: string): string {
  return isMedia(path) ? originalOf(path) : path;
}

/**
 * True for names a scan passes over: dot files, editors' temporary files, `node_modules` at the top. Vim tries a folder out with a file
 * called 4913; a folder of that name is that of a page, or of the revisions of a post.
 */
export function isPassedOver(name: string, depth: number, isFolder: boolean): boolean {
  const first = name.charCodeAt(0);
  if (first === 46 || name.endsWith('~') || (name === '4913' && !isFolder)) return true;
  if (first === 35 && name.endsWith('#')) return true;
  return /\.sw[a-z]$/.test(name) || (depth === 0 && name === 'node_modules') || name.startsWith('___jb_');
}

/** True when a scan does not come to the file, for its name or that of a folder above. */
export function isOutOfSight(path: string): boolean {
  return path.split('/').some((name, depth, { length }) => isPassedOver(name, depth, depth < length - 1));
}

/** Whether paths are those of a directory, or below it; undefined: of any. */
export function isAtOrBelow(directory: string | undefined): (path: string) => boolean {
  if (directory === undefined) return () => true;
  const start = `${directory}/`;
  return (path) => path.startsWith(start) || path === directory;
}

/** A name as systems read it that do not tell capitals apart, or pass over dots and blanks at its end and letters without a width. */
export function foldedName(name: string): string {
  return withoutTrailing(name.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, ''), '. ').toLowerCase();
}

/** Whether a name is that of a git directory, on any system. */
export function isGitName(name: string): boolean {
  return ['.git', 'git~1'].includes(foldedName(name));
}

/** Whether a name is that of the server's own folder, on any system. */
export function isOwnName(name: string): boolean {
  return ['.cms', 'cms~1'].includes(foldedName(name));
}

/** True when the name can be told from every other: valid UTF-8 on disk, no control character, no backslash. */
export function isNameReadable(name: string): boolean {
  return !/[\u0000-\u001f\u007f\\\ufffd]/.test(name);
}

/** Paths found sound of late: one write asks ten times for each of its own. */
const sound = new Set<string>();

/**
 * The path, when the store may write and will find it again.
 * @throws PathError for absolute paths, `..`, empty segments, control characters, overlong or passed-over names
 */
export function checkPath(path: string): string {
  if (sound.has(path)) return path;
  const segments = path.split('/');
  if (path.length > maxPathLength || segments.length > maxDepth) throw new LongPathError(`path too long: ${path.slice(0, 80)}…`);
  segments.forEach((segment, depth) => {
    if (segment === '' || segment === '.' || segment === '..' || !isNameReadable(segment) || /\p{Surrogate}/u.test(segment)) {
      throw new PathError(`not a path inside the folder: ${JSON.stringify(path)}`);
    }
    if (isPassedOver(segment, depth, depth < segments.length - 1))
      throw new PathError(`a name that is not read as content: ${JSON.stringify(path)}`);
    if (segment.length > 80 && Buffer.byteLength(segment) > maxSegmentBytes)
      throw new LongPathError(`name too long: ${path.slice(0, 80)}…`);
  });
  if (sound.size > 256) sound.clear();
  sound.add(path);
  return path;
}

/** True when `checkPath` would take it. */
export function isPath(path: string): boolean {
  try {
    return checkPath(path) === path;
  } catch {
    return false;
  }
}

/** `posts/a?.md` → `posts:a%3F.md` */
export function encodeKey(path: string): string {
  return path.replace(/[%?$:\\]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll('/', ':');
}

/** The inverse of `encodeKey`. */
export function decodeKey(key: string): string {
  return key.replaceAll(':', '/').replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Originals whose derived file could be called `name`: paths in one folder, the extension in lower case. */
export function originalsOfDerived(name: string): readonly string[] {
  const match = /^(.+)-(?:\d+x\d+|scaled|rotated)\.([a-z]+)$/.exec(name);
  if (!match) return [];
  const [, base = '', extension = ''] = match;
  const converted = /^(.+)-([a-z]+)$/.exec(base);
  return [`${base}.${extension}`, ...(converted ? [`${converted[1]}.${converted[2]}`] : [])];
}
