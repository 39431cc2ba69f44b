/** Every route of `fields/v3` for each kind of items: who reads and writes, each refusal, and what files hold afterwards. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../../src/kernel/errors.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { beforeAndAfter } from '../../../support/restart.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

interface Kind {
  readonly base: string;
  readonly id: number;
  readonly file: string;
  readonly unknown: ErrorCode;
  /** A list beyond its end. */
  readonly past: ApiRow['gets'];
}

const kinds: readonly Kind[] = [
  { base: 'posts', id: 20, file: 'posts/one.md', unknown: 'rest_post_invalid_id', past: [400, 'rest_post_invalid_page_number'] },
  { base: 'pages', id: 21, file: 'pages/one.md', unknown: 'rest_post_invalid_id', past: [400, 'rest_post_invalid_page_number'] },
  {
    base: 'media',
    id: 22,
    file: 'media/2026/03/dot.txt.yaml',
    unknown: 'rest_post_invalid_id',
    past: [400, 'rest_post_invalid_page_number'],
  },
  { base: 'boats', id: 23, file: 'boats/anna.md', unknown: 'rest_post_invalid_id', past: [400, 'rest_post_invalid_page_number'] },
  { base: 'categories', id: 40, file: 'terms/category/sea.yaml', unknown: 'rest_term_invalid', past: [200, []] },
  { base: 'tags', id: 41, file: 'terms/tag/tide.yaml', unknown: 'rest_term_invalid', past: [200, []] },
  { base: 'users', id: 1, file: 'users/admin.yaml', unknown: 'rest_user_invalid_id', past: [200, []] },
  { base: 'comments', id: 60, file: 'comments/20/1.md', unknown: 'rest_comment_invalid_id', past: [200, []] },
];

const places = [
  ...['type, value: post', 'type, value: page', 'type, value: attachment', 'type, value: boat'],
  ...['taxonomy, value: category', 'taxonomy, value: post_tag', 'user_role, value: all', 'comment, value: all'],
];
const post = (id: number, ...lines: string[]): string =>
  ['---', `id: ${id}`, `title: Item ${id}`, 'date: 2026-03-01', ...lines, '---', 'Text', ''].join('\n');
const files = {
  'site.yaml': `name: Harbour
timezone: UTC
deployment: extended
revisions: 0
lang: { languages: { en: { locale: en_US } }, url: { default_in_directory: false } }
types: { boat: { rest_base: boats } }
fields:
  - key: group_lead
    location: [${places.map((place) => `[{ param: ${place} }]`).join(', ')}]
    fields:
      - { key: field_lead, name: lead, type: text, maxlength: 10 }
      - { key: field_rank, name: rank, type: number }
  - key: group_options
    location: [[{ param: options_page, value: options }]]
    fields:
      - { key: field_claim, name: claim, type: text, public: true, maxlength: 10 }
      - { key: field_hidden, name: hidden, type: text }
`,
  'posts/one.md': post(20, 'author: admin', 'tags: [tide]', 'categories: [sea]', 'fields: { lead: First }'),
  'pages/one.md': post(21, 'fields: { lead: First }'),
  'pages/none.md': post(31),
  'media/2026/03/dot.txt': 'text',
  'media/2026/03/dot.txt.yaml': 'id: 22\ntitle: Dot\nfields: { lead: First }\n',
  'boats/anna.md': post(23, 'fields: { lead: First }'),
  'posts/trash.md': post(24, 'status: trash', 'fields: { lead: Gone }'),
  'posts/private.md': post(25, 'status: private', 'fields: { lead: Inner }'),
  'terms/category/sea.yaml': 'id: 40\nname: Sea\nfields: { lead: First }\n',
  'terms/tag/tide.yaml': 'id: 41\nname: Tide\nfields: { lead: First }\n',
  'users/admin.yaml': 'id: 1\nname: admin\nurl: /\nfields: { lead: First }\n',
  'users/zoe.yaml': 'id: 9\nname: Zoe\nfields: { lead: First }\n',
  'comments/20/1.md': '---\nid: 60\nname: Ben\ndate: 2026-03-02\nfields: { lead: First }\n---\nYes\n',
  'comments/20/2.md': '---\nid: 61\nname: Eve\ndate: 2026-03-02\nstatus: hold\nfields: { lead: Held }\n---\nNo\n',
};

