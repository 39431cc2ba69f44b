/** The types of a site: they compile, refuse what does not fit, stay the same, and their client does what it says. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../cli/run.ts';
import type { TestSite } from '../support/site.ts';
import { type Deployment, startDeclared } from './declared-site.ts';

const tsc = resolve(import.meta.dirname, '../../node_modules/.bin/tsc');
const deployments: readonly Deployment[] = ['basic', 'extended'];

/** What a program may write, and what it may not. */
const program = `
import { ApiError, createClient, etagOf, type Book, type BookCreate, type Post, type PostCreate, type PostEdit } from './cms.ts';

const cms = createClient({ url: 'http://127.0.0.1:1', login: 'a', password: 'b' });

export async function fine(): Promise<void> {
  const { items, total, pages } = await cms.list('posts', { per_page: 5, orderby: 'title', order: 'asc', categories: [1] });
  const rendered: string | undefined = items[0]?.title.rendered;
  const edited = await cms.list('posts', { context: 'edit', status: ['draft'] });
  const raw: string | undefined = edited.items[0]?.content.raw;
  const narrow = await cms.list('posts', { _fields: ['id', 'slug'] });
  const slug: string | undefined = narrow.items[0]?.slug;
  const book = await cms.get('books', 1);
  const isbn: string = book.meta.isbn;
  const count: number = book.meta.pages;
  const made = await cms.create('books', { title: 'Dune', status: 'publish', meta: { isbn: '978', pages: 412 }, genres: [1] });
  const post: PostEdit = await cms.create('posts', { title: { raw: 'T' }, content: 'x' });
  await cms.update('books', made.id, { meta: { pages: 1 } }, { ifMatch: made });
  await cms.update('posts', post.id, { sticky: true }, { ifMatch: etagOf(post) });
  const gone = await cms.remove('tags', 1, { force: true });
  const was: string = gone.previous.slug;
  await cms.create('categories', { name: 'News' });
  await cms.request<{ name: string }>('GET', '/');
  for await (const one of cms.each('books', { genres: [1], _fields: ['id', 'meta'] })) void (one.meta.pages satisfies number);
  for await (const { action, link } of cms.events({ kind: ['post'], signal: new AbortController().signal })) void [action, link?.after];
  try {
    await cms.get('posts', 1, { context: 'embed' });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) console.log(error.code);
  }
  void [rendered, raw, slug, isbn, count, was, total, pages];
}

export async function wrong(): Promise<void> {
  // @ts-expect-error no such resource
  await cms.list('boks');
  // @ts-expect-error no such order
  await cms.list('posts', { orderby: 'mood' });
  // @ts-expect-error not among the fields
  for await (const one of cms.each('posts', { _fields: ['id'] })) void one.slug;
  // @ts-expect-error no such kind
  cms.events({ kind: ['boat'] });
  // @ts-expect-error a number
  await cms.list('posts', { per_page: 'many' });
  // @ts-expect-error raw texts are for editors
  void (await cms.get('posts', 1)).content.raw;
  // @ts-expect-error an embedded post has no content
  void (await cms.get('posts', 1, { context: 'embed' })).content;
  // @ts-expect-error not among the fields
  void (await cms.list('posts', { _fields: ['id'] })).items[0]?.slug;
  // @ts-expect-error no such status
  await cms.create('posts', { title: 'x', status: 'published' });
  // @ts-expect-error a term needs a name
  await cms.create('categories', { slug: 'x' });
  // @ts-expect-error the type of a field of the site
  await cms.create('books', { meta: { pages: 'many' } });
  // @ts-expect-error a field that there is not
  await cms.create('books', { meta: { weight: 1 } });
  // @ts-expect-error read-only
  await cms.update('posts', 1, { link: 'x' });
  // @ts-expect-error only what is gone for good has a former state
  void (await cms.remove('posts', 1)).previous;
  const post: Post | undefined = undefined;
  // @ts-expect-error a book is no post
  const book: Book = post as unknown as Post;
  const input: BookCreate = {};
  // @ts-expect-error books are in no category
  const other: PostCreate = { genres: [1] };
  void [book, input, other];
}
`;

