/** A process that dies in the middle of a commit: at every point the next start finds the site as before or as after. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSeal, stateDirectory } from '../../../src/kernel/store/state.ts';
import { etagOf } from '../../../src/kernel/yaml/codec.ts';
import { filesDriver } from '../../../src/kernel/store/files.ts';
import { commitAll } from '../../../src/kernel/store/commit.ts';
import { createDisk } from '../../../src/kernel/store/durable.ts';
import type { Lease } from '../../../src/kernel/store/lock.ts';
import { createMounts, type Engine } from '../../../src/kernel/store/mounts.ts';
import { createQueue } from '../../../src/kernel/store/queue.ts';
import { createStatCache } from '../../../src/kernel/store/stat-cache.ts';
import type { FileChange } from '../../../src/kernel/store/types.ts';
import { createJournal, type Journal, type Step } from '../../../src/kernel/store/journal.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import { type Folder, temporaryFolder } from './folder.ts';

const bytes = (content: string) => new TextEncoder().encode(content);
const inode = (path: string) => statSync(path).ino;
const etag = (content: string) => etagOf(bytes(content));

/** Stages a commit that changes `a`, moves `b` to `c/b`, and removes `d`, as a process with another id would have. */
function begun(): { folder: Folder; steps: Step[]; temporaries: string[] } {
  const folder = temporaryFolder({
    'posts/a.md': 'a',
    'posts/b.md': 'b',
    'posts/d.md': 'd',
    '.cms/lock': '{"pid":4194305,"host":"gone","expires":1}',
  });
  const temporaries = [folder.at(`posts/.cms-tmp-4194305-one`), folder.at('posts/c/.cms-tmp-4194305-two')];
  folder.write('posts/c/keep.md', 'k');
  writeFileSync(temporaries[0] as string, 'A');
  writeFileSync(temporaries[1] as string, 'B');
  const steps: Step[] = [
    { write: 'posts/a.md', temporary: temporaries[0] as string, before: etag('a'), ino: inode(temporaries[0] as string) },
    { write: 'posts/c/b.md', temporary: temporaries[1] as string, before: null, ino: inode(temporaries[1] as string) },
    { remove: 'posts/b.md', before: etag('b') },
    { remove: 'posts/d.md', before: etag('d') },
  ];
  return { folder, steps, temporaries };
}

async function restart(folder: Folder): Promise<Record<string, string>> {
  const store = await createStore({ dir: folder.dir });
  onTestFinished(() => store.close());
  const { entries } = await store.load();
  expect(existsSync(folder.at('.cms/journal')) && folder.read('.cms/journal')).toSatisfy(
    (left) => left === false || String(left).startsWith('-\n'),
  );
  expect(readdirSync(folder.dir, { recursive: true }).filter((name) => String(name).includes('.cms-tmp'))).toEqual([]);
  return Object.fromEntries(entries.map((entry) => [basename(entry.path), entry.body]));
}

