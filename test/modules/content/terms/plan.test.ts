import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { planCreate } from '../../../../src/modules/content/posts/plan.ts';
import { scaffoldSite } from '../../../../src/cli/new-site.ts';
import type { Site } from '../../../../src/kernel/site/site.ts';
import { countOf } from '../../../../src/modules/content/terms/view.ts';
import { deleteTerm, planTermCreate, planTermUpdate, type TermInput } from '../../../../src/modules/content/terms/plan.ts';
import type { RestError } from '../../../../src/kernel/errors.ts';
import type { Taxonomy } from '../../../../src/modules/types/record.ts';
import type { TermRecord } from '../../../../src/modules/content/terms/record.ts';

let dir: string;
let site: Site;
const admin = { id: 1, roles: ['administrator'] };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cms-terms-'));
  await scaffoldSite({ dir, title: 'T', timezone: 'UTC', admin: 'admin', email: '', writing: 'auto' });
  site = await openSite(dir);
});
afterEach(async () => {
  await site.close();
  await rm(dir, { recursive: true, force: true });
});

const taxonomy = (name: string): Taxonomy => site.taxonomies.get(name) as Taxonomy;
const term = (id: number): TermRecord => site.terms.get(id) as TermRecord;
const create = (input: TermInput, name = 'category'): Promise<number> =>
  site.write((site) => planTermCreate(site, taxonomy(name), input));
const update = (id: number, input: TermInput): Promise<number> =>
  site.write(() => planTermUpdate(site, taxonomy(term(id).taxonomy), term(id), input));
const remove = (id: number): Promise<void> => deleteTerm(site, taxonomy(term(id).taxonomy), () => term(id));
const post = (title: string, category: readonly number[], status = 'publish'): Promise<number> =>
  site.write((site) => planCreate(site, admin, 'post', { title, status, terms: { category } }));
const file = (path: string): Promise<string> => readFile(join(dir, path), 'utf8');
const reopen = async (): Promise<void> => {
  await site.close();
  site = await openSite(dir);
};
const refusal = async (work: Promise<unknown>): Promise<RestError> =>
  work.then(
    () => expect.unreachable('it was not refused'),
    (error) => error as RestError,
  );

describe('a new term', () => {
  it('is a file named by its slug, without default values', async () => {
    await create({ name: 'Rock & Roll', description: 'All <b>sounds</b><script>x</script>' });
    expect(await file('terms/category/rock-roll.yaml')).toBe('id: 2\nname: Rock & Roll\ndescription: All <b>sounds</b>x\n');
    expect(term(2)).toMatchObject({ name: 'Rock &amp; Roll', slug: 'rock-roll' });
  });

  it('keeps a name that is already markup', async () => {
    const names = ['a &amp;lt; b', 'AT&amp;T', 'a < b', '&eacute;t&eacute;', '"quoted"', 'x & y;'];
    for (const [at, name] of names.entries()) await create({ name, slug: `n${at}` });
    const before = names.map((_, at) => term(2 + at).name);
    expect(before).toEqual(['a &amp;lt; b', 'AT&amp;T', 'a &lt; b', '&eacute;t&eacute;', '"quoted"', 'x &amp; y;']);
    await reopen();
    expect(names.map((_, at) => term(2 + at).name)).toEqual(before);
  });

  it.each<[string, TermInput[], string, string | number]>([
    ['has the slug of its name', [{ name: 'Été indien' }], 'category', 'ete-indien'],
    ['has the slug it asks for', [{ name: 'Music', slug: 'The Music!' }], 'category', 'the-music'],
    ['has its id for a slug when the name gives none', [{ name: '!!!' }], 'category', '2'],
    ['has a number behind a taken slug', [{ name: 'Jazz!' }, { name: 'Jazz' }], 'post_tag', 'jazz-2'],
    [
      'has the slug of its parent behind a taken one',
      [{ name: 'Music' }, { name: 'Jazz' }, { name: 'Jazz', parent: 2 }],
      'category',
      'jazz-music',
    ],
    ['may share a name beside another, given a slug', [{ name: 'Jazz' }, { name: 'Jazz', slug: 'jazz-b' }], 'post_tag', 'jazz-b'],
    [
      'may share a name elsewhere in the tree',
      [{ name: 'A' }, { name: 'Jazz', parent: 2 }, { name: 'Jazz' }],
      'category',
      'jazz-2',
    ],
    ['may differ from another in an accent alone', [{ name: 'Café' }, { name: 'Cafe' }], 'post_tag', 'cafe-2'],
  ])('%s', async (_, inputs, name, slug) => {
    let id = 0;
    for (const input of inputs) id = await create(input, name);
    expect(term(id).slug).toBe(slug);
  });

  it.each<[string, TermInput[], string, string]>([
    ['without a name', [{ name: ' ' }], 'category', 'empty_term_name'],
    ['of the same name beside it', [{ name: 'Jazz' }, { name: 'Jazz' }], 'category', 'term_exists'],
    ['of the same name in other case, flat', [{ name: 'Jazz', slug: 'x' }, { name: 'jazz' }], 'post_tag', 'term_exists'],
    [
      'of the same name as the first of several that sort alike',
      [{ name: 'Cafe' }, { name: 'Café' }, { name: 'CAFE', slug: 'other' }, { name: 'cafe' }],
      'post_tag',
      'term_exists',
    ],
    ['of the same name with a slug that is taken', [{ name: 'Jazz' }, { name: 'Jazz', slug: 'jazz' }], 'category', 'term_exists'],
  ])('is refused %s', async (_, inputs, name, code) => {
    for (const input of inputs.slice(0, -1)) await create(input, name);
    const error = await refusal(create(inputs.at(-1) as TermInput, name));
    expect(error.code).toBe(code);
    if (code === 'term_exists') expect(error.data).toEqual({ term_id: 2, additional: [2, 2] });
  });

  it('does not overwrite a file of another slug with its name', async () => {
    await site.write(() => ({
      changes: [{ path: 'terms/tag/jazz.yaml', expect: null, data: { id: 90, name: 'Blues', slug: 'blues' }, order: [] }],
      result: null,
    }));
    const id = await create({ name: 'Jazz' }, 'post_tag');
    expect(await file(`terms/tag/jazz-${id}.yaml`)).toBe(`id: ${id}\nname: Jazz\nslug: jazz\n`);
  });
});

