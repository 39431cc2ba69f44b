/** Over the interface: what is kept of texts whose blocks show other records dies with those, and is of one reader. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite, until } from '../../../support/site.ts';
import { showsOthers } from '../../../../src/modules/content/posts/view.ts';
import type { PostRecord } from '../../../../src/modules/content/posts/record.ts';

const latest = '<!-- wp:latest-posts /-->';
const loop =
  '<!-- wp:query {"query":{"inherit":false,"perPage":9}} --><div><!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --></div><!-- /wp:query -->';
const file = (id: number, title: string, body: string, more = ''): string =>
  `---\nid: ${id}\ntitle: ${title}\ndate: 2025-01-0${id % 10} 10:00\n${more}---\n${body}\n`;

let site: TestSite;
let admin: { as: string };
let author: { as: string };

beforeAll(async () => {
  site = await startSite({
    files: {
      'posts/list.html': file(11, 'List', `${latest}${loop}`),
      'posts/other.html': file(12, 'Other', 'Words.'),
      'posts/secret.html': file(13, 'Secret', 'Words.', 'status: private\n'),
      'posts/still.html': file(14, 'Still', '<!-- wp:paragraph --><p>Still</p><!-- /wp:paragraph -->'),
    },
  });
  admin = { as: `admin:${site.password}` };
  author = { as: (await signUp(site, 'anna', 'author')).as };
});

afterAll(() => site.close());

const shown = async (who: { as?: string } = {}): Promise<string> => {
  const { body } = await site.ask('GET', '/cms/v2/posts/11', who);
  const listed = await site.ask('GET', '/cms/v2/posts?include=11', who);
  expect(listed.body[0].content).toEqual(body.content);
  return body.content.rendered as string;
};

describe('a text that lists posts', () => {
  it('follows writes, changes and deletions', async () => {
    expect(await shown()).not.toContain('Fresh');
    const { body } = await site.ask('POST', '/cms/v2/posts', { ...admin, body: { title: 'Fresh', status: 'publish' } });
    expect((await shown()).match(/Fresh/g)).toHaveLength(2);
    await site.ask('PUT', `/cms/v2/posts/${body.id}`, { ...admin, body: { title: 'Stale' } });
    expect(await shown()).toContain('Stale');
    expect(await shown()).not.toContain('Fresh');
    await site.ask('DELETE', `/cms/v2/posts/${body.id}?force=true`, admin);
    expect(await shown()).not.toContain('Stale');
  });

  it('follows hand edits', async () => {
    await site.write('posts/other.html', file(12, 'Another', 'Words.'));
    await until(async () => (await site.ask('GET', '/cms/v2/posts/11')).body.content.rendered.includes('Another'));
    expect(await shown()).toContain('Another');
  });

  it('shows each reader only what they may see, in whatever order they ask', async () => {
    for (const _ of [1, 2]) {
      expect(await shown(admin)).toContain('Secret');
      expect(await shown(author)).not.toContain('Secret');
      expect(await shown()).not.toContain('Secret');
    }
  });

  it('is rendered the same in a preview', async () => {
    const preview = await site.ask('GET', '/cms/v2/block-renderer/core/latest-posts?context=edit&post_id=11', admin);
    expect((await shown(admin)).startsWith(preview.body.rendered)).toBe(true);
    const refused = await site.ask('GET', '/cms/v2/block-renderer/core/latest-posts?context=edit&post_id=11', author);
    expect([refused.status, refused.body.code]).toEqual([403, 'block_cannot_read']);
    const unknown = await site.ask('GET', '/cms/v2/block-renderer/core/paragraph?context=edit', admin);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'block_invalid']);
  });
});

it('a site URL on its own line embeds the current item', async () => {
  const link = `${site.url}/named/`;
  const content = `Before\n\n${link}\n\nin ${link} a line\n\n<!-- wp:embed --><figure>\n${link}\n</figure><!-- /wp:embed -->`;
  const { body: own } = await site.ask('POST', '/cms/v2/posts', { ...admin, body: { content, status: 'publish' } });
  const rendered = async (): Promise<string> => (await site.ask('GET', `/cms/v2/posts/${own.id}`)).body.content.rendered;
  expect((await rendered()).match(/blockquote/g)).toBe(null);
  const body = { title: 'Named & shown', slug: 'named', status: 'publish' };
  const { body: other } = await site.ask('POST', '/cms/v2/posts', { ...admin, body });
  const quote = (title: string): RegExp =>
    new RegExp(
      `<blockquote class="wp-embedded-content" data-secret="\\w{10}">(?:<p>)?<a href="${link}">${title}</a>(?:</p>)?</blockquote>`,
    );
  expect((await rendered()).split(quote('Named &#038; shown'))).toHaveLength(3);
  expect(await rendered()).toMatch(
    new RegExp(`<iframe [^>]*title="\u201cNamed &amp; shown\u201d \u2014 [^"]*" src="${link}embed/#\\?secret=`),
  );
  expect(await rendered()).toContain(`in ${link} a line`);
  await site.ask('PUT', `/cms/v2/posts/${other.id}`, { ...admin, body: { title: 'New', password: 'sesame' } });
  expect((await rendered()).split(quote('Protected: New'))).toHaveLength(3);
  await site.ask('PUT', `/cms/v2/posts/${other.id}`, { ...admin, body: { status: 'private', password: '' } });
  expect(await rendered()).not.toContain('blockquote');
});

it('a text without such blocks stays cached', async () => {
  const record = site.site.posts.get(14);
  if (!record) throw new Error('no post');
  await site.ask('GET', '/cms/v2/posts/14');
  expect(site.site.dynamicBlocks.dependenceOf(record, record)).toBe('nothing');
  const renders = site.site.dynamicBlocks;
  let asked = 0;
  const { show } = renders;
  Object.assign(renders, {
    show(...of: Parameters<typeof show>) {
      asked++;
      return show(...of);
    },
  });
  await site.ask('POST', '/cms/v2/posts', { ...admin, body: { title: 'More', status: 'publish' } });
  await site.ask('GET', '/cms/v2/posts/14');
  expect(asked).toBe(0);
  await site.ask('GET', '/cms/v2/posts/11');
  expect(asked).toBe(1);
});

it.each(['md', 'html'] as const)('a text (%s) is parsed once to detect embedded items', (kind) => {
  let read = 0;
  const post = Object.create(site.site.posts.get(14) as object, {
    kind: { value: kind },
    content: {
      get() {
        read++;
        return '[[elsewhere]]';
      },
    },
  }) as PostRecord;
  expect(showsOthers(site.site, post)).toBe(false);
  const once = read;
  expect(once).toBeGreaterThan(0);
  expect(showsOthers(site.site, post)).toBe(false);
  expect(read).toBe(once);
});