describe.each(deployments)('types of a site of the %s deployment', (deployment) => {
  let site: TestSite;
  let dir: string;
  let text: string;
  beforeAll(async () => {
    site = await startDeclared(deployment);
    dir = await mkdtemp(join(tmpdir(), 'cms-types-'));
    const { status, err } = await run(['types', site.dir, '--out', join(dir, 'cms.ts')]);
    expect([status, err]).toEqual([0, '']);
    text = await readFile(join(dir, 'cms.ts'), 'utf8');
  });
  afterAll(async () => {
    await site.close();
    await rm(dir, { recursive: true, force: true });
  });

  it('compile strictly, and reject wrong values', async () => {
    const fields = `
export async function fields(): Promise<void> {
  const { fields } = await cms.get('posts', 1);
  void fields;
  await cms.create('posts', { fields: { subtitle: 'x', price: 3 } });
  // @ts-expect-error the type of a field of the site
  await cms.create('posts', { fields: { price: 'much' } });
}
`;
    await writeFile(join(dir, 'program.ts'), program + fields);
    const options = {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom'],
      types: [],
      noEmit: true,
      allowImportingTsExtensions: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true,
      verbatimModuleSyntax: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      erasableSyntaxOnly: true,
    };
    await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
    const { stdout } = await promisify(execFile)(tsc, ['-p', dir]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  it('are reproducible', async () => {
    expect((await run(['types', site.dir])).out).toBe(text.trimEnd());
    const names = [...text.matchAll(/^export interface (\w+) \{/gm)].map(([, name]) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(text).not.toMatch(/20\d\d-\d\d-\d\d|127\.0\.0\.1/);
  });

  it('contain every member returned to visitors and editors', async () => {
    const wrong = new Set<string>();
    for (const [path, name] of [
      ['posts', 'Post'],
      ['pages', 'Page'],
      ['books', 'Book'],
      ['categories', 'Category'],
      ['genres', 'Genre'],
      ['tags', 'Tag'],
      ['users', 'User'],
      ['comments', 'Comment'],
    ] as const)
      for (const [context, suffix] of [
        ['view', ''],
        ['edit', 'Edit'],
        ['embed', 'Embed'],
      ] as const) {
        const { body } = await site.ask('GET', `/cms/v2/${path}?context=${context}`, { as: 'admin' });
        expect(body.length, path).toBeGreaterThan(0);
        const [, members = ''] = new RegExp(`export interface ${name}${suffix} \\{\\n([^]*?)\\n\\}`).exec(text) ?? [];
        const declared = [...members.matchAll(/^ {2}(\w+)(\??):/gm)].map(([, one = '', mark]) => ({ one, isSure: mark === '' }));
        for (const item of body) {
          const shown = Object.keys(item);
          const known = declared.map(({ one }) => one);
          for (const one of shown) if (!known.includes(one)) wrong.add(`${name} ${context} has ${one}`);
          for (const { one, isSure } of declared)
            if (isSure && !shown.includes(one)) wrong.add(`${name} ${context} has no ${one}`);
        }
      }
    expect([...wrong]).toEqual([]);
  });

  it('include a client that reads, pages, writes, handles errors and deletes', async () => {
    const { createClient, ApiError } = await import(join(dir, 'cms.ts'));
    const visitor = createClient({ url: site.url });
    const cms = createClient({ url: `${site.url}/`, login: 'admin', password: site.password });
    const first = await visitor.list('posts', { per_page: 1, orderby: 'title', order: 'asc' });
    expect([first.items.length, first.total, first.pages, first.items[0].slug]).toEqual([1, 2, 2, 'bare']);
    const narrow = await visitor.list('posts', { _fields: ['id', 'slug'], include: first.items.map(({ id }: any) => id) });
    expect(narrow.items).toEqual([{ id: first.items[0].id, slug: 'bare' }]);
    expect((await visitor.list('posts', { search: 'a & b + c' })).items).toEqual([]);
    const made = await cms.create('books', { title: 'Emma', status: 'publish', meta: { pages: 3 } });
    expect(made.meta).toMatchObject({ pages: 3 });
    const changed = await cms.update('books', made.id, { meta: { pages: 4 } }, { ifMatch: made });
    expect(changed.meta.pages).toBe(4);
    await expect(cms.update('books', made.id, { title: 'Late' }, { ifMatch: made })).rejects.toMatchObject({
      name: 'ApiError',
      status: 412,
      code: 'rest_conflict',
    });
    await expect(cms.update('books', made.id, {}, { ifMatch: {} })).rejects.toBeInstanceOf(TypeError);
    await expect(visitor.create('books', { title: 'No' })).rejects.toBeInstanceOf(ApiError);
    await expect(visitor.get('posts', 999_999)).rejects.toMatchObject({ status: 404, code: 'rest_post_invalid_id' });
    await expect(cms.list('posts', { per_page: 1000 })).rejects.toMatchObject({
      data: { params: { per_page: expect.anything() } },
    });
    expect((await cms.remove('books', made.id)).status).toBe('trash');
    expect(await cms.remove('books', made.id, { force: true })).toMatchObject({ deleted: true, previous: { id: made.id } });
    expect((await cms.request('GET', '/')).name).toBe('Harbour Notes');
    expect((await cms.get('users', 1)).slug).toBe('admin');
    const slugs: string[] = [];
    for await (const { slug } of visitor.each('posts', { per_page: 1, orderby: 'title', order: 'asc', _fields: ['slug'] }))
      slugs.push(slug);
    expect([slugs.length, slugs[0]]).toEqual([2, 'bare']);
    await expect(visitor.each('posts', { per_page: 1000 }).next()).rejects.toBeInstanceOf(ApiError);
  });

  it('include a client that follows events, over lost connections', async () => {
    const { createClient, ApiError } = await import(join(dir, 'cms.ts'));
    // The first connection ends after one event.
    let opened = 0;
    const asked: (string | null)[] = [];
    const send: typeof fetch = async (input, init) => {
      if (!String(input).includes('/events')) return fetch(input, init);
      asked.push(new Headers(init?.headers).get('Last-Event-ID'));
      const answer = await fetch(input, init);
      if (opened++ > 0) return answer;
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      const cut = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value } = await reader.read();
          controller.enqueue(value as Uint8Array);
          if (!new TextDecoder().decode(value).includes('data: ')) return;
          controller.close();
          await reader.cancel();
        },
      });
      return new Response(cut, answer);
    };
    const cms = createClient({ url: site.url, login: 'admin', password: site.password, fetch: send });
    const end = new AbortController();
    const events = cms.events({ kind: ['post'], signal: end.signal });
    const next = events.next();
    await expect.poll(() => opened).toBe(1);
    const made = await cms.create('posts', { title: 'Told', status: 'publish' });
    const { value: first } = await next;
    expect(first).toMatchObject({ kind: 'post', action: 'created', id: made.id, link: { before: null } });
    const later = events.next();
    await cms.remove('posts', made.id);
    const { value: second } = await later;
    expect(second).toMatchObject({ id: made.id, status: { after: 'trash' } });
    expect(asked).toEqual([null, String(first.seq)]);
    end.abort();
    expect((await events.next()).done).toBe(true);
    await expect(cms.events({ kind: ['boat'] }).next()).rejects.toBeInstanceOf(ApiError);
  });
});

it('types exist in the original dialect too', async () => {
  const site = await startDeclared('basic');
  const dir = await mkdtemp(join(tmpdir(), 'cms-types-'));
  const { status } = await run(['types', site.dir, '--dialect', 'original', '--out', join(dir, 'wp.ts')]);
  expect(status).toBe(0);
  const { createClient } = await import(join(dir, 'wp.ts'));
  const { items, total } = await createClient({ url: site.url }).list('posts');
  expect([items.length, total]).toEqual([2, 2]);
  expect(items[0]).toHaveProperty('acf');
  await rm(dir, { recursive: true, force: true });
  await site.close();
});
