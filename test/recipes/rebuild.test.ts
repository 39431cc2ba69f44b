/**
 * Websites that follow their content: what the page on recipes says of rebuilding, done with the packed program, real webhooks on loopback,
 * and the time from saving to the page.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { install, pack } from '../../bench/packed.mjs';
import { stepsOf, writeFiles } from '../../bench/page-steps.mjs';
import { sample } from '../support/sample-site.ts';
import { until } from '../support/site.ts';

const page = await readFile(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');
const steps = stepsOf(page);
const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);
/** npm and bundlers take their time where others work. */
const patienceMs = 900_000;
const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

let folder: string;
let content: string;
let url: string;
let password: string;
let ports: { readonly rebuild: number; readonly next: number };
let env: NodeJS.ProcessEnv;
const running: ChildProcess[] = [];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function start(command: string, line: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): () => string {
  const child = spawn(command, line, { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
  return () => said;
}

const type = (text = '', cwd = folder): Promise<unknown> =>
  promisify(execFile)('bash', ['-ec', text], { cwd, env, maxBuffer: 1e8 });

beforeAll(async () => {
  folder = await mkdtemp('/var/tmp/cms-rebuild-');
  ports = { rebuild: await freePort(), next: await freePort() };
  env = {
    ...process.env,
    CI: '1',
    NODE_ENV: 'production',
    NODE_OPTIONS: '',
    NEXT_TELEMETRY_DISABLED: '1',
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    REBUILD_TOKEN: 'only-this-server-knows',
    HOOK_SECRET: secret,
  };
  const bin = await install(await pack(folder), join(folder, 'program'));
  content = join(folder, 'content');
  await cp(sample, content, { recursive: true });
  const own = await readFile(join(content, 'site.yaml'), 'utf8');
  await writeFile(join(content, 'site.yaml'), own.replace('deployment: basic\n', '') + blocks[0]);
  // The settings as the page has them, with free ports.
  const [allow, rebuild, front] = ['fetch_allow', 'rebuild:', 'front:'].map((name) => linesWith(name).at(0));
  expect(allow).toContain('127.0.0.1:3000');
  const config = [
    `fetch_allow: ['127.0.0.1:${ports.rebuild}', '127.0.0.1:${ports.next}']`,
    'events:',
    rebuild?.replace('3000', String(ports.rebuild)),
    front?.replace('3000', String(ports.next)),
  ];
  await writeFile(join(folder, 'cms.config.yaml'), `${config.join('\n')}\n`);
  const made = await promisify(execFile)(
    join(bin, 'cms'),
    ['user', 'create', 'tester', '--role', 'administrator', '--dir', content],
    { env },
  );
  expect(made).toBeDefined();
  password = (
    await promisify(execFile)(join(bin, 'cms'), ['password', 'create', 'tester', '--dir', content], { env })
  ).stdout.trim();
  const said = start(join(bin, 'cms'), ['serve', content, '--port', '0'], folder);
  url = await until(() => /http:\/\/[\d.:]+/.exec(said())?.[0]);
  env = { ...env, CONTENT_API: `${url}/cms-json` };
}, patienceMs);

afterAll(async () => {
  for (const { pid } of running)
    if (pid !== undefined)
      try {
        // With the processes that it has started.
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
  await rm(folder, { recursive: true, force: true });
});

const linesWith = (name: string): string[] => blocks.flatMap((text) => text.split('\n')).filter((line) => line.includes(name));

async function save(id: number | null, body: object): Promise<{ readonly id: number; readonly at: number }> {
  const answer = await fetch(`${url}/cms-json/cms/v2/posts${id === null ? '' : `/${id}`}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`tester:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect([200, 201]).toContain(answer.status);
  const { id: saved } = (await answer.json()) as { readonly id: number };
  return { id: saved, at: performance.now() };
}

/** Files and commands of a section of the page. */
const section = (...headings: readonly string[]) =>
  steps.filter(({ heading, file }) => headings.includes(heading) || file === 'cms.js');

it(
  'Eleventy: what is published is a page, by a webhook',
  async () => {
    const dir = await mkdtemp(join(folder, 'eleventy-'));
    const own = section('Eleventy', 'On your own machine');
    const [first, build] = own.flatMap(({ run }) => run ?? []);
    await type(first, dir);
    await writeFiles(own, dir);
    await type(build, dir);
    const read = (path: string) => readFile(join(dir, '_site', path, 'index.html'), 'utf8').catch(() => '');
    expect(await read('')).toContain('href="/hello-harbour/"');
    const said = start(process.execPath, ['rebuild.js'], dir, { PORT: String(ports.rebuild) });
    await until(() =>
      fetch(`http://127.0.0.1:${ports.rebuild}`).then(
        ({ status }) => status === 401,
        () => false,
      ),
    );
    const { id, at } = await save(null, { title: 'High water', content: 'It came at night.', status: 'publish' });
    await until(async () => (await read('high-water')).includes('It came at night.'), 120_000);
    console.log(`Eleventy: saved to built in ${Math.round(performance.now() - at)} ms`);
    expect(await read('')).toContain('href="/high-water/"');
    const changed = await save(id, { content: 'It came at noon.' });
    await until(async () => (await read('high-water')).includes('It came at noon.'), 120_000);
    console.log(`Eleventy: changed to built in ${Math.round(performance.now() - changed.at)} ms`);
    expect(said()).toBe('');
  },
  patienceMs,
);

it(
  'Next on a server: pages are made again, by a webhook',
  async () => {
    const dir = await mkdtemp(join(folder, 'next-'));
    const own = section('Next', 'Next on a server').filter(
      ({ run, heading }) => !(run && heading === 'Next' && run.includes('build')),
    );
    const [first, library, build] = own.flatMap(({ run }) => run ?? []);
    await type(first, dir);
    await type(library, dir);
    await writeFiles(own, dir);
    await type(build, dir);
    start('npx', ['next', 'start', '-p', String(ports.next), '-H', '127.0.0.1'], dir);
    const front = `http://127.0.0.1:${ports.next}`;
    const read = (path: string) =>
      fetch(`${front}${path}`).then(async (answer) => ({ status: answer.status, text: await answer.text() }));
    await until(
      () =>
        read('/').then(
          ({ status }) => status === 200,
          () => false,
        ),
      60_000,
    );
    expect((await read('/low-tide/')).status).toBe(404);
    // Without a signature nothing happens.
    expect((await fetch(`${front}/revalidate/`, { method: 'POST', body: '{}' })).status).toBeGreaterThanOrEqual(400);
    const { id, at } = await save(null, { title: 'Low tide', content: 'Mud and gulls.', status: 'publish' });
    await until(async () => (await read('/low-tide/')).text.includes('Mud and gulls.'), 180_000);
    console.log(`Next: saved to served in ${Math.round(performance.now() - at)} ms`);
    await until(async () => (await read('/')).text.includes('href="/low-tide/"'), 180_000);
    const changed = await save(id, { content: 'Nothing but mud.' });
    await until(async () => (await read('/low-tide/')).text.includes('Nothing but mud.'), 180_000);
    console.log(`Next: changed to served in ${Math.round(performance.now() - changed.at)} ms`);
    await save(id, { status: 'draft' });
    await until(async () => (await read('/low-tide/')).status === 404, 180_000);
  },
  patienceMs,
);
