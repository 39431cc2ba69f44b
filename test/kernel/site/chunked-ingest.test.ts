/** A large batch is taken in between requests: what is seen in between is the folder with some files new and others old. */

import fc from 'fast-check';
import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { planUpdate } from '../../../src/modules/content/posts/plan.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import type { PostRecord } from '../../../src/modules/content/posts/record.ts';
import { type Folder, temporaryFolder } from '../store/folder.ts';

const topics = ['news', 'sport', 'arts'];
const post = (id: number, topic: string, title = `Post ${id}`) =>
  `---\nid: ${id}\ntitle: ${title}\ndate: 2026-03-01T10:00:00\nauthor: anna\ncategories: [${topic}]\nfeatured_media: pic-${id % 5}.png\n---\nText ${id}\n`;
const page = (id: number, title = `Page ${id}`) => `---\nid: ${id}\ntitle: ${title}\ndate: 2026-03-01T10:00:00\n---\nText\n`;
const postPath = (id: number) => `posts/2026/03/p${id}.md`;

/** Posts 1000…, pages 2000… in families, terms, media; enough for several portions. */
function filled(): Folder {
  const folder = temporaryFolder({
    'site.yaml': 'name: Site\ndefault_category: news\n',
    'users/anna.yaml': 'id: 9\nname: Anna\n',
  });
  for (const [at, topic] of topics.entries()) folder.write(`terms/category/${topic}.yaml`, `id: ${at + 1}\nname: ${topic}\n`);
  for (let at = 0; at < 300; at++) folder.write(postPath(1000 + at), post(1000 + at, topics[at % 3] as string));
  for (let family = 0; family < 10; family++) {
    folder.write(`pages/f${family}.md`, page(2000 + family * 10));
    for (let child = 1; child < 6; child++) folder.write(`pages/f${family}/c${child}.md`, page(2000 + family * 10 + child));
  }
  for (let at = 0; at < 5; at++) {
    folder.write(`media/pic-${at}.png`, 'x');
    folder.write(`media/pic-${at}.png.yaml`, `id: ${3000 + at}\ntitle: Picture ${at}\npost: posts/2026/03/p${1000 + at}\n`);
  }
  return folder;
}

async function open(folder: Folder, readOnly = false): Promise<Site> {
  const site = await openSite(folder.dir, { readOnly });
  onTestFinished(() => site.close());
  return site;
}

function move(folder: Folder, from: string, to: string): void {
  mkdirSync(dirname(folder.at(to)), { recursive: true });
  renameSync(folder.at(from), folder.at(to));
}

/** Every file that names others is in the batch: others are not read again. */
function touchAll(folder: Folder): void {
  for (const top of ['posts', 'pages', 'media'])
    for (const name of readdirSync(folder.at(top), { recursive: true, encoding: 'utf8' }))
      if (/\.(md|yaml)$/.test(name)) appendFileSync(folder.at(`${top}/${name}`), '# More\n');
}

const shown = (site: Site) =>
  [...site.posts.all()]
    .map(({ id, path, title, parent, terms, author, featuredMedia }) => ({
      id,
      path,
      title,
      parent,
      terms,
      author,
      featuredMedia,
    }))
    .sort((a, b) => a.id - b.id);

/** What a checkout may do to the folder. */
const steps: Record<string, (folder: Folder) => void> = {
  'every post has another title and another topic': (folder) => {
    for (let at = 0; at < 300; at++)
      folder.write(postPath(1000 + at), post(1000 + at, topics[(at + 1) % 3] as string, `New ${at}`));
  },
  'posts move to another month': (folder) => {
    for (let at = 0; at < 300; at += 2) move(folder, postPath(1000 + at), postPath(1000 + at).replace('/03/', '/04/'));
  },
  'posts exchange their ids': (folder) => {
    for (let at = 1; at + 2 < 300; at += 4) {
      folder.write(postPath(1000 + at), post(1000 + at + 2, 'news'));
      folder.write(postPath(1000 + at + 2), post(1000 + at, 'sport'));
    }
  },
  'families of pages move, with all their children': (folder) => {
    for (let family = 0; family < 10; family += 2) {
      move(folder, `pages/f${family}.md`, `pages/a${family}.md`);
      move(folder, `pages/f${family}`, `pages/a${family}`);
    }
  },
  'pages go under other pages': (folder) => {
    for (let family = 1; family < 10; family += 4) move(folder, `pages/f${family}/c1.md`, `pages/f${family}/c2/d.md`);
  },
  'a topic has another file and another id': (folder) => {
    rmSync(folder.at('terms/category/news.yaml'));
    folder.write('terms/category/novelties.yaml', 'id: 77\nname: News\nslug: news\n');
  },
  'posts go': (folder) => {
    for (let at = 200; at < 260; at++) rmSync(folder.at(postPath(1000 + at)), { force: true });
  },
  'pictures are renamed': (folder) => {
    for (const end of ['.png', '.png.yaml']) move(folder, `media/pic-4${end}`, `media/sub/pic-9${end}`);
  },
};

