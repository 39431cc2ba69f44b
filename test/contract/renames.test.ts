/** Files that are renamed, moved or given another slug by hand or by git: what becomes of their former addresses. */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { temporary } from '../cli/run.ts';
import { startSite, type TestSite, type TestSiteOptions, until } from '../support/site.ts';

const post = (id: number, ...lines: string[]): string => {
  const isDated = lines.some((line) => line.startsWith('date:') || line === 'status: draft');
  return `---\n${[`id: ${id}`, ...(isDated ? [] : ['date: 2026-03-01']), ...lines].join('\n')}\n---\nText ${id}\n`;
};

const files: Readonly<Record<string, string>> = {
  'posts/2026/03/boats.md': post(70),
  'posts/2026/03/ferries.md': post(71, 'categories: [news]', 'author: anna'),
  'posts/2026/03/later.md': post(72, 'status: draft'),
  'pages/about/index.md': post(73),
  'pages/about/team.md': post(74),
  'pages/about/team/anna.md': post(75),
  'pages/contact.md': post(76),
  'books/tides.md': post(77),
  'terms/category/news.yaml': 'id: 60\nname: News\n',
  'users/anna.yaml': 'id: 61\nname: Anna\n',
};
const settings = 'name: Quay\ntimezone: UTC\ntypes:\n  book:\n    rest_base: books\n';

async function start(options: TestSiteOptions = {}) {
  const site = await startSite({ ...options, files: { 'site.yaml': settings, ...files, ...options.files } });
  onTestFinished(() => site.close());
  return site;
}

const move = async ({ dir }: TestSite, from: string, to: string): Promise<void> => {
  await mkdir(dirname(join(dir, to)), { recursive: true });
  await rename(join(dir, from), join(dir, to));
};

async function get({ url }: TestSite, path: string): Promise<[number, string | undefined]> {
  const { status, headers } = await fetch(url + path, { redirect: 'manual' });
  return [status, headers.get('location')?.replace(url, '')];
}

/** Until an address leads to another: memory follows the file. */
const leads = (site: TestSite, from: string, to: string) => until(async () => (await get(site, from)).join() === `301,${to}`);

const aliasesOf = async (site: TestSite, path: string): Promise<string[]> =>
  [...(await site.read(path)).matchAll(/^ {2}- (.+)$/gm)].map(([, alias]) => alias as string);

/** Until the file has these aliases. */
const named = (site: TestSite, path: string, ...aliases: string[]) =>
  until(async () => (await aliasesOf(site, path).catch(() => [])).join() === aliases.join());

function gitIn(dir: string) {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  return git;
}

/** The time in which an alias would have been written: another rename, seen later, has got its own. */
async function settled(site: TestSite, name: string): Promise<void> {
  await site.write(`posts/${name}.md`, post(200));
  await until(() => site.site.posts.get(200));
  await move(site, `posts/${name}.md`, `posts/${name}-moved.md`);
  await named(site, `posts/${name}-moved.md`, name);
}

