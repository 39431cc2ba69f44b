/** Taking over what another tool has left: every importer, batch by batch, by every role, and what files say afterwards. */
import { afterEach, describe, expect, it } from 'vitest';
import { describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { refusals, roles } from '../editors/access.ts';
import { translateTemplate } from '../../../../src/modules/seo/metadata/variables.ts';

const v1 = '/seo/v1/import';
const yaml = 'name: Quay\ntimezone: UTC\ndeployment: extended\n';
const groups = [
  'general_settings',
  'default_archive_settings',
  'custom_archive_settings',
  'posttype_default_settings',
  'taxonomy_settings',
];
const none = { objects: [], next_url: false };

describeApi('an import without data', { files: { 'site.yaml': yaml }, users: [...roles] }, [
  ...['posts', 'validate_data', 'cleanup', ...groups].flatMap((type) => refusals('manage', `POST ${v1}/other-seo/${type}`)),
  { name: 'has no posts', who: 'admin', does: `POST ${v1}/other-seo/posts`, gets: [200, { objects: false, next_url: false }] },
  ...groups.map((type) => ({
    name: `has no ${type}`,
    who: 'admin',
    does: `POST ${v1}/other-seo/${type}`,
    gets: [200, none] as const,
  })),
  ...['nothing/posts', 'other-seo/nothing', 'other-seo/constructor', 'conflicting-plugins/deactivation'].map((path) => ({
    name: `is not found: ${path}`,
    who: 'admin',
    does: `POST ${v1}/${path}`,
    gets: [404, 'rest_no_route'] as const,
  })),
  { name: 'allows only POST', who: 'admin', does: `GET ${v1}/other-seo/posts`, gets: [404, 'rest_no_route'] },
]);

const row = (id: number, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id, post_id: id, title: null, description: null, og_title: '', og_description: '', twitter_use_og: 0, twitter_title: '' },
  ...{
    twitter_description: '',
    canonical_url: '',
    keyphrases: null,
    og_image_type: 'default',
    og_image_url: '',
    og_image_custom_url: '',
  },
  ...{ twitter_image_type: 'default', twitter_image_url: '', twitter_image_custom_url: '', robots_default: 1, robots_noindex: 0 },
  ...{ robots_nofollow: 0, robots_noarchive: 0, robots_noimageindex: 0, robots_nosnippet: 0, ...more },
});
const post = (id: number, seo = '') => `---\nid: ${id}\ntitle: P${id}\ndate: 2026-01-02T10:00:00\n${seo}---\nText.\n`;
const settings = {
  searchAppearance: {
    global: {
      separator: '&#124;',
      siteTitle: '#site_title #separator_sa #tagline',
      schema: { siteRepresents: 'organization', organizationName: 'Quay Ltd', organizationLogo: 'javascript:x', person: '1' },
    },
    archives: {
      author: { title: 'By #author_name', advanced: { robotsMeta: { default: false, noindex: true } } },
      date: { title: '#archive_date', advanced: { robotsMeta: { default: true, noindex: false } } },
    },
  },
  dynamic: {
    searchAppearance: {
      archives: { page: { title: '#archive_title' } },
      postTypes: {
        post: { title: '#post_title #separator_sa #site_title', metaDescription: '#post_excerpt' },
        boat: { title: 'x' },
      },
      taxonomies: {
        category: { title: '#taxonomy_title in #site_title', advanced: { robotsMeta: { default: false, noindex: true } } },
      },
    },
  },
};

