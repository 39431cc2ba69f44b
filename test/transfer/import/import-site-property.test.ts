/** Whatever a source holds: what it says is there afterwards, nothing is wrong with the folder, and a second run changes no byte. */
import fc from 'fast-check';
import { basic } from '../../../src/deployments.ts';
import { expect, it } from 'vitest';
import '../../support/seed.ts';
import { openSite } from '../../../src/open-site.ts';
import { declaredBy } from '../../../src/modules/types/declarations.ts';
import { validate } from '../../../src/validate/validate.ts';
import { declare } from '../../../src/validate/declarations.ts';
import { standardTaxonomies } from '../../../src/modules/types/taxonomies.ts';
import { standardTypes } from '../../../src/modules/types/types.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import type { CommentItem, SourceItem, PostItem, TermItem, UserItem } from '../../../src/transfer/import/items.ts';
import { filesIn } from '../../cli/run.ts';
import { bring, bringUntil, comment, freshFolder, link, media, post, rows, site, term, user } from './rows.ts';

const words = fc.constantFrom(
  'tide',
  'gull',
  'Harbour & Sea',
  'élan',
  '日本',
  'no',
  '2024',
  'a: b',
  '---',
  "it's",
  '  x ',
  'con',
  '<b>b</b>',
  '#1',
);
const slugs = fc.constantFrom('tide', 'gull', 'harbour', '%e6%97%a5', '2024', 'con', 'index', 'a-b', 'page2', 'feed');
const text = fc.array(words, { minLength: 0, maxLength: 6 }).map((some) => some.join(' '));
const body = fc.oneof(
  text,
  fc.string({ maxLength: 60, unit: 'grapheme' }),
  fc.constant('<!-- wp:paragraph -->\n<p>Hi</p>\n<!-- /wp:paragraph -->'),
  fc.constant('---\nx: 1\n---\n'),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const index = fc.nat({ max: 30 });
const date = fc
  .date({ min: new Date('1971-01-02T00:00:00Z'), max: new Date('2037-12-30T00:00:00Z'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 19));
const status = fc.constantFrom('publish', 'publish', 'publish', 'draft', 'pending', 'private', 'future', 'trash');
const meta = fc.dictionary(
  fc.constantFrom('a', '_b', 'c d', 'x:y', 'views'),
  fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 3 })),
  {
    maxKeys: 3,
  },
);

const keyOf = (kind: string, number: number, count: number): string | undefined =>
  count === 0 ? undefined : `${kind}${number % (count + 1)}`;

const drawnPost = fc.record({
  type: fc.constantFrom('post', 'post', 'page', 'page', 'cms_block', 'book', 'chapter'),
  slug: slugs,
  title: text,
  content: body,
  status,
  date: maybe(date),
  id: maybe(fc.integer({ min: 1, max: 40 })),
  parent: maybe(index),
  author: maybe(index),
  terms: fc.array(index, { maxLength: 3 }),
  featured: maybe(index),
  order: maybe(fc.nat({ max: 5 })),
  sticky: fc.boolean(),
  excerpt: maybe(text),
  password: maybe(fc.constantFrom('x', '007')),
  guid: fc.boolean(),
  meta,
});
const drawn = fc.record({
  posts: fc.array(drawnPost, { maxLength: 14 }),
  terms: fc.array(
    fc.record({
      slug: slugs,
      name: text,
      parent: maybe(index),
      taxonomy: fc.constantFrom('category', 'category', 'post_tag', 'genre'),
      id: maybe(fc.integer({ min: 1, max: 9 })),
    }),
    { maxLength: 6 },
  ),
  users: fc.array(fc.record({ slug: slugs, name: text, id: maybe(fc.integer({ min: 1, max: 5 })), email: fc.boolean() }), {
    maxLength: 4,
  }),
  media: fc.array(fc.constantFrom('2024/05/a.jpg', '2024/05/a.jpg', 'b c.png', 'x/y/z.pdf', 'A.JPG'), { maxLength: 3 }),
  comments: fc.array(
    fc.record({
      post: index,
      parent: maybe(index),
      content: body,
      id: maybe(fc.integer({ min: 1, max: 9 })),
      status: fc.constantFrom('approved', 'hold', 'spam', 'trash'),
    }),
    { maxLength: 5 },
  ),
  links: fc.array(fc.record({ parent: maybe(index), target: index, kind: fc.constantFrom('custom', 'page', 'category') }), {
    maxLength: 6,
  }),
  order: fc.infiniteStream(fc.nat()),
});

