/** Files as other programs write them, served in place; what is written back keeps the names and forms that were found. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSite } from '../../support/site.ts';
import { usualDate } from '../../../src/modules/content/front-matter/dates.ts';
import { run } from '../../cli/run.ts';

const published = '2026-03-05T10:00:00';

/** Name of the file, its text, what is served of it. */
const rows: readonly (readonly [string, string, Record<string, unknown>])[] = [
  [
    'posts/astro.md',
    '---\ntitle: A\npubDate: 2026-03-05T10:00:00\nupdatedDate: 2026-03-06\n---\n',
    { date: published, modified: '2026-03-06T00:00:00' },
  ],
  ['posts/words.md', '---\ntitle: A\ndate: March 5, 2026 10:00\n---\n', { date: published }],
  [
    'posts/slashes.md',
    '---\ntitle: A\nPublish-Date: 2026/3/5 10:00:00\nlastmod: 6 Apr 2026\n---\n',
    { date: published, modified: '2026-04-06T00:00:00' },
  ],
  ['posts/toml.md', '+++\ntitle = "A"\ndate = 2026-03-05T10:00:00\nweight = 2\n+++\n', { date: published, slug: 'toml' }],
  ['posts/json.md', '{\n  "title": "A",\n  "pubDate": "2026-03-05T10:00:00"\n}\n', { date: published }],
  ['posts/2026-03-05-dated.md', '---\ntitle: A\n---\n', { date: '2026-03-05T00:00:00', slug: 'dated' }],
  ['posts/2026-03-05-trip/index.md', '---\ntitle: A\n---\n', { date: '2026-03-05T00:00:00', slug: 'trip' }],
  [
    'posts/heading.md',
    '---\ndate: 2026-03-05\n---\n```\n# not this\n```\n\n# A *title* #\n\nText\n',
    { title: { rendered: 'A title' } },
  ],
  ['posts/said.md', '---\ntitle: ""\ndate: 2026-03-05\n---\n# A\n', { title: { rendered: '' } }],
  [
    'posts/summary.md',
    '---\ntitle: A\ndate: 2026-03-05\nsummary: Short.\ndescription: Long.\n---\n',
    { excerpt: { rendered: '<p>Short.</p>\n' } },
  ],
  [
    'posts/own.md',
    '---\ntitle: A\ndate: 2026-03-05\npubDate: 2020-01-01\nsummary: No.\nexcerpt: Own.\n---\n',
    { date: '2026-03-05T00:00:00', excerpt: { rendered: '<p>Own.</p>\n' } },
  ],
  [
    'posts/comments.md',
    '---\ntitle: A\ndate: 2026-03-05\ncomments: false\npinned: yes\n---\n',
    { comment_status: 'closed', sticky: true },
  ],
  ['posts/published.md', '---\ntitle: A\npublished: 2026-03-05\n---\n', { date: '2026-03-05T00:00:00', status: 'publish' }],
  ['pages/docs/_index.md', '---\ntitle: Docs\nweight: 4\n---\n', { slug: 'docs', menu_order: 4 }],
];