const f = '/fields/v3';
const methods = ['POST', 'PUT', 'PATCH'] as const;
const refused = ['subscriber', 'contributor', 'author'] as const;

/** Whoever may not edit an item changes nothing of it. The other methods are rows of `contract/role-rows.ts`. */
function refusals({ base, id }: Kind): readonly ApiRow[] {
  return ['', '/lead'].flatMap((below) =>
    [undefined, ...refused].map(
      (who): ApiRow => ({
        name: `${base}${below} are not written by ${who ?? 'visitors'}`,
        ...(who === undefined ? {} : { who }),
        does: `POST ${f}/${base}/${id}${below}`,
        body: { fields: { lead: 'No' } },
        gets: [who === undefined ? 401 : 403, 'rest_forbidden'],
      }),
    ),
  );
}

function errors({ base, id, unknown, past }: Kind): readonly ApiRow[] {
  const row = (name: string, does: string, gets: ApiRow['gets'], body?: unknown): ApiRow => ({
    name: `${base}: ${name}`,
    who: 'admin',
    does,
    gets,
    ...(body === undefined ? {} : { body }),
  });
  const item = `${f}/${base}/${id}`;
  return [
    row('none there', `GET ${f}/${base}/999`, [404, unknown]),
    row('none there, one field', `GET ${f}/${base}/999/lead`, [404, unknown]),
    ...methods.flatMap((method) => [
      row(`${method} none there`, `${method} ${f}/${base}/999`, [404, unknown], { fields: { lead: 'x' } }),
      row(`${method} nothing`, `${method} ${item}`, [400, 'cant_update_item'], {}),
      row(`${method} no number`, `${method} ${item}/rank`, [400, 'rest_invalid_param'], { fields: { rank: 'x' } }),
    ]),
    row('no fields', `POST ${item}`, [400, 'cant_update_item'], { fields: {} }),
    row('another field than the path', `POST ${item}/lead`, [400, 'cant_update_item'], { fields: { rank: 1 } }),
    row('too much', `POST ${item}`, [400, 'rest_invalid_param'], { fields: { lead: 'Much too long' } }),
    row('a wrong format of what is written', `POST ${item}?fields_format=x`, [400, 'rest_invalid_param'], {
      fields: { lead: 'x' },
    }),
    row('a write in another language', `POST ${item}?lang_language=xx`, [400, 'rest_invalid_param'], {}),
    row('fields that are a text', `POST ${item}`, [400, 'cant_update_item'], { fields: 'lead' }),
    row('fields that are a list', `POST ${item}`, [400, 'cant_update_item'], { fields: ['lead'] }),
    row('a wrong format', `GET ${item}?fields_format=x`, [400, 'rest_invalid_param']),
    row('a wrong format of one', `GET ${item}/lead?fields_format=x`, [400, 'rest_invalid_param']),
    row('a wrong format of all', `GET ${f}/${base}?fields_format=x`, [400, 'rest_invalid_param']),
    row('another language', `GET ${f}/${base}?lang_language=xx`, [400, 'rest_invalid_param']),
    row('a page that is none', `GET ${f}/${base}?page=0`, [400, 'rest_invalid_param']),
    row('too many at a time', `GET ${f}/${base}?per_page=101`, [400, 'rest_invalid_param']),
    row('an order that is none', `GET ${f}/${base}?order=up`, [400, 'rest_invalid_param']),
    row('an order by nothing', `GET ${f}/${base}?orderby=nothing`, [400, 'rest_invalid_param']),
    row('a page past the end', `GET ${f}/${base}?page=9`, past),
    row('a word for an id', `GET ${f}/${base}/x`, [404, 'rest_no_route']),
    row('no deletion', `DELETE ${item}`, [404, 'rest_no_route'], {}),
    row('no creation', `POST ${f}/${base}`, [404, 'rest_no_route'], {}),
  ];
}

