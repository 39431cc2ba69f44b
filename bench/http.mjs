/**
 * Speed over HTTP as a ratio to a raw server that sends the same bytes, measured in turns so that whatever else the machine
 * does falls on both.
 */
import autocannon from 'autocannon';
import { measuresFor, searches } from './measures.mjs';
import { cpuMs, createClient, fetchAnswer, median, quantile, startRaw } from './servers.mjs';

const connections = 10;

/** @returns rows: {name, value, bar, aim, better, detail} */
export async function measureHttp(server, { posts, first, authorization, rounds, seconds, only, say }) {
  const rows = [];
  for (const measure of measuresFor(posts, first)) {
    if (only && !only.includes(measure.name)) continue;
    say(measure.name);
    rows.push(await measureRow(server, measure, { authorization, rounds, seconds }));
  }
  for (const search of searches) {
    if (only && !only.includes('search')) continue;
    say(`search, ${search.name}`);
    rows.push(await measureSearch(server, search));
  }
  if (!only || only.includes('stall')) {
    say('stalls');
    rows.push(await measureStall(server, posts));
  }
  if (!only || only.includes('sitemaps')) {
    say('sitemaps');
    rows.push(await measureSitemaps(server));
  }
  return rows;
}

async function measureRow(server, measure, { authorization, rounds, seconds }) {
  const { name, about, kind, by, paths, bar, aim } = measure;
  const isFirst = kind === 'first';
  const turns = [];
  // What is asked for the first time can be measured once; the raw server repeats it afterwards.
  if (isFirst) turns.push({ ours: await sequence(server, paths, {}) });
  const answers = {};
  for (const path of paths) answers[path] = await fetchAnswer(server.base + path);
  const raw = await startRaw(answers);
  try {
    if (isFirst) turns[0].raw = await sequence(raw, paths, {});
    else {
      const headers = {};
      if (measure.conditional) headers['if-none-match'] = headerOf(answers[paths[0]], 'etag');
      const turn = (target, ms) =>
        kind === 'repeated'
          ? load(target, paths[0], target === server && measure.signedIn ? { ...headers, authorization } : headers, ms / 1000)
          : sequence(target, paths, { ms });
      for (const target of [server, raw]) await turn(target, 500);
      for (let at = 0; at < rounds; at++)
        turns.push({ ours: await turn(server, seconds * 1000), raw: await turn(raw, seconds * 1000) });
    }
  } finally {
    await raw.stop();
  }
  const ratio = (one) => (by === 'cpu' ? one.ours.cpu / one.raw.cpu : one.ours.rate / one.raw.rate);
  const of = (pick) => median(turns.map(pick));
  return {
    name,
    about,
    unit: by === 'cpu' ? '× raw CPU' : '× raw rate',
    value: of(ratio),
    better: by === 'cpu' ? 'less' : 'more',
    bar,
    aim,
    detail: {
      requests: Math.round(of(({ ours }) => ours.rate)),
      rawRequests: Math.round(of(({ raw: one }) => one.rate)),
      cpuUs: of(({ ours }) => ours.cpu) * 1000,
      rawCpuUs: of(({ raw: one }) => one.cpu) * 1000,
      ...(kind === 'repeated' ? {} : { p50: of(({ ours }) => ours.p50), p99: of(({ ours }) => ours.p99) }),
      failures: turns.reduce((sum, { ours, raw: one }) => sum + ours.failures + one.failures, 0),
    },
  };
}

/** Ten connections, one address. `cpu`: ms for a request. */
export async function load({ base, pid }, path, headers, duration) {
  const before = cpuMs(pid);
  const result = await autocannon({ url: base + path, headers, duration, connections });
  const wanted = headers['if-none-match'] ? '3xx' : '2xx';
  return {
    rate: result.requests.total / result.duration,
    cpu: (cpuMs(pid) - before) / result.requests.total,
    failures: result.errors + result.requests.total - result[wanted],
  };
}

