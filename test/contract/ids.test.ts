/** Ids of files that are none, or near the end of the range: the site starts, the file is served, and creating goes on. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSequences } from '../../src/kernel/store/taken-ids.ts';
import { mostFollowed } from '../../src/kernel/site/sequences.ts';
import { maxId } from '../../src/kernel/model/ids.ts';
import { createStore } from '../../src/kernel/store/store.ts';
import { type AskOptions, startSite, type TestSite, type TestSiteOptions } from '../support/site.ts';

async function served(options: TestSiteOptions = {}): Promise<TestSite> {
  const site = await startSite(options);
  onTestFinished(() => site.close());
  return site;
}

const isInRange = (id: unknown): boolean => Number.isInteger(id) && (id as number) >= 1 && (id as number) <= maxId;
/** Ranges of 256 are taken for each of the number spaces; nobody is near an id of a file of these tests. */
const isSmall = (id: number): boolean => id < 2000;

/** Makes one item of each kind. @returns their ids */
async function makeOfEach(site: TestSite): Promise<number[]> {
  const make = async (route: string, body: unknown, options: AskOptions = {}): Promise<number> => {
    const answer = await site.ask('POST', `/cms/v2/${route}`, { as: 'admin', body, ...options });
    expect([route, answer.status]).toEqual([route, 201]);
    return answer.body.id;
  };
  const serial = Math.random().toString(36).slice(2);
  const post = await make('posts', { title: `Post ${serial}`, status: 'publish' });
  const menu = await make('menus', { name: `Menu ${serial}` });
  return [
    post,
    menu,
    await make('pages', { title: `Page ${serial}` }),
    await make('categories', { name: `Category ${serial}` }),
    await make('comments', { post, content: `Comment ${serial}` }),
    await make('users', { username: `u${serial}`, email: `${serial}@example.org`, password: `${serial}-Aa1!` }),
    await make('menu-items', { title: 'Item', url: 'https://example.org/', status: 'publish', menus: menu }),
    await make('media', 'text of a file', {
      headers: { 'content-type': 'text/plain', 'content-disposition': `attachment; filename="${serial}.txt"` },
    }),
  ];
}

const forms = [
  '0',
  '-1',
  '1.5',
  '1e9',
  '"7"',
  '[7]',
  '{a: 7}',
  'true',
  'null',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '99999999999999999999',
  '-9007199254740991',
];
const near = [maxId, maxId - 1, maxId - 300, mostFollowed + 1, mostFollowed];

/** A file of each kind that has an id. */
const filesWith = (id: string): Readonly<Record<string, string>> => ({
  'posts/2026/03/odd.md': `---\nid: ${id}\ntitle: Odd\ndate: 2026-03-05\n---\nText\n`,
  'pages/odd.md': `---\nid: ${id}\ntitle: Odd page\ndate: 2026-03-05\n---\nText\n`,
  'terms/category/odd.yaml': `id: ${id}\nname: Odd\n`,
  'users/odd.yaml': `id: ${id}\nname: Odd\n`,
  'comments/1/odd.html': `---\nid: ${id}\nname: Odd\ndate: 2026-03-05\n---\nText\n`,
  'revisions/1/odd.html': `---\nid: ${id}\ndate: 2026-03-05\n---\nText\n`,
  'media/2026/03/odd.txt': 'Odd',
  'media/2026/03/odd.txt.yaml': `id: ${id}\ndate: 2026-03-05\n`,
  'menus/odd.yaml': `id: ${id}\nname: Odd\nitems:\n  - url: /a\n    id: ${id}\n  - url: /b\n    items:\n      - url: /c\n        id: ${id}\n`,
  'menus/_loose.yaml': `items:\n  - url: /loose\n    id: ${id}\n`,
  'patterns/odd.html': `---\nid: ${id}\ntitle: Odd\n---\n<p>Odd</p>\n`,
  'sidebars/odd.yaml': `id: ${id}\nname: Odd\n`,
});

