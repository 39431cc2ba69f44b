/**
 * What lists and items of a site in three languages cost against those of a site in one, with as many posts in each language: both
 * servers run at once and are asked in turns.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstPostId, writeCorpus } from './corpus.mjs';
import { comparable, inTurns } from './growth.mjs';
import { sequence } from './http.mjs';
import { measuresFor } from './measures.mjs';
import { median, settled, startServer } from './servers.mjs';

/** The posts of the corpus in each of these, as `post-1.de.md` beside `post-1.md`. */
export function writeLanguages(folder, posts, codes) {
  writeCorpus(folder, posts);
  const lines = ['deployment: extended', 'lang:', '  languages:', ...codes.map((code) => `    ${code}: {}`), ''];
  appendFileSync(join(folder, 'site.yaml'), lines.join('\n'));
  const files = readdirSync(join(folder, 'posts'), { recursive: true }).filter((name) => name.endsWith('.md'));
  for (const [at, code] of codes.slice(1).entries())
    for (const name of files) {
      const text = readFileSync(join(folder, 'posts', name), 'utf8');
      // Of the terms there are no others: a post in another language has none.
      const own = text
        .replace(/^id: (\d+)$/m, (_, id) => `id: ${Number(id) + posts * (at + 1)}`)
        .replace(/^(?:categories|tags):\n(?: {2}- .*\n)+/gm, '');
      writeFileSync(join(folder, 'posts', name.replace(/\.md$/, `.${code}.md`)), own);
    }
}

/** @param folders  of the site in one language and of the one in several @returns rows as `measureHttp` gives them */
export async function measureLanguages(folders, { posts, rounds, seconds, say }) {
  const sides = [];
  for (const folder of folders) {
    const server = await startServer(folder, `/cms-json/cms/v2/posts/${firstPostId}`);
    sides.push({ server, measures: measuresFor(posts, firstPostId).filter(({ kind }) => kind === 'distinct') });
  }
  for (const { server } of sides.toReversed()) await settled(server.pid);
  const rows = [];
  for (const [at, { name }] of sides[0].measures.entries()) {
    say(`languages: ${name}`);
    const paths = await comparable(sides.map(({ server, measures }) => ({ server, paths: measures[at].paths })));
    if (paths.some(({ length }) => length === 0)) continue;
    let failures = 0;
    const turn = async (side, ms = 100) => {
      const { cpu, failures: failed } = await sequence(sides[side].server, paths[side], { ms });
      failures += failed;
      return cpu * 1000;
    };
    for (const side of [0, 1]) await turn(side, 1000);
    const turns = await inTurns(Math.ceil(rounds * seconds * 5), turn);
    const [small, large] = [0, 1].map((side) => median(turns.map((pair) => pair[side])));
    rows.push({
      name,
      about: 'what one language costs, in three',
      value: median(turns.map(([one, other]) => other / one)),
      unit: '×',
      better: 'less',
      bar: 1.2,
      aim: 1,
      detail: { unit: 'µs', small, large, failures },
    });
  }
  for (const { server } of sides) await server.stop();
  return rows;
}
