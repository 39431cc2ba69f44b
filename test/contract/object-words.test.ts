/** Words that every object answers to, wherever a content file or a request may put them: nothing that is made of input has a prototype that takes part. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite } from '../../src/open-site.ts';
import { itemNames, routeBases } from '../../src/modules/types/reserved-names.ts';
import { startSite, type TestSite } from '../support/site.ts';

const words = Object.getOwnPropertyNames(Object.prototype).filter((word) => word !== '__proto__');
const small = words.map((word) => word.toLowerCase());
const each = (line: (word: string) => string, indent = ''): string => words.map((word) => `${indent}${line(word)}\n`).join('');
const json = `{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, ${words.map((word) => `"${word}": "x"`).join(', ')}}`;

const files: Record<string, string> = {
  'site.yaml': `name: Quay\ntimezone: UTC\n${each((word) => `${word}: x`)}menu_locations:\n${each((word) => `${word}: x`, '  ')}image_sizes:\n${each(
    (word) => `${word}: {width: 50}`,
    '  ',
  )}templates:\n${each((word) => `${word}: x`, '  ')}theme:\n  block_theme: true\n${each((word) => `${word}: x`, '  ')}  supports:\n${each(
    (word) => `${word}: {${word}: {a: b}}`,
    '    ',
  )}  settings:\n${each((word) => `${word}: {${word}: {a: b}}`, '    ')}  styles:\n${each((word) => `${word}: {${word}: x}`, '    ')}types:\n  book:\n    plural: Books\n    taxonomies: [genre]\n    fields: {isbn: string, pages: integer}\ntaxonomies:\n  genre: {plural: Genres}\n`,
  'menus/main.yaml': `id: 5\nname: Main\nlocations: [${words.join(', ')}]\n${each((word) => `${word}: x`)}items:\n  - url: https://example.com\n    title: constructor\n${each((word) => `${word}: x`, '    ')}`,
  'sidebars/constructor.yaml': `name: Side\n${each((word) => `${word}: x`)}widgets:\n${each((word) => `- {id: ${word}-1, toString: x}`, '  ')}  - {id: text-2, text: a, constructor: x}\n`,
  'styles/site.html': `---\nid: 90\ntitle: Styles\n---\n{"isGlobalStylesUserThemeJSON": true, "settings": ${json}, "styles": ${json}}\n`,
  'templates/constructor.html': '---\nid: 91\ntitle: constructor\n---\n<p>x</p>\n',
  'blocks/constructor.html': '---\nid: 92\ntitle: constructor\n---\n<p>x</p>\n',
  'patterns/constructor.html': '---\ntitle: constructor\ncategories: [constructor]\n---\n<p>x</p>\n',
  'fonts/constructor.yaml': `name: constructor\nfontFamily: constructor\n${each((word) => `${word}: x`)}`,
  'media/2026/constructor.txt.yaml': `id: 93\ntitle: constructor\n${each((word) => `${word}: x`)}`,
  'media/2026/constructor.txt': 'x',
};
for (const [at, word] of words.entries()) {
  const keys = each((key) => `${key}: x`);
  const matter = `---\nid: ${10 + at}\ntitle: ${word}\nslug: ${word}\ndate: 2026-01-02\nauthor: ${word}\naliases: [${words.join(', ')}]\ncategories: [${words.join(', ')}]\ntags: [${words.join(', ')}]\nmeta:\n${each((key) => `${key}: {toString: x}`, '  ')}${keys}---\n`;
  files[`posts/2026/01/${word}.md`] =
    `${matter}Text [${word} a="b"] :${word}:\n\n<!-- cms:${word.toLowerCase()} ${json} --><p>x</p><!-- /cms:${word.toLowerCase()} -->\n\n<!-- cms:group ${json} --><div>x</div><!-- /cms:group -->\n`;
  files[`pages/${word}.md`] = `${matter.replace(`id: ${10 + at}`, `id: ${30 + at}`)}Text\n`;
  files[`book/${word}.md`] =
    `---\nid: ${60 + at}\ntitle: ${word}\ngenre: [${words.join(', ')}]\nmeta:\n${each((key) => `${key}: x`, '  ')}---\nText\n`;
  files[`terms/category/${word}.yaml`] =
    `id: ${10 + at}\nname: ${word}\naliases: [${words.join(', ')}]\nmeta:\n${each((key) => `${key}: x`, '  ')}${keys}`;
  files[`terms/tag/${word}.yaml`] = `id: ${30 + at}\nname: ${word}\n`;
  files[`users/${word}.yaml`] =
    `id: ${10 + at}\nname: ${word}\naliases: [${words.join(', ')}]\nmeta:\n${each((key) => `${key}: x`, '  ')}${keys}`;
  files[`comments/${10 + at}/${at + 1}.html`] = `---\nid: ${at + 1}\nname: ${word}\nauthor: ${word}\n${keys}---\n${word}\n`;
}

const isClean = (): boolean => !('polluted' in {}) && Object.keys(Object.prototype).length === 0;

describe('a site full of words that objects inherit', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  const get = async (path: string, as: string | undefined = 'admin') => {
    const { status, body } = await site.ask('GET', path, as ? { as } : {});
    return { path, status, code: body?.code };
  };

  it('returns every list and each of its items', async () => {
    const bad = [];
    const routes = composeSite(site.site).routes.filter(
      ({ path, endpoints }) => !path.includes('(?P<') && endpoints.some(({ methods }) => methods.includes('GET')),
    );
    expect(routes.length).toBeGreaterThan(40);
    for (const { path } of routes)
      for (const query of [
        '',
        '?context=edit&per_page=100',
        '?_embed&per_page=100',
        `?_fields=${words.join(',')}`,
        '?search=constructor',
      ]) {
        const asked = await get(path + query);
        if (asked.status >= 500 && asked.code === 'internal_server_error') bad.push(asked);
      }
    expect(bad).toEqual([]);
    expect(site.log).toEqual([]);
    expect(isClean()).toBe(true);
  });

  it('returns each item by itself', async () => {
    const bad = [];
    const items = ['posts', 'pages', 'book', 'categories', 'tags', 'genre', 'users', 'comments'];
    for (const base of items) {
      const { body } = await site.ask('GET', `/cms/v2/${base}?per_page=100&_fields=id`, { as: 'admin' });
      expect(body.length).toBeGreaterThanOrEqual(base === 'comments' ? words.length : 1);
      for (const { id } of body)
        for (const more of ['', '?context=edit&_embed']) bad.push(await get(`/cms/v2/${base}/${id}${more}`));
    }
    expect(bad.filter(({ status }) => status >= 400)).toEqual([]);
    for (const word of words)
      for (const path of [
        'types',
        'taxonomies',
        'statuses',
        'sidebars',
        'widgets',
        'widget-types',
        'menu-locations',
        'themes',
        'plugins',
        'block-types/core',
        'block-renderer/core',
        'templates/site//',
        'users',
        'font-collections',
        'settings',
        'search',
      ])
        bad.push(
          await get(`/cms/v2/${path}/${word}`),
          await get(`/cms/v2/${path}/${word.toLowerCase()}?context=edit&_embed=${word}`),
        );
    expect(bad.filter(({ status, code }) => status >= 500 && code === 'internal_server_error')).toEqual([]);
    expect(site.log).toEqual([]);
    expect(isClean()).toBe(true);
  });

  it('accepts them as values and names of parameters', async () => {
    const routes = [
      'posts',
      'pages',
      'book',
      'media',
      'categories',
      'tags',
      'users',
      'comments',
      'search',
      'menus',
      'menu-items',
      'widgets',
      'types',
      'block-types',
      'themes',
      'templates',
      'blocks',
    ];
    const names = [
      'status',
      'type',
      'subtype',
      'orderby',
      'order',
      'context',
      'slug',
      'search',
      'search_columns',
      'roles',
      'capabilities',
      'who',
      'author',
      'include',
      'taxonomy',
      'categories',
      'tags',
      'meta',
      'sticky',
      'menus',
      'sidebar',
      'post',
      'parent',
      'format',
      '_embed',
      '_fields',
      '_method',
      '_envelope',
      '_jsonp',
      'namespace',
      'tax_relation',
      'media_type',
      'mime_type',
      'template',
    ];
    const bad = [];
    for (const base of routes)
      for (const name of names)
        bad.push(
          await get(`/cms/v2/${base}?${name}=constructor`),
          await get(`/cms/v2/${base}?${name}[constructor]=x&${name}[__proto__][polluted]=1`),
        );
    for (const base of routes) bad.push(await get(`/cms/v2/${base}?constructor=x&__proto__[polluted]=1&toString=1`));
    expect(bad.filter(({ status, code }) => status >= 500 && code === 'internal_server_error')).toEqual([]);
    expect(site.log).toEqual([]);
    expect(isClean()).toBe(true);
  });

  it('accepts them in bodies', async () => {
    const polluting = { __proto__: null, constructor: { prototype: { polluted: 1 } }, toString: 'x', valueOf: 'x' };
    const bodies: [string, unknown][] = [
      ...words.flatMap((word): [string, unknown][] => [
        ['/cms/v2/tags', { name: `${word} new`, meta: { [word]: 'x' } }],
        ['/cms/v2/users', { username: word, email: `${word}@example.org`, password: 'low tide 1', roles: [word] }],
        ['/cms/v2/users', { username: word, email: `${word}@example.org`, password: 'low tide 1', meta: { [word]: 'x' } }],
        ['/cms/v2/users/me/application-passwords', { name: word }],
        ['/cms/v2/posts', { title: word, status: word }],
        ['/cms/v2/posts', { title: word, status: 'publish', format: word, template: word }],
        ['/cms/v2/posts', { title: word, meta: { [word]: 'x' }, [word]: { polluted: 1 } }],
        ['/cms/v2/book', { title: word, meta: { [word]: 'x' } }],
        ['/cms/v2/menus', { name: word, locations: [word] }],
        ['/cms/v2/menu-items', { title: word, type: word, object: word, url: '/' }],
        ['/cms/v2/widgets', { id_base: word, sidebar: word }],
        ['/cms/v2/comments', { post: 10, content: word, type: word }],
        [`/cms/v2/block-renderer/core/post-terms`, { attributes: { term: word }, post_id: 10 }],
        [`/cms/v2/block-renderer/core/${word.toLowerCase()}`, { attributes: { [word]: word } }],
        [`/cms/v2/widget-types/${word}/render`, { instance: { raw: { [word]: 'x' } } }],
        ['/cms/v2/settings', { [word]: 'x' }],
      ]),
      ['/cms/v2/posts', polluting],
      ['/cms/v2/global-styles/90', { settings: JSON.parse(json), styles: JSON.parse(json) }],
      ['/batch/v1', { requests: [{ path: '/cms/v2/posts', method: 'POST', body: polluting, headers: polluting }] }],
    ];
    const bad = [];
    for (const [path, body] of bodies) {
      const answer = await site.ask('POST', path, { as: 'admin', body });
      if (answer.status >= 500) bad.push([path, body, answer.body]);
    }
    expect(bad).toEqual([]);
    expect(site.log).toEqual([]);
    expect(isClean()).toBe(true);
  });
});

describe('declarations with such words', () => {
  const declare = (text: string) => startSite({ files: { 'site.yaml': `name: Quay\n${text}` } });

  it.each([
    ...words.flatMap((word): [string, string[]][] => [
      [`types:\n  ${word}: {plural: X}\n`, ['types', word]],
      [`taxonomies:\n  ${word}: {plural: X}\n`, ['taxonomies', word]],
    ]),
    ...words.map((word): [string, string[]] => [`types:\n  book: {fields: {${word}: string}}\n`, ['types', 'book']]),
    ['types:\n  book: {fields: {_secret: string}}\n', ['types', 'book']],
    ['types:\n  user: {fields: {nickname: object}}\n', ['types', 'user']],
    ['types:\n  comment: {}\n', ['types', 'comment']],
    ['types:\n  post: {plural: X}\n', ['types', 'post', 'plural']],
    ['types:\n  book: {taxonomies: {a: b}}\n', ['types', 'book']],
    ['types:\n  book: {supports: {toString: x}}\n', ['types', 'book']],
    ['types:\n  book: {singular: {toString: x}}\n', ['types', 'book']],
    ['types:\n  book: {fields: {a: {type: string, enum: x}}}\n', ['types', 'book']],
    ['types:\n  book: {fields: {a: {type: string, default: {toString: x}}}}\n', ['types', 'book']],
    ['types:\n  book: {fields: {a: {type: integer, minimum: {a: b}}}}\n', ['types', 'book']],
    ['types:\n  book: {fields: {a: {type: array, items: {type: constructor}}}}\n', ['types', 'book']],
    ['types:\n  book: {fields: {a: constructor}}\n', ['types', 'book']],
    ['types: [a]\n', ['types']],
    ['taxonomies: text\n', ['taxonomies']],
    ['types:\n  book: {}\ntaxonomies:\n  book: {}\n', ['taxonomies', 'book']],
    ['types:\n  a: {rest_base: books}\n  b: {rest_base: books}\n', ['types', 'b']],
    ['types:\n  a: {rest_base: ../x}\n', ['types', 'a']],
    ...routeBases.map((base): [string, string[]] => [`types:\n  own: {rest_base: ${base}}\n`, ['types', 'own']]),
    ...[...routeBases, ...itemNames].map((base): [string, string[]] => [
      `taxonomies:\n  own: {rest_base: ${base}, types: [post]}\n`,
      ['taxonomies', 'own'],
    ]),
    [`types:\n${Array.from({ length: 101 }, (_, at) => `  t${at}: {}\n`).join('')}`, ['types', 't100']],
  ])('%j is dropped and reported', async (text, keys) => {
    const { declaredBy } = await import('../../src/modules/types/declarations.ts');
    const { standardTaxonomies } = await import('../../src/modules/types/taxonomies.ts');
    const { standardTypes } = await import('../../src/modules/types/types.ts');
    const { parseEntry } = await import('../../src/kernel/yaml/codec.ts');
    const parsed = parseEntry('site.yaml', Buffer.from(text), { size: text.length, mtimeMs: 0 });
    if (!('entry' in parsed)) throw new Error(parsed.problem.message);
    const declared = declaredBy(parsed.entry, standardTypes, standardTaxonomies);
    // What exactly is meant may lie further below.
    expect(declared.problems.map((one) => one.keys?.slice(0, keys.length))).toEqual([keys]);
  });

  it('do not prevent the start, all at once', async () => {
    const site = await declare(
      `types:\n${[...new Set([...words, ...small])].map((word) => `  ${word}: {plural: X}\n`).join('')}  user: {}\n  users: {rest_base: users}\n  own: {rest_base: settings}\n  book: {plural: Books}\ntaxonomies:\n${[...new Set([...words, ...small])].map((word) => `  ${word}: {types: [post, ${word}]}\n`).join('')}  secret: {rest_base: password, types: [post]}\n`,
    );
    expect((await site.ask('GET', '/cms/v2/types', { as: 'admin' })).body.book.rest_base).toBe('book');
    expect((await site.ask('GET', '/cms/v2/settings', { as: 'admin' })).body.title).toBe('Quay');
    expect((await site.ask('GET', '/cms/v2/users', { as: 'admin' })).body[0].slug).toBe('admin');
    await site.close();
  });

  it('cannot replace an existing route, field or parameter', async () => {
    const site = await startSite();
    const { routes } = composeSite(site.site);
    const core = routes.filter(({ namespace }) => namespace === 'cms/v2');
    const bases = new Set(core.flatMap(({ path }) => path.split('/')[3] ?? []));
    expect([...bases].filter((base) => !routeBases.includes(base))).toEqual([]);
    const names = new Set(
      [...site.site.postFields.values()].flatMap((fields) =>
        Object.entries(fields).flatMap(([name, { file }]) => [name, file?.key ?? name]),
      ),
    );
    for (const { path, endpoints } of core)
      if (/^\/cms\/v2\/(?:posts|pages|media)(?:\/\(\?P<id>\[\\d\]\+\))?$/.test(path))
        for (const { args } of endpoints) for (const name of Object.keys(args)) names.add(name);
    const free = [...names].filter(
      (name) =>
        !/^_/.test(name) &&
        !routeBases.includes(name) &&
        !itemNames.includes(name) &&
        !/^(?:categories|tags)_exclude$/.test(name),
    );
    expect(free).toEqual([]);
    await site.close();
  });
});
