/**
 * Random requests in lockstep: two sites that are made alike, one asked in the neutral spelling and the other in the original one. Every
 * answer is compared with the other spelling's, with the schema of its route, and, where it was a read, with itself after a restart.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, createRequests, printQuery } from './requests.mjs';

/** Names with a product prefix, in the neutral spelling. */
const words = (
  'cms_block cms_template_part cms_template cms_global_styles cms_navigation cms_font_family cms_font_face cms_pattern_category ' +
  '_cms_note_status'
).split(' ');
const namespaces = ['cms/v2', 'cms-site-health/v1', 'cms-block-editor/v1', 'cms-abilities/v1'];
const url = 'http://127.0.0.1:8080';
const compared = ['x-cms-total', 'x-cms-totalpages', 'allow', 'location', 'link', 'content-type'];
const roles = ['editor', 'author', 'contributor', 'subscriber'];
/** So many reads are asked again after a restart. */
const askedAgain = 30;

/**
 * @param program  what of the program is needed: see `lockstep.d.mts`
 * @param requests  how many
 * @param restartEvery  requests between two restarts
 * @param isLeftOut  path of a route → whether it is not asked
 * @returns  `differences`: a line each, at most 50; `answered`: status → number
 */
export async function runLockstep(program, { requests: count, seed, restartEvery, isLeftOut, progress = () => {} }) {
  const folder = await mkdtemp(join(tmpdir(), 'cms-fuzz-'));
  const time = { ms: Date.parse('2026-03-05T10:00:00Z') };
  const clock = () => time.ms;
  const differences = [];
  const answered = {};
  const note = (line) => {
    if (differences.length < 50 && !differences.includes(line)) differences.push(line);
  };
  const sides = [];
  try {
    for (const dialect of program.dialects)
      sides.push(await createSide(program, join(folder, dialect.name), dialect, clock, note));
    for (const [at, role] of roles.entries()) {
      const body = { username: role, email: `${role}@example.org`, password: 'Sturdy-pass-91', roles: [role] };
      await both({ method: 'POST', path: '/cms/v2/users', query: {}, body, who: 'admin' }, at + 2);
    }
    const random = createRandom(seed);
    const source = createRequests(sides[0].routes(), random, { isLeftOut });
    for (let at = 1; at <= count; at++) {
      time.ms += 1000;
      // Something has to be there first.
      const request = source.next({ kind: at <= 60 ? 'creates' : 'any' });
      const answer = await both(request);
      answered[answer.status] = (answered[answer.status] ?? 0) + 1;
      source.learn(request, answer);
      if (at % restartEvery === 0 || at === count) await restarted(source);
      progress(at, differences.length);
    }
  } finally {
    for (const side of sides) await side.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { differences, answered };

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
    const reads = Array.from({ length: askedAgain }, () => source.next({ kind: 'reads' }));
    for (const side of sides) {
      const before = [];
      for (const read of reads) before.push(await side.ask(read));
      await side.restart();
      for (const [at, read] of reads.entries()) {
        const difference = firstDifference(before[at].comparable, (await side.ask(read)).comparable);
        if (difference) note(`${line(read)} in the ${side.dialect.name} spelling differs after a restart in ${difference}`);
      }
    }
  }
}

/** A site of its own in a folder, asked in one spelling. */
async function createSide(program, dir, dialect, clock, note) {
  await program.scaffoldSite({
    dir,
    title: 'Fuzz',
    timezone: 'Europe/Berlin',
    admin: 'admin',
    email: 'admin@example.com',
    writing: 'markup',
  });
  let site;
  let dispatcher;
  await open();
  const spelled = spellingOf(dialect);
  const actors = { visitor: null, admin: { id: 1, roles: ['administrator'] } };
  for (const [at, role] of roles.entries()) actors[role] = { id: at + 2, roles: [role] };

  return {
    dialect,
    foreign: dialect.name === 'neutral' ? spelled.originals : spelled.neutrals,
    routes: () => dispatcher.registry.routes,
    ask,
    schemaProblems,
    restart: async () => {
      await site.close();
      await open();
      for (const { severity, path, message } of site.problems())
        if (severity === 'error') note(`${path} cannot be read after a restart: ${message}`);
    },
    close: () => site.close(),
  };

  async function open() {
    site = await program.openSite(dir, { clock, log: () => {} });
    site.setAddress(url);
    dispatcher = program.createDispatcher(site, program.composeSite(site), (error, { method, route }) =>
      note(
        `${method} ${route} logged ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ') : String(error)}`,
      ),
    );
  }

  async function ask({ method, path, query, body, who }) {
    const text = printQuery(query);
    const target = spelled.write(`${dialect.root}${path}${text === '' ? '' : `?${text}`}`);
    const address = program.readAddress(target, site);
    const json = body === undefined ? undefined : JSON.parse(spelled.write(JSON.stringify(body)));
    const headers = { 'user-agent': 'fuzz' };
    const request = { ...address, method, headers, user: actors[who], ...(json === undefined ? {} : { json }) };
    const written = program.writeResponse(request, await dispatcher.dispatch(request), { home: url });
    const sent = written.body === null ? '' : Buffer.from(written.body).toString();
    const kept = {};
    for (let at = 0; at < written.headers.length; at += 2) {
      const name = spelled.read(written.headers[at].toLowerCase());
      if (compared.includes(name)) kept[name] = settled(spelled.read(written.headers[at + 1]));
    }
    const read = parsed(sent);
    return {
      status: written.status,
      body: read,
      text: sent,
      comparable: { status: written.status, headers: kept, body: neutralised(parsed(settled(spelled.read(sent)))) },
    };
  }

  /** What of an answer does not fit the schema of its route. */
  function schemaProblems({ method, path, query }, { status, body }) {
    if (method !== 'GET' || status !== 200 || query._envelope !== undefined || body === null || typeof body !== 'object')
      return [];
    const context = ['view', 'edit', 'embed'].includes(query.context) ? query.context : 'view';
    const found = dispatcher.describe({ method, route: path, query: {}, headers: {}, dialect, user: actors.admin });
    const schema = found?.route.schema?.(found.call);
    if (!schema || Array.isArray(schema.properties)) return [];
    // Some collections are maps by name.
    const isMap = !path.includes('/settings') && Object.keys(body).every((name) => body[name]?.slug === name);
    const items = Array.isArray(body) || isMap ? Object.values(body) : [body];
    return items.flatMap((item) => program.schemaProblems(item, schema, context));
  }
}

