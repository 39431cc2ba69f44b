/** Where a person writes search metadata: front matter, site.yaml and clients, and that all three mean the same. */
import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { optionTable } from '../../../../src/modules/seo/metadata/option-table.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const settings = [
  'name: Harbour',
  '# whom the site is for',
  'timezone: UTC',
  'deployment: extended',
  'lang: { default: en, languages: { en: {} }, url: { mode: directory, default_in_directory: false } }',
  '',
].join('\n');
const tide = '---\nid: 7\ntitle: Tide # kept\ndate: 2026-03-01T08:00:00\nauthor: ada\n---\n<p>Boats leave early.</p>\n';
const files = {
  'site.yaml': settings,
  'posts/tide.html': tide,
  'pages/dock.html': tide.replace('id: 7', 'id: 8').replace('Tide', 'Dock'),
  'users/ada.yaml': 'id: 20\nname: Ada\n',
  'terms/category/ships.yaml': 'id: 30\nname: Ships\n',
};

describeApi('search metadata', { files, users: ['subscriber', 'author', 'editor'] }, [
  {
    name: 'cannot be written without the right to edit',
    does: 'POST /cms/v2/posts/7',
    body: { meta: { _seo_title: 'X' } },
    gets: [401, 'rest_cannot_edit'],
  },
  {
    name: 'cannot be written by a subscriber',
    who: 'subscriber',
    does: 'POST /cms/v2/posts/7',
    body: { meta: { _seo_title: 'X' } },
    gets: [403, 'rest_cannot_edit'],
  },
  {
    name: 'of others cannot be written by an author',
    who: 'author',
    does: 'POST /cms/v2/posts/7',
    body: { meta: { _seo_title: 'X' } },
    gets: [403, 'rest_cannot_edit'],
  },
  {
    name: 'can be written by an editor',
    who: 'editor',
    does: 'POST /cms/v2/posts/7',
    body: { meta: { _seo_title: '%%title%%!', '_seo_meta-robots-noindex': '2', '_seo_meta-robots-adv': 'noarchive,nonsense' } },
    gets: [
      200,
      {
        meta: { _seo_title: '%%title%%!', '_seo_meta-robots-noindex': '2', '_seo_meta-robots-adv': 'noarchive' },
      },
    ],
    writes: ['posts/tide.html', 'revisions/7/9.html'],
  },
  {
    name: 'changes no file if nothing changes',
    who: 'editor',
    does: 'POST /cms/v2/posts/7',
    body: { meta: { _seo_title: '%%title%%!', _seo_linkdex: '0', _seo_focuskw: '' } },
    gets: 200,
    writes: [],
  },
  {
    name: 'is removed by null',
    who: 'editor',
    does: 'POST /cms/v2/posts/7',
    body: { meta: { _seo_title: null, '_seo_meta-robots-noindex': null, '_seo_meta-robots-adv': null } },
    gets: 200,
    writes: ['posts/tide.html'],
  },
  {
    name: 'ignores an invalid value',
    who: 'editor',
    does: 'POST /cms/v2/posts/7',
    body: {
      meta: {
        _seo_linkdex: 'good',
        _seo_schema_page_type: 'Boat',
        _seo_title: { a: 1 },
        _seo_nothing: 'x',
        _seo_primary_nothing: '3',
      },
    },
    gets: 200,
    writes: [],
  },
  {
    name: 'exists for terms',
    who: 'editor',
    does: 'POST /cms/v2/categories/30',
    body: { meta: { _seo_title: 'All %%term_title%%' } },
    gets: 200,
    writes: ['terms/category/ships.yaml'],
  },
  {
    name: 'exists for users',
    who: 'admin',
    does: 'POST /cms/v2/users/20',
    body: { meta: { seo_title: 'By %%name%%', network_b: 'ada', seo_noindex_author: 'on' } },
    gets: [
      200,
      {
        meta: { seo_title: 'By %%name%%', network_b: 'ada', seo_noindex_author: 'on' },
      },
    ],
    writes: ['users/ada.yaml'],
  },
  {
    name: 'can be set on a new post',
    who: 'editor',
    does: 'POST /cms/v2/posts',
    body: { title: 'New', status: 'publish', meta: { _seo_metadesc: 'Of %%title%%', _seo_canonical: '/tide/' } },
    gets: 201,
    writes: ['posts/2026/03/new.md'],
  },
  {
    name: 'includes a read-only head',
    who: 'editor',
    does: 'POST /cms/v2/posts/7',
    body: { seo_head: 'x', seo_head_json: {} },
    gets: 200,
    writes: [],
  },
]);

