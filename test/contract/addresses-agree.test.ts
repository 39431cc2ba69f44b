/** What is at an address of the site: the server and `cms validate` say the same, whatever the pattern of addresses is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddresses, type FolderAddresses } from '../../src/validate/addresses.ts';
import { declare } from '../../src/validate/declarations.ts';
import { readParsedFiles } from '../../src/validate/parsed-file.ts';
import { createRedirects } from '../../src/modules/content/permalinks/redirects.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import { startSite, type TestSite } from '../support/site.ts';

const file = (id: number, ...lines: string[]): string =>
  `---\nid: ${id}\n${lines.map((line) => `${line}\n`).join('')}---\nText\n`;

const types = `types:
  walk: {label: Walks, folder: walks, hierarchical: true, public: true, has_archive: true}
  note: {label: Notes, folder: notes, public: true, has_archive: logs}
  memo: {label: Memos, folder: memos, public: true}
  secret: {label: Secrets, folder: secrets, public: false}
taxonomies:
  mood: {label: Moods, types: [post], public: true}
  hidden: {label: Hidden, types: [post], public: false}
`;

const files = {
  'posts/2026/03/hello.md': file(
    1,
    'date: 2026-03-05T10:00:00',
    'author: anna',
    'categories: [news]',
    'tags: [unwritten]',
    'mood: [calm]',
    'format: aside',
    'aliases: [good-day, /old/hello/]',
  ),
  'posts/later.md': file(2, 'status: draft', 'date: 2026-03-06'),
  'pages/home.md': file(4),
  'pages/about/index.md': file(5, 'aliases: [/company/us/, us]'),
  'pages/about/team.md': file(6, 'aliases: [crew]'),
  'walks/north.md': file(7),
  'walks/north/lake.md': file(8, 'aliases: [pond]'),
  'notes/first.md': file(9, 'aliases: [zeroth]'),
  'memos/first-memo.md': file(10),
  // Named like what has a list.
  'memos/anna.md': file(15),
  'memos/calm.md': file(16),
  'memos/march.md': file(17, 'slug: "03"'),
  'pages/2026.md': file(18),
  'secrets/plan.md': file(11),
  'media/2026/03/cat.jpg': 'x',
  'media/2026/03/cat.jpg.yaml': 'id: 12\ntitle: A cat\n',
  'media/2026/03/dog.jpg': 'x',
  'media/2026/03/dog.jpg.yaml': 'id: 13\ntitle: A dog\npost: posts/2026/03/hello\n',
  'media/2026/03/eel.jpg': 'x',
  'media/2026/03/eel.jpg.yaml': 'id: 14\ntitle: An eel\npost: 2\n',
  'terms/category/news.yaml': 'id: 31\nname: News\naliases: [tidings]\n',
  'terms/category/local.yaml': 'id: 32\nname: Local\nparent: news\n',
  'terms/mood/calm.yaml': 'id: 33\nname: Calm\n',
  'terms/hidden/x.yaml': 'id: 34\nname: X\n',
  'users/anna.yaml': 'id: 41\nname: Anna\naliases: [ann]\n',
  'redirects.yaml': '/start/: /about/\n/gone-page/: {status: 410}\n',
};

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const there = words(`
  / /?s=x /hello/ /hello /hello/?x=1 /home/ /about/ /ABOUT/ /%61bout/ /about/team/ /walk/ /walk/north/ /walk/north/lake/
  /logs/ /note/first/ /memo/first-memo/ /cat/ /hello/dog/ /2026/ /2026/03/ /2026/03/05/ /author/anna/ /category/news/
  /category/news/local/ /tag/unwritten/ /mood/calm/ /type/aside/
`);
/** Those that are no former addresses, which nobody needs to correct. */
const ledOn = words(`
  /?p=1 /about/?p=1 /nowhere/?p=1 /?page_id=5 /?attachment_id=12 /author/ann/ /category/tidings/ /category/local/ /category/x/news/
  /start/ /start/?x=1 /2026/3/ /2026/3/5/
`);
const moved = words(`
  /good-day/ /old/hello/ /us/ /us/team/ /company/us/ /company/us/team/ /about/crew/ /walk/north/pond/ /anything/first/ /note/zeroth/
  /anything/zeroth/ /x/first-memo/ /x/dog/
`);
const nothing = words(`
  /later/ /later/eel/ /team/ /crew/ /company/us/no/ /north/ /north/lake/ /walk/lake/ /first/ /note/ /memo/ /memo/more/first-memo/ /secret/
  /secret/plan/ /plan/ /cat-jpg/ /x/cat/ /dog/ /a/b/dog/ /eel/ /?p=99 /about/?p=99 /?p=2 /?p=11 /?p=x /2026/13/ /2026/03/32/
  /2026/02/30/ /2026/03/05/06/ /author/ /author/nobody/ /author/anna/more/ /author/more/anna/ /category/ /category/nowhere/ /tag/ /hidden/x/
  /type/ /type/standard/ /type/nothing/ /type/aside/more/ /no/ /a/b/c/ /about/no/ /about.html
`);