describe('a file renamed by hand', () => {
  it('its former slug becomes an alias and redirects', async () => {
    const site = await start();
    expect(await get(site, '/boats/')).toEqual([200, undefined]);
    await move(site, 'posts/2026/03/boats.md', 'posts/2026/03/ships.md');
    await move(site, 'books/tides.md', 'books/ebb.md');
    await site.write('pages/contact.md', post(76, 'slug: write-to-us'));
    await named(site, 'posts/2026/03/ships.md', 'boats');
    await named(site, 'books/ebb.md', 'tides');
    await named(site, 'pages/contact.md', 'contact');
    expect(await site.read('posts/2026/03/ships.md')).toBe('---\nid: 70\ndate: 2026-03-01\naliases:\n  - boats\n---\nText 70\n');
    for (const [from, to] of [
      ['/boats/', '/ships/'],
      ['/book/tides/', '/book/ebb/'],
      ['/contact/', '/write-to-us/'],
    ] as const)
      await leads(site, from, to);
    expect((await site.ask('GET', '/cms/v2/posts/70')).body.slug).toBe('ships');
  });

  it('the children of a page move with it, with one alias', async () => {
    const site = await start();
    await move(site, 'pages/about', 'pages/company');
    await named(site, 'pages/company/index.md', 'about');
    for (const [from, to] of [
      ['/about/', '/company/'],
      ['/about/team/', '/company/team/'],
      ['/about/team/anna/', '/company/team/anna/'],
    ] as const)
      await leads(site, from, to);
    expect(await site.read('pages/company/team.md')).toBe(post(74));
    expect(await site.read('pages/company/team/anna.md')).toBe(post(75));
  });

  it('a page with a new parent keeps its whole former path, and so do its children', async () => {
    const site = await start();
    await move(site, 'pages/about/team', 'pages/contact/people');
    await move(site, 'pages/about/team.md', 'pages/contact/people.md');
    await named(site, 'pages/contact/people.md', '/about/team/');
    await leads(site, '/about/team/', '/contact/people/');
    await leads(site, '/about/team/anna/', '/contact/people/anna/');
    expect(await aliasesOf(site, 'pages/contact/people/anna.md')).toEqual([]);
  });

  it('children that lose their parent keep their URLs', async () => {
    const site = await start();
    await rm(join(site.dir, 'pages/about/index.md'));
    await named(site, 'pages/about/team.md', '/about/team/');
    await leads(site, '/about/team/', '/team/');
    await leads(site, '/about/team/anna/', '/team/anna/');
  });

  it('dated URLs redirect, and those of another type', async () => {
    const site = await start({ files: { 'site.yaml': `${settings}permalink: /{year}/{month}/{slug}/\n` } });
    expect(await get(site, '/2026/03/boats/')).toEqual([200, undefined]);
    await site.write('posts/2026/03/boats.md', post(70, 'date: 2025-12-01T10:00:00'));
    await move(site, 'posts/2026/03/ferries.md', 'pages/ferries.md');
    await named(site, 'pages/ferries.md', '/2026/03/ferries/');
    await leads(site, '/2026/03/ferries/', '/ferries/');
    await leads(site, '/2026/03/boats/', '/2025/12/boats/');
    expect(await aliasesOf(site, 'posts/2026/03/boats.md')).toEqual([]);
  });

  it('the old file may vanish before or after the new one appears', async () => {
    const site = await start();
    const [boats, ferries] = ['posts/2026/03/boats.md', 'posts/2026/03/ferries.md'];
    await rm(join(site.dir, boats));
    await until(() => !site.site.posts.get(70));
    await writeFile(join(site.dir, 'posts/1-copy.md'), files[ferries] as string);
    await until(() => site.site.store.knows('posts/1-copy.md'));
    await rm(join(site.dir, ferries));
    await writeFile(join(site.dir, 'posts/came-back.md'), post(70));
    await named(site, 'posts/came-back.md', 'boats');
    await until(async () => (await site.read('posts/1-copy.md')).includes('ferries'));
    await leads(site, '/boats/', '/came-back/');
    await leads(site, '/ferries/', '/1-copy/');
  });

  it('terms and users are still found by the names in files', async () => {
    const site = await start();
    await move(site, 'terms/category/news.yaml', 'terms/category/reports.yaml');
    await move(site, 'users/anna.yaml', 'users/anna-smith.yaml');
    await until(() => site.site.terms.get(60)?.slug === 'reports' && site.site.users.get(61)?.slug === 'anna-smith');
    await site.write('posts/2026/03/new.md', post(90, 'categories: [news]', 'author: anna'));
    const made = await until(() => site.site.posts.get(90));
    expect([made.terms.category, made.author]).toEqual([[60], 61]);
    await named(site, 'terms/category/reports.yaml', 'news');
    await named(site, 'users/anna-smith.yaml', 'anna');
    await site.site.reload();
    expect(site.site.posts.get(71)?.terms.category).toEqual([60]);
    await expect(site.read('terms/category/news.yaml')).rejects.toThrow();
  });

  it('a term gets no alias that is the slug of another term by now', async () => {
    const site = await start();
    await move(site, 'terms/category/news.yaml', 'terms/category/reports.yaml');
    await site.write('terms/category/news.yaml', 'id: 68\nname: News\n');
    await until(() => site.site.terms.get(60)?.slug === 'reports' && site.site.terms.get(68)?.slug === 'news');
    await move(site, 'users/anna.yaml', 'users/anna-smith.yaml');
    await named(site, 'users/anna-smith.yaml', 'anna');
    expect(await aliasesOf(site, 'terms/category/reports.yaml')).toEqual([]);
  });

  it('nothing is written if no URL is lost', async () => {
    const site = await start();
    await move(site, 'posts/2026/03/later.md', 'posts/2026/03/soon.md');
    await move(site, 'posts/2026/03/boats.md', 'posts/boats.md');
    await move(site, 'posts/2026/03/ferries.md', 'posts/2026/03/Ferries.md');
    await move(site, 'pages/contact.md', 'pages/swap.md');
    await site.write('pages/contact.md', post(91));
    await move(site, 'books/tides.md', 'books/x.md');
    await until(() => site.site.posts.get(77)?.slug === 'x');
    await move(site, 'books/x.md', 'books/tides.md');
    await settled(site, 'other');
    for (const path of [
      'posts/2026/03/soon.md',
      'posts/boats.md',
      'posts/2026/03/Ferries.md',
      'pages/swap.md',
      'pages/contact.md',
      'books/tides.md',
    ])
      expect([path, await aliasesOf(site, path)]).toEqual([path, []]);
    expect(await get(site, '/contact/')).toEqual([200, undefined]);
  });

  it('a rename and back keeps what was public in between as a redirect, and nothing else', async () => {
    const site = await start();
    const path = 'posts/2026/03/boats.md';
    await move(site, path, 'posts/2026/03/ships.md');
    await named(site, 'posts/2026/03/ships.md', 'boats');
    await move(site, 'posts/2026/03/ships.md', path);
    await named(site, path, 'ships');
    await settled(site, 'other');
    expect(await aliasesOf(site, path)).toEqual(['ships']);
    await leads(site, '/ships/', '/boats/');
    await move(site, path, 'posts/2026/03/ships.md');
    await named(site, 'posts/2026/03/ships.md', 'boats');
    expect(await aliasesOf(site, 'posts/2026/03/ships.md')).toEqual(['boats']);
  });

  it('an immediate rename and back leaves the file unchanged', async () => {
    const site = await start();
    const path = 'posts/2026/03/boats.md';
    await move(site, path, 'posts/2026/03/ships.md');
    await until(() => site.site.posts.get(70)?.path === 'posts/2026/03/ships.md');
    await move(site, 'posts/2026/03/ships.md', path);
    await settled(site, 'other');
    expect(await site.read(path)).toBe(post(70));
  });

  it('hundreds are renamed at once while requests are served', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`posts/old/p${at}.md`, post(1000 + at, `slug: old-${at}`)]),
    );
    const site = await start({ files: many });
    let longest = 0;
    for (let at = 0; at < 500; at++) await writeFile(join(site.dir, `posts/old/p${at}.md`), post(1000 + at, `slug: new-${at}`));
    await until(async () => {
      const begun = performance.now();
      await fetch(`${site.url}/cms-json/cms/v2/posts/70`);
      longest = Math.max(longest, performance.now() - begun);
      return site.site.posts.get(1499)?.aliases.includes('old-499') && site.site.posts.get(1000)?.aliases.includes('old-0');
    }, 60_000);
    expect(longest).toBeLessThan(5000);
    await until(() => [...site.site.posts.all()].filter(({ aliases }) => aliases.length === 1).length === 500, 60_000);
    await leads(site, '/old-250/', '/new-250/');
  }, 90_000);

  it('a read-only site reports lost URLs', async () => {
    const site = await start({ readOnly: true });
    const said: string[] = [];
    site.site.renames.onReport((problems) =>
      said.push(...problems.map(({ path, message, hint }) => `${path} ${message}: ${hint}`)),
    );
    await move(site, 'posts/2026/03/boats.md', 'posts/2026/03/ships.md');
    await until(() => said.length > 0);
    expect(said).toEqual([
      'posts/2026/03/ships.md /boats/ was its address, and leads nowhere now: the site is read-only; to keep it, write `aliases: [boats]`',
    ]);
    expect(await site.read('posts/2026/03/ships.md')).toBe(post(70));
  });
});