describe('search metadata in files', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  const titleAt = async (path: string): Promise<string> =>
    (await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(site.url + path)}`)).body.json.title;

  it('is stored below one key, under readable names, and other lines are kept', async () => {
    const meta = {
      _seo_title: 'Own %%sep%% %%title%%',
      _seo_focuskw: 'ebb',
      '_seo_meta-robots-noindex': '1',
      '_seo_opengraph-image': 'https://cdn.example/a.png',
      _seo_primary_category: '30',
      _seo_is_cornerstone: 'true',
    };
    expect((await site.ask('POST', '/cms/v2/posts/7', { as: 'admin', body: { meta } })).status).toBe(200);
    const text = await site.read('posts/tide.html');
    expect(text).toContain('title: Tide # kept\n');
    const block = text.slice(text.indexOf('seo:'), text.indexOf('\n---\n<p>'));
    expect(block.split('\n').map((line) => line.trimEnd())).toEqual([
      'seo:',
      '  title: Own %%sep%% %%title%%',
      '  keyphrase: ebb',
      '  cornerstone: true',
      '  noindex: true',
      '  image: https://cdn.example/a.png',
      '  primary:',
      '    category: ships',
    ]);
  });

  it('follows hand edits, keeps unknown keys, and is the same after a restart', async () => {
    const text = await site.read('posts/tide.html');
    await site.write('posts/tide.html', text.replace('  keyphrase: ebb', '  keyphrase: flood # by hand\n  later: 1'));
    const seo = () => (site.site.posts.get(7) as { seo?: Record<string, unknown> }).seo;
    await until(() => seo()?.keyphrase === 'flood');
    await site.ask('POST', '/cms/v2/posts/7', { as: 'admin', body: { meta: { _seo_title: 'Newer' } } });
    expect(await site.read('posts/tide.html')).toContain('  keyphrase: flood # by hand\n  later: 1\n');
    const [before, title] = [JSON.stringify(seo()), await titleAt('/tide/')];
    expect(title).toBe('Newer');
    await site.site.close();
    const again = await openSite(site.dir, { operator: {} });
    expect(JSON.stringify((again.posts.get(7) as { seo?: unknown }).seo)).toBe(before);
    await again.close();
  });
});

describe('options of search metadata', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  const write = (values: Record<string, unknown>) =>
    site.site.write(() => ({ changes: site.site.seo.planOptions(values), result: null }));

  it('are stored in site.yaml without defaults, and other lines are kept', async () => {
    await write({
      company_name: 'Press',
      'title-post': '%%title%%',
      'noindex-tax-post_tag': true,
      separator: 'sc-pipe',
      company_or_person: 'person',
    });
    const text = await site.read('site.yaml');
    expect(text.startsWith(settings.trimEnd())).toBe(true);
    expect(text.slice(settings.length)).toBe(
      "seo:\n  organization:\n    name: Press\n  types:\n    post:\n      title: '%%title%%'\n  taxonomies:\n    post_tag:\n      noindex: true\n  separator: '|'\n  represents: person\n",
    );
    const options = site.site.seo.options();
    expect([options.companyName, options.ofType('post').title, options.ofTaxonomy('post_tag').noindex]).toEqual([
      'Press',
      '%%title%%',
      true,
    ]);
    expect([options.separatorCharacter, options.represents]).toEqual(['|', 'person']);
  });

  it('are removed with their values', async () => {
    await write({
      company_name: '',
      'title-post': '%%title%% %%page%% %%sep%% %%sitename%%',
      'noindex-tax-post_tag': false,
      separator: 'sc-dash',
      company_or_person: 'company',
    });
    expect(await site.read('site.yaml')).toBe(settings);
    expect(site.site.seo.planOptions({ company_name: '' })).toEqual([]);
  });

  it('reject unknown names', () => {
    expect(() => site.site.seo.planOptions({ nonsense: 1 })).toThrow('no option nonsense');
  });

  it("accept the reference's name of each", () => {
    for (const { option, default: standard } of Object.values(optionTable))
      expect(site.site.seo.planOptions({ [option]: standard }), option).toEqual([]);
  });

  it('follow hand edits at once, and invalid ones are reported', async () => {
    await site.write('site.yaml', `${settings}seo:\n  separator: "~"\n  card: maybe\n  types: { post: { title: 7 } }\n`);
    await until(() => site.site.seo.options().separator === 'sc-tilde');
    expect(site.site.seo.options().card).toBe(true);
    expect(site.site.problems().map(({ rule }) => rule)).toContain('field:seo');
    expect(site.site.seo.options().ofType('post').title).toBe('7');
  });

  it('can disable the head', async () => {
    writeFileSync(join(site.dir, 'site.yaml'), `${settings}seo: { head_in_answers: false }\n`);
    await until(() => !site.site.seo.options().headInAnswers);
    const { body } = await site.ask('GET', '/cms/v2/posts/7');
    expect(Object.keys(body).filter((name) => name.startsWith('seo'))).toEqual([]);
    expect((await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(site.url)}`)).body.code).toBe('rest_no_route');
    expect(readFileSync(join(site.dir, 'posts/tide.html'), 'utf8')).toBe(tide);
  });
});

describe('invalid search metadata', () => {
  it.each([
    ['a text in place of a map', 'seo: yes please'],
    ['a list as a title', 'seo: { title: [1] }'],
    ['a word in place of true', 'seo: { noindex: maybe }'],
    ['an unknown type of page', 'seo: { page_type: Boat }'],
    ['a score beyond the scale', 'seo: { score: 101 }'],
    ['a term that is a map', 'seo: { primary: { category: {} } }'],
  ])('is reported: %s', async (_, line) => {
    const site = await startSite({ files: { ...files, 'posts/tide.html': tide.replace('author: ada', line) } });
    expect(site.site.problems().map(({ path }) => path)).toEqual(['posts/tide.html']);
    expect((await site.ask('GET', '/cms/v2/posts')).status).toBe(200);
    await site.close();
  });
});
