/** Blocks are content: whatever a text asks them for, they tell a reader nothing that the reader could not find out otherwise. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';

const secret = 'periwinkle';
const block = (name: string, attributes: object = {}, inner = ''): string =>
  inner === ''
    ? `<!-- wp:${name} ${JSON.stringify(attributes)} /-->`
    : `<!-- wp:${name} ${JSON.stringify(attributes)} -->${inner}<!-- /wp:${name} -->`;
const loop = (query: object): string =>
  block('query', { query }, `<div>${block('post-template', {}, block('post-title'))}</div>`);
const item = (title: string, front: string, text: string): string => `---\ntitle: ${title}\n${front}\n---\n${text}\n`;

let site: TestSite;
beforeAll(async () => {
  site = await startSite({
    files: {
      'site.yaml': 'name: Test\nwriting: markup\n',
      'users/hidden.yaml': 'id: 7\nname: Hidden Person\n',
      'users/writer.yaml': 'id: 8\nname: Known Writer\n',
      'posts/locked.html': item('Locked', 'id: 30\npassword: key', `about ${secret}`),
      'posts/open.html': item('Open', 'id: 31\nauthor: writer', 'nothing to hide'),
      'blocks/part.html': item('Reusable', 'id: 32', `${secret} of a pattern`),
    },
  });
});
afterAll(() => site.close());

const show = (text: string): string => {
  const [name, attributes] = [/wp:([\w-]+)/.exec(text)?.[1], /wp:[\w-]+ (\{.*?\}) (?:\/)?-->/.exec(text)?.[1] ?? '{}'];
  return site.site.dynamicBlocks.showOne(`core/${name}`, JSON.parse(attributes), { reader: null, post: 31 });
};

async function rendered(text: string): Promise<string> {
  const as = { as: 'admin' };
  const { body } = await site.ask('POST', '/cms/v2/posts', {
    ...as,
    body: { title: 'Asking', content: text, status: 'publish' },
  });
  const { body: seen } = await site.ask('GET', `/cms/v2/posts/${body.id}`);
  await site.ask('DELETE', `/cms/v2/posts/${body.id}?force=true`, as);
  return seen.content.rendered;
}

describe('a block', () => {
  it('finds nothing by the words of a post behind a password', async () => {
    expect(await rendered(loop({ search: 'hide', perPage: 10 }))).toContain('>Open<');
    expect(await rendered(loop({ search: secret, perPage: 10 }))).not.toContain('Locked');
  });

  it('lists no comments of a post behind a password', async () => {
    for (const post of [30, 31]) {
      const body = { post, content: `${secret} of comment on ${post}`, status: 'approved' };
      expect((await site.ask('POST', '/cms/v2/comments', { as: 'admin', body })).status).toBe(201);
    }
    const shown = show(block('latest-comments', { displayContent: 'full' }));
    expect(shown).toContain('comment on 31');
    expect(shown).not.toContain('comment on 30');
  });

  it('lists nothing of a type that has no pages', async () => {
    expect(site.site.posts.get(32)?.status).toBe('publish');
    const hidden = [...site.site.types.values()].filter(({ viewable }) => !viewable);
    expect(hidden.map(({ name }) => name)).toContain(site.site.posts.get(32)?.type);
    for (const { name: postType } of hidden) {
      const html = await rendered(loop({ postType, perPage: 10 }));
      expect(html.match(/<li class="[^"]*"/g)?.every((item) => item.includes(' type-post '))).not.toBe(false);
      expect(html).not.toContain('post-32 ');
    }
  });

  it('shows by number only people whom everybody may know', () => {
    expect(show(block('avatar', { userId: 8 }))).toContain('Known Writer');
    expect(show(block('avatar', { userId: 7 }))).not.toContain('Hidden Person');
  });

  it('leads to the page that signs people in, where no content can stand', () => {
    expect(show(block('loginout'))).toMatch(/href="http:\/\/127\.0\.0\.1:\d+\/wp-login\.php\?redirect_to=/);
  });
});
