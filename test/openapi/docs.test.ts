/** What docs/openapi.md tells to type does what it says. */
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { run } from '../cli/run.ts';
import { startSite, type TestSite } from '../support/site.ts';

const page = await readFile(resolve(import.meta.dirname, '../../docs/openapi.md'), 'utf8');
const samples = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

let site: TestSite;
let dir: string;
beforeAll(async () => {
  const files = Object.fromEntries(
    ['One', 'Two'].map((name) => [`posts/${name}.md`, `---\ntitle: ${name}\n---\nThe harbour.\n`]),
  );
  site = await startSite({ files });
  dir = await mkdtemp(join(tmpdir(), 'cms-docs-'));
  await symlink(site.dir, join(dir, 'my-site'));
});
afterAll(async () => {
  await site.close();
  await rm(dir, { recursive: true, force: true });
});

it('the commands write the files they name', async () => {
  const lines = samples('console')
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('$ '));
  expect(lines.length).toBe(5);
  for (const line of lines) {
    const words = line.slice(2).split(' ');
    if (words[0] === 'curl') {
      const address = words.find((word) => word.startsWith('http')) ?? '';
      expect((await site.ask('GET', new URL(address).pathname, { raw: true })).body.openapi).toBe('3.1.1');
      continue;
    }
    const out = (words.at(-1) as string).replace('src/', '');
    const { status, err } = await run([...words.slice(1, -1), out], { cwd: dir });
    expect([line, status, err]).toEqual([line, 0, '']);
    expect((await readFile(join(dir, out), 'utf8')).length, line).toBeGreaterThan(10_000);
  }
});

it('the samples run', async () => {
  const said: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => void said.push(words.join(' ')));
  vi.stubEnv('PASSWORD', site.password);
  try {
    await run(['types', 'my-site', '--out', 'cms.ts'], { cwd: dir });
    const text = samples('ts').join('\n').replaceAll('http://127.0.0.1:4180', site.url);
    await writeFile(join(dir, 'sample.ts'), `${text}\nexport {};\n`);
    await import(join(dir, 'sample.ts'));
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
  expect(said).toEqual([
    '2 posts on 1 pages',
    'One',
    'Two',
    expect.stringMatching(/^(one,two|two,one)$/i),
    '404 rest_post_invalid_id',
    'publish',
  ]);
});
