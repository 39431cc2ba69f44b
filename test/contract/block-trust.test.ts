/** Blocks are content: whatever a text asks them for, they tell a reader nothing that the reader could not find out otherwise. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderers } from '../../src/modules/design/dynamic-blocks/showing.ts';
import { blockTypes } from '../../src/render/block-types.ts';
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

/** What visitors may not see, each with the word in all it says. */
const hidden: Readonly<Record<string, string>> = {
  'posts/draft.html': item(secret, `id: 40\nstatus: draft\nslug: ${secret}-draft\nexcerpt: ${secret}`, secret),
  'posts/private.html': item(secret, `id: 41\nstatus: private\ncategories: [notes]\nexcerpt: ${secret}`, secret),
  'posts/soon.html': item(secret, `id: 42\ndate: 2199-01-01T10:00:00\nexcerpt: ${secret}`, secret),
  'posts/trashed.html': item(secret, `id: 43\nstatus: trash\nexcerpt: ${secret}`, secret),
  'posts/shut.html': item('Shut', `id: 44\npassword: key\nexcerpt: ${secret}`, secret),
  'pages/draft.html': item(secret, `id: 45\nstatus: draft\nexcerpt: ${secret}`, secret),
  'pages/below.html': item(secret, `id: 46\nstatus: private\nparent: draft`, secret),
  'blocks/draft.html': item(secret, `id: 47\nstatus: draft`, secret),
  'navigation/draft.html': item(secret, `id: 48\nstatus: draft`, block('navigation-link', { label: secret, url: '/' })),
  'users/unseen.yaml': `id: 49\nname: ${secret}\nemail: ${secret}@example.org\ndescription: ${secret}\nurl: https://${secret}.example\n`,
};

describe('hidden content', () => {
  let other: TestSite;
  beforeAll(async () => {
    other = await hiding();
  });
  afterAll(() => other.close());

  /** What an attribute may be given so that it names a hidden thing. */
  const values = (type: unknown, id: number, slug: string): readonly unknown[] => {
    const named = {
      id,
      ids: [id],
      userId: id,
      ref: id,
      postId: id,
      author: String(id),
      parents: [id],
      include: [id],
      slug,
      search: '',
    };
    const all: Readonly<Record<string, readonly unknown[]>> = {
      integer: [id],
      number: [id],
      string: [String(id), slug],
      object: [named, { ...named, postType: 'page', perPage: 100, status: 'any', inherit: false }],
      array: [[id], [slug], [named]],
      boolean: [true],
    };
    return [type].flat().flatMap((one) => all[String(one)] ?? []);
  };

  it.each(Object.keys(renderers))('%s shows nothing that is hidden, whatever its attributes name', (name) => {
    const attributes = blockTypes.get(name)?.attributes ?? {};
    for (const file of Object.keys(hidden)) {
      const id = Number(/id: (\d+)/.exec(hidden[file] ?? '')?.[1]);
      const slug = file.replace(/^.*\/|\..*$/g, '');
      const everything: Record<string, unknown> = {};
      const dynamic = other.site.dynamicBlocks;
      for (const attribute of Object.keys(attributes))
        for (const value of values(attributes[attribute]?.type, id, slug)) {
          const html = dynamic.showOne(name, { [attribute]: value }, { reader: null, post: 31 });
          expect([attribute, value, html]).toEqual([attribute, value, expect.not.stringContaining(secret)]);
          everything[attribute] ??= value;
        }
      const text = block(name.replace('core/', ''), everything, `<div>${everyBlock}</div>`);
      expect(dynamic.show(text, { reader: null, post: 31, options, before: 0 }).html).not.toContain(secret);
    }
  });
});

/** Everything that a list may show of its members. */
const everyBlock = block(
  'post-template',
  {},
  [
    'title',
    'excerpt',
    'content',
    'author',
    'author-name',
    'author-biography',
    'date',
    'terms',
    'featured-image',
    'comments-count',
  ]
    .map((one) => block(`post-${one}`))
    .join(''),
);

const options = { smilies: true, typography: true };

async function hiding(): Promise<TestSite> {
  const open = { 'posts/open.html': item('Open', 'id: 31\ncategories: [notes]', 'nothing to hide') };
  const found = await startSite({ files: { 'site.yaml': 'name: Test\nwriting: markup\n', ...open, ...hidden } });
  const notes = [31, 44].map((post) => ({
    post,
    content: secret,
    status: 'hold',
    author_name: secret,
    author_email: `${secret}@example.org`,
  }));
  for (const body of [...notes, { ...notes[1], content: `${secret} again`, status: 'approved' }])
    expect((await found.ask('POST', '/cms/v2/comments', { as: 'admin', body })).status).toBe(201);
  for (const file of Object.keys(hidden)) {
    const id = Number(/id: (\d+)/.exec(hidden[file] ?? '')?.[1]);
    expect([file, (file.startsWith('users/') ? found.site.users : found.site.posts).get(id)]).toEqual([file, expect.anything()]);
  }
  return found;
}

describe('a block', () => {
  it('finds nothing by the words of a password-protected post', async () => {
    expect(await rendered(loop({ search: 'hide', perPage: 10 }))).toContain('>Open<');
    expect(await rendered(loop({ search: secret, perPage: 10 }))).not.toContain('Locked');
  });

  it('lists no comments of a password-protected post', async () => {
    for (const post of [30, 31]) {
      const body = { post, content: `${secret} of comment on ${post}`, status: 'approved' };
      expect((await site.ask('POST', '/cms/v2/comments', { as: 'admin', body })).status).toBe(201);
    }
    const shown = show(block('latest-comments', { displayContent: 'full' }));
    expect(shown).toContain('comment on 31');
    expect(shown).not.toContain('comment on 30');
  });

  it('lists no items of a type without pages', async () => {
    expect(site.site.posts.get(32)?.status).toBe('publish');
    const hidden = [...site.site.types.values()].filter(({ viewable }) => !viewable);
    expect(hidden.map(({ name }) => name)).toContain(site.site.posts.get(32)?.type);
    for (const { name: postType } of hidden) {
      const html = await rendered(loop({ postType, perPage: 10 }));
      expect(html.match(/<li class="[^"]*"/g)?.every((item) => item.includes(' type-post '))).not.toBe(false);
      expect(html).not.toContain('post-32 ');
    }
  });

  it('shows only users with published posts by number', () => {
    expect(show(block('avatar', { userId: 8 }))).toContain('Known Writer');
    expect(show(block('avatar', { userId: 7 }))).not.toContain('Hidden Person');
  });

  it('links to the sign-in page', () => {
    expect(show(block('loginout'))).toMatch(/href="http:\/\/127\.0\.0\.1:\d+\/wp-login\.php\?redirect_to=/);
  });
});
