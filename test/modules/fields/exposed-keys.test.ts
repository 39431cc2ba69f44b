/** Keys of files that nobody declared. */
import { describe, expect, it } from 'vitest';
import { describeApi } from '../../support/describe-api.ts';
import { startSite } from '../../support/site.ts';

const site = 'name: Harbour\ntimezone: UTC\nexpose: true\nfields:\n  post: { subtitle: text }\n';
const files = {
  'site.yaml': site,
  'posts/one.md':
    '---\nid: 20\ntitle: One\nfields: { subtitle: S }\nmeta: { a: 1 }\nmood: wide\nhero: { image: a.jpg, tags: [x, 2] }\npubDate: 2026-03-01\n_secret: no\n---\nText\n',
  'posts/two.md': '---\nid: 21\ntitle: Two\ndate: 2026-03-02T10:00:00\npassword: pw\nmood: narrow\n---\nText\n',
  'posts/three.md': '---\nid: 22\ntitle: Three\ndate: 2026-03-03T10:00:00\n---\nText\n',
  'terms/category/news.yaml': 'id: 30\nname: News\nicon: star\n',
};
const path = '/cms/v2/posts/20';

describeApi('undeclared front-matter keys', { files, users: ['editor', 'subscriber'] }, [
  {
    name: 'are returned in one member, as in the file',
    does: `GET ${path}?_fields=front_matter`,
    gets: [200, { front_matter: { mood: 'wide', hero: { image: 'a.jpg', tags: ['x', 2] } } }],
  },
  {
    name: 'work for terms',
    does: 'GET /cms/v2/categories/30?_fields=front_matter',
    gets: [200, { front_matter: { icon: 'star' } }],
  },
  {
    name: 'need the password of a protected item',
    who: 'subscriber',
    does: 'GET /cms/v2/posts/21',
    gets: [200, { front_matter: {} }],
  },
  {
    name: 'are returned with the password',
    does: 'GET /cms/v2/posts/21?password=pw',
    gets: [200, { front_matter: { mood: 'narrow' } }],
  },
  {
    name: 'are visible to editors',
    who: 'editor',
    does: 'GET /cms/v2/posts/21?context=edit',
    gets: [200, { front_matter: { mood: 'narrow' } }],
  },
  {
    name: 'cannot be written by clients, and are kept on writes',
    who: 'editor',
    does: `POST ${path}`,
    body: { title: 'Uno', front_matter: { mood: 'thin' } },
    gets: [200, { title: { raw: 'Uno' }, front_matter: { mood: 'wide' } }],
    writes: ['posts/one.md', 'revisions/20/23.md'],
  },
]);

describe('a site that exposes undeclared keys', () => {
  it('returns exactly those, follows hand edits, and describes them as read-only', async () => {
    const on = await startSite({ files });
    const shown = async (id: number) => (await on.ask('GET', `/cms/v2/posts/${id}`)).body.front_matter;
    expect(await shown(20)).toEqual({ mood: 'wide', hero: { image: 'a.jpg', tags: ['x', 2] } });
    expect(await shown(22)).toEqual({});
    await on.write('posts/three.md', '---\nid: 22\ntitle: Three\ndate: 2026-03-03T10:00:00\nmood: none\n---\nText\n');
    await expect.poll(() => shown(22)).toEqual({ mood: 'none' });
    const { schema, endpoints } = (await on.ask('OPTIONS', '/cms/v2/posts')).body;
    expect(schema.properties.front_matter).toMatchObject({ type: 'object', readonly: true });
    expect(endpoints[1].args).not.toHaveProperty('front_matter');
    await on.close();
  });

  it('does so only if its settings say so', async () => {
    const on = await startSite({ files: { ...files, 'site.yaml': site.replace('expose: true\n', '') } });
    expect((await on.ask('GET', path)).body).not.toHaveProperty('front_matter');
    await on.close();
  });
});
