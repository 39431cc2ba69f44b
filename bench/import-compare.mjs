#!/usr/bin/env node
/**
 * Whether an import is whole: brings sources into fresh folders, serves each in process, and compares item by item what the source holds
 * with what the REST interface answers. A second run of each must change nothing.
 *
 *     npm run build && node bench/import-compare.mjs [--json] [--all] [--files DIR] SOURCE…
 *
 * A source with languages is compared in a site that is made extended after its first import. Files joined by commas are one export in several files, brought one after another into one folder. Sources are read by `compare/`, which knows nothing of the importer. `--files` is a local copy of the old uploads, `--all` prints every difference.
 * Exit status: 1 where anything differs or a second run changes something.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { readFolder } from './compare/folder.mjs';
import { compare } from './compare/items.mjs';
import { readWxr } from './compare/wxr.mjs';
import { readOptions } from './options.mjs';

const { values, positionals } = readOptions({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, files: { type: 'string' }, all: { type: 'boolean', default: false } },
});
if (positionals.length === 0) {
  console.error('usage: node bench/import-compare.mjs [--json] [--all] [--files DIR] SOURCE…     (npm run build first)');
  process.exit(2);
}
const root = resolve(import.meta.dirname, '..');
const base = mkdtempSync(join(tmpdir(), 'cms-compare-'));
process.env.CMS_STATE_DIR = join(base, 'state');
const { composeSite, createServer, openSite } = await import('../dist/index.js');

try {
  const results = [];
  for (const [at, source] of positionals.entries())
    results.push(
      await bring(
        source.split(',').map((part) => resolve(part)),
        join(base, `site-${at}`),
      ),
    );
  if (values.json) console.log(JSON.stringify(results, null, 2));
  else for (const result of results) print(result);
  process.exitCode = results.every(({ rows, again }) => again.length === 0 && rows.every(({ differ }) => differ === 0)) ? 0 : 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}

/** One source, from its files to the figures. */
async function bring(parts, into) {
  const [report] = parts.map((part, at) => runImport(part, into, ...(at === 0 ? ['--url', 'https://new.example'] : [])));
  const again = secondImport(parts, into);
  const held = together(parts.map((part) => (statSync(part).isDirectory() ? readFolder(part) : readWxr(part))));
  if (held.locales?.size > 0) appendFileSync(join(into, 'site.yaml'), languagesOf(held.locales));
  const site = await openSite(into);
  const server = createServer({ site, registry: composeSite(site) });
  const origin = await server.listen(0, '127.0.0.1');
  const ask = asker(origin, report.password);
  let rows;
  try {
    rows = compare(held, await answered(ask, [...(held.locales?.keys() ?? [])]));
  } finally {
    await server.close();
    await site.close?.();
  }
  return {
    source: parts.map((part) => basename(part)).join(', '),
    format: held.format,
    rows,
    again: [...new Set([...again, ...secondImport(parts, into)])],
  };
}

/** What another import of the same source changes, before the site was served and after. */
function secondImport(parts, into) {
  const before = digests(into);
  const reports = parts.map((part) => runImport(part, into));
  const after = digests(into);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
  for (const row of reports.flatMap(({ rows }) => rows))
    for (const what of ['new', 'updated', 'failed'])
      if (row[what] > 0) changed.push(`${row[what]} ${row.of || row.kind} ${what}`);
  return changed;
}

/** Parts of one export as one. */
function together([first, ...more]) {
  const all = { ...first };
  for (const part of more) {
    const keys = new Set(all.terms.map(({ taxonomy, slug }) => `${taxonomy} ${slug}`));
    const logins = new Set(all.users.map(({ login }) => login));
    all.items = [...all.items, ...part.items];
    all.locales = new Map([...(all.locales ?? []), ...(part.locales ?? [])]);
    all.terms = [...all.terms, ...part.terms.filter(({ taxonomy, slug }) => !keys.has(`${taxonomy} ${slug}`))];
    all.users = [...all.users, ...part.users.filter(({ login }) => !logins.has(login))];
  }
  return all;
}

