/**
 * The repository around a content folder: a branch to commit to, nothing half done, accounts kept out, large files there. Git runs
 * with an empty repository of our own: the configuration of this one has no say.
 */
import { table } from '../../kernel/model/maps.ts';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findRepository, GitError, type Repository } from '../../kernel/store/git.ts';
import { trackedOwn } from '../../kernel/store/repositories.ts';
import { scanFolder } from '../folder-files.ts';
import type { Io } from '../io.ts';
import { counted, type DoctorFinding, judgeOf, listed } from './finding.ts';

const { ok, no } = judgeOf('git');

/** Files in `.git` that are there while something waits for a person, with the command that goes on and the one that gives up. */
const waiting: Readonly<Record<string, readonly [what: string, fix: string]>> = table({
  MERGE_HEAD: ['a merge', 'git merge --continue, or git merge --abort'],
  CHERRY_PICK_HEAD: ['a cherry-pick', 'git cherry-pick --continue, or --abort'],
  REVERT_HEAD: ['a revert', 'git revert --continue, or --abort'],
  'rebase-merge': ['a rebase', 'git rebase --continue, or git rebase --abort'],
  'rebase-apply': ['a rebase', 'git rebase --continue, or git rebase --abort'],
});
/** A lock that is older was left by a git that has died. */
const staleMs = 60_000;
const pointer = 'version https://git-lfs.github.com/spec/';
/** Pointers are this short. */
const mostPointerBytes = 1024;

/** Nothing else of ours goes along to git. */
type Environment = Readonly<Record<string, string>>;

/** @param now  milliseconds since the epoch */
export async function* lookAtRepository(dir: string, now: number, io: Io): AsyncIterable<DoctorFinding> {
  const folder = realpathSync.native(dir);
  const env: Environment = {
    ...(io.env.PATH === undefined ? {} : { PATH: io.env.PATH }),
    ...(io.env.HOME === undefined ? {} : { HOME: io.env.HOME }),
  };
  let repository: Repository | null;
  try {
    repository = findRepository(folder);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return yield no(error.message, 'the working tree was moved: git worktree repair, or git submodule absorbgitdirs, above it');
  }
  if (repository === null) return yield ok('the folder is in no git repository');
  const { error, stdout } = spawnSync('git', ['--version'], { encoding: 'utf8', env });
  if (error)
    return yield no('the folder is in a git repository, and there is no git to read it with', 'install it: apt-get install git');
  yield* lookAtHead(repository);
  const lock = statSync(join(repository.gitDir, 'index.lock'), { throwIfNoEntry: false });
  if (lock && now - lock.mtimeMs > staleMs)
    yield no(
      `index.lock is ${Math.round((now - lock.mtimeMs) / 60_000)} minutes old: a git that has died left it, and git writes nothing while it is there`,
      `if no git is running: rm ${join(repository.gitDir, 'index.lock')}`,
    );
  try {
    yield* await lookAtOwn(folder, repository, env);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    yield no(`git does not read this repository: ${error.message}`, 'git fsck says what is wrong with it');
  }
  yield await lookAtPointers(folder);
  yield ok(`${stdout.trim()}, repository ${repository.workTree}`);
}

function* lookAtHead({ gitDir }: Repository): Iterable<DoctorFinding> {
  const begun = Object.keys(waiting).find((name) => existsSync(join(gitDir, name)));
  if (begun !== undefined) {
    const [what, fix] = waiting[begun] as readonly [string, string];
    yield no(`${what} has begun and not ended: files may hold conflict marks, and are served as they were before`, fix);
  }
  const head = readFileSync(join(gitDir, 'HEAD'), 'utf8').trim();
  // A rebase detaches it by itself.
  if (!head.startsWith('ref: ') && !begun?.startsWith('rebase'))
    yield no(
      'HEAD is on no branch: commits made here are easily lost',
      'git switch main, or keep what is here: git switch -c NAME',
    );
}

/** What is the server's own must not go along with the content. */
async function lookAtOwn(folder: string, repository: Repository, env: Environment): Promise<DoctorFinding[]> {
  const tracked = await trackedOwn(folder);
  if (tracked.length > 0)
    return [
      no(
        `git tracks ${listed(tracked)}: accounts and keys go wherever the content goes`,
        'git rm -r --cached .cms, then change all passwords',
      ),
    ];
  return isIgnored(folder, repository, env)
    ? [ok('git leaves .cms out')]
    : [no('git does not leave .cms out: "git add ." would commit accounts and keys', 'echo .cms/ >> .gitignore')];
}

function isIgnored(folder: string, { workTree, commonDir }: Repository, env: Environment): boolean {
  const empty = mkdtempSync(join(tmpdir(), 'cms-doctor-'));
  try {
    const git = (...args: readonly string[]) => spawnSync('git', args, { env, cwd: workTree });
    git('init', '--quiet', empty);
    const gitDir = join(empty, '.git');
    mkdirSync(join(gitDir, 'info'), { recursive: true });
    if (existsSync(join(commonDir, 'info/exclude'))) copyFileSync(join(commonDir, 'info/exclude'), join(gitDir, 'info/exclude'));
    const own = join(relative(workTree, folder), '.cms/private/x');
    return git('--git-dir', gitDir, '--work-tree', workTree, 'check-ignore', '--quiet', '--no-index', own).status === 0;
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

async function lookAtPointers(folder: string): Promise<DoctorFinding> {
  const files = await scanFolder(folder);
  const pointers = files.filter(
    ({ path, size, refused }) => refused === undefined && size > 0 && size < mostPointerBytes && isPointer(join(folder, path)),
  );
  if (pointers.length === 0) return ok('no file waits for git LFS');
  return no(
    `${counted(pointers.length, 'file')} of git LFS ${pointers.length === 1 ? 'is' : 'are'} not fetched: ${listed(pointers.map(({ path }) => path))}`,
    'git lfs install && git lfs pull',
  );
}

function isPointer(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(pointer.length);
    return readSync(file, bytes) === pointer.length && bytes.toString('latin1') === pointer;
  } finally {
    closeSync(file);
  }
}