describe('a commit cut off', () => {
  it('before its journal is undone', async () => {
    const { folder } = begun();
    expect(await restart(folder)).toEqual({ 'a.md': 'a', 'b.md': 'b', 'd.md': 'd', 'keep.md': 'k' });
  });

  it.each([0, 1, 2, 3, 4])('after its journal and %i steps is finished', async (count) => {
    const { folder, steps } = begun();
    await createJournal(folder.at('.cms')).write([steps]);
    const files = filesDriver({ dir: folder.dir });
    for (const step of steps.slice(0, count)) {
      if ('write' in step) await files.publish(step.temporary, step.write);
      else await files.unlink(step.remove);
    }
    expect(await restart(folder)).toEqual({ 'a.md': 'A', 'b.md': 'B', 'keep.md': 'k' });
  });

  it.each([0, 1, 2, 3, 4])(
    'after its journal and %i steps is finished on a file system that numbers files anew',
    async (count) => {
      const { folder, steps } = begun();
      const numbered = steps.map((step) =>
        'write' in step ? { ...step, ino: 1, after: etagOf(readFileSync(step.temporary)) } : step,
      );
      await createJournal(folder.at('.cms')).write([numbered]);
      const files = filesDriver({ dir: folder.dir });
      for (const step of steps.slice(0, count)) {
        if ('write' in step) await files.publish(step.temporary, step.write);
        else await files.unlink(step.remove);
      }
      expect(await restart(folder)).toEqual({ 'a.md': 'A', 'b.md': 'B', 'keep.md': 'k' });
      expect(await restart(folder)).toEqual({ 'a.md': 'A', 'b.md': 'B', 'keep.md': 'k' });
    },
  );

  it('leaves what a person has written since, and removes nothing then', async () => {
    const { folder, steps } = begun();
    await createJournal(folder.at('.cms')).write([steps]);
    folder.write('posts/c/b.md', 'by hand');
    const store = await createStore({ dir: folder.dir });
    await store.close();
    expect([
      folder.read('posts/a.md'),
      folder.read('posts/c/b.md'),
      folder.read('posts/b.md'),
      folder.read('posts/d.md'),
    ]).toEqual(['A', 'by hand', 'b', 'd']);
  });

  it('is finished by the next writer as well', async () => {
    const { folder, steps } = begun();
    const store = await createStore({ dir: temporaryFolder().dir });
    await store.close();
    const other = await createStore({ dir: folder.dir });
    // The other process dies after this one has started.
    writeFileSync(folder.at('posts/.cms-tmp-4194305-one'), 'A');
    folder.write('.cms/lock', '{"pid":4194305,"host":"gone","expires":1}');
    await createJournal(folder.at('.cms')).write([steps.slice(0, 1)]);
    await other.commit([{ path: 'posts/e.md', expect: null, data: {}, order: [], body: 'e' }]);
    expect(folder.read('posts/a.md')).toBe('A');
    await other.close();
    expect(createJournal(folder.at('.cms')).pending()).toBeNull();
  });

  it('at the last moment, because a file was saved by hand, is undone', async () => {
    const { folder, steps, temporaries } = begun();
    await createJournal(folder.at('.cms')).write([steps]);
    folder.write('posts/a.md', 'by hand');
    rmSync(temporaries[0] as string);
    expect(await restart(folder)).toEqual({ 'a.md': 'by hand', 'b.md': 'b', 'd.md': 'd', 'keep.md': 'k' });
  });

  it('does not hold up another of the same journal', async () => {
    const { folder, steps, temporaries } = begun();
    const [a, b, ...removals] = steps as [Step, Step, ...Step[]];
    await createJournal(folder.at('.cms')).write([
      [a, removals[0] as Step],
      [b, removals[1] as Step],
    ]);
    rmSync(temporaries[0] as string);
    await restart(folder);
    expect(['posts/a.md', 'posts/b.md', 'posts/c/b.md'].map(folder.read)).toEqual(['a', 'b', 'B']);
    expect(existsSync(folder.at('posts/d.md'))).toBe(false);
  });

  it.each([
    ['torn', (file: string) => truncateSync(file, 200)],
    ['damaged', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('posts/d.md', 'posts/x.md'))],
    ['cleared', (file: string) => createJournal(dirname(file)).clear()],
  ])('with a journal that is %s is undone', async (_, change) => {
    const { folder, steps } = begun();
    await createJournal(folder.at('.cms')).write([steps]);
    change(folder.at('.cms/journal'));
    expect(await restart(folder)).toEqual({ 'a.md': 'a', 'b.md': 'b', 'd.md': 'd', 'keep.md': 'k' });
  });

  it('is found behind what longer journals have left', async () => {
    const { folder, steps } = begun();
    const journal = createJournal(folder.at('.cms'));
    await journal.write([steps, steps, steps]);
    journal.clear();
    await journal.write([steps]);
    expect(await restart(folder)).toEqual({ 'a.md': 'A', 'b.md': 'B', 'keep.md': 'k' });
  });
});

