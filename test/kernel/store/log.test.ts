/** The log, and a process or a system that dies in the middle of a commit: at every point the next start finds the site as before or as after. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { commitAll } from '../../../src/kernel/store/commit.ts';
import { createDisk, type Disk } from '../../../src/kernel/store/durable.ts';
import { filesDriver } from '../../../src/kernel/store/files.ts';
import type { Lease } from '../../../src/kernel/store/lock.ts';
import type { CommitLog, Durability, LogOptions } from '../../../src/kernel/store/log.ts';
import { LogVersionError, pathOf, type Step, type WriteStep } from '../../../src/kernel/store/log-file.ts';
import { createMounts } from '../../../src/kernel/store/mounts.ts';
import { createQueue } from '../../../src/kernel/store/queue.ts';
import { createStatCache } from '../../../src/kernel/store/stat-cache.ts';
import { openSeal, stateDirectory } from '../../../src/kernel/store/state.ts';
import { createStore, isHalfWritten, type OpenStore } from '../../../src/kernel/store/store.ts';
import type { FileChange } from '../../../src/kernel/store/types.ts';
import { etagOf } from '../../../src/kernel/yaml/codec.ts';
import { type Folder, temporaryFolder } from './folder.ts';
import { logIn } from './folder-log.ts';

const bytes = (content: string) => new TextEncoder().encode(content);
const inode = (path: string) => statSync(path).ino;
const etag = (content: string) => etagOf(bytes(content));

/** Writes a record and dies: of this start of the system, or of one before it. */
async function logged(folder: Folder, commits: readonly (readonly Step[])[], boot?: string): Promise<void> {
  const log = logIn(folder, boot === undefined ? {} : { boot });
  await log.append(commits);
  await log.close();
}

type Kind = 'in the log' | 'beside their places';

/** Stages a commit that changes `a`, moves `b` to `c/b`, and removes `d`, as a process with another id would have. */
function begun(kind: Kind = 'beside their places'): { folder: Folder; steps: Step[]; temporaries: string[] } {
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
  const write = (path: string, before: string | null, content: string, temporary = ''): WriteStep => ({
    write: path,
    before,
    after: etag(content),
    ino: inode(temporary),
    ...(kind === 'in the log' ? { bytes: bytes(content) } : { temporary }),
  });
  const steps: Step[] = [
    write('posts/a.md', etag('a'), 'A', temporaries[0]),
    write('posts/c/b.md', null, 'B', temporaries[1]),
    { remove: 'posts/b.md', before: etag('b') },
    { remove: 'posts/d.md', before: etag('d') },
  ];
  return { folder, steps, temporaries };
}

async function carryOut({ folder, steps, temporaries }: ReturnType<typeof begun>, count: number): Promise<void> {
  const files = filesDriver({ dir: folder.dir });
  for (const [at, step] of steps.slice(0, count).entries()) {
    if ('write' in step) await files.publish(temporaries[at] as string, step.write);
    else await files.unlink(step.remove);
  }
}

async function restart(folder: Folder): Promise<Record<string, string>> {
  const store = await createStore({ dir: folder.dir });
  onTestFinished(() => store.close());
  const { entries } = await store.load();
  expect(store.halfWritten()).toBeNull();
  expect(readdirSync(folder.dir, { recursive: true }).filter((name) => String(name).includes('.cms-tmp'))).toEqual([]);
  return Object.fromEntries(entries.map((entry) => [basename(entry.path), entry.body]));
}

const asBefore = { 'a.md': 'a', 'b.md': 'b', 'd.md': 'd', 'keep.md': 'k' };
const asAfter = { 'a.md': 'A', 'b.md': 'B', 'keep.md': 'k' };
const kinds: readonly Kind[] = ['in the log', 'beside their places'];
const steps = [0, 1, 2, 3, 4];

