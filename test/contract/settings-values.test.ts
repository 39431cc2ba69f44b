/** Every setting of `site.yaml` with values that are none: at the start, while the site is served, and over the settings resource. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basicSettings } from '../../src/deployments.ts';
import { findings, sound } from '../validate/findings.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

const post = '---\nid: 9\ntitle: Tide\nslug: tide\ndate: 2026-01-02T03:04:05\nauthor: admin\n---\nText\n';

/** Values that are none, as YAML. */
const addresses = [
  'http://𝒳.example',
  'http://xn--.example\\u0000',
  'http://a.example\\r\\nX-Evil: 1',
  'http://a.ex\\tample',
  'http://a b.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://a.example',
  'file:///etc/passwd',
  '//a.example',
  'a.example',
  'http://',
  'http://[::1',
  'http://a.example:99999',
  'http://anna:secret@a.example',
  'https://a.example/?x=1',
  'https://a.example/#x',
  'https://a.example/\\">x',
  'http://。example',
  '\\ud800',
].map((text) => `"${text}"`);
const shapes = ['[a, b]', '{a: b}'];
const noTexts = [...shapes, '"a\\u0000b"'];
const noLines = [...noTexts, '"a\\nb"', `"${'x'.repeat(3000)}"`];
const noNumbers = [...shapes, 'many', '1.5', '1e400', '-99999999', 'true'];
const noChoices = ['constructor', '__proto__', 'toString', '[]', '{a: b}', '7'];

const wrong: Readonly<Record<string, readonly string[]>> = {
  images: ['[a, b]', '7', 'text'],
  menus: ['[a, b]', '7', 'text'],
  name: noTexts,
  description: noTexts,
  url: [...addresses, ...shapes],
  home: [...addresses, ...shapes],
  timezone: ['Mars/Base', '"../../etc/passwd"', '"Europe/Berlin\\u0000"', '7', ...shapes],
  date_format: noLines,
  time_format: noLines,
  start_of_week: [...noNumbers, '7', '-1'],
  language: ['"en\\r\\nX: y"', '"<b>"', 'english', '"../de"', ...shapes],
  logo: ['-1', 'true', `"${'x'.repeat(1001)}"`, ...shapes],
  icon: ['-1', 'true', ...shapes],
  deployment: noChoices,
  smilies: ['maybe', '1', ...shapes],
  default_category: ['-1', 'true', ...shapes],
  default_format: ['"a b"', '"<b>"', ...shapes],
  writing: noChoices,
  typography: ['maybe', '1', ...shapes],
  revisions: [...noNumbers, '-2'],
  posts_per_page: [...noNumbers, '-2', '1000000000'],
  front: noLines,
  front_page: ['-1', 'true', ...shapes],
  posts_page: ['-1', 'true', ...shapes],
  permalink: [
    '"{slug}"',
    '//a.example/{slug}',
    '/{slug}/{slug}/',
    '/{colour}/{slug}',
    '/{constructor}/{slug}',
    '"/{slug}\\r\\nX-Evil: 1"',
    '"/{slug}/\\u0000"',
    '/../{slug}',
    '/{year}/',
    '"/{slug}?x"',
    '"/<b>{slug}"',
    '/%zz/{slug}',
    `/${'{slug}'.repeat(50)}`,
    ...shapes,
  ],
  menu_locations: ['[a]', 'text'],
  tag_values: ['7', 'numbers'],
  templates: ['[a]', 'text'],
  theme: ['[a]', 'text'],
  preview_lifetime: [...noNumbers, '1', '99999999999'],
  pings: noChoices,
  comments: noChoices,
  moderation: noChoices,
  anonymous_comments: ['maybe', '1', ...shapes],
  comment_max_links: [...noNumbers, '-1'],
  moderation_keys: shapes,
  disallowed_keys: shapes,
  moderation_notify: ['maybe', '1', ...shapes],
  comments_notify: ['maybe', '1', ...shapes],
  image_sizes: ['[a]', 'text'],
  expose: ['maybe', '1', ...shapes],
  fields: ['text', '7'],
  git: noChoices,
  wiki_links: ['maybe', '1', ...shapes],
  markdown_pages: ['maybe', '1', ...shapes],
  image_format: noChoices,
  image_quality: [...noNumbers, '101'],
  strip_location: ['maybe', '1', ...shapes],
};

