/** The words of the default theme: in every language that it knows, in those of a site, and in none it does not. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defaultTemplates } from '../../../../src/modules/website/default-theme/index.ts';
import { readWords } from '../../../../src/modules/website/words/file.ts';
import { ownLanguages, sayIn } from '../../../../src/modules/website/words/say.ts';
import { run } from '../../../cli/run.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

/** Language, locale, direction, and what stands on its page that is not there. */
const rows = [
  ['de', 'de-DE', 'ltr', 'Nicht gefunden', 'Suche: Kai', 'März 2026', '1 Kommentar', '2 Kommentare'],
  ['fr', 'fr-FR', 'ltr', 'Introuvable', 'Recherche : Kai', 'mars 2026', '1 commentaire', '2 commentaires'],
  ['es', 'es-ES', 'ltr', 'No encontrado', 'Búsqueda: Kai', 'marzo 2026', '1 comentario', '2 comentarios'],
  ['it', 'it-IT', 'ltr', 'Non trovato', 'Ricerca: Kai', 'marzo 2026', '1 commento', '2 commenti'],
  ['nl', 'nl-NL', 'ltr', 'Niet gevonden', 'Gezocht: Kai', 'maart 2026', '1 reactie', '2 reacties'],
  ['pt', 'pt-BR', 'ltr', 'Não encontrado', 'Pesquisa: Kai', 'março 2026', '1 comentário', '2 comentários'],
  ['pl', 'pl-PL', 'ltr', 'Nie znaleziono', 'Wyszukiwanie: Kai', 'marzec 2026', '1 komentarz', '2 komentarze'],
  ['ar', 'ar-EG', 'rtl', 'Not found', 'Search: Kai', '2026', '1 comment', '2 comments'],
  ['he', 'he-IL', 'rtl', 'Not found', 'Search: Kai', '2026', '1 comment', '2 comments'],
  ['fa', 'fa-IR', 'rtl', 'Not found', 'Search: Kai', '2026', '1 comment', '2 comments'],
  ['sv', 'sv-SE', 'ltr', 'Not found', 'Search: Kai', 'mars 2026', '1 comment', '2 comments'],
] as const;

const languages = rows.map(
  ([code, tag]) => `    ${code}: {locale: ${tag.replace('-', '_')}, name: ${code}, native_name: ${code}}`,
);
const files: Record<string, string> = {
  'site.yaml': [
    'name: Harbour',
    'deployment: extended',
    'lang:',
    '  default: en',
    '  languages:',
    '    en: {locale: en_US, name: English, native_name: English}',
    ...languages,
    '',
  ].join('\n'),
};
for (const [at, [code]] of rows.entries())
  for (const comments of [1, 2]) {
    const id = 100 + at * 2 + comments;
    files[`posts/${code}-${comments}.md`] =
      `---\nid: ${id}\ntitle: Kai ${comments}\nlang: ${code}\ndate: 2026-03-0${comments}T10:00:00\n---\nText\n`;
    for (let number = 1; number <= comments; number++)
      files[`comments/${id}/${number}.md`] =
        `---\nid: ${id * 10 + number}\nname: Ben\ndate: 2026-03-10T10:0${number}:00\n---\nWords\n`;
  }

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files });
});
afterAll(() => site.close());

const page = async (path: string): Promise<string> => (await site.ask('GET', path, { raw: true })).body;

