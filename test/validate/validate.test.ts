/** Findings as `line:column severity rule` per file, on small folders given as texts. */
import { describe, expect, it } from 'vitest';
import { slips, nearest } from '../../src/kernel/model/spelling.ts';
import { repair, validate } from '../../src/validate/validate.ts';
import { basic, extended } from '../../src/deployments.ts';
import { declare } from '../../src/validate/declarations.ts';
import { startSite } from '../support/site.ts';
import { clock, contentOf, type Files, findEach, findings, front, post, type Row, sound } from './findings.ts';

const model = declare({ modules: basic });

const rows: readonly Row[] = [
  { name: 'a sound site', files: {}, says: [] },
  {
    name: 'a date that is none',
    files: { [post]: front('id: 1', 'date: next week') },
    says: ['3:7 error field:date'],
    hint: /2026-03-05T10:00:00/,
  },
  {
    name: 'every value that does not fit',
    files: { [post]: front('id: 1', 'status: published', 'sticky: yes', 'comments: open') },
    says: ['3:9 error field:status', '4:9 error field:sticky'],
  },
  {
    name: 'a date to come on a published post',
    files: { [post]: front('id: 1', 'date: 2027-01-01') },
    says: ['3:7 warning future-date'],
  },
  { name: 'the same, scheduled', files: { [post]: front('id: 1', 'date: 2027-01-01', 'status: future') }, says: [] },
  {
    name: 'modified before its date',
    files: { [post]: front('id: 1', 'date: 2026-03-05', 'modified: 2026-03-01') },
    says: ['4:11 warning modified-before-date'],
  },
  { name: 'no id', files: { [post]: front('title: Hello') }, says: ['1:1 note missing-id'] },
  { name: 'no front matter at all', files: { [post]: 'Text\n' }, says: ['1:1 note missing-id'] },
  { name: 'an id that is none', files: { [post]: front('id: 0') }, says: ['2:5 error invalid-id'] },
  { name: 'an id beyond the range', files: { [post]: front('id: 2147483648') }, says: ['2:5 error invalid-id'], hint: /--fix/ },
  { name: 'the last id', files: { [post]: front('id: 2147483647') }, says: [] },
  { name: 'an id twice', files: { [post]: front('title: Hello', 'id: 2') }, says: ['3:5 error duplicate-id'] },
  { name: 'an id shared with media', files: { [post]: front('id: 4') }, says: ['2:5 error duplicate-id'] },
  { name: 'one number in two spaces', files: { 'users/ben.yaml': 'id: 3\nname: Ben\n' }, says: [] },
  {
    name: 'a slug twice',
    files: { 'posts/hello.html': front('id: 9') },
    says: ['posts/hello.html 1:1 error duplicate-slug'],
    hint: /rename/,
  },
  { name: 'a slug twice, one a draft', files: { 'posts/hello.html': front('id: 9', 'status: draft') }, says: [] },
  { name: 'a slug twice below different parents', files: { 'pages/team.md': front('id: 9') }, says: [] },
  {
    name: 'a slug twice below one parent',
    files: { 'pages/about/crew.md': front('id: 9', 'slug: team') },
    says: ['pages/about/team.md 1:1 error duplicate-slug'],
  },
  {
    name: 'a slug that is none',
    files: { [post]: front('id: 1', 'slug: Grüße & so') },
    says: ['3:7 error slug-form', 'menus/main.yaml 11:11 error unknown-reference'],
    hint: 'write gruse-so',
  },
  {
    name: 'a misspelt category',
    files: { [post]: front('id: 1', 'categories:', '  - local', '  - newz') },
    says: ['5:5 warning unknown-name'],
    hint: 'did you mean news?',
  },
  {
    name: 'a tag without a file',
    files: { [post]: front('id: 1', 'tags: [fog]') },
    says: ['3:8 note new-name'],
    hint: /created when the site is served; add terms\/tag\/fog\.yaml/,
  },
  {
    name: 'a category by a number nothing has',
    files: { [post]: front('id: 1', 'categories:', '  - 77') },
    says: ['4:5 error unknown-reference'],
  },
  {
    name: 'a category by the number of a tag',
    files: { [post]: front('id: 1', 'categories: 3') },
    says: ['3:13 error unknown-reference'],
  },
  {
    name: 'a misspelt author',
    files: { [post]: front('id: 1', 'author: ana') },
    says: ['3:9 warning unknown-name'],
    hint: 'did you mean anna?',
  },
  {
    name: 'media that is not there',
    files: { [post]: front('id: 1', 'featured_media: 2026/03/cta.jpg') },
    says: ['3:17 error unknown-reference'],
    hint: 'did you mean 2026/03/cat.jpg?',
  },
  {
    name: 'a term below an unknown one',
    files: { 'terms/category/local.yaml': 'id: 2\nparent: newss\n' },
    says: ['terms/category/local.yaml 2:9 warning unknown-name'],
    hint: 'did you mean news?',
  },
  {
    name: 'terms in a circle',
    files: { 'terms/category/news.yaml': 'id: 1\nparent: local\n' },
    says: ['terms/category/local.yaml 3:9 error parent-loop', 'terms/category/news.yaml 2:9 error parent-loop'],
  },
  {
    name: 'terms in a circle by a former slug',
    files: {
      'terms/category/news.yaml': 'id: 1\nparent: nearby\n',
      'terms/category/local.yaml': 'id: 2\nparent: 1\naliases: [nearby]\n',
    },
    says: [
      'terms/category/local.yaml 2:9 error parent-loop',
      'terms/category/news.yaml 2:9 error parent-loop',
      'terms/category/news.yaml 2:9 note former-slug',
    ],
  },
  {
    name: 'terms without a hierarchy, whose parents nobody reads',
    files: { 'terms/tag/walks.yaml': 'id: 3\naliases: [strolls]\nparent: walks\n' },
    says: [],
  },
  {
    name: 'a page below a folder without a page',
    files: { 'pages/abuot/crew.md': front('id: 9') },
    says: ['pages/abuot/crew.md 1:1 warning unknown-parent'],
    hint: 'did you mean pages/about?',
  },
  {
    name: 'a misspelt key',
    files: { [post]: front('id: 1', 'catagories:', '  - news') },
    says: ['3:1 warning unknown-key'],
    hint: 'did you mean categories?',
  },
  { name: 'a key near one that is there as well', files: { [post]: front('id: 1', 'tag: x', 'tags: [walks]') }, says: [] },
  {
    name: 'a key of the account in a profile',
    files: { 'users/anna.yaml': 'id: 1\nemail: a@example.com\n' },
    says: ['users/anna.yaml 2:1 warning private-key'],
  },
  {
    name: 'a sidecar without its file',
    files: { 'media/2026/03/dog.jpg.yaml': 'id: 9\n' },
    says: ['media/2026/03/dog.jpg.yaml 1:1 error no-original'],
  },
  {
    name: 'sizes that a client brought and that are not there',
    files: {
      'media/cats/dog.png.yaml':
        'id: 9\nclient_sizes:\n  files:\n    - {file: small.png, width: 1, height: 1, filesize: 9, mime: image/png}\n',
      [post]: `${front('id: 1')}<img src="/uploads/cats/small.png">\n`,
    },
    says: ['media/cats/dog.png.yaml 1:1 error no-original', 'media/cats/dog.png.yaml 3:3 error missing-upload'],
  },
  {
    name: 'a folder that is misspelt',
    files: { 'post/x.md': front('id: 9') },
    says: ['post/x.md 1:1 warning not-content'],
    hint: 'did you mean posts/?',
  },
  {
    name: 'a taxonomy that is misspelt',
    files: { 'terms/tags/x.yaml': 'id: 9\n' },
    says: ['terms/tags/x.yaml 1:1 warning not-content'],
    hint: 'did you mean terms/tag/?',
  },
  { name: 'files of other people', files: { 'README.md': 'Hello\n', 'notes/x.md': 'x' }, says: [] },
  {
    name: 'a setting that does not fit',
    files: { 'site.yaml': 'timezone: Europe/Berln\nwriting: markdwon\nposts_per_page: ten\nmenu_locations:\n  primary: x\n' },
    says: [
      'site.yaml 1:11 error field:timezone',
      'site.yaml 2:10 error field:writing',
      'site.yaml 3:17 error field:posts_per_page',
    ],
    hint: 'did you mean Europe/Berlin?',
  },
  {
    name: 'settings that lead nowhere',
    files: { 'site.yaml': 'front_page: abuot\ndefault_category: 99\nmenu_locations: {primary: x}\n' },
    says: ['site.yaml 1:13 error unknown-reference', 'site.yaml 2:19 error unknown-reference'],
    hint: 'did you mean about?',
  },
  {
    name: 'a misspelt setting',
    files: { 'site.yaml': 'tiemzone: UTC\nmenu_locations: {primary: x}\n' },
    says: ['site.yaml 1:1 warning unknown-key'],
    hint: 'did you mean timezone?',
  },
  {
    name: 'a menu that points nowhere',
    files: {
      'menus/main.yaml':
        'id: 4\nlocations:\n  - primry\nitems:\n  - page: about\n    items:\n      - page: about/taem\n  - pgae: about\n  - title: Nothing\n',
    },
    says: [
      'menus/main.yaml 5:3 note missing-id',
      'menus/main.yaml 3:5 warning unknown-location',
      'menus/main.yaml 7:15 error unknown-reference',
      'menus/main.yaml 8:5 error menu-item',
      'menus/main.yaml 9:5 error menu-item',
    ],
    hint: 'did you mean primary?',
  },
];

