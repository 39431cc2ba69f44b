/** A module from outside that completes and refuses writes, reads list parameters, names files and parts what may have one slug. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '../../src/kernel/errors.ts';
import { plainField, text } from '../../src/kernel/model/field.ts';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import type { Extension, Module } from '../../src/kernel/module.ts';
import type { Call } from '../../src/kernel/rest/types.ts';
import { startSite, type TestSite } from '../support/site.ts';

interface Tided {
  readonly id: number;
  readonly tide: string;
}

const marked = /\.(high|low)(?=\.\w+$)/;
const plain = (path: string): string => path.replace(marked, '');

/** High and low: each has slugs and names of its own, `about.low.md` is the page `about` of low tide. */
const tided: Extension = {
  fields: {
    tide: {
      ...plainField<Tided, 'tide'>('tide', text, 'high', of('string', 'High or low.', { context: everywhere }), { index: true }),
      get: ({ tide }: Tided, _view: unknown, { site }: Call) => `${tide} of ${String(site.settings.value('sea'))}`,
      file: {
        key: 'tide',
        read(raw, draft: { tide?: string }, { path, refs }) {
          draft.tide = raw === undefined ? refs.marks?.of(path) || 'high' : text.parse(raw, 'tide');
        },
        print: ({ tide }, { path, refs }) => (tide === (refs.marks?.of(path) || 'high') ? undefined : tide),
      },
    },
  },
  peerGroup: ({ tide }) => tide,
  prepareWrite(write, { params }, before) {
    if (params.tide === 'none') fail('rest_invalid_param', { status: 400 }, 'There is a tide.');
    const tide = (params.tide as string | undefined) ?? (before as Tided | undefined)?.tide ?? 'low';
    return { input: { ...write.input, tide }, once: `tide of ${tide}` };
  },
  fileNames: (path, { tide }) => [path, path.replace(/(?=\.\w+$)/, `.${tide}`)],
  listParams: ({ include = [], ...params }) => ({
    ...params,
    include: (include as number[]).map((id) => (params.next ? id + 1 : id)),
  }),
};

const tides: Module = {
  name: 'tides',
  settings: [{ key: 'sea', group: 'general', schema: of('string', 'Which sea.'), default: 'North' }],
  args: { next: of('boolean', 'Of every id the next.') },
  refs: (settings) => ({
    marks: { of: (path) => (settings.value('sea') === 'none' ? '' : (marked.exec(path)?.[1] ?? '')), plain },
  }),
  extend: { item: tided, term: tided },
};

const files = {
  'pages/about.md': '---\nid: 20\ntitle: About\n---\n',
  'pages/about.low.md': '---\nid: 21\ntitle: Below\n---\n',
  'pages/about/team.md': '---\nid: 22\ntitle: Team\n---\n',
  'pages/about/crew.low.md': '---\nid: 23\ntitle: Crew\n---\n',
};

describe('a module with write hooks', () => {
  let site: TestSite;
  const made = async (base: string, body: object) => {
    const { status, body: item } = await site.ask('POST', `/cms/v2/${base}`, { as: 'admin', body });
    expect(status, JSON.stringify(item)).toBe(201);
    return item;
  };
  beforeAll(async () => {
    site = await startSite({ modules: [tides], files });
  });
  afterAll(() => site.close());

  it('reads flags in file names: the slug is without, the parent is the one with the same flag', async () => {
    const { body } = await site.ask('GET', '/cms/v2/pages?orderby=id&order=asc&_fields=id,slug,parent,tide');
    expect(body).toEqual([
      { id: 20, slug: 'about', parent: 0, tide: 'high of North' },
      { id: 21, slug: 'about', parent: 0, tide: 'low of North' },
      { id: 22, slug: 'team', parent: 20, tide: 'high of North' },
      { id: 23, slug: 'crew', parent: 21, tide: 'low of North' },
    ]);
  });

  it('allows one slug for unrelated items, and names their files', async () => {
    const low = await made('posts', { title: 'Sand', status: 'publish', date: '2026-03-05T10:00:00' });
    const high = await made('posts', { title: 'Sand', status: 'publish', date: '2026-03-05T10:00:00', tide: 'high' });
    const again = await made('posts', { title: 'Sand', status: 'publish', date: '2026-03-05T10:00:00', tide: 'high' });
    expect([low, high, again].map(({ slug, tide }) => [slug, tide])).toEqual([
      ['sand', 'low of North'],
      ['sand', 'high of North'],
      ['sand-2', 'high of North'],
    ]);
    expect(await site.read('posts/2026/03/sand.md')).toContain('tide: low');
    expect(await site.read('posts/2026/03/sand.high.md')).not.toMatch(/tide|slug/);
  });

  it('allows one name for unrelated terms, with separate slugs', async () => {
    const [low, high] = [await made('tags', { name: 'Weed' }), await made('tags', { name: 'Weed', tide: 'high' })];
    expect([low.slug, high.slug]).toEqual(['weed', 'weed-2']);
    const { body } = await site.ask('POST', '/cms/v2/tags', { as: 'admin', body: { name: 'Weed' } });
    expect(body).toMatchObject({ code: 'term_exists', data: { term_id: low.id } });
  });

  it('can refuse a write, which then leaves no file', async () => {
    const { size } = site.site.posts;
    for (const path of ['posts', 'pages/20', 'tags', 'categories/1'])
      expect(
        await site.ask('POST', `/cms/v2/${path}`, { as: 'admin', body: { title: 'x', name: 'x', tide: 'none' } }),
      ).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param' },
      });
    expect(site.site.posts.get(20)?.title).toBe('About');
    expect(site.site.posts.size).toBe(size);
  });

  it('keeps what an update does not set', async () => {
    const { body } = await site.ask('POST', '/cms/v2/pages/20', { as: 'admin', body: { title: 'About us' } });
    expect(body.tide).toBe('high of North');
  });

  it('moves the children of a page, but not those of its neighbor', async () => {
    await site.ask('POST', '/cms/v2/pages/20', { as: 'admin', body: { slug: 'us' } });
    expect(site.site.posts.get(22)).toMatchObject({ path: 'pages/us/team.md', parent: 20 });
    expect(site.site.posts.get(23)).toMatchObject({ path: 'pages/about/crew.low.md', parent: 21 });
    await site.ask('POST', '/cms/v2/pages/21', { as: 'admin', body: { slug: 'below' } });
    expect(site.site.posts.get(23)).toMatchObject({ path: 'pages/below/crew.low.md', parent: 21 });
  });

  it('reads parameters of lists', async () => {
    const list = (query: string) => site.ask('GET', `/cms/v2/pages?_fields=id&include=${query}`).then(({ body }) => body);
    expect(await list('20')).toEqual([{ id: 20 }]);
    expect(await list('20&next=true')).toEqual([{ id: 21 }]);
  });

  it('finds parents that appear later, and loses removed ones', async () => {
    await rm(join(site.dir, site.site.posts.get(21)?.path as string));
    await expect.poll(() => site.site.posts.get(23)?.parent).toBe(0);
    await site.write('pages/below.low.md', files['pages/about.low.md']);
    await expect.poll(() => site.site.posts.get(23)?.parent).toBe(21);
  });
});
