/** Which pages of authors search engines are to pass over, by the option and by what its author has published. */
import { afterEach, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';

let site: TestSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const options = { 'nothing is said': '', 'it is on': 'true', 'it is off': 'false' };
const authors = { busy: [false, false, false], idle: [true, true, false], drafting: [true, true, false] };

describe.each(Object.keys(options))('author.noindex_without_posts where %s', (said) => {
  it('hides authors without posts, unless it is off', async () => {
    const value = options[said as keyof typeof options];
    const option = value === '' ? '' : `seo: { author: { noindex_without_posts: ${value} } }\n`;
    const post = (id: number, author: string, rest = ''): string =>
      `---\nid: ${id}\ntitle: P\nauthor: ${author}\n${rest}---\nx\n`;
    site = await startSite({
      files: {
        'site.yaml': `name: Quay\ndeployment: extended\n${option}`,
        ...Object.fromEntries(Object.keys(authors).map((name, at) => [`users/${name}.yaml`, `id: ${20 + at}\nname: ${name}\n`])),
        'posts/a.md': post(40, 'busy'),
        'posts/b.md': post(41, 'drafting', 'status: draft\n'),
      },
    });
    const { users, seo, languages } = site.site;
    for (const [name, hidden] of Object.entries(authors)) {
      const user = [...users.all()].find(({ slug }) => slug === name);
      if (!user) throw new Error(`no ${name}`);
      const { noindex } = seo.robotsOf({ kind: 'user', user, language: languages.default });
      expect([said, name, noindex]).toEqual([said, name, hidden[Object.keys(options).indexOf(said)]]);
    }
  });
});
