/**
 * A program that is killed while it imports two translations, which go to the disk together: at each step, all of each is there afterwards
 * or nothing.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { builtProgram } from '../support/program-build.ts';
import { openSite } from '../../src/open-site.ts';
import { run, temporary } from './run.ts';

const files = {
  'site.yaml': 'name: Harbour\ntimezone: UTC\ndeployment: extended\n',
  'pages/about.md': '---\nid: 10\ntitle: About\ndate: 2026-03-05T10:00:00\nauthor: admin\n---\nHello\n',
  'pages/team.md': '---\nid: 11\ntitle: Team\ndate: 2026-03-05T10:00:00\nauthor: admin\n---\nWe\n',
};

/** Ends the process before the call of this number that changes the content folder. */
const prelude = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  let left = Number(process.env.KILL_AT);
  const isContent = (path) => typeof path === 'number' || !String(path).includes('/.cms/cache');
  for (const name of ['renameSync', 'rename', 'fsyncSync', 'fsync', 'unlinkSync', 'unlink']) {
    const real = fs[name];
    fs[name] = (...given) => {
      if (isContent(given[0]) && left-- === 1) process.kill(process.pid, 'SIGKILL');
      return real(...given);
    };
  }
  syncBuiltinESMExports();
`;

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

it('leaves all or nothing', async () => {
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
  const { main } = await builtProgram();
  const program = join(await temporary(), 'killed.mjs');
  await writeFile(
    program,
    `${prelude}\nconst { main, processIo } = await import(${JSON.stringify(main)});\nprocess.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  const before = await states(dir);
  const seen = new Map<string, number>();
  let isDone = false;
  // Every step at first, then every second one.
  for (let at = 1; !isDone && at < 90; at += at < 12 ? 1 : 2) {
    const copy = `${dir}-${at}`;
    await cp(dir, copy, { recursive: true });
    isDone = await promisify(execFile)(process.execPath, [program, 'translate', 'import', 'xliff'], {
      cwd: copy,
      env: { ...process.env, KILL_AT: String(at) },
    }).then(
      () => true,
      () => false,
    );
    for (const after of await states(copy)) seen.set(after, (seen.get(after) ?? 0) + 1);
    await rm(copy, { recursive: true });
  }
  const done = ['About de', 'Team de'].map((title) => JSON.stringify([10, true, title]));
  const [none = ''] = before;
  expect(before).toEqual([JSON.stringify([1, false, null]), none]);
  expect([isDone, [...seen.keys()].sort()]).toEqual([true, [none, ...done].sort()]);
  expect(seen.get(none)).toBeGreaterThan(2);
}, 180_000);
