import { failDisk } from '../../support/disk-faults.ts';
import fc from 'fast-check';
import {
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStore, type OpenStore } from '../../../src/kernel/store/store.ts';
import { type Batch, StaleWriteError, type FileChange } from '../../../src/kernel/store/types.ts';
import { BlockedPathError } from '../../../src/kernel/store/paths.ts';
import { plain } from '../../../src/kernel/model/plain.ts';
import { type Folder, temporaryFolder } from './folder.ts';

const nothing = { entries: [], blobs: [], removed: [], problems: [] };
const brief = ({ entries, blobs, removed, problems }: Batch) => ({
  entries: entries.map((entry) => entry.path).sort(),
  blobs: blobs.map((blob) => blob.path).sort(),
  removed: [...removed].sort(),
  problems: problems.map((problem) => `${problem.path}:${problem.line} ${problem.rule}`).sort(),
});

async function open(folder: Folder, options: Partial<Parameters<typeof createStore>[0]> = {}): Promise<OpenStore> {
  const store = await createStore({ dir: folder.dir, ...options });
  onTestFinished(() => store.close());
  return store;
}

/** Moves a file's times into the past, where they tell whether it has changed. */
function age(folder: Folder, path: string): void {
  utimesSync(folder.at(path), new Date(1000), new Date(1000));
}

