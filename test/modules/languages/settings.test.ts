import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../../src/modules/languages/index.ts';
import { languageFaults, readLanguageSettings } from '../../../src/modules/languages/settings.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const fr = { locale: 'fr_FR', name: 'French', native_name: 'Français' };

describe('lang: in site.yaml', () => {
  it.each([
    ['nothing is English and German', {}, ['en', 'de'], 'en'],
    ['the order of the file is the order of display', { languages: { de: {}, en: {} } }, ['de', 'en'], 'de'],
    ['a default that is listed', { default: 'de', languages: { en: {}, de: {} } }, ['en', 'de'], 'de'],
    ['a default that nobody lists', { default: 'xx', languages: { en: {}, de: {} } }, ['en', 'de'], 'en'],
    ['codes that cannot be', { languages: { all: {}, E: {}, 'zh-hant': {}, 'zh-hant1': {}, fr } }, ['zh-hant', 'fr'], 'zh-hant'],
    ['no map', { languages: ['en'] }, ['en', 'de'], 'en'],
  ])('%s', (_name, stored, codes, standard) => {
    const read = readLanguageSettings(stored);
    expect(read.list.map(({ code }) => code)).toEqual(codes);
    expect(read.default).toBe(standard);
  });

  it('accepts names, and knows those of English and German', () => {
    expect(readLanguageSettings({ languages: { fr, de: {}, he: {}, az: { locale: 'az_Arab' } } }).list).toEqual([
      { code: 'fr', locale: 'fr_FR', name: 'French', nativeName: 'Français', dir: 'ltr' },
      { code: 'de', locale: 'de_DE', name: 'German', nativeName: 'Deutsch', dir: 'ltr' },
      { code: 'he', locale: 'he', name: 'he', nativeName: 'he', dir: 'rtl' },
      { code: 'az', locale: 'az_Arab', name: 'az', nativeName: 'az', dir: 'rtl' },
    ]);
  });

  it('synchronizes fields unless the file excludes them', () => {
    const { sync } = readLanguageSettings({ sync: { parent: false, date: true, sticky: 'no' } });
    expect(sync).toEqual(
      new Set(['menu_order', 'template', 'comment_status', 'ping_status', 'format', 'featured_media', 'date', 'password']),
    );
  });

  it.each([
    [{ languages: { all: {} } }, ['languages', 'all']],
    [{ languages: { en: { locale: 'English' } } }, ['languages', 'en', 'locale']],
    [{ languages: { en: { dir: 'up' } } }, ['languages', 'en', 'dir']],
    [{ default: 'fr', languages: { en: {} } }, ['default']],
    [{ defalut: 'en' }, ['defalut']],
  ])('reports an error in %j', (stored, keys) => {
    expect(languageFaults(stored)).toMatchObject([{ keys }]);
  });
});

describe('languages of a site', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ modules: [languages] });
  });
  afterAll(() => site.close());

  it('default to English and German until the file sets others', async () => {
    expect(site.site.languages.codes).toEqual(['en', 'de']);
    expect(site.site.languages.of('de')?.locale).toBe('de_DE');
    await site.write(
      'site.yaml',
      `${await site.read('site.yaml')}lang:\n  default: fr\n  languages:\n    fr: {locale: fr_FR}\n    en: {}\n`,
    );
    await expect.poll(() => site.site.languages.default).toBe('fr');
    expect(site.site.languages.codes).toEqual(['fr', 'en']);
    expect(site.site.languages.of('de')).toBeUndefined();
  });
});
