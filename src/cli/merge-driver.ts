/**
 * `cms merge-driver`: how git merges content files. `--install` tells git to call it; git then calls it for each file that both
 * branches have changed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { findRepository } from '../kernel/store/git.ts';
import { type Merge, mergeEntry, MergeError, mergeLines, type Versions } from '../modules/content/merging/index.ts';
import { Failure, failed, misuse, status } from './failure.ts';
import { contentFolder, examples } from './flags.ts';
import type { Io } from './io.ts';

/** Lines of `.gitattributes`. */
export const mergedFiles: readonly string[] = ['md', 'markdown', 'html', 'htm', 'yaml', 'yml'].map(
  (name) => `*.${name} merge=cms`,
);

export function defineMergeDriver(command: Command, io: Io): void {
  command
    .argument('[files...]', 'passed by git: ancestor, ours, theirs, and the path of the file')
    .option('--install [dir]', 'configure git to merge the files of a content folder this way')
    .action(async (files: readonly string[], { install }: { readonly install?: string | true }) => {
      if (install !== undefined) {
        if (files.length > 0) misuse('--install accepts one folder');
        installDriver(contentFolder(install === true ? undefined : install, io), io);
        return;
      }
      if (files.length !== 4) misuse('git calls this command with four arguments', 'to set it up: cms merge-driver --install');
      await run(files as [string, string, string, string], io);
    });
  examples(command, 'cms merge-driver --install my-site');
}

/** The merged file takes the place of ours. @throws Failure with status 1 when a person has to look at it */
async function run([base, ours, theirs, path]: readonly [string, string, string, string], io: Io): Promise<void> {
  const at = (name: string): Buffer => readFileSync(resolve(io.cwd, name));
  const { bytes, conflicts } = await merged(path, { base: at(base), ours: at(ours), theirs: at(theirs) });
  writeFileSync(resolve(io.cwd, ours), bytes);
  if (conflicts.length === 0) return;
  io.err(`${path}: both sides changed ${conflicts.join(', ')}`);
  throw new Failure(status.failed, '');
}

async function merged(path: string, versions: Versions): Promise<Merge> {
  try {
    return await mergeEntry(path, versions, mergeLines);
  } catch (error) {
    if (error instanceof MergeError) failed(error.message, undefined, error);
    throw error;
  }
}

/** Tells the repository's configuration of the driver, and `.gitattributes` of the files. @throws Failure outside a repository */
export function installDriver(dir: string, io: Io): void {
  if (findRepository(dir) === null) misuse('this folder is in no git repository', `make one: git init ${dir}`);
  const program = fileURLToPath(new URL('../../bin/cms.js', import.meta.url));
  const driver = `"${process.execPath}" "${program}" merge-driver %O %A %B %P`;
  const rows = [
    ['merge.cms.name', 'front matter field by field'],
    ['merge.cms.driver', driver],
  ] as const;
  for (const [key, value] of rows) {
    const { status: code, stderr } = spawnSync('git', ['-C', dir, 'config', '--local', key, value], { encoding: 'utf8' });
    if (code !== 0) failed(`git config failed: ${stderr.trim()}`);
  }
  const added = addLines(join(dir, '.gitattributes'), mergedFiles);
  io.err(`git merges the files of ${dir} with cms${added ? '; commit .gitattributes, which says so' : ''}`);
}

/** Adds those of the lines that a file does not have. @returns whether there were any */
export function addLines(path: string, lines: readonly string[]): boolean {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const present = new Set(text.split(/\r?\n/));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return false;
  writeFileSync(path, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
  return true;
}