describe('load', () => {
  it('removes abandoned temporary files', async () => {
    const mine = `posts/.cms-tmp-${process.pid}-earlier`;
    const folder = temporaryFolder({ 'posts/a.md': 'a', [mine]: 'x', 'posts/.cms-tmp-1-alive': 'x' });
    const reader = await open(folder, { readOnly: true });
    await reader.load();
    expect(existsSync(folder.at(mine))).toBe(true);
    const store = await open(folder);
    await store.load();
    expect(existsSync(folder.at(mine))).toBe(false);
    expect(existsSync(folder.at('posts/.cms-tmp-1-alive'))).toBe(true);
  });

  it('reads entries and blobs, and reports unreadable ones', async () => {
    const folder = temporaryFolder({
      'site.yaml': 'title: Site\n',
      'posts/a.md': '---\ntitle: A\n---\n\nText\n',
      'pages/b.html': '<p>B</p>',
      'media/2026/cat.jpg': 'jpg',
      'media/2026/cat.jpg.yaml': 'alt: Cat\n',
      'posts/broken.md': '---\ntitle: [\n---\n',
      'posts/notes.txt': 'x',
      'posts/image.png': 'x',
    });
    symlinkSync('/etc/passwd', folder.at('posts/link.md'));
    const store = await open(folder);
    const steps: [number, number][] = [];
    const batch = await store.load((done, total) => steps.push([done, total]));
    expect(brief(batch)).toEqual({
      entries: ['media/2026/cat.jpg.yaml', 'pages/b.html', 'posts/a.md', 'site.yaml'],
      blobs: ['media/2026/cat.jpg', 'posts/image.png'],
      removed: [],
      problems: ['posts/broken.md:3 yaml-syntax', 'posts/link.md:1 not-read-link'],
    });
    expect(batch.entries.find((entry) => entry.path === 'posts/a.md')).toMatchObject({
      kind: 'md',
      data: { title: 'A' },
      body: 'Text',
      size: 23,
    });
    expect(steps.at(-1)).toEqual([8, 8]);
    expect(brief(await store.sweep())).toEqual(nothing);
    expect(store.problems()).toHaveLength(2);
  });

  it('leaves nothing behind in a read-only folder', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const store = await open(folder, { readOnly: true });
    expect(brief(await store.load()).entries).toEqual(['posts/a.md']);
    await expect(store.commit([{ path: 'x.md', expect: null, data: {}, order: [] }])).rejects.toThrow('read-only');
    await expect(store.cache.set('x', new Uint8Array())).rejects.toThrow('read-only');
    expect(await store.private.get('accounts/1.json')).toBeNull();
    expect(readdirSync(folder.dir)).toEqual(['posts']);
  });

  it('visits every file in order and keeps nothing', async () => {
    const folder = temporaryFolder({
      'site.yaml': 'title: Site\n',
      'posts/b.md': 'b',
      'posts/a.md': '---\ntitle: A\n---\nText\n',
      'posts/2026/c.html': 'c',
      'media/cat.jpg': 'jpg',
      'posts/broken.md': '---\ntitle: [\n---\n',
      'notes.txt': 'x',
    });
    symlinkSync('/etc/passwd', folder.at('posts/link.md'));
    const store = await open(folder);
    await store.load();
    folder.write('posts/b.md', 'edited');
    const seen: string[] = [];
    const steps: [number, number][] = [];
    const problems = await store.visit(
      async (file) => void seen.push('body' in file ? `${file.path} ${file.body}` : file.path),
      (done, total) => steps.push([done, total]),
    );
    expect(seen).toEqual(['site.yaml ', 'media/cat.jpg', 'posts/a.md Text', 'posts/b.md edited', 'posts/2026/c.html c']);
    expect(problems.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      'posts/broken.md yaml-syntax',
      'posts/link.md not-read-link',
    ]);
    expect(steps.at(-1)).toEqual([7, 7]);
    expect(brief(await store.sweep()).entries).toEqual(['posts/b.md']);
    await expect(store.visit(() => Promise.reject(new Error('enough')))).rejects.toThrow('enough');
  });

  it('reports a missing folder, and does not remove its items', async () => {
    const folder = temporaryFolder({ 'site/posts/a.md': 'a' });
    const store = await createStore({ dir: folder.at('site') });
    await store.load();
    renameSync(folder.at('site'), folder.at('away'));
    expect(brief(await store.sweep())).toEqual({ ...nothing, problems: [':1 folder-unreadable'] });
    expect(brief(await store.sweep())).toEqual(nothing);
    renameSync(folder.at('away'), folder.at('site'));
    expect(brief(await store.sweep())).toEqual(nothing);
    expect(store.problems()).toEqual([]);
    await store.close();
  });

  it('skips oversized files, and links to its own folder', async () => {
    const folder = temporaryFolder({ 'posts/a.md': '', 'elsewhere/x': '' });
    truncateSync(folder.at('posts/a.md'), 33 * 1024 * 1024);
    const store = await open(folder);
    expect(brief(await store.load())).toEqual({ ...nothing, problems: ['posts/a.md:1 too-large'] });
    const other = temporaryFolder({ 'elsewhere/x': '' });
    symlinkSync(other.at('elsewhere'), other.at('.cms'));
    await expect(createStore({ dir: other.dir })).rejects.toThrow('is a link');
    expect(readdirSync(other.at('elsewhere'))).toEqual(['x']);
  });

  it('keeps itself out of git', async () => {
    const folder = temporaryFolder();
    const store = await open(folder);
    await store.private.set('accounts/1.json', new Uint8Array([1]));
    expect(folder.read('.cms/.gitignore')).toBe('*\n');
    expect(statSync(folder.at('.cms/private/accounts/1.json')).mode & 0o777).toBe(0o600);
  });
});

