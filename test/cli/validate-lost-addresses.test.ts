/** What `cms validate` says of addresses that the last commit had. */
import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporary } from './run.ts';

const post = (id: number, ...lines: string[]): string => `---\n${[`id: ${id}`, ...lines].join('\n')}\n---\nText\n`;

const files: Readonly<Record<string, string>> = {
  'site.yaml': 'name: Quay\ntimezone: UTC\n',
  'posts/boats.md': post(70),
  'posts/ferries.md': post(71),
  'posts/ships.md': post(72),
  'posts/draft.md': post(73, 'status: draft'),
  'posts/same.md': post(77),
  'pages/about.md': post(74),
  'pages/about/team.md': post(75),
  'pages/gone.md': post(76),
};

async function repository(more: Readonly<Record<string, string>> = {}) {
  const top = await temporary();
  const dir = join(top, 'site');
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  for (const [path, text] of Object.entries({ ...files, ...more })) await put(path, text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', top, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  return { dir, put, git };
}

const lost = async (dir: string): Promise<string[]> => {
  const { out } = await run(['validate', dir, '--json']);
  const { problems } = JSON.parse(out) as { problems: { path: string; rule: string; message: string; hint: string }[] };
  return problems.flatMap(({ path, rule, message, hint }) => (rule === 'lost-address' ? [`${path} ${message} (${hint})`] : []));
};

describe('URLs of the last commit', () => {
  it('that are lost are reported, with the alias that would keep them', async () => {
    const { dir, put } = await repository();
    expect(await lost(dir)).toEqual([]);
    await rename(join(dir, 'posts/boats.md'), join(dir, 'posts/vessels.md'));
    await put('posts/ferries.md', post(71, 'slug: lines'));
    await put('posts/ships.md', post(72, 'status: draft'));
    await rm(join(dir, 'pages/gone.md'));
    await rename(join(dir, 'pages/about/team.md'), join(dir, 'pages/people.md'));
    await rm(join(dir, 'posts/draft.md'));
    await put('posts/same.md', post(77, 'title: Changed'));
    const alias = (address: string) => `(write \`aliases: [${address}]\` into it)`;
    const other = '(redirect it in redirects.yaml, or answer with 410 there)';
    expect(await lost(dir)).toEqual([
      `pages/gone.md /gone/ was its address at the last commit, and leads nowhere now ${other}`,
      `pages/people.md /about/team/ was an address at the last commit, and leads nowhere now ${alias('/about/team/')}`,
      `posts/ferries.md /ferries/ was its address at the last commit, and leads nowhere now ${alias('/ferries/')}`,
      `posts/ships.md /ships/ was its address at the last commit, and leads nowhere now: posts/ships.md has the status draft ${other}`,
      `posts/vessels.md /boats/ was an address at the last commit, and leads nowhere now ${alias('/boats/')}`,
    ]);
    await put('redirects.yaml', '/gone/: 410\n/ships/: /ferries/\n/about/team/: /people/\n');
    await put('posts/vessels.md', post(70, 'aliases: [boats]'));
    await put('posts/ferries.md', post(71, 'slug: lines', 'aliases: [/ferries/]'));
    expect(await lost(dir)).toEqual([]);
  });

  it('that another permalink pattern loses are reported', async () => {
    const { dir, put } = await repository({
      'site.yaml': `${files['site.yaml']}permalink: /{year}/{slug}/\n`,
      'posts/boats.md': post(70, 'date: 2026-03-01'),
    });
    await put('site.yaml', files['site.yaml'] as string);
    expect((await lost(dir)).some((line) => line.includes('/2026/boats/ was'))).toBe(true);
  });

  it('of an unreadable file are not lost', async () => {
    const { dir, put } = await repository();
    await put('posts/boats.md', '---\ntitle: [\n---\n');
    expect(await lost(dir)).toEqual([]);
  });

  it('are not checked outside a repository or before the first commit', async () => {
    const dir = join(await temporary(), 'site');
    await mkdir(join(dir, 'posts'), { recursive: true });
    await writeFile(join(dir, 'site.yaml'), 'name: x\n');
    expect(await lost(dir)).toEqual([]);
    execFileSync('git', ['-C', dir, 'init', '-q']);
    expect(await lost(dir)).toEqual([]);
  });

  it('are not checked if the folder was not a site at the last commit', async () => {
    const { dir, put, git } = await repository();
    git('rm', '-rqf', '--cached', '.');
    await rm(join(dir, 'site.yaml'));
    await put('posts/boats.md', 'Text\n');
    for (const path of Object.keys(files)) if (!/site|boats/.test(path)) await rm(join(dir, path));
    git('add', '.');
    git('commit', '-qm', 'two');
    await put('site.yaml', `${files['site.yaml']}permalink: /{year}/{slug}/\n`);
    await put('posts/boats.md', post(70, 'date: 2026-03-01'));
    expect(await lost(dir)).toEqual([]);
  });
});
