/** What a process that died has written and not committed, the next one commits. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { asPerson, type GitSite, startGitSite } from '../../../support/git-site.ts';
import { signUp } from '../../../support/site.ts';

let site: GitSite;
const folders: string[] = [];

/** The folder as a process leaves it that is killed now. */
function killed(): string {
  const dir = `${site.dir}-${folders.length}`;
  cpSync(site.dir, dir, { recursive: true });
  // Of a process that is gone it would be taken away.
  rmSync(join(dir, '.cms/lock'), { force: true });
  folders.push(dir);
  return dir;
}

/** What the next process makes of it: authors and subjects, the newest first. */
async function restarted(dir: string): Promise<string[]> {
  const next = await openSite(dir);
  await next.commits?.flush();
  await next.close();
  expect(readdirSync(join(dir, '.cms/git'))).toEqual([]);
  return asPerson(dir, 'log', '--format=%an: %s').trim().split('\n');
}

const journalOf = (dir: string): string => join(dir, '.cms/git', readdirSync(join(dir, '.cms/git'))[0] as string);
/** The journal without the word that the last write was done. */
function withoutEnd(dir: string): void {
  const lines = readFileSync(journalOf(dir), 'utf8').split('\n');
  const end = lines.findLastIndex((line) => line.includes('"end"'));
  // The line after may be torn as well.
  writeFileSync(journalOf(dir), `${lines.slice(0, end).join('\n')}\n{"t":"en`);
}

beforeAll(async () => {
  site = await startGitSite({ 'posts/by-hand.md': '---\nid: 900\ntitle: By hand\ndate: 2026-01-02\n---\ntext\n' });
});
afterAll(async () => {
  await site.close();
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

const change = (body: object, as = 'admin') => site.ask('PUT', '/cms/v2/posts/900', { as, body });

it('a crash loses no commit: the next start commits the write', async () => {
  const berta = await signUp(site, 'berta', 'editor');
  await site.flush();
  const before = site.commits('%an: %s');
  await change({ content: 'of ada' });
  await change({ content: 'of berta' }, berta.as);
  const dir = killed();
  const subject = 'Update "By hand" (posts/by-hand.md)';
  expect(await restarted(dir)).toEqual([`berta: ${subject}`, `Ada Admin: ${subject}`, ...before]);
  expect(asPerson(dir, 'show', 'HEAD~1:posts/by-hand.md')).toContain('of ada');
  expect(asPerson(dir, 'show', 'HEAD:posts/by-hand.md')).toContain('of berta');
  expect(asPerson(dir, 'status', '--porcelain')).toBe('');
  await site.flush();
});

it('a write without a journal entry for its end is committed as well', async () => {
  const before = site.commits('%an: %s');
  await change({ content: 'nearly' });
  const dir = killed();
  withoutEnd(dir);
  expect(await restarted(dir)).toEqual(['Ada Admin: Update "By hand" (posts/by-hand.md)', ...before]);
  await site.flush();
});

it('work of a person is not committed for a write that did not happen', async () => {
  await site.write('posts/by-hand.md', `${await site.read('posts/by-hand.md')}by a person\n`);
  await site.sweep();
  await site.flush();
  const before = site.commits('%an: %s');
  const dir = killed();
  await change({ content: 'lost' });
  // As if the process had died between the note and the write.
  cpSync(journalOf(site.dir), join(dir, '.cms/git', `${process.pid}.jsonl`));
  withoutEnd(dir);
  expect(await restarted(dir)).toEqual(before);
  expect(asPerson(dir, 'status', '--porcelain')).toBe(' M posts/by-hand.md\n');
  await site.flush();
});