describe('commit', () => {
  it('changes only the lines of the changed keys', async () => {
    const before = '---\r\n# mine\r\ntitle: A # shown\r\nmood:   good\r\n---\r\nText';
    const folder = temporaryFolder({ 'posts/a.md': before });
    const store = await open(folder);
    const [entry] = (await store.load()).entries;
    const [after] = await store.commit([
      {
        path: 'posts/a.md',
        expect: entry?.etag as string,
        data: { title: 'B', modified: plain('2026-03-01T10:00:00') },
        order: ['title', 'modified'],
      },
    ]);
    expect(folder.read('posts/a.md')).toBe(
      '---\r\n# mine\r\ntitle: B # shown\r\nmodified: 2026-03-01T10:00:00\r\nmood:   good\r\n---\r\nText',
    );
    expect(after).toMatchObject({
      data: { title: 'B', modified: '2026-03-01T10:00:00', mood: 'good' },
      body: 'Text',
      mtimeMs: statSync(folder.at('posts/a.md')).mtimeMs,
    });
    expect(brief(await store.sweep())).toEqual(nothing);
    const again = await store.commit([{ path: 'posts/a.md', expect: after?.etag as string, data: { title: 'B' }, order: [] }]);
    expect(again).toEqual([after]);
  });

  it('is all or nothing when a file has changed', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a', 'posts/b.md': 'b' });
    const store = await open(folder);
    const { entries } = await store.load();
    const etag = (path: string) => entries.find((entry) => entry.path === path)?.etag as string;
    folder.write('posts/b.md', 'edited by hand');
    const changes: FileChange[] = [
      { path: 'posts/a.md', expect: etag('posts/a.md'), data: { title: 'A' }, order: [] },
      { path: 'posts/b.md', expect: etag('posts/b.md'), data: { title: 'B' }, order: [] },
    ];
    await expect(store.commit(changes)).rejects.toThrow(StaleWriteError);
    expect([folder.read('posts/a.md'), folder.read('posts/b.md')]).toEqual(['a', 'edited by hand']);
    const [seen] = (await store.reread(['posts/b.md'])).entries;
    expect(seen?.body).toBe('edited by hand');
    await store.commit([
      changes[0] as FileChange,
      { path: 'posts/b.md', expect: seen?.etag as string, data: { title: 'B' }, order: [] },
    ]);
    expect(folder.read('posts/b.md')).toBe('---\ntitle: B\n---\nedited by hand');
    expect(readdirSync(folder.at('posts')).sort()).toEqual(['a.md', 'b.md']);
    await store.close();
    expect(readdirSync(folder.at('.cms')).sort()).toEqual(['.gitignore', 'fence', 'log']);
  });

  it('is all or nothing when writing fails', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const store = await open(folder);
    const [entry] = (await store.load()).entries;
    const change = { path: 'posts/a.md', expect: entry?.etag as string, data: {}, order: [], body: 'changed' };
    const added = ['posts/new.md', 'posts/last.md'].map((path) => ({ path, expect: null, data: {}, order: [], body: 'n' }));
    let renames = 0;
    const mend = failDisk((call, path) => (call === 'rename' && path.includes('/posts/') && ++renames === 3 ? 'EIO' : undefined));
    onTestFinished(mend);
    await expect(store.commit([change, ...added])).rejects.toThrow('EIO');
    expect(folder.read('posts/a.md')).toBe('a');
    expect(readdirSync(folder.at('posts'))).toEqual(['a.md']);
    expect(store.halfWritten()).toBeNull();
    expect(await store.commit([change])).toHaveLength(1);
  });

  it('is refused before anything is written if a directory is in place of a file', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a', 'posts/taken.md/x.md': 'x' });
    const store = await open(folder);
    const added = ['posts/new.md', 'posts/taken.md'].map((path) => ({ path, expect: null, data: {}, order: [], body: 'n' }));
    await expect(store.commit(added)).rejects.toThrow(BlockedPathError);
    expect(readdirSync(folder.at('posts')).sort()).toEqual(['a.md', 'taken.md']);
    expect(existsSync(folder.at('.cms/log'))).toBe(false);
  });

  it('can swap two files', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a', 'posts/b.md': 'b' });
    const store = await open(folder);
    const { entries } = await store.load();
    const etag = (path: string) => entries.find((entry) => entry.path === path)?.etag as string;
    await store.commit([
      { path: 'posts/b.md', from: 'posts/a.md', expect: etag('posts/a.md'), data: {}, order: [] },
      { path: 'posts/a.md', from: 'posts/b.md', expect: etag('posts/b.md'), data: {}, order: [] },
    ]);
    expect([folder.read('posts/a.md'), folder.read('posts/b.md')]).toEqual(['b', 'a']);
  });

  it('can contain one file twice', async () => {
    const folder = temporaryFolder();
    const store = await open(folder);
    await store.load();
    const entries = await store.commit([
      { path: 'posts/a.md', expect: null, data: { title: 'A' }, order: [], body: 'x' },
      { path: 'posts/a.md', expect: null, data: { id: 1 }, order: ['id', 'title'] },
    ]);
    expect(folder.read('posts/a.md')).toBe('---\nid: 1\ntitle: A\n---\nx\n');
    expect(entries[0]).toEqual(entries[1]);
  });

  it.each([
    ['a path outside', { path: '../x.md', expect: null, data: {}, order: [] }],
    ['a path of our own', { path: '.cms/private/x.yaml', expect: null, data: {}, order: [] }],
    ['no entry', { path: 'posts/x.txt', expect: null, data: {}, order: [] }],
    ['a value that is none', { path: 'posts/x.md', expect: null, data: { a: Number.NaN }, order: [] }],
    ['a move over a file', { path: 'posts/a.md', from: 'posts/b.md', expect: 'b', data: {}, order: [] }],
  ] as [string, FileChange][])('rejects %s and changes nothing', async (_, change) => {
    const folder = temporaryFolder({ 'posts/a.md': 'a', 'posts/b.md': 'b' });
    const store = await open(folder);
    await store.load();
    await expect(store.commit([{ path: 'posts/new.md', expect: null, data: {}, order: [] }, change])).rejects.toThrow();
    expect(readdirSync(folder.at('posts')).sort()).toEqual(['a.md', 'b.md']);
  });

  it('runs for several writers at once', async () => {
    const folder = temporaryFolder();
    const stores = [await open(folder), await open(folder)];
    for (const store of stores) await store.load();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        stores[index % 2]?.commit([{ path: `posts/${index}.md`, expect: null, data: { id: index }, order: [] }]),
      ),
    );
    expect(readdirSync(folder.at('posts'))).toHaveLength(40);
    expect(brief((await stores[0]?.sweep()) as Batch).entries).toHaveLength(20);
  });
});

