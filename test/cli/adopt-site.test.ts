/** Sites of generators, served where they lie. */
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { astroSite, eleventySite, type Files, hugoSite, jekyllSite, pixel, writeFiles } from '../support/markdown-sites.ts';
import { askInProcess } from '../support/in-process.ts';
import { startSite, type TestSite } from '../support/site.ts';
import { run } from './run.ts';

/** A blog in months with its configuration in a folder, its posts in bundles named by their day. */
const hugoBundles: Files = {
  'config/_default/hugo.yaml': 'baseURL: https://quay.example/\ntitle: Quay\ntimeZone: Europe/London\n',
  'config/_default/params.yaml': 'description: Boats\n',
  'content/blog/2026-03-05-oars/index.md': '---\ntitle: Oars\ntags: [boats]\nfeatured_image: oar.png\n---\n![An oar](oar.png)\n',
  'content/blog/2026-03-05-oars/oar.png': pixel,
  'content/blog/2026-03-06-sails/index.md': '+++\ntitle = "Sails"\ndate = 2026-03-06T09:30:00Z\ndraft = true\n+++\nCloth.\n',
  'content/contact.md': '---\ntitle: Contact\n---\nWrite.\n',
};

interface Sample {
  readonly name: string;
  readonly files: Files;
  /** By slug, of everything that an editor sees. */
  readonly posts: Readonly<
    Record<string, { readonly title: string; readonly day?: string; readonly status: string; readonly tags: readonly string[] }>
  >;
  readonly pages: readonly string[];
  /** Slug of a post and what is in its text. */
  readonly pictures: Readonly<Record<string, string>>;
  /** Featured picture of a post, by its slug. */
  readonly featured?: readonly [slug: string, src: string];
  /** Where a new post goes, and a draft. */
  readonly created: readonly [published: string, draft: string];
  /** A post that is changed, and its file. */
  readonly changed: readonly [slug: string, path: string];
}

const samples: readonly Sample[] = [
  {
    name: 'Jekyll',
    files: { ...jekyllSite(), '_posts/2026-03-09-oar.md': '---\ntitle: Oar\n---\n![An oar](oar.png)\n', '_posts/oar.png': pixel },
    posts: {
      'hello-harbour': { title: 'Hello: harbour', day: '2026-03-05', status: 'publish', tags: ['low-tide', 'morning'] },
      second: { title: 'Second', status: 'draft', tags: [] },
      third: { title: 'Third of them', day: '2026-03-08', status: 'publish', tags: [] },
      oar: { title: 'Oar', day: '2026-03-09', status: 'publish', tags: [] },
      idea: { title: 'Idea', status: 'draft', tags: [] },
    },
    pages: ['about'],
    pictures: { oar: '/uploads/_posts/oar.png' },
    featured: ['hello-harbour', '/uploads/assets/img/Cat%20photo.png'],
    created: ['_posts/2026-03-10-new-here.md', '_drafts/later-on.md'],
    changed: ['hello-harbour', '_posts/2026-03-05-hello-harbour.md'],
  },
  {
    name: 'Hugo',
    files: {
      ...hugoSite(),
      'content/posts/walk.md': '---\ntitle: Walk\ndate: 2026-03-01\n---\n![A cat](/images/cat.png)\n',
    },
    posts: {
      'hello-harbour': { title: 'Hello', day: '2026-03-05', status: 'publish', tags: ['fog', 'low-tide'] },
      walk: { title: 'Walk', day: '2026-03-01', status: 'publish', tags: [] },
      json: { title: 'In JSON {', day: '2026-04-01', status: 'draft', tags: [] },
      toml: { title: 'In TOML', day: '2026-04-02', status: 'future', tags: ['fog'] },
    },
    pages: ['_index', 'about', 'install', 'notes', 'one', 'posts'],
    pictures: { 'hello-harbour': '/uploads/content/posts/hello/cover.png', walk: '/uploads/static/images/cat.png' },
    featured: ['hello-harbour', '/uploads/content/posts/hello/cover.png'],
    created: ['content/posts/new-here.md', 'content/posts/later-on.md'],
    changed: ['toml', 'content/posts/toml.md'],
  },
  {
    name: 'Hugo with bundles by day',
    files: hugoBundles,
    posts: {
      oars: { title: 'Oars', day: '2026-03-05', status: 'publish', tags: ['boats'] },
      sails: { title: 'Sails', day: '2026-03-06', status: 'draft', tags: [] },
    },
    pages: ['contact'],
    pictures: { oars: '/uploads/content/blog/2026-03-05-oars/oar.png' },
    featured: ['oars', '/uploads/content/blog/2026-03-05-oars/oar.png'],
    created: ['content/blog/2026-03-10-new-here/index.md', 'content/blog/2026-03-10-later-on/index.md'],
    changed: ['sails', 'content/blog/2026-03-06-sails/index.md'],
  },
  {
    name: 'Astro',
    files: astroSite(),
    posts: { 'first-post': { title: 'First post', day: '2022-07-08', status: 'publish', tags: ['a', 'b'] } },
    pages: ['about'],
    pictures: { 'first-post': '/uploads/src/content/blog/inside.png' },
    featured: ['first-post', '/uploads/src/assets/hero.png'],
    created: ['src/content/blog/new-here.md', 'src/content/blog/later-on.md'],
    changed: ['first-post', 'src/content/blog/first-post.md'],
  },
  {
    name: 'Eleventy',
    files: eleventySite(),
    posts: {
      first: { title: 'First', day: '2026-03-05', status: 'publish', tags: ['second-tag'] },
      'with-json': { title: 'With JSON', day: '2026-04-01', status: 'future', tags: [] },
    },
    pages: ['about', 'index', 'team'],
    pictures: { first: '/uploads/content/blog/x.png' },
    created: ['content/blog/new-here.md', 'content/blog/later-on.md'],
    changed: ['with-json', 'content/blog/with-json.md'],
  },
];

