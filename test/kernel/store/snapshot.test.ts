/** With a snapshot a start sees what it would see without one, and reads only what has changed. */

import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hash } from '../../../src/kernel/store/bytes.ts';
import { rereadData } from '../../../src/kernel/yaml/codec.ts';
import type { FileState } from '../../../src/kernel/store/file-state.ts';
import { createStatCache } from '../../../src/kernel/store/stat-cache.ts';
import { createMounts } from '../../../src/kernel/store/mounts.ts';
import { createQueue } from '../../../src/kernel/store/queue.ts';
import { createSnapshot } from '../../../src/kernel/store/snapshot.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import { FileEntry, arenaOf } from '../../../src/kernel/store/text-arena.ts';
import type { Batch } from '../../../src/kernel/store/types.ts';
import { type Folder, temporaryFolder } from './folder.ts';

const long = 'A line of some length, so that there is something to keep. '.repeat(60);
const texts = ['plain', 'é in one byte', 'curly “quotes” – and 😀', ''];
const post = (at: number, title = `Post ${at}`) => `---\nid: ${at}\ntitle: ${title}\n---\n${texts[at % 4]} ${long}${at}\n`;

/** More files than are read without a snapshot, written long enough ago to be judged by their times. */
function filled(count = 520): Folder {
  const folder = temporaryFolder();
  for (let at = 0; at < count; at++) folder.write(`posts/${at % 7}/p${at}.md`, post(at));
  folder.write('site.yaml', 'name: Site\n');
  folder.write('media/x.png', 'x');
  folder.write('posts/broken.md', '---\ntitle: [\n---\n');
  return folder;
}

const later = () => Date.now() + 60_000;
const shown = ({ entries, blobs, problems, removed }: Batch) => ({
  entries: entries
    .map(({ path, kind, data, body, etag, size, mtimeMs }) => ({ path, kind, data, body, etag, size, mtimeMs }))
    .sort((a, b) => (a.path < b.path ? -1 : 1)),
  blobs,
  problems,
  removed,
});

/** Opens and closes; what was read. */
async function visit(folder: Folder, options: object = {}): Promise<Batch> {
  const store = await createStore({ dir: folder.dir, clock: later, ...options });
  const batch = await store.load();
  await store.close();
  return batch;
}

const own = (folder: Folder) => folder.at('.cms/cache/snapshot');
const segments = (folder: Folder) =>
  readdirSync(own(folder))
    .filter((name) => name !== 'index')
    .sort();
const cold = (folder: Folder): Promise<Batch> => {
  rmSync(own(folder), { recursive: true, force: true });
  return visit(folder);
};

describe('a start', () => {
  it('is the same with a snapshot, which is private', async () => {
    const folder = filled();
    const first = await visit(folder);
    expect(statSync(join(own(folder), 'index')).mode & 0o777).toBe(0o600);
    expect([
      statSync(own(folder)).mode & 0o777,
      ...segments(folder).map((name) => statSync(join(own(folder), name)).mode & 0o777),
    ]).toEqual([0o700, 0o600, 0o600]);
    expect(shown(await visit(folder))).toEqual(shown(first));
    expect(shown(await visit(folder, { readOnly: true }))).toEqual(shown(first));
    expect(first.entries).toHaveLength(521);
  });

  it('reads only what has changed', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'on disk', 'posts/b.md': 'edited' });
    const stat = statSync(folder.at('posts/a.md'));
    const known = (path: string, mtimeMs: number): [string, FileState] => {
      const { size, ctimeMs, ino } = statSync(folder.at(path));
      const place = { arena: arenaOf('as it was kept'), start: 6, end: 14, bodyAt: 0 };
      const entry = new FileEntry({ path, kind: 'md', etag: 'x'.repeat(22), size, mtimeMs }, place, rereadData);
      return [path, { size, mtimeMs, ctimeMs, ino, etag: entry.etag, entry, seenAt: later(), sweep: 0 }];
    };
    await createSnapshot(folder.at('kept'), rereadData, () => null).keep(
      new Map([known('posts/a.md', stat.mtimeMs), known('posts/b.md', 1)]),
    );
    const statCache = createStatCache(
      createMounts({ dir: folder.dir }).content,
      createQueue(),
      later,
      createSnapshot(folder.at('kept'), rereadData, () => null),
    );
    const { entries } = await statCache.load();
    expect(entries.map(({ path, body }) => `${path}: ${body}`).sort()).toEqual(['posts/a.md: was kept', 'posts/b.md: edited']);
  });

  it('detects an edit that kept size and time', async () => {
    const folder = filled();
    await visit(folder, { clock: Date.now });
    const { atime, mtime } = statSync(folder.at('posts/1/p1.md'));
    folder.write('posts/1/p1.md', post(1).replace('Post 1', 'Post I'));
    utimesSync(folder.at('posts/1/p1.md'), atime, mtime);
    expect((await visit(folder)).entries.find(({ path }) => path === 'posts/1/p1.md')?.data.title).toBe('Post I');
  });

  it('has no snapshot for small folders', async () => {
    const folder = filled(20);
    await visit(folder);
    expect(existsSync(own(folder))).toBe(false);
  });
});

