/** Links of answers under the neutral root: they name the site, and no host that is somebody else's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  const files = {
    'site.yaml': 'name: Quay\ntimezone: UTC\ndeployment: extended\nlang: { default: en, languages: { en: English } }\n',
    'posts/a.md': '---\nid: 5\ntitle: A\ntags: [tide]\n---\nText\n',
    'comments/5/6.html': '---\nid: 6\n---\nSaid\n',
  };
  site = await startSite({ files });
});
afterAll(() => site.close());

/** Every `href`, and the members of `_links` alone. */
const linksIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, one]) =>
        key === '_links'
          ? Object.values(one as object).flatMap((links) => [links].flat().flatMap(({ href = [] }) => href))
          : linksIn(one),
      );

it('links in the API point to this site', async () => {
  const { body } = await site.ask('GET', '/');
  const routes = Object.keys(body.routes).filter((route) => !route.includes('('));
  let count = 0;
  for (const route of [...routes, '/cms/v2/posts/5', '/cms/v2/posts/5?_embed', '/cms/v2/types/post', '/cms/v2/users/1']) {
    const found = linksIn((await site.ask('GET', route, { as: 'admin' })).body);
    expect([route, found.filter((href) => !href.startsWith(`${site.url}/`))]).toEqual([route, []]);
    count += found.length;
  }
  expect(count).toBeGreaterThan(300);
});

it('links of frames in texts point to the post', async () => {
  const { link } = (await site.ask('GET', '/cms/v2/posts/5')).body;
  const content = `<!-- wp:embed {"url":"${link}"} --><figure class="wp-block-embed"><div>\n${link}\n</div></figure><!-- /wp:embed -->`;
  const { body } = await site.ask('POST', '/cms/v2/posts', {
    as: 'admin',
    body: { title: 'Quoting', content, status: 'publish' },
  });
  const [, framed = ''] = /src="([^"#]+)/.exec(body.content.rendered) ?? [];
  expect(framed).toBe(`${link}embed/`);
  const { status, headers } = await site.ask('GET', framed.slice(site.url.length), { raw: true });
  expect(status).toBe(301);
  expect(new URL(headers.get('location') as string, site.url).href).toBe(link);
  expect((await site.ask('GET', '/en/nothing/embed/', { raw: true })).status).toBe(404);
});