let serial = 0;
/** One connection, one address after the other, none twice; for so long, or once through. `cpu`: ms for a request. */
export async function sequence({ base, pid }, paths, { ms }) {
  const client = createClient(base);
  const times = [];
  let failures = 0;
  const [before, started] = [cpuMs(pid), performance.now()];
  for (let at = 0; ms === undefined ? at < paths.length : performance.now() - started < ms; at++) {
    const path = paths[at % paths.length];
    const answer = await client.ask(`${path}${path.includes('?') ? '&' : '?'}_=${++serial}`);
    times.push(answer.ms);
    if (answer.status !== 200) failures++;
  }
  client.close();
  return {
    rate: (times.length / (performance.now() - started)) * 1000,
    cpu: (cpuMs(pid) - before) / times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    failures,
  };
}

async function measureSearch({ base }, { name, words }) {
  const client = createClient(base);
  const times = [];
  let found = 0;
  for (let at = 0; at < 100; at++) {
    // The answer is short, so that finding is what is measured.
    const answer = await client.ask(`/cms-json/cms/v2/posts?search=${words(at)}&_fields=id&_=${++serial}`);
    times.push(answer.ms);
    if (answer.status !== 200) throw new Error(`search ${words(at)}: ${answer.status}`);
    found = Math.max(found, Number(answer.headers['x-cms-total']));
  }
  client.close();
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return {
    name: `search, ${name}`,
    about: `up to ${found} found`,
    unit: 'ms p99',
    value: p99,
    better: 'less',
    bar: 40,
    aim: 20,
    detail: { p50 },
  };
}

/** The longest that a small request waits behind one of the large ones. */
async function measureStall(server, posts) {
  const list = '/cms-json/cms/v2/posts';
  const heavy = [
    `${list}?search=the&per_page=100`,
    `${list}?search=%22of+the%22`,
    `${list}?search=a&orderby=relevance`,
    `${list}?per_page=100&page=${Math.floor(posts / 100)}`,
    `${list}?per_page=100&_embed&offset=${Math.floor(posts / 2)}`,
    `${list}?orderby=modified&order=asc&per_page=100`,
    `${list}?categories_exclude=1,2,3&tags_exclude=60&per_page=100`,
    '/cms-json/cms/v2/tags?per_page=100&orderby=count',
    '/cms-json/cms/v2/search?search=harbour&per_page=100',
  ];
  const { worst, behind } = await longestWait(server, heavy);
  return {
    name: 'longest wait',
    about: `behind ${behind.slice(list.length)}`,
    unit: 'ms',
    value: worst,
    better: 'less',
    bar: 50,
    aim: 20,
    detail: {},
  };
}

/** The same behind the sitemaps of all posts, made for the first time, and the feeds. */
async function measureSitemaps(server) {
  const client = createClient(server.base);
  const first = await longestWait(server, ['/sitemap.xml']);
  const { body } = await client.ask('/sitemap.xml', { read: true });
  client.close();
  const parts = [...body.matchAll(/<loc>[a-z]+:\/\/[^/]+([^<]+)<\/loc>/g)].map(([, path]) => path);
  const rest = await longestWait(server, [...parts, '/feed/', '/feed/atom/', '/category/category-1/feed/', '/comments/feed/']);
  const { worst, behind } = rest.worst > first.worst ? rest : first;
  return {
    name: 'sitemaps',
    about: `longest wait behind ${parts.length} of them, the longest behind ${behind}`,
    unit: 'ms',
    value: worst,
    better: 'less',
    bar: 50,
    aim: 20,
    detail: { p50: quantile([...first.took, ...rest.took], 0.5), p99: quantile([...first.took, ...rest.took], 0.99) },
  };
}

/** How long a small request waits at worst behind each of the large ones; `took`: ms for these. */
async function longestWait({ base }, heavy) {
  const [large, small] = [createClient(base), createClient(base)];
  const took = [];
  let [worst, behind] = [0, ''];
  for (const path of heavy) {
    let isDone = false;
    const answer = large.ask(`${path}${path.includes('?') ? '&' : '?'}_=${++serial}`).finally(() => (isDone = true));
    while (!isDone) {
      const { ms } = await small.ask('/cms-json/cms/v2/types/post');
      if (ms > worst) [worst, behind] = [ms, path];
    }
    const { status, ms } = await answer;
    if (status !== 200) throw new Error(`${path}: ${status}`);
    took.push(ms);
  }
  large.close();
  small.close();
  return { worst, behind, took };
}

export function headerOf({ headers }, name) {
  return headers[headers.findIndex((one, at) => at % 2 === 0 && one.toLowerCase() === name) + 1];
}
