/**
 * A key names everything that an answer depends on: whatever was asked for before, an address answers what it answers alone. And what
 * strangers write into addresses is kept within bounds.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everywhere, of } from '../../src/kernel/model/schema.ts';
import type { Module } from '../../src/kernel/module.ts';
import { createAgingCache } from '../../src/kernel/records/aging-cache.ts';
import { createPrintCache, print } from '../../src/kernel/rest/serialized-json.ts';
import { feedFiles } from '../../src/modules/website/feeds/index.ts';
import { startSite, type TestSite } from '../support/site.ts';

const post = (id: number, title: string, more = ''): string =>
  `---\nid: ${id}\ntitle: ${title}\ndate: 2025-0${1 + (id % 3)}-01T10:00:00\n${more}---\nWords of ${title}.\n`;

/** How often an item was made. */
let asked = 0;
const counting: Module = {
  name: 'counting',
  extend: {
    item: {
      fields: {
        mood: {
          schema: of('string', 'Its mood.', { context: everywhere, readonly: true }),
          get() {
            asked++;
            return 'calm';
          },
        },
      },
    },
  },
};

describe.each(['basic', 'extended'])('in the %s deployment', (deployment) => {
  let site: TestSite;
  beforeAll(async () => {
    const files: Record<string, string> = {
      'site.yaml': `name: Test\ndeployment: ${deployment}\nposts_per_page: 2\nmarkdown_pages: true\n`,
      'pages/still.md': post(901, 'Still'),
      'comments/1/1.yaml': 'id: 950\npost: 900\nauthor_name: Ann\ncontent: Words\nstatus: approved\ndate: 2025-02-01T10:00:00\n',
    };
    for (const id of [900, 902, 903, 904, 905])
      files[`posts/p${id}.md`] = post(
        id,
        `Post ${id}`,
        id % 2 ? 'categories: [one]\ntags: [red]\nauthor: ann\n' : 'format: aside\n',
      );
    site = await startSite({ files, modules: [counting] });
  });
  afterAll(() => site.close());

  async function addresses(): Promise<readonly string[]> {
    const pages = [...site.site.theme.addresses()];
    const rest = ['/posts', '/pages', '/categories', '/posts/900'].map((path) => `/cms-json/cms/v2${path}`);
    const variants = ['', '?s=', '?s=words', '?s=other', '?paged=2', '?replytocom=950', '?commented=waits'];
    return [
      ...pages,
      '/llms.txt',
      '/index.md',
      ...pages.filter((path) => /.\/$/.test(path)).map((path) => path.replace(/\/$/, '.md')),
      ...variants.slice(1).flatMap((query) => ['/', ...pages.slice(1, 4)].map((path) => path + query)),
      ...[...feedFiles(site.site)].map(({ address }) => address),
      ...(await site.site.sitemaps.addresses()),
      ...rest.flatMap((path) =>
        [
          '',
          '?_fields=id',
          '?_fields=title',
          '?_fields=title.rendered',
          '?_fields=title.zz',
          '?_fields=zz',
          '?_embed',
          '?_embed=author',
          '?context=embed',
          '?excerpt_length=1',
          '?page=2',
        ].map((query) => path + query),
      ),
      `/cms-json/oembed/1.0/embed?url=${encodeURIComponent(`${site.site.url}/p900/`)}`,
      `/cms-json/oembed/1.0/embed?url=${encodeURIComponent(`${site.site.url}/p900/`)}&maxwidth=300`,
    ];
  }

  const answer = async (address: string): Promise<unknown> => {
    const { status, body, headers } = await site.ask('GET', address, { raw: true });
    return [status, headers.get('location'), body];
  };
  /** What was kept is good for one state. */
  const forget = (): void => site.site.records.apply([]);

  it('a URL returns the same response whatever was requested before', { timeout: 300_000 }, async () => {
    const all = await addresses();
    expect(all.length).toBeGreaterThan(70);
    const alone = new Map<string, unknown>();
    for (const address of all) {
      forget();
      alone.set(address, await answer(address));
    }
    const wrong: string[] = [];
    for (const [at, first] of all.entries()) {
      forget();
      await answer(first);
      // Twice: some keep what is asked for again.
      await answer(first);
      for (const second of [...all.slice(at + 1), ...all.slice(0, at)])
        if (JSON.stringify(await answer(second)) !== JSON.stringify(alone.get(second))) wrong.push(`${first} then ${second}`);
    }
    expect(wrong).toEqual([]);
  });

  it('unknown names in _fields do not create a response variant', async () => {
    const ask = async (fields: string): Promise<unknown> =>
      (await site.ask('GET', `/cms-json/cms/v2/posts/900?_fields=${fields}`, { raw: true })).body;
    const shape = await ask('slug,mood,title.rendered');
    const before = asked;
    for (let at = 0; at < 20; at++) expect(await ask(`slug,mood,zz${at},title.rendered,zz.${at}`)).toEqual(shape);
    expect(asked).toBe(before);
    // Names that mean something are other forms.
    expect(await ask('mood,title.rendered')).not.toEqual(shape);
    expect(asked).toBe(before + 1);
  });
});

describe('the response cache', () => {
  it('counts the names of variants', () => {
    const cache = createAgingCache<string>(1_000_000, (text) => text.length);
    const record = {};
    cache.set('first', record, 'x');
    for (let at = 0; at < 2000; at++) cache.set(`form ${at} ${'n'.repeat(1000)}`, record, 'x');
    expect(cache.get('first', record)).toBeUndefined();
  });

  it('has room for hundreds of variants, and one-off requests evict none', () => {
    const cache = createPrintCache(1_000_000);
    const record = {};
    const used = cache.variant('used');
    used?.set(record, 1, print({ a: 1 }));
    for (let at = 0; at < 5000; at++) cache.variant(`once ${at}`)?.set(record, 1, print({ at }));
    expect(cache.variant('used')?.get(record, 1)).toBeDefined();
    expect(cache.variant('a new one')).toBeNull();
    expect(cache.variant('a new one')).not.toBeNull();
    for (let at = 0; at < 400; at++) {
      cache.variant(`twice ${at}`);
      cache.variant(`twice ${at}`)?.set(record, 1, print({ at }));
    }
    expect(cache.variant('used')?.get(record, 1)).toBeUndefined();
  });
});
