/**
 * One item costs itself alone: whatever its text says and whatever breaks when it is shown, lists, pages, feeds, sitemaps, searches and
 * embeds go on, and it can be read, changed and deleted.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RestError } from '../../src/kernel/errors.ts';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import type { Module } from '../../src/kernel/module.ts';
import { renderers } from '../../src/modules/design/dynamic-blocks/showing.ts';
import { blockTypes } from '../../src/render/block-types.ts';
import { feedFiles } from '../../src/modules/website/feeds/index.ts';
import { cpuMs } from '../support/long-texts.ts';
import { startSite, type TestSite } from '../support/site.ts';

const paragraph = '<!-- wp:paragraph --><p>Plain words</p><!-- /wp:paragraph -->';
const block = (name: string, attributes: object = {}, inner?: string): string =>
  inner === undefined
    ? `<!-- wp:${name} ${JSON.stringify(attributes)} /-->`
    : `<!-- wp:${name} ${JSON.stringify(attributes)} -->${inner}<!-- /wp:${name} -->`;
const query = (inner: string): string =>
  block('query', { query: { perPage: 100, inherit: false } }, `<div>${block('post-template', {}, inner)}</div>`);

/** Texts that show themselves, directly or around a corner. */
const circular: Readonly<Record<string, string>> = {
  'its own excerpt': `${block('post-excerpt')}<p>words</p>`,
  'its own text': `${block('post-content')}<p>words</p>`,
  'the excerpts of the newest': block('latest-posts', {
    displayPostContent: true,
    displayPostContentRadio: 'excerpt',
    postsToShow: 100,
  }),
  'the texts of the newest': block('latest-posts', {
    displayPostContent: true,
    displayPostContentRadio: 'full_post',
    postsToShow: 100,
  }),
  'excerpts in a loop': query(block('post-excerpt')),
  'texts in a loop': query(block('post-content')),
  'an excerpt in a group': block('group', {}, `<div>${block('post-excerpt')}</div>`),
  'itself by its address': '{{link}}\n\nwords',
};

/** Texts that show much more than they say, or work through it. */
const multiplying: Readonly<Record<string, string>> = {
  'two loops around a kilobyte': query(query(`<p>${'x'.repeat(1000)}</p>`)),
  'a loop around a megabyte': query(`<p>${'x'.repeat(1_000_000)}</p>`),
  'a loop in itself': `${block('query', { query: { perPage: 100 } }, '<div>').slice(0, -19)}${'<!-- wp:post-template -->'.repeat(1500)}x${'<!-- /wp:post-template -->'.repeat(1500)}`,
  'minutes to read': block('post-time-to-read').repeat(9900),
  calendars: block('calendar').repeat(9900),
  'the newest in full': block('latest-posts', {
    displayPostContent: true,
    displayPostContentRadio: 'full_post',
    postsToShow: 100,
  }).repeat(500),
  'the newest': block('latest-posts', { postsToShow: 100 }).repeat(9000),
  archives: block('archives', { type: 'daily' }).repeat(5000),
  categories: block('categories', { showEmpty: true }).repeat(9000),
  'comments that are counted': block('post-comments-count').repeat(9000),
  'pages in a list': block('page-list').repeat(9000),
  footnotes: block('footnotes').repeat(9000),
};
/** A word of the same shape that means nothing. */
const otherWord = (word: string): string =>
  word.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)));
const mostShown = 4.5 * 1024 * 1024;
/** What one text may hold everybody up for. */
const mostMs = 3000;

