import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { createSchedule } from '../../src/modules/content/posts/schedule.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

describe('posts', () => {
  let site: TestSite;
  const users: Record<string, string> = {};
  const login = (name: string): string => `${name}:${users[name]}`;
  const post = async (body: Record<string, unknown>, as = 'admin') =>
    (await site.ask('POST', '/cms/v2/posts', { as, body })).body;

  beforeAll(async () => {
    site = await startSite();
    for (const role of ['editor', 'author', 'contributor', 'subscriber']) {
      const made = await site.ask('POST', '/cms/v2/users', {
        as: 'admin',
        body: { username: role, email: `${role}@example.com`, password: 'Sturdy-pass-91', roles: [role] },
      });
      users[role] = (
        await site.ask('POST', `/cms/v2/users/${made.body.id}/application-passwords`, { as: 'admin', body: { name: 'test' } })
      ).body.password;
    }
  });
  afterAll(() => site.close());

  it('show nothing hidden to readers without the right to see it', async () => {
    const canary = 'kanarienvogel';
    const hidden = [
      await post({ title: `${canary} draft`, content: canary, excerpt: canary }),
      await post({ title: `${canary} private`, content: canary, status: 'private' }),
      await post({ title: `${canary} pending`, content: canary, status: 'pending' }),
      await post({ title: `${canary} future`, content: canary, status: 'future', date: '2034-01-01T10:00:00' }),
    ];
    const trashed = await post({ title: `${canary} trash`, content: canary, status: 'publish' });
    await site.ask('DELETE', `/cms/v2/posts/${trashed.id}`, { as: 'admin' });
    const locked = await post({
      title: 'Locked',
      content: `${canary} inside`,
      excerpt: canary,
      password: 'sesame',
      status: 'publish',
    });
    const lists = [
      '',
      '?search=kanarien',
      `?search=${canary}&orderby=relevance`,
      '?per_page=100&_embed',
      '?status=any',
      '?orderby=title',
      `?slug=${canary}-private`,
      '?after=2000-01-01T00:00:00',
    ];
    for (const as of [undefined, login('subscriber')]) {
      for (const query of lists) {
        const { body } = await site.ask('GET', `/cms/v2/posts${query}`, as === undefined ? {} : { as });
        expect(JSON.stringify(body), `${as} ${query}`).not.toContain(canary);
      }
      for (const { id } of [...hidden, trashed]) {
        const { status, body } = await site.ask('GET', `/cms/v2/posts/${id}`, as === undefined ? {} : { as });
        expect([401, 403]).toContain(status);
        expect(JSON.stringify(body)).not.toContain(canary);
        for (const below of ['revisions', 'autosaves']) {
          const { status: refused } = await site.ask('GET', `/cms/v2/posts/${id}/${below}`, as === undefined ? {} : { as });
          expect([401, 403]).toContain(refused);
        }
      }
      const { headers, body } = await site.ask('GET', `/cms/v2/posts/${locked.id}`, as === undefined ? {} : { as });
      expect(JSON.stringify(body) + JSON.stringify([...headers])).not.toContain(canary);
      // Neither totals nor pages of a search tell what a protected text holds.
      const search = await site.ask('HEAD', `/cms/v2/posts?search=${canary}`, as === undefined ? {} : { as });
      expect(search.headers.get('x-cms-total')).toBe('0');
    }
    for (const path of ['/', `/?p=${hidden[0].id}`, `/${canary}-private/`, '/locked/', `/?p=${trashed.id}`]) {
      expect((await site.ask('GET', path, { raw: true })).body).not.toContain(canary);
    }
    expect((await site.ask('GET', `/cms/v2/posts/${locked.id}?password=sesame`)).body.content.rendered).toContain(canary);
  });

  it('redirect from former URLs', async () => {
    const made = await post({ title: 'First name', status: 'publish' });
    await site.ask('POST', `/cms/v2/posts/${made.id}`, { as: 'admin', body: { slug: 'second-name' } });
    const where = async (path: string) => {
      const { status, headers } = await site.ask('GET', path, { raw: true });
      return [status, headers.get('location')];
    };
    expect(await where('/first-name/')).toEqual([301, `${site.url}/second-name/`]);
    expect(await where('/second-name')).toEqual([200, null]);
    expect(await where(`/?p=${made.id}`)).toEqual([301, `${site.url}/second-name/`]);
    expect(await where('/never-there/')).toEqual([404, null]);
  });

  it('announce their embed URL, and it responds', async () => {
    await post({ title: 'Shown elsewhere', status: 'publish' });
    const { headers } = await site.ask('GET', '/shown-elsewhere/', { raw: true });
    const [, address] = /<([^>]*)>; rel="alternate"; type="application\/json\+oembed"/.exec(headers.get('link') ?? '') ?? [];
    const { status, body } = await site.ask('GET', (address as string).slice(site.url.length), { raw: true });
    expect([status, body.title]).toEqual([200, 'Shown elsewhere']);
  });

  it('open their unsaved state with a preview token, until it expires', async () => {
    const made = await post({ title: 'Kept', content: 'old', status: 'publish' });
    const saved = await site.ask('POST', `/cms/v2/posts/${made.id}/autosaves`, {
      as: 'admin',
      body: { title: 'Kept', content: 'new words' },
    });
    const link = new URL(saved.body.preview_link);
    expect((await site.ask('GET', link.pathname + link.search, { raw: true })).body).toContain('new words');
    const token = link.searchParams.get('preview_nonce') as string;
    const open = await site.ask('GET', `/cms/v2/posts/${made.id}?preview_nonce=${token}`);
    expect(open.body.content.rendered).toContain('new words');
    const draft = await post({ title: 'Secret', content: 'never shown' });
    for (const wrong of [token, `${token}x`, token.replace(/^[^.]*/, '1'), 'nothing', '']) {
      const { status, body } = await site.ask('GET', `/cms/v2/posts/${draft.id}?preview_nonce=${wrong}`);
      expect([status, JSON.stringify(body).includes('never shown')]).toEqual([401, false]);
    }
  });

  it('can be restored by writing a revision back', async () => {
    const made = await post({ title: 'One', content: 'first', status: 'publish' });
    for (const content of ['second', 'third'])
      await site.ask('POST', `/cms/v2/posts/${made.id}`, { as: 'admin', body: { content } });
    const { body: revisions } = await site.ask('GET', `/cms/v2/posts/${made.id}/revisions?context=edit&order=asc&orderby=id`, {
      as: 'admin',
    });
    expect(revisions.map(({ content }: { content: { raw: string } }) => content.raw)).toEqual(['second', 'third']);
    const restored = await site.ask('POST', `/cms/v2/posts/${made.id}`, {
      as: 'admin',
      body: { content: revisions[0].content.raw },
    });
    expect(restored.body.content.raw).toBe('second');
    expect((await site.ask('GET', `/cms/v2/posts/${made.id}/revisions`, { as: 'admin' })).headers.get('x-cms-total')).toBe('3');
  });

  it('page through a list in a stable order', async () => {
    for (let n = 0; n < 23; n++) await post({ title: `Same ${n % 3}`, status: 'publish', date: '2019-05-05T05:05:05' });
    for (const orderby of ['date', 'title', 'modified', 'author', 'id', 'slug']) {
      const seen: number[] = [];
      const first = await site.ask('GET', `/cms/v2/posts?orderby=${orderby}&per_page=7&_fields=id`);
      const pages = Number(first.headers.get('x-cms-totalpages'));
      for (let page = 1; page <= pages; page++) {
        const { body } = await site.ask('GET', `/cms/v2/posts?orderby=${orderby}&per_page=7&page=${page}&_fields=id`);
        seen.push(...body.map(({ id }: { id: number }) => id));
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(String(seen.length)).toBe(first.headers.get('x-cms-total'));
      expect((await site.ask('GET', `/cms/v2/posts?per_page=7&page=${pages + 1}`)).body.code).toBe(
        'rest_post_invalid_page_number',
      );
    }
  });

  it('write nothing if a batch with required validation is invalid', async () => {
    const before = site.site.posts.size;
    const requests = [
      { path: '/cms/v2/posts', body: { title: 'Never' } },
      { path: '/cms/v2/posts', body: { status: 'nope' } },
    ];
    const { status, body } = await site.ask('POST', '/batch/v1', {
      as: 'admin',
      body: { validation: 'require-all-validate', requests },
    });
    expect([status, body.failed, site.site.posts.size]).toEqual([207, 'validation', before]);
  });
});

describe('scheduled posts', () => {
  it('are published at their minute, and at start if it has passed', async () => {
    let now = Date.parse('2026-03-01T10:00:00Z');
    const site = await startSite({ clock: () => now });
    try {
      const made = await site.ask('POST', '/cms/v2/posts', {
        as: 'admin',
        body: { title: 'Soon', status: 'future', date_gmt: '2026-03-01T10:05:00' },
      });
      expect(made.body.status).toBe('future');
      expect((await site.ask('GET', `/cms/v2/posts/${made.body.id}`)).status).toBe(401);
      now += 6 * 60_000;
      const stop = createSchedule(site.site);
      await until(() => site.site.posts.get(made.body.id)?.status === 'publish');
      stop();
      const { status, body } = await site.ask('GET', `/cms/v2/posts/${made.body.id}`);
      expect([status, body.modified]).toEqual([200, made.body.modified]);
      const cold = await openSite(site.dir, { readOnly: true });
      expect(cold.posts.get(made.body.id)?.status).toBe('publish');
      await cold.close();
    } finally {
      await site.close();
    }
  });
});
