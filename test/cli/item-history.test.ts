/** `cms log`, `cms diff` and `cms restore`: the samples of docs/git.md, and what else they say. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRepository, type Repository } from '../support/git.ts';
import { run } from './run.ts';

let dir: string;
let git: Repository;
const file = 'posts/hello.md';
const text = (body: string) => `---\nid: 7\ntitle: Hello\ndate: 2026-03-05T10:00:00\n---\n${body}\n`;
const put = (path: string, content: string) => writeFileSync(join(dir, path), content);
const cms = (...line: string[]) => run(line, { cwd: dir });
const local = (day: string) => new Date(`${day}T10:00:00`).toISOString();

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'cms-log-'));
  mkdirSync(join(dir, 'posts'));
  put('site.yaml', 'name: Example\ntimezone: UTC\n');
  put('posts/first.md', text('Helo'));
  put('posts/gone.md', text('Gone').replace('id: 7', 'id: 8'));
  git = createRepository(dir);
  git.commit('say hello', local('2026-03-05'));
  git.run('mv', 'posts/first.md', file);
  git.run('rm', '-q', 'posts/gone.md');
  put(file, text('Hello'));
  git.commit('correct a word', local('2026-03-06'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('history and restore print what docs/git.md shows', async () => {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/git.md'), 'utf8');
  const samples = [...page.matchAll(/```console\n\$ cms (.*)\n([^`]*)```/g)].filter(([, line]) =>
    /^(?:log|diff|restore)/.test(line as string),
  );
  expect(samples).toHaveLength(3);
  for (const [, line = '', said = ''] of samples) {
    const { out, err, status } = await cms(...line.split(' '));
    expect(status).toBe(0);
    expect(`${out || err}\n`.replace(/^[0-9a-f]{8}/gm, 'COMMITID')).toBe(said.replace(/^[0-9a-f]{8}/gm, 'COMMITID'));
  }
  expect(readFileSync(join(dir, file), 'utf8')).toBe(text('Helo'));
});

it('restore undoes uncommitted changes, then the last commit', async () => {
  put(file, text('Unfinished'));
  expect((await cms('restore', '7', '--dry-run')).out).toContain('-Unfinished\n+Hello');
  expect(readFileSync(join(dir, file), 'utf8')).toBe(text('Unfinished'));
  expect((await cms('restore', '7')).err).toContain('restored posts/hello.md');
  expect(readFileSync(join(dir, file), 'utf8')).toBe(text('Hello'));
  const { out } = await cms('restore', '7', '--json');
  expect(JSON.parse(out)).toMatchObject({ path: file, changed: true });
  expect(readFileSync(join(dir, file), 'utf8')).toBe(text('Helo'));
  expect((await cms('diff', '7')).out).toContain('-Hello\n+Helo');
  expect((await cms('restore', '7', '--at', '2026-03-06')).status).toBe(0);
  expect(await cms('diff', '7')).toMatchObject({ status: 0, out: '' });
  expect((await cms('restore', '7', '--at', '2026-03-06')).err).toMatch(/already is as in/);
});

it('restore keeps the current id of an item', async () => {
  put(file, text('New').replace('id: 7', 'id: 70'));
  await cms('restore', file, '--at', '2026-03-05');
  expect(readFileSync(join(dir, file), 'utf8')).toBe(text('Helo').replace('id: 7', 'id: 70'));
  git.run('checkout', '-q', file);
});

it('restore brings back a deleted file', async () => {
  expect((await cms('log', 'posts/gone.md')).out).toMatch(/correct a word\n.*say hello/);
  expect((await cms('restore', 'posts/gone.md')).status).toBe(0);
  expect(readFileSync(join(dir, 'posts/gone.md'), 'utf8')).toContain('Gone');
});

it('history prints JSON with the ids of revisions, which are valid versions too', async () => {
  const { path, commits } = JSON.parse((await cms('log', '7', '--json', '--limit', '1')).out);
  expect(path).toBe(file);
  expect(commits).toEqual([
    {
      revision: expect.any(Number),
      commit: git.run('rev-parse', 'HEAD').trim(),
      date: local('2026-03-06'),
      author: { name: 'Anna', email: 'anna@example.org' },
      subject: 'correct a word',
      change: 'moved',
      path: file,
    },
  ]);
  const { out } = await cms('diff', '7', '--from', String(commits[0].revision), '--to', commits[0].commit, '--json');
  expect(JSON.parse(out)).toMatchObject({ from: commits[0].commit, to: commits[0].commit, diff: '' });
});

it('history and restore refuse unknown items and versions', async () => {
  const refusals: readonly (readonly [string[], number, string])[] = [
    [['log', '99'], 2, 'there is no item 99'],
    [['log', 'posts/none.md'], 1, 'posts/none.md is in no commit'],
    [['log', '../outside.md'], 2, 'is not a file of the content folder'],
    [['log', '.cms/private/x.json'], 2, 'is not a file of the content folder'],
    [['restore', '7', '--at', '1999-01-01'], 1, 'no commit of the file before 1999-01-01'],
    [['restore', '7', '--at', 'ffff'], 2, '"ffff" is not a commit of this file'],
    [['restore', 'posts/gone.md', '--at', git.run('rev-parse', 'HEAD').trim()], 1, 'the file was deleted in that commit'],
    [['log', '7', '--limit', '0'], 2, 'Use a whole number'],
  ];
  for (const [line, status, said] of refusals) {
    const ran = await cms(...line);
    expect([line, ran.status]).toEqual([line, status]);
    expect(ran.err).toContain(said);
  }
});
