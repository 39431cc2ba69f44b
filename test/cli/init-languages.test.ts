/** What a new site of the extended deployment has beside a basic one. */
import { expect, it } from 'vitest';
import { parseYaml } from '../../src/kernel/yaml/parse.ts';
import { filesIn, newSite, run } from './run.ts';

it('a new site has a default category in each of its languages', async () => {
  const [extended, basic] = [await newSite('--deployment', 'extended'), await newSite()];
  const files = await filesIn(extended.dir);
  expect(files['terms/category/allgemein.yaml']).toMatch(/^id: 2\nname: Allgemein\nlang: de\ntranslation_of: uncategorized\n/);
  expect(files['site.yaml']).not.toContain('lang:');
  expect(await filesIn(basic.dir)).not.toHaveProperty('terms/category/allgemein.yaml');
});

it.each<[flags: string[], lang: object, language: string | undefined, categories: string[]]>([
  [
    ['--languages', 'fr,ar,de_AT'],
    {
      default: 'fr',
      languages: {
        fr: { locale: 'fr_FR', name: 'French', native_name: 'Français' },
        ar: { locale: 'ar_EG', name: 'Arabic', native_name: 'العربية' },
        de: { locale: 'de_AT', name: 'German', native_name: 'Deutsch' },
      },
    },
    'fr_FR',
    ['allgemein', 'uncategorized', 'uncategorized-ar'],
  ],
  [
    ['--languages', 'en', '--language', 'en_GB'],
    {
      default: 'en',
      languages: { en: { locale: 'en_US', name: 'English', native_name: 'English' } },
      url: { default_in_directory: false },
    },
    'en_GB',
    ['uncategorized'],
  ],
  [
    ['--language', 'de_CH'],
    {
      default: 'de',
      languages: { de: { locale: 'de_CH', name: 'German', native_name: 'Deutsch' } },
      url: { default_in_directory: false },
    },
    'de_CH',
    ['uncategorized'],
  ],
])('a new site has the named languages: %j', async (flags, lang, language, categories) => {
  const { dir } = await newSite('--deployment', 'extended', ...flags);
  const files = await filesIn(dir);
  expect(parseYaml(files['site.yaml'] as string)).toMatchObject({ lang, ...(language === undefined ? {} : { language }) });
  const named = Object.keys(files).flatMap((path) => /^terms\/category\/(.*)\.yaml$/.exec(path)?.[1] ?? []);
  expect(named.sort()).toEqual(categories);
  expect((await run(['validate', dir])).status).toBe(0);
});

it.each([
  [['--languages', 'en,de'], '--languages requires --deployment extended'],
  [['--deployment', 'extended', '--languages', 'en,en_GB'], 'each once'],
  [['--deployment', 'extended', '--languages', 'english'], 'Use a locale'],
  [['--deployment', 'extended', '--languages', 'all'], 'each once'],
])('a new site rejects the languages %j', async (flags, said) => {
  const { status, err } = await run(['init', '/nowhere/site', ...flags]);
  expect(status).toBe(2);
  expect(err).toContain(said);
});
