/**
 * A commit of some files and nothing else. It is made beside the index of the person who works in the folder; of that index, the
 * entries of these files follow where nothing else is staged for them, as they do with `git commit -- FILE`.
 */
import { runGit } from '../../../kernel/store/git.ts';
import { type Branch, configured } from './branch.ts';
import { atWork, type Author, branchMoved, Held } from './record.ts';

export interface CommitInput {
  /** Bytes by path in the content folder; null: the file is gone. */
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  readonly author: Author;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** @param changes  what differs from the last commit */
  message(changes: readonly FileDifference[]): string;
}

export interface FileDifference {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly bytes: Uint8Array | null;
}

interface TreeEntry {
  readonly mode: string;
  readonly id: string;
}

/** Line ends alone are converted as the repository says: without, git would show each file as changed. */
const converting = ['core.autocrlf', 'core.eol'] as const;

/**
 * Makes the commit, of what differs from the last one and is not ignored.
 * @returns  its id; null when nothing differs
 * @throws   Held when somebody else was faster: to be tried again. GitError
 */
export async function commitFiles(branch: Branch, input: CommitInput): Promise<string | null> {
  const { repository, head, above } = branch;
  const paths = [...input.files.keys()].filter((path) => !path.startsWith('.cms/'));
  if (paths.length === 0) return null;
  const inTree = head === null ? new Map<string, TreeEntry>() : await treeEntries(branch, paths, head);
  const unknown = paths.filter((path) => !inTree.has(path) && input.files.get(path) !== null);
  const ignored = await ignoredOf(branch, unknown);
  const config = await conversion(branch);
  const changes: (FileDifference & { readonly next: TreeEntry | null })[] = [];
  for (const path of paths.filter((one) => !ignored.has(one))) {
    const bytes = input.files.get(path) ?? null;
    const before = inTree.get(path);
    if (bytes === null) {
      if (before) changes.push({ path, kind: 'removed', bytes, next: null });
      continue;
    }
    const args = ['hash-object', '-w', '--stdin', `--path=${above}${path}`];
    const id = (await runGit(repository, args, { input: bytes, sees: 'tree', config })).toString().trim();
    if (before?.id === id) continue;
    changes.push({ path, kind: before ? 'changed' : 'added', bytes, next: { mode: before?.mode ?? '100644', id } });
  }
  if (changes.length === 0) return null;
  const message = input.message(changes);
  const commit = await makeCommit(branch, { ...input, text: message }, changes);
  const followed = await follow(branch, changes, inTree, config);
  await moveBranch(branch, commit, message).catch(async (error: unknown) => {
    await unfollow(branch, followed, config).catch(() => undefined);
    throw error;
  });
  return commit;
}

type Change = FileDifference & { readonly next: TreeEntry | null };

/** The commit as an object that nothing refers to yet. */
async function makeCommit(
  { repository, head, above }: Branch,
  { author, at, text }: Pick<CommitInput, 'author' | 'at'> & { readonly text: string },
  changes: readonly Change[],
): Promise<string> {
  const name = (value: string): string => value.replace(/[\0-\x1f<>]/g, ' ').trim() || 'unknown';
  const stamp = `${name(author.name)} <${name(author.email)}> ${Math.floor(at / 1000)} +0000`;
  const lines = changes.map(({ path, next }) =>
    next ? `M ${next.mode} ${next.id} ${quoted(above + path)}` : `D ${quoted(above + path)}`,
  );
  const input = [
    'feature done',
    'commit refs/heads/none',
    'mark :1',
    `author ${stamp}`,
    `committer ${stamp}`,
    `data ${Buffer.byteLength(text)}`,
    text,
    ...(head === null ? [] : [`from ${head}`]),
    ...lines,
    '',
    'get-mark :1',
    'done',
    '',
  ];
  const config = { 'core.fsync': 'committed', 'core.logAllRefUpdates': 'false' };
  const made = await runGit(repository, ['fast-import', '--quiet'], { input: input.join('\n'), config });
  return made.toString().trim();
}

/** A path as fast-import reads it, whatever is in it. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/**
 * Entries of a person's index that are as the last commit has them become those of the new one, before HEAD moves: whoever commits in
 * between commits these files as they are, and never takes them back.
 * @returns  those that have a new entry
 */
async function follow(
  branch: Branch,
  changes: readonly Change[],
  inTree: ReadonlyMap<string, TreeEntry>,
  config: Readonly<Record<string, string>>,
): Promise<readonly Change[]> {
  const { repository, above } = branch;
  const listed = await runGit(repository, ['ls-files', '--stage', '-z', '--', ...changes.map(({ path }) => above + path)]);
  const staged = new Map<string, string[]>();
  for (const { path, fields } of rows(listed, above)) staged.set(path, [...(staged.get(path) ?? []), fields.join(' ')]);
  const following = changes.filter(({ path }) => {
    const before = inTree.get(path);
    const held = staged.get(path) ?? [];
    return before ? held.length === 1 && held[0] === `${before.mode} ${before.id} 0` : held.length === 0;
  });
  await setEntries(branch, following, config);
  return following;
}

