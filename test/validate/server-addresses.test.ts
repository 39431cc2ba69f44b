/** `cms validate` and the server say one address of an item: the same function makes it of a file and of a record. */
import { afterEach, expect, it } from 'vitest';
import { logicalPath } from '../../src/kernel/model/logical-path.ts';
import { postAt } from '../../src/modules/content/permalinks/index.ts';
import { createRedirects } from '../../src/modules/content/permalinks/redirects.ts';
import { prettyLink } from '../../src/modules/content/permalinks/record.ts';
import { createAddresses } from '../../src/validate/addresses.ts';
import { declare } from '../../src/validate/declarations.ts';
import { readParsedFiles } from '../../src/validate/parsed-file.ts';
import { startSite, type TestSite } from '../support/site.ts';

let site: TestSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const file = (id: number, ...lines: string[]): string =>
  `---\nid: ${id}\n${lines.map((line) => `${line}\n`).join('')}---\nText\n`;

const files = {
  'posts/2026/03/hello.md': file(1, 'date: 2026-03-05T23:30:00'),
  'posts/2026-04-01-dated.md': file(2),
  'posts/named.md': file(3, 'slug: other-name', 'date: 2026-05-06'),
  'pages/home.md': file(4),
  'pages/about/index.md': file(5),
  'pages/about/team.md': file(6, 'slug: crew'),
  'walks/north.md': file(7),
  'walks/north/lake.md': file(8),
  'notes/first.md': file(9),
};

async function both(settings: string, more: Readonly<Record<string, string>> = {}) {
  const types =
    'types:\n  walk: {label: Walks, folder: walks, hierarchical: true, public: true}\n  note: {label: Notes, folder: notes, public: true}\n';
  site = await startSite({ files: { 'site.yaml': `url: https://quay.example/news\n${types}${settings}`, ...files, ...more } });
  const open = site.site;
  const entry = open.settings.entry ?? undefined;
  const model = declare({
    ...{ types: [...open.types.values()], taxonomies: [...open.taxonomies.values()], statuses: open.statuses },
    ...{ modules: open.modules.list, meta: open.meta, entry },
  });
  const { parsedFiles } = readParsedFiles(await open.store.load(), model, open.zone);
  const setup = { parsedFiles, model, entry, zone: open.zone, nowGmt: open.now().gmt, redirects: createRedirects() };
  const addresses = createAddresses({ ...setup, spell: () => undefined });
  const posts = [...open.posts.all()].filter(({ type, path }) => type !== 'attachment' && path !== '');
  return { open, addresses, posts, told: posts.map(({ path }) => [path, addresses.at(logicalPath(path))?.address]) };
}

it.each(['/{slug}/', '/{year}/{month}/{day}/{slug}/', '/archive/{id}/', '/{year}/{slug}.html'])(
  'posts at %s, pages and custom items',
  async (pattern) => {
    const { open, posts, told } = await both(`permalink: ${pattern}\nfront: page\nfront_page: home\n`);
    expect(told).toEqual(posts.map((post) => [post.path, prettyLink(open, post)]));
    expect(posts.length).toBe(Object.keys(files).length);
  },
);

it('items in other languages', async () => {
  const { open, posts, told } = await both(
    'deployment: extended\nlang:\n  default: en\n  list:\n    - {code: en, name: English}\n    - {code: de, name: Deutsch}\n',
    { 'pages/about.de.md': file(20), 'pages/about/team.de.md': file(21) },
  );
  expect(told).toEqual(posts.map((post) => [post.path, prettyLink(open, post)]));
  expect(told).toContainEqual(['pages/about/team.de.md', '/de/about/team/']);
});

it('URLs below the home of the site, and next to it', async () => {
  const { open, addresses, posts } = await both('');
  const [post] = posts as [(typeof posts)[0]];
  const link = prettyLink(open, post);
  for (const home of ['https://quay.example/news', 'http://www.quay.example/news']) {
    expect(postAt(open, home + link)?.id).toBe(post.id);
    expect(addresses.own(home + link)).toEqual({ path: link, query: '' });
  }
  // As long as the path of the home, and another.
  const beside = `https://quay.example/mews${link}`;
  expect([postAt(open, beside), addresses.own(beside)]).toEqual([undefined, null]);
});
