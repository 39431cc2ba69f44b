#!/usr/bin/env node
/**
 * Replays the recorded conversations in every run of `runs` and holds the outcome against two files beside this one:
 * `passing.txt`, the exchanges that have passed before and must go on passing, and `differences.yaml`, the reasons for
 * those that fail. Exit status: 0 nothing lost and everything explained, 1 findings, 2 it could not be run.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

const here = dirname(fileURLToPath(import.meta.url));
const project = dirname(here);

const usage = `usage: node .ci/conformance.mjs [options]
  --run NAME             only this run: neutral, original, auto, extended, extended-original, basic-in-extended, drawn,
                         drawn-original, seo, seo-original, seo-values, render, render-original, 7.1, 7.1-original,
                         engine, which is left out where PostgreSQL is not installed (repeatable)
  --only GLOB            only these scenarios or scenario/exchange
  --update               add what newly passes to passing.txt
  --results NAME=FILE    take a run's recorded results instead of running it (repeatable)
  --files DIR            folder of passing.txt and differences.yaml (default .ci)
  --kit DIR              folder of the recordings (default ../shared/conformance)
  --jobs N               runs at a time, or scenarios of a single run (default 2)
  --all                  list every finding, not only the first 20 of a kind`;

const init =
  'node bin/cms.js init {dir} --deployment basic --title "Example Site" --admin admin --email admin@example.com --timezone Europe/Berlin';
/** A server whose answers are looked through for names of the other spelling. */
const serve = 'node --import ./.ci/watch-names.mjs bin/cms.js serve {dir} --port {port} --host 127.0.0.1';

/** The theme of the site that answers name, as the recordings of 7.1 have it. */
const themed = "printf 'theme: {stylesheet: twentytwentyfive, name: Twenty Twenty-Five}\\n' >> {dir}/site.yaml";

const extended = 'node .ci/extended-site.mjs {dir}';

/**
 * What is run: the basic deployment in both spellings as a site that moves over, and in the neutral one as a new site writes; the
 * extended one in both; the recordings of the basic one in the extended, whose default language has no segment then; exchanges drawn at
 * random over the basic interface; search metadata, with the settings of a new site and with others; rendered texts; what version 7.1 of
 * the reference added; and the basic deployment once more as a node over PostgreSQL.
 */
const runs = [
  { name: 'neutral', prepare: `${init} --writing markup`, parts: (kit) => below(kit, 'scenarios', '/cms-json') },
  {
    name: 'original',
    prepare: `${init} --writing markup`,
    parts: (kit) => below(kit, 'scenarios', '/wp-json'),
    dialect: 'original',
  },
  { name: 'auto', prepare: init, parts: (kit) => below(kit, 'scenarios', '/cms-json') },
  { name: 'extended', prepare: extended, parts: (kit) => bySegment(kit, '/cms-json') },
  {
    name: 'extended-original',
    prepare: extended,
    parts: (kit) => bySegment(kit, '/wp-json'),
    dialect: 'extended/dialect-original.json',
  },
  { name: 'basic-in-extended', prepare: `${extended} --basic`, parts: (kit) => below(kit, 'scenarios', '/cms-json') },
  { name: 'drawn', prepare: `${init} --writing markup`, parts: (kit) => below(kit, 'drawn', '/cms-json') },
  {
    name: 'drawn-original',
    prepare: `${init} --writing markup`,
    parts: (kit) => below(kit, 'drawn', '/wp-json'),
    dialect: 'original',
  },
  { name: 'seo', prepare: `${extended} --seo`, parts: (kit) => below(kit, 'seo', '/cms-json') },
  { name: 'seo-original', prepare: `${extended} --seo`, parts: (kit) => below(kit, 'seo', '/wp-json'), dialect: 'original' },
  { name: 'seo-values', prepare: `${extended} --seo-values`, parts: (kit) => below(kit, 'seo/values', '/cms-json') },
  ...[
    ['render', `${init} --writing markup`],
    ['7.1', `${init} --writing markup && ${themed}`],
  ].flatMap(([name, prepare]) => [
    { name, prepare, parts: (kit) => below(kit, name, '/cms-json') },
    {
      name: `${name}-original`,
      prepare,
      parts: (kit) => below(kit, name, '/wp-json'),
      dialect: 'original',
    },
  ]),
  {
    name: 'engine',
    prepare: `${init} --writing markup`,
    parts: (kit) => below(kit, 'scenarios', '/cms-json'),
    serve: 'node .ci/engine-serve.mjs {dir} {port}',
  },
];

