/**
 * Random requests in lockstep: two sites that are made alike, one asked in the neutral spelling and the other in the original one. Every
 * answer is compared with the other spelling's, with the schema of its route, and, where it was a read, with itself after a restart.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequests, printQuery } from './requests.mjs';
import { createSide, roles } from './side.mjs';
import { firstDifference } from './spelling.mjs';
import { createRandom } from './values.mjs';

/** So many random reads are asked again after a restart, and these always. */
const askedAgain = 30;
const always = 'posts pages categories tags users comments media menus menu-items blocks navigation'.split(' ');
const mostDifferences = 50;

/**
 * @param program  what of the program is needed: see `lockstep.d.mts`
 * @param requests  how many
 * @param restartEvery  requests between two restarts
 * @param renewEvery  requests to one pair of sites: they grow
 * @param isLeftOut  path of a route → whether it is not asked
 * @param report  takes each difference when it is found
 * @returns  `differences`: a line each, at most 50; `answered`: status → number
 */
export async function runLockstep(
  program,
  { requests: count, seed, restartEvery, renewEvery = 2500, isLeftOut, progress = () => {}, report = () => {} },
) {
  const differences = [];
  const note = (line) => {
    if (differences.length >= mostDifferences || differences.includes(line)) return;
    differences.push(line);
    report(line);
  };
  const run = { program, restartEvery, isLeftOut, random: createRandom(seed), note, answered: {} };
  for (let done = 0; done < count; done += renewEvery)
    await runPair(run, Math.min(renewEvery, count - done), (at) => progress(done + at, differences.length));
  return { differences, answered: run.answered };
}

async function runPair({ program, restartEvery, isLeftOut, random, note, answered }, count, progress) {
  const folder = await mkdtemp(join(tmpdir(), 'cms-fuzz-'));
  const time = { ms: Date.parse('2026-03-05T10:00:00Z') };
  const sides = [];
  try {
    for (const dialect of program.dialects)
      sides.push(await createSide(program, join(folder, dialect.name), dialect, () => time.ms, note));
    for (const role of roles) {
      const body = { username: role, email: `${role}@example.org`, password: 'Sturdy-pass-91', roles: [role] };
      await both({ method: 'POST', path: '/cms/v2/users', query: {}, headers: {}, body, who: 'admin' });
    }
    const source = createRequests(sides[0].routes(), random, { isLeftOut });
    for (let at = 1; at <= count; at++) {
      time.ms += 1000;
      // Something has to be there first.
      const request = source.next({ kind: at <= 60 ? 'creates' : 'any' });
      const answer = await both(request);
      answered[answer.status] = (answered[answer.status] ?? 0) + 1;
      source.learn(request, answer);
      if (at % restartEvery === 0 || at === count) await restarted(source);
      progress(at);
    }
  } finally {
    for (const side of sides) await side.close();
    await rm(folder, { recursive: true, force: true });
  }

  /** The answer of the neutral side. */
  async function both(request) {
    const [neutral, original] = [await sides[0].ask(request), await sides[1].ask(request)];
    for (const [at, answer] of [neutral, original].entries()) {
      const side = sides[at];
      const fault = program.faultOf(answer.status, answer.body);
      if (fault) note(`${line(request)} → ${answer.status} ${fault}`);
      const foreign = side.foreign.exec(answer.text);
      if (foreign)
        note(
          `${line(request)} in the ${side.dialect.name} spelling has "${answer.text.slice(foreign.index - 40, foreign.index + 40)}"`,
        );
    }
    const difference = firstDifference(neutral.comparable, original.comparable);
    if (difference) note(`${line(request)}: the spellings differ in ${difference}`);
    for (const problem of sides[0].schemaProblems(request, neutral)) note(`${line(request)}: ${problem}`);
    return neutral;
  }

  async function restarted(source) {
    const lists = always.map((name) => ({
      method: 'GET',
      path: `/cms/v2/${name}`,
      query: { context: 'edit', per_page: 100, ...(/posts|pages|blocks|navigation/.test(name) ? { status: 'any' } : {}) },
      headers: {},
      who: 'admin',
    }));
    const reads = [...lists, ...Array.from({ length: askedAgain }, () => source.next({ kind: 'reads' }))];
    for (const side of sides) {
      // A read may make something, as the navigation to start from is made.
      for (const read of reads) await side.ask(read);
      const before = [];
      for (const read of reads) before.push((await side.ask(read)).comparable);
      await side.restart();
      for (const [at, read] of reads.entries()) {
        const difference = firstDifference(before[at], (await side.ask(read)).comparable);
        if (difference) note(`${line(read)} in the ${side.dialect.name} spelling differs after a restart in ${difference}`);
      }
    }
  }
}

function line({ method, path, target, query, headers, body, form, raw, upload, isMultipart, who }) {
  const text = printQuery(query);
  const sent = body ?? form ?? raw;
  const file = upload ? ` with ${upload.name}${isMultipart ? ' in a form' : ''}` : '';
  const head = Object.keys(headers).length > 0 ? ` ${JSON.stringify(headers)}` : '';
  return `${who}: ${method} ${target ?? path}${text === '' ? '' : `?${decodeURIComponent(text)}`}${head}${sent === undefined ? '' : ` ${JSON.stringify(sent).slice(0, 400)}`}${file}`;
}