describe('a file renamed while no server runs', () => {
  it('its former URL is known from the last snapshot', async () => {
    const dir = await temporary();
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    };
    for (const [path, text] of Object.entries({ 'site.yaml': settings, ...files })) await put(path, text);
    for (let at = 0; at < 520; at++) await put(`posts/many/p${at}.md`, post(1000 + at));
    await (await openSite(dir)).close();
    const here = { dir, read: (path: string) => readFile(join(dir, path), 'utf8') } as TestSite;
    await move(here, 'posts/2026/03/boats.md', 'posts/2026/03/ships.md');
    await move(here, 'pages/about', 'pages/company');
    await put('posts/many/p7.md', post(1007, 'slug: seven'));
    await put('posts/2026/03/later.md', post(72, 'status: draft', 'slug: soon'));
    await (await openSite(dir)).close();
    expect(await aliasesOf(here, 'posts/2026/03/ships.md')).toEqual(['boats']);
    expect(await aliasesOf(here, 'posts/many/p7.md')).toEqual(['p7']);
    expect(await aliasesOf(here, 'pages/company/index.md')).toEqual(['about']);
    for (const path of ['pages/company/team.md', 'pages/company/team/anna.md', 'posts/2026/03/later.md', 'posts/many/p8.md'])
      expect([path, await aliasesOf(here, path)]).toEqual([path, []]);
  });
});