/** Of Debian; undefined where there is none. */
const postgres = ['15', '16', '17', '18']
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((bin) => existsSync(join(bin, 'initdb')));

/** Runs `work` with the address of a database of its own. */
async function withDatabase(work) {
  const folder = mkdtempSync('/tmp/cms-conformance-pg-');
  // It refuses to run as root.
  const owner = process.getuid() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (owner.uid) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const run = (tool, args) => execFileSync(join(postgres, tool), args, { ...owner, cwd: folder, stdio: 'ignore' });
  run('initdb', ['-D', data, '-U', 'cms', '-A', 'trust', '--no-locale', '-E', 'UTF8']);
  const port = await freePort();
  run('pg_ctl', [
    '-D',
    data,
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`,
    'start',
  ]);
  try {
    return await work(`postgres://cms@127.0.0.1:${port}/postgres`);
  } finally {
    run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
    rmSync(folder, { recursive: true, force: true });
  }
}

const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));

async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** The recordings in a folder of the kit; a file that was recorded anew from the latest version replaces the one of its name. */
function below(kit, folder, root) {
  const files = recordingsIn(join(kit, folder)).map((file) => {
    const latest = join(kit, '7.1', folder, basename(file));
    return existsSync(latest) ? latest : file;
  });
  return [{ root, files }];
}

function recordingsIn(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.startsWith('dialect-'));
  return files.map((name) => join(folder, name));
}

/** The recordings of the extended deployment by the address they were recorded at: all but two below the default language. */
function bySegment(kit, root) {
  const folder = join(kit, 'extended');
  const segments = { 'lang-segment-de.json': '/de', 'lang-no-segment.json': '' };
  const others = recordingsIn(folder).filter((file) => !(basename(file) in segments));
  return [
    { root: `/en${root}`, files: others },
    ...Object.entries(segments).map(([name, segment]) => ({ root: segment + root, files: [join(folder, name)] })),
  ];
}

try {
  process.exitCode = await main(readOptions());
} catch (error) {
  console.error(`conformance: ${error.message}`);
  process.exitCode = 2;
}

