/**
 * Reads the git repository around a content folder, without the repository having a say in it.
 *
 * Whoever writes into a repository can make git run commands: `core.fsmonitor`, hooks, filters, aliases, diff and textconv
 * drivers, pagers, ssh commands, promisor remotes. So git never sees the repository itself. Each call gets an empty git
 * directory of our own, with an empty configuration, and of the repository its objects and its index alone (`GIT_OBJECT_DIRECTORY`,
 * `GIT_INDEX_FILE`); HEAD is read here. Nothing of the caller's environment but PATH goes along, and only plumbing commands run.
 *
 * The repository is the nearest `.git` at or above the folder, which git itself never checks out; a folder that looks
 * like a bare repository is no repository.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { environment } from '../environment.ts';

export interface GitReader {
  /** The commit of HEAD; null before the first one. */
  readonly head: string | null;
  /** Paths in the index, relative to the content folder. */
  tracked(): Promise<readonly string[]>;
  /** Which of the paths, relative to the content folder, are in the commit of HEAD. */
  committed(paths: readonly string[]): Promise<readonly string[]>;
  /** Paths in the commit of HEAD with the ids of their bytes. */
  committedIds(): Promise<ReadonlyMap<string, string>>;
  /** Bytes of files in the commit of HEAD; those it does not have are missing. Line ends and filters are not converted. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /** The same of the index. */
  readIndexed(paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
  /**
   * When each path, or what it was renamed from, came into HEAD's own line of commits: how many of them are between, as a number
   * of 0 or below. The older, the lower; what a merge has brought came with the merge.
   */
  arrived(paths: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** When each path, or what it was renamed from, was first committed (milliseconds since the epoch, author's date). */
  firstCommitted(paths: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** What git refused or could not do; the folder's history is unknown then. */
export class GitError extends Error {}

export interface Repository {
  readonly workTree: string;
  readonly gitDir: string;
  /** Where objects and refs are; of a linked working tree that of the main one. */
  readonly commonDir: string;
}

const additionsLog = [
  'log',
  '--format=%x02%at',
  '--name-status',
  '-z',
  '-M',
  '--diff-filter=AR',
  '--no-ext-diff',
  '--no-textconv',
] as const;
const timeoutMs = 60_000;
const maxOutputBytes = 512 * 1024 * 1024;
/** Of more paths than these the whole list is gone through: a command takes only so many. */
const mostNamed = 32;

/**
 * The repository that holds a content folder.
 * @returns null outside a repository
 * @throws GitError when there is one whose HEAD cannot be read
 */
export async function createGitReader(dir: string): Promise<GitReader | null> {
  const folder = await realpath(dir);
  const repository = findRepository(folder);
  if (repository === null) return null;
  const head = await readHead(repository);
  const prefix = relative(repository.workTree, folder).split(sep).join('/');
  const above = prefix === '' ? '' : `${prefix}/`;
  const own = (paths: readonly string[]): string[] =>
    paths.flatMap((path) => (path.startsWith(above) ? [path.slice(above.length)] : []));
  const run = (args: readonly string[], input?: string) => runGit(repository, args, { input });
  const within = above === '' ? [] : ['--', above];
  /** @param revision  a commit; '' for the index */
  const readAt = async (revision: string, paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>> => {
    const asked = paths.filter((path) => !path.includes('\n'));
    if (asked.length === 0) return new Map();
    return blobs(await run(['cat-file', '--batch'], asked.map((path) => `${revision}:${above}${path}\n`).join('')), asked);
  };

  return {
    head,
    tracked: async () => own(split(await run(['ls-files', '-z', ...within]))),
    async committed(paths) {
      if (head === null || paths.length === 0) return [];
      const asked = new Set(paths);
      const where = paths.length > mostNamed ? within : ['--', ...paths.map((path) => above + path)];
      const listed = await run(['ls-tree', '-r', '-z', '--full-tree', '--name-only', head, ...where]);
      return own(split(listed)).filter((path) => asked.has(path));
    },
    async committedIds() {
      if (head === null) return new Map();
      const rows = split(await run(['ls-tree', '-r', '-z', '--full-tree', head, ...within])).map((row) => row.split('\t'));
      const files = rows.flatMap(([about = '', ...path]) => {
        const [, kind, id] = about.split(' ');
        return kind === 'blob' && id !== undefined ? [[path.join('\t'), id] as const] : [];
      });
      return new Map(files.flatMap(([path, id]) => own([path]).map((one) => [one, id] as const)));
    },
    read: async (paths) => (head === null ? new Map() : readAt(head, paths)),
    readIndexed: (paths) => readAt('', paths),
    async firstCommitted(paths) {
      if (head === null || paths.length === 0) return new Map();
      return additions(await run([...additionsLog, head, ...within]), paths, above, (date) => date);
    },
    async arrived(paths) {
      if (head === null || paths.length === 0) return new Map();
      const output = await run([...additionsLog, '--first-parent', '-m', head, ...within]);
      return additions(output, paths, above, (_, commits) => -commits);
    },
  };
}

/** Whether bytes of git and of the working tree are one text: line ends may be converted on the way out. */
export function isSameText(a: Buffer, b: Buffer): boolean {
  return a.equals(b) || a.toString('latin1').replaceAll('\r\n', '\n') === b.toString('latin1').replaceAll('\r\n', '\n');
}

/** The folder that holds HEAD and index of the repository around `root`; null outside of one, and where it cannot be reached. */
export function gitFolderOf(root: string): string | null {
  try {
    return findRepository(root)?.gitDir ?? null;
  } catch {
    // Out of reach: then its events are none of ours. Sweeps see what a checkout changes.
    return null;
  }
}

/**
 * The nearest `.git` at or above a folder. A linked working tree and a submodule have a file in its place that names it.
 * @throws GitError when that file names none
 */
export function findRepository(folder: string): Repository | null {
  for (let dir = folder; ; dir = dirname(dir)) {
    const mark = join(dir, '.git');
    const stats = statSync(mark, { throwIfNoEntry: false });
    if (stats?.isDirectory() && existsSync(join(mark, 'HEAD'))) return { workTree: dir, gitDir: mark, commonDir: mark };
    if (stats?.isFile()) {
      const named = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(mark, 'utf8'))?.[1];
      if (named === undefined) throw new GitError(`${mark} does not name a git directory`);
      const gitDir = resolve(dir, named);
      const common = join(gitDir, 'commondir');
      const commonDir = resolve(gitDir, existsSync(common) ? readFileSync(common, 'utf8').trim() : '.');
      return { workTree: dir, gitDir, commonDir };
    }
    if (dirname(dir) === dir) return null;
  }
}

async function readHead({ gitDir, commonDir }: Repository): Promise<string | null> {
  const isId = (text: string): boolean => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
  let text = (await readFile(join(gitDir, 'HEAD'), 'utf8').catch(() => '')).trim();
  for (let depth = 0; depth < 5 && text.startsWith('ref: '); depth++) {
    const name = text.slice(5).trim();
    if (!/^refs\/[^\0-\x20\\~^:?*[]+$/.test(name) || name.split('/').includes('..')) break;
    if (name === 'refs/heads/.invalid') throw new GitError('this repository keeps its branches in a form that is not read here');
    const loose = await firstOf([join(gitDir, name), join(commonDir, name)]);
    text = (loose ?? packed(await readFile(join(commonDir, 'packed-refs'), 'utf8').catch(() => ''), name)).trim();
    if (text === '') return null;
  }
  if (isId(text)) return text;
  throw new GitError('the HEAD of this repository cannot be read');
}

async function firstOf(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null) return text;
  }
  return null;
}

function packed(text: string, name: string): string {
  for (const line of text.split('\n')) if (line.endsWith(` ${name}`)) return line.slice(0, line.indexOf(' '));
  return '';
}

export interface GitCall {
  readonly input?: string | Uint8Array | undefined;
  /** `tree`: git sees the files of the working tree; `refs`: the repository itself, for what changes refs. Default: neither. */
  readonly sees?: 'tree' | 'refs';
  /** Over all configuration. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a minute. */
  readonly timeoutMs?: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** What a repository that git sees must not decide. */
const harmless = { 'core.hooksPath': '/dev/null', 'core.fsmonitor': 'false', 'gc.auto': '0', 'maintenance.auto': 'false' };

/** @throws GitError when git is missing, fails, or takes too long */
export async function runGit(repository: Repository, args: readonly string[], call: GitCall = {}): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-git-'));
  try {
    const { sees, config, input = '' } = call;
    const seen = { ...(sees === 'refs' ? { GIT_DIR: repository.gitDir } : {}), ...call.env };
    const env = {
      ...(await prepare(dir, repository)),
      ...(sees === 'tree' ? { GIT_WORK_TREE: repository.workTree } : {}),
      ...seen,
    };
    const over = Object.entries({ ...harmless, ...config }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    return await new Promise((resolvePromise, reject) => {
      const child = spawn('git', ['--no-pager', '--literal-pathspecs', ...over, ...args], {
        cwd: sees === 'tree' ? repository.workTree : dir,
        env,
        stdio: 'pipe',
        timeout: call.timeoutMs ?? timeoutMs,
        signal: call.signal,
      });
      const out: Buffer[] = [];
      let [size, message] = [0, ''];
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxOutputBytes) child.kill('SIGKILL');
        else out.push(chunk);
      });
      child.stderr.on('data', (chunk: Buffer) => {
        if (message.length < 2000) message += chunk.toString();
      });
      child.once('error', (error) => reject(new GitError(`git could not be run: ${error.message}`)));
      child.once('close', (code, signal) => {
        if (code === 0) resolvePromise(Buffer.concat(out));
        else reject(new GitError(`git ${args[0]} failed (${code ?? signal}): ${message.trim()}`));
      });
      // A command that ends before it has read everything says so by its status.
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Makes `dir` the git directory of one call. @returns the environment of that call */
async function prepare(dir: string, { gitDir, commonDir }: Repository): Promise<Record<string, string>> {
  const format = /^[ \t]*objectformat[ \t]*=[ \t]*sha256[ \t]*$/im.test(
    await readFile(join(commonDir, 'config'), 'utf8').catch(() => ''),
  );
  const config = format ? '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n' : '';
  await Promise.all([
    mkdir(join(dir, 'refs')),
    writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n'),
    writeFile(join(dir, 'config'), `${config}[core]\n\tbare = false\n`),
  ]);
  // The parts of a split index are next to it.
  for (const name of await readdir(gitDir).catch(() => []))
    if (/^sharedindex\.[0-9a-f]+$/.test(name)) await symlink(join(gitDir, name), join(dir, basename(name)));
  const shallow = join(commonDir, 'shallow');
  return {
    PATH: environment.PATH ?? '',
    ...(environment.SystemRoot ? { SystemRoot: environment.SystemRoot } : {}),
    HOME: dir,
    LC_ALL: 'C',
    GIT_DIR: dir,
    GIT_WORK_TREE: dir,
    GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
    GIT_INDEX_FILE: join(gitDir, 'index'),
    ...(existsSync(shallow) ? { GIT_SHALLOW_FILE: shallow } : {}),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(dir, 'none'),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: '',
  };
}

function split(output: Buffer): string[] {
  return output
    .toString()
    .split('\0')
    .filter((path) => path !== '');
}

/**
 * The answers of `cat-file --batch`: a line `ID blob SIZE`, the bytes, a line end; or a line that ends in `missing`.
 * @param asked  what was asked for, in order
 */
export function blobs<T>(output: Buffer, asked: readonly T[]): Map<T, Buffer> {
  const out = new Map<T, Buffer>();
  let at = 0;
  for (const one of asked) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const found = /^[0-9a-f]+ (\w+) (\d+)$/.exec(output.toString('utf8', at, end));
    at = end + 1;
    if (!found) continue;
    const size = Number(found[2]);
    if (found[1] === 'blob') out.set(one, output.subarray(at, at + size));
    at += size + 1;
  }
  return out;
}

/**
 * What `stamp` makes of the commits that added files, of their dates and of how many newer ones there are. From a log that runs from
 * the newest commit to the oldest: for each commit `\x02DATE`, then `A`, path, or `R` with a number, old path, new path.
 */
function additions(
  output: Buffer,
  paths: readonly string[],
  above: string,
  stamp: (date: number, newer: number) => number,
): Map<string, number> {
  const out = new Map<string, number>();
  /** Name at that point of the history → the paths that it has today. */
  const followed = new Map<string, string[]>(paths.map((path) => [`${above}${path}`, [path]]));
  let date = 0;
  let commits = -1;
  const tokens = output.toString().split('\0');
  for (let at = 0; at < tokens.length; at++) {
    const token = (tokens[at] as string).replace(/^\n/, '');
    if (token.startsWith('\x02')) {
      date = Number(token.slice(1)) * 1000;
      commits++;
    } else if (token === 'A') for (const path of followed.get(tokens[++at] as string) ?? []) out.set(path, stamp(date, commits));
    else if (/^R\d+$/.test(token)) {
      const [before, after] = [tokens[++at] as string, tokens[++at] as string];
      const moved = followed.get(after);
      if (!moved) continue;
      followed.delete(after);
      followed.set(before, [...(followed.get(before) ?? []), ...moved]);
    }
  }
  return out;
}
