/**
 * The history of a file in git: each commit of HEAD that changed it, under any of its names. Read from the objects (`kernel/store/git.ts`), and
 * cached while HEAD stays.
 */
import { table } from '../../../kernel/model/maps.ts';
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { blobs, createGitReader, findRepository, type Repository, runGit } from '../../../kernel/store/git.ts';

/** A file as of a commit. */
export interface CommittedState {
  /** Full id. */
  readonly commit: string;
  /** Its path in the content folder at that time; null if it was outside. */
  readonly path: string | null;
  /** The author's date, milliseconds since the epoch. */
  readonly at: number;
  readonly author: { readonly name: string; readonly email: string };
  readonly subject: string;
  readonly kind: 'added' | 'changed' | 'moved' | 'deleted';
}

/** A commit, with its changed files in the content folder. */
interface HistoryState extends Pick<CommittedState, 'commit' | 'at' | 'author' | 'subject'> {
  readonly files: readonly { readonly path: string; readonly kind: CommittedState['kind'] }[];
}

export interface History {
  /** Null without a commit, or outside a repository. */
  head(): Promise<string | null>;
  /** Commits that changed the folder, newest first. @throws GitError */
  recent(offset: number, limit: number): Promise<readonly HistoryState[]>;
  /** Text files that differ from HEAD: new, changed and removed. @throws GitError */
  uncommitted(): Promise<readonly { readonly path: string; readonly kind: CommittedState['kind'] }[]>;
  /** Newest first; none for a file without commits. @throws GitError */
  of(path: string): Promise<readonly CommittedState[]>;
  /** Contents of the file after each state; missing if unreadable. @throws GitError */
  read(states: readonly CommittedState[]): Promise<ReadonlyMap<CommittedState, Buffer>>;
}

interface Known {
  readonly head: string;
  readonly states: readonly CommittedState[];
}

const maxKnown = 500;
const kinds: Readonly<Record<string, CommittedState['kind']>> = table({ A: 'added', R: 'moved', D: 'deleted' });