/** What breaks for the item of the title, at each kind of place that modules have a say in. */
const broken = 'Breaks';
const isBroken = (record: unknown): boolean => {
  const { title, name } = (record ?? {}) as { title?: string; name?: string };
  return title === broken || name === broken;
};
/** What it breaks with. */
const errors: Readonly<Record<string, unknown>> = {
  'an error of a program': new TypeError('this cannot be shown'),
  'a refusal': new RestError('rest_forbidden'),
  'nothing to tell': undefined,
};
let thrown = errors['an error of a program'];
const fails = (record: unknown): undefined => {
  if (isBroken(record)) throw thrown;
  return undefined;
};
const breaking: Module = {
  name: 'breaking',
  extend: {
    item: {
      fields: {
        mood: {
          schema: of('string', 'Its mood.', { context: everywhere, readonly: true }),
          get: (record: unknown) => fails(record) ?? 'calm',
        },
      },
      links: { mood: { title: 'Its mood.', route: '/moods/v1/{id}', of: (record: unknown) => fails(record) ?? '1' } },
    },
  },
  setup(site) {
    site.discovery.push({
      head: (shown) => Promise.resolve('post' in (shown as object) ? (fails((shown as { post: unknown }).post) ?? '') : ''),
      hidesPost: (post) => fails(post) ?? false,
      hidesTerm: (term) => fails(term) ?? false,
      translations: (item) => fails(item) ?? [],
    });
    return { site: {} };
  },
};