describe('a changed term', () => {
  it('changes only the given fields', async () => {
    const id = await create({ name: 'Jazz', description: 'Old' });
    const before = await file('terms/category/jazz.yaml');
    await update(id, { description: 'New' });
    expect(await file('terms/category/jazz.yaml')).toBe(before.replace('Old', 'New'));
  });

  it('moves with its slug and remembers the old one', async () => {
    const id = await create({ name: 'Jazz' });
    await update(id, { slug: 'blues' });
    expect(term(id)).toMatchObject({ name: 'Jazz', slug: 'blues', path: 'terms/category/blues.yaml', aliases: ['jazz'] });
    await expect(file('terms/category/jazz.yaml')).rejects.toThrow();
    await update(id, { slug: 'jazz' });
    expect(term(id)).toMatchObject({ slug: 'jazz', aliases: ['blues'] });
  });

  it.each<[string, TermInput, Partial<TermRecord> | string]>([
    ['takes no slug of another', { slug: 'music' }, 'duplicate_term_slug'],
    ['takes a free one when its parent changes too', { slug: 'music', parent: 2 }, { slug: 'music-music', parent: 2 }],
    ['has a slug made of its name when it empties it', { name: 'Music', slug: '' }, { name: 'Music', slug: 'music-2' }],
    ['needs a name', { name: '' }, 'empty_term_name'],
    ['is not its own parent', { parent: 3 }, { parent: 0 }],
  ])('%s', async (_, input, outcome) => {
    await create({ name: 'Music' });
    const id = await create({ name: 'Jazz' });
    if (typeof outcome === 'string') expect((await refusal(update(id, input))).code).toBe(outcome);
    else {
      await update(id, input);
      expect(term(id)).toMatchObject(outcome);
    }
  });

  it('cannot be a child of its own children', async () => {
    const a = await create({ name: 'A' });
    const b = await create({ name: 'B', parent: a });
    const c = await create({ name: 'C', parent: b });
    await update(a, { parent: c });
    expect(term(a).parent).toBe(0);
  });

  it('stays the default term under another slug', async () => {
    await update(1, { slug: 'news' });
    expect(await file('site.yaml')).toContain('default_category: news');
    await create({ name: 'Other', slug: 'uncategorized' });
    await reopen();
    expect(site.refs.defaultTerm('category')).toBe(1);
  });

  it('keeps its posts and children when another term takes its former slug', async () => {
    const old = await create({ name: 'Jazz' });
    const child = await create({ name: 'Cool', parent: old });
    const item = await post('One', [old]);
    await update(old, { slug: 'blues' });
    const taker = await create({ name: 'Jazz', slug: 'jazz' });
    expect(term(taker).slug).toBe('jazz');
    await reopen();
    expect(site.posts.get(item)?.terms.category).toEqual([old]);
    expect(term(child).parent).toBe(old);
    expect(term(old).aliases).toEqual([]);
  });
});

describe('a deleted term', () => {
  it('gives its posts the default term, and its children its parent', async () => {
    const a = await create({ name: 'A' });
    const b = await create({ name: 'B', parent: a });
    const c = await create({ name: 'C', parent: b });
    const one = await post('One', [b]);
    const two = await post('Two', [b, c]);
    const draft = await post('Three', [b], 'draft');
    await remove(b);
    for (const again of [false, true]) {
      if (again) await reopen();
      expect(site.terms.get(b)).toBeUndefined();
      expect(term(c).parent).toBe(a);
      expect([one, two, draft].map((id) => site.posts.get(id)?.terms.category)).toEqual([[1], [c], [1]]);
    }
    await expect(file('terms/category/b.yaml')).rejects.toThrow();
  });
});

describe('the count of a term', () => {
  it('counts published posts, and follows every change', async () => {
    const id = await create({ name: 'A' });
    const counts = [countOf(site, term(id))];
    await post('One', [id]);
    await post('Two', [id], 'draft');
    counts.push(countOf(site, term(id)));
    await post('Three', [id]);
    counts.push(countOf(site, term(id)));
    expect(counts).toEqual([0, 1, 2]);
  });
});
