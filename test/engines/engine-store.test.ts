/** A store over a content engine: what it tells its listeners. */
import { expect, it } from 'vitest';
import { createEngineStore } from '../../src/engines/engine-store.ts';
import { EngineAwayError } from '../../src/kernel/store/content-engine.ts';
import { createMemoryEngine } from '../support/memory-engine.ts';
import { until } from '../support/site.ts';

it('repeats what a listener could not process', async () => {
  const engine = createMemoryEngine();
  const store = await createEngineStore({ engine, pollMs: 10 });
  await store.load();
  const taken: string[] = [];
  let isBroken = true;
  await store.watch(async ({ entries }) => {
    if (isBroken && entries.length > 0) {
      isBroken = false;
      throw new Error('no memory left');
    }
    taken.push(...entries.map(({ path }) => path));
  });
  await engine.commit({ id: '1', seen: 0, edits: [{ path: 'posts/a.md', expect: null, bytes: Buffer.from('one') }] });
  await until(() => taken.length > 0);
  expect(taken).toEqual(['posts/a.md']);
  await store.close();
});

it('takes no file for broken while the engine is away', async () => {
  const engine = createMemoryEngine();
  let isAway = false;
  const read: typeof engine.read = async (paths) => {
    if (isAway) throw new EngineAwayError('the database is ending');
    return engine.read(paths);
  };
  const store = await createEngineStore({ engine: { ...engine, read }, pollMs: 3_600_000 });
  await store.load();
  await engine.commit({ id: '1', seen: 0, edits: [{ path: 'posts/a.md', expect: null, bytes: Buffer.from('one') }] });
  await store.shared?.fresh();
  await store.reread(['posts/a.md']);
  isAway = true;
  await expect(store.reread(['posts/a.md'])).rejects.toThrow(EngineAwayError);
  expect(store.problems()).toEqual([]);
  isAway = false;
  expect((await store.reread(['posts/a.md'])).entries.map(({ path }) => path)).toEqual(['posts/a.md']);
  await store.close();
});

it('says what is in memory: the commit up to which it is whole, and the last one that anything in it can be of', async () => {
  const engine = createMemoryEngine();
  const store = await createEngineStore({ engine: { ...engine, hints: () => () => undefined }, pollMs: 3_600_000 });
  await store.load();
  const { shared } = store;
  const said: (readonly [why: string, seen?: number, changed?: number])[] = [];
  const say = (why: string) => said.push([why, shared?.seen, shared?.changed]);
  await store.watch(() => void say('told'));
  shared?.follow(() => say('seen'));
  const commit = (id: string, path: string) => engine.commit({ id, seen: 0, edits: [{ path, bytes: Buffer.from(id) }] });
  await commit('1', 'posts/a.md');
  await commit('2', '.private/notes.json');
  await store.commit([{ path: 'posts/b.md', bytes: Buffer.from('own') }]);
  say('written');
  await commit('4', 'posts/c.md');
  await commit('5', '.private/notes.json');
  await shared?.fresh();
  expect(said).toEqual([
    ['written', 0, 3],
    ['told', 0, 4],
    ['seen', 5, 4],
  ]);
  await store.close();
});

it('asks for no changes where nobody else has committed any, and misses none where somebody has', async () => {
  const engine = createMemoryEngine();
  let questions: string[] = [];
  const counted = {
    ...engine,
    hints: () => () => undefined,
    position: () => {
      questions.push('position');
      return engine.position();
    },
    changes: (since: number) => {
      questions.push('changes');
      return engine.changes(since);
    },
  };
  const store = await createEngineStore({ engine: counted, pollMs: 3_600_000 });
  await store.load();
  const told: string[] = [];
  await store.watch(({ entries }) => void told.push(...entries.map(({ path }) => path)));
  await store.shared?.fresh();
  const asked = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    await work();
    questions = [];
    await store.shared?.fresh();
    return questions;
  };
  const own = (path: string) => store.commit([{ path, bytes: Buffer.from('own') }]);
  const others = (path: string) => engine.commit({ id: path, seen: 0, edits: [{ path, bytes: Buffer.from('theirs') }] });
  expect(await asked(() => own('posts/a.md'))).toEqual(['position']);
  expect(store.shared?.seen).toBe(1);
  expect(await asked(() => others('posts/b.md'))).toEqual(['position', 'changes']);
  const mixed = async () => {
    await others('posts/c.md');
    await own('posts/d.md');
  };
  expect(await asked(mixed)).toEqual(['position', 'changes']);
  expect(await asked(() => own('posts/e.md'))).toEqual(['position']);
  expect(told).toEqual(['posts/b.md', 'posts/c.md']);
  expect(store.shared?.seen).toBe(5);
  await store.close();
});

it('asks once for all that wait for the answer before, and never gives them an older one', async () => {
  const engine = createMemoryEngine();
  const answers: (() => void)[] = [];
  const position = async () => {
    await new Promise<void>((answer) => answers.push(answer));
    return engine.position();
  };
  const store = await createEngineStore({ engine: { ...engine, position, hints: () => () => undefined } });
  await store.load();
  const fresh = () => store.shared?.fresh();
  const first = fresh();
  const waiting = [fresh(), fresh(), fresh()];
  expect(answers).toHaveLength(1);
  await engine.commit({ id: '1', seen: 0, edits: [{ path: 'posts/a.md', expect: null, bytes: Buffer.from('one') }] });
  answers[0]?.();
  await first;
  expect(answers).toHaveLength(2);
  answers[1]?.();
  await Promise.all(waiting);
  expect(answers).toHaveLength(2);
  expect(store.shared?.seen).toBe(1);
  await store.close();
});