it('a changed folder is ingested over several turns, equals a cold start, and never loses an id that stays', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(Object.keys(steps), { minLength: 1 }), async (names) => {
      const folder = filled();
      const site = await open(folder);
      const before = new Set([...site.posts.all()].map(({ id }) => id));
      for (const name of names) steps[name]?.(folder);
      touchAll(folder);
      const after = await open(folder, true);
      const staying = [...after.posts.all()].map(({ id }) => id).filter((id) => before.has(id));
      let isDone = false;
      const missing = new Set<number>();
      let turns = 0;
      const watching = (async () => {
        for (; !isDone; turns++) {
          for (const id of staying) if (!site.posts.get(id)) missing.add(id);
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
      const batch = await site.store.sweep();
      const turnsBefore = turns;
      await site.ingest(batch);
      expect(turns - turnsBefore).toBeGreaterThan(2);
      isDone = true;
      await watching;
      expect([...missing]).toEqual([]);
      expect(shown(site)).toEqual(shown(after));
      await site.close();
      await after.close();
    }),
    { numRuns: 8 },
  );
});

/** Sizes of the changes of memory from now on. */
function sizesOf(site: Site): number[] {
  const sizes: number[] = [];
  const { apply } = site.records;
  (site.records as { apply: typeof apply }).apply = (changes) => {
    sizes.push(changes.length);
    apply(changes);
  };
  return sizes;
}

it('unchanged files that others depend on are ingested in chunks too', async () => {
  const folder = filled();
  for (let at = 0; at < 400; at++) folder.write(`terms/tag/t${at}.yaml`, `id: ${100 + at}\nname: T ${at}\n`);
  const site = await open(folder);
  const sizes = sizesOf(site);
  await site.reload();
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(750);

  // Those that differ come at once: two that exchange their names.
  const edited = sizesOf(site);
  for (let at = 0; at < 400; at++) folder.write(`terms/tag/t${at}.yaml`, `id: ${100 + at}\nname: T ${at}\nslug: s${399 - at}\n`);
  await site.ingest(await site.store.sweep());
  expect(edited).toContain(400);
  expect(site.terms.get(100)?.slug).toBe('s399');
});

it('a large commit is ingested in chunks, between which every remaining id exists', async () => {
  const folder = filled();
  for (let child = 0; child < 300; child++) folder.write(`pages/f0/more/m${child}.md`, page(4000 + child));
  folder.write('pages/f0/more.md', page(3900));
  const site = await open(folder);
  const sizes = sizesOf(site);
  const ids = [2000, 3900, ...Array.from({ length: 300 }, (_, at) => 4000 + at)];
  let isDone = false;
  const missing = new Set<number>();
  const watching = (async () => {
    while (!isDone) {
      for (const id of ids) if (!site.posts.get(id)) missing.add(id);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await site.write((site) => planUpdate(site, null, site.posts.get(2000) as PostRecord, { slug: 'first' }));
  isDone = true;
  await watching;
  expect([...missing]).toEqual([]);
  expect(Math.max(...sizes)).toBeLessThan(200);
  expect(ids.map((id) => site.posts.get(id)?.path.split('/')[1])).toEqual(['first.md', ...ids.slice(1).map(() => 'first')]);
  expect(site.posts.get(4000)?.parent).toBe(3900);
  expect(site.posts.get(3900)?.parent).toBe(2000);
  const again = await open(folder, true);
  expect(shown(site)).toEqual(shown(again));
});
