/** Files of the server's own folder that came with the content: they count for nothing, and lead nowhere. */
import {
  cpSync,
  existsSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSequences } from '../../../src/kernel/store/taken-ids.ts';
import { etagOf } from '../../../src/kernel/yaml/codec.ts';
import { createDisk } from '../../../src/kernel/store/durable.ts';
import { createLog } from '../../../src/kernel/store/log.ts';
import { createLock } from '../../../src/kernel/store/lock.ts';
import { openSeal, stateDirectory } from '../../../src/kernel/store/state.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import { type Folder, temporaryFolder } from './folder.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

async function opened<T>(folder: Folder, work: (store: Awaited<ReturnType<typeof createStore>>) => Promise<T>): Promise<T> {
  // Files that have just changed are compared by content.
  const store = await createStore({ dir: folder.at('site'), clock: () => Date.now() + 60_000 });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const write = (store: Awaited<ReturnType<typeof createStore>>, path: string) =>
  store.commit([
    { path, expect: null, data: { title: 'x' }, order: [] },
    { path: `${path}.html`, expect: null, data: { title: 'y' }, order: [] },
  ]);

describe('a log', () => {
  it.each([
    ['of this machine is carried out', openSeal(stateDirectory()), true],
    ['under another key does nothing', openSeal('/nowhere', true), false],
  ])('%s', async (_, seal, isDone) => {
    const folder = temporaryFolder({ 'site/posts/a.md': 'a', 'site/.cms/x': '' });
    const log = createLog({
      ...{ dir: folder.at('site/.cms'), seal, disk: createDisk(), durability: 'log', clock: Date.now },
      ...{ flush: async () => undefined, alone: (work) => work(), background: () => undefined },
    });
    await log.append([[{ remove: 'posts/a.md', before: etagOf(bytes('a')) }]]);
    await log.close();
    await opened(folder, async () => undefined);
    expect(existsSync(folder.at('site/posts/a.md'))).toBe(!isDone);
  });
});

describe('derived data', () => {
  it('is trusted only as it was written, under its own name', async () => {
    const folder = temporaryFolder({ 'site/site.yaml': '', 'site/.cms/cache/plain.json': '{}', 'site/.cms/cache/short': 'x' });
    await opened(folder, async ({ cache }) => {
      await cache.set('a.json', bytes('one'));
      await cache.set('empty', bytes(''));
      const kept = [await cache.get('a.json'), await cache.get('empty')].map((found) => found && Buffer.from(found).toString());
      expect(kept).toEqual(['one', '']);
      const file = folder.at('site/.cms/cache/a.json');
      cpSync(file, folder.at('site/.cms/cache/b.json'));
      const changed = readFileSync(file);
      changed[0] = 80;
      writeFileSync(file, changed);
      for (const key of ['a.json', 'b.json', 'plain.json', 'short']) expect([key, await cache.get(key)]).toEqual([key, null]);
    });
  });

  it('ids from a forged file are rejected', async () => {
    const folder = temporaryFolder({ 'site/site.yaml': '', 'site/.cms/cache/sequences.json': '{"posts":9007199254740000}' });
    await opened(folder, async (store) => expect(await readSequences(store)).toEqual({}));
  });

  it('a text modified in the snapshot is read from its file', async () => {
    const posts = Object.fromEntries(
      Array.from({ length: 520 }, (_, at) => [`site/posts/p${at}.md`, `---\nid: ${at + 1}\n---\nTrue\n`]),
    );
    const folder = temporaryFolder(posts);
    const kept = folder.at('site/.cms/cache/snapshot');
    await opened(folder, (store) => store.load());
    expect(existsSync(join(kept, 'index'))).toBe(true);
    const segment = readdirSync(kept).find((name) => name.endsWith('.text')) ?? expect.fail('no segment');
    writeFileSync(join(kept, segment), readFileSync(join(kept, segment), 'latin1').replaceAll('True', 'Fake'), 'latin1');
    await opened(folder, async (store) => {
      const { entries } = await store.load();
      expect(new Set(entries.map(({ body }) => body))).toEqual(new Set(['True']));
    });
  });
});

describe('a link', () => {
  const links: readonly (readonly [name: string, target: string])[] = [
    ['fence', '../../precious'],
    ['log', '../../precious'],
    ['lock', '../../precious'],
    ['lock', '/dev/zero'],
    ['log', '/dev/zero'],
    ['fence', '/dev/zero'],
    ['lock.waiting', '/dev/zero'],
    ['.gitignore', '../../new'],
    ['cache/sequences.json', '../../../precious'],
    ['cache/snapshot/index', '/dev/zero'],
    ['cache/snapshot/derived', '/dev/zero'],
  ];
  it.each(links)('%s -> %s is neither read nor written through', async (name, target) => {
    const folder = temporaryFolder({ precious: 'precious', 'site/site.yaml': '' });
    mkdirSync(dirname(folder.at(`site/.cms/${name}`)), { recursive: true });
    symlinkSync(target, folder.at(`site/.cms/${name}`));
    // One that is young may be about to be written.
    lutimesSync(folder.at(`site/.cms/${name}`), 1, 1);
    await opened(folder, async (store) => {
      await store.load();
      await write(store, 'posts/a.md');
      if (name.startsWith('cache/')) await store.cache.set('sequences.json', bytes('{}'));
    });
    expect(folder.read('precious')).toBe('precious');
    expect(existsSync(folder.at('new'))).toBe(false);
    expect(existsSync(folder.at('site/posts/a.md'))).toBe(true);
  });

  it('of a folder is not written through, and nothing is removed there', async () => {
    const posts = Object.fromEntries(Array.from({ length: 520 }, (_, at) => [`site/posts/p${at}.md`, 'x\n']));
    const folder = temporaryFolder({ 'elsewhere/old.txt': 'x', ...posts });
    utimesSync(folder.at('elsewhere/old.txt'), 1, 1);
    mkdirSync(folder.at('site/.cms/cache'), { recursive: true });
    symlinkSync(folder.at('elsewhere'), folder.at('site/.cms/cache/snapshot'));
    await opened(folder, (store) => store.load());
    expect(readdirSync(folder.at('elsewhere'))).toEqual(['old.txt']);
  });

  it('to a file with two names is not written through either', async () => {
    for (const name of ['fence', 'log', 'lock.waiting']) {
      const folder = temporaryFolder({ precious: 'precious', 'site/site.yaml': '', 'site/.cms/.gitignore': '*\n' });
      linkSync(folder.at('precious'), folder.at(`site/.cms/${name}`));
      await opened(folder, (store) => write(store, 'posts/a.md'));
      expect([name, folder.read('precious')]).toEqual([name, 'precious']);
    }
  });

  it('in place of a waiting note leads nowhere', async () => {
    const folder = temporaryFolder({ precious: 'precious' });
    symlinkSync('precious', folder.at('lock.waiting'));
    const [first, second] = [createLock({ dir: folder.dir }), createLock({ dir: folder.dir, waitMs: 60 })];
    let release: () => void = () => undefined;
    const held = first.withLock(
      () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    );
    await expect(second.withLock(async () => undefined)).rejects.toThrow(/locked/);
    release();
    await held;
    expect(folder.read('precious')).toBe('precious');
  });
});

describe('a lock that came with the content', () => {
  it.each([
    [
      'of another host, for ever',
      JSON.stringify({ pid: 1, host: 'evil', started: 0, fence: 5, expires: Number.MAX_SAFE_INTEGER }),
    ],
    ['of another host, for a year', JSON.stringify({ pid: 1, host: 'evil', started: 0, fence: 5, expires: Date.now() + 3e10 })],
  ])('%s blocks nobody', async (_, text) => {
    const folder = temporaryFolder({ lock: text, fence: '999999999999999999' });
    const lock = createLock({ dir: folder.dir, waitMs: 1000 });
    expect(await lock.withLock(async ({ fence }) => fence)).toBe(1);
    expect(await lock.withLock(async ({ fence }) => fence)).toBe(2);
  });

  it('a folder in place of a file is removed', async () => {
    const folder = temporaryFolder({ 'site/site.yaml': '', 'site/.cms/fence/x': '', 'site/.cms/log/x': '' });
    await opened(folder, (store) => write(store, 'posts/a.md'));
    expect(['fence', 'log'].map((name) => statSync(folder.at(`site/.cms/${name}`)).isFile())).toEqual([true, true]);
  });
});
