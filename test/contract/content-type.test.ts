/** What a text is written in, as clients are told and may say. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    files: {
      'posts/one.md': '---\nid: 7\ntitle: One\ndate: 2026-03-05T10:00:00\n---\nText\n',
      'posts/two.html': '---\nid: 8\ntitle: Two\ndate: 2026-03-05T10:00:00\n---\nText\n',
    },
  });
});
afterAll(() => site.close());

const markup = '<div>\n*a*\n</div>\n\nText with *stress*';
const told = async (id: number, query = '?context=edit', root = '/cms-json/cms/v2'): Promise<string> =>
  (await site.ask('GET', `/posts/${id}${query}`, { as: 'admin', root })).headers.get('link') ?? '';
const create = async (content: string, type?: string, name = 'x-cms-content-type'): Promise<number> =>
  (
    await site.ask('POST', '/cms/v2/posts', {
      as: 'admin',
      body: { title: 'New', content, status: 'draft' },
      headers: type === undefined ? {} : { [name]: type },
    })
  ).body.id;

describe('is shown to editors', () => {
  it('which kind of text an item has, in both spellings', async () => {
    expect(await told(7)).toContain(`<${site.url}/cms-json/cms/v2/posts/7>; rel="edit"; type=text/markdown`);
    expect(await told(8)).toContain('rel="edit"; type=text/html');
    expect(await told(8, '?context=edit', '/wp-json/wp/v2')).toContain(`<${site.url}/wp-json/wp/v2/posts/8>; rel="edit"`);
  });

  it('and nobody else', async () => {
    expect(await told(7, '')).not.toContain('rel="edit"');
  });
});

describe('a client says what it writes', () => {
  it('in a new item', async () => {
    expect(await told(await create(markup))).toContain('type=text/html');
    expect(await told(await create(markup, 'text/markdown'))).toContain('type=text/markdown');
    expect(await told(await create('Text', 'text/html', 'x-wp-content-type'))).toContain('type=text/html');
  });

  it('in an item without a text, and as long as it is right', async () => {
    const id = await create('', 'text/markdown');
    const write = (content: string, type: string) =>
      site.ask('POST', `/cms/v2/posts/${id}`, { as: 'admin', body: { content }, headers: { 'x-cms-content-type': type } });
    await write(markup, 'text/markdown');
    expect(await told(id)).toContain('type=text/markdown');
    await write('<p>\nOther\n</p>', 'text/markdown');
    expect(await told(id)).toContain('type=text/markdown');
    // Not what the file is: nothing is taken for something else.
    await write('<p>\nOther\n</p>\n\nMore', 'text/html');
    expect(await told(id)).toContain('type=text/markdown');
  });

  it('or nothing that is known', async () => {
    expect(await told(await create(markup, 'constructor'))).toContain('type=text/html');
  });
});
