/**
 * A power cut at any point of a run of commits, with what was not flushed kept or lost by chance. Once the folder has been opened, every
 * commit that was answered is there, any other is there whole or not at all, and nothing else is.
 *
 * Some hundred points by default; CRASH_LONG=1 takes ten thousand and tells how far it is. CRASH_SEED draws others.
 */
import { failDisk, real } from '../support/disk-faults.ts';
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createStore } from '../../src/kernel/store/store.ts';
import type { Durability } from '../../src/kernel/store/log.ts';
import type { Entry, FileChange, Store } from '../../src/kernel/store/types.ts';
import { temporaryFolder } from '../kernel/store/folder.ts';
import { digestsOf } from '../support/folder-states.ts';
import { chanceOf, record, type Recording } from '../support/power-cuts.ts';

const isLong = process.env.CRASH_LONG === '1';
const points = isLong ? 5000 : 150;
const seed = Number(process.env.CRASH_SEED ?? 2711);

/** What a commit does to the content, by path: digests, null for what it removes. */
interface Done {
  readonly effect: ReadonlyMap<string, string | null>;
  /** Steps of the disk when it began, and when it was answered. */
  readonly from: number;
  readonly to: number;
}

const own = ['lock', 'lock.waiting', 'fence', '.gitignore', 'cache', 'private'];
const counts = (path: string): boolean => !own.some((name) => path === `.cms/${name}` || path.startsWith(`.cms/${name}`));

/** Commits of every kind, some at once, over several lives of the process; the second one is long enough for a checkpoint of its own. */
async function run(
  dir: string,
  durability: Durability,
): Promise<{ readonly recording: Recording; readonly done: readonly Done[] }> {
  const done: Done[] = [];
  const recording = record(dir, counts);
  const entries = new Map<string, Entry>();
  let store: Store;
  let serial = 0;
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url');

  async function commit(changes: readonly FileChange[]): Promise<void> {
    const from = recording.length;
    const found = await store.commit(changes);
    const to = recording.length;
    for (const entry of found) entries.set(entry.path, entry);
    const effect = new Map<string, string | null>();
    for (const change of changes) {
      if ('remove' in change) effect.set(change.remove, null);
      else effect.set(change.path, digest(real.readFileSync(join(dir, change.path))));
      if ('from' in change && change.from !== undefined) effect.set(change.from, null);
    }
    done.push({ effect, from, to });
  }

  const fresh = (path: string, length = 300): FileChange => {
    const body = `${++serial} ${'text '.repeat(length / 5)}`;
    return { path, expect: null, data: { id: serial }, order: [], body };
  };
  const changed = (path: string): FileChange[] => [
    { path, expect: (entries.get(path) as Entry).etag, data: {}, order: [], body: `changed ${++serial}` },
    fresh(`revisions/${path.replaceAll('/', '-')}/${serial}.md`),
  ];
  const moved = (from: string, path: string): FileChange => ({
    path,
    from,
    expect: (entries.get(from) as Entry).etag,
    data: {},
    order: [],
  });

  for (const life of [0, 1, 2]) {
    store = await createStore({ dir, durability });
    await store.load();
    await Promise.all([1, 2, 3, 4].map((at) => commit([fresh(`posts/${life}/${at}.md`)])));
    await commit(changed(`posts/${life}/1.md`));
    await commit(changed(`posts/${life}/1.md`));
    await commit([moved(`posts/${life}/2.md`, `pages/${life}/two.md`), fresh(`posts/${life}/5.md`, 6000)]);
    await commit([{ remove: `posts/${life}/3.md` }]);
    if (life === 1) await new Promise((resolve) => setTimeout(resolve, 1100));
    await Promise.all([4, 5].map((at) => commit(changed(`posts/${life}/${at}.md`))));
    await commit([
      { path: `media/${life}.bin`, bytes: Buffer.from(`small ${life}`) },
      fresh(`media/${life}.yaml`.replace('.yaml', '.md')),
    ]);
    if (life === 2) {
      await commit([fresh('posts/large.md', 1_100_000)]);
      const spool = store.spoolFile();
      const handle = openSync(spool, 'wx');
      writeSync(handle, 'an upload');
      closeSync(handle);
      await commit([{ path: 'media/upload.bin', fromFile: spool }, fresh('media/upload.md')]);
      await commit(changed('posts/large.md'));
    }
    await store.close();
  }
  recording.stop();
  return { recording, done };
}

it.each<Durability>(['log', 'folder'])(
  'a power cut keeps every acknowledged commit, and no half of another: %s',
  async (durability) => {
    const folder = temporaryFolder({ 'site.yaml': 'title: Site\n', '.cms/x': '' });
    // Whoever opens the folder afterwards is on another start of the system.
    const stop = failDisk((call, path) => (call === 'readFile' && path.endsWith('/boot_id') ? 'ENOENT' : undefined));
    const { recording, done } = await run(folder.dir, durability).finally(stop);
    onTestFinished(recording.end);
    const chance = chanceOf(seed);
    for (let point = 0; point < points; point++) {
      const at = Math.floor(chance() * (recording.length + 1));
      const keeps = [0, 0.3, 0.7, 1][point % 4] as number;
      recording.cut(at, chance, keeps);
      const shown = `seed ${seed}, point ${point}: before step ${at} of ${recording.length}, ${keeps} kept`;
      const store = await createStore({ dir: folder.dir, durability });
      await store.load();
      await store.close();
      const found = digestsOf(folder.dir);
      expect(wrong(found, done, at), shown).toEqual([]);
      expect(real.existsSync(folder.at('.cms/set-aside')), shown).toBe(false);
      if (isLong && point % 500 === 499) process.stderr.write(`${durability}: ${point + 1} points\n`);
    }
  },
  isLong ? 3_600_000 : 120_000,
);

/** What is not as it may be. */
function wrong(found: ReadonlyMap<string, string>, done: readonly Done[], at: number): readonly string[] {
  const expected = new Map<string, string | null>();
  const faults: string[] = [];
  const begun = done.filter(({ from }) => from < at);
  for (const { effect } of begun.filter(({ to }) => to <= at)) for (const [path, digest] of effect) expected.set(path, digest);
  const others = begun.filter(({ to }) => to > at);
  for (const { effect } of others) {
    const states = [...effect].map(([path, digest]) => {
      if ((found.get(path) ?? null) === digest) return 'after';
      return (found.get(path) ?? null) === (expected.get(path) ?? null) ? 'before' : 'torn';
    });
    if (new Set(states).size > 1 || states.includes('torn')) faults.push(`${[...effect.keys()].join()}: ${states.join()}`);
    for (const path of effect.keys()) expected.set(path, found.get(path) ?? null);
  }
  for (const path of new Set([...found.keys(), ...expected.keys()])) {
    if (path === 'site.yaml' || (found.get(path) ?? null) === (expected.get(path) ?? null)) continue;
    faults.push(`${path}: ${found.has(path) ? 'other' : 'gone'}`);
  }
  return faults;
}
