/**
 * A program that is killed while it imports two translations, which go to the disk together: at each step, all of each is there afterwards
 * or nothing.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { kill, trace } from '../support/crash-steps.ts';
import { run, temporary } from './run.ts';

const files = {
  'site.yaml': 'name: Harbour\ntimezone: UTC\ndeployment: extended\n',
  'pages/about.md': '---\nid: 10\ntitle: About\ndate: 2026-03-05T10:00:00\nauthor: admin\n---\nHello\n',
  'pages/team.md': '---\nid: 11\ntitle: Team\ndate: 2026-03-05T10:00:00\nauthor: admin\n---\nWe\n',
};
const line = ['translate', 'import', 'xliff'];

/** Of each page: the status, whether its attempt is completed, the title of the translation. */
async function states(dir: string): Promise<readonly string[]> {
  const site = await openSite(dir);
  try {
    const { translationJobs: jobs, translations } = site;
    return [10, 11].map((id) => {
      const status = jobs.statusOf('post_page', id, 'de');
      const item = site.posts.get(translations.idIn('posts', id, 'de'));
      return JSON.stringify([status?.status, jobs.job(status?.job ?? 0)?.completed !== '', item?.title]);
    });
  } finally {
    await site.close();
  }
}

it('a killed translate import leaves all or nothing', async () => {
  const dir = await temporary();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  expect((await run(['translate', 'order', '--to', 'de'], { cwd: dir })).status).toBe(0);
  expect((await run(['translate', 'export', '--out', 'xliff'], { cwd: dir })).status).toBe(0);
  for (const file of [1, 2].map((job) => join(dir, `xliff/de/job-${job}.xliff`))) {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/<source>(.*?)<\/source>/g, '<source>$1</source><target>$1 de</target>'));
  }
  const before = await states(dir);
  const original = `${dir}-before`;
  await cp(dir, original, { recursive: true });

  const traced = await trace(dir, line);
  expect([await traced.ended, traced.said()]).toEqual([0, 'imported 2 of 2 documents\n']);
  const seen = new Map<string, number>();
  const note = (all: readonly string[]): void => {
    for (const one of all) seen.set(one, (seen.get(one) ?? 0) + 1);
  };
  note(await states(dir));
  let last = 0;
  const different = await traced.each(async (step) => {
    last = step;
    note(await states(dir));
  });
  expect(different).toBeGreaterThan(10);
  // What was copied is what a kill leaves.
  for (const at of [1, 2].map((part) => Math.floor((last * part) / 4))) {
    await rm(dir, { recursive: true });
    await cp(original, dir, { recursive: true });
    expect(await kill(dir, line, at)).toBeNull();
    note(await states(dir));
  }
  const done = ['About de', 'Team de'].map((title) => JSON.stringify([10, true, title]));
  const [none = ''] = before;
  expect(before).toEqual([JSON.stringify([1, false, null]), none]);
  expect([...seen.keys()].sort()).toEqual([none, ...done].sort());
  expect(seen.get(none)).toBeGreaterThan(2);
}, 180_000);