describe('an import of metadata', () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });
  const start = async (files: Readonly<Record<string, string>>) => {
    site = await startSite({ files: { 'site.yaml': yaml, ...files } });
    return site;
  };
  const ask = async (type: string, options = {}) =>
    (await site?.ask('POST', `${v1}/other-seo/${type}`, { as: 'admin', ...options }))?.body;
  const data = (rows: unknown) => ({
    'import/other-seo/posts.json': JSON.stringify(rows),
    'import/other-seo/settings.json': JSON.stringify(settings),
  });

  it('copies values that a post lacks, once', async () => {
    const { read } = await start({
      'posts/one.md': post(1),
      'posts/two.md': post(2, 'seo: { title: Mine }\n'),
      'posts/three.md': post(3),
      ...data([
        row(1, {
          ...{
            title: '#post_title #separator_sa #site_title',
            description: 'About #custom_field-sea',
            og_title: 'Social',
            twitter_use_og: '1',
          },
          ...{
            keyphrases: '{"focus":{"keyphrase":"tide"}}',
            canonical_url: 'https://quay.example/c/',
            og_image_type: 'custom_image',
          },
          ...{ og_image_custom_url: 'https://cdn.example/a.png', robots_default: 0, robots_noindex: 1, robots_nosnippet: true },
        }),
        row(2, { title: 'Theirs' }),
        row(3),
        row(4, { title: 'Nothing' }),
        { id: 'x', post_id: 3, title: 'Bad' },
        row(5, { post_id: 1, title: 'Again' }),
        'no row',
      ]),
    });
    const first = await ask('posts');
    expect([first.objects.map((one: { object_id: number }) => one.object_id), first.next_url]).toEqual([
      [1],
      'seo/v1/import/other-seo/posts',
    ]);
    expect(site?.site.seo.valuesOf(site.site.posts.get(1) as never)).toMatchObject({
      ...{ title: '%%title%% %%sep%% %%sitename%%', description: 'About %%cf_sea%%', socialTitle: 'Social', cardTitle: 'Social' },
      ...{
        keyphrase: 'tide',
        canonical: 'https://quay.example/c/',
        image: 'https://cdn.example/a.png',
        noindex: true,
        nosnippet: true,
      },
    });
    expect(await read('posts/one.md')).toMatch(/^seo:\n {2}title: ["']?%%title%% %%sep%% %%sitename%%/m);
    expect(await read('posts/two.md')).toBe(post(2, 'seo: { title: Mine }\n'));
    expect(await read('posts/three.md')).toBe(post(3));
    expect(await ask('posts')).toEqual(none);
    expect(await ask('posts')).toEqual(none);
    expect((await site?.ask('POST', '/yoast/v1/import/aioseo/posts', { as: 'admin', root: '/wp-json' }))?.body).toEqual(none);
  });

  it('resumes after a restart, 25 at a time', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => at + 1);
    await start({
      ...Object.fromEntries(ids.map((id) => [`posts/p${id}.md`, post(id)])),
      ...data(ids.map((id) => row(id, { title: `T${id}` }))),
    });
    expect((await ask('posts')).objects).toHaveLength(25);
    expect(await site?.read('site.yaml')).toContain('other-seo_posts: 25');
    const { dir } = site as TestSite;
    const second = await startSite({ from: dir });
    await site?.close();
    site = second;
    const { importCursors } = site.site.seo.options();
    expect(importCursors).toEqual({ 'other-seo_posts': 25 });
  });

  it('copies settings one by one', async () => {
    await start(data([row(1)]));
    const general = await ask('general_settings');
    expect(general).toEqual({
      objects: [
        ...[
          '/schema/organizationLogo',
          '/schema/organizationName',
          '/schema/person',
          '/schema/siteRepresents',
          '/separator',
          '/siteTitle',
        ],
      ],
      next_url: 'seo/v1/import/other-seo/general_settings',
    });
    expect(await ask('general_settings')).toEqual(none);
    for (const group of groups.slice(1)) expect((await ask(group)).next_url).toBe(`seo/v1/import/other-seo/${group}`);
    const options = site?.site.seo.options();
    expect(options).toMatchObject({
      ...{
        separator: 'sc-pipe',
        homeTitle: '%%sitename%% %%sep%% %%sitedesc%%',
        companyName: 'Quay Ltd',
        companyLogo: '',
        person: 1,
      },
      ...{ authorTitle: 'By %%name%%', authorNoindex: true, dateTitle: '%%date%%', dateNoindex: true },
    });
    expect(options?.ofType('post')).toMatchObject({ description: '%%excerpt%%' });
    expect(options?.ofType('page')).toMatchObject({ archiveTitle: '%%archive_title%%' });
    expect(options?.ofTaxonomy('category')).toMatchObject({ title: '%%term_title%% in %%sitename%%', noindex: true });
    expect(await site?.read('site.yaml')).not.toContain('boat');
  });

  it('is validated before and cleaned up after', async () => {
    await start(data([row(1)]));
    const validated = { validated_source_table: true, validated_source_settings: true, validated_robot_settings: true };
    expect((await ask('validate_data')).objects).toEqual(validated);
    expect(await ask('validate_data')).toEqual(none);
    expect((await ask('cleanup')).objects).toEqual({ metadata_cleanup: 0, indexables_cleanup: 1 });
    expect(await site?.read('import/other-seo/posts.json')).toBe('[]\n');
    expect(await ask('cleanup')).toEqual(none);
  });

  it.each([
    ['no file', {}],
    ['a file that cannot be read', { 'import/other-seo/posts.json': '{' }],
    ['rows without columns', data([{ id: 1 }])],
  ])('of %s is not valid', async (_name, files) => {
    const { ask: send } = await start(files as Record<string, string>);
    const { status, body } = await send('POST', `${v1}/other-seo/validate_data`, { as: 'admin' });
    expect([status, body]).toEqual([
      500,
      { code: 'seo_error_validation', message: expect.any(String), data: { stackTrace: '' } },
    ]);
  });
});

it.each([
  ['#post_title #separator_sa #site_title', '%%title%% %%sep%% %%sitename%%'],
  ['#custom_field-a-b and #tax_name-genre', '%%cf_a-b%% and %%ct_genre%%'],
  ['#1 of #unknown', '#1 of #unknown'],
  ['#constructor', '#constructor'],
])('an import translates %s', (template, wanted) => expect(translateTemplate(template)).toBe(wanted));
