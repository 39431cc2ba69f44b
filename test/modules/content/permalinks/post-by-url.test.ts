import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathBelow, postAt } from '../../../../src/modules/content/permalinks/post-by-url.ts';
import { isPublic, prettyLink } from '../../../../src/modules/content/permalinks/record.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

let site: TestSite;

beforeAll(async () => {
  site = await startSite({
    files: {
      'posts/2022/01/one.md': '---\nid: 10\ntitle: One\ndate: 2022-01-05 10:00\n---\n',
      'posts/2022/01/same.md': '---\nid: 11\ntitle: Same\ndate: 2022-01-06 10:00\n---\n',
      'posts/2022/02/grün.md': '---\nid: 12\ntitle: Grün\ndate: 2022-02-06 10:00\nslug: grün-привет\n---\n',
      'pages/same.md': '---\nid: 20\ntitle: Same\n---\n',
      'pages/same/below.md': '---\nid: 21\ntitle: Below\n---\n',
      'posts/2022/03/draft.md': '---\nid: 13\ntitle: Draft\nstatus: draft\n---\n',
    },
  });
  await site.write(
    'site.yaml',
    `${await site.read('site.yaml')}permalink: /{year}/{month}/{slug}/\nfront: page\nfront_page: same\n`,
  );
  await site.site.reload();
});

afterAll(() => site.close());

describe('a URL', () => {
  it('resolves to the post with that permalink', () => {
    for (const post of site.site.posts.all()) {
      if (isPublic(site.site, post)) expect(postAt(site.site, site.url + prettyLink(site.site, post))?.id).toBe(post.id);
    }
  });

  it.each<[string, number | undefined]>([
    ['/2022/01/one/', 10],
    ['/2022/02/one/', undefined],
    ['/one/', undefined],
    ['/', 20],
    ['/same/below', 21],
    ['/?p=13', 13],
    ['/?p=x', 20],
    ['/%E0%A4%A', undefined],
    ['/nothing/', undefined],
  ])('%s', (path, id) => {
    expect(postAt(site.site, site.url + path)?.id).toBe(id);
  });

  it.each(['', 'nonsense', 'https://other.example/2022/01/one/', '//x'])('is not found outside the site: %s', (address) => {
    expect(postAt(site.site, address)).toBeUndefined();
  });
});

it.each([
  ['https://quay.example/blog/one/', '/one/'],
  ['http://www.quay.example/cms/one/', '/one/'],
  ['https://quay.example/cms', ''],
  ['https://quay.example/cmsx/one/', null],
  ['https://quay.example/', null],
  ['https://other.example/blog/one/', null],
])('%s below one of two sites on one host', (address, path) => {
  const homes = ['https://quay.example/blog', 'https://quay.example/cms/'].map((home) => new URL(home));
  expect(pathBelow(homes, new URL(address))).toBe(path);
});
