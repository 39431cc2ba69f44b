/** What a node keeps of its engine for its next start. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ContentEngine } from '../../src/kernel/store/content-engine.ts';
import { createEngineStore } from '../../src/engines/engine-store.ts';
import { temporary } from '../cli/run.ts';
import { createMemoryEngine } from '../support/memory-engine.ts';

/** More than it takes for a snapshot to be worth it. */
const count = 600;
const pathOf = (at: number): string => `posts/${at}.md`;
const edit = (path: string, text: string | null) => ({ path, bytes: text === null ? null : Buffer.from(text) });

/** An engine with posts, at a clock that stands still. */
async function filled(text: (at: number) => string): Promise<ContentEngine> {
  const engine = createMemoryEngine(() => 1_790_000_000_000);
  const edits = Array.from({ length: count }, (_, at) => edit(pathOf(at), text(at)));
  await engine.commit({ id: 'posts', seen: 0, edits: [...edits, edit('uploads/x.png', 'blob')] });
  await engine.commit({ id: 'account', seen: 0, edits: [edit('.private/accounts/1.json', '{}')] });
  return engine;
}

interface Started {
  /** Path → text, as the node has it. */
  readonly texts: Readonly<Record<string, string>>;
  /** Paths of texts that it has read of the engine. */
  readonly read: readonly string[];
  /** What it has said. */
  readonly log: readonly string[];
  readonly account: string | undefined;
}

/** Starts a node, and ends it when it has served for a moment. */
async function started(engine: ContentEngine, cache: string, readOnly = false): Promise<Started> {
  const read: string[] = [];
  const watched: ContentEngine = {
    ...engine,
    list: (take, has) =>
      engine.list((files) => {
        read.push(...files.flatMap(({ path, bytes }) => (bytes === null || path.startsWith('.') ? [] : [path])));
        take(files);
      }, has),
    read(paths) {
      read.push(...paths);
      return engine.read(paths);
    },
  };
  const store = await createEngineStore({ engine: watched, pollMs: 3_600_000, cache, readOnly });
  const log: string[] = [];
  store.faults.logTo((line) => log.push(line));
  const { entries } = await store.load();
  await (await store.watch(() => undefined))();
  const account = (await store.private.get('accounts/1.json'))?.toString();
  await store.close();
  return { texts: Object.fromEntries(entries.map((entry) => [entry.path, entry.body])), read, log, account };
}

const snapshotOf = async (cache: string): Promise<string> => join(cache, (await readdir(cache))[0] as string);

it('is all that a node needs, but for what has changed since', async () => {
  const [engine, cache] = [await filled((at) => `Text ${at} ☂`), join(await temporary(), 'made')];
  const first = await started(engine, cache);
  expect(first.read).toHaveLength(count);
  const again = await started(engine, cache);
  expect(again).toEqual({ ...first, read: [] });
  expect(again.account).toBe('{}');
  await engine.commit({
    id: 'later',
    seen: 0,
    edits: [edit(pathOf(1), 'Other'), edit(pathOf(2), null), edit('pages/new.md', 'New')],
  });
  const { texts, read } = await started(engine, cache);
  expect([...read].sort()).toEqual(['pages/new.md', pathOf(1)]);
  expect(texts).toEqual((await started(engine, '')).texts);
  expect([texts[pathOf(1)], texts[pathOf(2)], texts['pages/new.md']]).toEqual(['Other', undefined, 'New']);
});

it('counts for nothing where the engine has another text of the same commit, size and time, as after a restore', async () => {
  const cache = await temporary();
  await started(await filled((at) => `Text ${at}.`), cache);
  const restored = await filled((at) => `Text ${at}${at % 2 === 0 ? '.' : '!'}`);
  const { texts, read } = await started(restored, cache);
  expect(read).toHaveLength(count / 2);
  expect(texts).toEqual((await started(restored, '')).texts);
});

it.each([
  ['its index', /^index$/],
  ['a text', /\.text$/],
])('counts for nothing where a byte of %s is another', async (_, wanted) => {
  const [engine, cache] = [await filled((at) => `Text ${at}`), await temporary()];
  const { texts } = await started(engine, cache);
  const folder = await snapshotOf(cache);
  const file = join(folder, (await readdir(folder)).find((name) => wanted.test(name)) as string);
  const bytes = await readFile(file);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] as number) ^ 1;
  await writeFile(file, bytes);
  expect(await started(engine, cache)).toMatchObject({ texts, read: { length: count } });
});

it('counts for nothing on another machine', async () => {
  const [engine, cache] = [await filled((at) => `Text ${at}`), await temporary()];
  const { texts } = await started(engine, cache);
  vi.stubEnv('CMS_STATE_DIR', await temporary());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await started(engine, cache)).toMatchObject({ texts, read: { length: count } });
});

it('is only read where nothing may be written, and leaves what else is in the folder', async () => {
  const [engine, cache] = [await filled((at) => `Text ${at}`), await temporary()];
  expect((await started(engine, cache, true)).read).toHaveLength(count);
  expect(await readdir(cache)).toEqual([]);
  await writeFile(join(cache, 'mine.txt'), 'mine');
  await started(engine, cache);
  expect((await readdir(cache)).sort()).toEqual([expect.stringMatching(/^cms-/), 'mine.txt']);
  expect((await started(engine, cache, true)).read).toEqual([]);
});

it('is done without where it cannot be written', async () => {
  const [engine, folder] = [await filled((at) => `Text ${at}`), await temporary()];
  await started(engine, folder);
  const place = await snapshotOf(folder);
  const other = await temporary();
  await writeFile(join(other, place.slice(folder.length)), 'no folder');
  const { texts, log } = await started(engine, other);
  expect(Object.keys(texts)).toHaveLength(count);
  expect(log).toEqual([expect.stringContaining('cannot be written')]);
  await mkdir(join(other, 'below'));
  await writeFile(join(other, 'below', 'file'), '');
  expect(Object.keys((await started(engine, join(other, 'below', 'file', 'cache'))).texts)).toHaveLength(count);
});
