/** An import into a site that is there takes no name over: what its files mean by one before, they mean after it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import type { SourceItem } from '../../../src/transfer/import/items.ts';
import { filesIn } from '../../cli/run.ts';
import { bring, freshFolder, post, rows, site, term, user } from './rows.ts';

const matter = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\nText\n`;

const present: Readonly<Record<string, string>> = {
  'site.yaml': 'name: Quay\n',
  'terms/category/travel.yaml': 'id: 20\nname: Travel\naliases: [trips, voyages]\n',
  'terms/category/places.yaml': 'id: 21\nname: Places\n',
  'terms/category/quay.yaml': 'id: 22\nname: Harbour\nparent: places\n',
  'terms/tag/fog.yaml': 'name: Fog\n',
  'users/anna.yaml': 'id: 30\nname: Guest Writer\naliases: [old-anna]\n',
  'users/jonas.yaml': 'name: Jonas Kai\n',
  'posts/a.md': matter('id: 101', 'title: A', 'date: 2024-01-01', 'author: Guest Writer', 'categories: [trips]', 'tags: [fog]'),
  'posts/b.md': matter('id: 102', 'title: B', 'date: 2024-01-02', 'author: old-anna', 'categories: [Voyages, harbour-x]'),
  'posts/c.md': matter('id: 103', 'title: C', 'date: 2024-01-03', 'author: Jonas Kai', 'categories: [quay]'),
};

async function folder(files = present): Promise<string> {
  const dir = await freshFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

/** Whom and what the posts of the site name, by the files of these. */
async function meant(dir: string, titles: readonly string[] = ['A', 'B', 'C']): Promise<Record<string, readonly string[]>> {
  const opened = await openSite(dir, { readOnly: true });
  try {
    return Object.fromEntries(
      [...opened.posts.all()]
        .filter(({ title }) => titles.includes(title))
        .map((one) => [
          one.title,
          [
            opened.users.get(one.author)?.path ?? '',
            ...Object.values(one.terms).flatMap((ids) => ids.map((id) => opened.terms.get(id)?.path ?? `#${id}`)),
          ],
        ]),
    );
  } finally {
    await opened.close();
  }
}

const cases: readonly { readonly name: string; readonly items: readonly SourceItem[]; readonly named: readonly string[] }[] = [
  {
    name: 'a category with a former slug',
    items: [term('trips', { id: 3 }), post('new', { title: 'N', terms: { category: ['trips'] } })],
    named: ['', 'terms/category/travel.yaml'],
  },
  {
    name: 'a category of the same name below the same parent',
    items: [
      term('harbour', { name: 'harbour', parent: 'places' }),
      term('places', { name: 'Places' }),
      post('new', { title: 'N', terms: { category: ['harbour'] } }),
    ],
    named: ['', 'terms/category/quay.yaml'],
  },
  {
    name: 'a tag whose file has no id',
    items: [term('fog', { id: 2, taxonomy: 'post_tag' }), post('new', { title: 'N', terms: { post_tag: ['fog'] } })],
    named: ['', 'terms/tag/fog.yaml'],
  },
  {
    name: 'somebody with a shown name',
    items: [user('guest-writer', { id: 2, name: 'Guest Writer' }), post('new', { title: 'N', author: 'guest-writer' })],
    named: ['users/anna.yaml'],
  },
  {
    name: 'somebody with a shown name and another slug',
    items: [user('gw', { id: 2, login: '', name: 'guest writer' }), post('new', { title: 'N', author: 'gw' })],
    named: ['users/anna.yaml'],
  },
  {
    name: 'somebody with a former slug',
    items: [user('old-anna', { id: 2, name: 'Anna' }), post('new', { title: 'N', author: 'old-anna' })],
    named: ['users/anna.yaml'],
  },
  {
    name: 'somebody whose file has no id',
    items: [user('jonas', { id: 2, name: 'J' }), post('new', { title: 'N', author: 'jonas' })],
    named: ['users/jonas.yaml'],
  },
];

describe('an import into an existing site', () => {
  it.each(cases)('recognizes $name', async ({ items, named }) => {
    const dir = await folder();
    const before = await meant(dir);
    await bring(dir, rows([site(), ...items]));
    expect(await meant(dir)).toEqual(before);
    expect((await meant(dir, ['N'])).N?.slice(0, named.length)).toEqual(named);
    const files = await filesIn(dir);
    await bring(dir, rows([site(), ...items]));
    expect(await filesIn(dir)).toEqual(files);
  });

  it('gives new items unused names', async () => {
    const dir = await folder();
    const before = await meant(dir);
    // Both in one source: only one of them is the category that is there.
    const items = [
      term('trips', { id: 4 }),
      term('travel', { id: 3 }),
      post('new', { title: 'N', terms: { category: ['trips', 'travel'] } }),
    ];
    await bring(dir, rows([site(), ...items]));
    expect(await meant(dir)).toEqual(before);
    expect((await meant(dir, ['N'])).N).toEqual(['', 'terms/category/trips-2.yaml', 'terms/category/travel.yaml']);
  });

  it("keeps former slugs if the source's version is requested", async () => {
    const dir = await folder();
    const before = await meant(dir);
    await bring(dir, rows([site(), term('trips', { id: 3, name: 'Trips' })]), { update: true });
    expect(await meant(dir)).toEqual(before);
    expect((await filesIn(dir))['terms/category/travel.yaml']).toMatch(/name: Trips\naliases: \[trips, voyages\]/);
  });

  it('leaves a renamed item its former slug as an alias', async () => {
    const dir = await freshFolder();
    await bring(dir, rows([site(), post('a', { key: 'one', id: 7 })]));
    await bring(dir, rows([site(), post('a2', { key: 'one', id: 7 })]), { update: true });
    expect((await filesIn(dir))['posts/2024/05/a.html']).toMatch(/^slug: a2$[\s\S]*^aliases:\n {2}- a$/m);
  });
});
