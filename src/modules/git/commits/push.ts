/**
 * Pushes a branch. If the remote has more, local commits are rebased: merged as objects first, so that a conflict changes nothing and is only
 * reported. Never forces.
 */
import { resolve } from 'node:path';
import { environment } from '../../../kernel/environment.ts';
import { type GitCall, GitError, type Repository, runGit } from '../../../kernel/store/git.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { type Branch, configured } from './branch.ts';
import { conversion } from './commit-files.ts';
import { Held } from './record.ts';

interface Remote {
  readonly url: string;
  /** The remote branch. */
  readonly ref: string;
  readonly isLocal: boolean;
}

/** @throws Held if a person is needed; GitError */
export async function push(site: Pick<Site, 'store' | 'ingest'>, branch: Branch): Promise<void> {
  const { repository, head } = branch;
  if (head === null) return;
  const remote = await remoteOf(branch);
  if (await isPushed(repository, remote, head)) return;
  const upstream = await fetched(repository, remote, head);
  const rebased = await rebase(repository, head, upstream);
  await checkOut(site, branch, rebased);
  if (!(await isPushed(repository, remote, rebased))) throw new Held('others push to the branch all the time');
}

/** The remote of the branch, else `origin`. Only its URL is read from the configuration. */
async function remoteOf(branch: Branch): Promise<Remote> {
  const name = branch.ref.slice('refs/heads/'.length);
  const remote = (await configured(branch, `branch.${name}.remote`)) || 'origin';
  const url = (await configured(branch, `remote.${remote}.pushurl`)) || (await configured(branch, `remote.${remote}.url`));
  if (url === '') throw new Held(`the branch ${name} has no remote`);
  const ref = (await configured(branch, `branch.${name}.merge`)) || branch.ref;
  return remoteAt(url.startsWith('.') ? resolve(branch.repository.workTree, url) : url, ref);
}

/** @throws Held for what is not an address of a repository */
export function remoteAt(url: string, ref: string): Remote {
  const isLocal = /^(?:\/|file:)/.test(url);
  if (!isLocal && !/^(?:https?|ssh|git):\/\/|^[\w.-]+(?:@[\w.-]+)?:(?!:)/.test(url))
    throw new Held(`${url} is no address to push to`);
  return { url, ref, isLocal };
}

/** How long a call may take, and what ends it. */
type Patience = Pick<GitCall, 'timeoutMs' | 'signal'>;