function reading({ base, id }: Kind): readonly ApiRow[] {
  // The original spells the member of items otherwise: what it holds is asked for by its name.
  return [undefined, 'author', 'editor', 'admin'].flatMap((who): readonly ApiRow[] => {
    const as = who === undefined ? {} : { who };
    const row = (name: string, path: string, gets: ApiRow['gets']): ApiRow => ({
      ...{ name: `${base}: ${name}, to ${who ?? 'visitors'}`, ...as, does: `GET ${f}/${base}${path}`, gets },
      headers: {
        Allow: path !== '' && (who === 'admin' || (who === 'editor' && base !== 'users')) ? 'GET, POST, PUT, PATCH' : 'GET',
      },
    });
    return [
      row('shows all', '', 200),
      row('shows an item', `/${id}`, 200),
      row('shows a field', `/${id}/lead`, [200, { lead: 'First' }]),
    ];
  });
}

describeApi('rejected fields', { files, users: [...refused, 'editor'] }, [
  ...kinds.flatMap(reading),
  ...kinds.flatMap(refusals),
  ...kinds.flatMap(errors),
]);

const hidden: readonly (readonly [path: string, visitor: ErrorCode, sees: readonly string[]])[] = [
  ['posts/24', 'rest_forbidden', ['editor', 'admin']],
  ['posts/25', 'rest_forbidden', ['editor', 'admin']],
  ['users/9', 'rest_user_cannot_view', ['admin']],
  ['comments/61', 'rest_cannot_read', ['editor', 'admin']],
];

describeApi('fields of private items', { files, users: [...refused, 'editor'] }, [
  ...hidden.flatMap(([path, code, sees]) =>
    ['', '/lead'].flatMap((below) =>
      [undefined, ...refused, 'editor', 'admin'].map(
        (who): ApiRow => ({
          name: `${path}${below} to ${who ?? 'visitors'}`,
          ...(who === undefined ? {} : { who }),
          does: `GET ${f}/${path}${below}`,
          gets: who !== undefined && sees.includes(who) ? 200 : [who === undefined ? 401 : 403, code],
        }),
      ),
    ),
  ),
]);