/**
 * What has followed a commit that did not come about is as the last commit has it: that of whoever was faster may hold the same files.
 * Else it would look like what a person has staged, and no later commit could be followed.
 */
async function unfollow(branch: Branch, followed: readonly Change[], config: Readonly<Record<string, string>>): Promise<void> {
  const paths = followed.map(({ path }) => path);
  const inTree = await treeEntries(branch, paths, branch.ref);
  await setEntries(
    branch,
    paths.map((path) => ({ path, next: inTree.get(path) ?? null })),
    config,
  );
}

/** Entries of a person's index; null: none. @throws Held while git is at work */
async function setEntries(
  { repository, above, head }: Branch,
  entries: readonly Pick<Change, 'path' | 'next'>[],
  config: Readonly<Record<string, string>>,
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ path, next }) =>
    next ? `${next.mode} ${next.id} 0\t${above}${path}\0` : `0 ${'0'.repeat(head?.length ?? 40)} 0\t${above}${path}\0`,
  );
  // Entries of files that changed in the second of their staging are marked as such when the index is written.
  const call = { input: rows.join(''), sees: 'tree' } as const;
  await runGit(repository, ['update-index', '-z', '--index-info'], call).catch((error: Error) => {
    throw new Held(/index\.lock/.test(error.message) ? atWork : error.message);
  });
  // Without what the disk says of them, `git stash pop` takes the files for changed ones. They are told apart later where this fails.
  await runGit(repository, ['update-index', '-q', '--refresh'], { sees: 'tree', config }).catch(() => undefined);
}

/** @throws Held when the branch has moved since it was read */
async function moveBranch({ repository, head, ref }: Branch, commit: string, message: string): Promise<void> {
  const before = head ?? '0'.repeat(commit.length);
  // The first word is what tells commits from checkouts in the log of HEAD.
  const about = `commit: ${message.split('\n', 1)[0]}`;
  const call = { sees: 'refs', config: { 'core.fsync': 'committed,reference' } } as const;
  await runGit(repository, ['update-ref', '-m', about, ref, commit, before], call).catch((error: Error) => {
    throw new Held(/cannot lock ref|reference already exists/.test(error.message) ? branchMoved : error.message);
  });
}

/** @param tree  commit or branch that has them */
async function treeEntries(
  { repository, above }: Branch,
  paths: readonly string[],
  tree: string,
): Promise<Map<string, TreeEntry>> {
  if (paths.length === 0) return new Map();
  const args = ['ls-tree', '-z', '--full-tree', tree, '--', ...paths.map((path) => above + path)];
  const out = new Map<string, TreeEntry>();
  const call = tree.startsWith('refs/') ? ({ sees: 'refs' } as const) : {};
  for (const { path, fields } of rows(await runGit(repository, args, call), above)) {
    const [mode, kind, id] = fields;
    if (kind === 'blob' && mode && id) out.set(path, { mode, id });
  }
  return out;
}

/** Lines `FIELD FIELD …\tPATH`, each ended by a zero. */
function rows(output: Buffer, above: string): { readonly path: string; readonly fields: readonly string[] }[] {
  return output
    .toString()
    .split('\0')
    .flatMap((row) => {
      const tab = row.indexOf('\t');
      return tab < 0 ? [] : [{ path: row.slice(tab + 1 + above.length), fields: row.slice(0, tab).split(' ') }];
    });
}

/** Those of the paths that are neither tracked nor meant to be. */
async function ignoredOf({ repository, above }: Branch, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  // This command alone takes no literal paths: with what precedes it, none of them is more than a path.
  const input = paths.map((path) => `./${above}${path}\0`).join('');
  const config = { 'core.excludesFile': `${repository.commonDir}/info/exclude` };
  const call = { input, sees: 'tree', config } as const;
  const found = await runGit(repository, ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin'], call).catch(
    (error: Error) => {
      // A status of 1 says that none is.
      if (/failed \(1\): $/.test(error.message)) return Buffer.alloc(0);
      throw error;
    },
  );
  const ignored = found.toString().split('\0');
  return new Set(ignored.flatMap((path) => (path === '' ? [] : [path.slice(above.length + 2)])));
}

/** Settings of the repository by which its files are told from what is committed. */
export async function conversion(branch: Branch): Promise<Record<string, string>> {
  const values = await Promise.all(converting.map(async (key) => [key, await configured(branch, key)] as const));
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}
