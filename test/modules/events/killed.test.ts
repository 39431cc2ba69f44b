/** `cms serve` is killed in the middle: no change stays unreported. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newSite } from '../../cli/run.ts';
import { builtProgram } from '../../support/program-build.ts';
import { until } from '../../support/site.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let dir: string;
let password: string;
let server: ChildProcess | null = null;

beforeEach(async () => {
  receiver = await startReceiver();
  ({ dir, password } = await newSite());
});
afterEach(async () => {
  server?.kill('SIGKILL');
  await receiver.close();
});

async function serve(): Promise<string> {
  const { main } = await builtProgram();
  const program = join(await mkdtemp(join(tmpdir(), 'cms-events-')), 'cms.mjs');
  await writeFile(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});
     process.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  const hook = { url: receiver.url, secret_env: 'HOOK_SECRET', kinds: ['post'] };
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    CMS_FETCH_ALLOW: '127.0.0.1',
    CMS_EVENTS: JSON.stringify({ front: hook }),
    HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  };
  const child = spawn(process.execPath, [program, 'serve', dir, '--port', '0'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  server = child;
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  return until(() => /http:\/\/[\d.:]+/.exec(said)?.[0]);
}

async function kill(): Promise<void> {
  const ended = once(server as ChildProcess, 'exit');
  server?.kill('SIGKILL');
  await ended;
}

async function publish(url: string, title: string): Promise<void> {
  const { status } = await fetch(`${url}/cms-json/cms/v2/posts`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title, status: 'publish' }),
  });
  expect(status).toBe(201);
}

const told = () => receiver.received.map(({ body }) => JSON.parse(body));

it('a server killed right after a write reports at its next start that the site has changed', async () => {
  const url = await serve();
  // It has stored what the site was.
  await until(() => existsSync(join(dir, '.cms/private/events/deliveries.json')));
  receiver.answer(500);
  await publish(url, 'Hello');
  await kill();
  receiver.answer(204);
  receiver.received.length = 0;
  await serve();
  await until(() => receiver.received.length > 0);
  expect(told().map(({ type, data }) => [type, data.type])).toEqual([['site.changed', 'everything']]);
});

it('a stored webhook is sent after a kill, with the same id', async () => {
  const url = await serve();
  receiver.answer(500);
  await publish(url, 'Hello');
  await until(() => receiver.received.length > 0);
  const id = receiver.received[0]?.headers['webhook-id'];
  // Stored within a second; on a busy machine it takes longer.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  await kill();
  receiver.answer(204);
  receiver.received.length = 0;
  await serve();
  await until(() => receiver.received.some(({ headers }) => headers['webhook-id'] === id));
  expect(told().filter(({ type }) => type === 'post.created')).toHaveLength(1);
});