describe.each(['basic', 'extended'])('in the %s deployment', (deployment) => {
  let site: TestSite;
  let admin: { as: string };
  const renderer = renderers['core/site-tagline'];

  beforeAll(async () => {
    const files: Record<string, string> = {
      'posts/plain.html': `---\nid: 900\ntitle: Plain\ndate: 2025-01-01T10:00:00\ncategories: [one]\n---\n${paragraph}\n`,
      'pages/still.html': `---\nid: 901\ntitle: Still\ndate: 2025-01-01T10:00:00\n---\n${paragraph}\n`,
    };
    if (deployment === 'extended') files['site.yaml'] = 'name: Test\ndeployment: extended\nurl: http://site.example\n';
    site = await startSite({ files, modules: [breaking] });
    admin = { as: `admin:${site.password}` };
  });
  afterAll(() => site.close());

  /** Every address that the site itself names, and every list of the interface. */
  async function places(): Promise<readonly string[]> {
    const lists = site.server.dispatcher.registry.routes
      // The directory of patterns is a service elsewhere, which is not configured here.
      .filter(
        ({ path, endpoints }) =>
          !/[(]|^\/cms\/v2\/pattern-directory/.test(path) && endpoints.some(({ methods }) => methods.includes('GET')),
      )
      .map(({ path }) => path);
    expect(lists).toEqual(expect.arrayContaining(['/cms/v2/posts', '/cms/v2/search']));
    const feeds = [...feedFiles(site.site)].map(({ address }) => address);
    expect(feeds.some((address) => address.endsWith('/feed/'))).toBe(true);
    const pages = [...site.site.theme.addresses(), ...(await site.site.sitemaps.addresses()), '/?s=Plain'];
    return [
      ...lists.flatMap((path) => [`/cms-json${path}?_embed=1&per_page=100`, `/cms-json${path}?context=embed`]),
      '/cms-json/cms/v2/posts?context=edit&per_page=100&_embed',
      '/cms-json/cms/v2/posts?search=words',
      '/cms-json/oembed/1.0/embed?url=',
      ...feeds,
      ...pages,
    ];
  }

  /** @returns places that fail, those that visitors may not see apart */
  async function failing(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const path of await places()) {
      const { status } = await site.ask('GET', path, { ...(path.startsWith('/cms-json') ? admin : {}), raw: true });
      // 503: a service elsewhere that is not configured.
      if (status >= 500 && status !== 503) found.push(`${status} ${path}`);
    }
    return found;
  }

  async function written(content: string, title = 'Odd'): Promise<{ id: number; link: string }> {
    const { status, body } = await site.ask('POST', '/cms/v2/posts', { ...admin, body: { title, content, status: 'publish' } });
    expect(status).toBe(201);
    return body as { id: number; link: string };
  }

  async function removed({ id }: { id: number }): Promise<void> {
    expect((await site.ask('GET', `/cms/v2/posts/${id}?context=edit`, admin)).status).toBe(200);
    expect((await site.ask('PUT', `/cms/v2/posts/${id}`, { ...admin, body: { excerpt: 'changed' } })).status).toBe(200);
    expect((await site.ask('DELETE', `/cms/v2/posts/${id}?force=true`, admin)).status).toBe(200);
    expect((await site.ask('GET', `/cms/v2/posts/${id}`)).status).toBe(404);
  }

  it.each(Object.keys(circular))('a text that shows %s', async (name) => {
    const post = await written((circular[name] as string).replace('{{link}}', `${site.site.url}/odd/`));
    expect(await failing()).toEqual([]);
    await removed(post);
  });

  it.each(Object.keys(multiplying))('a text of %s', async (name) => {
    const post = await written(multiplying[name] as string);
    const { body } = await site.ask('GET', `/cms/v2/posts/${post.id}`);
    expect(body.content.rendered.length).toBeLessThan(mostShown + (multiplying[name] as string).length);
    await site.ask('POST', '/cms/v2/categories', { ...admin, body: { name: `after ${name}` } });
    expect(await cpuMs(() => site.ask('GET', `/cms/v2/posts/${post.id}`))).toBeLessThan(mostMs);
    await removed(post);
  });

  it('a part that is too much is logged with its file', () => {
    expect(site.log.join('\n')).toMatch(/^posts\/\S+: a part of its blocks is not shown: /m);
  });

  it.each(Object.keys(errors))('an item of which fields, links, heads and hooks break with %s', async (kind) => {
    thrown = errors[kind];
    const { body: term } = await site.ask('POST', '/cms/v2/categories', { ...admin, body: { name: broken } });
    const { body: kept } = await site.ask('POST', '/cms/v2/posts', {
      ...admin,
      body: { title: 'Filed', content: '<p>words</p>', status: 'publish', categories: [term.id] },
    });
    const post = await written('<p>words</p>', broken);
    const { body } = await site.ask('GET', '/cms/v2/posts');
    expect(body.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([900, post.id]));
    expect(await failing()).toEqual([]);
    expect(site.log.join('\n')).toMatch(/is not shown: (?:this cannot be shown|Sorry|undefined)/);
    await removed(post);
    await removed(kept);
    expect((await site.ask('DELETE', `/cms/v2/categories/${term.id}?force=true`, admin)).status).toBe(200);
  });

  it('an item of which a block breaks', async () => {
    Object.assign(renderers, {
      'core/site-tagline': () => {
        throw new TypeError('no tagline');
      },
    });
    try {
      const post = await written(`${block('site-tagline')}${paragraph}`);
      const { body } = await site.ask('GET', `/cms/v2/posts/${post.id}`);
      expect(body.content.rendered).toContain('Plain words');
      expect(await failing()).toEqual([]);
      await removed(post);
    } finally {
      Object.assign(renderers, { 'core/site-tagline': renderer });
    }
  });

  it('words that objects inherit mean nothing to any block', () => {
    const types = site.site.posts.get(900);
    expect(types).toBeDefined();
    const words = [...Object.getOwnPropertyNames(Object.prototype), '__proto__'];
    const shown = (name: string, attributes: object): string =>
      site.site.dynamicBlocks.showOne(name, attributes as never, { reader: null, post: 900 });
    for (const name of Object.keys(renderers)) {
      // A format of dates is no word that is looked up.
      const attributes = attributesOf(name).filter((attribute) => attribute !== 'format');
      for (const attribute of attributes)
        for (const word of words) {
          const known = shown(name, { [attribute]: word });
          const unknown = shown(name, { [attribute]: otherWord(word) });
          const plain = (html: string, said: string): string =>
            [said, said.toLowerCase(), kebab(said)]
              .reduce((now, form) => now.replaceAll(form, '#'), html)
              .replace(/[a-f\d]{8,}|-\d+/g, '');
          expect([name, attribute, word, plain(known, word)]).toEqual([name, attribute, word, plain(unknown, otherWord(word))]);
        }
    }
  });
});

function attributesOf(name: string): readonly string[] {
  return Object.keys(blockTypes.get(name)?.attributes ?? {});
}

/** As names of classes are made of words. */
function kebab(word: string): string {
  return word.replace(/^_+|_+$/g, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
