/** A program that is killed while it imports a translation: at each step of its commit, all of it is there afterwards or nothing. */
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

async function state(dir: string): Promise<string> {
  const site = await openSite(dir);
  try {
    const { translationJobs: jobs, translations } = site;
    const status = jobs.statusOf('post_page', 10, 'de');
    const item = site.posts.get(translations.idIn('posts', 10, 'de'));
    return JSON.stringify([status?.status, jobs.job(status?.job ?? 0)?.completed !== '', item?.title]);
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
  const file = join(dir, 'xliff/de/job-1.xliff');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/<source>(.*?)<\/source>/g, '<source>$1</source><target>$1 de</target>'));
  const { main } = await builtProgram();
  const program = join(await temporary(), 'killed.mjs');
  await writeFile(
    program,
    `${prelude}\nconst { main, processIo } = await import(${JSON.stringify(main)});\nprocess.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  const before = await state(dir);
  const seen = new Map<string, number>();
  let isDone = false;
  // Every step at first, then the later ones of what is long.
  for (let at = 1; !isDone && at < 60; at++) {
    const copy = `${dir}-${at}`;
    await cp(dir, copy, { recursive: true });
    isDone = await promisify(execFile)(process.execPath, [program, 'translate', 'import', 'xliff'], {
      cwd: copy,
      env: { ...process.env, KILL_AT: String(at) },
    }).then(
      () => true,
      () => false,
    );
    const after = await state(copy);
    seen.set(after, (seen.get(after) ?? 0) + 1);
    await rm(copy, { recursive: true });
  }
  const done = JSON.stringify([10, true, 'About de']);
  expect(before).toBe(JSON.stringify([1, false, null]));
  expect([isDone, [...seen.keys()].sort()]).toEqual([true, [before, done].sort()]);
  expect(seen.get(before)).toBeGreaterThan(2);
}, 120_000);
