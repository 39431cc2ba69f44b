/**
 * What a large folder costs against a small one, of work that should not notice: both servers run at once and are asked in turns,
 * so that whatever else the machine does falls on both.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { firstPostId } from './corpus.mjs';
import { sequence } from './http.mjs';
import { createWriter, p50, warmUp } from './life.mjs';
import { measuresFor } from './measures.mjs';
import { fetchAnswer, makeAdministrator, median, settled, startServer } from './servers.mjs';

const list = '/cms-json/cms/v2/posts';

/**
 * @param folders  {posts, folder} of the small and of the large one, both just made; they are changed
 * @returns rows as `measureHttp` gives them; none for a measure whose answers are all shorter in one than in the other
 */
export async function measureGrowth(folders, { rounds, seconds, say }) {
  say('growth: waiting until both servers rest');
  const sides = [];
  for (const { posts, folder } of folders) {
    const authorization = makeAdministrator(folder);
    const server = await startServer(folder, `${list}/${firstPostId}`);
    sides.push({ server, authorization, measures: measuresFor(posts, firstPostId).filter(({ kind }) => kind === 'distinct') });
  }
  for (const { server } of sides.toReversed()) await settled(server.pid);
  const [small, large] = folders.map(({ posts }) => posts);
  const row = (name, unit, turns, failures = 0) => ({
    name,
    about: `what ${small} posts cost, with ${large}`,
    value: median(turns.map(([one, other]) => other / one)),
    unit: '×',
    better: 'less',
    bar: 1.2,
    aim: 1,
    detail: { unit, small: median(turns.map(([one]) => one)), large: median(turns.map(([, other]) => other)), failures },
  });
  const rows = [];
  for (const [at, { name }] of sides[0].measures.entries()) {
    say(`growth: ${name}`);
    const paths = await comparable(sides.map(({ server, measures }) => ({ server, paths: measures[at].paths })));
    if (paths.some(({ length }) => length === 0)) continue;
    let failures = 0;
    const turn = async (side, ms = 100) => {
      const { cpu, failures: failed } = await sequence(sides[side].server, paths[side], { ms });
      failures += failed;
      return cpu * 1000;
    };
    for (const side of [0, 1]) await turn(side, 1000);
    // Many short turns: the sooner the other has its own, the less has changed meanwhile. In all half of what a size takes.
    const turns = await inTurns(Math.ceil(rounds * seconds * 5), turn);
    rows.push(row(name, 'µs', turns, failures));
  }
  say('growth: writes');
  const writers = sides.map(({ server, authorization }) => createWriter(server, authorization));
  for (const writer of writers) await warmUp(writer);
  const turns = await inTurns(rounds * 2, async (side) => {
    // What the other put off until the disk rests is not this one's work.
    await pause(200);
    const made = await writers[side].creates(40);
    return { create: p50(made), update: p50(await writers[side].updates(made)) };
  });
  for (const writer of writers) writer.close();
  for (const name of ['create', 'update'])
    rows.push(
      row(
        name,
        'ms',
        turns.map((pair) => pair.map((one) => one[name])),
      ),
    );
  for (const { server } of sides) await server.stop();
  return rows;
}

/** Of each side the paths whose answers have as many items as the longest of all: only work that is equal is compared. */
export async function comparable(sides) {
  const counted = [];
  for (const { server, paths } of sides) {
    const counts = [];
    for (const path of paths) {
      const found = JSON.parse(Buffer.from((await fetchAnswer(server.base + path)).body, 'base64').toString('utf8'));
      counts.push({ path, items: Array.isArray(found) ? found.length : 1 });
    }
    counted.push(counts);
  }
  const most = Math.max(...counted.flat().map(({ items }) => items));
  return counted.map((counts) => counts.filter(({ items }) => items === most).map(({ path }) => path));
}

/** Turns of the small one (0) and of the large one (1); which comes first alternates. @returns pairs of what they gave */
export async function inTurns(rounds, turn) {
  const pairs = [];
  for (let at = 0; at < rounds; at++) {
    const pair = [];
    for (const side of at % 2 === 0 ? [0, 1] : [1, 0]) pair[side] = await turn(side);
    pairs.push(pair);
  }
  return pairs;
}
