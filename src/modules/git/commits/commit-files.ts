/**
 * A commit of some files and nothing else, made without the user's index. Entries of these files in the index follow unless something else is staged
 * for them, as with `git commit -- FILE`.
 */
import { createHash } from 'node:crypto';
import { runGit } from '../../../kernel/store/git.ts';
import { type Branch, configured } from './branch.ts';
import { atWork, type Author, branchMoved, Held } from './record.ts';

interface CommitInput {
  /** Bytes by path in the content folder; null: the file is removed. */
  readonly files: ReadonlyMap<string, Uint8Array | null>;
  readonly author: Author;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** @param changes  differences from the last commit */
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

/** Line endings are converted as the repository says; otherwise git would show each file as changed. */
const converting = ['core.autocrlf', 'core.eol'] as const;

/**
 * Commits what differs from the last commit and is not ignored.
 * @returns  its id; null if nothing differs
 * @throws   Held if another commit came first: to be retried. GitError
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

/**
 * Commits files byte for byte, where no index and no working tree follow, and no reference yet.
 * @param inTree  the files of the last commit
 * @returns the id of the commit; null if nothing differs
 */
export async function commitBytes(
  branch: Pick<Branch, 'repository' | 'head' | 'above'>,
  input: CommitInput,
  inTree: ReadonlyMap<string, string>,
): Promise<string | null> {
  const changes = [...input.files].flatMap(([path, bytes]): (Change & { readonly inline?: true })[] => {
    const before = inTree.get(path);
    if (bytes === null) return before === undefined ? [] : [{ path, kind: 'removed', bytes, next: null }];
    const id = blobId(bytes, branch.head ?? '');
    const kind = before === undefined ? 'added' : 'changed';
    return before === id ? [] : [{ path, kind, bytes, next: { mode: '100644', id }, inline: true }];
  });
  if (changes.length === 0) return null;
  return makeCommit(branch, { ...input, text: input.message(changes) }, changes);
}

/** The id that git gives to bytes. @param like  another id of the repository, which shows the kind; '' where there is none */
export function blobId(bytes: Uint8Array, like: string): string {
  return createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/** The commit object, without a reference yet. */
async function makeCommit(
  { repository, head, above }: Pick<Branch, 'repository' | 'head' | 'above'>,
  { author, at, text }: Pick<CommitInput, 'author' | 'at'> & { readonly text: string },
  changes: readonly (Change & { readonly inline?: true })[],
): Promise<string> {
  const name = (value: string): string => value.replace(/[\0-\x1f<>]/g, ' ').trim() || 'unknown';
  const stamp = `${name(author.name)} <${name(author.email)}> ${Math.floor(at / 1000)} +0000`;
  const lines = changes.flatMap(({ path, next, bytes, inline }) => {
    if (!next) return [`D ${quoted(above + path)}`];
    if (!inline || bytes === null) return [`M ${next.mode} ${next.id} ${quoted(above + path)}`];
    return [`M ${next.mode} inline ${quoted(above + path)}`, `data ${bytes.length}`, bytes];
  });
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
  const parts = input.flatMap((line) => [typeof line === 'string' ? Buffer.from(line) : line, Buffer.from('\n')]);
  const made = await runGit(repository, ['fast-import', '--quiet'], { input: Buffer.concat(parts), config });
  return made.toString().trim();
}

/** A path quoted for fast-import. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/**
 * Index entries that equal the last commit get the new ones, before HEAD moves, so that a commit by the user does not revert them.
 * @returns  the changed entries
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

/** Reverts entries after a failed commit: otherwise they would look staged, and no later commit could follow. */
async function unfollow(branch: Branch, followed: readonly Change[], config: Readonly<Record<string, string>>): Promise<void> {
  const paths = followed.map(({ path }) => path);
  const inTree = await treeEntries(branch, paths, branch.ref);
  await setEntries(
    branch,
    paths.map((path) => ({ path, next: inTree.get(path) ?? null })),
    config,
  );
}

/** Entries of the user's index; null: none. @throws Held while git is at work */
async function setEntries(
  { repository, above, head }: Branch,
  entries: readonly Pick<Change, 'path' | 'next'>[],
  config: Readonly<Record<string, string>>,
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ path, next }) =>
    next ? `${next.mode} ${next.id} 0\t${above}${path}\0` : `0 ${'0'.repeat(head?.length ?? 40)} 0\t${above}${path}\0`,
  );
  // Entries of files changed in the second of their staging are marked when the index is written.
  const call = { input: rows.join(''), sees: 'tree' } as const;
  await runGit(repository, ['update-index', '-z', '--index-info'], call).catch((error: Error) => {
    throw new Held(/index\.lock/.test(error.message) ? atWork : error.message);
  });
  // Without stat data, `git stash pop` takes the files for changed. If this fails, they are compared later.
  await runGit(repository, ['update-index', '-q', '--refresh'], { sees: 'tree', config }).catch(() => undefined);
}

/** @throws Held if the branch has moved since */
async function moveBranch({ repository, head, ref }: Branch, commit: string, message: string): Promise<void> {
  const before = head ?? '0'.repeat(commit.length);
  // The first word distinguishes commits from checkouts in the reflog.
  const about = `commit: ${message.split('\n', 1)[0]}`;
  const call = { sees: 'refs', config: { 'core.fsync': 'committed,reference' } } as const;
  await runGit(repository, ['update-ref', '-m', about, ref, commit, before], call).catch((error: Error) => {
    throw new Held(/cannot lock ref|reference already exists/.test(error.message) ? branchMoved : error.message);
  });
}

/** @param tree  a commit or branch */
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

/** NUL-terminated lines `FIELD FIELD …\tPATH`. */
function rows(output: Buffer, above: string): { readonly path: string; readonly fields: readonly string[] }[] {
  return output
    .toString()
    .split('\0')
    .flatMap((row) => {
      const tab = row.indexOf('\t');
      return tab < 0 ? [] : [{ path: row.slice(tab + 1 + above.length), fields: row.slice(0, tab).split(' ') }];
    });
}

/** Untracked paths that are ignored. */
async function ignoredOf({ repository, above }: Branch, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  // This command has no literal paths; the prefix makes each a plain path.
  const input = paths.map((path) => `./${above}${path}\0`).join('');
  const config = { 'core.excludesFile': `${repository.commonDir}/info/exclude` };
  const call = { input, sees: 'tree', config } as const;
  const found = await runGit(repository, ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin'], call).catch(
    (error: Error) => {
      // Status 1 means none.
      if (/failed \(1\): $/.test(error.message)) return Buffer.alloc(0);
      throw error;
    },
  );
  const ignored = found.toString().split('\0');
  return new Set(ignored.flatMap((path) => (path === '' ? [] : [path.slice(above.length + 2)])));
}

/** Repository settings that affect the comparison of files. */
export async function conversion(branch: Branch): Promise<Record<string, string>> {
  const values = await Promise.all(converting.map(async (key) => [key, await configured(branch, key)] as const));
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}