/** Values that are something else than the default. */
const right: Readonly<Record<string, readonly [yaml: string, value: unknown]>> = {
  url: ['https://quay.example/site/', 'https://quay.example/site'],
  home: ['https://bücher.example', 'https://xn--bcher-kva.example'],
  timezone: ['Asia/Tokyo', 'Asia/Tokyo'],
  date_format: ['Y-m-d', 'Y-m-d'],
  language: ['de-AT', 'de-AT'],
  permalink: ['/über/{year}/{slug}/', '/%c3%bcber/{year}/{slug}/'],
  posts_per_page: ['4', 4],
  start_of_week: ['0', 0],
  preview_lifetime: ['600', 600],
};

const pages = [
  '/cms-json/',
  '/cms-json/cms/v2/posts',
  '/cms-json/cms/v2/posts/9?context=edit',
  '/cms-json/cms/v2/settings',
  '/',
  '/?p=9',
  '/tide/',
];

async function answers(site: TestSite): Promise<(readonly [string, number])[]> {
  const all = await Promise.all(
    pages.map(async (page) => {
      const { status, headers } = await site.ask('GET', page, { raw: true, as: 'admin' });
      expect(headers.get('x-evil')).toBeNull();
      return [page, status] as const;
    }),
  );
  return all.filter(([, status]) => status >= 500);
}

it('every setting has a row', () => {
  const rows = basicSettings.filter((row) => !row.private).map(({ key }) => key);
  expect(Object.keys(wrong).sort()).toEqual(rows.sort());
});

describe('an invalid value', () => {
  let site: TestSite;
  let own = '';
  beforeAll(async () => {
    const all = Object.entries(wrong).map(([key, values]) => `${key}: ${values[0]}`);
    site = await startSite({ files: { 'posts/2026/01/tide.md': post, 'site.yaml': `${all.join('\n')}\n` } });
    own = site.site.url;
  });
  afterAll(() => site.close());

  it('in every row at once still lets the site start, with the defaults', async () => {
    expect(own).toBe(site.url);
    for (const row of basicSettings) expect([row.key, site.site.settings.value(row.key)]).toEqual([row.key, row.default]);
    expect(await answers(site)).toEqual([]);
    const told = site.site.problems().filter(({ path }) => path === 'site.yaml');
    expect(new Set(told.map(({ keys }) => keys?.[0]))).toEqual(new Set(Object.keys(wrong)));
    expect(told.every(({ severity, message }) => severity === 'error' && message.includes('stays in service'))).toBe(true);
  });

  it.each(Object.entries(wrong))('%s: the last valid value stays in use', async (key, values) => {
    const [yaml, value] = right[key] ?? ['', basicSettings.find((row) => row.key === key)?.default];
    const put = async (text: string): Promise<void> => {
      // In one turn: a file that stays empty for long counts as it is.
      writeFileSync(join(site.dir, 'site.yaml'), `colour: red\n${text === '' ? '' : `${key}: ${text}`}\n`);
      await site.site.ingest(await site.site.store.reread(['site.yaml']));
    };
    await put(yaml);
    expect(site.site.settings.value(key)).toEqual(value);
    for (const bad of values) {
      await put(bad);
      expect([bad, site.site.settings.value(key)]).toEqual([bad, value]);
      expect(site.site.problems().some(({ keys }) => keys?.[0] === key)).toBe(true);
    }
    expect(await answers(site)).toEqual([]);
  });

  it.each(Object.entries(wrong))('%s: cms validate reports its line', async (key, values) => {
    for (const bad of values) {
      const found = await findings({
        ...sound,
        'site.yaml': `menu_locations: {primary: x}\n\n${key}: ${bad}\n`.replace(/^menu_locations: .*\n(?=\nmenu)/, '\n'),
      });
      const said = found.filter(
        ({ path, rule }) => path === 'site.yaml' && (rule === `field:${key}` || rule === 'unknown-reference'),
      );
      expect([bad, said.map(({ line, column, severity }) => `${line}:${column} ${severity}`)]).toEqual([
        bad,
        [`3:${key.length + 3} error`],
      ]);
    }
  });
});

