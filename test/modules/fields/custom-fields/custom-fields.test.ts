/** Custom fields: who reads and writes what, what files hold of it, and that files, writes and a restart give the same. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite, openSite } from '../../../../src/open-site.ts';
import { dedent } from '../../../support/dedent.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const groups = `${dedent`
  name: Harbour
  timezone: UTC
  deployment: extended
  types:
    boat: { plural: Boats, singular: Boat, rest_base: boats, fields: { length: integer, home: string } }
  fields:
    - key: group_post
      title: Article
      location: [[{ param: type, operator: "==", value: post }]]
      fields:
        - { key: field_sub, name: subtitle, type: text, maxlength: 10 }
        - { key: field_amount, name: amount, type: number, min: 0, max: 100 }
        - { key: field_when, name: day, type: date, return_format: Y-m-d }
        - { key: field_rel, name: related, type: relationship, return_format: id, types: [post] }
        - { key: field_who, name: who, type: user, return_format: id }
        - { key: field_topic, name: topic, type: taxonomy, taxonomy: category, return_format: id }
        - key: field_address
          name: address
          type: group
          fields:
            - { key: field_street, name: street, type: text }
            - { key: field_zip, name: zip, type: number }
        - key: field_parts
          name: parts
          type: flexible_content
          layouts:
            words: { fields: [{ key: field_body, name: body, type: text }] }
            teaser: { fields: [{ key: field_to, name: to, type: post_object, return_format: id }] }
        - { key: field_secret, name: secret, type: text, show_in_rest: false }
        - { key: field_fixed, name: fixed, type: text, edit_in_rest: false }
        - { key: field_pic, name: picture, type: image, return_format: id }
    - key: group_wide
      location: [[{ param: type, value: page }, { param: template, value: wide }]]
      fields: [{ key: field_lead, name: lead, type: text, required: true }]
    - key: group_term
      location: [[{ param: taxonomy, value: category }]]
      fields: [{ key: field_tone, name: tone, type: color }]
    - key: group_user
      location: [[{ param: user_role, value: all }]]
      fields: [{ key: field_team, name: team, type: text }]
    - key: group_comment
      location: [[{ param: comment, value: all }]]
      fields: [{ key: field_mark, name: mark, type: number }]
    - key: group_options
      location: [[{ param: options_page, value: options }]]
      fields:
        - { key: field_phone, name: phone, type: text, public: true }
        - { key: field_open, name: open, type: true_false }
`}\n`;

const files = {
  'site.yaml': groups,
  'posts/one.md': `${dedent`
    ---
    id: 20
    title: One
    date: 2026-03-01
    fields:
      # what stands below the title
      subtitle: Hello
      amount: 7.5
      day: 2026-03-04
      related: [two, 99]
      topic: sea
      address:
        street: Road 1
      unlisted: kept
      secret: hush
    ---
    Text
  `}\n`,
  'posts/two.md': '---\nid: 21\ntitle: Two\ndate: 2026-03-02\n---\nText\n',
  'posts/draft.md': '---\nid: 22\ntitle: Draft\nstatus: draft\nfields:\n  subtitle: Early\n---\nText\n',
  'posts/locked.md': '---\nid: 23\ntitle: Locked\ndate: 2026-02-02\npassword: pw\nfields:\n  subtitle: Inner\n---\nText\n',
  'pages/wide.md': '---\nid: 24\ntitle: Wide\ntemplate: wide\ndate: 2026-03-02\nfields: { lead: A lead }\n---\nText\n',
  'pages/plain.md': '---\nid: 25\ntitle: Plain\ndate: 2026-03-02\nfields: { lead: A lead }\n---\nText\n',
  'boats/anna.md': '---\nid: 26\ntitle: Anna\ndate: 2026-03-02\nmeta: { length: 12 }\nfields: { home: Hull }\n---\nText\n',
  'terms/category/sea.yaml': 'id: 40\nname: Sea\nfields: { tone: "#00f" }\n',
  'media/2026/03/dot.png': 'no picture',
  'media/2026/03/dot.png.yaml': 'id: 19\ntitle: Dot\n',
  'comments/20/1.md': '---\nid: 60\nname: Ben\ndate: 2026-03-02\n---\nYes\n',
};

const one = {
  subtitle: 'Hello',
  amount: '7.5',
  day: '2026-03-04',
  related: [21],
  topic: [40],
  address: { street: 'Road 1', zip: '' },
};
const f = '/fields/v3';

describeApi('custom fields', { files, users: ['editor', 'author', 'subscriber'] }, [
  {
    name: 'are public',
    does: `GET ${f}/posts/20/subtitle`,
    gets: [200, { subtitle: 'Hello' }],
    headers: { Allow: 'GET' },
  },
  { name: 'return numbers as strings', does: `GET ${f}/posts/20/amount`, gets: [200, { amount: '7.5' }] },
  { name: 'omit missing items from lists', does: `GET ${f}/posts/20/related`, gets: [200, { related: [21] }] },
  {
    name: 'keep missing items in the light format, with native numbers',
    does: `GET ${f}/posts/20/related?fields_format=light`,
    gets: [200, { related: [21, 99] }],
  },
  { name: 'are light on request', does: `GET ${f}/posts/20/amount?fields_format=light`, gets: [200, { amount: 7.5 }] },
  { name: 'reject other formats', does: `GET ${f}/posts/20?fields_format=dark`, gets: [400, 'rest_invalid_param'] },
  { name: 'are null for unknown names', does: `GET ${f}/posts/20/unlisted`, gets: [200, { unlisted: null }] },
  { name: 'hide private fields', does: `GET ${f}/posts/20/secret`, gets: [200, { secret: null }] },
  { name: 'need an existing item', does: `GET ${f}/posts/9`, gets: [404, 'rest_post_invalid_id'] },
  { name: 'of drafts are hidden from visitors', does: `GET ${f}/posts/22`, gets: [401, 'rest_forbidden'] },
  {
    name: 'of drafts are visible to their editors',
    who: 'editor',
    does: `GET ${f}/posts/22/subtitle`,
    gets: [200, { subtitle: 'Early' }],
  },
  { name: 'of a protected item need its password', does: `GET ${f}/posts/23/subtitle`, gets: [200, { subtitle: null }] },
  { name: 'are returned with the password', does: `GET ${f}/posts/23/subtitle?password=pw`, gets: [200, { subtitle: 'Inner' }] },
  { name: 'reject a wrong password', does: `GET ${f}/posts/23?password=no`, gets: [403, 'rest_post_incorrect_password'] },
  { name: 'depend on the template', does: `GET ${f}/pages/24/lead`, gets: [200, { lead: 'A lead' }] },
  { name: 'of pages are not found on other routes', does: `GET ${f}/pages/25/lead`, gets: [200, { lead: null }] },
  { name: 'have the types that a custom type declares', does: `GET ${f}/boats/26/length`, gets: [200, { length: 12 }] },
  { name: 'exist for terms', does: `GET ${f}/categories/40/tone`, gets: [200, { tone: '#00f' }] },
  { name: 'of an unknown term are a 404', does: `GET ${f}/categories/41`, gets: [404, 'rest_term_invalid'] },
  { name: 'of an unknown user are a 404', who: 'admin', does: `GET ${f}/users/77`, gets: [404, 'rest_user_invalid_id'] },
  { name: 'of an unknown comment are a 404', does: `GET ${f}/comments/77`, gets: [404, 'rest_comment_invalid_id'] },
  {
    name: 'are listed with totals',
    does: `GET ${f}/posts?per_page=1&order=asc`,
    gets: [200, [{ id: 20 }]],
    headers: { 'X-CMS-Total': '3' },
  },
  { name: 'are listed for search results', does: `GET ${f}/posts?search=Two`, gets: [200, [{ id: 21 }]] },
  { name: 'are listed on existing pages only', does: `GET ${f}/posts?page=9`, gets: [400, 'rest_post_invalid_page_number'] },
  { name: 'cannot be deleted', who: 'admin', does: `DELETE ${f}/posts/20`, gets: [404, 'rest_no_route'] },
  {
    name: 'cannot be written by visitors',
    does: `POST ${f}/posts/20`,
    body: { fields: { subtitle: 'No' } },
    gets: [401, 'rest_forbidden'],
  },
  {
    name: 'cannot be written by subscribers',
    who: 'subscriber',
    does: `POST ${f}/posts/20`,
    body: { fields: { subtitle: 'No' } },
    gets: [403, 'rest_forbidden'],
  },
  {
    name: 'cannot be written by authors of other items',
    who: 'author',
    does: `POST ${f}/posts/20`,
    body: { fields: { subtitle: 'No' } },
    gets: [403, 'rest_forbidden'],
  },
  { name: 'need values to be written', who: 'editor', does: `POST ${f}/posts/20`, body: {}, gets: [400, 'cant_update_item'] },
  {
    name: 'need declared fields to be written',
    who: 'editor',
    does: `POST ${f}/pages/25`,
    body: { fields: { lead: 'x' } },
    gets: [400, 'cant_update_item'],
  },
  {
    name: 'reject a value that is too long',
    who: 'editor',
    does: `POST ${f}/posts/20`,
    body: { fields: { subtitle: 'Much too long' } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'report the group member that is invalid',
    who: 'editor',
    does: `POST ${f}/posts/20`,
    body: { fields: { address: { zip: 'x' } } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'report the layout that a row lacks',
    who: 'editor',
    does: `POST ${f}/posts/20`,
    body: { fields: { parts: [{ body: 'x' }] } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'reject unknown references',
    who: 'editor',
    does: `POST ${f}/posts/20`,
    body: { fields: { related: [21, 98] } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'reject a value of another type',
    who: 'editor',
    does: `POST ${f}/posts/20`,
    body: { fields: { related: [24] } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'reject invalid values on the item itself, before the rights are checked',
    does: 'POST /cms/v2/posts/20',
    body: { fields: { amount: 101 } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'keep required values',
    who: 'editor',
    does: `POST ${f}/pages/24`,
    body: { fields: { lead: null } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'ignore unknown and private names',
    who: 'editor',
    does: `POST ${f}/posts/20/subtitle`,
    body: { fields: { subtitle: 'Hello', fixed: 'x', nothing: 'x' } },
    gets: [200, { subtitle: 'Hello' }],
    writes: ['posts/one.md', 'revisions/20/27.md'],
  },
  {
    name: 'of options can be written by users who manage them',
    who: 'editor',
    does: `POST ${f}/options/options`,
    body: { fields: { phone: '1' } },
    gets: [403, 'rest_forbidden'],
  },
  {
    name: 'of options are stored in a file',
    who: 'admin',
    does: `POST ${f}/options/options`,
    body: { fields: { phone: '+49', open: true } },
    gets: [200, {}],
    writes: ['options/options.yaml'],
  },
  { name: 'of options show public values to visitors', does: `GET ${f}/options/options/phone`, gets: [200, { phone: '+49' }] },
  { name: 'of options show nothing else', does: `GET ${f}/options/options/open`, gets: [200, { open: null }] },
  {
    name: 'of undeclared options are not found',
    who: 'admin',
    does: `GET ${f}/options/other`,
    gets: [404, 'rest_options_page_invalid'],
  },
  {
    name: 'of terms can be written',
    who: 'editor',
    does: `POST ${f}/categories/40/tone`,
    body: { fields: { tone: '#ff0000' } },
    gets: [200, { tone: '#ff0000' }],
    writes: ['terms/category/sea.yaml'],
  },
  {
    name: 'of terms have the form of their type',
    who: 'editor',
    does: `POST ${f}/categories/40`,
    body: { fields: { tone: 'red' } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'of comments can be written by users who may edit them',
    who: 'editor',
    does: `POST ${f}/comments/60/mark`,
    body: { fields: { mark: 5 } },
    gets: [200, { mark: '5' }],
    writes: ['comments/20/1.md'],
  },
  {
    name: 'of others cannot be written by users',
    who: 'subscriber',
    does: `POST ${f}/users/1`,
    body: { fields: { team: 'x' } },
    gets: [403, 'rest_forbidden'],
  },
]);

describe('custom fields in files', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());
  const text = (path: string): string => readFileSync(join(site.dir, path), 'utf8');
  const fieldsOf = async (path: string) => (await site.ask('GET', `${path}?_fields=fields`)).body.fields;

  it('are part of items, in all contexts', async () => {
    expect(await fieldsOf('/cms/v2/posts/20')).toEqual(one);
    expect((await site.ask('GET', '/cms/v2/posts/20?context=embed')).body.fields).toEqual(one);
    expect((await site.ask('GET', '/cms/v2/posts/21')).body.fields).toMatchObject({ subtitle: null, related: null });
    expect((await site.ask('GET', '/cms/v2/pages/25')).body.fields).toEqual({});
  });

  it.each([
    [{ subtitle: 'Much too long' }, '[subtitle] must have at most 10 characters.'],
    [{ amount: 101 }, '[amount] must be at most 100.'],
    [{ address: { zip: 'x' } }, '[address][zip] must be a number, not "x".'],
    [{ parts: [{ fields_layout: 'words', body: ['x'] }] }, '[parts][0][body] must be a text, not ["x"].'],
    [{ parts: [{ body: 'x' }] }, '[parts][0][fields_layout] must name one of words, teaser, not {"body":"x"}'],
    [{ parts: [{ fields_layout: 'teaser', to: 98 }] }, '[parts][0][to] is no id of post: 98.'],
    [{ related: [21, 98] }, '[related][1] is no id of post: 98.'],
    [{ related: ['two'] }, '[related][0] must be an id, not "two".'],
    [{ day: '20260230' }, '[day] must be a day such as 20240506, not "20260230".'],
  ])('reject %j, and say where', async (fields, said) => {
    const before = text('posts/one.md');
    for (const path of ['/fields/v3/posts/20', '/cms/v2/posts/20']) {
      const { status, body } = await site.ask('POST', path, { as: 'admin', body: { fields } });
      expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
      expect(body.data.params.fields).toContain(`fields${said}`);
    }
    expect(text('posts/one.md')).toBe(before);
  });

  it('change one line of the file each', async () => {
    for (const [fields, lines] of [
      [{ amount: 8 }, ['-  amount: 7.5', '+  amount: 8']],
      [{ address: { zip: 12345 } }, ['+    zip: 12345']],
      [{ day: '20260305' }, ['-  day: 2026-03-04', '+  day: 20260305']],
      [{ who: 1 }, ['+  who: admin']],
    ] as const) {
      const before = text('posts/one.md');
      await site.ask('POST', '/fields/v3/posts/20', { as: 'admin', body: { fields } });
      const diff = changedLines(before, text('posts/one.md')).filter((line) => !/^[+-]modified: /.test(line));
      expect(diff).toEqual(lines);
    }
    expect(text('posts/one.md')).toContain('# what stands below the title');
    expect(text('posts/one.md')).toContain('related: [two, 99]');
    expect(text('posts/one.md')).toContain('unlisted: kept');
  });

  it('are the same after a restart', async () => {
    const shown = await fieldsOf('/cms/v2/posts/20');
    const again = await openSite(site.dir, { readOnly: true });
    composeSite(again);
    expect((again.posts.get(20) as unknown as { fields: object }).fields).toEqual(
      (site.site.posts.get(20) as unknown as { fields: object }).fields,
    );
    await again.close();
    expect(shown).toMatchObject({ amount: '8', address: { street: 'Road 1', zip: '12345' }, day: '2026-03-05', who: 1 });
  });

  it('follow hand edits', async () => {
    writeFileSync(
      join(site.dir, 'posts/two.md'),
      '---\nid: 21\ntitle: Two\ndate: 2026-03-02\nfields:\n  subtitle: By hand\n  amount: many\n---\nText\n',
    );
    await until(async () => ((await fieldsOf('/cms/v2/posts/21')).subtitle === 'By hand' ? true : undefined));
    expect(await fieldsOf('/cms/v2/posts/21')).toEqual({ subtitle: 'By hand', amount: null });
  });

  it('are part of revisions', async () => {
    const { body } = await site.ask('GET', '/cms/v2/posts/20/revisions?context=edit&_fields=fields', { as: 'admin' });
    expect(body.map(({ fields }: { fields: { amount: string } }) => fields.amount)).toEqual(['8', '8', '8', '8']);
    expect(body.at(-1).fields).toMatchObject({ subtitle: 'Hello', day: '2026-03-04' });
    expect(body[0].fields).toMatchObject({ who: 1, day: '2026-03-05' });
  });

  it('attach an unattached image to the post, and accept its path', async () => {
    const { status, body } = await site.ask('POST', '/fields/v3/posts/20/picture', {
      as: 'admin',
      body: { fields: { picture: 19 } },
    });
    expect([status, body]).toEqual([200, { picture: 19 }]);
    expect(text('media/2026/03/dot.png.yaml')).toContain('post: 20');
    expect(text('posts/one.md')).toContain('picture: 2026/03/dot.png');
    writeFileSync(join(site.dir, 'posts/one.md'), text('posts/one.md').replace('picture: 2026/03/dot.png', 'picture: 19'));
    await site.site.ingest(await site.site.store.reread(['posts/one.md']));
    expect((await site.ask('GET', '/fields/v3/posts/20/picture')).body).toEqual({ picture: 19 });
    await site.ask('POST', '/fields/v3/posts/20', { as: 'admin', body: { fields: { picture: 19, amount: 9 } } });
    expect(text('posts/one.md')).toContain('picture: 19');
  });

  it('are removed by null', async () => {
    await site.ask('POST', '/fields/v3/posts/20', { as: 'admin', body: { fields: { amount: null } } });
    expect(text('posts/one.md')).not.toContain('amount:');
  });

  it('of a custom type are written to its key in the file', async () => {
    await site.ask('POST', '/fields/v3/boats/26', { as: 'admin', body: { fields: { length: 13, home: 'Kiel' } } });
    expect(text('boats/anna.md')).toContain('length: 13');
    expect(text('boats/anna.md')).toContain('home: Kiel');
    const { meta, fields } = (await site.ask('GET', '/cms/v2/boats/26')).body;
    expect([meta.length, fields]).toEqual([13, { length: 13, home: 'Kiel' }]);
    expect((await site.ask('POST', '/fields/v3/boats/26', { as: 'admin', body: { fields: { length: 'long' } } })).status).toBe(
      400,
    );
  });

  it('of comments are hidden from visitors, even where they may comment', async () => {
    const open = await startSite({ files: { ...files, 'site.yaml': `${groups}anonymous_comments: true\n` } });
    const comment = { post: 20, content: 'x', author_name: 'A', author_email: 'a@example.org' };
    const refused = await open.ask('POST', '/cms/v2/comments', { body: { ...comment, fields: { mark: 1 } } });
    expect([refused.status, refused.body.code]).toEqual([401, 'rest_forbidden']);
    expect((await open.ask('POST', '/cms/v2/comments', { body: comment })).status).toBe(201);
    await open.close();
  });

  it('are described to clients', async () => {
    const { schema } = (await site.ask('OPTIONS', '/cms/v2/posts')).body;
    expect(schema.properties.fields.properties).toMatchObject({
      subtitle: { maxLength: 10 },
      amount: { minimum: 0, maximum: 100 },
    });
    const { routes } = (await site.ask('GET', '/')).body;
    expect(Object.keys(routes).filter((route) => route.startsWith('/fields/v3/posts'))).toHaveLength(3);
    expect(routes['/cms/v2/posts'].endpoints[1].args.fields.properties.amount).toMatchObject({ maximum: 100 });
  });
});

/** Lines of a file that are gone or new, in order. */
function changedLines(before: string, after: string): string[] {
  const [old, present] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !present.includes(line)).map((line) => `-${line}`),
    ...present.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}
