/** A site in a database with a git remote, as somebody sets it up in a shell: two nodes, a bare repository, a clone. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asPerson } from '../support/git-site.ts';
import { missingPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { builtProgram } from '../support/program-build.ts';
import { until } from '../support/site.ts';

const test = missingPostgres === null ? it : it.skip;
const running: ChildProcess[] = [];
let folder = '';
let program = '';
let database: Postgres | null = null;
let env: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  if (missingPostgres !== null) return void process.stderr.write(`left out: ${missingPostgres}\n`);
  const { main } = await builtProgram();
  folder = await mkdtemp(join(tmpdir(), 'cms-engine-git-'));
  program = join(folder, 'cms.mjs');
  await writeFile(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});
     process.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  database = await startPostgres();
  env = { ...process.env, NODE_OPTIONS: '', CMS_STATE: join(folder, 'state') };
});
afterAll(async () => {
  for (const child of running) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  }
  await database?.stop();
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

function cms(...line: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...line], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** @returns its address, and what it says */
async function serve(): Promise<{ readonly url: string; said(): string }> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said += text.toString();
  });
  const url = await until(() => {
    if (child.exitCode !== null) throw new Error(said);
    return /http:\S+\/cms-json/.exec(said)?.[0];
  });
  return { url: `${url}/cms/v2`, said: () => said };
}

describe('a site in a database with a git remote', () => {
  test('has commits by their authors for what is written, and shows on every node what is pushed', async () => {
    const [origin, clone, site] = ['origin.git', 'clone', 'site'].map((name) => join(folder, name)) as [string, string, string];
    asPerson(folder, 'init', '-q', '--bare', '-b', 'main', origin);
    cms('init', site);
    env = {
      ...env,
      CMS_ENGINE: database?.address() ?? '',
      CMS_ENGINE_GIT: JSON.stringify({ remote: origin, every: 1, wait: 1 }),
    };
    cms('engine', 'migrate');
    cms('engine', 'push', site);
    cms('user', 'create', 'ida', '--email', 'ida@example.org', '--role', 'editor');
    const password = /(?:\w{4} ?){6}/.exec(cms('password', 'create', 'ida'))?.[0];
    const [a, b] = [await serve(), await serve()];
    const authorization = `Basic ${btoa(`ida:${password}`)}`;
    const posted = await fetch(`${b.url}/posts`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'From a client', status: 'publish' }),
    });
    expect(posted.status).toBe(201);
    const commits = () => {
      try {
        return asPerson(origin, 'log', '--format=%an <%ae>: %s', 'main');
      } catch {
        return '';
      }
    };
    await until(() => /^ida <ida@example.org>: Add "From a client"/m.test(commits()));

    asPerson(folder, 'clone', '-q', origin, clone);
    expect(await readFile(join(clone, 'site.yaml'))).toEqual(await readFile(join(site, 'site.yaml')));
    await writeFile(join(clone, 'posts', 'by-hand.md'), '---\ntitle: By hand\ndate: 2026-01-02\n---\nhello\n');
    asPerson(clone, 'add', '.');
    asPerson(clone, 'commit', '-qm', 'Add a post');
    asPerson(clone, 'push', '-q');
    const ids = await Promise.all(
      [a, b].map(({ url }) =>
        until(async () => ((await (await fetch(`${url}/posts?slug=by-hand`)).json()) as { id: number }[])[0]?.id),
      ),
    );
    expect(ids[0]).toBe(ids[1]);
    await until(() => /git: took in [0-9a-f]{8}: 1 file/.test(`${a.said()}${b.said()}`));
    await until(() => cms('engine', 'status').includes('0 writes not committed yet'));
  });
});
