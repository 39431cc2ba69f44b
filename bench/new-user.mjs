/**
 * What somebody meets who has nothing but the packed program: the way of `docs/moving.md`, step by step as that page says, once with
 * an export file and once with a live site, in a home that is empty. Every step is timed.
 *
 *     node bench/new-user.mjs [--no-front] [--cache] [--only file|live]
 *
 * `--no-front` leaves out the website, `--cache` takes packages from npm's cache of this machine.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { spelled, startOldSite } from './old-site.mjs';
import { install, pack } from './packed.mjs';
import { readOptions } from './options.mjs';
import { stepsOf, writeFiles } from './page-steps.mjs';
import { copySampleSite } from './sample-site.mjs';

const { values } = readOptions({
  options: { 'no-front': { type: 'boolean' }, cache: { type: 'boolean' }, only: { type: 'string' } },
});
const { only } = values;
const root = resolve(import.meta.dirname, '..');
const pageOf = (name) => stepsOf(readFileSync(join(root, 'docs', name), 'utf8'));
// Some hundred megabytes, which memory may be short of.
const folder = mkdtempSync('/var/tmp/cms-new-user-');
const started = [];
const times = [];

const npm = (key) => spawnSync('npm', ['config', 'get', key], { encoding: 'utf8' }).stdout.trim();
const env = {
  PATH: `${join(folder, 'program/node_modules/.bin')}:${process.env.PATH}`,
  HOME: join(folder, 'home'),
  LANG: 'C.UTF-8',
  CI: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  // Of this machine nothing but its way to the registry.
  npm_config_userconfig: npm('userconfig'),
  ...(process.env.NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS } : {}),
  ...(values.cache ? { npm_config_cache: npm('cache'), npm_config_prefer_offline: 'true' } : {}),
};

try {
  mkdirSync(env.HOME);
  const tarball = await pack(folder);
  await timed('install', 'npm install of the package', () => install(tarball, join(folder, 'program'), env));
  // What whoever uses git has told it once.
  for (const [key, value] of [
    ['name', 'Anna'],
    ['email', 'anna@example.com'],
  ])
    execFileSync('git', ['config', '--global', `user.${key}`, value], { env });
  const old = await startOldSite();
  const password = await serveOldSite(old);
  for (const source of ['file', 'live']) if (only === undefined || only === source) await move(source, old, password);
  await old.close();
  for (const { name, what, seconds } of times) console.log(`${name.padEnd(8)}${seconds.toFixed(1).padStart(7)} s  ${what}`);
  for (const name of new Set(times.map((one) => one.name)))
    console.log(
      `${name.padEnd(8)}${sum(times.filter((one) => one.name === name))
        .toFixed(1)
        .padStart(7)} s  in all`,
    );
} finally {
  for (const child of started) kill(child);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The sample site, served as the old one. @returns application password of `anna` */