describe('an interrupted commit', () => {
  it('before its log record is undone', async () => {
    expect(await restart(begun().folder)).toEqual(asBefore);
  });

  it.each(kinds.flatMap((kind) => steps.map((count) => [kind, count] as const)))(
    'with its files %s and %i steps taken is finished',
    async (kind, count) => {
      const one = begun(kind);
      await logged(one.folder, [one.steps]);
      await carryOut(one, count);
      expect(await restart(one.folder)).toEqual(asAfter);
    },
  );

  it.each(kinds.flatMap((kind) => steps.map((count) => [kind, count] as const)))(
    'with its files %s and %i steps taken is finished on a file system with new inode numbers',
    async (kind, count) => {
      const one = begun(kind);
      await logged(one.folder, [one.steps.map((step) => ('write' in step ? { ...step, ino: 1 } : step))], 'another start');
      await carryOut(one, count);
      expect(await restart(one.folder)).toEqual(asAfter);
      expect(await restart(one.folder)).toEqual(asAfter);
    },
  );

  it.each(kinds)('with its files %s keeps what a person has written since, and removes nothing then', async (kind) => {
    const one = begun(kind);
    await logged(one.folder, [one.steps]);
    await carryOut(one, 1);
    one.folder.write('posts/c/b.md', 'by hand');
    await restart(one.folder);
    expect(['posts/a.md', 'posts/c/b.md', 'posts/b.md', 'posts/d.md'].map(one.folder.read)).toEqual(['A', 'by hand', 'b', 'd']);
  });

  it('is finished by the next writer as well', async () => {
    const { folder, steps } = begun('in the log');
    const other = await createStore({ dir: folder.dir });
    // The other process dies after this one has started.
    await new Promise((resolve) => setTimeout(resolve, 60));
    folder.write('.cms/lock', '{"pid":4194305,"host":"gone","expires":1}');
    await logged(folder, [steps.slice(0, 1)]);
    await other.commit([{ path: 'posts/e.md', expect: null, data: {}, order: [], body: 'e' }]);
    expect(folder.read('posts/a.md')).toBe('A');
    expect(other.halfWritten()).toBeNull();
    await other.close();
  });

  it.each(kinds)('with its files %s is finished by who only reads, unless nothing may be written', async (kind) => {
    const one = begun(kind);
    await logged(one.folder, [one.steps]);
    await carryOut(one, 1);
    const untouched = await createStore({ dir: one.folder.dir, readOnly: true, untouched: true });
    expect(existsSync(one.folder.at('posts/c/b.md'))).toBe(false);
    expect(await isHalfWritten(untouched)).toBe(true);
    await untouched.close();
    const reader = await createStore({ dir: one.folder.dir, readOnly: true });
    const { entries } = await reader.load();
    expect(Object.fromEntries(entries.map((entry) => [basename(entry.path), entry.body]))).toEqual(asAfter);
    expect(await isHalfWritten(reader)).toBe(false);
    await reader.close();
  });

  it.each(kinds)('with its files %s, at the last moment, because a file was saved by hand, is undone', async (kind) => {
    const { folder, steps } = begun(kind);
    await logged(folder, [steps]);
    folder.write('posts/a.md', 'by hand');
    expect(await restart(folder)).toEqual({ ...asBefore, 'a.md': 'by hand' });
  });

  it('does not block another one in the same record', async () => {
    const { folder, steps } = begun('in the log');
    const [a, b, ...removals] = steps as [Step, Step, ...Step[]];
    await logged(folder, [
      [a, removals[0] as Step],
      [b, removals[1] as Step],
    ]);
    folder.write('posts/a.md', 'by hand');
    await restart(folder);
    expect(['posts/a.md', 'posts/b.md', 'posts/c/b.md'].map(folder.read)).toEqual(['by hand', 'b', 'B']);
    expect(existsSync(folder.at('posts/d.md'))).toBe(false);
  });

  it('is not executed once it was refused', async () => {
    const { folder, steps } = begun('in the log');
    const log = logIn(folder, { boot: 'another start' });
    const [seq] = await log.append([steps]);
    await log.finish([], [seq as number]);
    expect(await restart(folder)).toEqual(asBefore);
  });

  const damages: readonly [what: string, change: (file: string) => void][] = [
    ['torn', (file) => zero(file, 4096 + 700, 100)],
    ['changed', (file) => writeFileSync(file, readFileSync(file, 'latin1').replace('posts/d.md', 'posts/x.md'), 'latin1')],
    ['cut short', (file) => truncateSync(file, 5000)],
  ];
  it.each(damages)('with a record that is %s is undone', async (_, change) => {
    const { folder, steps } = begun('in the log');
    await logged(folder, [steps]);
    change(folder.at('.cms/log'));
    expect(await restart(folder)).toEqual(asBefore);
  });
});

