import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../src/deployments.ts';
import { deleteUser } from '../../src/domain/people/users.ts';
import type { Site } from '../../src/domain/site.ts';
import { deleteTerm } from '../../src/domain/terms/terms.ts';
import type { Taxonomy } from '../../src/model/taxonomies.ts';
import type { FileChange } from '../../src/store/types.ts';

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

it('a term of many posts goes in parts, the term itself with the last of them', async () => {
  const { dir, site, commits } = await open();
  await deleteTerm(site, site.taxonomies.get('category') as Taxonomy, () => site.terms.get(2) as never);
  expect(commits).toEqual([128, 128, 45]);
  expect(site.terms.get(2)).toBeUndefined();
  const categories = [...site.posts.all()].map(({ id, terms }) => [id, terms.category]);
  expect(categories).toEqual(categories.map(([id]) => [id, (Number(id) - 10) % 3 === 0 ? [3] : [1]]));
  expect(readFileSync(join(dir, 'posts/p0.md'), 'utf8')).toMatch(/^categories: \[\s*boats\s*\]|^categories:\n {2}- boats/m);
});

it('posts of one who goes are given on in parts, the profile goes last', async () => {
  const { site, commits } = await open();
  await deleteUser(site, 1, 2);
  expect(commits).toEqual([128, 128, 45]);
  expect([...site.posts.with('author', 2)]).toHaveLength(posts);
  expect(site.users.get(1)).toBeUndefined();
});