describe('front matter of other programs', () => {
  it('is read in its own format', async () => {
    const site = await startSite({
      files: {
        ...Object.fromEntries(rows.map(([path, text]) => [path, text])),
        'posts/_index.md': '---\ntitle: All posts\n---\n',
        'pages/docs/install.md': '---\ntitle: Install\n---\n',
        'users/anna.yaml': 'name: Anna Berg\n',
        'posts/people.md':
          '---\ntitle: A\ndate: 2026-03-05\nauthors: [Anna Berg, Ben]\ntags: "Low Water, fog,, #sea"\ncategory: Notes\n---\n',
        'posts/mail.md': '---\ntitle: A\ndate: 2026-03-05\nauthor: anna <anna@example.org>\n---\n',
        'posts/map.md': '---\ntitle: A\ndate: 2026-03-05\nauthor:\n  name: Clara Wells\n---\n',
        'posts/drafted.md': '+++\ntitle = "Secret"\ndraft = true\n+++\n',
      },
    });
    onTestFinished(() => site.close());
    expect(site.site.problems()).toEqual([]);
    const ask = async (type: string, slug: string) => (await site.ask('GET', `/cms/v2/${type}?slug=${slug}`)).body;
    for (const [path, , wanted] of rows) {
      const [type = '', name = ''] = path.split('/');
      const slug = wanted.slug ?? name.replace(/\.md$/, '');
      expect([path, await ask(type, String(slug))]).toMatchObject([path, [wanted]]);
    }
    expect(await ask('posts', 'drafted')).toEqual([]);
    expect(await ask('posts', '_index')).toEqual([]);
    const [docs] = await ask('pages', 'docs');
    expect(await ask('pages', 'install')).toMatchObject([{ parent: docs.id }]);

    const [people] = await ask('posts', 'people');
    const { body: author } = await site.ask('GET', `/cms/v2/users/${people.author}`);
    expect(author).toMatchObject({ name: 'Anna Berg', slug: 'anna' });
    expect((await ask('posts', 'mail'))[0].author).toBe(people.author);
    const [map] = await ask('posts', 'map');
    expect((await site.ask('GET', `/cms/v2/users/${map.author}`)).body).toMatchObject({ name: 'Clara Wells' });
    const { body: tags } = await site.ask('GET', `/cms/v2/tags?post=${people.id}`);
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(['fog', 'Low Water', 'sea']);
    expect((await site.ask('GET', `/cms/v2/categories?post=${people.id}`)).body).toMatchObject([{ name: 'Notes' }]);
    const { out } = await run(['validate', site.dir]);
    expect(out.match(/^.* (?:error|warning) .*$/gm)).toEqual([
      'posts/_index.md:1:1 warning is not read: it is the page of a list',
    ]);
  });

  it.each([
    [1_772_704_800, '2026-03-05T10:00:00+00:00'],
    [1_772_704_800_000, '2026-03-05T10:00:00+00:00'],
    [20_260_305, null],
    ['March 5th, 2026', '2026-03-05'],
    ['Thu, 5 Mar 2026 9:05 +0100', '2026-03-05T09:05:00+0100'],
    ['5 Mars 2026 noon', null],
  ])('reads the date %j as %j', (raw, date) => expect(usualDate(raw)).toBe(date));

  it.each<readonly [string, string, Record<string, unknown>, string]>([
    [
      'a date',
      'title: A\npubDate: 5 Mar 2026 # first\n',
      { date: '2026-03-07T10:00:00' },
      'title: A\npubDate: 2026-03-07T10:00:00 # first\n',
    ],
    [
      'a text of tags',
      'title: A\ndate: 2026-03-05\ntags: fog, sea\n',
      { tags: ['fog', 'pier'] },
      'title: A\ndate: 2026-03-05\ntags: fog, pier\n',
    ],
    [
      'a list of authors',
      'title: A\ndate: 2026-03-05\nauthors: [anna, ben]\n',
      { author: 'clara' },
      'title: A\ndate: 2026-03-05\nauthors: [clara, ben]\n',
    ],
    ['a summary', 'title: A\ndate: 2026-03-05\nsummary: Old\n', { excerpt: 'New' }, 'title: A\ndate: 2026-03-05\nsummary: New\n'],
    [
      'a summary that goes',
      'title: A\ndate: 2026-03-05\nsummary: Old\nlead: Other\n',
      { excerpt: '' },
      "title: A\ndate: 2026-03-05\nexcerpt: ''\nlead: Other\n",
    ],
    [
      'a flag for comments',
      'title: A\ndate: 2026-03-05\ncomments: true\n',
      { comment_status: 'closed' },
      'title: A\ndate: 2026-03-05\ncomments: false\n',
    ],
    [
      'a weight',
      'title: A\ndate: 2026-03-05\nbanner: https://example.org/a.png\n',
      { title: 'B' },
      'title: B\ndate: 2026-03-05\nbanner: https://example.org/a.png\n',
    ],
  ])('%s is written back in its format', async (_, before, change, after) => {
    const path = 'posts/a.md';
    const names = ['anna', 'clara'].map((name, at) => [`users/${name}.yaml`, `id: ${at + 90}\nname: ${name}\n`]);
    const site = await startSite({
      files: {
        ...Object.fromEntries(names),
        'terms/tag/pier.yaml': 'id: 97\nname: pier\n',
        'terms/tag/fog.yaml': 'id: 96\nname: fog\n',
        [path]: `---\nid: 70\n${before}---\nText\n`,
      },
    });
    onTestFinished(() => site.close());
    const ids: Record<string, number> = { pier: 97, fog: 96, clara: 91 };
    const body = Object.fromEntries(
      Object.entries(change).map(([key, value]) => [
        key,
        Array.isArray(value) ? value.map((one) => ids[one as string]) : (ids[value as string] ?? value),
      ]),
    );
    const { status, body: answer } = await site.ask('POST', '/cms/v2/posts/70', { as: 'admin', body });
    expect([status, answer]).toMatchObject([200, {}]);
    expect((await site.read(path)).replace(/^(?:modified|id): .*\n/gm, '')).toBe(`---\n${after}---\nText\n`);
    await site.site.reload();
    const again = (await site.ask('GET', '/cms/v2/posts/70?context=edit', { as: 'admin' })).body;
    for (const [key, value] of Object.entries(body)) expect(again[key].raw ?? again[key]).toEqual(value);
  });

  it('a title in a heading stays when the text loses it, and can be removed', async () => {
    const site = await startSite({
      files: {
        'posts/a.md': '---\nid: 70\ndate: 2026-03-05\n---\n# Fog\n\nText\n',
        'posts/b.md': '---\nid: 71\ndate: 2026-03-05\n---\n# Sea\n',
      },
    });
    onTestFinished(() => site.close());
    await site.ask('POST', '/cms/v2/posts/70', { as: 'admin', body: { content: 'Other' } });
    expect(await site.read('posts/a.md')).toContain('title: Fog\n');
    const { body } = await site.ask('POST', '/cms/v2/posts/71', {
      as: 'admin',
      body: { title: '', content: 'Text', excerpt: 'x' },
    });
    expect(body.title.raw).toBe('');
    expect((await site.ask('GET', '/cms/v2/posts/71')).body.title.rendered).toBe('');
  });

  it('a post in its own folder stays there, and a dated file name keeps the date', async () => {
    const site = await startSite({
      files: {
        'posts/trip/index.md': '---\nid: 70\ntitle: A\ndate: 2026-03-05\n---\nText\n',
        'posts/2026-03-05-fog.md': '---\nid: 71\ntitle: B\n---\nText\n',
      },
    });
    onTestFinished(() => site.close());
    for (const id of [70, 71]) {
      const { body } = await site.ask('POST', `/cms/v2/posts/${id}`, {
        as: 'admin',
        body: { slug: `new-${id}`, date: '2026-04-01T00:00:00' },
      });
      expect(body.slug).toBe(`new-${id}`);
    }
    expect(await site.read('posts/trip/index.md')).toContain('slug: new-70\n');
    expect(await site.read('posts/2026-04-01-new-71.md')).toContain('title: B\n');
  });
});
