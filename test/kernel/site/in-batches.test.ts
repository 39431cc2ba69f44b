import { unprepared } from '../../../src/kernel/extended.ts';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { deleteUser } from '../../../src/modules/people/users/plan.ts';
import { planDelete, reparentChildren } from '../../../src/modules/content/posts/plan.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import { createTerm, deleteTerm, updateTerm } from '../../../src/modules/content/terms/plan.ts';
import type { PostRecord } from '../../../src/modules/content/posts/record.ts';
import type { Taxonomy } from '../../../src/modules/types/record.ts';
import type { TermRecord } from '../../../src/modules/content/terms/record.ts';
import type { FileChange } from '../../../src/kernel/store/types.ts';

const posts = 300;

/** A site of 300 posts by Mira about harbours, every third about boats as well; and the sizes of the commits from now on. */
async function open(): Promise<{ dir: string; site: Site; commits: number[] }> {
  const dir = mkdtempSync(join(tmpdir(), 'cms-parts-'));
  const files = {
    'site.yaml': 'title: T\ntimezone: UTC\n',
    'users/mira.yaml': 'id: 1\nname: Mira\n',
    'users/oda.yaml': 'id: 2\nname: Oda\n',
    'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
    'terms/category/harbours.yaml': 'id: 2\nname: Harbours\n',
    'terms/category/boats.yaml': 'id: 3\nname: Boats\n',
    ...Object.fromEntries(
      Array.from({ length: posts }, (_, at) => [
        `posts/p${at}.md`,
        `---\nid: ${10 + at}\ntitle: P ${at}\ndate: 2026-01-01\nauthor: mira\ncategories: [harbours${at % 3 === 0 ? ', boats' : ''}]\n---\nText\n`,
      ]),
    ),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const site = await openSite(dir);
  onTestFinished(async () => {
    await site.close();
    rmSync(dir, { recursive: true });
  });
  const commits: number[] = [];
  const { commit } = site.store;
  (site.store as { commit: typeof commit }).commit = (changes: readonly FileChange[]) => {
    commits.push(changes.length);
    return commit(changes);
  };
  return { dir, site, commits };
}

it('a term of many posts is deleted in batches, the term itself with the last one', async () => {
  const { dir, site, commits } = await open();
  await deleteTerm(site, site.taxonomies.get('category') as Taxonomy, () => site.terms.get(2) as never);
  expect(commits).toEqual([64, 64, 64, 64, 45]);
  expect(site.terms.get(2)).toBeUndefined();
  const categories = [...site.posts.all()].map(({ id, terms }) => [id, terms.category]);
  expect(categories).toEqual(categories.map(([id]) => [id, (Number(id) - 10) % 3 === 0 ? [3] : [1]]));
  expect(readFileSync(join(dir, 'posts/p0.md'), 'utf8')).toMatch(/^categories: \[\s*boats\s*\]|^categories:\n {2}- boats/m);
});

it('a term takes over the former name of another in batches; files use the current name of the other', async () => {
  const { dir, site, commits } = await open();
  const taxonomy = site.taxonomies.get('category') as Taxonomy;
  await updateTerm(
    site,
    taxonomy,
    () => site.terms.get(2) as TermRecord,
    () => unprepared({ slug: 'ports' }),
  );
  commits.length = 0;
  const id = await createTerm(site, taxonomy, () => unprepared({ name: 'Basins', slug: 'harbours' }));
  // The last part with the two terms.
  expect(commits).toEqual([64, 64, 64, 64, 46]);
  expect(site.terms.get(id)).toMatchObject({ slug: 'harbours', aliases: [] });
  expect(site.terms.get(2)).toMatchObject({ slug: 'ports', aliases: [] });
  expect(readFileSync(join(dir, 'posts/p3.md'), 'utf8')).toMatch(/ports/);
  await site.reload();
  expect([...site.posts.with('categories', 2)]).toHaveLength(posts);
  expect([...site.posts.with('categories', id)]).toEqual([]);

  await updateTerm(
    site,
    taxonomy,
    () => site.terms.get(id) as TermRecord,
    () => unprepared({ slug: 'piers' }),
  );
  await updateTerm(
    site,
    taxonomy,
    () => site.terms.get(3) as TermRecord,
    () => unprepared({ slug: 'ships' }),
  );
  commits.length = 0;
  await updateTerm(
    site,
    taxonomy,
    () => site.terms.get(id) as TermRecord,
    () => unprepared({ slug: 'boats' }),
  );
  expect(commits).toEqual([64, 38]);
  expect([...site.posts.with('categories', 3)]).toHaveLength(posts / 3);
});

it('a file changed since its batch was written is written again with the last one', async () => {
  const { dir, site, commits } = await open();
  const { commit } = site.store;
  let edited = false;
  (site.store as { commit: typeof commit }).commit = async (changes) => {
    const entries = await commit(changes);
    if (commits.length === 3 && !edited) {
      edited = true;
      // An editor that had the file open saves it as it was.
      const file = join(dir, 'posts/p0.md');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^author: .*$/m, 'author: mira'));
      await site.ingest(await site.store.reread(['posts/p0.md']));
    }
    return entries;
  };
  await deleteUser(site, 1, 2);
  expect(edited).toBe(true);
  expect(commits.every((size) => size <= 65)).toBe(true);
  await site.reload();
  expect([...site.posts.with('author', 2)]).toHaveLength(posts);
  expect(site.users.get(1)).toBeUndefined();
});