interface Made {
  readonly items: readonly SourceItem[];
  readonly posts: readonly PostItem[];
  readonly terms: readonly TermItem[];
  readonly users: readonly UserItem[];
  readonly comments: readonly CommentItem[];
}

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function itemsOf({ posts, terms, users, media: files, comments, links, order }: Drawn): Made {
  const termItems = terms.map(({ parent, id, ...rest }, at) => {
    const above = parent === undefined ? undefined : keyOf('t', parent, terms.length - 1);
    return term(rest.slug, { key: `t${at}`, ...rest, ...(id ? { id } : {}), ...(above === undefined ? {} : { parent: above }) });
  });
  const userItems = users.map(({ id, email, ...rest }, at) =>
    user(rest.slug, {
      key: `u${at}`,
      login: `login${at}`,
      ...rest,
      ...(id ? { id } : {}),
      ...(email ? { email: `u${at}@old.example` } : {}),
    }),
  );
  const mediaItems = files.map((path, at) => media(path, { key: `m${at}`, url: `https://old.example/files/${encodeURI(path)}` }));
  const postItems = posts.map(
    ({ parent, author, terms: named, featured, id, date: at, guid, type, excerpt, password, order: rank, ...rest }, number) => {
      const has = named
        .flatMap((one) => termItems[one % Math.max(1, termItems.length)] ?? [])
        // Pages have no categories and tags here.
        .filter(({ taxonomy }) => type !== 'page' || taxonomy === 'genre');
      const byTaxonomy: Record<string, string[]> = {};
      if (type !== 'cms_block')
        for (const { taxonomy, key } of has) byTaxonomy[taxonomy] = [...new Set([...(byTaxonomy[taxonomy] ?? []), key])];
      return post(rest.slug, {
        ...rest,
        key: `p${number}`,
        type,
        date: at ?? '',
        dateGmt: '',
        sticky: type === 'post' && rest.sticky,
        terms: byTaxonomy,
        ...(id ? { id } : {}),
        ...(parent === undefined || type === 'post' || type === 'cms_block' ? {} : { parent: `p${parent % posts.length}` }),
        ...(author === undefined || users.length === 0 ? {} : { author: `u${author % users.length}` }),
        ...(featured === undefined || files.length === 0 || type === 'cms_block'
          ? {}
          : { featuredMedia: `m${featured % files.length}` }),
        ...(rank === undefined || type === 'post' || type === 'cms_block' ? {} : { order: rank }),
        ...(excerpt === undefined || type === 'page' ? {} : { excerpt }),
        ...(password === undefined ? {} : { password }),
        ...(guid ? { guid: `https://old.example/?p=${number}` } : {}),
      });
    },
  );
  const commentItems = comments.map(({ post: on, parent, id, ...rest }, at) =>
    comment(`c${at}`, `p${posts.length === 0 ? 0 : on % posts.length}`, {
      ...rest,
      ...(id ? { id } : {}),
      ...(parent === undefined ? {} : { parent: `c${parent % comments.length}` }),
    }),
  );
  const menuItems: SourceItem[] =
    links.length === 0
      ? []
      : [
          term('main', { key: 'menu', taxonomy: 'nav_menu' }),
          ...links.map(({ parent, target, kind }, at) =>
            link(`l${at}`, 'menu', {
              order: at + 1,
              ...(parent === undefined ? {} : { parent: `l${parent % links.length}` }),
              ...(kind === 'page' ? { itemType: 'post_type', object: 'page', target: `p${target}`, title: '' } : {}),
              ...(kind === 'category' ? { itemType: 'taxonomy', object: 'category', target: `t${target}`, title: '' } : {}),
            }),
          ),
        ];
  const all: SourceItem[] = [...termItems, ...userItems, ...mediaItems, ...postItems, ...commentItems, ...menuItems];
  const ranks = new Map(all.map((item) => [item, order.next().value as number]));
  const items = [site({ timezone: 'Europe/Berlin' }), ...all.sort((a, b) => (ranks.get(a) as number) - (ranks.get(b) as number))];
  return { items, posts: postItems, terms: termItems, users: userItems, comments: commentItems };
}

