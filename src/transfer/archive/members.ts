/**
 * What may stand in an archive, and under which names.
 *
 *     manifest.json        first: format, version, name of the site, how much there is
 *     content/…            the folder, byte for byte
 *     private/…            accounts and what else nobody may see, where it was asked for
 *     sha256.txt           last: a digest of every member before it, as `sha256sum -c` reads it
 *
 * A name must mean the same file on every system, and none that a program would run or obey: an archive comes from anywhere.
 */
import { isGitName, isNameReadable, isOwnName, maxDepth, temporaryPrefix } from '../../kernel/store/paths.ts';

export const manifestName = 'manifest.json';
export const digestsName = 'sha256.txt';
export const contentPrefix = 'content/';
export const privatePrefix = 'private/';

const format = 'cms-archive';
const version = 1;
const maxNameBytes = 255;
const maxPathLength = 3000;

/** How much may be in an archive whatever it declares. */
const maxFiles = 2_000_000;
export const maxManifestBytes = 64 * 1024;

export interface Manifest {
  readonly format: typeof format;
  readonly version: number;
  /** Name of the site, for people. */
  readonly name: string;
  /** Whether `private/` is there. */
  readonly private: boolean;
  /** Files (those of `private/` too), empty folders and bytes, as counted before they were read. */
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

export function printManifest(what: Omit<Manifest, 'format' | 'version'>): string {
  const { name, files, folders, bytes } = what;
  const manifest = { format, version, name: name.slice(0, 1000), private: what.private, files, folders, bytes };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** @returns the manifest, or why it is none that can be read here */
export function readManifest(text: string): Manifest | string {
  let value: Partial<Record<keyof Manifest, unknown>>;
  try {
    value = Object(JSON.parse(text)) as typeof value;
  } catch {
    return 'its manifest is not valid JSON';
  }
  if (value.format !== format) return 'its manifest is not that of a site';
  if (typeof value.version !== 'number' || value.version > version) {
    return `it has version ${String(value.version)}; this program reads up to ${version}`;
  }
  const { name, files, folders, bytes } = value;
  if (typeof name !== 'string' || !isCount(files) || !isCount(folders) || !isCount(bytes))
    return 'its manifest lacks file counts';
  if (files + folders > maxFiles) return `it declares ${files + folders} members, more than ${maxFiles}`;
  return { format, version: value.version, name, private: value.private === true, files, folders, bytes };
}

/** A line of the digests, as `sha256sum` prints it. */
export function lineOf(digest: string, name: string): string {
  return `${digest}  ${name}\n`;
}

/** Why a name of the folder cannot be in an archive; null when it can. The path is below the folder, `/` between segments. */
export function refusalOf(path: string): string | null {
  const segments = path.split('/');
  if (path.length > maxPathLength || segments.length > maxDepth) return 'the path is too long';
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') return 'not a path inside the folder';
    if (!isNameReadable(segment) || /\p{Surrogate}/u.test(segment)) return 'the name is not portable';
    if (Buffer.byteLength(segment) > maxNameBytes) return 'the name is too long';
    if (isReservedName(segment)) return 'the name is reserved for git or the server';
  }
  return null;
}

/** Names that are never archived and never restored, also as other systems would read them. */
export function isReservedName(segment: string): boolean {
  return isGitName(segment) || isOwnName(segment) || segment.startsWith(temporaryPrefix);
}

/** Finds names that are one file on systems which do not tell case or composed letters apart. */
export class Names {
  readonly #seen = new Map<string, { readonly path: string; readonly isFile: boolean }>();

  /** @returns why the path cannot stand beside those added before; null when it can */
  add(path: string, isFile: boolean): string | null {
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
      const problem = this.#put(path.slice(0, end), false);
      if (problem !== null) return problem;
    }
    return this.#put(path, isFile);
  }

  #put(path: string, isFile: boolean): string | null {
    const key = folded(path);
    const known = this.#seen.get(key);
    if (known === undefined) {
      this.#seen.set(key, { path, isFile });
      return null;
    }
    if (known.path !== path) return `differs from ${known.path} only in case or Unicode normalization`;
    return isFile || known.isFile ? 'occurs twice' : null;
  }
}

function folded(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
