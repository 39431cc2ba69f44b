import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite } from '../../../src/open-site.ts';
import { createDocument } from '../../../src/transfer/export/document.ts';
import { exportJson, type JsonOptions } from '../../../src/transfer/export/json.ts';
import { original } from '../../../src/kernel/rest/dialect.ts';
import { sample } from '../../support/sample-site.ts';
import { startSite, type TestSite } from '../../support/site.ts';

async function write({ site }: TestSite, options: Partial<JsonOptions> = {}) {
  let text = '';
  const report = await exportJson({
    site,
    registry: composeSite(site),
    write: (part) => {
      text += part;
    },
    ...options,
  });
  return { text, report, document: JSON.parse(text) };
}

describe('the sample site as JSON', () => {
  let test: TestSite;
  beforeAll(async () => {
    test = await startSite({ from: sample });
  });
  afterAll(() => test.close());

  it('contains everything, ordered by id', async () => {
    const { document, report } = await write(test);
    expect(Object.keys(document)).toEqual([
      'version',
      'dialect',
      'url',
      'settings',
      'statuses',
      'types',
      'taxonomies',
      'users',
      'terms',
      'menus',
      'items',
      'comments',
    ]);
    for (const [type, list] of Object.entries(document.items as Record<string, { id: number }[]>)) {
      const ids = [...test.site.posts.with('type', type)].sort((a, b) => a - b);
      expect([type, list.map(({ id }) => id)]).toEqual([type, ids]);
    }
    expect(Object.keys(document.items)).toEqual(['post', 'page', 'attachment']);
    expect(document.terms.category).toHaveLength(8);
    expect(document.users.map(({ slug }: { slug: string }) => slug)).toEqual(['anna', 'jonas', 'mirela']);
    expect(report.counts).toMatchObject({ users: 3, menus: 2 });
    expect(report.left.map(({ what }) => what)).toContain('media files');
  });

  it('contains items as the API returns them to editors, without links', async () => {
    const { document } = await write(test);
    const [post] = document.items.post.filter(({ slug }: { slug: string }) => slug === 'hello-harbour');
    expect(post).toMatchObject({ id: 11, status: 'publish', title: { raw: 'Hello, harbour' }, sticky: true });
    expect(post.content.raw).toContain('the colour of apricots');
    expect(post._links).toBeUndefined();
    expect(JSON.stringify(document)).not.toContain('targetHints');
  });

  it('contains menus with their items in order', async () => {
    const { document } = await write(test);
    const main = document.menus.find(({ slug }: { slug: string }) => slug === 'main');
    expect(main.items.map(({ title }: { title: { rendered: string } }) => title.rendered)).toEqual(
      expect.arrayContaining(['Start here', 'Ferry times']),
    );
    const orders = main.items.map(({ menu_order }: { menu_order: number }) => menu_order);
    expect(orders).toEqual([...orders].sort((a, b) => a - b));
  });

  it('is reproducible', async () => {
    expect((await write(test)).text).toBe((await write(test)).text);
  });

  it('differs only in the lines of what has changed', async () => {
    const before = (await write(test)).text.split('\n');
    const after = (await write(test, { filter: { statuses: ['publish', 'inherit'] } })).text.split('\n');
    expect(after.length).toBeLessThan(before.length);
    expect(after.filter((line) => !before.includes(line))).toEqual([]);
  });

  it.each([
    { filter: { types: ['pages'] }, kinds: ['page'] },
    { filter: { types: ['post'], author: 'anna' }, kinds: ['post'] },
    { filter: { statuses: ['draft'] }, kinds: ['post'] },
    { filter: { before: '2000-01-01' }, kinds: [] },
  ])('can be filtered: $filter', async ({ filter, kinds }) => {
    const { document } = await write(test, { filter });
    expect(Object.keys(document.items)).toEqual(kinds);
    for (const post of document.items.post ?? []) {
      if ('author' in filter) expect(post.author).toBe(document.users[0].id);
      if ('statuses' in filter) expect(post.status).toBe('draft');
    }
    expect(document.users).toHaveLength(3);
  });

  it('rejects unknown filters', async () => {
    await expect(write(test, { filter: { types: ['shop_order'] } })).rejects.toThrow(RangeError);
  });

  it('uses names of the other dialect', async () => {
    const { document } = await write(test, { dialect: original });
    expect(document.dialect).toBe('original');
    expect(Object.keys(document.types)).toContain(original.wireName('cms_block'));
  });
});

describe('private data in an export', () => {
  let test: TestSite;
  beforeAll(async () => {
    test = await startSite();
    const post = await test.ask('POST', '/cms/v2/posts', {
      as: 'admin',
      body: { title: 'Open', status: 'publish', password: 'sesame', content: 'x' },
    });
    const comment = {
      post: post.body.id,
      content: 'Well said',
      author_name: 'Ada',
      author_email: 'ada@example.com',
      password: 'sesame',
    };
    await test.ask('POST', '/cms/v2/comments', { as: 'admin', body: comment });
    await test.ask('POST', '/cms/v2/blocks', { as: 'admin', body: { title: 'Pattern', content: 'x', status: 'publish' } });
    await test.ask('POST', '/cms/v2/templates', { as: 'admin', body: { slug: 'mine', title: 'Mine', content: 'x' } });
  });
  afterAll(() => test.close());

  it('is omitted, and the report says so', async () => {
    const { text, document, report } = await write(test);
    for (const secret of ['sesame', 'ada@example.com', 'admin@example.com', 'administrator']) expect(text).not.toContain(secret);
    expect(document.comments).toHaveLength(1);
    expect(Object.keys(document.items)).toEqual(['post', 'cms_block', 'cms_template']);
    expect(report.left.map(({ what }) => what.split(':')[0])).toEqual(
      expect.arrayContaining(['settings', 'users', 'items', 'comments', 'passwords and keys']),
    );
  });

  it('is included on request, but never a secret', async () => {
    const { text } = await write(test, { private: true });
    for (const known of ['sesame', 'ada@example.com', 'admin@example.com', 'administrator']) expect(text).toContain(known);
    expect(text).not.toContain(test.password.replaceAll(' ', ''));
    expect(text).not.toContain(test.password);
  });
});

describe('a streamed document', () => {
  it('equals one printed at once', async () => {
    let text = '';
    const document = createDocument((part) => {
      text += part;
    });
    document.member('a', { b: ['c\nd', {}], e: [] });
    await document.list('none', [], async () => 1);
    await document.list('some', [1, 2, 3], async (one) => (one === 2 ? null : { one }));
    await document.map('map', async () => {
      document.member('x', null);
      await document.map('empty', async () => {});
    });
    document.end();
    const whole = { a: { b: ['c\nd', {}], e: [] }, none: [], some: [{ one: 1 }, { one: 3 }], map: { x: null, empty: {} } };
    expect(text).toBe(`${JSON.stringify(whole, null, 1)}\n`);
  });
});