it('an import brings everything in a source, in any order, and a second run changes nothing', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async (all) => {
      const made = itemsOf(all);
      const dir = await freshFolder();
      const report = await bring(dir, rows(made.items), { maxChanges: 7 });
      expect(report.complete).toBe(true);
      expect(report.rows.filter(({ failed }) => failed > 0)).toEqual([]);
      const files = await filesIn(dir);
      await isSaid(dir, made);
      await isValid(dir);
      expect(await filesIn(dir)).toEqual(files);
      const again = await bring(dir, rows(made.items));
      expect(await filesIn(dir)).toEqual(files);
      expect(again.rows.filter((row) => row.new + row.updated > 0)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

it('an import stopped between any two batches is valid, and the next run completes it', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(drawn, fc.nat({ max: 40 }), async (all, after) => {
      const { items } = itemsOf(all);
      const whole = await freshFolder();
      await bring(whole, rows(items), { maxChanges: 3 });
      const dir = await freshFolder();
      const report = await bringUntil(after, dir, rows(items), { maxChanges: 3 });
      expect(report.complete).toBe(after >= items.length);
      await isValid(dir);
      expect((await bring(dir, rows(items), { maxChanges: 3 })).complete).toBe(true);
      expect(await filesIn(dir)).toEqual(await filesIn(whole));
    }),
    { numRuns: 10 },
  );
});

/** Every item is a record that says what it said. */
async function isSaid(dir: string, { posts, terms, users, comments }: Made): Promise<void> {
  const one = await openSite(dir, { readOnly: true });
  try {
    const byTitle = (item: PostItem) =>
      [...one.posts.all()].filter(({ type, title }) => type === item.type && title === item.title);
    for (const item of posts) {
      const found = byTitle(item).filter(({ content, status: state }) => content === item.content && state === statusNow(item));
      expect(found.length).toBeGreaterThan(0);
      const authors = found.map(({ author }) => one.users.get(author)?.name);
      if (item.author)
        expect(authors).toContain(
          users.find(({ key }) => key === item.author)?.name || one.users.get(found[0]?.author ?? 0)?.slug,
        );
      const names = Object.values(item.terms ?? {}).flat().length;
      const own = found.map((post) => Object.values(post.terms).flat().length);
      if (item.type !== 'post' || names > 0) expect(own).toContain(names);
      if (item.featuredMedia)
        expect(found.some(({ featuredMedia }) => one.posts.get(featuredMedia)?.type === 'attachment')).toBe(true);
      expect(found.map(({ meta: kept }) => JSON.stringify(Object.entries(kept).sort()))).toContain(
        JSON.stringify(Object.entries(item.meta ?? {}).sort()),
      );
      if (item.date) expect(found.map(({ date: at }) => at)).toContain(item.date);
      expect(
        found.some(
          ({ excerpt, password, sticky, order }) =>
            excerpt === (item.excerpt ?? '') &&
            sticky === item.sticky &&
            order === (item.order ?? 0) &&
            password === (item.status === 'private' ? '' : (item.password ?? '')),
        ),
      ).toBe(true);
    }
    expect(new Set([...one.posts.all()].map(({ id }) => id)).size).toBe([...one.posts.all()].length);
    expect([...one.terms.all()].length).toBeGreaterThanOrEqual(terms.length);
    expect([...one.users.all()].length).toBeGreaterThanOrEqual(users.length);
    expect([...one.comments.all()].map(({ content }) => content).sort()).toEqual(
      comments
        .filter(({ post: on }) => posts.some(({ key }) => key === on))
        .map(({ content }) => content)
        .sort(),
    );
  } finally {
    await one.close();
  }
}

/** Published with a date to come is scheduled, and the other way round. */
function statusNow({ status: said, date: at }: PostItem): string {
  if (at === undefined || (said !== 'publish' && said !== 'future')) return said;
  return Date.parse(`${at}Z`) > Date.now() ? 'future' : 'publish';
}

/** `cms validate` finds no error but that the bytes of media are elsewhere, and that a slug of the source, which stays, is the site's own. */
async function isValid(dir: string): Promise<void> {
  const store = await createStore({ dir, readOnly: true });
  const batch = await store.load();
  const declared = declaredBy(
    batch.entries.find(({ path }) => path === 'site.yaml'),
    standardTypes,
    standardTaxonomies,
  );
  const found = validate(batch, declare({ ...declared, modules: basic }), { clock: Date.now(), people: [] });
  expect([...store.problems(), ...declared.problems]).toEqual([]);
  expect(found.filter(({ severity, rule }) => severity === 'error' && rule !== 'site-address')).toEqual([]);
  await store.close();
}
