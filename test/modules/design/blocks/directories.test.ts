import { describe, expect, it } from 'vitest';
import { askDirectory, readBlocks, readPatterns } from '../../../../src/modules/design/blocks/directories.ts';
import { FetchError, type Fetcher } from '../../../../src/http-client/fetch.ts';

function answering(status: number, body: string): Fetcher & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    refusal: () => null,
    download: () => Promise.reject(new Error('not asked for')),
    send: () => Promise.reject(new Error('not asked for')),
    get: async (url) => {
      asked.push(url);
      if (status === 0) throw new FetchError('no', { refused: true });
      return { url, status, headers: {}, body: Buffer.from(body), isCut: false };
    },
  };
}

describe('a block directory', () => {
  it("is requested with the site's versions", async () => {
    const fetcher = answering(200, '[]');
    expect(
      await askDirectory(fetcher, 'https://directory.example/p?v=1', { page: 2, search: undefined, slug: ['a', 'b'] }),
    ).toEqual([]);
    expect(fetcher.asked).toEqual(['https://directory.example/p?v=1&page=2&slug%5B%5D=a&slug%5B%5D=b']);
  });

  it.each([
    ['is not named', '', 200, '[]'],
    ['cannot be reached', 'https://directory.example', 0, ''],
    ['fails', 'https://directory.example', 503, '[]'],
    ['says no JSON', 'https://directory.example', 200, '<p>'],
  ])('that %s returns nothing', async (_, address, status, body) => {
    expect(await askDirectory(answering(status, body), address, {})).toBeNull();
  });

  it('lists blocks and patterns', () => {
    const plugin = {
      name: 'Maps',
      slug: 'maps',
      rating: 90,
      num_ratings: 4,
      author: '<a>Ann</a>',
      last_updated: '2026-01-02 3:04pm GMT',
      blocks: { 'maps/map': { name: 'maps/map', title: 'Map' } },
    };
    expect(readBlocks({ plugins: [plugin, { name: 'No block' }] })).toMatchObject([
      { name: 'maps/map', title: 'Map', id: 'maps', rating: 4.5, author: 'Ann', updated: '2026-01-02T15:04:00' },
    ]);
    const pattern = {
      id: 7,
      title: { rendered: 'Top' },
      pattern_content: 'x',
      category_slugs: ['header'],
      meta: { x_viewport_width: 800, x_description: 'A top', x_keywords: 'a, b' },
    };
    expect(readPatterns([pattern])).toEqual([
      {
        id: 7,
        title: 'Top',
        content: 'x',
        categories: ['header'],
        keywords: ['a', 'b'],
        description: 'A top',
        viewportWidth: 800,
        blockTypes: [],
      },
    ]);
    expect(readBlocks({})).toBeNull();
    expect(readPatterns({})).toBeNull();
  });
});