/** Network calls: with the operator's keys and credential helpers, and none of the repository's. */
export function network(repository: Repository, args: readonly string[], patience: Patience = {}): Promise<Buffer> {
  const { HOME = '' } = environment;
  const names = [
    'HOME',
    'SSH_AUTH_SOCK',
    'GIT_SSH_COMMAND',
    'GIT_ASKPASS',
    'SSH_ASKPASS',
    'https_proxy',
    'http_proxy',
    'no_proxy',
  ];
  const passed = Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
  const env = { ...passed, GIT_CONFIG_GLOBAL: `${HOME}/.gitconfig`, GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file' };
  return runGit(repository, args, { env, ...patience });
}

/** @returns false if the remote has more */
export async function isPushed(
  repository: Repository,
  { url, ref, isLocal }: Remote,
  commit: string,
  patience?: Patience,
): Promise<boolean> {
  // A local repository would run its hooks as this user.
  const program = isLocal
    ? ['--receive-pack=git -c core.hooksPath=/dev/null -c core.alternateRefsCommand=true receive-pack']
    : [];
  try {
    await network(repository, ['push', '--quiet', '--no-verify', ...program, '--', url, `${commit}:${ref}`], patience);
    return true;
  } catch (error) {
    if (error instanceof GitError && /\[rejected\]|non-fast-forward|fetch first/.test(error.message)) return false;
    throw error;
  }
}

/** Fetches the remote branch. @returns its commit */
async function fetched(repository: Repository, { url, ref }: Remote, head: string): Promise<string> {
  const listed = (await network(repository, ['ls-remote', '--', url, ref])).toString();
  const upstream = /^([0-9a-f]+)\t/.exec(listed)?.[1];
  if (upstream === undefined) throw new Held(`${url} has no ${ref}`);
  await network(repository, [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    `--negotiation-tip=${head}`,
    '--',
    url,
    ref,
  ]);
  return upstream;
}

/** The commits of `head` that `upstream` lacks, rebased. @throws Held on a conflict */
async function rebase(repository: Repository, head: string, upstream: string): Promise<string> {
  const listed = await runGit(repository, ['rev-list', '--reverse', '--parents', head, `^${upstream}`]);
  let onto = upstream;
  for (const line of listed.toString().split('\n').filter(Boolean)) {
    const [commit, parent, ...others] = line.split(' ') as [string, string?, ...string[]];
    if (parent === undefined || others.length > 0)
      throw new Held('the remote has other commits, and a merge here is not pushed: pull by hand');
    const raw = (await runGit(repository, ['cat-file', 'commit', commit])).toString('latin1');
    onto = await written(repository, picked(raw, await mergedTree(repository, commit, parent, onto), onto));
  }
  return onto;
}

/** The tree of a commit applied to another parent. */
async function mergedTree(repository: Repository, commit: string, parent: string, onto: string): Promise<string> {
  const tree = (await runGit(repository, ['rev-parse', `${onto}^{tree}`])).toString().trim();
  // The common ancestor is its parent.
  const beside = await written(
    repository,
    `tree ${tree}\nparent ${parent}\nauthor cms <cms> 0 +0000\ncommitter cms <cms> 0 +0000\n\n\n`,
  );
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', beside, commit];
  const merged = await runGit(repository, args, { sees: 'tree' }).catch((error: Error) => {
    if (!/failed \(1\)/.test(error.message)) throw error;
    throw new Held(`commit ${commit.slice(0, 8)} conflicts with the remote; pull and resolve it by hand`);
  });
  return merged.toString().trim();
}

/** A commit with another tree and parent; a signature would be invalid. */
function picked(raw: string, tree: string, parent: string): string {
  const end = raw.indexOf('\n\n');
  const headers = raw
    .slice(0, end)
    .replace(/^(?:gpgsig|gpgsig-sha256) .*(?:\n .*)*\n?/gm, '')
    .replace(/^tree .*$/m, `tree ${tree}`)
    .replace(/^parent .*$/m, `parent ${parent}`);
  return headers.trimEnd() + raw.slice(end);
}

async function written(repository: Repository, commit: string): Promise<string> {
  const input = Buffer.from(commit, 'latin1');
  return (await runGit(repository, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input })).toString().trim();
}

/** Checks out another commit. Uncommitted work is never overwritten. */
async function checkOut(site: Pick<Site, 'store' | 'ingest'>, branch: Branch, commit: string): Promise<void> {
  const { repository, ref, head } = branch;
  const call = { sees: 'tree', config: await conversion(branch) } as const;
  const move = async (from: string, to: string): Promise<void> => {
    // Refreshes the stat data of unchanged entries.
    await runGit(repository, ['update-index', '-q', '--refresh'], call).catch(() => undefined);
    await runGit(repository, ['read-tree', '-m', '-u', from, to], call);
  };
  await site.store.alone(async () => {
    await move(head as string, commit).catch((error: Error) => {
      throw new Held(`changes that are not committed are in the way of what the remote has: ${error.message}`);
    });
    const moved = runGit(repository, ['update-ref', '-m', 'rebase: onto the remote', ref, commit, head as string], {
      sees: 'refs',
    });
    await moved.catch(async (error: Error) => {
      await move(commit, head as string);
      throw new Held(`the branch has moved: ${error.message}`);
    });
  });
  await site.ingest(await site.store.sweep());
}
