/**
 * Corners of the interface that no list of arguments tells, each as the reference (6.9) has it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let editor: string;
const ids: Record<string, number> = {};

const send = (method: string, path: string, body?: unknown, as = 'admin') =>
  site.ask(
    method,
    path.replace(/:([a-z]\w*)/g, (_, name: string) => String(ids[name])),
    { ...(as === 'anon' ? {} : { as }), ...(body === undefined ? {} : { body }) },
  );
const make = async (name: string, path: string, body: Record<string, unknown>) => {
  const made = await send('POST', path, body);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  ids[name] = made.body.id;
  return made.body;
};

beforeAll(async () => {
  site = await startSite({ writing: 'markup' });
  editor = (await signUp(site, 'ed', 'editor')).as;
  await make('boats', '/cms/v2/categories', { name: 'Boats' });
  await make('ships', '/cms/v2/categories', { name: 'Ships', parent: ids.boats });
  for (const name of ['red', 'blue', 'green']) await make(name, '/cms/v2/tags', { name });
  await make('one', '/cms/v2/posts', { title: 'One', status: 'publish', sticky: true, categories: [ids.boats, ids.ships] });
  await make('two', '/cms/v2/posts', { title: 'Two', status: 'publish', tags: [ids.red] });
});
afterAll(() => site.close());

describe('a post', () => {
  it('accepts the default format only by its name', async () => {
    expect((await send('POST', '/cms/v2/settings', { default_post_format: 'bogus' })).status).toBe(200);
    const { format } = await make('plain', '/cms/v2/posts', { title: 'Plain' });
    await send('POST', '/cms/v2/settings', { default_post_format: 'aside' });
    const { format: other } = await make('aside', '/cms/v2/posts', { title: 'Other' });
    expect([format, other]).toEqual(['standard', 'standard']);
    expect(site.site.problems()).toEqual([]);
  });

  it.each([
    [0, 200],
    [false, 200],
    [[], 200],
    [{}, 200],
    ['0', 200],
    [1, 400],
    [true, 400],
    [['a'], 400],
    ['none.php', 400],
  ])('has no template %j', async (template, status) => {
    const { status: got, body } = await send('POST', '/cms/v2/posts/:two', { template });
    expect([got, status === 200 ? body.template : body.data.details.template.code]).toEqual([
      status,
      status === 200 ? '' : 'rest_invalid_param',
    ]);
  });

  it('cannot be in term 0 or in an unknown term', async () => {
    const refused = await send('POST', '/cms/v2/posts/:two', { categories: [0] });
    expect([refused.status, refused.body.code]).toEqual([403, 'rest_cannot_assign_term']);
    const { body } = await send('POST', '/cms/v2/posts/:two', { categories: [ids.boats, 99999, ids.red] });
    expect(body.categories).toEqual([ids.boats]);
  });

  it('stays off the top of its list once it has been in the trash', async () => {
    expect((await send('DELETE', '/cms/v2/posts/:one')).body).toMatchObject({ status: 'trash', sticky: false });
    expect((await send('POST', '/cms/v2/posts/:one', { status: 'publish' })).body.sticky).toBe(false);
  });
});

describe('a lone 0', () => {
  it('is not a slug and protects nothing', async () => {
    const made = await make('zero', '/cms/v2/posts', {
      title: 'Ten',
      slug: '0',
      password: '0',
      content: 'Open',
      status: 'publish',
    });
    expect([made.slug, made.password, made.content.protected]).toEqual(['ten', '0', false]);
    const { body } = await send('GET', '/cms/v2/posts/:zero?password=0', undefined, 'anon');
    expect(body.content).toEqual({ rendered: '<p>Open</p>\n', protected: false });
    expect(body.class_list).not.toContain('post-password-required');
    await send('DELETE', '/cms/v2/posts/:zero?force=true');
  });
});

describe('lists by terms', () => {
  it.each([
    ['categories_exclude=99999', 'two one'],
    ['categories_exclude=:red', 'two one'],
    ['tags=:red&categories_exclude=99999&tax_relation=OR', 'two'],
    ['categories=-:boats', 'two one'],
    ['categories=99999', ''],
    ['categories[terms]=:boats,:ships&categories[operator]=AND', 'one'],
    ['categories[terms]=:boats,99999&categories[operator]=AND', ''],
    ['categories[terms]=:boats,:ships&categories[operator]=AND&categories[include_children]=true', ''],
  ])('%s', async (query, slugs) => {
    const { body } = await send('GET', `/cms/v2/posts?orderby=id&${query}`);
    expect(body.map(({ slug }: { slug: string }) => slug).join(' ')).toBe(slugs);
  });
});

describe('the guid of a page', () => {
  const guid = async (name: string) => (await send('GET', `/cms/v2/pages/:${name}`)).body.guid.rendered.slice(site.url.length);
  it('survives changes of slug, parent and status', async () => {
    await make('top', '/cms/v2/pages', { title: 'Top', status: 'publish' });
    await make('child', '/cms/v2/pages', { title: 'Child', status: 'publish', parent: ids.top });
    await make('leaf', '/cms/v2/pages', { title: 'Leaf', status: 'publish', parent: ids.child });
    const all = async () => [await guid('child'), await guid('leaf')];
    const first = ['/top/child/', '/top/child/leaf/'];
    await send('POST', '/cms/v2/pages/:top', { slug: 'roof' });
    expect(await all()).toEqual(first);
    await send('POST', '/cms/v2/settings', { show_on_front: 'page', page_on_front: ids.child });
    expect(await all()).toEqual(first);
    await send('DELETE', '/cms/v2/pages/:top');
    expect(await all()).toEqual(first);
    await send('DELETE', '/cms/v2/pages/:top?force=true');
    expect([...(await all()), (await send('GET', '/cms/v2/pages/:leaf')).body.link.slice(site.url.length)]).toEqual([
      ...first,
      '/child/leaf/',
    ]);
    await site.site.reload();
    expect(await all()).toEqual(first);
  });

  it('and a deleted front page is no longer the front page', async () => {
    expect((await send('GET', '/cms/v2/settings')).body.page_on_front).toBe(ids.child);
    await send('DELETE', '/cms/v2/pages/:child');
    const { body } = await send('GET', '/cms/v2/settings');
    expect([body.show_on_front, body.page_on_front]).toEqual(['posts', 0]);
    expect(await site.read('site.yaml')).not.toMatch(/^front/m);
  });
});

describe('patterns and block menus', () => {
  it.each(['blocks', 'navigation'])('have URLs like posts, without their type: %s', async (base) => {
    for (const root of ['/cms-json', '/wp-json']) {
      const path = `/${root === '/cms-json' ? 'cms' : 'wp'}/v2/${base}`;
      const draft = await site.ask('POST', path, { as: 'admin', body: { title: 'Bare' }, root });
      const open = await site.ask('POST', `${path}/${draft.body.id}`, { as: 'admin', body: { status: 'publish' }, root });
      const below = (text: string) => text.slice(site.url.length);
      expect([draft.body.link, draft.body.guid.raw, open.body.guid.raw].map(below)).toEqual(
        Array(3).fill(`/?p=${draft.body.id}`),
      );
      expect(below(open.body.link)).toBe(`/${open.body.slug}/`);
    }
  });
});

describe('dates', () => {
  it('in GMT skip the hour that local clocks skip', async () => {
    const { date, date_gmt } = await make('spring', '/cms/v2/posts', { title: 'Spring', date_gmt: '2021-03-28T02:30:00' });
    expect([date, date_gmt]).toEqual(['2021-03-28T04:30:00', '2021-03-28T03:30:00']);
    expect((await send('GET', '/cms/v2/posts/:spring')).body.code).toBeUndefined();
  });
});

describe('pagination links', () => {
  it.each([
    [
      'posts?per_page=1&exclude=8,9&ignore_sticky=false&orderby=id',
      'per_page=1&exclude%5B0%5D=8&exclude%5B1%5D=9&ignore_sticky&orderby=id&page=2',
    ],
    ['posts?per_page=1&_fields=id,slug', 'per_page=1&_fields=id%2Cslug&page=2'],
    ['tags?per_page=1&offset=1&page=9', 'per_page=1&offset=1&page=3'],
  ])('%s', async (query, next) => {
    const { headers } = await send('GET', `/cms/v2/${query}`);
    const wanted = `<${site.url}/cms-json/cms/v2/${query.replace(/\?.*/, '')}?${next}>; rel="next"`;
    expect(headers.get('link')).toContain(wanted);
  });

  it('keep the parameter that named the route', async () => {
    const { headers } = await site.ask('GET', '/cms-json/?rest_route=/cms/v2/posts&per_page=1', { raw: true });
    expect(headers.get('link')).toContain('/cms/v2/posts?rest_route=%2Fcms%2Fv2%2Fposts&per_page=1&page=2>; rel="next"');
  });
});

describe('the Allow header of a list', () => {
  it('ignores an author filter that would forbid the write', async () => {
    const author = (await signUp(site, 'au', 'author')).as;
    const allowed = async (query: string) => (await send('GET', `/cms/v2/${query}`, undefined, author)).headers.get('allow');
    expect(await allowed('posts?author=1')).toBe('GET');
    expect(await allowed('posts')).toBe('GET, POST');
    expect(await allowed('media?modified_after=x')).toBe('GET, POST');
  });
});

describe('autosaves', () => {
  it('are returned for every author', async () => {
    await send('POST', '/cms/v2/posts/:two/autosaves', { title: 'Theirs' }, editor);
    const title = async () => (await send('GET', '/cms/v2/posts/:two/autosaves/1')).body.title.rendered;
    expect(await title()).toBe('Theirs');
    await send('POST', '/cms/v2/posts/:two/autosaves', { title: 'Mine' });
    expect(await title()).toBe('Mine');
  });
});