describeApi('options pages', { files, users: [...refused, 'editor'] }, [
  ...['options/options', 'options/options/claim'].flatMap((path): readonly ApiRow[] => [
    ...methods.flatMap((method): readonly ApiRow[] => [
      ...[undefined, ...refused, 'editor'].map(
        (who): ApiRow => ({
          name: `${method} ${path} by ${who ?? 'visitors'}`,
          ...(who === undefined ? {} : { who }),
          does: `${method} ${f}/${path}`,
          body: { fields: { claim: 'No' } },
          gets: [who === undefined ? 401 : 403, 'rest_forbidden'],
        }),
      ),
      {
        name: `${method} ${path} without fields`,
        who: 'admin',
        does: `${method} ${f}/${path}`,
        body: {},
        gets: [400, 'cant_update_item'],
      },
      {
        name: `${method} ${path} with too much`,
        who: 'admin',
        does: `${method} ${f}/${path}`,
        body: { fields: { claim: 'Much too long' } },
        gets: [400, 'rest_invalid_param'],
      },
      {
        name: `${method} ${path.replace('options/options', 'options/none')}, an unknown page`,
        who: 'admin',
        does: `${method} ${f}/${path.replace('options/options', 'options/none')}`,
        body: { fields: { claim: 'x' } },
        gets: [404, 'rest_options_page_invalid'],
      },
    ]),
    { name: `GET ${path} in another format`, does: `GET ${f}/${path}?fields_format=x`, gets: [400, 'rest_invalid_param'] },
    { name: `GET ${path} in another language`, does: `GET ${f}/${path}?lang_language=xx`, gets: [400, 'rest_invalid_param'] },
    { name: `DELETE ${path}`, who: 'admin', does: `DELETE ${f}/${path}`, gets: [404, 'rest_no_route'] },
  ]),
  { name: 'are empty at first', does: `GET ${f}/options/options/claim`, gets: [200, { claim: null }] },
  { name: 'have no such group', does: `GET ${f}/options/none`, gets: [404, 'rest_options_page_invalid'] },
  { name: 'have no such field in a group', does: `GET ${f}/options/none/claim`, gets: [404, 'rest_options_page_invalid'] },
  {
    name: 'can be written by PUT',
    who: 'admin',
    does: `PUT ${f}/options/options`,
    body: { fields: { claim: 'Ahoy', hidden: 'x' } },
    gets: 200,
    writes: ['options/options.yaml'],
  },
  {
    name: 'can be written by PATCH, one field',
    who: 'admin',
    does: `PATCH ${f}/options/options/claim`,
    body: { fields: { claim: 'Moin', hidden: 'y' } },
    gets: [200, { claim: 'Moin' }],
    writes: ['options/options.yaml'],
  },
  {
    name: 'keep values outside the written path',
    who: 'admin',
    does: `GET ${f}/options/options/hidden`,
    gets: [200, { hidden: 'x' }],
  },
]);

describeApi('writes of fields', { files, users: ['editor'] }, [
  ...kinds.flatMap(({ base, id, file }): readonly ApiRow[] => {
    const who = base === 'users' ? 'admin' : 'editor';
    const write = (method: string, below: string, fields: object, gets: ApiRow['gets']): ApiRow => ({
      name: `${method} ${base}${below}`,
      who,
      does: `${method} ${f}/${base}/${id}${below}`,
      body: { fields },
      gets,
      writes: [file],
    });
    return [
      write('POST', '', { lead: 'New', rank: 2 }, 200),
      write('PUT', '/rank', { rank: 3, lead: 'x' }, [200, { rank: '3' }]),
      write('PATCH', '', { rank: null }, 200),
      { name: `${base} returns the new value`, does: `GET ${f}/${base}/${id}/lead`, gets: [200, { lead: 'New' }] },
    ];
  }),
]);

describe('a site with fields', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());
  const paths = [...kinds.flatMap(({ base, id }) => [`${f}/${base}`, `${f}/${base}/${id}`]), `${f}/options/options`];

  it('returns the same after a restart', async () => {
    for (const { base, id } of kinds)
      await site.ask('POST', `${f}/${base}/${id}`, { as: 'admin', body: { fields: { lead: base, rank: id } } });
    await site.ask('POST', `${f}/options/options`, { as: 'admin', body: { fields: { claim: 'Ahoy' } } });
    const [before, after] = await beforeAndAfter(site, paths);
    expect(after).toEqual(before);
    expect((before[1] as { fields?: unknown }).fields).toEqual({ lead: 'posts', rank: '20' });
  });

  it.each([
    ...kinds.map(({ base, id, file }) => [`${base}/${id}/lead`, file]),
    ['options/options/claim', 'options/options.yaml'],
  ])('shows at %s what a person writes into %s', async (path, file) => {
    const known = Object.values((await site.ask('GET', `${f}/${path}`)).body)[0] as string;
    const before = await site.read(file);
    await site.write(file, before.replace(/(lead|claim): .*/, '$1: By hand'));
    expect(await site.read(file)).not.toBe(before);
    const shown = await until(async () => {
      const [value] = Object.values((await site.ask('GET', `${f}/${path}`)).body);
      return value === known ? undefined : value;
    });
    expect(shown).toBe('By hand');
  });
});
