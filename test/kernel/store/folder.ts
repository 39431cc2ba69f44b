/** A temporary content folder per test. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Folder {
  readonly dir: string;
  write(path: string, content: string | Uint8Array): void;
  read(path: string): string;
  at(path: string): string;
}

export function temporaryFolder(files: Readonly<Record<string, string>> = {}): Folder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cms-store-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const at = (path: string) => join(dir, path);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  return { dir, at, write, read: (path) => readFileSync(at(path), 'utf8') };
}
