/**
 * Media files in local folders: in that of the source, in a copy of the old uploads, in copies of what was below a URL.
 *
 * Files of the source are untrusted: what is outside of the folders that were named is not read, whatever a path or link says.
 */
import type { Dirent } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { decoded } from '../../kernel/model/slugs.ts';
import { listInPlace } from '../listing.ts';
import { isHidden } from '../sources/markdown/folder.ts';
import type { MediaFile } from './items.ts';

export interface LocalFolders {
  /** Name of the source; an absolute path if it is a folder. */
  readonly sourceFolder: string | undefined;
  /** A local copy of the old uploads. */
  readonly mediaDir?: string;
  /** Local copies of what was below a URL: everything that begins with `prefix`. */
  readonly mirrors?: readonly { readonly prefix: string; readonly dir: string }[];
  /** Names of the files in `mediaDir`; read when they are needed. */
  names: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
}

export interface MissingFile {
  readonly missing: string;
  /** There is a file, and it could not be read. */
  readonly isUnreadable?: true;
  readonly hint?: string;
}

/** A regular file that may be read, by its path without links, or why a file that is there may not. */
type LocalFile = { readonly file: string; readonly size: number } | MissingFile;

/** Names in a folder of media that are looked at. */
const maxNames = 1_000_000;

/** The file of an attachment, or why it may not be read; null: there is none. */
export async function findLocally(
  folders: LocalFolders,
  { file, url = '', path }: Pick<MediaFile, 'path' | 'url' | 'file'>,
): Promise<LocalFile | null> {
  return (await inSource(folders, file)) ?? (await inMirrors(folders, url)) ?? (await inMediaDir(folders, path));
}

/** The file the source names, if it is in the folder of the source. */
async function inSource({ sourceFolder }: LocalFolders, file: string | undefined): Promise<LocalFile | null> {
  if (file === undefined || sourceFolder === undefined || !isAbsolute(sourceFolder)) return null;
  return within(sourceFolder, file, isHidden);
}

async function inMirrors({ mirrors = [] }: LocalFolders, url: string): Promise<LocalFile | null> {
  for (const { prefix, dir } of mirrors) {
    if (!url.startsWith(prefix)) continue;
    const found = await within(dir, join(dir, decoded(url.slice(prefix.length).replace(/[?#].*$/s, ''))));
    if (found && !('missing' in found)) return found;
  }
  return null;
}

/** By its path below the uploads, else by its name if no other file has it. */
async function inMediaDir(folders: LocalFolders, path: string): Promise<LocalFile | null> {
  const { mediaDir } = folders;
  if (mediaDir === undefined) return null;
  const direct = await within(mediaDir, join(mediaDir, path));
  if (direct && !('missing' in direct)) return direct;
  folders.names ??= namesBelow(mediaDir);
  const namesakes = (await folders.names).get(basename(path).normalize('NFC')) ?? [];
  const end = `/${path.normalize('NFC')}`;
  const same = namesakes.filter((file) => file.replaceAll(sep, '/').normalize('NFC').endsWith(end));
  const [only, ...others] = same.length > 0 ? same : namesakes;
  if (only === undefined) return null;
  return others.length > 0
    ? { missing: `${mediaDir} contains ${others.length + 1} files named ${basename(path)}` }
    : within(mediaDir, only);
}

/**
 * A file below a folder, links followed no further than that. Null when there is none.
 * @param isRefused  of a path below the folder, without links
 */
async function within(folder: string, file: string, isRefused?: (path: string) => boolean): Promise<LocalFile | null> {
  try {
    const root = await realpath(folder);
    const real = await realpath(file);
    const below = root.endsWith(sep) ? root : root + sep;
    if (!real.startsWith(below) || isRefused?.(real.slice(below.length)))
      return { missing: `${file} points outside ${folder}`, isUnreadable: true };
    const found = await stat(real);
    return found.isFile() ? { file: real, size: found.size } : null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Whether an error of the system says that there is no such file, or can be none. */
export function isAbsent(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(code);
}

/** Files below a folder by their names, links left out. */
async function namesBelow(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const folders = [await realpath(folder)];
  for (let at = 0, seen = 0; at < folders.length && seen < maxNames; at++) {
    const here = folders[at] as string;
    for (const entry of listQuietly(here)) {
      seen++;
      if (entry.isDirectory()) folders.push(join(here, entry.name));
      else if (entry.isFile()) {
        const name = entry.name.normalize('NFC');
        const namesakes = found.get(name);
        if (namesakes) namesakes.push(join(here, entry.name));
        else found.set(name, [join(here, entry.name)]);
      }
    }
  }
  return found;
}

function listQuietly(folder: string): readonly Dirent[] {
  try {
    return listInPlace(folder);
  } catch {
    return [];
  }
}