async function main(options) {
  const passingFile = join(options.files, 'passing.txt');
  const passing = readPassing(passingFile);
  const differences = readDifferences(join(options.files, 'differences.yaml'));
  const outcomes = await several(options.runs, Number(options.jobs), async (run) =>
    compare(run.name, run.results ?? (await replay(run, options)), passing, differences, options),
  );
  for (const outcome of outcomes) report(outcome, options.all ? Number.POSITIVE_INFINITY : 20);

  const gained = outcomes.flatMap((outcome) => outcome.gained);
  if (options.update && gained.length > 0) writePassing(passingFile, [...passing, ...gained]);
  const unused = options.partial ? [] : unneeded(outcomes, differences);
  for (const match of unused) console.log(`differences.yaml: nothing fails any more for ${match}`);
  printTable(outcomes);
  if (gained.length > 0)
    console.log(`${gained.length} newly passing${options.update ? ', added to passing.txt' : '; add them with --update'}`);
  const total = (key) => outcomes.reduce((sum, outcome) => sum + outcome[key].length, 0);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`);
  return total('regressions') + total('unexplained') > 0 ? 1 : 0;
}

/**
 * Sorts one run's exchanges.
 *
 * @param results      what the kit writes with --json: {scenarios: [{scenario, exchanges: [{id, ok, request, diffs}]}]}
 * @param passing      set of `run scenario/exchange`
 * @param differences  rows of differences.yaml
 * @param only         set when the kit ran in part: then nothing is known about what is absent
 * @returns  `passed` and `gained` as names; `failed`, `regressions`, `unexplained` as exchanges with `name` and `rows`, the
 *           numbers of the explanations that fit. An exchange that must pass is a regression whatever explains it.
 */
function compare(run, results, passing, differences, { only }) {
  const exchanges = results.scenarios.flatMap(({ scenario, exchanges }) =>
    exchanges.map((exchange) => ({ ...exchange, name: `${scenario}/${exchange.id}` })),
  );
  const failed = exchanges
    .filter((exchange) => !exchange.ok)
    .map((exchange) => ({ ...exchange, rows: differences.flatMap((row, at) => (row.fits(run, exchange) ? [at] : [])) }));
  const passed = exchanges.filter((exchange) => exchange.ok).map((exchange) => `${run} ${exchange.name}`);
  const known = new Set(exchanges.map((exchange) => `${run} ${exchange.name}`));
  const isRegression = (exchange) => passing.has(`${run} ${exchange.name}`);
  return {
    run,
    passed,
    failed,
    gained: passed.filter((line) => !passing.has(line)),
    regressions: failed.filter(isRegression),
    explained: failed.filter((exchange) => exchange.rows.length > 0 && !isRegression(exchange)),
    unexplained: failed.filter((exchange) => exchange.rows.length === 0 && !isRegression(exchange)),
    absent: only ? [] : [...passing].filter((line) => line.startsWith(`${run} `) && !known.has(line)),
  };
}

/** Patterns of explanations that no failure needed; only meaningful when every run was complete. */
function unneeded(outcomes, differences) {
  const used = new Set(outcomes.flatMap((outcome) => outcome.failed.flatMap((exchange) => exchange.rows)));
  return differences.filter((_, at) => !used.has(at)).map((row) => row.match);
}

/** Runs the kit and reads its results. */
/** What `work` gives for each of a list, in order; so many at a time. */
async function several(list, atOnce, work) {
  const results = [];
  const waiting = list.entries();
  const take = async () => {
    for (const [at, one] of waiting) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  return results;
}

async function replay(run, options) {
  if (run.name === 'engine' && options.database === undefined)
    return withDatabase((database) => replay(run, { ...options, database }));
  console.log(`-- ${run.name}: replaying`);
  const scenarios = [];
  for (const part of run.parts(options.kit)) scenarios.push(...(await replayPart(run, part, options)).scenarios);
  return { scenarios };
}

/** Names of the other spelling in what was answered, as an exchange that failed; so is a run whose answers were not looked at. */
function namesIn(file, scenarios) {
  const answers = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const asked = scenarios.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const why = `${answers.length} answers were looked at for names, and ${asked} exchanges replayed`;
  // Some exchanges are about files and pages.
  const unseen = answers.length < asked * 0.9 ? [{ path: '-', why }] : [];
  const found = answers.filter((line) => line !== '').map((got) => ({ path: 'name of the other spelling', got }));
  const diffs = [...unseen, ...found];
  return { scenario: 'names', exchanges: [{ id: 'other-spelling', ok: diffs.length === 0, diffs }] };
}

/** The kit's own report goes to standard output only with --all. */
async function replayPart(run, { root, files = [] }, options) {
  const folder = mkdtempSync(join(tmpdir(), 'cms-conformance-'));
  const [json, names] = ['results.json', 'names.txt'].map((name) => join(folder, name));
  const args = [join(options.kit, 'run.mjs'), '--root', root, '--prepare', run.prepare, '--serve', run.serve ?? serve];
  // A table of its own is named by its path, the usual one by its name.
  const dialect = run.dialect?.includes('/') ? join(options.kit, run.dialect) : run.dialect;
  // The kit makes sites one after the other, while nothing else of its process goes on: several of it keep both processors busy.
  args.push(
    '--jobs',
    options.runs.length > 1 ? '1' : options.jobs,
    '--json',
    json,
    ...(options.only ? ['--only', options.only] : []),
  );
  args.push(...(dialect ? ['--dialect', dialect] : []), ...files);
  try {
    const child = spawn(process.execPath, args, {
      cwd: project,
      env: {
        ...process.env,
        CMS_STATE_DIR: join(folder, 'state'),
        CMS_PLUGINS: '1',
        CONFORMANCE_NAMES: names,
        CONFORMANCE_ENGINE: options.database ?? '',
      },
      stdio: ['ignore', options.all ? 'inherit' : 'ignore', 'inherit'],
    });
    await new Promise((done, failed) => child.on('error', failed).on('exit', done));
    if (!existsSync(json)) throw new Error(`run ${run.name} ended without results`);
    const { scenarios } = JSON.parse(readFileSync(json, 'utf8'));
    // Names of further namespaces are compared by the recordings of the extended deployment.
    return { scenarios: run.prepare.startsWith(init) ? [...scenarios, namesIn(names, scenarios)] : scenarios };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(outcome, most) {
  list(`regressions in ${outcome.run} (passed before, listed in passing.txt)`, outcome.regressions, most);
  list(`unexplained differences in ${outcome.run} (not covered by differences.yaml)`, outcome.unexplained, most);
  if (outcome.gained.length > 0) {
    console.log(`\n== newly passing in ${outcome.run}: ${outcome.gained.length}`);
    for (const line of outcome.gained.slice(0, most)) console.log(`   ${line}`);
    if (outcome.gained.length > most) console.log(`   … and ${outcome.gained.length - most} more`);
  }
}

function list(title, exchanges, most) {
  if (exchanges.length === 0) return;
  console.log(`\n== ${title}: ${exchanges.length}`);
  for (const exchange of exchanges.slice(0, most)) {
    console.log(`   ${exchange.name}  ${exchange.request ?? ''}`);
    for (const diff of (exchange.diffs ?? []).slice(0, 3)) console.log(`      ${printDifference(diff)}`);
  }
  for (const exchange of exchanges.slice(most)) console.log(`   ${exchange.name}`);
}

function printDifference({ path, why, expected, got }) {
  if (path === '-') return why.replace(/\s+/g, ' ').slice(0, 200);
  const short = (value) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 120));
  return `${path}: expected ${short(expected)}, got ${short(got)}${why ? ` (${why})` : ''}`;
}

function printTable(outcomes) {
  const columns = ['passed', 'failed', 'explained', 'unexplained', 'regressions', 'absent'];
  const row = (name, cells) =>
    console.log([name.padEnd(10), ...cells.map((cell, at) => String(cell).padStart(columns[at].length))].join('  '));
  console.log('');
  row('run', columns);
  for (const outcome of outcomes)
    row(
      outcome.run,
      columns.map((key) => outcome[key].length),
    );
}

function readPassing(file) {
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
}

function writePassing(file, lines) {
  writeFileSync(file, `${[...new Set(lines)].sort().join('\n')}\n`);
}

/**
 * Rows {match, run?, members?, reason} with `fits(run, exchange)`. A row with members fits where the answer has these beside what was
 * recorded, and no other difference. @throws Error naming the row that is not complete
 */
function readDifferences(file) {
  const rows = existsSync(file) ? (parse(readFileSync(file, 'utf8')) ?? []) : [];
  if (!Array.isArray(rows)) throw new Error(`${file} must be a list`);
  return rows.map((row, at) => {
    const names = row.run ?? runs.map((run) => run.name);
    const known = Array.isArray(names) && names.every((name) => runs.some((run) => run.name === name));
    if (!known) throw new Error(`${file}: row ${at + 1}: run must be a list of ${runs.map((run) => run.name).join(', ')}`);
    if (!row.match || !row.reason) throw new Error(`${file}: row ${at + 1} needs match and reason`);
    const pattern = toPattern(row.match);
    const isMember = ({ why, path }) => why === 'unexpected' && row.members.includes(path.replace(/^.*\./, ''));
    const isMeant = ({ diffs = [] }) => row.members === undefined || (diffs.length > 0 && diffs.every(isMember));
    return { ...row, fits: (run, exchange) => names.includes(run) && pattern.test(exchange.name) && isMeant(exchange) };
  });
}

/** The kit's globs: `*` is any text, `?` one character, everything else itself. */
function toPattern(glob) {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}

function readOptions() {
  const text = { type: 'string' };
  const many = { type: 'string', multiple: true };
  const flag = { type: 'boolean' };
  const { values } = parseArgs({
    options: { run: many, only: text, update: flag, results: many, files: text, kit: text, jobs: text, all: flag, help: flag },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const recorded = new Map((values.results ?? []).map((pair) => pair.split(/=(.*)/s)));
  const usual = runs.map((run) => run.name).filter((name) => name !== 'engine' || postgres !== undefined);
  if (postgres === undefined && !values.run && recorded.size === 0)
    console.log('engine is left out: PostgreSQL is not installed (Debian: apt-get install postgresql)');
  const wanted = recorded.size > 0 ? [...recorded.keys()] : (values.run ?? usual);
  const unknown = wanted.find((name) => !runs.some((run) => run.name === name));
  if (unknown) throw new Error(`no run is called ${unknown}\n${usage}`);
  const chosen = runs.filter((run) => wanted.includes(run.name));
  return {
    runs: chosen.map((run) => ({
      ...run,
      results: recorded.has(run.name) ? JSON.parse(readFileSync(recorded.get(run.name), 'utf8')) : null,
    })),
    partial: chosen.length < usual.length || values.only !== undefined,
    only: values.only,
    update: values.update ?? false,
    all: values.all ?? false,
    files: resolve(values.files ?? here),
    kit: resolve(values.kit ?? join(project, '..', 'shared', 'conformance')),
    jobs: values.jobs ?? '2',
  };
}