describe('a new file that the journal carries', () => {
  const revision = '---\nid: 9\n---\nas it was\n';

  /** A commit that changes `a` and adds `r`, which has not been flushed: as `left` says, after a power cut. */
  async function cut(left: (folder: Folder) => void): Promise<Record<string, string>> {
    const { folder, steps, temporaries } = begun();
    folder.write('revisions/1/r.md', revision);
    const step = { write: 'revisions/1/r.md', temporary: folder.at('revisions/1/.cms-tmp-4194305-r'), before: null };
    await createJournal(folder.at('.cms')).write([
      [steps[0] as Step, { ...step, ino: inode(folder.at('revisions/1/r.md')), text: revision }],
    ]);
    await filesDriver({ dir: folder.dir }).publish(temporaries[0] as string, 'posts/a.md');
    left(folder);
    const found = await restart(folder);
    expect(await restart(folder)).toEqual(found);
    return found;
  }
  const whole = { 'a.md': 'A', 'b.md': 'b', 'd.md': 'd', 'keep.md': 'k' };

  it.each([
    ['is there', () => undefined],
    ['is gone with its directory', (folder: Folder) => rmSync(folder.at('revisions'), { recursive: true })],
    ['is empty', (folder: Folder) => truncateSync(folder.at('revisions/1/r.md'))],
    ['has lost its end', (folder: Folder) => truncateSync(folder.at('revisions/1/r.md'), 10)],
    ['is full of zeros', (folder: Folder) => writeFileSync(folder.at('revisions/1/r.md'), Buffer.alloc(revision.length))],
    [
      'is still a temporary file',
      (folder: Folder) => renameSync(folder.at('revisions/1/r.md'), folder.at('revisions/1/.cms-tmp-4194305-r')),
    ],
  ])('and that %s is as it was written', async (_, left) => {
    expect(await cut(left)).toEqual({ ...whole, 'r.md': 'as it was' });
  });

  it('and that others have changed stays theirs', async () => {
    expect(await cut((folder) => writeFileSync(folder.at('revisions/1/r.md'), 'by hand'))).toEqual({
      ...whole,
      'r.md': 'by hand',
    });
  });

  it('does not come with a commit that was refused', async () => {
    const { folder, steps, temporaries } = begun();
    const step = { write: 'posts/r.md', temporary: folder.at('posts/.cms-tmp-4194305-r'), before: null, ino: 1, text: revision };
    await createJournal(folder.at('.cms')).write([[steps[0] as Step, step]]);
    rmSync(temporaries[0] as string);
    expect(await restart(folder)).toEqual({ 'a.md': 'a', 'b.md': 'b', 'd.md': 'd', 'keep.md': 'k' });
  });
});

