/** Titles of alerts are in the language of the text, and follow the settings. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../support/site.ts';

let site: TestSite;
const text = '\n---\n> [!WARNING]\n> Wet paint.\n';
const yaml = 'name: S\ntimezone: UTC\nlanguage: de_DE\n';
beforeAll(async () => {
  site = await startSite({ files: { 'site.yaml': yaml, 'posts/a.md': `---\nid: 7\ntitle: A\ndate: 2024-01-02${text}` } });
});
afterAll(() => site.close());

const titleOf = async (id: number): Promise<string | undefined> => {
  const { body } = await site.ask('GET', `/cms/v2/posts/${id}`);
  expect(body.excerpt.rendered).toBe('<p>Wet paint.</p>\n');
  return /alert-title">([^<]*)</.exec(body.content.rendered)?.[1];
};

it('is that of the site, or of the text where it has one', async () => {
  expect(await titleOf(7)).toBe('Warnung');
  await site.write('site.yaml', yaml.replace('de_DE', 'nl_NL'));
  await expect.poll(() => titleOf(7), { timeout: 20_000 }).toBe('Waarschuwing');
  const extended = await startSite({
    files: {
      'site.yaml': `${yaml}deployment: extended\nlang:\n  languages:\n    en: {}\n    fr: { locale: fr_CA }\n`,
      'posts/a.md': `---\nid: 7\ntitle: A\ndate: 2024-01-02${text}`,
      'posts/b.md': `---\nid: 8\ntitle: B\nlang: fr\ndate: 2024-01-02${text}`,
    },
  });
  try {
    const titles = await Promise.all([7, 8].map(async (id) => (await extended.ask('GET', `/cms/v2/posts/${id}`)).body));
    expect(titles.map(({ content }) => /alert-title">([^<]*)</.exec(content.rendered)?.[1])).toEqual([
      'Warning',
      'Avertissement',
    ]);
  } finally {
    await extended.close();
  }
});
