/** One suite for every content engine: in memory, over a folder, and PostgreSQL where it is installed. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type ContentEngine,
  EngineAwayError,
  type EngineCommit,
  everything,
  type StoredFile,
} from '../../src/kernel/store/content-engine.ts';
import { createFolderEngine } from '../../src/engines/folder-engine.ts';
import { createMemoryEngine } from '../support/memory-engine.ts';
import { createPostgresEngine } from '../../src/engines/postgres/postgres-engine.ts';
import { createStore } from '../../src/kernel/store/store.ts';
import { StaleWriteError } from '../../src/kernel/store/types.ts';
import { temporaryFolder } from '../kernel/store/folder.ts';
import { missingPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { until } from '../support/site.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (file: StoredFile | undefined) => (file?.bytes ? new TextDecoder().decode(file.bytes) : null);

let server: Postgres | null = null;
let schemas = 0;
beforeAll(async () => {
  if (missingPostgres === null) server = await startPostgres();
  else process.stderr.write(`left out: ${missingPostgres}\n`);
});
afterAll(() => server?.stop());

const engines: readonly { readonly name: string; readonly isMissing?: boolean; open(): Promise<ContentEngine> }[] = [
  { name: 'memory', open: async () => createMemoryEngine() },
  { name: 'a folder', open: async () => createFolderEngine(await createStore({ dir: temporaryFolder().dir }), { follow: true }) },
  {
    name: 'PostgreSQL',
    isMissing: missingPostgres !== null,
    async open() {
      const engine = createPostgresEngine((server as Postgres).address(`suite_${++schemas}`));
      await engine.migrate();
      return engine;
    },
  },
];

let commits = 0;
const commit = (engine: ContentEngine, one: Partial<EngineCommit> & Pick<EngineCommit, 'edits'>) =>
  engine.commit({ id: `commit-${++commits}`, seen: 0, ...one });

async function all(engine: ContentEngine): Promise<{ readonly seq: number; readonly files: readonly StoredFile[] }> {
  const files: StoredFile[] = [];
  const seq = await engine.list((some) => void files.push(...some));
  return { seq, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

describe.each(engines)('$name', ({ open, isMissing = false }) => {
  const test = isMissing ? it.skip : it;
  let engine: ContentEngine;
  const use = (name: string, run: () => Promise<void>) =>
    test(name, async () => {
      engine = await open();
      try {
        await run();
      } finally {
        await engine.close();
      }
    });

  use('begins empty', async () => {
    expect(await engine.position()).toBe(0);
    expect(await all(engine)).toEqual({ seq: 0, files: [] });
    expect(await engine.changes(0)).toEqual({ seq: 0, isLatest: true, files: [] });
  });

  use('gives back files byte for byte, and lists texts with their bytes and blobs without', async () => {
    const odd = '\ufeff---\r\nt: ü😀\r\n---\r\n\u0000';
    const blob = new Uint8Array([0, 255, 10, 92]);
    const { seq } = await commit(engine, {
      edits: [
        { path: 'posts/a b/ü.md', expect: null, bytes: bytes(odd) },
        { path: 'uploads/x.png', expect: null, bytes: blob },
      ],
    });
    const found = await engine.read(['posts/a b/ü.md', 'uploads/x.png', 'none.md']);
    expect([...found.keys()].sort()).toEqual(['posts/a b/ü.md', 'uploads/x.png']);
    expect(text(found.get('posts/a b/ü.md'))).toBe(odd.replace('\ufeff', ''));
    expect([...(found.get('posts/a b/ü.md')?.bytes ?? [])]).toEqual([...bytes(odd)]);
    expect([...(found.get('uploads/x.png')?.bytes ?? [])]).toEqual([...blob]);
    const listed = await all(engine);
    expect(listed.seq).toBe(seq);
    expect(listed.files.map(({ path, size, bytes: held }) => [path, size, held === null])).toEqual([
      ['posts/a b/ü.md', bytes(odd).length, false],
      ['uploads/x.png', 4, true],
    ]);
  });

  use('lists texts that somebody may not have with their bytes, and private documents', async () => {
    await commit(engine, { edits: [{ path: '.private/a.json', bytes: bytes('1') }] });
    const { seq } = await commit(engine, { edits: [{ path: 'a.md', bytes: bytes('2') }] });
    await commit(engine, { edits: [{ path: 'b.md', bytes: bytes('3') }] });
    const listed = new Map<string, StoredFile>();
    await engine.list((some) => {
      for (const file of some) listed.set(file.path, file);
    }, seq);
    expect([...listed.keys()].sort()).toEqual(['.private/a.json', 'a.md', 'b.md']);
    expect([text(listed.get('.private/a.json')), text(listed.get('b.md'))]).toEqual(['1', '3']);
    expect(listed.get('a.md')).toMatchObject({ size: 1, etag: expect.any(String) });
  });

  use('carries out all of a commit or nothing', async () => {
    await commit(engine, { edits: [{ path: 'a.md', expect: null, bytes: bytes('1') }] });
    const both = {
      edits: [
        { path: 'b.md', expect: null, bytes: bytes('2') },
        { path: 'a.md', expect: null, bytes: bytes('3') },
      ],
    };
    await expect(commit(engine, both)).rejects.toMatchObject({ path: 'a.md' });
    expect((await all(engine)).files.map(({ path }) => path)).toEqual(['a.md']);
    expect(await engine.position()).toBe(1);
  });

  use('refuses a writer that knows another state, and removes what it expects', async () => {
    await commit(engine, { edits: [{ path: 'a.md', expect: null, bytes: bytes('1') }] });
    const { etag } = (await engine.read(['a.md'])).get('a.md') as StoredFile;
    await commit(engine, { edits: [{ path: 'a.md', expect: etag, bytes: bytes('2') }] });
    await expect(commit(engine, { edits: [{ path: 'a.md', expect: etag, bytes: bytes('3') }] })).rejects.toThrow(StaleWriteError);
    await expect(commit(engine, { edits: [{ path: 'a.md', expect: etag, bytes: null }] })).rejects.toThrow(StaleWriteError);
    await expect(commit(engine, { edits: [{ path: 'b.md', expect: 'x', bytes: bytes('') }] })).rejects.toThrow(StaleWriteError);
    await commit(engine, { edits: [{ path: 'a.md', bytes: null }] });
    expect((await engine.read(['a.md'])).size).toBe(0);
    await commit(engine, { edits: [{ path: 'a.md', expect: null, bytes: bytes('4') }] });
    expect(text((await engine.read(['a.md'])).get('a.md'))).toBe('4');
  });

  use('says what has changed since, with what is gone', async () => {
    for (const path of ['a.md', 'b.md', 'c.md']) await commit(engine, { edits: [{ path, bytes: bytes(path) }] });
    await commit(engine, {
      edits: [
        { path: 'a.md', bytes: null },
        { path: 'd.md', bytes: bytes('d') },
      ],
    });
    const changes = await engine.changes(2);
    expect(changes?.seq).toBe(4);
    expect(changes?.files.map((file) => [file.path, file.seq, text(file)]).sort()).toEqual([
      ['a.md', 4, null],
      ['c.md', 3, 'c.md'],
      ['d.md', 4, 'd'],
    ]);
    expect(await engine.changes(4)).toEqual({ seq: 4, isLatest: true, files: [] });
  });

  use('brings more changes than fit into one answer, in whole commits', async () => {
    const many = (from: number) => Array.from({ length: 700 }, (_, at) => ({ path: `p/${from + at}.md`, bytes: bytes('x') }));
    for (const from of [0, 700, 1400]) await commit(engine, { edits: many(from) });
    const seen = new Map<number, number>();
    for (let at = 0; at < 3; ) {
      const some = await engine.changes(at);
      expect(some?.seq).toBeGreaterThan(at);
      for (const { seq } of some?.files ?? []) seen.set(seq, (seen.get(seq) ?? 0) + 1);
      at = some?.seq as number;
    }
    expect([...seen]).toEqual([
      [1, 700],
      [2, 700],
      [3, 700],
    ]);
  });

  use('refuses a claim that the writer has not seen, and only that', async () => {
    const claiming = (path: string, seen: number, ...claims: string[]) =>
      commit(engine, { seen, claims, edits: [{ path, expect: null, bytes: bytes(path) }] });
    await claiming('a.md', 0, 'post hello');
    await expect(claiming('b.md', 0, 'post hello')).rejects.toThrow(StaleWriteError);
    await claiming('c.md', 0, 'post other');
    await claiming('b.md', 2, 'post hello');
    await commit(engine, { seen: 3, claims: [everything], edits: [{ path: 'd.md', bytes: bytes('d') }] });
    await expect(claiming('e.md', 3, 'post new')).rejects.toThrow(StaleWriteError);
    await commit(engine, { edits: [{ path: 'f.md', bytes: bytes('f') }] });
  });

  use('carries out a commit once, however often it is sent', async () => {
    const one = { id: 'once', seen: 0, edits: [{ path: 'a.md', expect: null, bytes: bytes('1') }] };
    const first = await engine.commit(one);
    expect(await engine.commit(one)).toEqual(first);
    expect(await engine.position()).toBe(1);
  });

  use('gives numbers to one process each', async () => {
    expect(await engine.reserve({ post: 10, term: 0 }, 5)).toEqual({ post: 15, term: 5 });
    expect(await engine.reserve({ post: 12 }, 5)).toEqual({ post: 20 });
    const many = await Promise.all(Array.from({ length: 8 }, () => engine.reserve({ post: 0 }, 5)));
    expect(many.map(({ post }) => post).sort((a, b) => Number(a) - Number(b))).toEqual([25, 30, 35, 40, 45, 50, 55, 60]);
  });

  use('gives a lease to one holder until it runs out', async () => {
    expect(await engine.lease('work', 'a', 60_000)).toBe(true);
    expect(await engine.lease('work', 'b', 60_000)).toBe(false);
    expect(await engine.lease('work', 'a', -1)).toBe(true);
    expect(await engine.lease('work', 'b', 60_000)).toBe(true);
  });

  use('puts commits of many writers in one order, each on top of the one before', async () => {
    await commit(engine, { edits: [{ path: 'n.md', bytes: bytes('0') }] });
    const increase = async (): Promise<void> => {
      for (;;) {
        const now = (await engine.read(['n.md'])).get('n.md') as StoredFile;
        try {
          await commit(engine, { edits: [{ path: 'n.md', expect: now.etag, bytes: bytes(String(Number(text(now)) + 1)) }] });
          return;
        } catch (error) {
          if (!(error instanceof StaleWriteError)) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, increase));
    expect(text((await engine.read(['n.md'])).get('n.md'))).toBe('12');
    expect(await engine.position()).toBe(13);
  });

  use('lets a commit that cannot be carried out cost no other one', async () => {
    const one = (path: string, claims: string[] = []) =>
      commit(engine, { claims, edits: [{ path, expect: null, bytes: bytes(path) }] });
    // Half of a character is no text to a database.
    const [first, , last] = await Promise.allSettled([one('a.md'), one('b.md', ['\ud800']), one('c.md')]);
    expect([first.status, last.status]).toEqual(['fulfilled', 'fulfilled']);
    expect((await all(engine)).files.map(({ path }) => path)).toEqual(expect.arrayContaining(['a.md', 'c.md']));
  });
});

describe('a folder', () => {
  it('counts manual changes as unexpected commits', async () => {
    const folder = temporaryFolder({ 'old.md': 'old' });
    const engine = await createFolderEngine(await createStore({ dir: folder.dir }), { follow: true });
    onTestFinished(() => engine.close());
    const hinted = new Promise<void>((resolve) => {
      const end = engine.hints?.(() => {
        end?.();
        resolve();
      });
    });
    folder.write('media/new.png', new Uint8Array([1, 2]));
    await hinted;
    expect(await engine.position()).toBe(1);
    const changes = await engine.changes(0);
    expect(changes?.files.map(({ path, size, bytes: held }) => [path, size, held])).toEqual([['media/new.png', 2, null]]);
    const claiming = { seen: 0, claims: ['post hello'], edits: [{ path: 'hello.md', expect: null, bytes: bytes('x') }] };
    await expect(commit(engine, claiming)).rejects.toThrow(StaleWriteError);
    await commit(engine, { ...claiming, seen: 1 });
    expect(text((await engine.read(['old.md'])).get('old.md'))).toBe('old');
  });

  it('changes a private document only as the writer knows it, in a commit of its own', async () => {
    const engine = await createFolderEngine(await createStore({ dir: temporaryFolder().dir }));
    onTestFinished(() => engine.close());
    const edit = { path: '.private/keys/a.key', expect: null, bytes: bytes('1') };
    await commit(engine, { edits: [edit] });
    await expect(commit(engine, { edits: [{ ...edit, bytes: bytes('2') }] })).rejects.toThrow(StaleWriteError);
    const { etag } = (await engine.read([edit.path])).get(edit.path) as StoredFile;
    await expect(
      commit(engine, {
        edits: [
          { ...edit, expect: etag },
          { path: 'a.md', bytes: bytes('') },
        ],
      }),
    ).rejects.toThrow(TypeError);
    expect((await all(engine)).files.map((file) => [file.path, text(file)])).toEqual([['.private/keys/a.key', '1']]);
    await commit(engine, { edits: [{ path: edit.path, expect: etag, bytes: null }] });
    expect((await all(engine)).files).toEqual([]);
  });
});

describe('PostgreSQL', () => {
  const test = missingPostgres === null ? it : it.skip;

  test('hands out much text in parts, each of whole commits', async () => {
    const engine = createPostgresEngine((server as Postgres).address(`suite_${++schemas}`));
    onTestFinished(engine.close);
    await engine.migrate();
    const large = bytes('x'.repeat(3 * 1024 * 1024));
    for (const name of ['a', 'b', 'c'])
      await commit(engine, { edits: [1, 2].map((at) => ({ path: `${name}${at}.md`, bytes: large })) });
    const parts: string[][] = [];
    for (let since = 0; ; ) {
      const found = await engine.changes(since);
      parts.push(found?.files.map(({ path }) => path) ?? []);
      since = found?.seq ?? 0;
      if (found?.isLatest) break;
    }
    expect(parts).toEqual([
      ['a1.md', 'a2.md'],
      ['b1.md', 'b2.md'],
      ['c1.md', 'c2.md'],
    ]);
    expect(await engine.changes(3)).toEqual({ seq: 3, isLatest: true, files: [] });
  });

  test('asks after a commit whose connection is lost: it was carried out, or never is', async () => {
    const { address, port, run } = server as Postgres;
    const schema = `suite_${++schemas}`;
    const engine = createPostgresEngine(address(schema));
    onTestFinished(engine.close);
    await engine.migrate();
    const other = new pg.Client(`postgres://cms@127.0.0.1:${port}/postgres`);
    await other.connect();
    onTestFinished(() => other.end());
    /** Another one commits, and `then` ends that, when the connection of this one has been lost. */
    const lost = async (id: string, then: readonly string[]) => {
      await other.query('begin');
      await other.query(`select * from ${schema}.position for update`);
      const outcome = engine.commit({ id, seen: 0, edits: [{ path: `${id}.md`, bytes: bytes('1') }] }).catch((error) => error);
      const waits = `from pg_stat_activity where query like 'select "${schema}".commit_all%' and wait_event_type = 'Lock'`;
      const [ended] = await until(async () => {
        const rows = await run(`select pg_terminate_backend(pid) ${waits}`);
        return rows.length > 0 ? rows : null;
      });
      expect(ended).toEqual({ pg_terminate_backend: true });
      for (const sql of then) await other.query(sql);
      return outcome;
    };
    expect(await lost('never', ['rollback'])).toBeInstanceOf(EngineAwayError);
    const again = { id: 'never', seen: 0, edits: [{ path: 'never.md', bytes: bytes('1') }] };
    await expect(engine.commit(again)).rejects.toThrow(StaleWriteError);
    const done = `insert into ${schema}.outcome (id, seq, time_ms) values ('done', 7, 8)`;
    expect(await lost('done', [done, 'commit'])).toEqual({ seq: 7, timeMs: 8 });
  });

  test('keeps every byte, of many files in one commit as of one', async () => {
    const engine = createPostgresEngine((server as Postgres).address(`suite_${++schemas}`));
    onTestFinished(engine.close);
    await engine.migrate();
    const every = Uint8Array.from({ length: 256 }, (_, at) => at);
    const odd = ['media/a%_\'"{},(1).png', 'media/ü 日本/\u{1f600}.png', 'media/empty.png'];
    await commit(engine, { edits: odd.map((path) => ({ path, bytes: path.includes('empty') ? new Uint8Array() : every })) });
    const found = await engine.read(odd);
    expect([...found].map(([path, file]) => [path, [...(file.bytes ?? [])].length]).sort()).toEqual(
      odd.map((path) => [path, path.includes('empty') ? 0 : 256]).sort(),
    );
    expect([...(found.get(odd[0] as string)?.bytes ?? [])]).toEqual([...every]);
    await commit(engine, { edits: Array.from({ length: 3000 }, (_, at) => ({ path: `m${at}.md`, bytes: bytes(String(at)) })) });
    expect(text((await engine.read(['m2999.md'])).get('m2999.md'))).toBe('2999');
    // Removals alone have no contents.
    await commit(engine, { edits: [{ path: 'm1.md', bytes: null }] });
    expect((await engine.read(['m1.md'])).size).toBe(0);
  });
});