/** @param root  the content folder */
export function createHistory(root: string): History {
  const known = new Map<string, Known>();

  async function whole(path: string, head: string, repository: Repository, above: string): Promise<readonly CommittedState[]> {
    const before = known.get(path);
    if (before?.head === head) return before.states;
    // Commits come one by one: what is new is read alone, unless the file was named otherwise before.
    const newer = before && (await isAncestor(repository, before.head, head)) ? [`^${before.head}`] : [];
    const read = await log(repository, path, above, [head, ...newer]);
    if (newer.length === 0) return read;
    if (read.every(({ kind }) => kind === 'changed')) return [...read, ...(before as Known).states];
    return log(repository, path, above, [head]);
  }

  return {
    head: async () => (await createGitReader(root))?.head ?? null,
    async recent(offset, limit) {
      const folder = realpathSync(root);
      const repository = findRepository(folder);
      const head = repository && ((await createGitReader(folder))?.head ?? null);
      return repository && head ? recentIn(repository, aboveOf(repository, folder), head, offset, limit) : [];
    },
    async uncommitted() {
      const folder = realpathSync(root);
      const repository = findRepository(folder);
      const git = await createGitReader(folder);
      if (!repository || !git?.head) return [];
      const above = aboveOf(repository, folder);
      const within = ['--', above === '' ? '.' : above];
      const changed = ['diff', '--name-status', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', git.head, ...within];
      const fresh = ['ls-files', '--others', '--exclude-standard', '-z', ...within];
      const tokens = (await runGit(repository, changed, { sees: 'tree' })).toString().split('\0');
      const known = tokens.flatMap((path, at) => (at % 2 === 1 ? [{ path, kind: kindOf(tokens[at - 1] as string) }] : []));
      const others = (await runGit(repository, fresh, { sees: 'tree' })).toString().split('\0');
      const all = [...known, ...others.filter((path) => path !== '').map((path) => ({ path, kind: 'added' as const }))];
      return all.flatMap(({ path, kind }) => (path.startsWith(above) ? [{ path: path.slice(above.length), kind }] : []));
    },
    async of(path) {
      const folder = realpathSync(root);
      const repository = findRepository(folder);
      const head = repository && ((await createGitReader(folder))?.head ?? null);
      if (!repository || !head) return [];
      const states = await whole(path, head, repository, aboveOf(repository, folder));
      known.delete(path);
      known.set(path, { head, states });
      if (known.size > maxKnown) known.delete(known.keys().next().value as string);
      return states;
    },
    async read(states) {
      const folder = realpathSync(root);
      const repository = findRepository(folder);
      const readable = states.filter(({ path, kind }) => path !== null && kind !== 'deleted' && !path.includes('\n'));
      if (!repository || readable.length === 0) return new Map();
      const above = aboveOf(repository, folder);
      const input = readable.map(({ commit, path }) => `${commit}:${above}${path}\n`).join('');
      return blobs(await runGit(repository, ['cat-file', '--batch'], { input }), readable);
    },
  };
}

function kindOf(status: string): CommittedState['kind'] {
  return kinds[status.trim()[0] ?? ''] ?? 'changed';
}

async function recentIn(
  repository: Repository,
  above: string,
  head: string,
  offset: number,
  limit: number,
): Promise<HistoryState[]> {
  const format = '--format=%x02%H%x00%at%x00%an%x00%ae%x00%s%x00';
  const how = [
    '--name-status',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    `--skip=${offset}`,
    `--max-count=${limit}`,
  ];
  const within = ['--', above === '' ? '.' : above];
  const output = (await runGit(repository, ['log', format, ...how, head, ...within])).toString();
  return output.split('\x02').flatMap((text) => {
    const [commit = '', seconds, name = '', email = '', subject = '', ...rest] = text.split('\0');
    if (seconds === undefined) return [];
    const tokens = rest.map((token) => token.replace(/^\n/, '')).filter((token) => token !== '');
    const files = tokens.flatMap((path, at) =>
      at % 2 === 1 && path.startsWith(above) ? [{ path: path.slice(above.length), kind: kindOf(tokens[at - 1] as string) }] : [],
    );
    return [{ commit, at: Number(seconds) * 1000, author: { name, email }, subject, files }];
  });
}

/** What paths of a content folder begin with in its repository. */
function aboveOf({ workTree }: Repository, folder: string): string {
  const prefix = relative(workTree, folder).split(sep).join('/');
  return prefix === '' ? '' : `${prefix}/`;
}

async function isAncestor(repository: Repository, commit: string, of: string): Promise<boolean> {
  return runGit(repository, ['merge-base', '--is-ancestor', commit, of]).then(
    () => true,
    () => false,
  );
}

/** Of merges those alone that are like none of their parents. */
async function log(repository: Repository, path: string, above: string, revisions: readonly string[]): Promise<CommittedState[]> {
  const format = '--format=%x02%H%x00%at%x00%an%x00%ae%x00%s';
  const how = ['--follow', '--cc', '-M', '--name-status', '-z', '--no-ext-diff', '--no-textconv'];
  const output = await runGit(repository, ['log', format, ...how, ...revisions, '--', `${above}${path}`]);
  const tokens = output.toString().split('\0');
  const states: CommittedState[] = [];
  for (let at = 0; at + 4 < tokens.length; ) {
    const commit = (tokens[at] as string).replace(/^\n?\x02/, '');
    const [ms, name, email, subject] = tokens.slice(at + 1, at + 5) as [string, string, string, string];
    at += 5;
    // Of a merge there is one more zero.
    while (tokens[at]?.trim() === '') at++;
    if (!/^\n?[A-Z]/.test(tokens[at] ?? '')) continue;
    const status = (tokens[at++] as string).trim();
    if (status.startsWith('R')) at++;
    const full = tokens[at++] ?? '';
    const inside = full.startsWith(above) ? full.slice(above.length) : null;
    const kind = kinds[status[0] as string] ?? 'changed';
    states.push({ commit, path: inside, at: Number(ms) * 1000, author: { name, email }, subject, kind });
  }
  return states;
}

/** Ids from here on are none that a site hands out, one after the other from 1. */
const firstId = 2 ** 30;

/**
 * Ids of states of one file, the same in every clone: of commit and path, and of those that meet the later one is the next free.
 * @param states  the newest first
 */
export function stateIds(states: readonly CommittedState[]): ReadonlyMap<number, CommittedState> {
  const out = new Map<number, CommittedState>();
  for (const state of states.toReversed()) {
    const digest = createHash('sha256').update(`${state.commit}:${state.path}`).digest();
    let id = firstId + (digest.readUInt32BE() % firstId);
    while (out.has(id)) id = id + 1 < 2 * firstId ? id + 1 : firstId;
    out.set(id, state);
  }
  return out;
}