describe('texts of the default theme', () => {
  it.each(rows)('exist in %s', async (code, tag, dir, missing, search, month, one, two) => {
    const none = await page(`/${code}/nothing/`);
    expect(none).toContain(`<html lang="${tag}" dir="${dir}">`);
    expect(none).toContain(`<h1>${missing}</h1>`);
    const found = await page(`/${code}/?s=Kai`);
    expect(found).toContain(`<h1>${search}</h1>`);
    expect(found).toContain(`>${one}<`);
    expect(found).toContain(`>${two}<`);
    expect(await page(`/${code}/2026/03/`)).toMatch(new RegExp(`<h1>[^<]*${month}</h1>`));
  });

  it("are in the site's language if available", async () => {
    const one = await startSite({ files: { 'site.yaml': 'name: Hafen\nlanguage: de_AT\n' } });
    onTestFinished(() => one.close());
    const { body } = await one.ask('GET', '/nothing/', { raw: true });
    expect(body).toContain('<html lang="de-AT" dir="ltr">');
    expect(body).toContain('<title>Nicht gefunden – Hafen</title>');
  });

  it('are complete in each language, with the same placeholders', () => {
    const used = [...defaultTemplates.values()].flatMap((text) =>
      [...text.matchAll(/\{\{-? '([^']+)' \| t\b/g)].map(([, key]) => key),
    );
    expect(used.length).toBeGreaterThan(30);
    const keys = Object.keys(ownLanguages.get('de') ?? {});
    expect(used.filter((key) => !keys.includes(key as string))).toEqual([]);
    for (const [language, words] of ownLanguages) {
      if (language === 'en') continue;
      expect([language, Object.keys(words)]).toEqual([language, keys]);
      for (const [english, word] of Object.entries(words))
        for (const text of typeof word === 'string' ? [word] : Object.values(word))
          expect([language, english, placesIn(text)]).toEqual([language, english, placesIn(english)]);
    }
  });

  it('have every plural form', () => {
    const counted = (tag: string) => [0, 1, 2, 5, 22].map((count) => sayIn(tag)('{count} comments', { count }));
    expect(counted('pl')).toEqual(['0 komentarzy', '1 komentarz', '2 komentarze', '5 komentarzy', '22 komentarze']);
    expect(counted('fr-CA')).toEqual(['0 commentaire', '1 commentaire', '2 commentaires', '5 commentaires', '22 commentaires']);
    expect(counted('xx')).toEqual(['0 comments', '1 comment', '2 comments', '5 comments', '22 comments']);
  });

  it('can be numbers, but not lists', () => {
    const { words, faults } = readWords('de:\n  Search: 404\n  Next: [1]\n');
    expect(words.get('de')).toEqual({ Search: '404' });
    expect(faults).toMatchObject([{ message: expect.stringContaining('"Next"') }]);
  });

  it('can be replaced by the site, and keep their last good state', async () => {
    const put = (text: string) => site.write('theme/words.yaml', text);
    await put(
      'de:\n  Not found: Hier <b>nicht</b>\n  "{count} comments": { one: "{count} Wort", other: "{count} Worte" }\nsv:\n  Not found: Hittades inte\n',
    );
    const german = await until(async () => /<h1>Hier.*/.exec(await page('/de/nothing/'))?.[0]);
    expect(german).toBe('<h1>Hier &lt;b&gt;nicht&lt;/b&gt;</h1>');
    expect(await page('/de/?s=Kai')).toContain('>2 Worte<');
    expect(await page('/sv/nothing/')).toContain('<h1>Hittades inte</h1>');
    expect(await page('/fr/nothing/')).toContain('<h1>Introuvable</h1>');
    await put('de:\n  Not found: [\n');
    await until(async () => (await page('/')) !== '' && site.log.some((line) => line.startsWith('theme/words.yaml:')));
    expect(await page('/de/nothing/')).toContain('<h1>Hier &lt;b&gt;nicht');
    await put('de:\n  Search: { one: 1 }\n  Not found: Weg\nnot a language:\n  Search: Find\n');
    await until(async () => (await page('/de/nothing/')).includes('<h1>Weg</h1>'));
    const { out } = await run(['validate', site.dir]);
    expect(out).toMatch(/theme\/words\.yaml:2:3 error de: "Search" is neither a text nor one for each of/);
    expect(out).toMatch(/theme\/words\.yaml:4:1 error "not a language" is not a language, such as de or pt-BR/);
  });

  it('are available to custom templates', async () => {
    await site.write('theme/words.yaml', 'de:\n  Hello {name}: Hallo {name}\n');
    await writeFile(
      join(site.dir, 'theme/404.liquid'),
      "{% assign who = 'Kai' %}<p>{{ 'Hello {name}' | t: name: who }}, {% render 'part' %}</p>",
    );
    await writeFile(join(site.dir, 'theme/part.liquid'), "{{ 'Search' | t }}, {{ site.name }}");
    await until(async () => (await page('/de/nothing/')).includes('<p>Hallo Kai, Suchen, Harbour</p>'));
    expect(await page('/nothing/')).toContain('<p>Hello Kai, Search, Harbour</p>');
  });
});

function placesIn(text: string): string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort();
}