it('comments of a deleted user are released in batches', async () => {
  const { dir, site, commits } = await open();
  mkdirSync(join(dir, 'comments/10'), { recursive: true });
  for (let at = 0; at < 150; at++)
    writeFileSync(join(dir, `comments/10/${500 + at}.html`), `---\nid: ${500 + at}\nauthor: mira\ndate: 2026-01-01\n---\nYes\n`);
  await site.ingest(await site.store.sweep());
  await deleteUser(site, 1, 2);
  expect(commits).toEqual([64, 64, 64, 64, 64, 64, 67]);
  expect([...site.comments.all()].map(({ author, name }) => [author, name])).toEqual(
    Array.from({ length: 150 }, () => [1, 'Mira']),
  );
});

it('posts of a deleted user are reassigned in batches, the profile is removed last', async () => {
  const { site, commits } = await open();
  await deleteUser(site, 1, 2);
  expect(commits).toEqual([64, 64, 64, 64, 45]);
  expect([...site.posts.with('author', 2)]).toHaveLength(posts);
  expect(site.users.get(1)).toBeUndefined();
});

it('children of a deleted page move up in batches before it, and menus follow', async () => {
  const { dir, site, commits } = await open();
  const page = (id: number, more = ''): string =>
    `---\nid: ${id}\ntitle: Page ${id}\ndate: 2026-01-01\nauthor: mira\n${more}---\nText\n`;
  const put = (path: string, text: string): void => {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  put('pages/docs.md', page(1000));
  for (let at = 1; at <= 150; at++) put(`pages/docs/p${at}.md`, page(1000 + at));
  put('pages/docs/p7/below.md', page(2000));
  put('pages/elsewhere.md', page(2001, 'parent: 1000\n'));
  put(
    'menus/main.yaml',
    'id: 50\nname: Main\nitems:\n  - page: docs\n    id: 3000\n  - page: docs/p7/below\n    id: 3001\n  - page: docs/p150\n    id: 3002\n',
  );
  await site.ingest(await site.store.sweep());
  commits.length = 0;
  await reparentChildren(site, site.posts.get(1000) as PostRecord);
  // What readers see now: the page, with the last of its children below it.
  expect([site.posts.get(1000)?.title, site.posts.with('parent', 1000).size]).toEqual(['Page 1000', 151 - 128]);
  await site.write(() => planDelete(site, site.posts.get(1000) as PostRecord));
  expect(commits.length).toBe(3);
  expect([...site.posts.with('type', 'page')].map((id) => site.posts.get(id)).filter((one) => one?.parent !== 0)).toMatchObject([
    { id: 2000, parent: 1007, path: 'pages/p7/below.md' },
  ]);
  // Its address was below the page that went.
  expect(readFileSync(join(dir, 'pages/elsewhere.md'), 'utf8')).toBe(
    page(2001).replace(/\n---\n/, '\naliases:\n  - /docs/elsewhere/\nguid: /docs/elsewhere/\n---\n'),
  );
  expect(readFileSync(join(dir, 'menus/main.yaml'), 'utf8')).toBe(
    'id: 50\nname: Main\nitems:\n  - page: p7/below\n    id: 3001\n    order: 2\n  - page: p150\n    id: 3002\n',
  );
});
