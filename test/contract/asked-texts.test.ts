/** Texts that depend on the address they are asked for at, over HTTP: each asker gets their own, whatever is kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Module } from '../../src/kernel/module.ts';
import { updateUser } from '../../src/modules/people/users/plan.ts';
import { startSite, type TestSite } from '../support/site.ts';

const loop =
  '<!-- wp:query {"queryId":3,"query":{"postType":"post","perPage":1,"inherit":false,"order":"asc"}} --><div class="wp-block-query"><!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --><!-- wp:query-pagination --><!-- wp:query-pagination-next /--><!-- /wp:query-pagination --></div><!-- /wp:query -->';
const files = {
  'posts/a.md': '---\nid: 11\ntitle: First\nslug: first\ndate: 2025-01-01\n---\nText\n',
  'posts/b.md': '---\nid: 12\ntitle: Second\ndate: 2025-02-01\n---\nText\n',
  'pages/list.html': `---\nid: 20\ntitle: List\n---\n${loop}\n<!-- wp:archives {"displayAsDropdown":true} /-->\n<!-- wp:loginout {"displayLoginAsForm":true} /-->\n`,
  'pages/pattern.html': '---\nid: 21\ntitle: By pattern\n---\n<!-- wp:block {"ref":30} /-->\n',
  'blocks/loop.html': `---\nid: 30\ntitle: Loop\n---\n${loop}\n`,
};

/** Pages that were made: each asks where it is in other languages. */
let made = 0;
const counting: Module = {
  name: 'counting',
  setup(of) {
    of.discovery.push({
      translations() {
        made++;
        return [];
      },
    });
    return { site: {} };
  },
};

describe.each(['basic', 'extended'])('in the %s deployment', (deployment) => {
  const segment = deployment === 'basic' ? '' : '/en';
  let site: TestSite;
  beforeAll(async () => {
    const more =
      deployment === 'basic'
        ? ''
        : 'lang:\n  default: en\n  languages:\n    en: {locale: en_US, name: English, native_name: English}\n';
    site = await startSite({
      modules: [counting],
      files: { ...files, 'site.yaml': `name: Kai\ndeployment: ${deployment}\n${more}` },
    });
    await updateUser(site.site, 1, { password: 'low water' });
  });
  afterAll(() => site.close());

  it('the query string is not reflected in any cached page', async () => {
    const look = async (query: string): Promise<number> => {
      const before = made;
      expect((await site.ask('GET', `${segment}/first/${query}`, { raw: true })).status).toBe(200);
      return made - before;
    };
    expect([await look(''), await look('?query-3-page=2'), await look('?query-zz1-page=7')]).toEqual([1, 0, 0]);
  });

  const titleIn = (html: string): string | undefined => /<h2[^>]*>(.*?)<\/h2>/.exec(html)?.[1];
  const nextIn = (html: string): string | undefined => /href="([^"]*)"[^>]*>Next Page/.exec(html)?.[1];

  it.each([20, 21])('a query loop pages by its own URL, and so does its next link (%i)', async (id) => {
    const look = async (query: string): Promise<string> =>
      (await site.ask('GET', `/cms/v2/pages/${id}${query}`)).body.content.rendered;
    for (let round = 0; round < 2; round++) {
      expect(titleIn(await look('?_fields=content'))).toBe('First');
      expect(nextIn(await look('?_fields=content'))).toBe(`/cms-json/cms/v2/pages/${id}?_fields=content&#038;query-3-page=2`);
      expect(nextIn(await look('?x=1'))).toBe(`/cms-json/cms/v2/pages/${id}?x=1&#038;query-3-page=2`);
      const second = await look('?query-3-page=2');
      expect([titleIn(second), nextIn(second)]).toEqual(['Second', undefined]);
      const { body } = await site.ask('GET', '/cms/v2/pages?query-3-page=2&per_page=5');
      const listed = body.find((one: { id: number }) => one.id === id);
      expect(titleIn(listed.content.rendered)).toBe('Second');
    }
    const { body } = await site.ask('GET', `/wp/v2/pages/${id}`, { root: '/wp-json' });
    expect(nextIn(body.content.rendered)).toBe(`/wp-json/wp/v2/pages/${id}?query-3-page=2`);
  });

  it('a theme page pages its query loops', async () => {
    const look = async (path: string) => site.ask('GET', segment + path, { raw: true });
    for (let round = 0; round < 2; round++) {
      const { body } = await look('/list/?utm=1');
      expect([titleIn(body), nextIn(body)]).toEqual(['First', `${segment}/list/?query-3-page=2`]);
      const second = await look('/list/?query-3-page=2');
      expect([titleIn(second.body), nextIn(second.body)]).toEqual(['Second', undefined]);
      if (deployment === 'basic') expect(second.body).toContain('noindex');
    }
    const { headers } = await look('/list/');
    // The one script is the server's own.
    expect(headers.get('content-security-policy')).toMatch(/; script-src 'sha256-[\w+/]{43}='(?:;|$)/);
    expect((await look('/pattern/')).headers.get('content-security-policy')).toContain("script-src 'none'");
  });

  it('a link in a list of terms points to the term archive', async () => {
    const answer = await site.ask('GET', '/?category_name=uncategorized', { raw: true });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, `${site.url}${segment}/category/uncategorized/`]);
    expect((await site.ask('GET', '/?tag=none', { raw: true })).status).toBe(404);
  });

  it('accepts the sign-in form from pages of this site only; other sites get the form with the name filled in', async () => {
    const send = (headers: Record<string, string>, fields = {}) =>
      site.ask('POST', '/wp-login.php', {
        raw: true,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: String(new URLSearchParams({ log: 'admin', pwd: 'low water', redirect_to: `${site.url}/list/`, ...fields })),
      });
    const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' };
    const entered = await send(own);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/list/']);
    expect(entered.headers.get('set-cookie')).not.toContain('Max-Age');
    expect((await send(own, { rememberme: 'forever' })).headers.get('set-cookie')).toContain('Max-Age');
    expect((await send(own, { pwd: 'wrong' })).status).toBe(403);
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }] as Record<
      string,
      string
    >[]) {
      const asked = await send(headers);
      expect([asked.status, asked.headers.get('location')]).toEqual([200, null]);
      expect(asked.body).toContain('value="admin"');
      expect(asked.body).not.toContain('low water');
    }
  });
});