/** How a spelling writes what the neutral one says, and back; and what of the other one it must not have. */
function spellingOf(dialect) {
  const pairs = [
    ...words.map((word) => [word, dialect.wireName(word)]),
    ...namespaces.map((name) => [name, dialect.spellRoute(`/${name}`).slice(1)]),
    ...namespaces.map((name) => [encodeURIComponent(name), encodeURIComponent(dialect.spellRoute(`/${name}`).slice(1))]),
  ].filter(([neutral, own]) => neutral !== own);
  const answers = [
    ...pairs,
    ['/cms-json', dialect.root],
    ['/cms-admin/', `/${dialect.admin}/`],
    ['https://api.cms.example/', dialect.relationUri('')],
    ['x-cms-', dialect.header('').toLowerCase()],
    ['X-CMS-', dialect.header('')],
    ['cmsurl', 'wpurl'],
    ['cms_version', 'wp_version'],
  ];
  const change = (text, from, to, list) => list.reduce((changed, pair) => changed.replaceAll(pair[from], pair[to]), text);
  return {
    write: (text) => change(text, 0, 1, pairs),
    read: (text) =>
      change(
        text,
        1,
        0,
        answers.filter(([neutral, own]) => neutral !== own),
      ),
    neutrals:
      /\/cms-json|\bcms\\?\/v2|\bcms-(?:site-health|block-editor|abilities)\\?\/v1|\b_?cms_(?:block|template|global_styles|navigation|font|pattern|note)|"cms:|api\.cms\.example|X-CMS-/,
    originals:
      /\/wp-json|\bwp\\?\/v2|\bwp-(?:site-health|block-editor|abilities)\\?\/v1|\b_?wp_(?:block|template|global_styles|navigation|font|pattern_category|note)|"wp:\w+":|api\.w\.org|X-WP-/,
  };
}

/** What two sites have each for themselves. */
function settled(text) {
  return (
    text
      .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '{uuid}')
      .replace(/"password":"(?:\w{4} ){5}\w{4}"/g, '"password":"{password}"')
      .replace(/preview_nonce=[^&"\\]+/g, 'preview_nonce={nonce}')
      // Whoever made the site has another clock.
      .replace(/"(registered_date|created)":"[^"]*"/g, '"$1":""')
      .replace(/"(?:hash|encoded)":"[^"]*"/g, '"sealed":""')
  );
}

function neutralised(value) {
  if (Array.isArray(value)) return value.map(neutralised);
  if (value === null || typeof value !== 'object') return value;
  const names = Object.entries(value).map(([key, one]) => [key.replace(/^wp:/, 'cms:'), neutralised(one)]);
  const read = Object.fromEntries(names);
  return read.templated === true && read.name === 'wp' ? { ...read, name: 'cms' } : read;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Where two values are first unlike; null when they are alike. */
export function firstDifference(a, b, path = 'the answer') {
  if (Object.is(a, b)) return null;
  const isBranch = (value) => value !== null && typeof value === 'object';
  if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b))
    return `${path}: ${(JSON.stringify(a) ?? 'nothing').slice(0, 200)} and ${(JSON.stringify(b) ?? 'nothing').slice(0, 200)}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(a[key], b[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

function line({ method, path, query, body, who }) {
  const text = printQuery(query);
  return `${who}: ${method} ${path}${text === '' ? '' : `?${decodeURIComponent(text)}`}${body === undefined ? '' : ` ${JSON.stringify(body).slice(0, 400)}`}`;
}