describe('the folder of a site generator', () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });

  it.each(samples)('from $name is served as it is', async ({ files, posts, pages, pictures, featured, created, changed }) => {
    const dir = await mkdtemp(join(tmpdir(), 'cms-adopt-'));
    await writeFiles(dir, files);
    const { status, err } = await run(['init', dir, '--adopt', '--timezone', 'UTC', '--language', 'en_US']);
    expect(status, err).toBe(0);
    for (const [path, content] of Object.entries(files))
      expect(await readFile(join(dir, path)), path).toEqual(Buffer.from(content));

    site = await startSite({ from: dir, clock: () => Date.parse('2026-03-10T12:00:00Z') });
    const served = site;
    const ask = (method: string, path: string, body?: object) =>
      askInProcess(served, method, `/cms-json${path}`, { user: { id: 1, roles: ['administrator'] }, body });
    const list = async (path: string) => (await ask('GET', path)).body;
    const found = await list('/cms/v2/posts?status=any&per_page=100&context=edit&_embed');
    const tags = new Map(
      (await list('/cms/v2/tags?per_page=100')).map((tag: { id: number; slug: string }) => [tag.id, tag.slug]),
    );
    expect(
      Object.fromEntries(
        found.map((post: Record<string, any>) => [
          post.slug,
          {
            title: post.title.raw,
            status: post.status,
            tags: post.tags.map((id: number) => tags.get(id)).sort(),
            ...(posts[post.slug]?.day ? { day: post.date.slice(0, 10) } : {}),
          },
        ]),
      ),
    ).toEqual(posts);
    expect(found).toHaveLength(Object.keys(posts).length);
    const shown = (await list('/cms/v2/pages?status=any&per_page=100')).map(({ slug }: { slug: string }) => slug);
    expect(shown.sort()).toEqual(pages);
    for (const [slug, src] of Object.entries(pictures)) {
      const [one] = await list(`/cms/v2/posts?status=any&slug=${slug}`);
      expect(one.content.rendered).toContain(`${src}"`);
      expect((await fetch(site.url + src)).headers.get('content-type')).toBe('image/png');
    }
    if (featured) {
      const [one] = await list(`/cms/v2/posts?status=any&slug=${featured[0]}`);
      expect((await list(`/cms/v2/media/${one.featured_media}`)).source_url).toMatch(new RegExp(`${featured[1]}$`));
    }

    const before = await paths(site.dir);
    const make = async (body: object) => (await ask('POST', '/cms/v2/posts', body)).status;
    expect(await make({ title: 'New here', content: 'Text.', status: 'publish' })).toBe(201);
    expect(await make({ title: 'Later on', content: 'Text.', status: 'draft' })).toBe(201);
    expect((await paths(site.dir)).filter((path) => !before.includes(path))).toEqual([...created].sort());

    const [slug, path] = changed;
    const text = await site.read(path);
    const [post] = await list(`/cms/v2/posts?status=any&slug=${slug}`);
    expect((await ask('POST', `/cms/v2/posts/${post.id}`, { title: 'Another title' })).status).toBe(200);
    const after = await site.read(path);
    expect(after).toContain('Another title');
    expect(after.split('\n')[0]).toBe(text.split('\n')[0]);
  });

  it('is imported with its own format if site.yaml names its folders', async () => {
    const [from, into] = [await mkdtemp(join(tmpdir(), 'cms-adopt-')), join(await mkdtemp(join(tmpdir(), 'cms-adopt-')), 'new')];
    await writeFiles(from, {
      'site.yaml':
        'name: Quay\ntypes:\n  post: { folder: [texts/_posts, texts/_drafts] }\n  page: { folder: texts/tree }\n  recipe: { folder: texts/food, plural: Recipes }\n',
      'texts/_posts/2026-03-05-hello.md': '---\ntitle: Hello\n---\nText\n',
      'texts/_drafts/idea.md': '---\ntitle: Idea\n---\nText\n',
      'texts/tree/about/team.md': '---\ntitle: Team\n---\nText\n',
      'texts/tree/about/index.md': '---\ntitle: About\n---\nText\n',
      'texts/food/soup.md': '---\ntitle: Soup\n---\nText\n',
    });
    const { status, err } = await run(['import', from, '--into', into]);
    expect(status, err).toBe(0);
    site = await startSite({ from: into });
    const items = [...site.site.posts.all()].map(({ type, slug, status: state, path }) => [type, slug, state, path]);
    expect(items.sort()).toEqual([
      ['page', 'about', 'publish', 'pages/about/index.md'],
      ['page', 'team', 'publish', 'pages/about/team.md'],
      ['post', 'hello', 'publish', 'posts/2026/03/hello.md'],
      ['post', 'idea', 'draft', expect.stringMatching(/^posts\/.*idea\.md$/)],
      ['recipe', 'soup', 'publish', 'recipe/soup.md'],
    ]);
  });
});

async function paths(dir: string): Promise<string[]> {
  const all = await readdir(dir, { recursive: true });
  const own = all.filter((path) => !/^(?:\.cms|revisions)(?:\/|$)/.test(path));
  const files = await Promise.all(own.map(async (path) => ((await stat(join(dir, path))).isFile() ? [path] : [])));
  return files.flat().sort();
}
