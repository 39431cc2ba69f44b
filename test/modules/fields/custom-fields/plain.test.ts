/** Fields that a site declares by name and type: in files, answers, lists and checks, in both deployments. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { dedent } from '../../../support/dedent.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { upload } from '../../../support/media.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const declared = dedent`
  name: Harbour
  timezone: UTC
  types:
    boat: { label: Boats }
  fields:
    post:
      subtitle: text
      story: markdown
      price: { type: number, index: true, min: 0 }
      seats: { type: integer, index: true }
      cost: { type: number, index: true, show_in_rest: false }
      opens: { type: date, index: true }
      colour: { type: choice, choices: { red: Red, blue: Blue }, multiple: true, index: true }
      open: { type: boolean, index: true, default: false }
      words: { type: list, of: text, max: 3 }
      address: { type: group, fields: { street: text, zip: { type: integer, required: true } } }
      hours: { type: list, fields: { day: text, from: text } }
      cover: picture
      related: { type: relation, to: [post, boat], multiple: true, index: true }
      topic: { type: relation, to: category, index: true }
      guide: { type: relation, to: user }
    boat: { length: { type: number, index: true } }
    category: { tone: { type: choice, choices: [warm, cold], index: true } }
    user: { motto: text, rank: { type: integer, index: true } }
    bote: { length: number }
`;
const files = {
  'site.yaml': declared,
  'posts/one.md': dedent`
    ---
    id: 20
    author: admin
    title: One
    date: 2026-03-01T10:00:00
    fields:
      subtitle: Who we are
      story: "So *it* began"
      price: 7.5
      seats: 4
      opens: 2026-03-05
      colour: [red]
      open: true
      words: [a, b]
      address: { street: Quay, zip: 20457 }
      hours: [{ day: Mon, from: "9" }]
      related: [two, boat/anna]
      topic: uncategorized
      guide: admin
    ---
    Text
  `,
  'posts/two.md': '---\nid: 21\ntitle: Two\ndate: 2026-03-02T10:00:00\nfields: { price: 9, colour: [red, blue] }\n---\nText\n',
  'posts/three.md': '---\nid: 22\ntitle: Three\ndate: 2026-03-03T10:00:00\npassword: pw\nfields: { price: 3 }\n---\nText\n',
  'posts/four.md': '---\nid: 23\ntitle: Four\ndate: 2026-03-04T10:00:00\n---\nText\n',
  'boat/anna.md': '---\nid: 24\ntitle: Anna\ndate: 2026-03-04T10:00:00\nfields: { length: 12 }\n---\nText\n',
  'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\nfields: { tone: warm }\n',
};
const posts = '/cms/v2/posts';
describeApi('fields by name and type', { files, users: ['author', 'editor', 'subscriber'] }, [
  {
    name: 'of users can be written by them',
    who: 'editor',
    does: 'POST /cms/v2/users/me',
    body: { fields: { motto: 'Onward', rank: 2 } },
    gets: 200,
    writes: ['users/editor.yaml'],
  },
  {
    name: 'cannot be filtered if the API does not show them',
    does: `GET ${posts}?fields[cost]=9`,
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'can filter lists',
    does: `GET ${posts}?fields[price]=9`,
    gets: [200, [{ id: 21 }]],
    headers: { 'X-CMS-Total': '1' },
  },
  { name: 'can have several values', does: `GET ${posts}?fields[colour]=blue`, gets: [200, [{ id: 21 }]] },
  { name: 'can be booleans', does: `GET ${posts}?fields[open]=true`, gets: [200, [{ id: 20 }]] },
  { name: 'can require all values', does: `GET ${posts}?fields[colour]=red&fields[seats]=4`, gets: [200, [{ id: 20 }]] },
  {
    name: 'can require any of several values',
    does: `GET ${posts}?fields[price]=7.5,9&orderby=id&order=asc`,
    gets: [200, [{ id: 20 }, { id: 21 }]],
  },
  { name: 'find nothing protected by a password', does: `GET ${posts}?fields[price]=3`, gets: [200, []] },
  {
    name: 'find protected items for users who may edit them',
    who: 'editor',
    does: `GET ${posts}?fields[price]=3`,
    gets: [200, [{ id: 22 }]],
  },
  { name: 'cannot be filtered without an index', does: `GET ${posts}?fields[subtitle]=x`, gets: [400, 'rest_invalid_param'] },
  { name: 'are filtered by values of their type', does: `GET ${posts}?fields[price]=cheap`, gets: [400, 'rest_invalid_param'] },
  {
    name: 'sort lists',
    does: `GET ${posts}?fields_orderby=price&order=desc&_fields=id`,
    gets: [200, [{ id: 21 }, { id: 20 }, { id: 22 }, { id: 23 }]],
  },
  {
    name: 'are stored as slugs if they refer to items',
    does: `GET ${posts}?fields[related]=21`,
    gets: [200, [{ id: 20 }]],
  },
  { name: 'accept a path too', does: `GET ${posts}?fields[related]=24,23`, gets: [200, [{ id: 20 }]] },
  { name: 'of terms are stored as slugs too', does: `GET ${posts}?fields[topic]=1`, gets: [200, [{ id: 20 }]] },
  { name: 'reject unknown references', does: `GET ${posts}?fields[related]=999`, gets: [200, []] },
  { name: 'are filtered by ids', does: `GET ${posts}?fields[related]=two`, gets: [400, 'rest_invalid_param'] },
  { name: 'cannot sort by a reference', does: `GET ${posts}?fields_orderby=topic`, gets: [400, 'rest_invalid_param'] },
  { name: 'sort only with an index', does: `GET ${posts}?fields_orderby=subtitle`, gets: [400, 'rest_invalid_param'] },
  {
    name: 'sort lists of terms',
    does: 'GET /cms/v2/categories?fields_orderby=tone&fields[tone]=warm&hide_empty=false',
    gets: [200, [{ id: 1 }]],
  },
  {
    name: 'sort lists of users',
    who: 'admin',
    does: 'GET /cms/v2/users?fields_orderby=rank&order=desc&per_page=1&_fields=slug',
    gets: [200, [{ slug: 'editor' }]],
  },
  ...([undefined, 'subscriber', 'author'] as const).map((who) => ({
    name: `cannot be written by ${who ?? 'visitors'}`,
    ...(who ? { who } : {}),
    does: `POST ${posts}/20`,
    body: { fields: { subtitle: 'x' } },
    gets: [who ? 403 : 401, 'rest_cannot_edit'] as const,
  })),
  {
    name: 'are written, one line each',
    who: 'editor',
    does: `POST ${posts}/21`,
    body: { fields: { subtitle: 'New', words: ['c'], topic: 1, guide: 1, related: [24] } },
    gets: 200,
    writes: ['posts/two.md', 'revisions/21/25.md'],
  },
  {
    name: 'are found by a new reference',
    does: `GET ${posts}?fields[related]=24&orderby=id&order=asc`,
    gets: [200, [{ id: 20 }, { id: 21 }]],
  },
]);

describe('a site with fields by name and type', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  it('returns typed values, otherwise the default or null', async () => {
    const fieldsOf = async (path: string, as?: string) =>
      (await site.ask('GET', `/cms/v2/${path}`, as ? { as } : {})).body.fields;
    expect(await fieldsOf('posts/20')).toEqual({
      subtitle: 'Who we are',
      story: '<p>So <em>it</em> began</p>\n',
      price: 7.5,
      seats: 4,
      opens: '2026-03-05',
      colour: ['red'],
      open: true,
      words: ['a', 'b'],
      address: { street: 'Quay', zip: 20457 },
      hours: [{ day: 'Mon', from: '9' }],
      cover: null,
      related: [21, 24],
      topic: 1,
      guide: 1,
    });
    expect(await fieldsOf('posts/23')).toMatchObject({ subtitle: null, price: null, open: false, address: null });
    expect(await fieldsOf('posts/20?context=edit', 'admin')).toMatchObject({ story: 'So *it* began' });
    expect(await fieldsOf('posts/22')).toEqual({});
    expect(await fieldsOf('posts/22?password=pw')).toMatchObject({ price: 3 });
    expect(await fieldsOf('boat/24')).toEqual({ length: 12 });
    expect(await fieldsOf('categories/1')).toEqual({ tone: 'warm' });
    expect(await fieldsOf('users/1')).toEqual({ motto: null, rank: null });
    const { body } = await site.ask('GET', '/wp/v2/boat/24', { root: '/wp-json' });
    expect(body.acf).toEqual({ length: 12 });
  });

  it('describes its fields to clients', async () => {
    const { schema, endpoints } = (await site.ask('OPTIONS', posts)).body;
    expect(schema.properties.fields.properties).toMatchObject({
      price: { type: ['number', 'null'], minimum: 0 },
      seats: { type: ['integer', 'null'] },
      hours: { type: ['array', 'null'], items: { properties: { day: { type: ['string', 'null'] } } } },
    });
    expect(endpoints[0].args.fields.properties.price).toEqual({ type: 'array', items: { type: 'number' } });
    expect(endpoints[0].args.fields_orderby.enum).toEqual(['price', 'seats', 'opens', 'colour', 'open']);
    const { routes } = (await site.ask('GET', '/')).body;
    expect(routes['/cms/v2/posts'].endpoints[1].args.fields.properties.price).toMatchObject({ minimum: 0 });
  });

  it.each([
    ['name what is no number', { price: 'x' }, 'fields[price] must be a number, not "x".'],
    ['refuse what is too small', { price: -1 }, 'fields[price] must be at least 0.'],
    ['refuse parts of whole numbers', { seats: 1.5 }, 'fields[seats] must be a whole number, not 1.5.'],
    ['name days that are none', { opens: '2026-02-30' }, 'fields[opens] must be a day such as 2026-03-05, not "2026-02-30".'],
    ['name the entry of a list', { words: ['a', {}] }, 'fields[words][1] must be a text, not {}.'],
    ['have as many entries as they may', { words: ['a', 'b', 'c', 'd'] }, 'fields[words] must have at most 3 entries.'],
    ['name the member of a group', { address: { zip: 'x' } }, 'fields[address][zip] must be a number, not "x".'],
    ['name the member of a group in a list', { hours: [{ day: {} }] }, 'fields[hours][0][day] must be a text, not {}.'],
    ['name choices that there are not', { colour: ['green'] }, 'fields[colour][0] must be one of red, blue, not "green".'],
    ['refer to what is there', { related: [99] }, 'fields[related][0] is no id of post or boat: 99.'],
    ['refer to what they may', { related: [1] }, 'fields[related][0] is no id of post or boat: 1.'],
    ['refer to pictures', { cover: 20 }, 'fields[cover] is no id of a picture: 20.'],
  ])('%s', async (_name, fields, message) => {
    const before = await site.read('posts/one.md');
    const { status, body } = await site.ask('POST', `${posts}/20`, { as: 'admin', body: { fields } });
    expect([status, body.code, body.data.params]).toEqual([400, 'rest_invalid_param', { fields: message }]);
    expect(await site.read('posts/one.md')).toBe(before);
  });

  it('embeds images and references that the reader may see', async () => {
    const { id } = await upload(site, 'cover.jpg');
    await site.ask('POST', `${posts}/20`, { as: 'admin', body: { fields: { cover: id } } });
    const { body } = await site.ask('GET', `${posts}/20?_embed=field`);
    expect(body._links.field.map(({ field, embeddable }: any) => [field, embeddable])).toEqual([
      ['cover', true],
      ['related', true],
      ['related', true],
      ['topic', true],
      ['guide', true],
    ]);
    expect(body._embedded.field.map((one: any) => one.id)).toEqual([id, 21, 24, 1, 1]);
    await site.ask('POST', `${posts}/21`, { as: 'admin', body: { status: 'draft' } });
    const again = (await site.ask('GET', `${posts}/20`)).body;
    expect(again.fields.related).toEqual([24]);
    expect(again._links.field).toHaveLength(4);
    await site.ask('POST', `${posts}/21`, { as: 'admin', body: { status: 'publish' } });
  });

  it('follows hand edits, and finds the new values', async () => {
    const ids = async (query: string) =>
      (await site.ask('GET', `${posts}?${query}&_fields=id`)).body.map((one: { id: number }) => one.id);
    await site.write('posts/four.md', '---\nid: 23\ntitle: Four\ndate: 2026-03-04T10:00:00\nfields: { price: 100 }\n---\nText\n');
    await expect.poll(() => ids('fields[price]=100')).toEqual([23]);
    expect((await ids('fields_orderby=price&order=desc'))[0]).toBe(23);
  });

  it('returns the same after a restart', async () => {
    const again = await openSite(site.dir, { readOnly: true });
    const { records } = again.posts.query({
      where: [{ kind: 'in', index: 'fields.price', values: [100] }],
      sort: { by: 'id', direction: 'asc' },
      offset: 0,
      limit: 10,
    });
    expect(records.map(({ id }) => id)).toEqual([23]);
    await again.close();
  });

  it('serves them in fields/v3 in the extended deployment, with lists by value', async () => {
    const extended = await startSite({ files: { ...files, 'site.yaml': `deployment: extended\n${declared}` } });
    const ask = async (path: string) => (await extended.ask('GET', `/fields/v3/${path}`)).body;
    expect((await ask('posts/20')).fields).toMatchObject({ price: 7.5, related: [21, 24], cover: null });
    expect(await ask('posts/20/story?fields_format=light')).toEqual({ story: 'So *it* began' });
    expect((await ask('posts?fields[price]=9')).map(({ id }: { id: number }) => id)).toEqual([21]);
    expect(await ask('categories/1/tone')).toEqual({ tone: 'warm' });
    await extended.close();
  });
});