describe('validate', () => {
  findEach(rows);

  it('accepts authors with an account and no profile', async () => {
    const files = { ...sound, [post]: front('id: 1', 'author: admin') };
    expect(await findings(files, { people: [{ id: 7, slug: 'admin' }] })).toEqual([]);
    expect(await findings(files)).toHaveLength(1);
  });

  it('shows the line', async () => {
    const [found] = await findings({ ...sound, [post]: front('id: 1', 'author: ana # who else') });
    expect(found?.source).toBe('author: ana # who else');
  });
});

describe('repair', () => {
  it('gives ids to files without one or with a duplicate, above every id given before', () => {
    const files: Files = {
      ...sound,
      [post]: front('title: Hello'),
      'posts/a.md': front('id: 9'),
      'posts/b.md': front('id: 9'),
      'users/ben.yaml': 'name: Ben\n',
    };
    const people = [{ id: 5, slug: 'admin' }];
    const { steps } = repair(contentOf(files), model, { clock, sequences: { posts: 30 }, people });
    expect(steps.flat().map(({ path, data }) => [path, data])).toEqual([
      [post, { id: 31 }],
      ['posts/b.md', { id: 32 }],
      ['users/ben.yaml', { id: 6 }],
    ]);
  });

  it('changes nothing in a valid site', () => {
    expect(repair(contentOf(sound), model, { clock })).toEqual({ steps: [], repairs: [] });
  });
});

