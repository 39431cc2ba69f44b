/**
 * What git could bring into a content folder and must not: files of the server's own folder, and folders that look like a repository.
 * A person who runs git in such a folder runs what its configuration names.
 */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { drain, paced } from '../kernel/scheduler.ts';
import { foldedName, isGitName } from '../kernel/store/paths.ts';
import { problemOf } from '../kernel/store/problems.ts';
import { trackedOwn } from '../kernel/store/repositories.ts';
import type { Problem } from '../kernel/store/types.ts';

/** What git tracks of the server's own folder. @throws GitError */
export async function trackedProblems(dir: string): Promise<Problem[]> {
  return (await trackedOwn(dir)).map((path) =>
    problemOf(path, {
      rule: 'not-read-tracked',
      message: 'is tracked by git; accounts, keys and caches must not come with the content',
      hint: `git rm -r --cached ${path.split('/')[0]} takes it out`,
    }),
  );
}

/**
 * Folders that git would take for a repository: with HEAD, objects and refs in them (or a word where those are), at the top too; and anything called `.git` below the
 * top, where the repository of the folder itself may be. Links are not followed. Cost: one listing of each directory.
 */
export async function embeddedRepositories(dir: string): Promise<Problem[]> {
  const found: Problem[] = [];
  const report = (path: string): void => {
    const message = 'looks like a git repository; git would obey its configuration';
    found.push(
      problemOf(path, { rule: 'not-read-repository', message, hint: 'take it out, and run no git command in it before' }),
    );
  };
  const stack = [''];
  for await (const here of paced(drain(stack))) {
    const prefix = here === '' ? '' : `${here}/`;
    const items = list(join(dir, here));
    const names = new Map(items.map(({ name }) => [foldedName(name), name]));
    const isLinked = names.has('commondir');
    if (names.has('head') && (isLinked || (names.has('objects') && names.has('refs')))) report(`${prefix}${names.get('head')}`);
    for (const item of items) {
      const path = `${prefix}${item.name}`;
      if (isGitName(item.name)) {
        if (here !== '' || item.name !== '.git') report(path);
      } else if (item.isDirectory() && !(here === '' && (item.name === '.cms' || item.name === 'node_modules'))) stack.push(path);
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One that is gone, or cannot be listed, is told of elsewhere. */
function list(absolute: string): fs.Dirent[] {
  try {
    return fs.readdirSync(absolute, { withFileTypes: true });
  } catch {
    return [];
  }
}
