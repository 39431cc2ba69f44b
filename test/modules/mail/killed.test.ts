/** Letters that wait at processes which never come back: a node over PostgreSQL that is killed, and workers of which fewer start again. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { siteState, stateDirectory } from '../../../src/kernel/store/state.ts';
import { newSite } from '../../cli/run.ts';
import { buildProgram } from '../../kernel/http/program.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { startNodeProcesses } from '../../support/node-processes.ts';
import { missingPostgres, startPostgres } from '../../support/postgres.ts';
import { until } from '../../support/site.ts';

const test = missingPostgres === null ? it : it.skip;
if (missingPostgres !== null) process.stderr.write(`left out: ${missingPostgres}\n`);

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(() => server.close());

const env = () => ({ CMS_MAIL: JSON.stringify(server.settings) });
/** Letters have links to this address. */
const flags = ['--url', 'https://example.org'];
/** Gets a letter, too. */
const person = (login: string) => ({ username: login, email: `${login}@example.org`, password: 'unused', invite: true });
const received = (): readonly string[] => server.received.flatMap(({ to }) => to).sort();
/** A lease that nobody prolongs, and the looks of others. */
const longMs = 120_000;

test('a node that is killed leaves its letter to another one, which sends it once', async () => {
  const database = await startPostgres();
  const nodes = await startNodeProcesses({ database, count: 2, env, flags });
  const [killed, other] = nodes.nodes as [(typeof nodes.nodes)[0], (typeof nodes.nodes)[0]];
  /** Stored queue → how often each of its letters was tried. */
  const queues = async (): Promise<Readonly<Record<string, readonly number[]>>> => {
    const rows = await database.run(`select path, bytes from cms.file where path like '.private/mail/%' and etag is not null`);
    const waiting = (bytes: unknown) => JSON.parse(String(bytes)).waiting as readonly { readonly attempts: number }[];
    return Object.fromEntries(rows.map(({ path, bytes }) => [path, waiting(bytes).map(({ attempts }) => attempts)]));
  };
  const invited = async (node: typeof killed, login: string) =>
    expect((await nodes.ask(node, 'POST', '/users', { body: person(login) })).status).toBe(201);
  try {
    server.refuse(451);
    await invited(killed, 'one');
    const left = await until(async () => Object.entries(await queues()).find(([, all]) => all.some((tries) => tries > 0))?.[0]);
    await killed.end('SIGKILL');
    server.refuse(0);
    await until(() => received().length > 0, longMs);
    expect(received()).toEqual(['one@example.org']);
    await until(async () => !Object.hasOwn(await queues(), left));
    await killed.start();
    await invited(killed, 'two');
    await invited(other, 'three');
    await until(() => received().length === 3);
    await until(async () => Object.values(await queues()).every((all) => all.length === 0));
    expect(received()).toEqual(['one@example.org', 'three@example.org', 'two@example.org']);
  } finally {
    await nodes.close();
    await database.stop();
  }
});

it('workers that are no longer started leave their letters to the others, which send each once', async () => {
  const { dir, password } = await newSite();
  const program = await buildProgram();
  const folder = join(siteState(stateDirectory(), dir), 'private/mail');
  /** Numbers of workers in whose stored queues letters wait. */
  const having = async (): Promise<readonly number[]> => {
    const names = await readdir(folder).catch(() => []);
    const found = names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8').catch(() => '');
      return text.includes('@example.org') ? Number(/^worker-(\d+)-/.exec(name)?.[1]) : 0;
    });
    return Promise.all(found);
  };
  try {
    server.refuse(451);
    const four = await program.serve([dir, '--workers', '4', ...flags], { env: env() });
    await until(() => four.said.join('\n').includes('all 4 workers answer'));
    const sent: string[] = [];
    const headers = {
      authorization: `Basic ${btoa(`admin:${password}`)}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    const body = () => JSON.stringify(person(`p${sent.length}`));
    for (let all: readonly number[] = []; !(all.includes(3) && all.includes(4)); all = await having()) {
      const made = await fetch(`${four.url}/cms-json/cms/v2/users`, { method: 'POST', headers, body: body() });
      expect(made.status).toBe(201);
      sent.push(`p${sent.length}@example.org`);
    }
    four.process.kill('SIGTERM');
    await four.ended;
    server.refuse(0);
    const two = await program.serve([dir, '--workers', '2', ...flags], { env: env() });
    await until(() => received().length >= sent.length, longMs);
    expect(received()).toEqual(sent.sort());
    two.process.kill('SIGTERM');
    expect(await two.ended).toBe(0);
    expect(received()).toEqual(sent);
    expect((await having()).filter((number) => number > 0)).toEqual([]);
  } finally {
    await program.close();
  }
});
