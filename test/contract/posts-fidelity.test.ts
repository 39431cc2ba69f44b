/**
 * Corners of posts, pages, revisions, autosaves and batches, as the reference (6.9) has them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
const users: Record<string, string> = {};
const ids: Record<string, number> = {};

const send = (method: string, path: string, body?: unknown, as = 'admin') =>
  site.ask(method, path, { ...(as === 'anon' ? {} : { as: users[as] ?? as }), ...(body === undefined ? {} : { body }) });
const post = async (body: Record<string, unknown>, as = 'admin') => (await send('POST', '/cms/v2/posts', body, as)).body;
const page = async (body: Record<string, unknown>) => (await send('POST', '/cms/v2/pages', body)).body;

beforeAll(async () => {
  site = await startSite({ writing: 'markup' });
  for (const role of ['editor', 'author', 'contributor']) {
    const made = await send('POST', '/cms/v2/users', {
      username: role,
      email: `${role}@example.com`,
      password: 'Sturdy-pass-91',
      roles: [role],
    });
    ids[role] = made.body.id;
    const { body } = await send('POST', `/cms/v2/users/${made.body.id}/application-passwords`, { name: 'test' });
    users[role] = `${role}:${body.password}`;
  }
  const day = (n: number) => ({ status: 'publish', date: `2020-01-0${n}T10:00:00` });
  ids.a = (await post({ ...day(1), title: 'Red apple pie', content: 'sweet, says the dog', sticky: true })).id;
  ids.b = (await post({ ...day(2), title: 'Apple', content: 'red things', author: ids.editor })).id;
  ids.c = (await post({ ...day(3), title: 'Pie', content: "red apple pie, don't wait" })).id;
  ids.d = (await post({ ...day(4), title: 'Crumble', excerpt: 'red apple' })).id;
  ids.e = (await post({ ...day(5), title: 'Other', content: 'x', format: 'aside' })).id;
});
afterAll(() => site.close());

describe('lists of posts', () => {
  it.each([
    ['ids asked for count more than ids left out', 'include={a},{b}&exclude={a}', 'apple red-apple-pie'],
    ['authors left out count more than authors asked for', 'author={editor}&author_exclude=1', 'apple'],
    ['the sign of an id is not looked at', 'include=-{a}', 'red-apple-pie'],
    ['what is not sticky, among ids asked for', 'sticky=false&include={a}', 'red-apple-pie'],
    ['a filter that the type does not have is passed over', 'menu_order=3&parent=7', 'other crumble pie apple red-apple-pie'],
    ['a format is one more term', 'categories=999&format=aside&tax_relation=OR', 'other'],
    ['by slugs without slugs is by date', 'orderby=include_slugs', 'red-apple-pie apple pie crumble other'],
    [
      'a phrase in the excerpt comes before one in the text',
      'search=red apple&orderby=relevance',
      'red-apple-pie apple crumble pie',
    ],
    ['equally relevant ones in the order asked for', 'search=red&orderby=relevance&order=asc', 'red-apple-pie apple pie crumble'],
    ['exact words must each be a whole text', 'search=Red apple pie&search_semantics=exact', ''],
    ['an exact phrase', 'search="red apple pie"&search_semantics=exact', 'red-apple-pie'],
    ['quotes around a word', "search='apple'&search_columns=post_title", 'apple red-apple-pie'],
    ['a dash alone is no word', 'search=- dog', 'red-apple-pie'],
    ['nothing but an exclusion', 'search=-apple', 'other'],
    ['sticky ones join the first page', 'ignore_sticky=false&per_page=2', 'red-apple-pie other crumble'],
    ['and stay on their own page', 'ignore_sticky=false&per_page=2&page=3', 'red-apple-pie'],
    ['sticky ones do not lead a search', 'ignore_sticky=false&search=apple', 'crumble pie apple red-apple-pie'],
    ['statuses are read as slugs', 'status=Publish', 'other crumble pie apple red-apple-pie'],
    ['a negative offset', 'offset=-3', 'apple red-apple-pie'],
  ])('%s', async (_, query, slugs) => {
    const filled = query.replace(/\{(\w+)\}/g, (_whole, name: string) => String(ids[name]));
    const { body } = await send('GET', `/cms/v2/posts?_fields=slug&${filled}`, undefined, 'anon');
    expect(body.map(({ slug }: { slug: string }) => slug).join(' ')).toBe(slugs);
  });

  it.each([
    ['nothing behind the offset is counted as nothing', 'offset=50', 200, '0'],
    ['a page too far is one whatever the offset', 'offset=0&page=9', 400, null],
    ['an offset within', 'offset=1&page=2&per_page=2', 200, '5'],
  ])('%s', async (_, query, status, total) => {
    const answer = await send('GET', `/cms/v2/posts?${query}`, undefined, 'anon');
    expect([answer.status, answer.headers.get('x-cms-total')]).toEqual([status, total]);
  });

  it('titles are sorted without accents', async () => {
    for (const title of ['Zebra', 'Ärger', 'Apfel']) await post({ title, status: 'private', date: '2021-01-01T10:00:00' });
    const { body } = await send(
      'GET',
      '/cms/v2/posts?status=private&orderby=title&order=asc&after=2021-01-01T09:00:00&_fields=slug',
    );
    expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(['apfel', 'arger', 'zebra']);
  });

  it("the total counts published posts, but the edit context lists only one's own", async () => {
    const { body, headers } = await send('GET', '/cms/v2/posts?context=edit&_fields=slug', undefined, 'author');
    expect([body, headers.get('x-cms-total')]).toEqual([[], '5']);
  });

  it('status=any excludes the trash unless it is named', async () => {
    const { id } = await post({ title: 'Binned' });
    await send('DELETE', `/cms/v2/posts/${id}`);
    const found = async (status: string) =>
      (await send('GET', `/cms/v2/posts?include=${id}&status=${status}&_fields=id`)).body.length;
    expect([await found('any'), await found('any,trash')]).toEqual([0, 1]);
  });
});

describe('writing posts', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['titles are trimmed', { title: '  Padded  ' }, { title: { raw: 'Padded', rendered: 'Padded' } }],
    ['a number is no title', { title: 7, content: 'x' }, { title: { raw: '', rendered: '' } }],
    ['nor is an empty one within an object', { title: { raw: '' }, content: 'x' }, { slug: '' }],
    ['nor a lone 0 within an object', { title: { raw: '0' }, content: 'x' }, { title: { raw: '', rendered: '' } }],
    ['author 0 is nobody', { title: 'x', author: 0 }, { author: 1 }],
    [
      'references to characters of an old set',
      { title: 'x', content: '&#147;a&#148; &#129;&#160;' },
      { content: { raw: '&#8220;a&#8221; &#160;' } },
    ],
    ['private ones have no password', { title: 'x', status: 'private', password: 'p' }, { password: '' }],
    ['a draft may share a slug', { title: 'x', slug: 'apple' }, { slug: 'apple', status: 'draft' }],
    ['unless its status is named as well', { title: 'x', slug: 'apple', status: 'draft' }, { slug: 'apple-2' }],
  ])('%s', async (_, body, expected) => {
    expect(await post(body)).toMatchObject(expected);
  });

  it('a lone 0 does not count as content', async () => {
    expect((await send('POST', '/cms/v2/posts', { title: '0', excerpt: '0' })).body.code).toBe('empty_content');
  });

  it('id 0 is a 404', async () => {
    expect(await post({ id: 0, title: 'x' })).toMatchObject({ code: 'rest_post_invalid_id', data: { status: 404 } });
  });

  it('an update gives a post without categories the default one', async () => {
    const { id, categories } = await post({ title: 'x', categories: [] });
    expect(categories).toEqual([]);
    expect((await send('POST', `/cms/v2/posts/${id}`, { title: 'y' })).body.categories).toHaveLength(1);
  });

  it('a protected post cannot become sticky, even while losing its password', async () => {
    const { id } = await post({ title: 'x', password: 'p' });
    const { body } = await send('POST', `/cms/v2/posts/${id}`, { password: '', sticky: true });
    expect(body.code).toBe('rest_invalid_field');
  });

  it('the current status may be sent again, whatever it is', async () => {
    const { id } = await post({ title: 'x' });
    await send('DELETE', `/cms/v2/posts/${id}`);
    const { status, body } = await send('POST', `/cms/v2/posts/${id}`, { status: 'trash', title: 'y' });
    expect([status, body.status, body.title.raw]).toEqual([200, 'trash', 'y']);
  });

  it('a long slug in the trash is cut between characters', async () => {
    const { id } = await post({ title: '日本語'.repeat(30), status: 'publish' });
    const { slug } = (await send('DELETE', `/cms/v2/posts/${id}`)).body;
    expect(decodeURIComponent(slug)).toMatch(/[日本語]__trashed$/);
    expect(slug.length).toBeLessThanOrEqual(200);
  });

  it('classes are right for protected posts and terms in other scripts', async () => {
    const { body: term } = await send('POST', '/cms/v2/tags', { name: 'tokyo 東京' });
    const { class_list } = await post({ title: 'x', password: 'p', tags: [term.id] });
    expect(class_list).toContain('tag-tokyo-');
    expect(class_list).toContain('post-password-required');
  });
});

describe('pages', () => {
  it('may be empty', async () => {
    expect(await page({})).toMatchObject({ status: 'draft', slug: '', title: { raw: '' } });
  });

  it('cannot have the name of a feed', async () => {
    expect((await page({ title: 'Feed', status: 'publish' })).slug).toBe('feed-2');
  });

  it('below a draft without a slug are at the top level', async () => {
    const above = await page({ title: 'Draft above' });
    const { link } = await page({ title: 'Kid', parent: above.id, status: 'publish' });
    expect(link).toBe(`${site.url}/kid/`);
  });

  it('may have a parent of another type', async () => {
    const made = await page({ title: 'Below a post', parent: ids.b, status: 'publish' });
    expect(made).toMatchObject({ parent: ids.b, link: `${site.url}/apple/below-a-post/` });
    expect(made._links.up[0].href).toBe(`${site.url}/cms-json/cms/v2/posts/${ids.b}`);
    const moved = await send('POST', `/cms/v2/pages/${made.id}`, { parent: 0 });
    expect(moved.body).toMatchObject({ parent: 0, link: `${site.url}/below-a-post/` });
  });
});

describe('revisions and autosaves', () => {
  it('a change of white space creates no revision, and lists include autosaves', async () => {
    const { id } = await post({ title: 'One', content: '<p>One.</p>', status: 'publish' });
    const revisions = async (query = '') => (await send('GET', `/cms/v2/posts/${id}/revisions${query}`)).body;
    await send('POST', `/cms/v2/posts/${id}`, { content: '<p>Two.</p>' });
    await send('POST', `/cms/v2/posts/${id}`, { content: '<p>Two.</p>\n\n' });
    expect(await revisions()).toHaveLength(1);
    const { body: autosave } = await send('POST', `/cms/v2/posts/${id}/autosaves`, { title: 'Unsaved' }, 'editor');
    expect((await revisions()).map(({ slug }: { slug: string }) => slug)).toEqual([`${id}-autosave-v1`, `${id}-revision-v1`]);
    const links = (await send('GET', `/cms/v2/posts/${id}`)).body._links;
    expect([links['version-history'][0].count, links['predecessor-version'][0].id]).toEqual([2, autosave.id]);
    expect(await revisions('?offset=1')).toHaveLength(2);
    expect((await revisions('?orderby=relevance')).code).toBe('rest_no_search_term_defined');
    expect((await revisions('?orderby=include')).code).toBe('rest_orderby_include_missing_include');
  });

  it("an autosave of one's own draft changes only its text and leaves no revision", async () => {
    const { id } = await post({ title: 'Mine', content: 'a' }, 'editor');
    await send('POST', `/cms/v2/posts/${id}/autosaves`, { title: 'Mine 2', sticky: true, categories: [] }, 'editor');
    const { body } = await send('GET', `/cms/v2/posts/${id}?context=edit`);
    expect(body).toMatchObject({ title: { raw: 'Mine 2' }, sticky: false });
    expect([body.categories.length, body._links['version-history'][0].count]).toEqual([1, 0]);
  });

  it('the first autosave is stored even without changes, with the markup its author may use', async () => {
    const { id } = await post({ title: 'Same', content: 'b', status: 'publish' }, 'author');
    const { status } = await send('POST', `/cms/v2/posts/${id}/autosaves`, { title: 'Same', content: 'b' });
    expect(status).toBe(200);
    const unsafe = { content: '<script>x</script><b>y</b>' };
    const { body } = await send('POST', `/cms/v2/posts/${id}/autosaves`, unsafe, 'author');
    expect(body.content.raw).toBe('x<b>y</b>');
  });
});

describe('requests', () => {
  it.each([
    ['no slash in front', 'cms/v2/posts', 'rest_no_route'],
    ['a slash behind', '/cms/v2/posts/', 'rest_no_route'],
    ['no address at all', '///', 'parse_path_failed'],
  ])('a batch path: %s', async (_, path, code) => {
    const { body } = await send('POST', '/batch/v1', { requests: [{ path, body: { title: 'x' } }] });
    expect(body.responses[0].body.code).toBe(code);
  });

  it('embed whole lists, not just the first page', async () => {
    const tags: number[] = [];
    for (let n = 0; n < 12; n++) tags.push((await send('POST', '/cms/v2/tags', { name: `embedded ${n}` })).body.id);
    const { id } = await post({ title: 'Many tags', status: 'publish', tags });
    const { body } = await send('GET', `/cms/v2/posts/${id}?_embed`, undefined, 'anon');
    expect(body._embedded['cms:term'].map((terms: unknown[]) => terms.length)).toEqual([1, 12]);
  });

  it.each([
    ['_embed=replies author', ['author']],
    ['_embed=,', ['author', 'cms:term']],
    ['_embed[]=author', ['author']],
    ['_embed=false', []],
  ])('embeddable relations: %s', async (query, relations) => {
    const { body } = await send('GET', `/cms/v2/posts/${ids.c}?${query}`, undefined, 'anon');
    expect(Object.keys(body._embedded ?? {})).toEqual(relations);
  });

  it('reject slugs combined with other filters', async () => {
    const { body } = await send('GET', '/cms/v2/posts?slug[a]=b&author=x&sticky=perhaps', undefined, 'anon');
    expect(Object.keys(body.data.params)).toEqual(['author', 'slug', 'sticky']);
  });

  it('with an unknown method find no route', async () => {
    expect((await send('POST', '/cms/v2/posts?_method=FOO')).body.code).toBe('rest_no_route');
  });

  it('apply _fields to OPTIONS', async () => {
    const { body } = await send('OPTIONS', '/cms/v2/posts?_fields=methods,schema.title');
    expect(body).toEqual({ methods: ['GET', 'POST'], schema: { title: 'post' } });
  });

  it.each([
    [0, '<p> [&hellip;]</p>\n'],
    [-1, '<p>red apple pie, don&#8217;t [&hellip;]</p>\n'],
  ])('excerpt of %i words', async (words, rendered) => {
    const { body } = await send('GET', `/cms/v2/posts/${ids.c}?excerpt_length=${words}`, undefined, 'anon');
    expect(body.excerpt.rendered).toBe(rendered);
  });
});

describe('the length of excerpts', () => {
  const cut = '<p>red apple [&hellip;]</p>\n';
  it.each([
    ['GET', '/cms/v2/posts?include={c}&excerpt_length=2', cut],
    ['GET', '/cms/v2/posts?include={c}&excerpt_length=many', '<p> [&hellip;]</p>\n'],
    ['POST', '/cms/v2/posts/{c}?excerpt_length=2', cut],
  ])('%s %s', async (method, path, rendered) => {
    const { body } = await send(method, path.replace('{c}', String(ids.c)), method === 'POST' ? {} : undefined);
    expect([body].flat()[0].excerpt.rendered).toBe(rendered);
  });
});

describe('blocks', () => {
  const block = (name: string, html: string, json = '') => `<!-- wp:${name} ${json}-->\n${html}\n<!-- /wp:${name} -->`;
  it.each([
    ['heading', '', '<h2>T</h2>', '<h2 class="wp-block-heading">T</h2>'],
    ['heading', '', '<h2 class="wp-block-heading">T</h2>', '<h2 class="wp-block-heading">T</h2>'],
    ['heading', '', '<h3 id="x" class="big">T</h3>', '<h3 id="x" class="big wp-block-heading">T</h3>'],
    ['list', '', '<ul><li>a</li></ul>', '<ul class="wp-block-list"><li>a</li></ul>'],
    ['paragraph', '', '<p>a</p>', '<p class="wp-block-paragraph">a</p>'],
    [
      'group',
      '',
      '<div class="wp-block-group">x</div>',
      '<div class="wp-block-group is-layout-flow wp-block-group-is-layout-flow">x</div>',
    ],
    // The digests are those of sites of the reference.
    [
      'columns',
      '',
      '<div class="wp-block-columns">x</div>',
      '<div class="wp-block-columns is-layout-flex wp-container-core-columns-is-layout-794e3cfa wp-block-columns-is-layout-flex">x</div>',
    ],
    [
      'group',
      '{"layout":{"type":"flex","flexWrap":"nowrap"}} ',
      '<div class="wp-block-group">x</div>',
      '<div class="wp-block-group is-nowrap is-layout-flex wp-container-core-group-is-layout-3a88641f wp-block-group-is-layout-flex">x</div>',
    ],
    [
      'group',
      '{"layout":{"type":"constrained"}} ',
      '<div class="wp-block-group">x</div>',
      '<div class="wp-block-group has-global-padding is-layout-constrained wp-block-group-is-layout-constrained">x</div>',
    ],
    [
      'buttons',
      '{"layout":{"type":"flex","justifyContent":"center"}} ',
      '<div class="wp-block-buttons">x</div>',
      '<div class="wp-block-buttons is-content-justification-center is-layout-flex wp-container-core-buttons-is-layout-35f06ea7 wp-block-buttons-is-layout-flex">x</div>',
    ],
    [
      'buttons',
      '{"layout":{"type":"flex","orientation":"vertical"}} ',
      '<div class="wp-block-buttons">x</div>',
      '<div class="wp-block-buttons is-vertical is-layout-flex wp-container-core-buttons-is-layout-1bb26c79 wp-block-buttons-is-layout-flex">x</div>',
    ],
  ])('%s %s%s', async (name, json, html, shown) => {
    const { content } = await post({ title: 'x', content: block(name, html, json) });
    expect(content.rendered).toBe(`\n${shown}\n`);
  });
});
