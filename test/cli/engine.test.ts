/** `cms engine`, and commands that work on an engine as on a folder. */
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { missingPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { until } from '../support/site.ts';
import { newSite, pretend, run, temporary } from './run.ts';

const picture = 'media/2026/11/picture.png';

let server: Postgres | null = null;
beforeAll(async () => {
  if (missingPostgres === null) server = await startPostgres();
  else process.stderr.write(`left out: ${missingPostgres}\n`);
});
afterAll(() => server?.stop());

const test = missingPostgres === null ? it : it.skip;
const engine = (schema: string) => ['--engine', (server as Postgres).address(schema)];

/** Of content, and of private documents: path → bytes. */
async function filesOf(dir: string): Promise<Record<string, string>> {
  const names = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name).slice(dir.length + 1));
  const wanted = paths.filter(
    (path) => path.startsWith('.cms/private/') || !path.split('/').some((part) => part.startsWith('.')),
  );
  return Object.fromEntries(
    await Promise.all(wanted.map(async (path) => [path, (await readFile(join(dir, path))).toString('base64')])),
  );
}

describe('cms engine', () => {
  test('moves a folder in and out byte for byte, with what is odd in it and what is private', async () => {
    const { dir } = await newSite();
    await writeFile(join(dir, 'broken.md'), '---\ntitle: [\n---\nText\r\nwithout end');
    await writeFile(join(dir, 'site.yaml'), `# ours\r\n${await readFile(join(dir, 'site.yaml'), 'utf8')}`);
    await mkdir(join(dir, 'media/2026/11'), { recursive: true });
    await writeFile(join(dir, picture), new Uint8Array([0, 255, 10, 13, 0]));
    const at = engine('moved');
    expect((await run(['engine', 'push', dir, ...at])).err).toContain('is not set up: run cms engine migrate');
    expect((await run(['engine', 'migrate', ...at])).err).toContain('migration 1');
    expect((await run(['engine', 'migrate', ...at])).err).toContain('is up to date');
    expect((await run(['engine', 'push', dir, ...at])).status).toBe(0);
    expect((await run(['engine', 'push', dir, ...at])).err).toContain('has content');
    const out = join(await temporary(), 'out');
    expect((await run(['engine', 'pull', out, ...at])).status).toBe(0);
    expect(await filesOf(out)).toEqual(await filesOf(dir));

    await writeFile(join(out, picture), 'other');
    await mkdir(join(out, 'pages'));
    await writeFile(join(out, 'pages/about.md'), 'More.\n');
    expect((await run(['engine', 'pull', out, ...at])).status).toBe(1);
    expect((await run(['engine', 'push', out, '--replace', ...at])).err).toContain('2 files written, 0 removed');
    expect((await run(['engine', 'pull', dir, '--replace', ...at])).err).toContain('2 files written, 0 removed');
    expect(await filesOf(dir)).toEqual(await filesOf(out));
  });

  test('keeps people of a site as a folder does, and says nothing of the password of the database', async () => {
    const { dir } = await newSite();
    const at = engine('people');
    await run(['engine', 'migrate', ...at]);
    await run(['engine', 'push', dir, ...at]);
    expect((await run(['user', 'create', 'ida', '--email', 'ida@example.org', '--role', 'editor', ...at])).status).toBe(0);
    expect((await run(['user', 'list', ...at])).out).toContain('ida@example.org');
    expect((await run(['password', 'create', 'ida', '--name', 'phone', ...at])).out).toMatch(/^(?:\w{4} ?){6}$/m);
    expect((await run(['password', 'list', 'ida', ...at])).out).toContain('phone');
    expect((await run(['user', 'list', '--dir', dir, ...at])).err).toContain('an engine are named');
    expect((await run(['engine', 'status', ...at])).out).toMatch(/#people: \d+ files/);
    const { err } = await run(['serve', '--engine', 'postgres://ada:secret@127.0.0.1:1/none']);
    expect(err).toContain('postgres://127.0.0.1:1/none');
    expect(err).not.toContain('secret');
    expect((await run(['serve', '--workers', '2', ...at])).err).toContain('--workers works with a folder');
  });

  test('brings no folder in without its accounts, where another machine has made them', async () => {
    const { dir } = await newSite();
    const at = engine('elsewhere');
    await run(['engine', 'migrate', ...at]);
    vi.stubEnv('CMS_STATE_DIR', await temporary());
    onTestFinished(() => void vi.unstubAllEnvs());
    const refused = await run(['engine', 'push', dir, ...at]);
    expect(refused).toMatchObject({
      status: 1,
      err: expect.stringMatching(/private\/.* not made on this machine[\s\S]*cms adopt/),
    });
    expect((await run(['engine', 'status', ...at])).out).toContain(': 0 files');
    expect((await run(['adopt', dir])).status).toBe(0);
    expect((await run(['engine', 'push', dir, ...at])).status).toBe(0);
    expect((await run(['user', 'list', ...at])).out).toContain('admin');
  });

  test('starts no node on a database that a newer version has migrated, while those that run go on', async () => {
    const { dir, password } = await newSite();
    const at = engine('newer');
    await run(['engine', 'migrate', ...at]);
    await run(['engine', 'push', dir, ...at]);
    let stop = (): void => undefined;
    const stopped = new Promise<void>((done) => (stop = done));
    const { io, said } = pretend({ stopped: () => stopped });
    const serving = main(['serve', '--port', '0', ...at], io);
    try {
      const root = await until(() => said.err.map((line) => /http:\S+\/cms-json/.exec(line)?.[0]).find(Boolean));
      await (server as Postgres).run('insert into newer.migration (number) values (99)');
      const newer = 'is at migration 99, which a newer version has made; this version knows';
      for (const line of [
        ['serve', '--port', '0'],
        ['user', 'list'],
        ['engine', 'status'],
        ['engine', 'migrate'],
        ['engine', 'push', dir, '--replace'],
      ])
        expect([line, await run([...line, ...at])]).toEqual([line, { status: 1, out: '', err: expect.stringContaining(newer) }]);
      const made = await fetch(`${root}/cms/v2/posts`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'While a newer node starts' }),
      });
      expect(made.status).toBe(201);
    } finally {
      stop();
      expect(await serving).toBe(0);
    }
  });
});