describe('an invalid id', () => {
  it.each(forms)('%s: its files are served under ids of their own, and no sequence moves', async (form) => {
    const site = await served({ files: filesWith(form) });
    for (const [route, find] of [
      ['posts?slug=odd', 'posts'],
      ['pages?slug=odd', 'pages'],
      ['categories?slug=odd', 'categories'],
      ['media?slug=odd', 'media'],
    ] as const) {
      const { body } = await site.ask('GET', `/cms/v2/${route}`);
      expect([route, body.length, isInRange(body[0]?.id)]).toEqual([route, 1, true]);
      expect((await site.ask('GET', `/cms/v2/${find}/${body[0].id}`)).status).toBe(200);
    }
    for (const table of [
      site.site.posts,
      site.site.terms,
      site.site.users,
      site.site.comments,
      site.site.revisions,
      site.site.design,
    ])
      for (const { id } of table.all()) expect(isInRange(id)).toBe(true);
    for (const id of await makeOfEach(site)) expect(id).toBeLessThan(2000);
  });
});

describe('an id near the end of the range', () => {
  it.each(near)('%i belongs to its file, and does not use up the ids of others', async (id) => {
    const kinds = ['posts/2026/03/odd.md', 'terms/category/odd.yaml', 'users/odd.yaml', 'comments/1/odd.html'];
    const files = Object.fromEntries(Object.entries(filesWith(String(id))).filter(([path]) => kinds.includes(path)));
    const site = await served({ files });
    expect((await site.ask('GET', `/cms/v2/posts/${id}`)).body.slug).toBe('odd');
    expect((await site.ask('GET', `/cms/v2/categories/${id}`)).body.slug).toBe('odd');
    for (let round = 0; round < 3; round++) expect((await makeOfEach(site)).every(isInRange)).toBe(true);
    expect(site.site.problems()).toEqual([]);
    const again = await served({ from: site.dir });
    expect(again.site.posts.get(id)?.slug).toBe('odd');
    expect(await again.site.ownId('posts')).toBeLessThan(mostFollowed + 1000);
  });

  it('that appears while the server runs moves no sequence beyond the limit for files', async () => {
    const site = await served();
    await site.write('posts/2026/03/odd.md', `---\nid: ${maxId}\ntitle: Odd\ndate: 2026-03-05\n---\nText\n`);
    await site.write('posts/2026/03/none.md', '---\nid: 9007199254740991\ntitle: None\ndate: 2026-03-05\n---\nText\n');
    await site.site.ingest(await site.site.store.sweep());
    expect((await makeOfEach(site)).every(isSmall)).toBe(true);
    expect(await site.read('posts/2026/03/none.md')).toMatch(/^---\nid: \d{1,3}\ntitle: None\n/);
  });

  it('is skipped when the sequence reaches it', async () => {
    const at = (id: number): [string, string] => [`posts/2026/03/p${id}.md`, `---\nid: ${id}\ndate: 2026-03-05\n---\nText\n`];
    const site = await served({ files: Object.fromEntries([0, 1, 2, 4].map((more) => at(mostFollowed + more))) });
    const ids = [await site.site.ownId('posts'), await site.site.ownId('posts')].map((id) => id - mostFollowed);
    expect(ids).toEqual([3, 5]);
  });
});

describe('corrupt sequences', () => {
  it.each([
    ['{"posts":9007199254740991,"terms":9007199254740992}'],
    ['{"posts":2147483647,"terms":2147483903,"users":1e308}'],
    ['{"posts":"9007199254740991","terms":-5,"users":null,"comments":[1]}'],
    ['{"posts":1.5}'],
    ['[1,2]'],
    ['"text"'],
    ['null'],
    ['{"posts": 12'],
    [''],
  ])('%s: are rebuilt from the files', async (text) => {
    const site = await startSite();
    const { dir, password } = site;
    await site.server.close();
    await site.site.close();
    const store = await createStore({ dir });
    for (const name of ['sequences.json', 'imported-ids.json']) await store.cache.set(name, Buffer.from(text));
    await store.close();
    const again = await served({ from: dir });
    const admin = `admin:${password}`;
    const ids: number[] = [];
    for (let round = 0; round < 3; round++) {
      const { status, body } = await again.ask('POST', '/cms/v2/posts', { as: admin, body: { title: 'New' } });
      expect(status).toBe(201);
      ids.push(body.id);
    }
    expect(ids.every(isSmall)).toBe(true);
    await again.site.reload();
    expect((await readSequences(again.site.store)).posts).toBeLessThan(1000);
  });
});

