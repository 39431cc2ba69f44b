/** docs/content.md and docs/git.md: each sample is served, or run, as the page says, and nothing is wrong with it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../src/open-site.ts';
import { run, temporary } from './cli/run.ts';
import { startGitSite } from './support/git-site.ts';
import { startSite, until } from './support/site.ts';

const root = join(import.meta.dirname, '..');

/** Samples of a page by language, in order. */
async function samplesOf(page: string): Promise<(language: string) => readonly string[]> {
  const text = await readFile(join(root, 'docs', page), 'utf8');
  const all = [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', sample = '']) => ({ language, sample }));
  return (language) => all.flatMap((one) => (one.language === language ? [one.sample] : []));
}

/** The files of the tasks. */
async function taskFiles(): Promise<Record<string, string>> {
  const page = await readFile(join(root, 'docs/content.md'), 'utf8');
  const [, tasks = ''] = /^## By task$([\s\S]*?)^## /m.exec(page) ?? [];
  const samples = [...tasks.matchAll(/^`(posts\/[^`\n]+)`\n\n```markdown\n([\s\S]*?)```$/gm)];
  return Object.fromEntries(samples.map(([, path = '', text = '']) => [path, text]));
}

it('the samples of the tasks are served', async () => {
  const files = await taskFiles();
  expect(Object.keys(files)).toEqual(['posts/low-water.md', 'posts/regatta.md', 'posts/boats/index.md']);
  const site = await startSite({ files: { ...files, 'posts/boats/harbour.png': '' } });
  onTestFinished(() => site.close());
  expect(site.site.problems()).toEqual([]);
  const { body: posts } = await site.ask('GET', '/cms/v2/posts?_fields=slug,title,content,featured_media');
  const bySlug = new Map((posts as { slug: string }[]).map((post) => [post.slug, post]));
  expect([...bySlug.keys()].sort()).toEqual(expect.arrayContaining(['boats', 'low-water']));
  expect(bySlug.has('regatta')).toBe(false);
  expect(bySlug.get('boats')).toMatchObject({ title: { rendered: 'Boats' }, featured_media: expect.any(Number) });
  const { rendered } = (bySlug.get('boats') as unknown as { content: { rendered: string } }).content;
  expect(rendered).toContain(`src="${site.url}/uploads/posts/boats/harbour.png"`);
  expect(rendered).toContain('<a href="/low-water/">');
  const { out } = await run(['validate', site.dir]);
  expect(out.match(/ error (?!is empty)/g)).toBeNull();
});

it('the commands of the tasks do what the page says', async () => {
  const sample = await samplesOf('content.md');
  const [move = '', checkout = '', revert = '', ...others] = sample('sh');
  expect(others).toEqual([]);
  const site = await startGitSite(await taskFiles(), '');
  onTestFinished(() => site.close());
  const type = (line: string) => site.git(...line.trim().split(' ').slice(1));
  const seen = async (slug: string): Promise<string | undefined> =>
    (await site.ask('GET', `/cms/v2/posts?slug=${slug}`)).body[0]?.title.rendered;
  const edit = async (title: string): Promise<void> => {
    await site.write('posts/ebb.md', (await site.read('posts/ebb.md')).replace(/^title: .*$/m, `title: ${title}`));
    await site.sweep();
    expect(await seen('ebb')).toBe(title);
  };

  type(move);
  await until(async () => (await seen('ebb')) === 'Low water');
  await until(async () => (await site.read('posts/ebb.md')).includes('- low-water'));
  const old = await fetch(`${site.url}/low-water/`, { redirect: 'manual' });
  expect([old.status, old.headers.get('location')]).toEqual([301, expect.stringMatching(/\/ebb\/$/)]);
  site.git('add', '.');
  site.git('commit', '-qm', 'call it ebb');

  await edit('Not this');
  type(checkout);
  await until(async () => (await seen('ebb')) === 'Low water');
  await edit('Nor this');
  site.git('commit', '-qam', 'nor this');
  type(revert);
  await until(async () => (await seen('ebb')) === 'Low water');
});

it('the settings, menus and redirects in docs/content.md work', async () => {
  const [menu = '', types = '', folders = '', redirects = '', ...others] = (await samplesOf('content.md'))('yaml');
  expect(others).toEqual([]);
  const site = await startSite({
    files: {
      'site.yaml': `name: Quay\nmenu_locations: { primary: Header }\n${types}`,
      'menus/main.yaml': menu,
      'redirects.yaml': redirects,
      'pages/about/index.md': '---\ntitle: About\n---\nText\n',
      'pages/about/team.md': '---\ntitle: Team\n---\nText\n',
      'posts/hello-harbour.md': '---\ntitle: Hello\n---\nText\n',
      'books/moby.md': '---\ntitle: Moby\ngenres: [sea]\nmeta: { isbn: 978, pages: 600 }\n---\nText\n',
    },
  });
  onTestFinished(() => site.close());
  expect(site.site.problems()).toEqual([]);
  const [moby] = (await site.ask('GET', '/cms/v2/books')).body;
  expect(moby).toMatchObject({ title: { rendered: 'Moby' }, meta: { isbn: '978', pages: 600 } });
  const items = (await site.ask('GET', '/cms/v2/menu-items?orderby=menu_order&order=asc', { as: 'admin' })).body;
  expect(items.map(({ title }: { title: { rendered: string } }) => title.rendered)).toEqual([
    'About',
    'Team',
    'Start here',
    'Ferry times',
  ]);
  const answers = ['/start/', '/shop/', '/spring/', '/index.php?id=3', '/withdrawn/'].map(async (path) => {
    const { status, headers } = await fetch(site.url + path, { redirect: 'manual' });
    return [status, headers.get('location')?.replace(site.url, '')];
  });
  expect(await Promise.all(answers)).toEqual([
    [301, '/about/'],
    [301, 'https://shop.example.com/'],
    [302, '/summer/'],
    [301, '/about/team/'],
    [410, undefined],
  ]);
  const elsewhere = await startSite({ files: { 'site.yaml': `name: Quay\n${folders}` } });
  onTestFinished(() => elsewhere.close());
  expect(elsewhere.site.problems()).toEqual([]);
  const where = (name: string) => elsewhere.site.types.get(name)?.folders;
  expect([where('post'), where('page'), where('attachment')]).toEqual([
    ['_posts', '_drafts'],
    ['src/pages'],
    ['media', 'static', 'src/assets'],
  ]);
});

it('the commands and settings in docs/git.md do what the page says', async () => {
  const sample = await samplesOf('git.md');
  const cwd = await temporary();
  for (const line of sample('sh')) {
    const { status, err } = await run(line.trim().split(' ').slice(1), { cwd });
    expect(status, `${line}${err}`).toBe(0);
  }
  const dir = join(cwd, 'my-site');
  const site = await readFile(join(dir, 'site.yaml'), 'utf8');
  expect(sample('yaml')).toHaveLength(3);
  for (const yaml of sample('yaml')) {
    await writeFile(join(dir, 'site.yaml'), site + yaml);
    const open = await openSite(dir, { readOnly: true });
    const [key = '', value] = yaml.trim().split(': ');
    expect([open.settings.value(key), open.problems()]).toEqual([value, []]);
    await open.close();
  }
});