function runImport(source, into, ...more) {
  const media = values.files === undefined ? ['--no-media'] : ['--media', resolve(values.files)];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'bin/cms.js'), 'import', source, '--into', into, '--json', ...media, ...more],
    { encoding: 'utf8', maxBuffer: 1 << 28, env: process.env },
  );
  if (status !== 0 && stdout === '') throw new Error(`cms import ${source}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Everything that the interface has, in its original spelling, as the administrator gets it. */
async function answered(ask, languages) {
  const whole = languages.length === 0 ? ask.all : inLanguages(ask, languages);
  const types = Object.values(await ask('/types?context=edit'));
  const items = [];
  const listed = ['posts', 'pages', 'media', 'blocks', 'navigation', 'menu-items'];
  for (const { slug, rest_base: path } of types) {
    if (!listed.includes(path) && /^(?:templates|template-parts|global-styles|font-families)/.test(path)) continue;
    const statuses =
      path === 'media' ? ['inherit', 'private', 'trash'] : ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
    for (const item of await whole(`/${path}?context=edit&status=${statuses.join(',')}`)) items.push({ ...item, type: slug });
  }
  const taxonomies = Object.values(await ask('/taxonomies?context=edit'));
  const terms = [];
  for (const { slug, rest_base: path } of taxonomies)
    for (const term of await whole(`/${path}?context=edit`)) terms.push({ ...term, taxonomy: slug });
  const comments = [];
  for (const status of ['approve', 'hold', 'spam', 'trash'])
    comments.push(...(await whole(`/comments?context=edit&type=&status=${status}`)));
  return { items, terms, comments, taxonomies, users: await ask.all('/users?context=edit') };
}

/** Lists show one language at a time. */
function inLanguages(ask, languages) {
  return async (path) => {
    const found = new Map();
    for (const code of languages) for (const item of await ask.all(`${path}&wpml_language=${code}`)) found.set(item.id, item);
    return [...found.values()];
  };
}

/** What makes the languages that an import has kept those of the site. */
function languagesOf(locales) {
  const rows = [...locales].map(([code, locale]) => `    ${code}: { locale: ${locale} }\n`);
  return `\ndeployment: extended\nlang:\n  languages:\n${rows.join('')}`;
}

function asker(origin, password) {
  const headers = { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` };
  const get = async (path) => {
    const response = await fetch(`${origin}/wp-json/wp/v2${path}`, { headers });
    const body = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body).slice(0, 200)}`);
    return { body, pages: Number(response.headers.get('x-wp-totalpages') ?? 1) };
  };
  const ask = async (path) => (await get(path)).body;
  ask.all = async (path) => {
    const found = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await get(`${path}&per_page=100&page=${page}`);
      found.push(...answer.body);
      pages = answer.pages;
    }
    return found;
  };
  return ask;
}

/** Path → digest of every file that is content. */
function digests(dir) {
  const found = new Map();
  for (const path of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    if (path.startsWith('.cms') || !statSync(join(dir, path)).isFile()) continue;
    found.set(
      path,
      createHash('sha256')
        .update(readFileSync(join(dir, path)))
        .digest('hex'),
    );
  }
  return found;
}

function print({ source, format, rows, again }) {
  console.log(`${source} (${format})`);
  console.log(`  ${'what'.padEnd(28)}${'held'.padStart(6)}${'same'.padStart(6)}${'differ'.padStart(8)}`);
  for (const { what, held, same, differ, first } of rows) {
    console.log(`  ${what.padEnd(28)}${String(held).padStart(6)}${String(same).padStart(6)}${String(differ).padStart(8)}`);
    for (const one of values.all ? first : first.slice(0, 3)) console.log(`    ${one}`);
  }
  console.log(again.length === 0 ? '  a second import changes nothing\n' : `  a second import changes ${again.join(', ')}\n`);
}
