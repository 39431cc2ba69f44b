/** Records that were kept are those that reading would give: a start with them ends as one without. */

import fc from 'fast-check';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { type CachedRow, printRecords, readRecords } from '../../../src/kernel/site/record-cache.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import { hash } from '../../../src/kernel/store/bytes.ts';
import { readerVersion } from '../../../src/kernel/store/snapshot.ts';
import { openSeal, stateDirectory } from '../../../src/kernel/store/state.ts';
import type { Entry, Store } from '../../../src/kernel/store/types.ts';
import { type Folder, temporaryFolder } from '../store/folder.ts';

const later = () => Date.now() + 60_000;
const path = (at: number) => (at % 10 === 0 ? `pages/p${at - (at % 50)}/p${at}.md` : `posts/2026/0${1 + (at % 9)}/p${at}.md`);
const post = (at: number, more = '') =>
  `---\nid: ${1000 + at}\ntitle: ${at % 2 ? 'Title –' : 'Plain'} ${at % 5} ${at}\nauthor: anna\n${at % 10 === 0 ? '' : `tags: [t${at % 7}]\n`}${at % 40 === 1 ? 'featured_media: 2026/cat.png\n' : ''}${at % 9 === 0 ? 'status: draft\n' : `date: 2026-03-0${1 + (at % 9)}T10:00:00\n`}${more}---\nText “${at}”\n`;

/** A site of enough files, at a time when each of them says what it wants. */
async function filled(settings = ''): Promise<Folder> {
  const folder = temporaryFolder({
    'site.yaml': `name: Site\ntimezone: Europe/Berlin\n${settings}`,
    'users/anna.yaml': 'id: 2\nname: Anna\n',
  });
  for (let at = 0; at < 520; at++) folder.write(path(at), post(at));
  folder.write('media/2026/cat.png', Buffer.from('x'));
  for (let start = 0; start < 2; start++) await (await openSite(folder.dir, { clock: later })).close();
  return folder;
}

const byId = (records: Iterable<{ readonly id: number }>) =>
  [...records].sort((a, b) => a.id - b.id).map((record) => ({ ...record }));
const memory = (site: Site) => ({ posts: byId(site.posts.all()), terms: byId(site.terms.all()), users: byId(site.users.all()) });

/** What a start sees with what was kept, and without; the folder is only read. */
async function starts(folder: Folder): Promise<{ warm: unknown; cold: unknown }> {
  const open = async () => {
    const site = await openSite(folder.dir, { clock: later, readOnly: true });
    const seen = memory(site);
    await site.close();
    return seen;
  };
  const warm = await open();
  renameSync(folder.at('.cms/cache/snapshot'), folder.at('.cms/away'));
  const cold = await open();
  renameSync(folder.at('.cms/away'), folder.at('.cms/cache/snapshot'));
  return { warm, cold };
}

const edit = (folder: Folder, file: string, from: string | RegExp, to: string) =>
  folder.write(file, folder.read(file).replace(from, to));

