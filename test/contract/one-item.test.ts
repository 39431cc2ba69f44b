/**
 * One item costs itself alone: whatever its text says and whatever breaks when it is shown, lists, pages, feeds, sitemaps, searches and
 * embeds go on, and it can be read, changed and deleted.
 */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RestError } from '../../src/kernel/errors.ts';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import type { Module } from '../../src/kernel/module.ts';
import { neutral } from '../../src/kernel/rest/dialect.ts';
import { renderers } from '../../src/modules/design/dynamic-blocks/showing.ts';
import { blockTypes } from '../../src/render/block-types.ts';
import { feedFiles } from '../../src/modules/website/feeds/index.ts';
import type { DiscoverySource } from '../../src/modules/website/sitemaps/record.ts';
import { formats } from '../../src/transfer/export/all.ts';
import { temporary } from '../cli/run.ts';
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
const brokenType = 'breaks';
const isBroken = (record: unknown): boolean => {
  const { title, name } = (record ?? {}) as { title?: string; name?: string };
  return title === broken || name === broken || name === brokenType;
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
    // Every hook that is asked about one thing: a new one belongs here, or the types do not agree.
    const hooks: Required<Omit<DiscoverySource, 'hidesSite' | 'languages' | 'scope'>> = {
      head: (shown) => Promise.resolve(typeof shown === 'string' ? '' : (Object.values(shown).map(fails)[0] ?? '')),
      hidesPost: (post) => fails(post) ?? false,
      hidesTerm: (term) => fails(term) ?? false,
      hidesAuthor: (user) => fails(user) ?? false,
      hidesArchive: (type) => fails(type) ?? false,
      translations: (item) => fails(item) ?? [],
    };
    site.discovery.push(hooks);
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
    const types = `types:\n  ${brokenType}:\n    plural: Breaks\n    has_archive: true\n`;
    files['site.yaml'] = `name: Test\ndeployment: ${deployment}\nurl: http://site.example\n${types}`;
    files[`${brokenType}/one.md`] = '---\nid: 902\ntitle: One\ndate: 2025-01-01T10:00:00\n---\nWords\n';
    site = await startSite({ files, modules: [breaking] });
    admin = { as: `admin:${site.password}` };
  });
  afterEach(() => {
    thrown = errors['nothing to tell'];
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

  async function answers(paths: readonly string[]): Promise<readonly { path: string; status: number; body: unknown }[]> {
    const found = [];
    for (const path of paths) {
      const { status, body } = await site.ask('GET', path, { ...(path.startsWith('/cms-json') ? admin : {}), raw: true });
      found.push({ path, status, body });
    }
    return found;
  }

  /** @returns places that fail, those that visitors may not see apart */
  async function failing(paths?: readonly string[]): Promise<readonly string[]> {
    const all = await answers(paths ?? (await places()));
    // 503: a service elsewhere that is not configured.
    return all.filter(({ status }) => status >= 500 && status !== 503).map(({ status, path }) => `${status} ${path}`);
  }

  /** Places that show texts of posts. */
  async function showing(): Promise<readonly string[]> {
    const all = (await answers(await places())).filter(({ body }) => JSON.stringify(body).includes('Plain words'));
    // Lists of one kind are made alike.
    const kinds = all.map(({ path }) => path).filter((path) => !/\/(?:category|tag|author|type|20\d\d|\w+\/feed)\//.test(path));
    expect(kinds.length).toBeGreaterThan(6);
    return kinds;
  }

  /** @returns the formats that the site can leave in */
  async function exported(): Promise<readonly string[]> {
    const to = await temporary();
    const done: string[] = [];
    for (const [name, format] of Object.entries(formats)) {
      const out = join(to, name);
      const options = { filter: {}, private: false, dialect: neutral, markdown: 'html', without: [], force: false } as const;
      const request = { site: site.site, registry: site.server.dispatcher.registry, out, progress: () => undefined, ...options };
      expect((await format.write(request)).bytes).toBeGreaterThan(0);
      done.push(name);
    }
    return done;
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

  it('texts that embed themselves cause no error', async () => {
    const posts = [];
    for (const text of Object.values(circular)) posts.push(await written(text.replace('{{link}}', `${site.site.url}/odd/`)));
    expect(posts).toHaveLength(Object.keys(circular).length);
    expect(await failing()).toEqual([]);
    for (const post of posts) await removed(post);
  });

  // The basic one shows nothing that the extended one does not show as well.
  it.runIf(deployment === 'extended')(
    'texts that expand far beyond their length stay bounded',
    async () => {
      const paths = await showing();
      for (const [name, text] of Object.entries(multiplying)) {
        const post = await written(text);
        const { body } = await site.ask('GET', `/cms/v2/posts/${post.id}`);
        expect([name, body.content.rendered.length < mostShown + text.length]).toEqual([name, true]);
        await site.ask('POST', '/cms/v2/categories', { ...admin, body: { name: `after ${name}` } });
        const ms = await cpuMs(() => site.ask('GET', `/cms/v2/posts/${post.id}`));
        expect([name, ms, ms < mostMs]).toEqual([name, ms, true]);
        expect([name, await failing(paths)]).toEqual([name, []]);
        await removed(post);
      }
    },
    600_000,
  );

  it.runIf(deployment === 'extended')('an oversized part is logged with its file', () => {
    expect(site.log.join('\n')).toMatch(/^posts\/\S+: a part of its blocks is not shown: /m);
  });

  it.each(Object.keys(errors))('an item whose fields, links, heads and hooks fail with %s costs only itself', async (kind) => {
    thrown = errors[kind];
    const { body: term } = await site.ask('POST', '/cms/v2/categories', { ...admin, body: { name: broken } });
    const { body: kept } = await site.ask('POST', '/cms/v2/posts', {
      ...admin,
      body: { title: 'Filed', content: '<p>words</p>', status: 'publish', categories: [term.id] },
    });
    const post = await written('<p>words</p>', broken);
    const account = {
      username: `breaks-${kind.replaceAll(' ', '-')}`,
      name: broken,
      password: 'Sturdy-pass-91',
      roles: ['author'],
    };
    const email = `${account.username}@example.org`;
    const { body: person } = await site.ask('POST', '/cms/v2/users', { ...admin, body: { ...account, email } });
    await site.ask('POST', '/cms/v2/posts', { ...admin, body: { title: 'By them', status: 'publish', author: person.id } });
    const { body } = await site.ask('GET', '/cms/v2/posts');
    expect(body.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([900, post.id]));
    expect(await failing()).toEqual([]);
    expect(await exported()).toEqual(Object.keys(formats));
    expect(site.log.join('\n')).toMatch(/is not shown: (?:this cannot be shown|Sorry|undefined)/);
    await removed(post);
    await removed(kept);
    expect((await site.ask('DELETE', `/cms/v2/users/${person.id}?force=true&reassign=1`, admin)).status).toBe(200);
    expect((await site.ask('DELETE', `/cms/v2/categories/${term.id}?force=true`, admin)).status).toBe(200);
  });

  it('an item that cannot be read from disk is missing only from lists, unless nothing can be read', async () => {
    const post = await written('<p>words</p>', broken);
    thrown = Object.assign(new Error('read failed'), { code: 'EIO', syscall: 'read' });
    const asked = async (path: string): Promise<{ status: number; body: any }> => site.ask('GET', path);
    const list = await asked('/cms/v2/posts?per_page=100');
    const ids = list.body.map(({ id }: { id: number }) => id);
    expect([list.status, ids.includes(900), ids.includes(post.id)]).toEqual([200, true, false]);
    expect((await asked(`/cms/v2/posts/${post.id}`)).status).toBe(503);
    expect((await asked(`/cms/v2/posts?include=${post.id}`)).status).toBe(503);
    for (const path of ['/', '/feed/', '/?s=words', ...(await site.site.sitemaps.addresses())])
      expect([path, (await site.ask('GET', path, { raw: true })).status < 400]).toEqual([path, true]);
    thrown = errors['nothing to tell'];
    expect((await site.ask('DELETE', `/cms/v2/posts/${post.id}?force=true`, admin)).status).toBe(200);
  });

  it('an item with a failing block costs only the block', async () => {
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