describe('a commit waits for', () => {
  const update: FileChange[] = [
    { path: 'posts/a.md', expect: etag('a'), data: {}, order: [], body: 'b' },
    { path: 'revisions/1/2.md', expect: null, data: { id: 2 }, order: [], body: 'a' },
  ];

  /** A store that notes what is flushed. */
  function noting(folder: Folder) {
    const disk = createDisk();
    const { content } = createMounts({ dir: folder.dir, disk });
    const flushes: string[] = [];
    const engine: Engine = {
      ...content,
      async stage(path, bytes, options) {
        if (!options?.isFlushedLater) flushes.push(path);
        return content.stage(path, bytes, options);
      },
      async flush(paths) {
        for (const directory of new Set([...paths].map(dirname))) flushes.push(directory);
        return content.flush(paths);
      },
      flushFiles: vi.fn(async (paths) => {
        flushes.push(...paths);
        return content.flushFiles(paths);
      }),
    };
    mkdirSync(folder.at('.cms'), { recursive: true });
    const inner = createJournal(folder.at('.cms'));
    const journal = {
      ...inner,
      async write(...args: Parameters<Journal['write']>) {
        flushes.push('journal');
        await inner.write(...args);
      },
    };
    const statCache = createStatCache(engine, createQueue());
    const lease: Lease = { fence: 1, isNew: true, check: () => undefined };
    const context = { engine, statCache, journal, late: () => undefined, failed: () => undefined, carried: new Set<string>() };
    const commit = async (changes: readonly FileChange[]) => {
      let before: string[] = [];
      let isPending = false;
      await commitAll(context, [changes], lease, () => {
        isPending = inner.pending() !== null;
        before = flushes.splice(0);
      });
      return { before, after: flushes.splice(0), isPending };
    };
    return { engine, inner, commit };
  }

  it('three flushes where it leaves a revision: the journal, the file and its directory', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { commit, inner } = noting(folder);
    expect(await commit(update)).toMatchObject({
      before: ['posts/a.md', 'journal', 'posts'],
      after: ['revisions/1/2.md'],
      isPending: true,
    });
    expect(inner.pending()).toBeNull();
    expect([folder.read('posts/a.md'), folder.read('revisions/1/2.md')]).toEqual(['b\n', '---\nid: 2\n---\na\n']);
  });

  it('what the commit before it could not flush, so that the journal is not written over', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { commit, engine, inner } = noting(folder);
    vi.mocked(engine.flushFiles).mockRejectedValueOnce(new Error('EIO')).mockRejectedValueOnce(new Error('EIO again'));
    await expect(commit(update)).rejects.toThrow('EIO');
    const carried = inner.pending();
    expect(carried).not.toBeNull();
    const next: FileChange[] = [3, 4].map((id) => ({
      path: `revisions/1/${id}.md`,
      expect: null,
      data: { id },
      order: [],
      body: 'b',
    }));
    await expect(commit(next)).rejects.toThrow('EIO again');
    expect(inner.pending()).toBe(carried);
    expect(existsSync(folder.at('revisions/1/3.md'))).toBe(false);
    expect((await commit(next)).before.slice(0, 3)).toEqual(['revisions/1/2.md', 'revisions/1/4.md', 'journal']);
    expect(inner.pending()).toBeNull();
  });

  it.each(['a link', 'a directory'])('nothing more when %s is in the place of what could not be flushed', async (what) => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { commit, engine, inner } = noting(folder);
    vi.mocked(engine.flushFiles).mockRejectedValueOnce(new Error('EIO'));
    await expect(commit(update)).rejects.toThrow('EIO');
    rmSync(folder.at('revisions/1/2.md'));
    if (what === 'a link') symlinkSync('/etc/hostname', folder.at('revisions/1/2.md'));
    else mkdirSync(folder.at('revisions/1/2.md'));
    await commit([{ path: 'posts/n.md', expect: null, data: {}, order: [], body: 'n' }]);
    expect(inner.pending()).toBeNull();
    expect(existsSync(folder.at('posts/n.md'))).toBe(true);
  });
});

const written = (value: unknown) => {
  const text = JSON.stringify(value);
  return `journal ${Buffer.byteLength(text)} ${openSeal(stateDirectory()).of('journal', text)}\n${text}`;
};

it.each([
  ['nonsense', 'not json'],
  [
    'paths outside',
    written([
      [
        { write: '../x.md', temporary: '/etc/.cms-tmp-1-x', before: null, ino: 1 },
        { remove: '../../etc/passwd', before: 'x' },
      ],
    ]),
  ],
  ['temporary files elsewhere', written([[{ write: 'posts/x.md', temporary: '/etc/passwd', before: null, ino: 1 }]])],
  ['other shapes', written([[null, 1, { remove: 'posts/a.md' }, {}], 7, null])],
  ['no list', written({ steps: [] })],
])('a journal of %s does nothing', async (_, content) => {
  const folder = temporaryFolder({ 'posts/a.md': 'a', '.cms/journal': content });
  expect(await restart(folder)).toEqual({ 'a.md': 'a' });
});
