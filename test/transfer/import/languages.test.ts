/** Languages of exports: those of Polylang, on sites with languages, without, and that get some later; what WPML leaves. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import type { ImportReport } from '../../../src/transfer/import/report.ts';
import { printPhp } from '../../../src/transfer/sources/wxr/php-values.ts';
import { wxrImporter } from '../../../src/transfer/sources/wxr.ts';
import { filesIn } from '../../cli/run.ts';
import { wxrAuthor, wxrCategory, wxrFoot, wxrHead, type WxrItem, wxrItem, wxrTerm } from '../../support/wxr.ts';
import { exportsInto, total } from './exports.ts';
import { bring, freshFolder } from './rows.ts';

const basic = 'name: New\ntimezone: UTC\n';
const languages =
  'deployment: extended\nlang:\n  default: en\n  languages:\n    en: { locale: en_US }\n    de: { locale: de_DE }\n    fr: { locale: fr_FR }\n';
const extended = basic + languages;

const language = (id: number, code: string, locale: string): string =>
  wxrTerm('language', { id, slug: code, name: code, description: printPhp({ locale, rtl: 0, flag_code: code.slice(0, 2) }) });
const group = (kind: 'post' | 'term', id: number, name: string, members: Readonly<Record<string, number>>): string =>
  wxrTerm(`${kind}_translations`, { id, slug: name, description: printPhp(members) });
const said = (code: string, name = ''): NonNullable<WxrItem['terms']> => [
  ['language', code],
  ...(name === '' ? [] : [['post_translations', name] as const]),
];
const codes = language(90, 'en', 'en_US') + language(91, 'de', 'de_DE') + language(92, 'fr', 'fr_FR');
const english = wxrItem({ id: 7, slug: 'hello', terms: [...said('en', 'pll_1'), ['category', 'news', 'News']] });
const german = wxrItem({
  id: 8,
  slug: 'hallo',
  link: 'https://old.example/de/hallo/',
  terms: [...said('de', 'pll_1'), ['category', 'neues', 'Neues']],
});
const french = wxrItem({ id: 9, slug: 'salut', link: 'https://old.example/fr/salut/', terms: said('fr', 'pll_1') });
const terms =
  wxrCategory({ id: 3, slug: 'news', name: 'News' }) +
  wxrCategory({ id: 4, slug: 'neues', name: 'Neues' }) +
  group('term', 93, 'pll_2', { en: 3, de: 4 });
const wxr = (...parts: readonly string[]): string => wxrHead() + wxrAuthor(3, 'anna') + parts.join('') + wxrFoot;

const opened: Site[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function membersOf(dir: string, table: 'posts' | 'terms', id: number): Promise<Record<string, number>> {
  const site = await openSite(dir, { readOnly: true });
  opened.push(site);
  expect(site.problems()).toEqual([]);
  const item = site[table].get(id) as never;
  return Object.fromEntries([...site.translations.group(item)].map(([code, { id: member }]) => [code, member]));
}

const lost = ({ remarks }: ImportReport) => remarks.filter(({ severity }) => severity === 'lost' || severity === 'error');
describe('an export of Polylang', () => {
  it.each([
    ['in its usual order', [codes, terms, group('post', 94, 'pll_1', { en: 7, de: 8, fr: 9 }), english, german, french]],
    ['with the translations first', [codes, terms, french, german, english]],
    ['with its terms at the end', [german, french, english, terms, codes]],
    [
      'with its descriptions as references',
      [codes.replaceAll('"', '&quot;'), terms.replaceAll('"', '&quot;'), english, german, french],
    ],
  ])('%s has the languages and translations of posts and terms', async (_, parts) => {
    const { dir, take, again } = await exportsInto(extended);
    const { path, report } = await take(wxr(...parts));
    expect(lost(report)).toEqual([]);
    expect(report.rules.languages).toBeUndefined();
    expect(await membersOf(dir, 'posts', 9)).toEqual({ en: 7, de: 8, fr: 9 });
    expect(await membersOf(dir, 'terms', 4)).toEqual({ en: 3, de: 4 });
    const files = await filesIn(dir);
    expect(Object.keys(files).filter((name) => /language|translations/.test(name))).toEqual([]);
    expect(files['site.yaml']).not.toContain('taxonomies');
    const second = await again(path);
    expect(total(second, 'new', 'updated', 'kept')).toBe(0);
  });

  it('is matched by locale if the site uses another code', async () => {
    const { dir, take } = await exportsInto(extended);
    const { report } = await take(
      wxr(language(91, 'de-de', 'de_DE'), english, german.replace('nicename="de"', 'nicename="de-de"')),
    );
    expect(report.rules['unknown-language']).toBeUndefined();
    expect(await membersOf(dir, 'posts', 8)).toEqual({ en: 7, de: 8 });
  });

  it('reports a language that the site does not have', async () => {
    const { take } = await exportsInto(extended.replace(/ {4}fr.*\n/, ''));
    const { report } = await take(wxr(codes, english, french));
    expect(report.rules['unknown-language']).toBe(1);
  });

  it.each([
    ['the originals first', [0, 1]],
    ['the translations first', [1, 0]],
  ])('in two files, %s, of which one has the terms, is one group', async (_, order) => {
    const { dir, take, again } = await exportsInto(extended);
    const parts = [wxr(codes, terms, english), wxr(german, french)];
    const [first = 0, second = 0] = order;
    const { path } = await take(parts[first] as string);
    const { report } = await take(parts[second] as string);
    expect(report.again?.length ?? 0).toBe(first === 1 ? 1 : 0);
    expect(await membersOf(dir, 'posts', 9)).toEqual({ en: 7, de: 8, fr: 9 });
    const files = await filesIn(dir);
    expect(Object.values(files).filter((text) => /translation_of: \S*hello/.test(text))).toHaveLength(2);
    const third = await again(path);
    expect(total(third, 'new', 'updated', 'kept')).toBe(0);
  });

  it('keeps its languages on a site without any, reports it, and uses them once the site has them', async () => {
    const { dir, take, again } = await exportsInto(basic);
    const { path, report } = await take(wxr(codes, terms, english, german, french));
    expect(lost(report)).toEqual([]);
    const [remark] = report.remarks.filter(({ rule }) => rule === 'languages');
    expect(remark?.message).toContain('3 languages (en, de, fr)');
    expect(remark?.hint).toContain('fr: { locale: fr_FR, name: "French", native_name: "fr" }');
    expect(remark?.hint).toContain('url: { default_in_directory: false }');
    const second = await again(path);
    expect(total(second, 'new', 'updated', 'kept')).toBe(0);
    await writeFile(join(dir, 'site.yaml'), (await readFile(join(dir, 'site.yaml'), 'utf8')) + languages);
    expect(await membersOf(dir, 'posts', 9)).toEqual({ en: 7, de: 8, fr: 9 });
    expect(await membersOf(dir, 'terms', 4)).toEqual({ en: 3, de: 4 });
  });

  it('of one language needs no report', async () => {
    const { take } = await exportsInto(basic);
    const { report } = await take(wxr(codes, english));
    expect(report.rules.languages).toBeUndefined();
  });
});

describe('a taxonomy named language', () => {
  it('is a custom one, whatever its terms are called', async () => {
    const { dir, take } = await exportsInto(extended);
    const own = wxrTerm('language', { id: 30, slug: 'en', name: 'In English', description: 'Books in English' });
    await take(wxr(own, wxrItem({ id: 7, terms: [['language', 'en', 'In English']] })));
    expect(await readFile(join(dir, 'terms/language/en.yaml'), 'utf8')).toContain('name: In English');
    expect((await filesIn(dir))['posts/2026/03/item-7.html']).toContain('language:\n  - en\n');
  });

  it('keeps a term that is not a language code', async () => {
    const { dir, take } = await exportsInto(extended);
    await take(wxr(wxrItem({ id: 7, terms: [['language', 'english', 'English']] })));
    expect(Object.keys(await filesIn(dir))).toContain('terms/language/english.yaml');
  });
});

describe('an export of WPML', () => {
  it('reports that it has no languages, and where to get them', async () => {
    const dir = await freshFolder();
    const path = join(await mkdtemp(join(tmpdir(), 'cms-languages-')), 'export.xml');
    await writeFile(path, wxr(wxrItem({ id: 7, meta: [['_wpml_media_featured', '1']] })));
    const report = await bring(dir, await wxrImporter.open({ source: path, path, scratch: dir, keepGoing: true }));
    const [remark] = report.remarks.filter(({ rule }) => rule === 'languages');
    expect([remark?.severity, remark?.message]).toEqual(['changed', expect.stringContaining('WPML')]);
    expect(remark?.hint).toContain('https://old.example/de/wp-json/');
  });

  it('has the languages that its export tool wrote', async () => {
    const { dir, take } = await exportsInto(extended);
    const rows = (code: string) =>
      [
        ['_wpml_import_language_code', code],
        ['_wpml_import_translation_group', 'g1'],
      ] as const;
    const { report } = await take(wxr(wxrItem({ id: 7, meta: rows('en') }), wxrItem({ id: 8, meta: rows('de') })));
    expect(report.rules.languages).toBeUndefined();
    expect(await membersOf(dir, 'posts', 8)).toEqual({ en: 7, de: 8 });
  });
});
