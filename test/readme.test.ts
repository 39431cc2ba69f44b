/** The files, requests and samples of the README, and of the way back in `docs/moving.md`, are what the software does. */
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login as demoLogin } from '../src/cli/start.ts';
import { makeAdministrator } from '../src/cli/new-site.ts';
import { run, temporary } from './cli/run.ts';
import { sample } from './support/sample-site.ts';
import { startSite, type TestSite } from './support/site.ts';

const root = resolve(import.meta.dirname, '..');
const readme = await readFile(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
  language,
  text: text as string,
}));
const requests = blocks.flatMap(({ language, text }, at) =>
  language === 'sh' ? [{ command: text, answer: blocks[at + 1]?.text as string }] : [],
);

describe('the README', () => {
  let site: TestSite;
  let password: string;

  beforeAll(async () => {
    site = await startSite({ from: sample });
    password = await makeAdministrator(site.site.accounts, {
      id: await site.site.ownId('users'),
      login: demoLogin,
      email: 'demo@example.com',
      passwordName: 'test',
    });
  });
  afterAll(() => site.close());

  it('contains requests', () => expect(requests.length).toBeGreaterThanOrEqual(3));

  it.each(requests)('$command', async ({ command, answer }) => {
    // The server of the test listens on another port.
    const here = command.replaceAll('http://127.0.0.1:4180', site.url);
    const { stdout } = await promisify(execFile)('bash', ['-c', here], { env: { ...process.env, PASSWORD: password } });
    expect(`${stdout.replaceAll(site.url, 'http://127.0.0.1:4180')}\n`).toBe(answer);
  });

  it('names the file that the last request created', async () => {
    expect(await site.read('posts/2026/11/high-water.md')).toContain('The quay was **wet** this morning.');
  });

  it('shows the sample file unchanged', async () => {
    const shown = blocks.find(({ language }) => language === 'markdown')?.text as string;
    const file = await readFile(join(sample, 'posts/2026/03/hello-harbour.md'), 'utf8');
    expect(file.startsWith(shown.slice(0, shown.indexOf('…')).trimEnd())).toBe(true);
  });

  it('exports and imports a site as described', async () => {
    const moving = await readFile(join(root, 'docs/moving.md'), 'utf8');
    const lines = /^```console\n([\s\S]*?)^```$/m.exec(moving)?.[1]?.trim().split('\n') ?? [];
    const cwd = await temporary();
    await cp(sample, join(cwd, 'content'), { recursive: true });
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) {
      const { status, err } = await run(line.split(' ').slice(1), { cwd });
      expect([line, status, status === 0 ? '' : err]).toEqual([line, 0, '']);
    }
  });

  it('declares a type that gets routes, a folder and validation', async () => {
    const declared = blocks.find(({ text }) => text.includes('plural: Books'))?.text as string;
    const shown = blocks.find(({ text }) => text.includes('isbn: 978'))?.text as string;
    const site = await startSite({
      files: {
        'site.yaml': `name: Books\n${declared}`,
        'books/dune.md': shown.replace('---\n', '---\nid: 91\n'),
        'books/moby.md': '---\nid: 90\ntitle: Moby\nmeta:\n  isbn: 12-3\ngenres: [novel]\n---\n',
      },
    });
    try {
      const { body } = await site.ask('GET', '/cms/v2/books/90');
      expect(body).toMatchObject({ id: 90, type: 'book', title: { rendered: 'Moby' }, meta: { isbn: '12-3' } });
      expect((await site.ask('GET', '/cms/v2/genres')).body).toMatchObject([
        { id: body.genres[0], name: 'novel', count: 1 },
        { name: 'science-fiction', count: 1 },
      ]);
      expect((await site.ask('GET', '/cms/v2/books/91')).body.meta).toEqual({ isbn: '978-0-441-17271-9' });
      const wrong = await site.ask('POST', '/cms/v2/books', { as: 'admin', body: { title: 'x', meta: { isbn: [] } } });
      expect([wrong.status, wrong.body.code]).toEqual([400, 'rest_invalid_type']);
      const made = await site.ask('POST', '/cms/v2/books', {
        as: 'admin',
        body: { title: 'Emma', meta: { isbn: '9' }, status: 'publish' },
      });
      expect(await site.read('books/emma.md')).toContain("isbn: '9'");
      expect(made.body.link).toBe(`${site.url}/book/emma/`);
    } finally {
      await site.close();
    }
  });

  it('lists only existing scripts', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    for (const [, name] of readme.matchAll(/npm (?:run )?(start|test|build|lint|bench)\b/g))
      expect(scripts).toHaveProperty(name as string);
  });
});
