/**
 * A node's own copy of the remote: objects only, without branches, index and working tree. Nothing in it is needed for longer than one
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
  /** @returns false when the branch has moved to something that the commit does not follow. @throws NotHeld */
  push(commit: string, branch?: string): Promise<boolean>;
  /** Null without a common one. */
  mergeBase(one: string, other: string): Promise<string | null>;
  /** Files below the content: path → id. */
  tree(commit: string): Promise<Map<string, string>>;
  /** Files that one commit has and the other has under another name, as git sees it: path before → path after. */
  renames(from: string, to: string): Promise<ReadonlyMap<string, string>>;
  /** Items with the bytes that they name by id, as many at a time as fit into memory; those above `mostBytes` are missing. */
  readFor<T>(items: readonly T[], idsOf: (item: T) => readonly string[], mostBytes: number): AsyncGenerator<Portion<T>>;
  /** Email address of the last author of a file. */
  authorOf(commit: string, path: string): Promise<string>;
  /** Packs what a commit has and before, if git finds that it is time; others may read, write and push meanwhile. */
  pack(commit: string): Promise<void>;
}

interface Portion<T> {
  readonly some: readonly T[];
  readonly found: ReadonlyMap<string, Buffer>;
}

const itemsAtOnce = 64;
const bytesAtOnce = 32 * 1024 * 1024;

/** Another node may be at it: this one has been stopped for longer than its lease. */
export class NotHeld extends Error {}

/** Branches that hold what was not merged. */
export const unmergedPrefix = 'cms/unmerged-';
const packedRef = 'refs/cms/packed';
/** As git does it by itself, but in this process's time, and on one core. */
const packing = { 'gc.auto': '6700', 'gc.autoDetach': 'false', 'pack.threads': '1' };
/** For a first clone, or a first push. */
const transferMs = 30 * 60_000;
const isFile = (mode: string): boolean => mode === '100644' || mode === '100755';

/**
 * @param ask     throws NotHeld unless this node is still the one that follows the remote
 * @param signal  ends what waits for the remote
 */
export function openClone(
  folder: string,
  { remote, branch, above }: RemoteSettings,
  ask: () => void,
  signal: AbortSignal,
): Clone {
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
      const listed = await network(repository, ['ls-remote', '--', at.url, at.ref, `refs/heads/${unmergedPrefix}*`], { signal });
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
        await network(repository, args, { timeoutMs: transferMs, signal });
      } catch (error) {
        if (
          !(error instanceof GitError) ||
          !/not our ref|no such remote ref|couldn't find remote ref|unadvertised object/i.test(error.message)
        )
          throw error;
      }
      return has(commit);
    },
    async push(commit, to = branch) {
      ask();
      return isPushed(repository, { ...at, ref: `refs/heads/${to}` }, commit, { timeoutMs: transferMs, signal });
    },
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
    async renames(from, to) {
      const listed = await run('diff-tree', '-r', '-z', '-M', '--diff-filter=R', '--name-status', from, to);
      const tokens = listed.toString().split('\0');
      const out = new Map<string, string>();
      for (let at = 0; at + 2 < tokens.length; at += 3) {
        const [before, after] = [tokens[at + 1] as string, tokens[at + 2] as string];
        if (before.startsWith(above) && after.startsWith(above)) out.set(before.slice(above.length), after.slice(above.length));
      }
      return out;
    },
    async *readFor(items, idsOf, mostBytes) {
      const ids = [...new Set(items.flatMap(idsOf))];
      if (ids.length === 0)
        return yield* portionsOf(
          items,
          () => 0,
          async () => new Map(),
        );
      const asked = (some: readonly string[]) => ({ input: some.map((id) => `${id}\n`).join('') });
      const listed = await runGit(repository, ['cat-file', '--batch-check=%(objectsize)'], asked(ids));
      const lines = listed.toString().split('\n');
      const sizes = new Map(ids.flatMap((id, at) => (Number(lines[at]) <= mostBytes ? [[id, Number(lines[at])] as const] : [])));
      const weightOf = (item: (typeof items)[number]): number => idsOf(item).reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
      yield* portionsOf(items, weightOf, async (some) => {
        const wanted = [...new Set(some.flatMap(idsOf))].filter((id) => sizes.has(id));
        return wanted.length === 0 ? new Map() : blobs(await runGit(repository, ['cat-file', '--batch'], asked(wanted)), wanted);
      });
    },
    async authorOf(commit, path) {
      return (await run('log', '-1', '--format=%ae', commit, '--', `${above}${path}`)).toString().trim();
    },
    async pack(commit) {
      const sees = 'refs';
      // What no reference leads to is not packed, and removed when it is old.
      await runGit(repository, ['update-ref', packedRef, commit], { sees });
      await runGit(repository, ['gc', '--auto', '--quiet'], { sees, config: packing, timeoutMs: transferMs, signal });
    },
  };
}

async function* portionsOf<T>(
  items: readonly T[],
  weightOf: (item: T) => number,
  read: (some: readonly T[]) => Promise<ReadonlyMap<string, Buffer>>,
): AsyncGenerator<Portion<T>> {
  let [some, weight] = [[] as T[], 0];
  for (const item of items) {
    some.push(item);
    weight += weightOf(item);
    if (some.length < itemsAtOnce && weight < bytesAtOnce) continue;
    yield { some, found: await read(some) };
    [some, weight] = [[], 0];
  }
  if (some.length > 0) yield { some, found: await read(some) };
}