describe('a number that is not an id', () => {
  // The last is 1 in 32 bits, which is the id of an item of each kind.
  const numbers = [0, 2147483648, 4294967296, 9007199254740991, 9007199254740992, 1e20, 4294967297];
  it.each(numbers)('%d in a URL is unknown', async (number) => {
    const site = await served();
    await makeOfEach(site);
    const text = BigInt(number).toString();
    for (const route of ['posts', 'pages', 'media', 'categories', 'tags', 'comments', 'users', 'menus', 'menu-items', 'blocks'])
      for (const [method, query] of [
        ['GET', ''],
        ['POST', ''],
        ['DELETE', `?force=true${route === 'users' ? '&reassign=false' : ''}`],
      ] as const) {
        const { status } = await site.ask(method, `/cms/v2/${route}/${text}${query}`, {
          as: 'admin',
          ...(method === 'POST' ? { body: {} } : {}),
        });
        expect([route, method, status]).toEqual([route, method, 404]);
      }
  });

  it.each(numbers.slice(1))('%d in a reference is rejected or dropped', async (number) => {
    const site = await served();
    const [post, menu] = (await makeOfEach(site)) as [number, number];
    const refused = (route: string, body: object) => ({ route, body, isRefused: true, kept: undefined });
    const without = (route: string, body: object, kept: object) => ({ route, body, isRefused: false, kept });
    // Comments and menu items may name one that is gone (observed).
    const gone = Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
    for (const { route, body, isRefused, kept } of [
      refused('posts', { title: 'A', author: number }),
      without('posts', { title: 'A', featured_media: number }, { featured_media: 0 }),
      without('posts', { title: 'A', categories: [number], tags: [number] }, { categories: [], tags: [] }),
      refused('pages', { title: 'A', parent: number }),
      refused('categories', { name: `A ${number}`, parent: number }),
      refused('comments', { post: number, content: 'A' }),
      without('comments', { post, parent: number, content: `A ${number}` }, { parent: gone }),
      refused('comments', { post, author: number, content: `A ${number}` }),
      refused('menu-items', { title: 'A', url: '/a', menus: number }),
      without('menu-items', { title: 'A', url: '/a', menus: menu, parent: number }, { parent: gone }),
      refused('posts', { title: 'B', id: number }),
    ]) {
      const made = await site.ask('POST', `/cms/v2/${route}`, { as: 'admin', body });
      const sent = JSON.stringify(body);
      expect([sent, made.status >= 400 && made.status < 500, made.status === 201]).toEqual([sent, isRefused, !isRefused]);
      if (kept !== undefined) expect(made.body).toMatchObject(kept);
    }
    for (const list of ['posts?include', 'posts?author', 'posts?categories', 'pages?parent', 'comments?post', 'media?parent']) {
      const { status, body } = await site.ask('GET', `/cms/v2/${list}=${number}`, { as: 'admin' });
      expect([list, status, body]).toEqual([list, 200, []]);
    }
    expect((await makeOfEach(site)).every(isSmall)).toBe(true);
  });

  it('in a reference of a file does no harm', async () => {
    const huge = '9007199254740991';
    const site = await served({
      files: {
        'posts/2026/03/a.md': `---\nid: 50\ntitle: A\ndate: 2026-03-05\nauthor: ${huge}\nfeatured_media: ${huge}\ncategories: [${huge}, -1, 0]\n---\nText\n`,
        'pages/b.md': `---\nid: 51\ntitle: B\ndate: 2026-03-05\nparent: ${huge}\n---\nText\n`,
        'terms/category/c.yaml': `id: 52\nname: C\nparent: ${huge}\n`,
        [`comments/${huge}/9.html`]: `---\nid: 9\nparent: ${huge}\nauthor: ${huge}\nname: D\ndate: 2026-03-05\n---\nText\n`,
        'menus/m.yaml': `id: 53\nname: M\nitems:\n  - page: ${huge}\n    parent: ${huge}\n    order: ${huge}\n  - post: -1\n`,
      },
    });
    for (const route of [
      'posts/50?_embed',
      'pages/51?_embed',
      'categories/52?_embed',
      'comments?_embed',
      'menu-items?menus=53&_embed',
      'posts?_embed',
    ]) {
      const { status } = await site.ask('GET', `/cms/v2/${route}`, { as: 'admin' });
      expect([route, status]).toEqual([route, 200]);
    }
    expect((await makeOfEach(site)).every(isSmall)).toBe(true);
  });
});