function zero(file: string, from: number, length: number): void {
  const content = readFileSync(file);
  content.fill(0, from, from + length);
  writeFileSync(file, content);
}

describe('after a power cut', () => {
  const revision = '---\nid: 9\n---\nas it was\n';

  /** A commit that changes `a` and adds `r`, of which the disk has what `left` says. */
  async function cut(left: (folder: Folder) => void): Promise<Folder> {
    const { folder, steps, temporaries } = begun('in the log');
    folder.write('revisions/1/r.md', revision);
    const content = bytes(revision);
    const step = { write: 'revisions/1/r.md', before: null, after: etag(revision), ino: inode(folder.at('revisions/1/r.md')) };
    await logged(folder, [[steps[0] as Step, { ...step, bytes: content }]], 'another start');
    await filesDriver({ dir: folder.dir }).publish(temporaries[0] as string, 'posts/a.md');
    left(folder);
    const found = await restart(folder);
    expect(await restart(folder)).toEqual(found);
    return folder;
  }

  it.each([
    ['is there', () => undefined],
    ['is gone with its directory', (folder: Folder) => rmSync(folder.at('revisions'), { recursive: true })],
    ['is empty', (folder: Folder) => truncateSync(folder.at('revisions/1/r.md'))],
    ['has lost its end', (folder: Folder) => truncateSync(folder.at('revisions/1/r.md'), 10)],
    ['is full of zeros', (folder: Folder) => writeFileSync(folder.at('revisions/1/r.md'), Buffer.alloc(revision.length))],
  ])('a file that %s is as it was written', async (_, left) => {
    const folder = await cut(left);
    expect([folder.read('posts/a.md'), folder.read('revisions/1/r.md')]).toEqual(['A', revision]);
  });

  it('a file changed by others since stays theirs, and the written version is kept', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const folder = await cut((one) => one.write('revisions/1/r.md', 'by hand'));
    expect([folder.read('posts/a.md'), folder.read('revisions/1/r.md')]).toEqual(['A', 'by hand']);
    const [seq = ''] = readdirSync(folder.at('.cms/set-aside'));
    expect(folder.read(`.cms/set-aside/${seq}/revisions/1/r.md`)).toBe(revision);
    expect(String(warned.mock.calls[0]?.[0])).toContain(`.cms/set-aside/${seq}/revisions/1/r.md`);
    warned.mockRestore();
  });

  it.each(['X', 'Y', 'Z', 'torn Y'])('a file written twice and now at %s gets its last state', async (left) => {
    const folder = temporaryFolder({ 'posts/a.md': left === 'torn Y' ? '\0' : left });
    const ino = inode(folder.at('posts/a.md'));
    const write = (before: string, content: string): Step => ({
      ...{ write: 'posts/a.md', before: etag(before), after: etag(content), ino, bytes: bytes(content) },
    });
    const log = logIn(folder, { boot: 'another start', flush: () => Promise.reject(new Error('the power is cut')) });
    for (const step of [write('X', 'Y'), write('Y', 'Z')]) {
      await log.append([[step]]);
      await log.finish(['posts/a.md']);
    }
    await log.close();
    await restart(folder);
    expect(folder.read('posts/a.md')).toBe('Z');
  });
});

