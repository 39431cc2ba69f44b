/**
 * Documents of translations on disk: in folders, and in archives.
 */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { failed, misuse } from './failure.ts';
import type { Io } from './io.ts';

const isDocument = (name: string): boolean => /\.(?:xliff|xlf)$/i.test(name);
/** Of one document, and of all in an archive. */
const maxDocument = 5 * 1024 * 1024;
const maxArchive = 512 * 1024 * 1024;

interface Document {
  readonly name: string;
  readonly text: string;
}

/** @returns the names of what was written */
export async function writeDocuments(out: string, documents: Iterable<Document>, { cwd }: Io): Promise<readonly string[]> {
  const names: string[] = [];
  const target = resolve(cwd, out);
  if (/\.zip$/i.test(out)) {
    const entries: Record<string, Uint8Array> = {};
    for (const { name, text } of documents) {
      entries[name] = strToU8(text);
      names.push(name);
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, zipSync(entries));
    return names;
  }
  for (const { name, text } of documents) {
    const path = join(target, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    names.push(name);
  }
  return names;
}

export interface DocumentFile {
  readonly name: string;
  /** @throws Failure for one that is too large */
  read(): Promise<string>;
}

/** Files as they are named, those of folders and archives by their names. @throws Failure for what is not there */
export async function readDocuments(files: readonly string[], io: Io): Promise<readonly DocumentFile[]> {
  const found: DocumentFile[] = [];
  for (const file of files) {
    const path = resolve(io.cwd, file);
    const stats = await stat(path).catch(() => misuse(`"${file}" does not exist`));
    if (stats.isDirectory()) {
      const names = (await readdir(path, { recursive: true })).filter(isDocument).sort();
      if (names.length === 0) misuse(`"${file}" has no .xliff or .xlf files`);
      found.push(...names.map((name) => fileAt(join(file, name), join(path, name))));
    } else if (/\.zip$/i.test(file)) found.push(...archived(file, await readFile(path)));
    else found.push(fileAt(file, path));
  }
  return found;
}

function fileAt(name: string, path: string): DocumentFile {
  return {
    name,
    async read() {
      const { size } = await stat(path);
      if (size > maxDocument) failed(`is larger than ${maxDocument} bytes`);
      return readFile(path, 'utf8');
    },
  };
}

function archived(file: string, bytes: Uint8Array): readonly DocumentFile[] {
  let total = 0;
  try {
    const entries = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isDocument(name)) return false;
        total += originalSize;
        if (originalSize > maxDocument || total > maxArchive) throw new Error(`${name} is too large`);
        return true;
      },
    });
    return Object.entries(entries).map(([name, content]) => ({
      name: `${file}:${name}`,
      read: async () => Buffer.from(content).toString('utf8'),
    }));
  } catch (error) {
    return failed(`"${file}" cannot be read as an archive: ${(error as Error).message}`);
  }
}
