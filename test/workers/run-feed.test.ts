/** Workers read the lines of their feed in one order, whoever appends them, and go on when it is continued in another file. */
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRunFeed, openRunFeed, type RunFeed, touchRunFeed } from '../../src/workers/run-feed.ts';

let folder: string;
let feeds: RunFeed[];
const open = (from: number): RunFeed => {
  const feed = openRunFeed(folder, from);
  feeds.push(feed);
  return feed;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cms-feed-'));
  feeds = [];
  makeRunFeed(folder, 1000);
});
afterEach(() => {
  for (const feed of feeds) feed.close();
  rmSync(folder, { recursive: true });
});

describe('the feed of a run', () => {
  it('numbers lines the same for everybody', () => {
    const [one, two] = [open(1), open(2)];
    one.append({ paths: ['a'] });
    two.append({ paths: ['ü\n'] });
    one.append({ documents: ['b'] });
    const expected = [
      { seq: 1000, from: 0, news: {} },
      { seq: 1001, from: 1, news: { paths: ['a'] } },
      { seq: 1002, from: 2, news: { paths: ['ü\n'] } },
      { seq: 1003, from: 1, news: { documents: ['b'] } },
    ];
    expect([one.isBehind(), one.read(), one.isBehind(), one.read(), one.seq]).toEqual([true, expected, false, [], 1003]);
    expect([two.read(), open(3).read()]).toEqual([expected, expected]);
  });

  it('carries lines longer than what is read at once', () => {
    const [one, two] = [open(1), open(2)];
    const paths = [...Array(9000).keys()].map((at) => `posts/2026/${at}.md`);
    one.append({ paths });
    one.append({ everything: true });
    expect(two.read().map(({ news }) => news)).toEqual([{}, { paths }, { everything: true }]);
  });

  it('looks as new as it is told to', () => {
    const old = new Date(0);
    for (const path of [folder, join(folder, 'feed-1')]) utimesSync(path, old, old);
    touchRunFeed(folder);
    for (const path of [folder, join(folder, 'feed-1')]) expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(60_000);
  });

  it('is continued in another file, and no line gets lost on the way, nor is read twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ by: fc.nat(2), does: fc.constantFrom('append', 'read', 'renew') }), { maxLength: 60 }),
        (steps) => {
          const before = readdirSync(folder).length;
          const all = [open(1), open(2), open(3)];
          for (const feed of all) feed.read();
          const heard: string[][] = [[], [], []];
          let [count, renewed] = [0, 0];
          const read = (at: number) => {
            for (const { from, news } of (all[at] as RunFeed).read()) if (from > 0) heard[at]?.push(...(news.paths ?? []));
          };
          for (const { by, does } of steps) {
            const feed = all[by] as RunFeed;
            if (does === 'append') feed.append({ paths: [`${++count}`] });
            if (does === 'read') read(by);
            // One worker continues it, and has read everything. Nobody is behind by more files than are kept.
            if (does === 'renew' && ++renewed <= 6) {
              read(0);
              all[0]?.renew({ claims: ['state'] });
            }
          }
          for (let round = 0; round < 3; round++) for (const at of heard.keys()) read(at);
          for (const one of heard) {
            expect([...one].sort((a, b) => Number(a) - Number(b))).toEqual([...Array(count).keys()].map((at) => `${at + 1}`));
            expect(one).toEqual(heard[0]);
          }
          expect(new Set(all.map(({ seq }) => seq)).size).toBe(1);
          if (readdirSync(folder).length > before) expect(open(4).read()[0]?.news).toEqual({ claims: ['state'] });
        },
      ),
    );
  });
});