describe('an edit by hand', () => {
  it('that restores the state before a commit stays, although the log still has the commit', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const log = logIn(folder, { flush: () => Promise.reject(new Error('not flushed')) });
    await log.append([[{ write: 'posts/a.md', before: etag('a'), after: etag('A'), ino: 1, bytes: bytes('A') }]]);
    await log.finish(['posts/a.md']);
    await log.close();
    expect(await restart(folder)).toEqual({ 'a.md': 'a' });
  });
});

describe('a commit', () => {
  const update: FileChange[] = [
    { path: 'posts/a.md', expect: etag('a'), data: {}, order: [], body: 'b' },
    { path: 'revisions/1/2.md', expect: null, data: { id: 2 }, order: [], body: 'a' },
  ];

  /** Commits to a folder, and notes what is flushed. */
  function noting(folder: Folder, durability: Durability) {
    const flushes: string[] = [];
    const inner = createDisk();
    const disk: Disk = {
      ...inner,
      async flushData(handle) {
        flushes.push('log');
        await inner.flushData(handle);
      },
      async flushDirectory(directory) {
        flushes.push(basename(directory));
        await inner.flushDirectory(directory);
      },
      async flushFile(file) {
        flushes.push(basename(file));
        await inner.flushFile(file);
      },
      async stage(directory, content, mode, options) {
        if (options?.isFlushedLater !== true) flushes.push('staged');
        return inner.stage(directory, content, mode, options);
      },
    };
    const engine = createMounts({ dir: folder.dir, disk }).content;
    const log = logIn(folder, { disk, durability, flush: engine.flushFiles, background: () => undefined });
    onTestFinished(() => log.close());
    const statCache = createStatCache(engine, createQueue());
    const lease: Lease = { fence: 1, isNew: true, check: () => undefined };
    const commit = async (changes: readonly FileChange[]) => {
      flushes.length = 0;
      const [outcome] = await commitAll(
        { engine, statCache, log, late: () => undefined, failed: () => undefined },
        [changes],
        lease,
      );
      return { outcome, flushes: flushes.splice(0) };
    };
    return { commit, log, flushes };
  }

  it('waits for one flush, that of the log; the rest follows within a second', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { commit, log, flushes } = noting(folder, 'log');
    await commit([{ path: 'posts/first.md', expect: null, data: {}, order: [], body: 'x' }]);
    await log.checkpoint();
    expect((await commit(update)).flushes).toEqual(['log']);
    expect([folder.read('posts/a.md'), folder.read('revisions/1/2.md')]).toEqual(['b\n', '---\nid: 2\n---\na\n']);
    await log.checkpoint();
    expect(flushes.sort()).toEqual(['1', '2.md', 'a.md', 'log', 'posts', 'revisions', basename(folder.dir)].sort());
  });

  it('of a large file flushes it and its directory before the log', async () => {
    const { commit } = noting(temporaryFolder({ 'posts/a.md': 'a' }), 'log');
    await commit([{ path: 'posts/first.md', expect: null, data: {}, order: [], body: 'x' }]);
    const large = { path: 'posts/large.md', expect: null, data: {}, order: [], body: 'x'.repeat(1024 * 1024) };
    expect((await commit([large])).flushes).toEqual(['staged', 'posts', 'log']);
  });

  it('flushes everything first with CMS_DURABILITY=folder', async () => {
    const { commit, log, flushes } = noting(temporaryFolder({ 'posts/a.md': 'a' }), 'folder');
    await commit([{ path: 'posts/first.md', expect: null, data: {}, order: [], body: 'x' }]);
    const found = await commit(update);
    expect(found.flushes[0]).toBe('log');
    expect(found.flushes).toEqual(expect.arrayContaining(['a.md', '2.md', 'posts', '1', 'revisions']));
    await log.checkpoint();
    expect(flushes).toEqual(['log']);
  });

  it('of what another process has committed includes the folders that it may have made', async () => {
    const folder = temporaryFolder({});
    const flushed: string[] = [];
    const own = logIn(folder, { flush: async (paths) => void flushed.push(...paths) });
    const other = logIn(folder);
    onTestFinished(async () => void (await Promise.all([own.close(), other.close()])));
    await other.append([[{ remove: 'posts/new/b.md', before: etag('b') }]]);
    await other.finish(['posts/new/b.md']);
    own.sync();
    await own.checkpoint();
    expect(flushed).toEqual(['posts', 'posts/new', 'posts/new/b.md']);
  });

  it.each(['a link', 'a directory'])('frees the log when %s is in place of a file to flush', async (what) => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { commit, log } = noting(folder, 'log');
    await commit(update);
    rmSync(folder.at('revisions/1/2.md'));
    if (what === 'a link') symlinkSync('/etc/hostname', folder.at('revisions/1/2.md'));
    else mkdirSync(folder.at('revisions/1/2.md'));
    await log.checkpoint();
    expect(logIn(folder, { boot: 'another start' }).peek()).toBeNull();
  });
});

