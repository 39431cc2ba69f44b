import { queryObjects } from 'node:v8';
import { mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WatchHelper } from 'chokidar';
import { expect, it, onTestFinished } from 'vitest';
import { followFolder } from '../../../src/kernel/store/hint-source.ts';
import type { Directory } from '../../../src/kernel/store/scan.ts';
import { temporaryFolder } from './folder.ts';

/** Helpers and native watches that are alive after a collection. */
const alive = () => ({
  helpers: queryObjects(WatchHelper, { format: 'count' }) as unknown as number,
  watches: process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length,
});

function following() {
  const { dir } = temporaryFolder();
  const hinted: (string | null)[] = [];
  const source = followFolder(
    dir,
    (path) => hinted.push(path),
    () => {},
  );
  onTestFinished(() => source.close());
  const of = (name: string): Directory => {
    const absolute = join(dir, name);
    return { path: name, absolute, ino: statSync(absolute, { throwIfNoEntry: false })?.ino ?? 0 } as Directory;
  };
  return { dir, source, hinted, of };
}

it('the watcher keeps nothing of removed directories, at any moment', async () => {
  const { dir, source, of } = following();
  mkdirSync(join(dir, 'posts'));
  source.follow([of(''), of('posts')]);
  await source.ready();
  const before = alive();
  for (let round = 0; round < 120; round++) {
    const name = round % 2 === 0 ? 'posts/month' : `posts/month-${round}`;
    mkdirSync(join(dir, name));
    const month = of(name);
    // Gone before it is added, while it is being added, or once it is watched.
    if (round % 3 === 0) rmdirSync(join(dir, name));
    source.follow([of(''), of('posts'), month]);
    if (round % 3 === 2) await source.ready();
    if (round % 5 === 0) await pause(1);
    if (round % 3 !== 0) rmdirSync(join(dir, name));
    source.follow([of(''), of('posts')]);
  }
  await pause(50);
  expect(alive()).toEqual(before);
});

it('the watcher reports a file once in a directory that was added, removed and added again', async () => {
  const { dir, source, hinted, of } = following();
  mkdirSync(join(dir, 'posts'));
  for (let round = 0; round < 20; round++) {
    source.follow([of(''), of('posts')]);
    if (round % 2 === 0) await source.ready();
    rmdirSync(join(dir, 'posts'));
    if (round % 3 === 0) source.follow([of('')]);
    mkdirSync(join(dir, 'posts'));
  }
  source.follow([of(''), of('posts')]);
  await source.ready();
  await pause(20);
  hinted.length = 0;
  writeFileSync(join(dir, 'posts', 'a.md'), 'a');
  await pause(50);
  // Created, written, closed: the system tells of each; nobody tells of one twice.
  expect(hinted.length).toBeGreaterThan(0);
  expect(hinted.length).toBeLessThanOrEqual(3);
  expect(new Set(hinted)).toEqual(new Set(['posts/a.md']));
});

it('the watcher follows what is below one directory and leaves the others', async () => {
  const { dir, source, hinted, of } = following();
  for (const name of ['a/b/c', 'a-b', 'd/e']) mkdirSync(join(dir, name), { recursive: true });
  expect(source.follow([of(''), of('a'), of('a/b'), of('a-b'), of('d')])).toEqual(['', 'a', 'a-b', 'd']);
  expect(source.follow([of('a'), of('a/b'), of('a/b/c')], 'a')).toEqual(['a/b/c']);
  expect(source.follow([], 'd')).toEqual([]);
  await source.ready();
  hinted.length = 0;
  for (const name of ['a/b/c', 'a-b', 'd']) writeFileSync(join(dir, name, 'x.md'), 'x');
  await expect.poll(() => new Set(hinted)).toEqual(new Set(['a/b/c/x.md', 'a-b/x.md']));
});

it('the watcher closes while directories are being added', async () => {
  const { dir, source, of } = following();
  const before = alive().watches;
  for (let n = 0; n < 50; n++) mkdirSync(join(dir, `d${n}`));
  source.follow(Array.from({ length: 50 }, (_, n) => of(`d${n}`)));
  await source.close();
  await pause(50);
  expect(alive().watches).toBeLessThanOrEqual(before);
});