describe('a file renamed in a git repository', () => {
  const [boats, ships] = ['posts/2026/03/boats.md', 'posts/2026/03/ships.md'];

  it('git mv adds an alias, committed at once or not', async () => {
    const site = await start();
    const git = gitIn(site.dir);
    git('mv', boats, ships);
    await named(site, ships, 'boats');
    git('mv', 'pages/contact.md', 'pages/write.md');
    git('commit', '-qm', 'two');
    await named(site, 'pages/write.md', 'contact');
    await leads(site, '/contact/', '/write/');
  });

  it('checkouts, pulls and stashes leave the work tree clean', async () => {
    const site = await start();
    const git = gitIn(site.dir);
    git('checkout', '-qb', 'other');
    git('mv', boats, ships);
    git('mv', 'pages/about', 'pages/company');
    git('commit', '-qm', 'two', '--date', '2020-01-01T00:00:00');
    git('checkout', '-q', 'main');
    const said: string[] = [];
    site.site.renames.onReport((problems) => said.push(...problems.map(({ path }) => path)));
    for (const [branch, path] of [
      ['other', ships],
      ['main', boats],
      ['other', ships],
    ] as const) {
      git('checkout', '-q', branch);
      await until(() => site.site.posts.get(70)?.path === path);
    }
    await until(() => said.includes(ships));
    expect(git('status', '--porcelain', '-uno')).toBe('');
    git('checkout', '-q', 'main');
    await until(() => site.site.posts.get(70)?.path === boats);
    git('merge', '-q', '--ff-only', 'other');
    await until(() => site.site.posts.get(70)?.path === ships);
    await settled(site, 'beside');
    expect(git('status', '--porcelain', '-uno')).toBe('');
  });

  it('a stash takes the alias along and brings it back', async () => {
    const site = await start();
    const git = gitIn(site.dir);
    git('mv', boats, ships);
    await named(site, ships, 'boats');
    git('stash', '-q');
    await until(() => site.site.posts.get(70)?.path === boats);
    await settled(site, 'beside');
    expect(git('status', '--porcelain', '-uno')).toBe('');
    git('stash', 'pop', '-q');
    await until(async () => (await get(site, '/boats/'))[0] === 301);
    expect(await aliasesOf(site, ships)).toEqual(['boats']);
  });
});

describe('a rename over REST', () => {
  it('a page that gets or loses a parent keeps its whole former path', async () => {
    const site = await start();
    const change = (id: number, body: object) => site.ask('POST', `/cms/v2/pages/${id}`, { as: 'admin', body });
    expect((await change(74, { parent: 76 })).status).toBe(200);
    await leads(site, '/about/team/', '/contact/team/');
    await leads(site, '/about/team/anna/', '/contact/team/anna/');
    await change(74, { parent: 73 });
    expect(await get(site, '/about/team/')).toEqual([200, undefined]);
    expect(await aliasesOf(site, 'pages/about/team.md')).toEqual(['/contact/team/']);
    expect((await site.ask('DELETE', '/cms/v2/pages/73?force=true', { as: 'admin' })).status).toBe(200);
    await leads(site, '/about/team/', '/team/');
    await leads(site, '/contact/team/anna/', '/team/anna/');
  });
});

describe('a former slug', () => {
  it('is not reused for a new title, but can be requested', async () => {
    const site = await start({ files: { 'posts/2026/03/ships.md': post(80, 'aliases: [vessels]') } });
    const create = (body: object) =>
      site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { status: 'publish', content: 'x', ...body } });
    expect((await create({ title: 'Vessels' })).body.slug).toBe('vessels-2');
    await leads(site, '/vessels/', '/ships/');
    expect((await create({ title: 'Any', slug: 'vessels' })).body.slug).toBe('vessels');
    expect(await get(site, '/vessels/')).toEqual([200, undefined]);
    expect(await aliasesOf(site, 'posts/2026/03/ships.md')).toEqual([]);
    expect(await site.read('posts/2026/03/ships.md')).toContain('aliases: [vessels]');
    // Its own former slug is free to an item.
    const own = await site.ask('POST', '/cms/v2/posts/80', { as: 'admin', body: { slug: 'vessels-3' } });
    expect(own.body.slug).toBe('vessels-3');
    expect((await site.ask('POST', '/cms/v2/posts/80', { as: 'admin', body: { slug: 'ships' } })).body.slug).toBe('ships');
  });

  it('is reported if a new file takes it', async () => {
    const site = await start({ files: { 'posts/2026/03/ships.md': post(80, 'aliases: [vessels]') } });
    const said: string[] = [];
    site.site.renames.onReport((problems) => said.push(...problems.map(({ path, message }) => `${path} ${message}`)));
    await site.write('posts/vessels.md', post(81));
    await until(() => said.length > 0);
    expect(said).toEqual([
      'posts/vessels.md vessels is a former slug of posts/2026/03/ships.md: its address shows this item from now on',
    ]);
  });
});
