/** Every command on an engine: it says the same as on a folder with the same content, or in one sentence why it does not work on one. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresEngine } from '../../src/engines/postgres/postgres-engine.ts';
import { createProgram } from '../../src/cli/main.ts';
import { missingPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { newSite, pretend, run, temporary } from './run.ts';

interface Row {
  readonly line: readonly string[];
  /** How it names a folder: by an option, or by an argument. */
  readonly dir?: '--dir' | '--into';
  /** A file that it writes. */
  readonly writes?: string;
  readonly refuses?: RegExp;
  /** It serves, moves content, or has nothing to do with content. */
  readonly apart?: string;
}

const rows: Readonly<Record<string, Row>> = {
  init: { line: ['init', 'new'], refuses: /unknown option '--engine'/ },
  serve: { line: [], apart: 'test/kernel/http/nodes.test.ts' },
  start: { line: ['start'], refuses: /use cms serve/ },
  import: { line: ['import', 'in.xml', '--dry-run'], dir: '--into' },
  validate: { line: ['validate', '--notes'] },
  schema: { line: ['schema', '--type', 'post'] },
  user: { line: ['user', 'list'], dir: '--dir' },
  password: { line: ['password', 'list', 'admin'], dir: '--dir' },
  doctor: { line: ['doctor', '--port', '0', '--json'] },
  adopt: { line: ['adopt'], refuses: /need no adopting/ },
  engine: { line: [], apart: 'test/cli/engine.test.ts' },
  media: { line: ['media', 'list'], refuses: /cms engine pull/ },
  events: { line: ['events', 'list'], dir: '--dir' },
  mail: { line: ['mail', 'list'], dir: '--dir' },
  images: { line: ['images', 'sign', 'https://example.com/uploads/cat.jpg?w=640'], dir: '--dir' },
  export: { line: ['export', '--format', 'json', '--out', 'out.json'], writes: 'out.json' },
  backup: { line: ['backup', '--out', 'backups'] },
  translate: { line: ['translate', 'status'], dir: '--dir' },
  log: { line: ['log', 'posts/a.md'], refuses: /in its git remote/ },
  diff: { line: ['diff', 'posts/a.md'], refuses: /in its git remote/ },
  restore: { line: ['restore', 'posts/a.md'], refuses: /push that folder/ },
  'merge-driver': { line: ['merge-driver', '--install'], refuses: /unknown option '--engine'/ },
  redirects: { line: ['redirects', '--json'] },
  routes: { line: ['routes', '--json'] },
  openapi: { line: ['openapi'] },
  types: { line: ['types'] },
  item: { line: ['item', 'list', '--json'], dir: '--dir' },
  mcp: { line: [], apart: 'test/cli/mcp.test.ts' },
  completion: { line: ['completion', 'bash'], refuses: /unknown option '--engine'/ },
};

const test = missingPostgres === null ? it : it.skip;
let database: Postgres | null = null;
let dir = '';
let cwd = '';
let at: string[] = [];

beforeAll(async () => {
  if (missingPostgres !== null) return void process.stderr.write(`left out: ${missingPostgres}\n`);
  database = await startPostgres();
  ({ dir } = await newSite('--deployment', 'extended'));
  await mkdir(join(dir, 'posts'), { recursive: true });
  await writeFile(
    join(dir, 'posts', 'odd.md'),
    '---\nid: 900\ntitle: Odd\ndate: 2026-01-02\ncategories: [Nowhere]\n---\n[lost](gone.md)\n',
  );
  cwd = await temporary();
  expect(await run(['export', dir, '--format', 'wxr', '--out', 'in.xml', '--url', 'https://example.org'], { cwd })).toMatchObject(
    { status: 0 },
  );
  at = ['--engine', database.address('all')];
  await run(['engine', 'migrate', ...at]);
  expect(await run(['engine', 'push', dir, ...at])).toMatchObject({ status: 0 });
});
afterAll(() => database?.stop());

/** Places differ. */
const plain = (text: string): string =>
  text
    .replaceAll(dir, 'PLACE')
    .replace(/postgres:\S+#\w+|\S*\/cms-engine-\w+\/all/g, 'PLACE')
    .replace(
      /\d+(?:\.\d+)? [KMG]i?B\b|site-\d+T\d+Z|all-\d+T\d+Z|\d{4}-\d\d-\d\dT[\d:.]+Z?|&s=[\w-]+|\d+\.\d+ s\b|\b\d+ folders/g,
      '…',
    )
    .replace(/\b\d+ files, (?=\d+ private)/g, '');

describe('commands', () => {
  it('are all in the table', async () => {
    const program = await createProgram(null, pretend().io);
    expect(Object.keys(rows).sort()).toEqual(program.commands.map((command) => command.name()).sort());
  });

  for (const [name, { line, dir: how, writes, refuses, apart }] of Object.entries(rows)) {
    if (apart !== undefined) continue;
    test(`${name} ${refuses ? 'says that it does not work on an engine' : 'says of an engine what it says of a folder'}`, async () => {
      const onEngine = await run([...line, ...at], { cwd });
      if (refuses) {
        expect(onEngine.status).toBe(2);
        expect(onEngine.err).toMatch(refuses);
        expect(onEngine.err.trim().split('\n')).toHaveLength(/unknown option/.test(onEngine.err) ? 2 : 1);
        return;
      }
      const written = writes && (await readFile(join(cwd, writes)));
      const onFolder = await run([...line, ...(how === undefined ? [] : [how]), dir], { cwd });
      expect({ ...onEngine, out: plain(onEngine.out), err: '' }).toEqual({ ...onFolder, out: plain(onFolder.out), err: '' });
      expect(onEngine.err).not.toContain('cms:');
      if (written) expect(written).toEqual(await readFile(join(cwd, writes)));
    });
  }

  test('validate --fix and import bring what they change back into the database', async () => {
    const address = ['--engine', database?.address('changed') ?? ''];
    await run(['engine', 'migrate', ...address]);
    expect(await run(['import', 'in.xml', ...address], { cwd })).toMatchObject({ status: 0 });
    expect((await run(['item', 'list', ...address])).out).toContain('Odd');
    expect((await run(['validate', dir, ...address])).err).toContain('an engine are named');
    const engine = createPostgresEngine(address[1] as string);
    const path = 'pages/fixed.md';
    const bytes = Buffer.from('---\ntitle: Without an id\n---\ntext\n');
    await engine.commit({ id: 'by hand', seen: 0, edits: [{ path, expect: null, bytes }] });
    expect((await run(['validate', '--fix', ...address])).err).toContain('1 files written, 0 removed');
    const stored = (await engine.read([path])).get(path)?.bytes;
    await engine.close();
    expect(Buffer.from(stored ?? []).toString()).toMatch(/^---\ntitle: Without an id\nid: \d+\n---\ntext\n$/);
    expect((await run(['validate', '--engine', database?.address('empty') ?? ''])).err).toContain('run cms engine migrate');
  });
});