async function serveOldSite(old) {
  const dir = join(folder, 'old');
  copySampleSite(dir);
  writeFileSync(join(dir, 'site.yaml'), `${readFileSync(join(dir, 'site.yaml'), 'utf8')}url: ${old.url}\n`);
  const cms = (...line) => execFileSync('cms', line, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  cms('user', 'create', 'anna', '--email', 'anna@example.com', '--role', 'administrator', '--dir', dir);
  const password = cms('password', 'create', 'anna', '--dir', dir).trim();
  const port = await freePort();
  await start('cms serve old', folder, { CMS_PORT: String(port) }, `http://127.0.0.1:${port}/`);
  old.aim(`http://127.0.0.1:${port}`);
  return password;
}

async function move(name, old, password) {
  const dir = join(folder, name);
  mkdirSync(dir);
  if (name === 'file') {
    execFileSync('cms', ['export', join(folder, 'old'), '--format', 'wxr', '--private', '--out', 'export.xml'], {
      cwd: dir,
      env,
    });
    writeFileSync(join(dir, 'export.xml'), spelled(readFileSync(join(dir, 'export.xml'), 'utf8'), old.url));
  }
  const ports = { cms: await freePort(), front: await freePort() };
  const api = `http://127.0.0.1:${ports.cms}`;
  const more = { CMS_PORT: String(ports.cms), CONTENT_API: `${api}/cms-json`, CMS_FETCH_ALLOW: new URL(old.url).host };
  const isOther = ({ run = '' }) => run.startsWith('cms import') && run.includes('export.xml') !== (name === 'file');
  const isFront = ({ heading }) => heading === '5. A front end';
  const steps = pageOf('moving.md').filter((step) => step.run && !isOther(step) && !(values['no-front'] && isFront(step)));
  const recipe = pageOf('recipes.md').filter(({ heading, file }) => file === 'cms.js' || heading === 'Astro');
  let cwd = dir;
  for (const { run } of steps) {
    const text = run.replaceAll('https://old.example', old.url).trim();
    const what = text.split('\n').join('; ').slice(0, 110);
    if (text.startsWith('cms serve')) await timed(name, what, () => start(text, cwd, more, `${api}/wp-json/`));
    else if (text.startsWith('npx astro preview'))
      await timed(name, what, () => start(`${text} --port ${ports.front}`, cwd, more, `http://127.0.0.1:${ports.front}/`));
    else await timed(name, what, () => type(text, cwd, more, password));
    if (text.includes('\ncd www\n')) {
      cwd = join(dir, 'www');
      await writeFiles(recipe, cwd, { 'cms.js': 'src/cms.js' });
    }
  }
  await look(dir, api, `http://127.0.0.1:${ports.front}`, cwd !== dir);
  for (const child of started.splice(1)) kill(child);
}

/** What should be there is there. */
async function look(dir, api, front, hasFront) {
  const answer = await fetch(`${api}/wp-json/wp/v2/posts?slug=hello-harbour&_embed`);
  const [post] = await answer.json();
  expect(post?.title.rendered === 'Hello, harbour', 'the post is served');
  const picture = await fetch(post._embedded['wp:featuredmedia'][0].source_url);
  expect(picture.ok && picture.headers.get('content-type') === 'image/png', 'its picture came along');
  const moved = await fetch(`${api}/blog/hello-harbour/`, { redirect: 'manual' });
  expect(moved.status === 301 && moved.headers.get('location')?.endsWith('/hello-harbour/'), 'its old address leads on');
  expect(readFileSync(join(dir, '_redirects'), 'utf8').includes('/blog/wp-content/uploads/2026/03/harbour.png '), 'so do files');
  expect(readFileSync(join(dir, 'report.html'), 'utf8').includes('/blog/hello-harbour/</td>'), 'the report has the address');
  if (!hasFront) return;
  const page = await (await fetch(`${front}/hello-harbour/`)).text();
  expect(
    page.includes('<title>Hello, harbour - Harbour Notes</title>') && page.includes('harbour-300x188.png 300w'),
    'the website shows it',
  );
}

function expect(isTrue, what) {
  if (!isTrue) throw new Error(`not so: ${what}`);
}

async function timed(name, what, work) {
  const from = performance.now();
  await work();
  times.push({ name, what, seconds: (performance.now() - from) / 1000 });
}

/** @param input  what is typed when something is asked */
async function type(text, cwd, more, input) {
  const child = spawn('bash', ['-ec', text], { cwd, env: { ...env, ...more }, stdio: 'pipe' });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      said += part;
    });
  // Most ask for nothing, and are gone before they are told.
  child.stdin.on('error', () => undefined).end(`${input}\n`);
  const status = await new Promise((done) => child.on('close', done));
  if (status !== 0) throw new Error(`${text}\nended with ${status}\n${said}`);
}

/** Starts what goes on running, in a group of its own. Resolves when it answers. */
async function start(text, cwd, more, url) {
  const child = spawn('bash', ['-ec', `exec ${text}`], { cwd, env: { ...env, ...more }, stdio: 'ignore', detached: true });
  started.push(child);
  while (
    !(await fetch(url).then(
      ({ ok, status }) => ok || status === 404,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${text} ended with ${child.exitCode}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

function sum(some) {
  return some.reduce((seconds, one) => seconds + one.seconds, 0);
}
