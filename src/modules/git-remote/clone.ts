/**
 * A node's own copy of the remote: objects only, without references, index and working tree. Nothing in it is needed for longer than one
 * look at the remote, so it may be thrown away at any time.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blobs, GitError, type Repository, runGit } from '../../kernel/store/git.ts';
import { isPushed, network, remoteAt } from '../git/commits/index.ts';
import type { RemoteSettings } from './settings.ts';

export interface Clone {
  readonly repository: Repository;
  /** The commit of the branch, and the branches that hold what was not merged. */
  look(): Promise<{ readonly head: string | null; readonly unmerged: ReadonlySet<string> }>;
  /** Gets a commit of the remote, and what it has before. @returns false when there is no such commit any more */
  fetch(commit: string): Promise<boolean>;
  /** @returns false when the branch has moved to something that the commit does not follow */
  push(commit: string, branch?: string): Promise<boolean>;
  /** Null without a common one. */
  mergeBase(one: string, other: string): Promise<string | null>;
  /** Files below the content: path → id. */
  tree(commit: string): Promise<Map<string, string>>;
  /** Bytes by id. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** Email address of the last author of a file. */
  authorOf(commit: string, path: string): Promise<string>;
}

/** Branches that hold what was not merged. */
export const unmergedPrefix = 'cms/unmerged-';
/** For a first clone. */
const fetchMs = 30 * 60_000;
const isFile = (mode: string): boolean => mode === '100644' || mode === '100755';

export function openClone(folder: string, { remote, branch, above }: RemoteSettings): Clone {
  const gitDir = join(folder, 'cms-clone.git');
  for (const name of ['objects', 'refs']) mkdirSync(join(gitDir, name), { recursive: true, mode: 0o700 });
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  const repository: Repository = { workTree: gitDir, gitDir, commonDir: gitDir };
  const at = remoteAt(remote, `refs/heads/${branch}`);
  const run = (...args: readonly string[]) => runGit(repository, args);
  const has = (commit: string): Promise<boolean> =>
    run('cat-file', '-e', `${commit}^{tree}`).then(
      () => true,
      () => false,
    );

  return {
    repository,
    async look() {
      const listed = await network(repository, ['ls-remote', '--', at.url, at.ref, `refs/heads/${unmergedPrefix}*`]);
      const refs = new Map(
        listed
          .toString()
          .split('\n')
          .flatMap((line) => (line === '' ? [] : [line.split('\t').reverse() as [string, string]])),
      );
      const head = refs.get(at.ref) ?? null;
      if (head?.length === 64 && !existsSync(join(gitDir, 'config')))
        writeFileSync(join(gitDir, 'config'), '[extensions]\n\tobjectFormat = sha256\n');
      const start = `refs/heads/${unmergedPrefix}`;
      return {
        head,
        unmerged: new Set([...refs.keys()].flatMap((ref) => (ref.startsWith(start) ? [ref.slice('refs/heads/'.length)] : []))),
      };
    },
    async fetch(commit) {
      if (await has(commit)) return true;
      const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', at.url, commit];
      try {
        await network(repository, args, fetchMs);
      } catch (error) {
        if (
          !(error instanceof GitError) ||
          !/not our ref|no such remote ref|couldn't find remote ref|unadvertised object/i.test(error.message)
        )
          throw error;
      }
      return has(commit);
    },
    push: (commit, to = branch) => isPushed(repository, { ...at, ref: `refs/heads/${to}` }, commit),
    async mergeBase(one, other) {
      try {
        return (await run('merge-base', one, other)).toString().trim();
      } catch (error) {
        if (error instanceof GitError && /failed \(1\): $/.test(error.message)) return null;
        throw error;
      }
    },
    async tree(commit) {
      const rows = (await run('ls-tree', '-r', '-z', '--full-tree', commit)).toString().split('\0');
      return new Map(
        rows.flatMap((row): [string, string][] => {
          const [about = '', path = ''] = [row.slice(0, row.indexOf('\t')), row.slice(row.indexOf('\t') + 1)];
          const [mode = '', , id = ''] = about.split(' ');
          return isFile(mode) && path.startsWith(above) ? [[path.slice(above.length), id]] : [];
        }),
      );
    },
    async read(ids) {
      return blobs(await runGit(repository, ['cat-file', '--batch'], { input: ids.map((id) => `${id}\n`).join('') }), ids);
    },
    async authorOf(commit, path) {
      return (await run('log', '-1', '--format=%ae', commit, '--', `${above}${path}`)).toString().trim();
    },
  };
}