const index = (folder: Folder) => join(own(folder), 'index');
/** Writes the index anew with its head and the rest changed, and the hash right. */
function forge(folder: Folder, change: (head: Record<string, unknown>, rest: Buffer) => void): void {
  const bytes = readFileSync(index(folder));
  const end = bytes.indexOf(10);
  const head = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, unknown>;
  const rest = bytes.subarray(end + 1);
  change(head, rest);
  writeFileSync(index(folder), Buffer.concat([Buffer.from(`${JSON.stringify({ hash: hash(rest), ...head })}\n`), rest]));
}

it.each<[string, (folder: Folder) => void]>([
  ['an index cut short', (folder) => truncateSync(index(folder), 5000)],
  ['an empty index', (folder) => truncateSync(index(folder), 0)],
  ['one byte of the index changed', (folder) => writeFileSync(index(folder), readFileSync(index(folder)).fill(7, 9000, 9001))],
  ['a segment gone', (folder) => rmSync(join(own(folder), segments(folder)[0] as string))],
  ['a segment cut short', (folder) => truncateSync(join(own(folder), segments(folder)[0] as string), 1000)],
  [
    'one byte of a segment changed',
    (folder) => {
      const file = join(own(folder), segments(folder)[0] as string);
      writeFileSync(file, readFileSync(file).fill(7, 1000, 1001));
    },
  ],
  [
    'another program',
    (folder) =>
      forge(folder, (head) => {
        head.version = 'other';
      }),
  ],
  [
    'texts beyond their segment',
    (folder) =>
      forge(folder, (head, rest) => {
        rest.fill(255, Number(head.rows) * 40, Number(head.rows) * 56);
        delete head.hash;
      }),
  ],
  [
    'rows that are not there',
    (folder) =>
      forge(folder, (head) => {
        head.rows = 1e9;
      }),
  ],
  [
    'segments elsewhere',
    (folder) =>
      forge(folder, (head) => {
        head.segments = (head.segments as { file: string }[]).map((one) => ({ ...one, file: '../../../site.yaml' }));
      }),
  ],
])('%s: as if there were no snapshot', async (_, damage) => {
  const folder = filled();
  const first = await visit(folder);
  damage(folder);
  expect(shown(await visit(folder))).toEqual(shown(first));
});

