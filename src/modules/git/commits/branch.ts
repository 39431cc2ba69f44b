/**
 * What a repository can take now: the branch that commits go to, or why there is none.
 */
import { existsSync, realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { createGitReader, findRepository, type Repository, runGit } from '../../../kernel/store/git.ts';
import { atWork, Held } from './record.ts';

export interface Branch {
  readonly repository: Repository;
  /** `refs/heads/main` */
  readonly ref: string;
  /** Its commit; null before the first one. */
  readonly head: string | null;
  /** What paths of the content folder begin with in the repository: '' or `site/`. */
  readonly above: string;
}

/** What a person is in the middle of while these are in the git directory. */
const unfinished: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  BISECT_LOG: 'a bisection',
};
/** A lock that is older was left behind. */
const staleMs = 60_000;

/**
 * The branch of the repository around a content folder.
 * @returns null outside a repository
 * @throws Held when nothing may be committed now; GitError when the repository cannot be read
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

/** A value of the repository's own configuration, of which nothing else is heeded. '' where it says none. */
export async function configured({ repository }: Pick<Branch, 'repository'>, key: string): Promise<string> {
  const file = join(repository.commonDir, 'config');
  if (!existsSync(file)) return '';
  // Without the key, git ends with a status of its own.
  const found = await runGit(repository, ['config', '--no-includes', '--file', file, '--default', '', '--get', key]);
  return found.toString().replace(/\n$/, '');
}
