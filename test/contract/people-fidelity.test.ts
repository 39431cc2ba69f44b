/** Small habits of the reference in users, terms, comments, settings and indexes that no recorded scenario shows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, signUp, startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
const logins: Record<string, string> = {};
const ids: Record<string, number> = {};

/** One request; `:name` in the path is the id of that name. */
function ask(as: string | null, method: string, path: string, body?: unknown): Promise<Answered> {
  const named = path.replace(/:([a-z]\w*)/g, (_, name) => String(ids[name]));
  return site.ask(method, named, { ...(as ? { as: logins[as] as string } : {}), ...(body === undefined ? {} : { body }) });
}

async function make(name: string, as: string, path: string, body: unknown): Promise<void> {
  ids[name] = (await ask(as, 'POST', path, body)).body.id;
}

const comment = (words: string, more: Record<string, unknown> = {}) => ({
  post: ids.open,
  content: words,
  date: '2021-03-04T10:00:00',
  ...more,
});

beforeAll(async () => {
  site = await startSite({ writing: 'markup' });
  logins.admin = `admin:${site.password}`;
  for (const [login, role] of [
    ['ed', 'editor'],
    ['au', 'author'],
    ['sub', 'subscriber'],
  ] as const) {
    const { id, as } = await signUp(site, login, role);
    logins[login] = as;
    ids[login] = id;
  }
  await make('open', 'admin', '/cms/v2/posts', { title: 'Open', status: 'publish' });
  await make('first', 'admin', '/cms/v2/comments', comment('first'));
  await make('second', 'admin', '/cms/v2/comments', comment('second', { date: '2021-03-05T10:00:00' }));
  await make('note', 'ed', '/cms/v2/comments', { post: ids.open, type: 'note', content: 'look' });
  await make('answer', 'ed', '/cms/v2/comments', { post: ids.open, type: 'note', content: 'seen', parent: ids.note });
});

afterAll(() => site.close());

describe('an empty list counts as an empty meta map', () => {
  it.each([
    ['/cms/v2/tags', { name: 'Flat' }, 201],
    ['/cms/v2/categories', { name: 'Deep' }, 201],
    ['/cms/v2/posts', { title: 'Post' }, 201],
    ['/cms/v2/users/:sub', {}, 200],
    ['/cms/v2/comments/:first', {}, 200],
  ] as const)('%s', async (path, body, status) => {
    expect((await ask('admin', 'POST', path, { ...body, meta: [] })).status).toBe(status);
    expect((await ask('admin', 'POST', path, { ...body, meta: 'x' })).body.code).toBe('rest_invalid_param');
  });
});

describe('links in descriptions keep target and rel', () => {
  const markup = '<a href="https://x.example" target="_blank" rel="me" class="y">x</a><p>z</p>';
  const kept = '<a href="https://x.example" target="_blank" rel="me">x</a>z';
  it.each([
    ['/cms/v2/tags', { name: 'Linked' }],
    ['/cms/v2/categories', { name: 'Linked' }],
    ['/cms/v2/users/:au', {}],
  ] as const)('%s', async (path, body) => {
    expect((await ask('admin', 'POST', path, { ...body, description: markup })).body.description).toBe(kept);
  });
});

describe('notes', () => {
  it.each([
    ['by who may not edit the post, whatever else is asked', 'sub', { status: 'hold' }],
    ['on a post that is not there', 'ed', { post: 999_999 }],
  ] as const)('%s', async (_, as, more) => {
    const answered = await ask(as, 'POST', '/cms/v2/comments', { post: ids.open, type: 'note', content: 'x', ...more });
    expect([answered.status, answered.body.code]).toEqual([403, 'rest_cannot_create_note']);
  });

  it('link to their replies', async () => {
    const { children } = (await ask('ed', 'GET', '/cms/v2/comments/:note')).body._links;
    expect(children[0].href).toMatch(/\/cms\/v2\/comments\?parent=\d+&type=note&status=all$/);
    const embedded = (await ask('ed', 'GET', '/cms/v2/comments/:note?_embed=children')).body._embedded.children;
    expect(embedded[0].map(({ id }: { id: number }) => id)).toEqual([ids.answer]);
  });
});

describe('a duplicate comment has the same text, name and email address', () => {
  const zoe = { author_name: 'Zoe', author_email: 'zoe@example.org' };
  it.each([
    ['the first', 'admin', 'hello', zoe, 201],
    ['the same again', 'admin', 'HELLO', zoe, 409],
    ['the same name, another address', 'admin', 'hello', { ...zoe, author_email: 'z@example.org' }, 201],
    ['another name, the same address', 'admin', 'hello', { ...zoe, author_name: 'Z' }, 201],
    ['filtered markup', 'sub', '<u>line</u>', {}, 201],
    ['filtered markup again, which is not what was kept', 'sub', '<u>line</u>', {}, 201],
    ['what was kept', 'sub', 'line', {}, 409],
  ] as const)('%s', async (_, as, words, more, status) => {
    expect((await ask(as, 'POST', '/cms/v2/comments', comment(words, more))).status).toBe(status);
  });
});

describe('lists of comments', () => {
  it.each([
    ['no offset but a page', 'include=:first,:second&per_page=1&page=2&offset=0', ['first']],
    ['the plural of a kind', 'include=:first,:second&type=comments', ['second', 'first']],
  ] as const)('%s', async (_, query, names) => {
    const { body } = await ask('admin', 'GET', `/cms/v2/comments?${query}`);
    expect(body.map(({ id }: { id: number }) => id)).toEqual(names.map((name) => ids[name]));
  });
});

describe('links that stay whatever `_fields` names', () => {
  it.each([
    ['/cms/v2/statuses/publish?_fields=slug', ['slug', '_links']],
    ['/cms/v2?_fields=namespace', ['namespace', '_links']],
    ['/oembed/1.0?_fields=namespace', ['namespace', '_links']],
    ['/?_fields=name', ['name']],
    ['/cms/v2/types/post?_fields=slug', ['slug']],
  ] as const)('%s', async (path, keys) => {
    expect(Object.keys((await ask(null, 'GET', path)).body)).toEqual(keys);
  });

  it('are filtered like the rest in the map of statuses', async () => {
    const map = (await ask(null, 'GET', '/cms/v2/statuses?_fields=publish')).body;
    expect(Object.keys(map.publish)).toEqual(['_links']);
    expect((await ask(null, 'GET', '/cms/v2/statuses?_fields=slug')).body).toEqual([]);
  });
});

describe("the site's time zone", () => {
  it.each([
    ['Europe/Paris', 'Europe/Paris'],
    ['UTC+2', 'Europe/Paris'],
    ['+02:00', 'Europe/Paris'],
    ['Mars/Base', 'Europe/Paris'],
    ['UTC', 'UTC'],
  ])('%s', async (timezone, shown) => {
    const answer = await ask('admin', 'POST', '/cms/v2/settings', { timezone });
    expect([answer.status, answer.body.timezone ?? answer.body]).toEqual([200, shown]);
  });
});
