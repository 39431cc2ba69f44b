/** Preview links: each opens one unpublished item, for whoever holds it, and nothing else. */
import { describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';
import { startWorkers } from '../workers/workers.ts';

const now = Date.parse('2026-03-01T10:00:00Z');
const text = (id: number, ...lines: string[]): string =>
  `---\n${[`id: ${id}`, `title: Item ${id}`, ...lines].join('\n')}\n---\nwords of ${id}\n`;

/** Items that visitors may not see. */
const items: readonly (readonly [what: string, base: string, id: number, path: string, lines: readonly string[]])[] = [
  ['a draft', 'posts', 50, 'posts/a.md', ['status: draft']],
  ['a draft by its key', 'posts', 51, 'posts/b.md', ['draft: true']],
  ['a pending post', 'posts', 52, 'posts/c.md', ['status: pending']],
  ['a scheduled post', 'posts', 53, 'posts/d.md', ['date: 2026-04-01']],
  ['a private post', 'posts', 54, 'posts/e.md', ['status: private', 'date: 2026-02-01']],
  ['a new post', 'posts', 55, 'posts/f.md', ['status: auto-draft']],
  ['a draft of a page', 'pages', 56, 'pages/g.md', ['status: draft']],
  ['a private page', 'pages', 57, 'pages/h.md', ['private: true']],
  ['a draft of an own type', 'books', 58, 'books/i.md', ['status: draft']],
  ['a scheduled item of an own type', 'books', 59, 'books/j.md', ['date: 2026-04-01']],
];

async function start(clock = (): number => now): Promise<TestSite> {
  return startSite({
    clock,
    files: {
      'site.yaml': 'name: Quay\nurl: https://quay.example\ntypes:\n  book: { plural: Books, rest_base: books }\n',
      ...Object.fromEntries(items.map(([, , id, path, lines]) => [path, text(id, ...lines)])),
      'posts/open.md': text(70, 'date: 2026-02-01'),
    },
  });
}

/** The preview link of an item, as its editor is told it. */
async function linkOf(site: TestSite, route: string): Promise<URL | null> {
  const { headers } = await site.ask('GET', `${route}?context=edit`, { as: 'admin' });
  const [, link] = /<([^>]*)>; rel="preview"/.exec(headers.get('link') ?? '') ?? [];
  return link === undefined ? null : new URL(link);
}

const opened = (site: TestSite, path: string) => site.ask('GET', path, { raw: true });

describe('the preview link of', () => {
  it.each(items)('%s opens it, and nothing opens without its token', async (_, base, id) => {
    const site = await start();
    try {
      const route = `/cms/v2/${base}/${id}`;
      const link = (await linkOf(site, route)) as URL;
      const { status, body, headers } = await opened(site, link.pathname + link.search);
      expect([status, body.includes(`words of ${id}`), headers.get('cache-control')]).toEqual([200, true, 'no-store']);
      const token = link.searchParams.get('preview_nonce') as string;
      const item = await site.ask('GET', `${route}?preview_nonce=${token}`);
      expect([item.status, item.body.content.rendered.includes(`words of ${id}`)]).toEqual([200, true]);
      for (const [name, value] of [
        ['preview_nonce', null],
        ['preview_nonce', ''],
        ['preview_nonce', `${token}x`],
        ['preview_nonce', `${token}.x`],
        ['preview_nonce', `${token}.`],
        ['preview_nonce', token.replace(/^[^.]*/, 'zzzzzzz')],
        ['preview_id', null],
        ['preview_id', '70'],
        ['preview_id', id === 50 ? '51' : '50'],
        ['p', '70'],
        ['page_id', '56x'],
      ] as const) {
        const wrong = new URL(link);
        if (value === null) wrong.searchParams.delete(name);
        else wrong.searchParams.set(name, value);
        const answer = await opened(site, wrong.pathname + wrong.search);
        expect([name, value, answer.status, /words of/.test(answer.body)]).toEqual([name, value, 404, false]);
      }
      for (const other of items.filter(([, , one]) => one !== id)) {
        const refused = await site.ask('GET', `/cms/v2/${other[1]}/${other[2]}?preview_nonce=${token}`);
        expect([other[2], refused.status]).toEqual([other[2], 401]);
      }
    } finally {
      await site.close();
    }
  });

  it("a draft shows its autosave, one's own included", async () => {
    const site = await start();
    try {
      const made = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Fresh', content: 'first words' } });
      const saved = await site.ask('POST', `/cms/v2/posts/${made.body.id}/autosaves`, {
        as: 'admin',
        body: { title: 'Fresh', content: 'second words' },
      });
      const link = new URL(saved.body.preview_link);
      expect(link.searchParams.get('preview_id')).toBe(String(made.body.id));
      const { status, body } = await opened(site, link.pathname + link.search);
      expect([status, body.includes('second words')]).toEqual([200, true]);
      expect((await opened(site, `/?p=${made.body.id}&preview=true`)).status).toBe(404);
    } finally {
      await site.close();
    }
  });

  it.each([
    ["somebody else's draft", 50],
    ['a pending post', 52],
    ['what is public', 70],
  ])('the autosave of %s opens the saved state, which nobody else sees', async (_, id) => {
    const site = await start();
    try {
      const body = { content: 'second words' };
      const saved = await site.ask('POST', `/cms/v2/posts/${id}/autosaves`, { as: 'admin', body });
      const link = new URL(saved.body.preview_link);
      const shown = await opened(site, link.pathname + link.search);
      expect([shown.status, shown.body.includes('second words'), shown.body.includes(`words of ${id}`)]).toEqual([
        200,
        true,
        false,
      ]);
      for (const path of [link.pathname, `/?p=${id}`, `/?preview_id=${id}`, '/'])
        expect((await opened(site, path)).body).not.toContain('second words');
    } finally {
      await site.close();
    }
  });

  it('an item expires, also in the trash, and does not exist for public items', async () => {
    let present = now;
    const site = await start(() => present);
    try {
      const link = (await linkOf(site, '/cms/v2/posts/50')) as URL;
      const token = link.searchParams.get('preview_nonce');
      present += 25 * 3_600_000;
      expect((await opened(site, link.pathname + link.search)).status).toBe(404);
      expect((await site.ask('GET', `/cms/v2/posts/50?preview_nonce=${token}`)).status).toBe(401);
      const fresh = (await linkOf(site, '/cms/v2/posts/50')) as URL;
      await site.ask('DELETE', '/cms/v2/posts/50', { as: 'admin' });
      expect((await opened(site, fresh.pathname + fresh.search)).status).toBe(404);
      const again = await site.ask('GET', `/cms/v2/posts/50?${fresh.searchParams}`);
      expect(again.status).toBe(401);
      expect(await linkOf(site, '/cms/v2/posts/50')).toBeNull();
      expect(await linkOf(site, '/cms/v2/posts/70')).toBeNull();
      const { headers } = await site.ask('GET', '/cms/v2/posts/70');
      expect(headers.get('link')).not.toContain('preview');
    } finally {
      await site.close();
    }
  });

  it('an item is the same for every worker', async () => {
    await using workers = await startWorkers({ files: { 'posts/a.md': text(50, 'status: draft') } });
    const [first = ''] = workers.urls();
    const { headers } = await workers.ask(first, 'GET', '/cms-json/cms/v2/posts/50?context=edit', { as: 'admin' });
    const link = new URL(/<([^>]*)>; rel="preview"/.exec(headers.get('link') ?? '')?.[1] ?? '');
    for (const url of workers.urls()) expect((await workers.ask(url, 'GET', link.pathname + link.search)).status).toBe(200);
  });
});

describe('the URL of an item that visitors may not see', () => {
  it('is not the front page', async () => {
    const site = await start();
    try {
      for (const query of [
        'p=50',
        'p=50&preview=true',
        'page_id=56',
        'post_type=book&p=58',
        'p=9999',
        'attachment_id=50',
        'preview_id=50',
        'preview_id=50&preview=true',
      ])
        expect([query, (await opened(site, `/?${query}`)).status]).toEqual([query, 404]);
      for (const path of ['/', '/?preview=true', '/?utm_source=x'])
        expect([path, (await opened(site, path)).status]).toEqual([path, 200]);
      expect((await opened(site, '/?p=70')).status).toBe(301);
    } finally {
      await site.close();
    }
  });
});