describe('the log', () => {
  const write = (seq: number, length = 100): Step => {
    const content = bytes(`${seq} `.padEnd(length, 'x'));
    return { write: `posts/${seq}.md`, before: null, after: etagOf(content), ino: 1, bytes: content };
  };

  it('is overwritten without losing unflushed data, whatever the size of its records', async () => {
    const folder = temporaryFolder();
    let isDown = false;
    const log = logIn(folder, { flush: async () => (isDown ? Promise.reject(new Error('EIO')) : undefined) });
    const expected: number[] = [];
    for (let at = 0; at < 300; at++) {
      isDown = at >= 297;
      const [seq = 0] = await log.append([[write(at, at === 150 ? 600_000 : (at * 997) % 9000)]]);
      await log.finish([`posts/${at}.md`]);
      if (isDown) expected.push(seq);
      else if (at % 3 === 2) await log.checkpoint();
    }
    const found = logIn(folder, { boot: 'another start' }).peek();
    expect(found?.commits.map(({ seq }) => seq)).toEqual(expected);
    const step = found?.commits.at(-1)?.steps[0] as WriteStep;
    expect(Buffer.from(step.bytes as Uint8Array).toString()).toMatch(/^299 x+$/);
    expect(statSync(folder.at('.cms/log')).size).toBeLessThan(9 * 1024 * 1024);
  });

  it('waits for pending flushes instead of overwriting them, and refuses if they fail', async () => {
    const folder = temporaryFolder();
    const log = logIn(folder, { flush: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) });
    let taken = 0;
    const fill = async () => {
      for (; taken < 100; taken++) {
        await log.append([[write(taken, 8000)]]);
        await log.finish([`posts/${taken}.md`]);
      }
    };
    await expect(fill()).rejects.toThrow('EIO');
    expect(logIn(folder, { boot: 'another start' }).peek()?.commits).toHaveLength(taken);
  });

  it('keeps the current file when the disk has no room for a larger one', async () => {
    const folder = temporaryFolder();
    const inner = createDisk();
    const isNew = (handle: number) => readlinkSync(`/proc/self/fd/${handle}`).endsWith('/log.new');
    const full = () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
    let isFull = false;
    const flushData = (handle: number) => (isFull && isNew(handle) ? full() : inner.flushData(handle));
    const log = logIn(folder, { disk: { ...inner, flushData } });
    const seqs: number[] = [];
    for (let at = 0; at < 60; at++) {
      seqs.push(...(await log.append([[write(at, 8000)]])));
      await log.finish([`posts/${at}.md`]);
      isFull = true;
    }
    expect(statSync(folder.at('.cms/log')).size).toBeLessThan(300_000);
    expect(existsSync(folder.at('.cms/log.new'))).toBe(false);
    await expect(log.append([[write(99, 200_000)]])).rejects.toThrow('ENOSPC');
    seqs.push(...(await log.append([[write(60, 8000)]])));
    const found = logIn(folder, { boot: 'another start' }).peek()?.commits ?? [];
    expect(found.map(({ seq }) => seq)).toEqual(seqs.slice(-found.length));
    expect(found.length).toBeGreaterThan(0);
  });

  it.each([0, 1, 2, 3])('with page %i lost ends at the previous record, and is continued', async (page) => {
    const folder = temporaryFolder();
    const log = logIn(folder, { boot: 'one' });
    const seqs: number[] = [];
    for (let at = 0; at < 12; at++) seqs.push(...(await log.append([[write(at, 1000)]])));
    zero(folder.at('.cms/log'), 4096 + 4096 * page, 4096);
    const next = logIn(folder, { boot: 'two' });
    const left = next.peek()?.commits.map(({ seq }) => seq) ?? [];
    expect(left).toEqual(seqs.slice(0, left.length));
    expect(left.length).toBeLessThan(12);
    await next.append([[write(99, 1000)]]);
    // None of the records behind the gap comes back.
    const again = logIn(folder, { boot: 'three' }).peek();
    expect(again?.commits.map(({ steps }) => (steps[0] as WriteStep).write)).toEqual([
      ...left.map((_, at) => `posts/${at}.md`),
      'posts/99.md',
    ]);
  });

  it.each([
    ['over restarts', (folder: Folder) => void folder, 0],
    ['where the log is lost', (folder: Folder) => rmSync(folder.at('.cms/log')), 0],
    ['where it is lost and the clock goes back', (folder: Folder) => void folder, -3_600_000],
  ])('has increasing numbers %s', async (_, lose, jumpMs) => {
    const folder = temporaryFolder();
    let now = Date.now();
    const [before = 0] = await logIn(folder, { clock: () => now }).append([[write(1)]]);
    lose(folder);
    now += jumpMs + 10;
    const [same = 0] = await logIn(folder, { clock: () => now }).append([[write(2)]]);
    now += jumpMs;
    const [after = 0] = await logIn(folder, { clock: () => now, boot: 'another start' }).append([[write(3)]]);
    expect([same > before, after > same]).toEqual([true, true]);
  });

  it('of another version is refused, and one of another machine ignored', async () => {
    const { folder, steps } = begun('in the log');
    await logged(folder, [steps]);
    const head = (form: string, code: string) => {
      const content = readFileSync(folder.at('.cms/log'));
      content.fill(0, 0, 200);
      content.write(`cms log ${form} ${code}\n`);
      writeFileSync(folder.at('.cms/log'), content);
    };
    const form = `2 131072 ${'a'.repeat(22)}`;
    head(form, openSeal(stateDirectory()).of('log', form));
    await expect(createStore({ dir: folder.dir })).rejects.toThrow(LogVersionError);
    head(form, openSeal('/nowhere', true).of('log', form));
    expect(await restart(folder)).toEqual(asBefore);
  });

  it.each([
    ['commits', async () => undefined],
    ['commits after work under the lock', (store: OpenStore) => store.alone(async () => undefined)],
  ])('alternates between %s of two processes', async (_, before) => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const stores = [await createStore({ dir: folder.dir }), await createStore({ dir: folder.dir })] as const;
    const heads = new Set<string>();
    const fresh = (name: number): FileChange => {
      const body = String(name).repeat(10 * name);
      return { path: `posts/${name}.md`, expect: null, data: {}, order: [], body };
    };
    for (let at = 0; at < 12; at++) {
      const store = stores[at & 1] as OpenStore;
      await before(store);
      await store.commit([fresh(at)]);
      heads.add(folder.read('.cms/log').slice(0, 100));
    }
    expect(heads.size).toBe(1);
    const logged = [...folder.read('.cms/log').matchAll(/"seq":(\d+),"steps":\[\{"write":"posts\/(\d+)/g)];
    const seqs = logged.map(([, seq]) => Number(seq));
    expect(logged.map(([, , name]) => Number(name))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    await Promise.all(stores.map((store, at) => Promise.all([20, 30, 40].map((from) => store.commit([fresh(from + at)])))));
    const names = readdirSync(folder.at('posts'));
    await Promise.all(stores.map((store) => store.close()));
    expect(names).toHaveLength(19);
    expect(logIn(folder, { boot: 'another start' }).peek()).toBeNull();
  });
});

it.each([
  ['a path outside', { write: '../x.md', before: null, after: etag('x'), ino: 1, bytes: bytes('x') }],
  ['a temporary file elsewhere', { write: 'posts/x.md', before: null, after: etag('x'), ino: 1, temporary: '/etc/.cms-tmp-1-x' }],
  ['a file that is no temporary one', { write: 'posts/x.md', before: null, after: etag('x'), ino: 1, temporary: 'posts/a.md' }],
])('a step of %s does nothing', async (_, step) => {
  const folder = temporaryFolder({ 'posts/a.md': 'a' });
  await logged(folder, [[step]]);
  const outcome = await restart(folder).catch((error: Error) => error.constructor.name);
  expect(['PathError', JSON.stringify({ 'a.md': 'a' })]).toContain(
    typeof outcome === 'string' ? outcome : JSON.stringify(outcome),
  );
  expect(existsSync(`${dirname(folder.dir)}/x.md`)).toBe(false);
});

async function commitTo(log: CommitLog, name: string): Promise<void> {
  log.sync();
  await log.append([[{ remove: `posts/${name}.md`, before: etag(name) }]]);
  await log.finish([`posts/${name}.md`]);
}

/** What the next start would carry out after a power cut. */
const unflushed = (folder: Folder) =>
  logIn(folder, { boot: 'another start' })
    .peek()
    ?.commits.map(({ steps }) => pathOf(steps[0] as Step)) ?? [];

/** A log that has committed `own`; another process commits `other` while this one waits for the lock. */
async function overtaken(folder: Folder, flush: LogOptions['flush'] = async () => undefined): Promise<CommitLog> {
  const other = logIn(folder);
  onTestFinished(() => other.close());
  let isFirst = true;
  const log: CommitLog = logIn(folder, {
    flush,
    async alone(work) {
      if (isFirst) await commitTo(other, 'other');
      isFirst = false;
      log.sync();
      await work();
    },
  });
  await commitTo(log, 'own');
  return log;
}

describe('a checkpoint', () => {
  it('notes what it has flushed although another process commits meanwhile', async () => {
    const folder = temporaryFolder();
    const log = await overtaken(folder);
    await log.checkpoint();
    expect(unflushed(folder)).toEqual(['posts/other.md']);
  });
});

describe('closing', () => {
  it('waits for the record that is being flushed', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const disk = createDisk();
    let flushing: () => void = () => undefined;
    const isFlushing = new Promise<void>((resolve) => {
      flushing = resolve;
    });
    let isHeld = false;
    const flushData: Disk['flushData'] = async (handle) => {
      if (isHeld) {
        flushing();
        await pause(20);
      }
      await disk.flushData(handle);
    };
    const log = logIn(folder, { disk: { ...disk, flushData } });
    await log.append([]);
    isHeld = true;
    const appended = log.append([[{ remove: 'posts/a.md', before: etag('a') }]]);
    await isFlushing;
    await log.close();
    await expect(appended).resolves.toHaveLength(1);
  });

  it('flushes what another process commits meanwhile', async () => {
    const folder = temporaryFolder();
    const flushed: string[] = [];
    const log = await overtaken(folder, async (paths) => void flushed.push(...paths));
    await log.close();
    expect(flushed).toEqual(['posts/own.md', 'posts', 'posts/other.md']);
    expect(unflushed(folder)).toEqual([]);
  });

  it('waits for a checkpoint under way, and leaves nothing to carry out', async () => {
    const folder = temporaryFolder();
    const log = logIn(folder, { flush: () => pause(20) });
    await commitTo(log, 'own');
    const checkpoint = log.checkpoint();
    await log.close();
    expect(unflushed(folder)).toEqual([]);
    await checkpoint;
  });

  it.each(['log', 'folder'] as const)('leaves nothing to carry out with the durability "%s"', async (durability) => {
    const folder = temporaryFolder();
    const log = logIn(folder, { durability });
    await commitTo(log, 'own');
    await log.close();
    expect(unflushed(folder)).toEqual([]);
  });
});
