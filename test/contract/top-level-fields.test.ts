/** Fields that `site.yaml` declares for a type or taxonomy, said by a file beside its other keys. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../cli/run.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

const settings = `name: Quay
timezone: UTC
types:
  book:
    plural: Books
    singular: Book
    rest_base: books
    taxonomies: [genre]
    fields:
      isbn: { type: string, description: Number of the edition }
      pages: integer
      description: string
      broken: text
taxonomies:
  genre: { plural: Genres, singular: Genre, rest_base: genres, fields: { shelf: integer } }
`;
const files = {
  'site.yaml': settings,
  'books/dune.md': '---\nid: 5\ntitle: Dune\nisbn: 978-0-441\npages: 412 # of the first edition\ndescription: Sand\n---\nText\n',
  'books/both.md': '---\nid: 6\ntitle: Both\nisbn: beside\nmeta:\n  isbn: below\n---\nText\n',
  'books/wrong.md': '---\nid: 7\ntitle: Wrong\npages: many\nisbm: x\n---\nText\n',
  'terms/genre/space.yaml': 'id: 8\nname: Space\nshelf: 4\n',
};

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files });
});
afterAll(() => site.close());

const meta = async (path: string) => (await site.ask('GET', `/cms/v2/${path}?_fields=meta`)).body.meta;

it('top-level fields are served, and an invalid one costs only itself', async () => {
  expect(await meta('books/5')).toEqual({ isbn: '978-0-441', pages: 412, description: 'Sand' });
  expect(await meta('genres/8')).toEqual({ shelf: 4 });
  const { body } = await site.ask('GET', '/cms/v2/books/5?context=edit&_fields=excerpt', { as: 'admin' });
  expect(body.excerpt.raw).toBe('');
});

it('top-level fields give way to meta', async () => {
  expect((await meta('books/6')).isbn).toBe('below');
});

it('top-level fields keep their place when written', async () => {
  const changed = { meta: { pages: 500, description: '' } };
  expect((await site.ask('POST', '/cms/v2/books/5', { as: 'admin', body: changed })).body.meta).toMatchObject({
    isbn: '978-0-441',
    ...changed.meta,
  });
  const text = await site.read('books/dune.md');
  expect(text).toContain('isbn: 978-0-441\npages: 500 # of the first edition\n');
  expect(text).not.toMatch(/^meta:/m);
  await site.ask('POST', '/cms/v2/genres/8', { as: 'admin', body: { meta: { shelf: 9 } } });
  expect(await site.read('terms/genre/space.yaml')).toBe('id: 8\nname: Space\nshelf: 9\n');
  await site.ask('POST', '/cms/v2/books/5', { as: 'admin', body: { meta: { isbn: null } } });
  expect(await site.read('books/dune.md')).not.toContain('isbn');
});

it('top-level fields are validated, and completed by editors', async () => {
  const { out } = await run(['validate', site.dir]);
  expect(out).toMatch(/books\/wrong\.md:5:8 error pages/);
  expect(out).toMatch(/books\/wrong\.md:6:1 warning unknown key "isbm"[^?]*did you mean isbn\?/);
  expect(out).toMatch(/site\.yaml:13:15 error types: field "broken" cannot have type "text"[^?]*did you mean string\?/);
  expect(out).not.toMatch(/books\/(?:dune|both)\.md/);
  const { out: schema } = await run(['schema', site.dir, '--type', 'book']);
  expect(JSON.parse(schema).properties.isbn).toMatchObject({ description: 'Number of the edition' });
});

it('top-level fields pending a restart are one note that hides no other finding', async () => {
  await site.write('site.yaml', `${settings}  age: { plural: Ages, singular: Age, rest_base: ages, fields: { from: numbr } }\n`);
  const ofSettings = () => site.site.problems().filter(({ path }) => path === 'site.yaml');
  await until(() => ofSettings().some(({ hint }) => hint === 'restart the server'));
  const found = ofSettings();
  expect(found.map(({ message, hint }) => [message, hint])).toEqual([
    ['types: field "broken" cannot have type "text"', 'did you mean string?'],
    ['taxonomies: field "from" cannot have type "numbr"', 'did you mean number?'],
    ['age is new under taxonomies: not in force yet', 'restart the server'],
  ]);
});
