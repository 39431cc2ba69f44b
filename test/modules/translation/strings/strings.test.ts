/** Strings over the interface: who may, what is imported and generated, and what answers of a language show. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mo } from 'gettext-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printMessages } from '../../../../src/modules/translation/strings/gettext.ts';
import { openSite } from '../../../../src/open-site.ts';
import { dedent } from '../../../support/dedent.ts';
import { type ApiRow, describeApi } from '../../../support/describe-api.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const base = '/lang/st/v1';
const bodies: Readonly<Record<string, object>> = {
  import_mo_strings: { plugins: [], themes: [], other: [] },
  pre_generate_mo_files: {},
  settings: { group: 'g', key: 'k', data: { a: 1 } },
};
const users = ['editor', 'author', 'subscriber'];
const siteYaml = 'name: Tom & Jerry\ndescription: A quiet place\ndeployment: extended\nmenu_locations: {main: Header}\n';

const refusals = [undefined, ...users].flatMap((who) =>
  Object.entries(bodies).map(
    ([name, body]): ApiRow => ({
      name: `${name} is not for ${who ?? 'visitors'}`,
      ...(who === undefined ? {} : { who }),
      does: `POST ${base}/${name}`,
      body,
      gets: [who === undefined ? 401 : 403, 'rest_forbidden'],
    }),
  ),
);
const set = (name: string, body: object, gets: ApiRow['gets'], writes: readonly string[] = []): ApiRow => ({
  name,
  who: 'admin',
  does: `POST ${base}/settings`,
  body,
  gets,
  writes,
});

describeApi('strings', { files: { 'site.yaml': siteYaml }, users }, [
  ...refusals,
  {
    name: 'may be an empty import',
    who: 'admin',
    does: `POST ${base}/import_mo_strings`,
    body: {},
    gets: [200, { total: 0, remaining: 0 }],
  },
  {
    name: 'need component names as strings',
    who: 'admin',
    does: `POST ${base}/import_mo_strings`,
    body: { plugins: [{ a: 1 }] },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'need a list of components',
    who: 'admin',
    does: `POST ${base}/import_mo_strings`,
    body: { themes: { a: 1 } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'report invalid parameters before missing rights',
    does: `POST ${base}/import_mo_strings`,
    body: { other: { a: 1 } },
    gets: [400, 'rest_invalid_param'],
  },
  {
    name: 'generate nothing from nothing',
    who: 'admin',
    does: `POST ${base}/pre_generate_mo_files`,
    body: {},
    gets: [200, { remaining: 0 }],
  },
  {
    name: 'require all parts of a setting',
    who: 'admin',
    does: `POST ${base}/settings`,
    body: { group: 'g' },
    gets: [400, 'rest_missing_callback_param'],
  },
  {
    name: 'require data for a setting',
    who: 'admin',
    does: `POST ${base}/settings`,
    body: { group: 'g', key: 'k', data: null },
    gets: [400, 'rest_missing_callback_param'],
  },
  set('a setting is kept in the file of its group', { group: 'mo-scan', key: 'done', data: { at: [1, 'x'] } }, 200, [
    'lang/strings/settings/mo-scan.yaml',
  ]),
  set('the same again writes nothing', { group: 'mo-scan', key: 'done', data: { at: [1, 'x'] } }, 200),
  set('another key joins it', { group: 'mo-scan', key: 'more', data: false }, 200, ['lang/strings/settings/mo-scan.yaml']),
  ...['../x', 'a/b', '', '__proto__', 'constructor', 'prototype', 'x'.repeat(65)].flatMap((name) => [
    set(`no group is called ${name.slice(0, 12)}`, { group: name, key: 'k', data: 1 }, [400, 'rest_invalid_param']),
    set(`no key is called ${name.slice(0, 12)}`, { group: 'g', key: name, data: 1 }, [400, 'rest_invalid_param']),
  ]),
  set('a setting has a size', { group: 'g', key: 'k', data: 'x'.repeat(64 * 1024) }, [413, 'lang_too_large']),
]);

const german = dedent`
  strings:
    - name: name
      original: Tom & Jerry
      translation: Katz & Maus
    - name: description
      original: A quiet place
      translation: Ein stiller Ort
`;
const parsed = (bytes: Buffer) => mo.parse(bytes) || expect.fail('not a .mo file');
const messages = (...pairs: readonly (readonly [string, string])[]): Buffer =>
  printMessages(
    'mo',
    'de_DE',
    pairs.map(([original, value]) => ({ context: '', original, plural: '', values: [value], isFuzzy: false })),
  );

describe('strings of a site', () => {
  let on: TestSite;
  beforeAll(async () => {
    on = await startSite({
      files: {
        'site.yaml': siteYaml,
        'lang/strings/site.de.yaml': german,
        'lang/strings/labels.de.yaml':
          'strings:\n- {name: taxonomy category, original: Categories, translation: Rubriken}\n- {name: type page, original: Pages, translation: Seiten, fuzzy: true}\n',
        'lang/strings/menus.de.yaml':
          'strings:\n- {name: location main, original: Header, translation: Kopf}\n- {original: Footer menu, translation: Fuß}\n',
        'lang/strings/shop.yaml': 'strings:\n- {name: buy, value: Buy now}\n- {value: Basket, context: noun}\n',
        'menus/foot.yaml': 'name: Footer menu\nitems:\n- {label: Start, url: /}\n',
      },
    });
  });
  afterAll(() => on.close());
  const read = async (path: string, root = '/de/cms-json') => (await on.ask('GET', path, { root, as: 'admin' })).body;
  const post = (name: string, body: object = {}) => on.ask('POST', `${base}/${name}`, { as: 'admin', body });
  const put = async (path: string, bytes: string | Buffer) => {
    await mkdir(dirname(join(on.dir, path)), { recursive: true });
    await writeFile(join(on.dir, path), bytes);
  };

  it('are in the index of their language, and nowhere else', async () => {
    expect(await read('/?_fields=name,description')).toMatchObject({ name: 'Katz &amp; Maus', description: 'Ein stiller Ort' });
    for (const root of ['/en/cms-json', '/cms-json'])
      expect(await read('/?_fields=name,description', root)).toMatchObject({
        name: 'Tom &amp; Jerry',
        description: 'A quiet place',
      });
    expect(await read('/cms/v2/settings')).toMatchObject({ title: 'Tom &amp; Jerry' });
  });

  it('are used as labels of taxonomies and locations; unfinished ones are not', async () => {
    expect((await read('/cms/v2/taxonomies')).category).toMatchObject({ name: 'Rubriken', slug: 'category' });
    expect(await read('/cms/v2/taxonomies/category?context=edit')).toMatchObject({
      name: 'Rubriken',
      labels: { name: 'Rubriken' },
    });
    expect((await read('/cms/v2/taxonomies/category'))._links).toBeDefined();
    expect(await read('/cms/v2/types/page')).toMatchObject({ name: 'Pages' });
    expect(await read('/cms/v2/menu-locations/main')).toMatchObject({ description: 'Kopf' });
    expect(await read('/menus/v1/menus/foot')).toMatchObject({ name: 'Fuß', slug: 'foot' });
    expect(await read('/menus/v1/menus/foot', '/en/cms-json')).toMatchObject({ name: 'Footer menu' });
  });

  it('are found with the items of the site, each with its own id', () => {
    const all = [...on.site.translationStrings.all().values()];
    expect(
      all
        .filter(({ domain }) => domain === 'shop')
        .map(({ name, value, context }) => [name, value, context])
        .sort(),
    ).toEqual([
      ['Basket', 'Basket', 'noun'],
      ['buy', 'Buy now', ''],
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const tagline = all.find(({ domain, name }) => domain === 'site' && name === 'description');
    expect(tagline && on.site.translationStrings.statusOf(tagline, 'de')).toBe(10);
  });

  it('need an update when their original changes, and are shown meanwhile', async () => {
    await on.ask('POST', '/cms/v2/settings', { as: 'admin', body: { description: 'A loud place' } });
    expect(await read('/?_fields=description')).toMatchObject({ description: 'A loud place' });
    const tagline = [...on.site.translationStrings.all().values()].find(({ name }) => name === 'description');
    expect(tagline && on.site.translationStrings.statusOf(tagline, 'de')).toBe(3);
  });

  it('are translated by people in files, effective at once, and by modules in separate rows', async () => {
    await on.write('lang/strings/site.de.yaml', `# ours\n${german.replace('A quiet place', 'A loud place')}`);
    await until(async () => (await read('/?_fields=description')).description === 'Ein stiller Ort');
    const row = {
      name: 'description',
      context: '',
      original: 'A loud place',
      values: ['Ein lauter Ort'],
      isFuzzy: false,
      translator: 0,
      date: '',
    };
    await on.site.translationStrings.save('site', 'de', [row]);
    expect(await read('/?_fields=name,description')).toMatchObject({ name: 'Katz &amp; Maus', description: 'Ein lauter Ort' });
    expect(await on.read('lang/strings/site.de.yaml')).toMatch(/^# ours\n.*Katz & Maus.*Ein lauter Ort/s);
    await expect(on.site.translationStrings.save('site', 'fr', [row])).rejects.toMatchObject({ code: 'lang_unknown' });
  });

  it('of programs never replace those of people', async () => {
    await put('lang/languages/plugin/Shop/shop-de_DE.mo', messages(['Buy now', 'Kaufen'], ['Basket', 'Korb']));
    await put(
      'lang/languages/theme/sea/site-de_DE.po',
      'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "A loud place"\nmsgstr "Laut"\n',
    );
    await put('lang/languages/other/core/default-fr_FR.mo', messages(['x', 'y']));
    await put('lang/languages/other/core/default-de_DE.mo', 'not one');
    expect((await post('import_mo_strings', { plugins: ['Shop'], themes: [], other: [] })).body).toMatchObject({
      total: 1,
      remaining: 0,
    });
    expect(on.site.translationStrings.translate({ domain: 'shop', name: 'buy', value: 'Buy now' }, 'de')).toBe('Kaufen');
    expect((await post('import_mo_strings')).body).toMatchObject({
      total: 2,
      remaining: 0,
      scan_message: '2 files imported, 0 files left.',
    });
    expect((await post('import_mo_strings')).body).toMatchObject({ total: 0, remaining: 0 });
    expect(
      on.site
        .problems()
        .filter(({ rule }) => rule === 'language-file')
        .map(({ path }) => path),
    ).toEqual(['lang/languages/other/core/default-de_DE.mo']);
    expect(await read('/?_fields=description')).toMatchObject({ description: 'Ein lauter Ort' });
    await put('lang/languages/plugin/Shop/shop-de_DE.mo', messages(['Buy now', 'Jetzt kaufen']));
    expect((await post('import_mo_strings')).body).toMatchObject({ total: 1, remaining: 0 });
    expect(on.site.translationStrings.translate({ domain: 'shop', name: 'buy', value: 'Buy now' }, 'de')).toBe('Jetzt kaufen');
  });

  it('are the same after a restart', async () => {
    const again = await openSite(on.dir, { readOnly: true });
    expect(again.translationStrings.translate({ domain: 'shop', name: 'buy', value: 'Buy now' }, 'de')).toBe('Jetzt kaufen');
    expect(again.translationStrings.translate({ domain: 'site', name: 'description', value: 'A loud place' }, 'de')).toBe(
      'Ein lauter Ort',
    );
    await again.close();
  });

  it('are generated where people changed them, and removed otherwise', async () => {
    await on.write(
      'lang/strings/shop.de.yaml',
      'strings:\n- {name: buy, original: Buy now, translation: Her damit}\n- {name: Basket, context: noun, original: Basket, translation: Korb}\n',
    );
    await until(() => on.site.translationStrings.translations('shop', 'de').size === 2);
    await post('settings', { group: 'strings', key: 'json_domains', data: ['shop'] });
    expect((await post('pre_generate_mo_files')).body).toEqual({ remaining: 0 });
    const made = parsed(Buffer.from((await on.site.store.readBytes('lang/generated/shop-de_DE.mo')) ?? []));
    expect(made.translations['']?.['Buy now']?.msgstr).toEqual(['Her damit']);
    expect(made.translations.noun?.Basket?.msgstr).toEqual(['Korb']);
    expect(made.headers).toMatchObject({
      'Content-Type': 'text/plain; charset=utf-8',
      Language: 'de_DE',
      'Plural-Forms': 'nplurals=2; plural=(n != 1);',
    });
    expect(JSON.parse(await on.read('lang/generated/shop-de_DE.json')).locale_data.messages).toMatchObject({
      'Buy now': ['Her damit'],
      'noun\u0004Basket': ['Korb'],
    });
    await on.write('lang/strings/shop.de.yaml', 'strings:\n- {name: buy, original: Buy now, translation: Jetzt kaufen}\n');
    await until(() => on.site.translationStrings.translations('shop', 'de').size === 1);
    expect((await post('pre_generate_mo_files')).body).toEqual({ remaining: 0 });
    expect(await on.site.store.readBytes('lang/generated/shop-de_DE.mo')).toBeNull();
  });

  it('are imported and generated in batches', async () => {
    for (let at = 0; at < 3; at++) await put(`lang/languages/other/parts/part${at}-de_DE.mo`, messages(['a', `${at}`]));
    const some = { plugin: [], theme: [], other: ['parts'] };
    expect(await on.site.languageFiles.import(some, { ms: 10_000, messages: 1 })).toEqual({ total: 3, remaining: 2 });
    expect(await on.site.languageFiles.import(some, { ms: 10_000, messages: 1 })).toEqual({ total: 2, remaining: 1 });
    expect(await on.site.languageFiles.import(some, { ms: 0, messages: 100 })).toEqual({ total: 1, remaining: 0 });
    const texts = Array.from(
      { length: 25 },
      (_, at) => [`lang/strings/d${at}.de.yaml`, 'strings:\n- {original: A, translation: B}\n'] as const,
    );
    for (const [path, text] of texts) await on.write(path, text);
    await until(() => on.site.translationStrings.translations('d24', 'de').size === 1);
    const left: number[] = [];
    do left.push((await post('pre_generate_mo_files')).body.remaining);
    while (left.at(-1) !== 0 && left.length < 9);
    expect(left).toEqual([1, 0]);
    expect(await on.site.store.readBytes('lang/generated/d24-de_DE.mo')).not.toBeNull();
  });
});

it('configured settings are strings', async () => {
  const config =
    '<lang-config><admin-texts><key name="banner"><key name="t*"/></key><key name="motto"/></admin-texts></lang-config>';
  const on = await startSite({
    files: {
      'site.yaml': `${siteYaml}translation_config: '${config}'\nmotto: Onward\nbanner: {text: Sale, link: /x, title: Now}\n`,
    },
  });
  const found = [...on.site.translationStrings.all().values()].filter(({ domain }) => domain.startsWith('admin_texts_'));
  expect(found.map(({ domain, name, value }) => [domain, name, value]).sort()).toEqual([
    ['admin_texts_banner', '[text]', 'Sale'],
    ['admin_texts_banner', '[title]', 'Now'],
    ['admin_texts_motto', 'motto', 'Onward'],
  ]);
  await on.close();
});

it('texts of options pages are translated for visitors, and original for their editors', async () => {
  const config = '<lang-config><admin-texts><key name="options"/></admin-texts></lang-config>';
  const groups = `
fields:
  - key: group_o
    title: Site data
    location: [[{ param: options_page, operator: "==", value: options }]]
    fields:
      - { key: f_o, name: phone, type: text, public: true }
      - { key: f_n, name: name, type: text, public: true }
`;
  const on = await startSite({
    files: {
      'site.yaml': `${siteYaml}translation_config: '${config}'${groups}`,
      'options/options.yaml': 'fields: {phone: Call us, name: Harbour}\n',
      'lang/strings/admin_texts_options.de.yaml': "strings:\n- {name: '[phone]', original: Call us, translation: Ruf an}\n",
    },
  });
  const read = async (root: string, as?: string) =>
    (await on.ask('GET', '/fields/v3/options/options', { root, ...(as ? { as } : {}) })).body.fields;
  expect(await read('/de/cms-json')).toEqual({ phone: 'Ruf an', name: 'Harbour' });
  expect(await read('/en/cms-json')).toEqual({ phone: 'Call us', name: 'Harbour' });
  expect(await read('/de/cms-json', 'admin')).toEqual({ phone: 'Call us', name: 'Harbour' });
  expect((await on.ask('GET', '/fields/v3/options/options/phone', { root: '/de/cms-json' })).body).toEqual({ phone: 'Ruf an' });
  await on.close();
});