describe('a start with a record cache', () => {
  it('uses cached records of unchanged files', async () => {
    const folder = await filled();
    const { warm, cold } = await starts(folder);
    expect(warm).toEqual(cold);
    // What was kept says something else than the file: where it is seen, the file was not read.
    const derived = folder.at('.cms/cache/snapshot/derived');
    const bytes = readFileSync(derived);
    const changed = Buffer.from(bytes.toString('latin1', bytes.indexOf(10) + 1).replace('Plain 2 502', 'Other 2 502'), 'latin1');
    const titles = async (code: string) => {
      writeFileSync(derived, Buffer.concat([Buffer.from(`${readerVersion()} ${code}\n`), changed]));
      const site = await openSite(folder.dir, { clock: later, readOnly: true });
      await site.close();
      return [site.posts.get(1502)?.title, site.posts.get(1004)?.title];
    };
    expect(await titles(openSeal(stateDirectory()).of('derived', hash(changed)))).toEqual(['Other 2 502', 'Plain 4 4']);
    // Others can write a digest, but not a code under the key of this machine.
    expect(await titles(hash(changed))).toEqual(['Plain 2 502', 'Plain 4 4']);
  });

  it.each(['basic', 'extended'])('does not read the text of cached posts (%s)', async (deployment) => {
    const folder = await filled(`deployment: ${deployment}\n`);
    const read = new Set<string>();
    const watched = (entry: Entry): Entry =>
      new Proxy(entry, {
        get(target, key) {
          if (key === 'data' || key === 'body') read.add(target.path);
          const value = Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const wrap = (store: Store): Store => ({
      ...store,
      async load(...given) {
        const batch = await store.load(...given);
        return { ...batch, entries: batch.entries.map(watched) };
      },
    });
    const site = await openSite(folder.dir, { clock: later, readOnly: true, wrap });
    await site.close();
    expect(site.posts.size).toBeGreaterThan(520);
    expect([...read].filter((path) => /^(posts|pages)\//.test(path))).toEqual([]);
    expect(read).toContain('users/anna.yaml');
  });

  it.each<[string, (folder: Folder) => void]>([
    ['a post is edited', (folder) => edit(folder, path(3), 'Title', 'Other')],
    ['a post goes', (folder) => rmSync(folder.at(path(3)))],
    ['two posts have one id', (folder) => folder.write('posts/a.md', post(4))],
    ['a page moves, and its children with it', (folder) => renameSync(folder.at('pages/p50'), folder.at('pages/q50'))],
    ['a page comes above others', (folder) => folder.write('pages/p100/index.md', '---\nid: 9000\n---\n')],
    ['a tag goes', (folder) => rmSync(folder.at('terms/tag/t3.yaml'))],
    ['a tag has another slug', (folder) => folder.write('terms/tag/t3.yaml', `${folder.read('terms/tag/t3.yaml')}slug: three\n`)],
    ['a tag has another id', (folder) => edit(folder, 'terms/tag/t3.yaml', /^id: .*$/m, 'id: 999')],
    ['the author goes', (folder) => rmSync(folder.at('users/anna.yaml'))],
    [
      'a picture goes',
      (folder) => {
        rmSync(folder.at('media/2026/cat.png'));
        rmSync(folder.at('media/2026/cat.png.yaml'), { force: true });
      },
    ],
    ['the zone changes', (folder) => edit(folder, 'site.yaml', 'Europe/Berlin', 'Asia/Tokyo')],
    [
      'the default category changes',
      (folder) => folder.write('site.yaml', 'name: Site\ntimezone: Europe/Berlin\ndefault_category: other\n'),
    ],
    [
      'a type is declared',
      (folder) =>
        folder.write(
          'site.yaml',
          `${folder.read('site.yaml')}taxonomies:\n  genre: { plural: Genres, singular: Genre, types: [post] }\n`,
        ),
    ],
    [
      'what was kept is damaged',
      (folder) => {
        const file = folder.at('.cms/cache/snapshot/derived');
        writeFileSync(file, readFileSync(file).fill(9, 5000, 5010));
      },
    ],
  ])('equals a start without it when %s', async (_, change) => {
    const folder = await filled();
    change(folder);
    const { warm, cold } = await starts(folder);
    expect(warm).toEqual(cold);
  });
});

describe('an open site', () => {
  it.each<[string, (folder: Folder, site: Site) => unknown]>([
    ['a tag goes by hand', (folder) => rmSync(folder.at('terms/tag/t3.yaml'))],
    ['a tag has another slug', (folder) => folder.write('terms/tag/t3.yaml', `${folder.read('terms/tag/t3.yaml')}slug: three\n`)],
    [
      'another tag of the same slug and a lower id comes',
      (folder) => folder.write('terms/tag/a.yaml', 'id: 1\nslug: t3\nname: A\n'),
    ],
    ['a picture comes that posts have named before', (folder) => folder.write('media/2026/cat.png', 'again')],
    [
      'a post is written',
      (_, site) =>
        site.write(() => {
          const now = site.posts.get(1003);
          return {
            changes: [{ path: now?.path as string, expect: now?.etag as string, data: { title: 'B' }, order: [] }],
            result: 0,
          };
        }),
    ],
  ])('caches the current state when %s', async (_, change) => {
    const folder = await filled();
    const site = await openSite(folder.dir, { clock: later });
    await change(folder, site);
    await site.ingest(await site.store.sweep());
    site.store.derived?.expire();
    await site.close();
    const { warm, cold } = await starts(folder);
    expect(warm).toEqual(cold);
  });
});

it('values of every kind round-trip', async () => {
  const record = fc.record({
    text: fc.string({ unit: 'binary' }),
    count: fc.double({ noNaN: true }),
    flag: fc.boolean(),
    list: fc.array(fc.integer()),
    map: fc.dictionary(
      fc.string(),
      fc.json().map((text) => JSON.parse(JSON.stringify(JSON.parse(text))) as unknown),
    ),
    mixed: fc.oneof(fc.constant(null), fc.string(), fc.integer()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 20 }), async (records) => {
      const rows: CachedRow[] = records.map((each, at) => ({ path: `p${at}`, etag: `e${at}`, id: at, record: each }));
      const parts = await printRecords(rows, ['text', 'count', 'flag', 'list', 'map', 'mixed'], 'base');
      const kept = readRecords(Buffer.concat(parts));
      expect(kept?.foundation).toBe('base');
      for (const { path: name, etag, id, record: before } of rows) {
        const draft: Record<string, unknown> = {};
        const row = kept?.row(name, etag) as number;
        kept?.fill(row, draft);
        expect(draft).toEqual(before);
        expect([kept?.id(row), kept?.row(name, 'another state')]).toEqual([id, -1]);
      }
    }),
  );
});

it.each(['', '{}', '\n', '{"version":1,"rows":5,"columns":[],"texts":1e9}\nxx', 'null\n'])(
  'invalid bytes give nothing: %j',
  (text) => {
    expect(readRecords(Buffer.from(text))).toBeNull();
  },
);