describe('scan', () => {
  it('reports changes by others, once', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a', 'posts/b.md': 'b', 'media/x.png': 'x' });
    const store = await open(folder);
    await store.load();
    folder.write('posts/a.md', 'A');
    folder.write('posts/c.md', 'c');
    folder.write('media/x.png', 'xx');
    unlinkSync(folder.at('posts/b.md'));
    expect(brief(await store.sweep())).toEqual({
      entries: ['posts/a.md', 'posts/c.md'],
      blobs: ['media/x.png'],
      removed: ['posts/b.md'],
      problems: [],
    });
    expect(brief(await store.sweep())).toEqual(nothing);
  });

  it('detects an edit of the same size at the same moment', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'one' });
    const store = await open(folder);
    await store.load();
    const { mtime, atime } = statSync(folder.at('posts/a.md'));
    writeFileSync(folder.at('posts/a.md'), 'two');
    utimesSync(folder.at('posts/a.md'), atime, mtime);
    expect((await store.sweep()).entries[0]?.body).toBe('two');
  });

  it('ignores a touched file', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const store = await open(folder);
    await store.load();
    age(folder, 'posts/a.md');
    expect(brief(await store.sweep())).toEqual(nothing);
  });

  it('quarantines a broken file until it is fixed or removed', async () => {
    const folder = temporaryFolder({ 'posts/a.md': '---\ntitle: A\n---\n', 'posts/b.md': 'b' });
    const store = await open(folder);
    await store.load();
    folder.write('posts/a.md', '---\ntitle: "A\n---\n');
    expect(brief(await store.sweep())).toMatchObject({
      entries: [],
      removed: [],
      problems: [expect.stringContaining('posts/a.md')],
    });
    expect(brief(await store.sweep())).toEqual(nothing);
    expect(store.problems()).toHaveLength(1);
    expect(brief(await store.reread(['posts/a.md'])).problems).toHaveLength(1);
    folder.write('posts/a.md', '---\ntitle: A\n---\n');
    expect(brief(await store.sweep())).toEqual({ ...nothing, entries: ['posts/a.md'] });
    folder.write('posts/b.md', Buffer.from([0xff]));
    rmSync(folder.at('posts/a.md'));
    symlinkSync('b.md', folder.at('posts/a.md'));
    expect(brief(await store.sweep()).problems).toEqual(['posts/a.md:1 not-read-link', 'posts/b.md:1 invalid-utf8']);
    unlinkSync(folder.at('posts/a.md'));
    unlinkSync(folder.at('posts/b.md'));
    expect(brief(await store.sweep())).toEqual({ ...nothing, removed: ['posts/a.md', 'posts/b.md'] });
    expect(store.problems()).toEqual([]);
  });

  it('a writer of a broken file learns that it has changed', async () => {
    const folder = temporaryFolder({ 'posts/a.md': '---\ntitle: A\n---\n' });
    const store = await open(folder);
    const [entry] = (await store.load()).entries;
    folder.write('posts/a.md', '---\ntitle: [\n---\n');
    await expect(
      store.commit([{ path: 'posts/a.md', expect: entry?.etag as string, data: { title: 'B' }, order: [] }]),
    ).rejects.toThrow(StaleWriteError);
    expect(folder.read('posts/a.md')).toBe('---\ntitle: [\n---\n');
  });

  it('any interleaving of edits and commits ends as a cold start', async () => {
    const path = fc.constantFrom('posts/a.md', 'posts/b.md', 'posts/x/c.md', 'media/d.png', 'terms/e.yaml');
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('edit' as const),
        path,
        content: fc.constantFrom('a: 1\n', 'b: 2\n', '---\nt: 1\n---\n', '---\nt: [\n---\n', ''),
      }),
      fc.record({ kind: fc.constant('delete' as const), path }),
      fc.record({ kind: fc.constant('commit' as const), path, id: fc.nat(3) }),
      fc.record({ kind: fc.constant('remove' as const), path }),
      fc.record({ kind: fc.constant('sweep' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const folder = temporaryFolder();
        const store = await createStore({ dir: folder.dir });
        const seen = new Map<string, string>();
        const apply = (batch: Batch) => {
          for (const entry of batch.entries) seen.set(entry.path, entry.etag);
          for (const blob of batch.blobs) seen.set(blob.path, `${blob.size}`);
          for (const gone of batch.removed) seen.delete(gone);
        };
        apply(await store.load());
        for (const item of steps) {
          if (item.kind === 'edit') folder.write(item.path, item.content);
          else if (item.kind === 'delete') rmSync(folder.at(item.path), { force: true });
          else if (item.kind === 'sweep') apply(await store.sweep());
          else if (item.kind === 'remove') {
            await store.commit([{ remove: item.path }]);
            seen.delete(item.path);
          } else if (!item.path.endsWith('png')) {
            try {
              const expectEtag = seen.get(item.path) ?? null;
              for (const entry of await store.commit([{ path: item.path, expect: expectEtag, data: { id: item.id }, order: [] }]))
                seen.set(entry.path, entry.etag);
            } catch (error) {
              if (!(error instanceof StaleWriteError)) throw error;
              apply(await store.reread([item.path]));
            }
          }
        }
        apply(await store.sweep());
        const cold = await createStore({ dir: folder.dir });
        const truth = await cold.load();
        const broken = new Set(truth.problems.map((problem) => problem.path));
        const expected = [
          ...truth.entries.map((entry) => [entry.path, entry.etag]),
          ...truth.blobs.map((blob) => [blob.path, `${blob.size}`]),
        ];
        expect([...seen].filter(([key]) => !broken.has(key)).sort()).toEqual(expected.sort());
        expect(
          store
            .problems()
            .map((problem) => problem.path)
            .sort(),
        ).toEqual([...broken].sort());
        await Promise.all([store.close(), cold.close()]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a finished file', () => {
  it('is moved into place with its commit', async () => {
    const folder = temporaryFolder({ 'site.yaml': 'title: Site\n', 'upload.tmp': 'bytes' });
    const store = await open(folder);
    await store.load();
    const fromFile = folder.at('upload.tmp');
    const sidecar = { path: 'media/2026/a.bin.yaml', expect: null, data: { id: 1 }, order: ['id'] };
    await store.commit([{ path: 'media/2026/a.bin', fromFile }, sidecar]);
    expect(existsSync(fromFile)).toBe(false);
    expect(Buffer.from((await store.readBytes('media/2026/a.bin')) ?? []).toString()).toBe('bytes');
    expect(store.locate('media/2026/a.bin')).toBe(folder.at('media/2026/a.bin'));
    expect(brief(await store.sweep())).toEqual(nothing);
  });

  it('stays where it is when the commit is refused', async () => {
    const folder = temporaryFolder({ 'site.yaml': 'title: Site\n', 'upload.tmp': 'bytes' });
    const store = await open(folder);
    const fromFile = folder.at('upload.tmp');
    const changes: FileChange[] = [
      { path: 'media/a.bin', fromFile },
      { path: 'site.yaml', expect: 'other', data: {}, order: [] },
    ];
    await expect(store.commit(changes)).rejects.toBeInstanceOf(StaleWriteError);
    expect([existsSync(fromFile), existsSync(folder.at('media/a.bin'))]).toEqual([true, false]);
  });

  it.each([
    ['a file', (fromFile: string) => ({ fromFile })],
    ['bytes', () => ({ bytes: Buffer.from('mine') })],
  ])('%s that must not exist yet replaces nothing', async (_, content) => {
    const folder = temporaryFolder({ 'site.yaml': 'title: Site\n', 'upload.tmp': 'mine', 'media/a.bin': 'theirs' });
    const store = await open(folder);
    const change = { path: 'media/a.bin', expect: null, ...content(folder.at('upload.tmp')) } as FileChange;
    await expect(store.commit([change])).rejects.toBeInstanceOf(StaleWriteError);
    expect(Buffer.from((await store.readBytes('media/a.bin')) ?? []).toString()).toBe('theirs');
  });

  it('locates no links and nothing outside', async () => {
    const folder = temporaryFolder({ 'site.yaml': 'title: Site\n' });
    symlinkSync('/etc/passwd', folder.at('link.txt'));
    const store = await open(folder);
    expect([store.locate('link.txt'), store.locate('none.txt')]).toEqual([null, null]);
    expect(() => store.locate('../x')).toThrow();
  });
});

describe('a missing folder, such as an unmounted disk', () => {
  const change = { path: 'posts/b.md', expect: null, data: {}, order: [], body: 'b' } as const;
  it.each<[string, (store: OpenStore) => unknown, boolean]>([
    ['a change of content', (store) => store.commit([change]), true],
    ['a file on its way', (store) => store.spoolFile(), true],
    ['a document of the cache', (store) => store.cache.set('x.json', Buffer.from('{}')), true],
    ['a private document', (store) => store.private.set('accounts/9.json', Buffer.from('{}')), false],
    ['work under the lock', (store) => store.alone(async () => undefined), true],
    ['a sweep', (store) => store.sweep(), false],
    ['reading again', (store) => store.reread(['posts/a.md']), false],
  ])('is not recreated by %s, and is written to when it is back', async (_, work, isRefused) => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const store = await open(folder, { watch: { events: false } });
    await store.load();
    const away = `${folder.dir}-away`;
    renameSync(folder.dir, away);
    const outcome = await (async () => work(store))().then(
      () => 'done',
      (error) => error.code,
    );
    if (isRefused) expect(outcome).toBe('ENOENT');
    expect(existsSync(folder.dir)).toBe(false);
    expect(store.knows('posts/a.md')).toBe(true);
    renameSync(away, folder.dir);
    await (async () => work(store))();
    await store.sweep();
    expect((await store.commit([{ ...change, path: 'posts/c.md' }]))[0]?.body).toBe('b');
  });
});
