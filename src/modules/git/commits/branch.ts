/** The branch that commits go to, or why there is none. */
import { existsSync, realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { createGitReader, findRepository, type Repository, runGit } from '../../../kernel/store/git.ts';
import { atWork, Held } from './record.ts';

export interface Branch {
  readonly repository: Repository;
  /** `refs/heads/main` */
  readonly ref: string;
  /** Null before the first commit. */
  readonly head: string | null;
  /** Prefix of the content folder in the repository: '' or `site/`. */
  readonly above: string;
}

/** Files in the git directory during an unfinished operation. */
const unfinished: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  BISECT_LOG: 'a bisection',
};
/** An older lock is stale. */
const staleMs = 60_000;

/**
 * The branch of the repository around a content folder.
 * @returns null outside a repository
 * @throws Held if nothing may be committed now; GitError if the repository cannot be read
 */
export async function currentBranch(root: string): Promise<Branch | null> {
  const folder = realpathSync(root);
  const repository = findRepository(folder);
  if (repository === null) return null;
  const { gitDir, workTree } = repository;
  for (const [name, what] of Object.entries(unfinished))
    if (existsSync(join(gitDir, name))) throw new Held(`${what} is under way in the repository`);
  const lock = await stat(join(gitDir, 'index.lock')).catch(() => null);
  if (lock !== null)
    throw new Held(
      Date.now() - lock.mtimeMs > staleMs
        ? `${join(gitDir, 'index.lock')} was left behind by a git that has died; remove it`
        : atWork,
    );
  const ref = /^ref: (refs\/heads\/.+)$/.exec((await readFile(join(gitDir, 'HEAD'), 'utf8')).trimEnd())?.[1];
  if (ref === undefined) throw new Held('HEAD is detached: no branch is checked out');
  const reader = await createGitReader(folder);
  const prefix = relative(workTree, folder).split(sep).join('/');
  return { repository, ref, head: reader?.head ?? null, above: prefix === '' ? '' : `${prefix}/` };
}

/** A value of the repository's configuration, which is otherwise ignored. '' if missing. */
export async function configured({ repository }: Pick<Branch, 'repository'>, key: string): Promise<string> {
  const file = join(repository.commonDir, 'config');
  if (!existsSync(file)) return '';
  // Without the key, git exits with another status.
  const found = await runGit(repository, ['config', '--no-includes', '--file', file, '--default', '', '--get', key]);
  return found.toString().replace(/\n$/, '');
}
