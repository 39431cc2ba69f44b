/**
 * Faults of git itself, at each of the commands that one commit takes: it fails, the disk is full in the middle of what it writes, or the
 * server is killed before it. No commit is lost, none is made twice, and the repository is sound.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { asPerson, type GitSite, startGitSite } from '../../../support/git-site.ts';

let site: GitSite;
let folder: string;
const path = process.env.PATH;
/** More than one commit takes. */
const most = 20;

/**
 * Goes before git: numbers its calls, and does at one of them what the file beside the numbers says. A call makes the folder of its number, so
 * that two that run side by side never have the same one.
 */
const program = (real: string, counter: string): string => `#!/bin/sh
PATH='${path}'
count=1
until mkdir "${counter}/$count" 2>/dev/null; do count=$((count + 1)); done
read at what < '${counter}.fault'
if [ "$count" = "$at" ]; then
  case $what in
    error) echo 'fatal: unable to write new file: No space left on device' >&2; exit 128;;
    short) ulimit -f 0; trap '' XFSZ;;
    rival) env -i PATH="$PATH" HOME=/nonexistent sh '${counter}.rival' >&2;;
    copy) cp -a "$(cat '${counter}.dir')" '${counter}.copy';;
  esac
fi
exec '${real}' "$@"
`;

beforeAll(async () => {
  site = await startGitSite({ 'posts/by-hand.md': '---\nid: 900\ntitle: By hand\ndate: 2026-01-02\n---\ntext\n' });
  folder = mkdtempSync(join(tmpdir(), 'cms-git-faults-'));
  const real = (path ?? '')
    .split(':')
    .map((one) => join(one, 'git'))
    .find(existsSync) as string;
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/git'), program(real, join(folder, 'count')));
  chmodSync(join(folder, 'bin/git'), 0o755);
  writeFileSync(join(folder, 'count.dir'), site.dir);
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The next call of git is its first one. */
function startCounting(): void {
  rmSync(join(folder, 'count'), { recursive: true, force: true });
  mkdirSync(join(folder, 'count'));
}

const counted = (): number => readdirSync(join(folder, 'count')).length;

/** One write and its commit, with a fault at a command of git. @returns how many commands there were */
async function committing(serial: number, at: number, what: string): Promise<number> {
  startCounting();
  writeFileSync(join(folder, 'count.fault'), `${at} ${what}\n`);
  const { status } = await site.ask('PUT', '/cms/v2/posts/900', { as: 'admin', body: { content: `text ${what} ${serial}` } });
  expect(status).toBe(200);
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${path}`);
  try {
    await site.flush();
  } finally {
    vi.unstubAllEnvs();
  }
  return counted();
}

/** Each text that was written is that of one commit, in order. */
function textsIn(dir: string): string[] {
  const commits = asPerson(dir, 'log', '--reverse', '--format=%H', '--', 'posts/by-hand.md').trim().split('\n');
  return commits.map((commit) => asPerson(dir, 'show', `${commit}:posts/by-hand.md`).trim().split('\n').at(-1) as string);
}

function expectSound(dir: string): void {
  expect(asPerson(dir, 'status', '--porcelain')).toBe('');
  expect(asPerson(dir, 'fsck', '--no-dangling', '--no-progress')).toBe('');
}

describe('a commit', () => {
  it.each(['error', 'short'])('that fails on a full disk (%s), at any git command, is made later, once', async (what) => {
    const wanted = textsIn(site.dir);
    let failed = 0;
    for (let at = 1; at <= most; at++) {
      const calls = await committing(at, at, what);
      wanted.push(`text ${what} ${at}`);
      if (textsIn(site.dir).length < wanted.length) failed++;
      await site.flush();
      expect(textsIn(site.dir), `${what} at command ${at}`).toEqual(wanted);
      expectSound(site.dir);
      if (calls < at) break;
      expect(at).toBeLessThan(most);
    }
    expect(failed).toBeGreaterThan(2);
  });

  it('of a server killed before any git command is made by the next one, once', async () => {
    for (let at = 1; at <= most; at++) {
      const calls = await committing(at, at, 'copy');
      if (calls < at) break;
      const copy = join(folder, 'count.copy');
      const dir = `${site.dir}-killed`;
      cpSync(copy, dir, { recursive: true, preserveTimestamps: true });
      rmSync(copy, { recursive: true });
      rmSync(join(dir, '.cms/lock'), { force: true });
      const next = await openSite(dir);
      await next.commits?.flush();
      await next.close();
      expect(textsIn(dir), `killed before command ${at}`).toEqual(textsIn(site.dir));
      expectSound(dir);
      rmSync(dir, { recursive: true });
      expect(at).toBeLessThan(most);
    }
  });

  it('overtaken by another server with the same file, at any command, leaves nothing staged', async () => {
    for (let at = 1; at <= most; at++) {
      const body = { title: `Rival ${at}`, content: 'ours', status: 'publish', date: '2026-03-05T10:00:00' };
      expect((await site.ask('POST', '/cms/v2/posts', { as: 'admin', body })).status).toBe(201);
      writeFileSync(join(folder, 'count.rival'), rival(site.dir, `posts/2026/03/rival-${at}.md`));
      startCounting();
      writeFileSync(join(folder, 'count.fault'), `${at} rival\n`);
      vi.stubEnv('PATH', `${join(folder, 'bin')}:${path}`);
      await site.flush();
      vi.unstubAllEnvs();
      await site.flush();
      expect(asPerson(site.dir, 'diff', '--cached', '--name-status'), `at command ${at}`).toBe('');
      if (counted() < at) break;
      expect(asPerson(site.dir, 'log', '--format=%s'), `at command ${at}`).toContain('theirs');
      expect(at).toBeLessThan(most);
    }
  });
});

/** Commits a file as another server does: the index follows where it is as the last commit. */
const rival = (dir: string, file: string): string => `set -e
cd '${dir}'
git() { command git -c user.name=Rival -c user.email=r@example.org "$@"; }
old=$(git ls-tree HEAD -- ${file} | cut -d' ' -f3 | cut -f1)
held=$(git ls-files --stage -- ${file} | cut -d' ' -f2)
blob=$(echo theirs | git hash-object -w --stdin)
[ "$old" != "$held" ] || git update-index --add --cacheinfo "100644,$blob,${file}"
export GIT_INDEX_FILE="$PWD/.git/rival-index"
git read-tree HEAD
git update-index --add --cacheinfo "100644,$blob,${file}"
git update-ref refs/heads/main "$(git commit-tree -p HEAD -m theirs "$(git write-tree)")"
`;
