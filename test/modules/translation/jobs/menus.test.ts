/** Menus as jobs: their labels, the menu of the other language, and what a person makes of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';
import { answered, ordered } from './site.ts';

const main = (more = ''): string => `id: 40
name: Main
items:
  - id: 51
    title: Home & away
    url: /
  - id: 52
    page: about
    items:
      - id: 53
        title: Mail <b>us</b>
        attr_title: By mail
        url: mailto:a@example.org
${more}  - id: 55
    title: Nur hier
    url: /nur
    lang: de
`;

let at: TestSite;
beforeAll(async () => {
  at = await startSite({
    files: {
      'site.yaml': 'name: Harbour\ntimezone: UTC\ndeployment: extended\nmenu_locations: { top: Top }\n',
      'pages/about.md': '---\nid: 10\ntitle: About\ndate: 2026-03-05T10:00:00\nauthor: admin\n---\nText\n',
      'menus/main.yaml': main().replace('items:', 'locations: [top]\nitems:'),
    },
  });
});
afterAll(() => at.close());

const jobs = () => at.site.translationJobs;
const german = (text: string) => text.replace(/[A-Za-z]+/g, (word) => `${word}de`);
interface Link {
  readonly title: string;
  readonly child_items?: readonly Link[];
}
const titles = (links: readonly Link[]): readonly unknown[] =>
  links.map(({ title, child_items: inner }) => (inner ? [title, titles(inner)] : title));
async function shown(language: string): Promise<readonly unknown[]> {
  const { body } = await at.ask('GET', `/menus/v1/menus/main?lang_language=${language}`);
  return titles((body as { items: readonly Link[] }).items);
}
async function translate(): Promise<number> {
  const id = await ordered(at.site, 40, 'nav_menu');
  return (await jobs().applyResult(id, answered(at.site, id, { change: german }), null)).item;
}

it('a menu has a unit per label, and becomes the menu of the language', async () => {
  const id = await ordered(at.site, 40, 'nav_menu');
  expect(
    jobs()
      .job(id)
      ?.parts.map((part) => part.id),
  ).toEqual(['name', 'items/51/title', 'items/53/title', 'items/53/attr_title']);
  expect(jobs().statusOf('tax_nav_menu', 40, 'de')?.status).toBe(1);
  const { item } = await jobs().applyResult(id, answered(at.site, id, { change: german }), null);
  expect(at.site.translations.idIn('terms', 40, 'de')).toBe(item);
  const file = await at.read('menus/main.de.yaml');
  expect(file).toContain('translates: 53');
  expect(file).not.toContain('locations');
  expect(await shown('de')).toEqual(['Homede & awayde', ['About', ['Mailde <b>usde</b>']], 'Nur hier']);
  expect(await shown('en')).toEqual(['Home & away', ['About', ['Mail <b>us</b>']]]);
  // The same document again writes nothing.
  await jobs().applyResult(id, answered(at.site, id, { change: german }), null);
  expect(await at.read('menus/main.de.yaml')).toBe(file);
});

it('a menu is outdated when its items change, and hand edits of the translation are kept', async () => {
  const text = await at.read('menus/main.de.yaml');
  const own = '  - title: Nur deutsch\n    url: /eigen\n';
  await at.write('menus/main.de.yaml', text.replace('items:\n', `items:\n${own}`));
  await expect.poll(() => shown('de')).toHaveLength(4);
  await at.write('menus/main.yaml', main('  - id: 54\n    title: Last\n    url: /last\n').replace('Home & away', 'Start'));
  await expect.poll(() => jobs().statusOf('tax_nav_menu', 40, 'de')?.needsUpdate).toBe(true);
  await translate();
  expect(await shown('de')).toEqual(['Nur deutsch', 'Startde', ['About', ['Mailde <b>usde</b>']], 'Lastde', 'Nur hier']);
  await at.write(
    'menus/main.yaml',
    main()
      .replace(/ {2}- id: 52[\s\S]*?items:\n/, '')
      .replace(/^ {6}/gm, '  ')
      .replace(/^ {4} {2}/gm, '    '),
  );
  await expect.poll(() => jobs().statusOf('tax_nav_menu', 40, 'de')?.needsUpdate).toBe(true);
  await translate();
  expect(await shown('de')).toEqual(['Nur deutsch', 'Homede & awayde', 'Mailde <b>usde</b>', 'Nur hier']);
});

it('a menu is not overwritten if its labels were edited after the order', async () => {
  const id = await ordered(at.site, 40, 'nav_menu');
  const file = await at.read('menus/main.de.yaml');
  await at.write('menus/main.de.yaml', file.replace('Homede', 'Heim'));
  await expect.poll(async () => (await shown('de'))[1]).toContain('Heim');
  await expect(jobs().applyResult(id, answered(at.site, id, { change: german }), null)).rejects.toMatchObject({
    code: 'lang_translation_edited',
  });
});