/** Of the files as they are now, with the ids that the server has written into them. */
async function addressesOf(site: Site): Promise<FolderAddresses> {
  const entry = site.settings.entry ?? undefined;
  const model = declare({
    ...{ types: [...site.types.values()], taxonomies: [...site.taxonomies.values()], statuses: site.statuses },
    ...{ modules: site.modules.list, meta: site.meta, entry },
  });
  const content = await site.store.load();
  const redirects = createRedirects();
  redirects.take(content);
  const { parsedFiles } = readParsedFiles(content, model, site.zone);
  const nowGmt = site.now().gmt;
  return createAddresses({ parsedFiles, model, entry, zone: site.zone, nowGmt, redirects, spell: () => undefined });
}

describe.each([
  ['a slug', ''],
  ['a date and a slug', 'permalink: /{year}/{month}/{slug}/\n'],
  ['a file name', 'permalink: /{year}/{slug}.html\n'],
  ['an id', 'permalink: /archive/{id}/\n'],
  ['a category', 'permalink: /{category}/{slug}/\n'],
  ['an author', 'permalink: /{author}/{slug}/\n'],
  ['a page in front', 'front: page\nfront_page: home\nposts_page: about\n'],
  ['languages', 'deployment: extended\nlang: {default: en, list: [{code: en, name: English}, {code: de, name: Deutsch}]}\n'],
])('addresses with %s', (_, settings) => {
  let site: TestSite;
  let addresses: FolderAddresses;
  beforeAll(async () => {
    site = await startSite({ files: { ...files, 'site.yaml': types + settings } });
    addresses = await addressesOf(site.site);
  });
  afterAll(() => site.close());

  const serverAt = async (path: string): Promise<string> => {
    const { status, headers } = await site.ask('GET', path, { raw: true });
    if (status === 200) return 'there';
    return status === 404 ? 'nothing' : (headers.get('location')?.replace(site.url, '→ ') ?? String(status));
  };
  const filesAt = (path: string): string => {
    const [below = '', query = ''] = path.split('?');
    const found = addresses.find(below, query);
    if (found.kind === 'moved') return `→ ${found.to ?? ''}`;
    return found.kind === 'there' ? 'there' : 'nothing';
  };

  it('exist, redirect or are missing in the API and the static export alike', async () => {
    const links = [...site.site.posts.all()].map(({ id }) => `/?p=${id}`);
    for (const path of [...there, ...ledOn, ...moved, ...nothing, ...links, '/gone-page/']) {
      const [server, said] = [await serverAt(path), filesAt(path)];
      // Where it leads to is not always known of files, and where nothing is wrong nothing is said.
      if (server === 'nothing' || said === 'nothing') expect([path, said]).toEqual([path, server]);
      else if (said !== 'there' && said !== '→ ') expect([path, said]).toEqual([path, server]);
    }
  });

  it.runIf(settings.startsWith('deployment: extended'))('have head tags where there is a page', async () => {
    // Media and formats have none, and capitals make a difference.
    const asked = [...there, ...ledOn, ...moved, ...nothing].filter((path) => !/[?A-Z%]|\/(?:cat|dog|type)\/|\/\d\//.test(path));
    for (const path of asked.flatMap((one) => [one, `/en${one}`])) {
      const target = site.site.heads.targetAt(site.site.url + path);
      const head = target && site.site.heads.isVisible(target, null) ? 'there' : 'not there';
      expect([path, head]).toEqual([path, (await serverAt(path)).replace(/^(?!there).*/s, 'not there')]);
    }
  });

  it.runIf(settings === '')('match the declared expectations', async () => {
    for (const path of there) expect([path, await serverAt(path), filesAt(path)]).toEqual([path, 'there', 'there']);
    for (const path of ledOn)
      expect([path, await serverAt(path), filesAt(path)]).toEqual([path, expect.stringMatching('→ /'), 'there']);
    for (const path of moved) expect([path, filesAt(path)]).toEqual([path, expect.stringMatching('→ /')]);
    for (const path of nothing) expect([path, await serverAt(path), filesAt(path)]).toEqual([path, 'nothing', 'nothing']);
  });
});

it('a page whose URL looks like a date wins over the date archive', async () => {
  const settings = 'deployment: extended\nlang: {default: en, list: [{code: en, name: English}]}\n';
  const site = await startSite({
    files: { 'site.yaml': settings, 'pages/2026.md': file(1, 'title: The year'), 'posts/one.md': file(2, 'date: 2026-03-05') },
  });
  try {
    const { body } = await site.ask('GET', '/cms/v2/pages/1?_fields=link');
    const path = String(body.link).slice(site.url.length);
    expect((await site.ask('GET', path, { raw: true })).body).toContain('The year');
    expect(site.site.heads.targetAt(body.link)).toMatchObject({ kind: 'post', post: { id: 1 } });
    const addresses = await addressesOf(site.site);
    expect([addresses.pageAt(path), addresses.find(path, '')]).toEqual(['pages/2026.md', { kind: 'there' }]);
    // Below it the dates are what they were.
    expect(site.site.heads.targetAt(`${String(body.link)}03/`)).toMatchObject({ kind: 'date', date: '2026-03' });
  } finally {
    await site.close();
  }
});