describe('an invalid entry of a map', () => {
  const maps: Readonly<Record<string, { readonly fine: string; readonly bad: readonly string[] }>> = {
    image_sizes: {
      fine: 'hero: {width: 500}',
      bad: [
        '"a b": {width: 5}',
        'x: {width: 30000}',
        'x: {width: -1}',
        'x: {crop: maybe}',
        'x: 7',
        '"../x": {width: 5}',
        'x: {width: 1e9}',
      ],
    },
    menu_locations: { fine: 'hero: Top', bad: ['"a/b": x', 'x: [a]', '"": x', '"a\\r\\nb": x', '"<b>": x'] },
    templates: { fine: 'hero: Top', bad: ['"a b": x', 'x: {a: b}', '"a\\nb": x'] },
    images: {
      fine: 'cache: 64',
      bad: ['signed: maybe', 'allow: [0]', 'allow: ["12x"]', 'allow: 640'],
    },
    theme: {
      fine: 'name: Top',
      bad: [
        'url: javascript:alert(1)',
        'author_url: "http://𝒳.example"',
        'screenshot: "data:text/html,x"',
        'tags: x',
        'supports: x',
        'stylesheet: "../x"',
        'stylesheet: __proto__/x',
        'block_theme: perhaps',
      ],
    },
  };
  it.each(Object.entries(maps))('%s: is dropped, the others stay', async (key, { fine, bad }) => {
    const site = await startSite();
    try {
      for (const one of bad) {
        await site.write('site.yaml', `${key}:\n  ${fine}\n  ${one}\n`);
        await site.site.ingest(await site.site.store.reread(['site.yaml']));
        expect([one, Object.keys(site.site.settings.value(key) as object)]).toEqual([one, [fine.split(':')[0]]]);
        const found = await findings({ ...sound, 'menus/main.yaml': 'id: 4\n', 'site.yaml': `${key}:\n  ${fine}\n  ${one}\n` });
        expect([one, found.filter(({ rule }) => rule === `field:${key}`).map(({ line }) => line)]).toEqual([one, [3]]);
      }
    } finally {
      await site.close();
    }
  });

  it('counts only up to 32', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => `  s${at}: {width: ${at + 1}}`).join('\n');
    const site = await startSite({ files: { 'site.yaml': `image_sizes:\n${many}\n` } });
    expect(Object.keys(site.site.settings.value('image_sizes') as object)).toHaveLength(32);
    expect(site.site.problems().map(({ message }) => message)).toEqual([
      'image_sizes has more than 32 entries; the first ones count',
    ]);
    await site.close();
  });
});

describe('the settings resource', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files: { 'posts/2026/01/tide.md': post } });
  });
  afterAll(() => site.close());

  const refused: readonly [name: string, value: unknown][] = [
    ...addresses.filter((text) => !text.includes('ud800')).map((text): [string, unknown] => ['url', JSON.parse(text)]),
    ['title', 'a\u0000b'],
    ['description', 'a\u0007b'],
    ['date_format', 'Y\u0000'],
    ['time_format', `${'x'.repeat(3000)}`],
    ['start_of_week', 7],
    ['start_of_week', 1e300],
    ['posts_per_page', 1e300],
    ['default_post_format', '<b>'],
    ['show_on_front', 'a\u0000'],
    ['email', 'a@b\r\nBcc: x@example.org'],
  ];
  it.each(refused)('%s: %j is refused with 400 and changes nothing', async (name, value) => {
    const before = (await site.ask('GET', '/cms/v2/settings', { as: 'admin' })).body;
    const file = await site.read('site.yaml');
    const { status, body } = await site.ask('POST', '/cms/v2/settings', { as: 'admin', body: { [name]: value } });
    expect([status, body.code, Object.keys(body.data.params), Object.keys(body.data.details)]).toEqual([
      400,
      'rest_invalid_param',
      [name],
      [name],
    ]);
    expect((await site.ask('GET', '/cms/v2/settings', { as: 'admin' })).body).toEqual(before);
    expect(await site.read('site.yaml')).toBe(file);
    expect(await answers(site)).toEqual([]);
  });

  it('accepts an international domain and uses it in ASCII', async () => {
    const { status, body } = await site.ask('POST', '/cms/v2/settings', {
      as: 'admin',
      body: { url: 'https://bücher.example/' },
    });
    expect([status, body.url]).toEqual([200, 'https://xn--bcher-kva.example']);
    expect(site.site.url).toBe('https://xn--bcher-kva.example');
    expect(await answers(site)).toEqual([]);
  });

  it('overwrites an invalid value', async () => {
    await site.write('site.yaml', 'name: Quay\nposts_per_page: many\n');
    await until(() => site.site.settings.entry?.data.posts_per_page === 'many');
    expect((await site.ask('POST', '/cms/v2/settings', { as: 'admin', body: { posts_per_page: 10 } })).status).toBe(200);
    expect(await site.read('site.yaml')).toBe('name: Quay\nposts_per_page: 10\n');
  });
});
