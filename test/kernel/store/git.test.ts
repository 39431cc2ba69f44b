import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createGitReader, findRepository, GitError } from '../../../src/kernel/store/git.ts';
import { type Folder, temporaryFolder } from './folder.ts';

const clean = { PATH: process.env.PATH ?? '', HOME: tmpdir(), GIT_CONFIG_NOSYSTEM: '1' };

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], { cwd, env: clean, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

function commit(folder: Folder, date: string): void {
  git(folder.dir, 'add', '-A');
  const env = { ...clean, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const identity = ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.org'];
  execFileSync('git', [...identity, 'commit', '-qm', date], { cwd: folder.dir, env, stdio: 'pipe' });
}

describe('the git reader', () => {
  it('reads index, commits, bytes and first dates, relative to a folder of the repository', async () => {
    const folder = temporaryFolder();
    git(folder.dir, 'init', '-q');
    folder.write('site/posts/one.md', 'one\r\n');
    folder.write('elsewhere.txt', 'no content');
    commit(folder, '2024-01-02T03:04:05Z');
    folder.write('site/posts/ä "two".md', 'a text that is long enough to be known again after its renaming\n');
    commit(folder, '2024-02-02T00:00:00Z');
    renameSync(folder.at('site/posts/ä "two".md'), folder.at('site/posts/2.md'));
    commit(folder, '2024-03-02T00:00:00Z');
    folder.write('site/posts/three.md', 'three');
    git(folder.dir, 'add', 'site/posts/three.md');

    const reader = await createGitReader(folder.at('site'));
    expect(reader?.head).toBe(git(folder.dir, 'rev-parse', 'HEAD').trim());
    expect(await reader?.tracked()).toEqual(['posts/2.md', 'posts/one.md', 'posts/three.md']);
    const named = ['posts/one.md', 'posts/three.md', 'posts/*.md', 'posts', 'posts/2.md'];
    const many = Array.from({ length: 100 }, (_, at) => `posts/none-${at}.md`);
    for (const paths of [named, [...named, ...many]])
      expect(await reader?.committed(paths)).toEqual(['posts/2.md', 'posts/one.md']);
    const bytes = await reader?.read(['posts/one.md', 'posts/three.md', 'posts/2.md']);
    expect(bytes?.get('posts/one.md')?.toString()).toBe('one\r\n');
    expect(bytes?.has('posts/three.md')).toBe(false);
    expect(bytes?.get('posts/2.md')?.toString()).toContain('long enough');
    const first = await reader?.firstCommitted(['posts/one.md', 'posts/2.md', 'posts/three.md']);
    expect(Object.fromEntries(first ?? [])).toEqual({
      'posts/one.md': Date.parse('2024-01-02T03:04:05Z'),
      'posts/2.md': Date.parse('2024-02-02T00:00:00Z'),
    });
  });

  it('knows which path was first in the history of HEAD, whenever it was written', async () => {
    const folder = temporaryFolder();
    git(folder.dir, 'init', '-q');
    folder.write('one.md', 'one');
    commit(folder, '2024-01-01T00:00:00Z');
    git(folder.dir, 'checkout', '-qb', 'side');
    folder.write('side.md', 'written before main.md, merged after it');
    commit(folder, '2024-01-02T00:00:00Z');
    git(folder.dir, 'checkout', '-q', 'main');
    folder.write('main.md', 'a text that is long enough to be known again after its renaming\n');
    commit(folder, '2024-01-03T00:00:00Z');
    git(folder.dir, 'merge', '-q', '--no-edit', 'side');
    renameSync(folder.at('main.md'), folder.at('moved.md'));
    commit(folder, '2024-01-04T00:00:00Z');
    const arrived = await (await createGitReader(folder.dir))?.arrived(['side.md', 'moved.md', 'one.md', 'none.md']);
    expect([...(arrived ?? [])].sort(([, a], [, b]) => a - b).map(([path]) => path)).toEqual(['one.md', 'moved.md', 'side.md']);
  });

  it('reads a linked work tree, packed refs, a shallow clone and another object format', async () => {
    const folder = temporaryFolder();
    mkdirSync(folder.at('main'));
    git(folder.at('main'), 'init', '-q', '--object-format=sha256');
    folder.write('main/a.md', 'a');
    git(folder.at('main'), 'add', '-A');
    git(folder.at('main'), 'commit', '-qm', 'one');
    folder.write('main/b.md', 'b');
    git(folder.at('main'), 'add', '-A');
    git(folder.at('main'), 'commit', '-qm', 'two');
    git(folder.at('main'), 'pack-refs', '--all');
    git(folder.at('main'), 'worktree', 'add', '-q', '../linked', '-b', 'other');
    git(folder.dir, 'clone', '-q', '--depth', '1', `file://${folder.at('main')}`, 'shallow');
    for (const name of ['main', 'linked', 'shallow']) {
      const reader = await createGitReader(folder.at(name));
      expect(await reader?.committed(['a.md', 'b.md', 'c.md']), name).toEqual(['a.md', 'b.md']);
      expect([...((await reader?.firstCommitted(['b.md'])) ?? [])], name).toHaveLength(1);
      expect(await reader?.tracked(), name).toEqual(['a.md', 'b.md']);
    }
  });

  it('is null outside a repository, has no HEAD before the first commit, and reports a broken repository', async () => {
    const folder = temporaryFolder();
    expect(await createGitReader(folder.dir)).toBeNull();
    git(folder.dir, 'init', '-q');
    const reader = await createGitReader(folder.dir);
    expect([reader?.head, await reader?.committed(['a.md']), await reader?.tracked()]).toEqual([null, [], []]);
    writeFileSync(folder.at('.git/HEAD'), 'nonsense');
    await expect(createGitReader(folder.dir)).rejects.toThrow(GitError);
  });
});

describe('a hostile repository', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  /** Every way known to make git run a command of a repository's or an environment's choosing. */
  const traps = (command: string): string =>
    [
      `[core]\n\tfsmonitor = "${command}"\n\thooksPath = hooks-here\n\tpager = "${command}"\n\tsshCommand = "${command}"\n\teditor = "${command}"`,
      `\taskPass = "${command}"\n\tgitProxy = "${command}"\n\talternateRefsCommand = "${command}"`,
      `[diff]\n\texternal = "${command}"\n[diff "x"]\n\ttextconv = "${command}"\n\tcommand = "${command}"`,
      `[filter "x"]\n\tclean = "${command}"\n\tsmudge = "${command}"\n\tprocess = "${command}"`,
      `[pager]\n\tlog = "${command}"\n\tls-files = "${command}"\n[gpg]\n\tprogram = "${command}"\n[log]\n\tshowSignature = true`,
      `[alias]\n\tls-files = "!${command}"\n\tlog = "!${command}"\n\tcat-file = "!${command}"\n\tls-tree = "!${command}"`,
      `[remote "origin"]\n\turl = "ext::${command}"\n\tpromisor = true\n[extensions]\n\tpartialClone = origin\n[protocol]\n\tallow = always`,
      `[credential]\n\thelper = "!${command}"\n[uploadpack]\n\tpackObjectsHook = "${command}"`,
    ].join('\n');

  function trapped(): { readonly folder: Folder; readonly mark: string } {
    const folder = temporaryFolder();
    const mark = folder.at('ran');
    git(folder.dir, 'init', '-q');
    folder.write('site/posts/one.md', 'one');
    folder.write('site/.gitattributes', '* filter=x diff=x\n');
    folder.write('site/posts/lost.md', 'an object that a partial clone would fetch');
    commit(folder, '2024-01-02T03:04:05Z');
    const script = folder.at('trap.sh');
    writeFileSync(script, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    for (const hook of readdirSync(folder.at('.git/hooks')))
      writeFileSync(folder.at(`.git/hooks/${hook.replace('.sample', '')}`), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    const lost = git(folder.dir, 'rev-parse', 'HEAD:site/posts/lost.md').trim();
    renameSync(folder.at(`.git/objects/${lost.slice(0, 2)}/${lost.slice(2)}`), folder.at('lost-object'));
    writeFileSync(folder.at('.git/config'), `[core]\n\trepositoryformatversion = 1\n${traps(script)}\n`);
    return { folder, mark };
  }

  async function everything(dir: string): Promise<void> {
    const reader = await createGitReader(dir);
    await reader?.tracked();
    await reader?.committed(['posts/one.md', 'posts/lost.md']);
    await reader?.read(['posts/one.md', 'posts/lost.md']);
    await reader?.firstCommitted(['posts/one.md', 'posts/lost.md']).catch(() => undefined);
    await reader?.arrived(['posts/one.md', 'posts/lost.md']).catch(() => undefined);
  }

  it('cannot make git run its commands', async () => {
    const { folder, mark } = trapped();
    // The trap is one: plain git falls into it.
    try {
      git(folder.dir, 'status');
    } catch {}
    expect(existsSync(mark)).toBe(true);
    const again = trapped();
    await everything(again.folder.at('site'));
    expect(existsSync(again.mark)).toBe(false);
  });

  it('cannot use those of the environment', async () => {
    const { folder, mark } = trapped();
    const script = folder.at('trap.sh');
    const hostile = {
      GIT_DIR: folder.at('.git'),
      GIT_EXTERNAL_DIFF: script,
      GIT_PAGER: script,
      GIT_SSH_COMMAND: script,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: script,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${script}'`,
      GIT_EXEC_PATH: folder.dir,
      GIT_TRACE: folder.at('ran'),
    };
    for (const [name, value] of Object.entries(hostile)) vi.stubEnv(name, value);
    await everything(folder.at('site'));
    expect(existsSync(mark)).toBe(false);
  });

  it('cannot be a content folder that looks like a bare repository, or contains one', async () => {
    const { folder, mark } = trapped();
    folder.write('site/HEAD', 'ref: refs/heads/main\n');
    folder.write('site/config', `[core]\n\trepositoryformatversion = 0\n\tworktree = .\n${traps(folder.at('trap.sh'))}\n`);
    folder.write('site/objects/x', '');
    folder.write('site/refs/x', '');
    await everything(folder.at('site'));
    expect(findRepository(folder.at('site'))?.workTree).toBe(folder.dir);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('the program', () => {
  it('starts other programs in few places only: git here, for merges of lines and in commands that set up or check, a browser, its workers', () => {
    const src = resolve(import.meta.dirname, '../../../src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(files.filter((name) => /^import (?!type).*child_process/m.test(readFileSync(join(src, name), 'utf8'))).sort()).toEqual(
      [
        'cli/doctor/repository.ts',
        'cli/live.ts',
        'cli/merge-driver.ts',
        'cli/new-repository.ts',
        'kernel/store/git.ts',
        'modules/content/merging/lines.ts',
        'workers/primary.ts',
      ],
    );
  });
});
