import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
const logins: Record<string, string | undefined> = { anonymous: undefined };
const post = (front: string, body = '') => `---\n${front}\n---\n${body}\n`;

beforeAll(async () => {
  site = await startSite({
    files: {
      'posts/2022/01/kettle.md': post(
        'id: 10\ntitle: Copper kettle\ndate: 2022-01-01 10:00\nformat: gallery\ntags: [copper]',
        'Boil.',
      ),
      'posts/2022/02/pan.md': post("id: 11\ntitle: A pan's life\ndate: 2022-02-01 10:00", 'Made of copper and tin.'),
      'pages/workshop.md': post('id: 12\ntitle: Workshop\ndate: 2022-03-01 10:00', 'Copper.'),
      'posts/2022/04/draft.md': post('id: 13\ntitle: Copper draft\nstatus: draft\nformat: audio'),
      'posts/2022/05/private.md': post('id: 14\ntitle: Copper private\nstatus: private\ndate: 2022-05-01 10:00'),
      'posts/2022/06/locked.md': post('id: 15\ntitle: Locked\npassword: open\ndate: 2021-06-01 10:00', 'Zirconium inside.'),
      'posts/2022/07/trashed.md': post('id: 16\ntitle: Copper trashed\nstatus: trash\ndate: 2022-07-01 10:00'),
      'posts/2099/07/later.md': post('id: 17\ntitle: Copper later\nstatus: future\ndate: 2099-07-01 10:00'),
      'terms/category/metal.yaml': 'id: 40\nname: Copper things\n',
      'terms/tag/copper.yaml': 'id: 41\nname: copper\n',
    },
  });
  logins.admin = `admin:${site.password}`;
  logins.sub = (await signUp(site, 'sub', 'subscriber')).as;
});

afterAll(() => site.close());

const search = (query: string, who = 'anonymous') => {
  const as = logins[who];
  return site.ask('GET', `/cms/v2/search?${query}`, as ? { as } : {});
};

describe('search', () => {
  it.each<[string, string, readonly (number | string)[]]>([
    ['a title before a text, later before earlier', 'search=copper', [10, 12, 11]],
    ['everything published, latest first', '', [12, 11, 10, 15]],
    ['every word', 'search=copper+tin', [11]],
    ['a word left out', 'search=copper+-tin', [10, 12]],
    ['one subtype', 'search=copper&subtype=page', [12]],
    ['several', 'search=copper&subtype=page,post', [10, 12, 11]],
    ['any beside others', 'search=copper&subtype[]=page&subtype[]=any', [10, 12, 11]],
    ['a subtype of another type: posts', 'search=copper&subtype=category', [10, 11]],
    ['some ids', 'include=12,13,14,15', [12, 15]],
    ['not some ids', 'search=copper&exclude=10', [12, 11]],
    ['include wins over exclude', 'include=12&exclude=12', [12]],
    ['terms by name', 'type=term&search=copper', [41, 40]],
    ['terms of a taxonomy', 'type=term&search=copper&subtype=category', [40]],
    ['terms of what is no taxonomy: of all', 'type=term&search=copper&subtype=post', [41, 40]],
    ['formats of what is published', 'type=post-format', ['gallery']],
    ['formats by name', 'type=post-format&search=GALL', ['gallery']],
    ['no format of a draft', 'type=post-format&search=audio', []],
    ['nothing', 'search=absent', []],
  ])('finds %s', async (_, query, ids) => {
    const { status, headers, body } = await search(query);
    expect([status, body.map(({ id }: { id: unknown }) => id)]).toEqual([200, ids]);
    expect(headers.get('x-cms-total')).toBe(String(ids.length));
  });

  it.each<[string, string, readonly number[]]>([
    ['visitors: not what has a password', 'anonymous', []],
    ['others: not by what the password hides', 'sub', []],
    ['those who may edit it: by its text', 'admin', [15]],
  ])('finds for %s', async (_, who, ids) => {
    const { headers, body } = await search('search=zirconium', who);
    expect([body.map(({ id }: { id: number }) => id), headers.get('x-cms-total')]).toEqual([ids, String(ids.length)]);
  });

  it('finds protected items by title, for signed-in users', async () => {
    expect((await search('search=locked', 'sub')).body).toMatchObject([{ id: 15, title: 'Locked' }]);
    expect((await search('search=locked')).body).toEqual([]);
  });

  it('never finds unpublished items', async () => {
    for (const who of Object.keys(logins))
      expect(JSON.stringify((await search('search=copper&per_page=100', who)).body)).not.toMatch(/draft|private|trashed|later/);
  });

  it.each<[string, number, string, Record<string, unknown>]>([
    ['type=planet', 400, 'rest_invalid_param', { type: 'rest_not_in_enum' }],
    ['subtype=attachment', 400, 'rest_invalid_param', { subtype: 'rest_not_in_enum' }],
    ['subtype=planet', 400, 'rest_invalid_param', { subtype: 'rest_not_in_enum' }],
    ['type=planet&subtype=page', 400, 'rest_invalid_param', { type: 'rest_not_in_enum', subtype: 'rest_search_invalid_type' }],
    ['context=edit', 400, 'rest_invalid_param', { context: 'rest_not_in_enum' }],
    ['type=term&page=9', 400, 'rest_search_invalid_page_number', {}],
    ['type=post-format&page=2', 400, 'rest_search_invalid_page_number', {}],
  ])('rejects %s', async (query, status, code, details) => {
    const { status: got, body } = await search(query);
    expect([got, body.code]).toEqual([status, code]);
    for (const [name, detail] of Object.entries(details)) expect(body.data.details[name].code).toBe(detail);
  });

  it('is paged, and returns an empty list beyond the last page', async () => {
    const { headers } = await search('per_page=2&page=2&_fields=id');
    expect([headers.get('x-cms-totalpages'), headers.get('link')]).toEqual(['2', expect.stringContaining('page=1')]);
    const past = await search('page=9');
    expect([past.status, past.body, past.headers.get('x-cms-total')]).toEqual([200, [], '0']);
    expect(past.headers.get('link')).toContain('page=8');
  });

  it('returns five fields and links of each item', async () => {
    const [pan] = (await search('include=11')).body;
    expect(pan).toMatchObject({ id: 11, title: 'A pan&#8217;s life', url: `${site.url}/pan/`, type: 'post', subtype: 'post' });
    expect(Object.keys(pan._links).sort()).toEqual(['about', 'collection', 'self']);
    const [format] = (await search('type=post-format')).body;
    expect(format).toEqual({
      id: 'gallery',
      title: 'Gallery',
      url: `${site.url}/type/gallery/`,
      type: 'post-format',
      _links: { collection: [{ href: `${site.url}/cms-json/cms/v2/search` }] },
    });
  });
});