describe('writing a snapshot', () => {
  it('keeps existing segments, and removes unused ones', async () => {
    const folder = filled();
    await visit(folder);
    const before = segments(folder);
    expect(before).toHaveLength(2);
    for (let at = 0; at < 10; at++) folder.write(`posts/${at % 7}/p${at}.md`, post(at, 'Changed'));
    await visit(folder);
    const after = segments(folder);
    expect(after.filter((name) => !before.includes(name)).length).toBeGreaterThan(0);
    expect(before.every((name) => after.includes(name))).toBe(true);
    for (const name of after) utimesSync(join(own(folder), name), 1000, 1000);
    for (let at = 0; at < 400; at++) folder.write(`posts/${at % 7}/p${at}.md`, post(at, 'Again'));
    await visit(folder);
    expect(before.some((name) => segments(folder).includes(name))).toBe(false);
    expect(shown(await visit(folder))).toEqual(shown(await cold(folder)));
  });

  it('is skipped for a few changes', async () => {
    const folder = filled();
    await visit(folder);
    const { mtimeMs } = statSync(index(folder));
    folder.write('posts/1/p1.md', post(1, 'Changed'));
    await visit(folder);
    expect(statSync(index(folder)).mtimeMs).toBe(mtimeMs);
  });

  it('by two processes at once leaves a valid one, or none', async () => {
    const folder = filled();
    const stores = await Promise.all([1, 2, 3].map(() => createStore({ dir: folder.dir, clock: later })));
    await Promise.all(stores.map((store) => store.load()));
    await Promise.all(stores.map((store) => store.close()));
    expect(shown(await visit(folder))).toEqual(shown(await cold(folder)));
  });
});

it('makes each start see the current files, whatever changes in between', async () => {
  const change = fc.record({
    at: fc.nat(519),
    do: fc.constantFrom('edit', 'remove', 'touch', 'break'),
    text: fc.string({ unit: 'grapheme', maxLength: 20 }),
  });
  const folder = filled();
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
      for (const { at, do: what, text } of changes) {
        const path = `posts/${at % 7}/p${at}.md`;
        if (what === 'edit') folder.write(path, `---\nid: ${at}\n---\n${text}${long}`);
        if (what === 'break') folder.write(path, `---\n: ${text}\n`);
        if (what === 'remove') rmSync(folder.at(path), { force: true });
        if (what === 'touch' && existsSync(folder.at(path))) utimesSync(folder.at(path), 2000, 2000);
      }
      const warm = await visit(folder);
      expect(shown(await visit(folder, { readOnly: true }))).toEqual(shown(warm));
      const plain = await createStore({ dir: folder.dir, readOnly: true });
      const seen = new Map<string, string>();
      const problems = await plain.visit((file) => void ('body' in file && seen.set(file.path, file.etag + file.body)));
      expect(new Map(warm.entries.map(({ path, etag, body }) => [path, etag + body]))).toEqual(seen);
      expect(warm.problems.map(({ path }) => path).sort()).toEqual(problems.map(({ path }) => path).sort());
      await plain.close();
    }),
    { numRuns: 15 },
  );
});

it('a segment damaged after the start is replaced by the files', async () => {
  const folder = filled();
  const first = await visit(folder);
  const store = await createStore({ dir: folder.dir, clock: later });
  const { entries } = await store.load();
  for (const name of segments(folder)) {
    const file = join(own(folder), name);
    writeFileSync(file, readFileSync(file).fill(7, 1000, 1001));
  }
  folder.write('posts/3/p3.md', post(3, 'Changed meanwhile'));
  const isOther = ({ path }: { path: string }) => path !== 'posts/3/p3.md';
  const kept = shown({ ...first, entries: entries.filter(isOther) });
  expect(kept).toEqual(shown({ ...first, entries: first.entries.filter(isOther) }));
  expect(entries.find((entry) => !isOther(entry))?.body.trim()).toBe('');
  await store.close();
  expect(shown(await visit(folder))).toEqual(shown(await cold(folder)));
});

it('does not recreate a missing content folder', async () => {
  const folder = temporaryFolder();
  const away = folder.at('away');
  const snapshot = createSnapshot(join(away, '.cms/cache/snapshot'), rereadData, () => null, undefined, away);
  await expect(snapshot.keep(new Map())).rejects.toMatchObject({ code: 'ENOENT' });
  expect(existsSync(away)).toBe(false);
});