describe('nearest', () => {
  const words = ['categories', 'tags', 'news', 'status'];
  const spelt: readonly [string, string | undefined][] = [
    ['catagories', 'categories'],
    ['Tags', 'tags'],
    ['tgas', 'tags'],
    ['newz', 'news'],
    ['nice', undefined],
    ['statsu', 'status'],
    ['ab', undefined],
    ['', undefined],
  ];
  it.each(spelt)('%s', (word, expected) => {
    expect(nearest(word, words)).toBe(expected);
  });

  it('counts a transposition once', () => {
    expect(slips('taem', 'team')).toBe(1);
    expect(slips('', 'abc')).toBe(3);
  });
});

it('validate uses the fields of all modules', () => {
  const row = { pattern: 'logs/*.yaml', kind: 'log', type: '', space: 'logs', fields: null };
  const declared = declare({ modules: [...basic, { name: 'logs', paths: ({ types }) => (types.length > 0 ? [row] : []) }] });
  expect(declared.paths.find('logs/today.yaml')).toBe(row);
  expect(model.paths.find('logs/today.yaml')).toBeUndefined();
  expect(declared.paths.find('users/admin.yaml')?.kind).toBe('user');
});

it.each(['basic', 'extended'])('validate knows each file that a site with %s modules reads', async (deployment) => {
  const at = await startSite({ files: { 'site.yaml': `name: Quay\ndeployment: ${deployment}\n` } });
  const { paths } = declare({ modules: deployment === 'basic' ? basic : extended });
  const said = (rows: typeof paths.rows) => rows.map(({ pattern, kind, space }) => `${pattern} ${kind} ${space}`).sort();
  expect(said(paths.rows)).toEqual(expect.arrayContaining(said(at.site.paths.rows)));
  expect(paths.find('lang/jobs/7.yaml')?.space).toBe(deployment === 'basic' ? undefined : 'translationAttempts');
  await at.close();
});

it('validate checks translation jobs, and ignores other files next to them', () => {
  const content = contentOf({
    ...sound,
    'lang/status/7.yaml': 'id: 7\nstatus: much\n',
    'lang/status/8.yaml': 'id: 7\n',
    'lang/strings/theme.yaml': 'strings: []\n',
    'lang/engines.yaml': 'engines: []\n',
  });
  const found = validate(content, declare({ modules: extended }), { clock });
  expect(found.filter(({ path }) => path.startsWith('lang/')).map(({ path, rule }) => `${path} ${rule}`)).toEqual([
    'lang/status/8.yaml duplicate-id',
  ]);
});

it('a module cannot bring a rule that is already there', () => {
  const check = { rule: 'field', severity: 'warning' as const, *run() {} };
  expect(() => declare({ modules: [...basic, { name: 'mine', checks: [check] }] })).toThrow('a rule "field" is there already');
});
