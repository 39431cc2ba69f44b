/** Whatever stands in titles, names, menus, addresses and searches: pages show it as text, and nothing of it runs. */
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';

const attack = `"'><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7 | times: 6 }}{% raw %}`;
const yaml = JSON.stringify(attack);

const files = {
  'site.yaml': `name: ${yaml}\ndescription: ${yaml}\nmenu_locations:\n  primary: Header\ntypes:\n  thing:\n    plural: ${yaml}\n    has_archive: true\n`,
  'users/eve.yaml': `id: 21\nname: ${yaml}\ndescription: ${yaml}\nurl: "javascript:alert(3)"\n`,
  'terms/category/bad.yaml': `id: 31\nname: ${yaml}\ndescription: ${yaml}\n`,
  'menus/main.yaml': `id: 41\nname: Main\nlocations: [primary]\nitems:\n  - url: "javascript:alert(4)"\n    title: ${yaml}\n    id: 51\n  - url: "data:text/html,<script>alert(5)</script>"\n    title: Data\n    id: 52\n`,
  'posts/bad.md': `---\nid: 61\ntitle: ${yaml}\nauthor: eve\ncategories: [bad]\ncomments: open\ndate: 2026-03-01T10:00:00\n---\nText\n`,
  'posts/plain.md': `---\nid: 62\ntitle: Plain\nauthor: eve\ndate: 2026-03-02T10:00:00\n---\n{{ site.name }} {% include 'x' %}\n`,
  'pages/bad.md': `---\nid: 63\ntitle: ${yaml}\n---\nText\n`,
  'comments/61/1.md': `---\nid: 1\nname: ${yaml}\nurl: "javascript:alert(6)"\ndate: 2026-03-10T10:00:00\n---\nWords\n`,
};

describe.each(['basic', 'extended'])('hostile content, %s', (deployment) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files: { ...files, 'site.yaml': `${files['site.yaml']}deployment: ${deployment}\n` } });
  });
  afterAll(() => site.close());

  it.each([
    '/',
    '/bad/',
    '/plain/',
    '/category/bad/',
    '/author/eve/',
    '/2026/03/',
    '/thing/',
    '/nothing/',
    `/?s=${encodeURIComponent(attack)}`,
    `/${encodeURIComponent(attack)}/`,
    `/nothing/?x=${encodeURIComponent(attack)}`,
  ])('%s', async (path) => {
    const first = await site.ask('GET', path, { raw: true });
    const to = first.headers.get('location');
    const { body, headers } = to ? await site.ask('GET', to.slice(site.url.length), { raw: true }) : first;
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(headers.get('content-security-policy')).toMatch(/(?:^|; )script-src 'none'(?:;|$)/);
    const { active, links } = read(body);
    expect(active).toEqual([]);
    expect(links.filter((link) => !/^(?:https?:|\/|#|mailto:)/.test(link))).toEqual([]);
    // What looks like a template in content is text.
    expect(body).not.toMatch(/alert\(2\)&gt;42/);
    if (path === '/plain/') expect(body).toContain('{{ site.name }}');
  });

  it('cannot redirect visitors elsewhere', async () => {
    for (const path of ['//evil.example/', '/\\evil.example/', '//evil.example/page/1/', '/index.php//evil.example/']) {
      const { status, headers } = await site
        .ask('GET', path, { raw: true })
        .catch(() => ({ status: 400, headers: new Headers() }));
      const location = headers.get('location');
      expect([path, status >= 300 && status < 400 ? location?.startsWith(`${site.url}/`) : true]).toEqual([path, true]);
    }
  });
});

/** Elements and attributes that would run something, and addresses of links and forms. */
function read(html: string): { readonly active: readonly string[]; readonly links: readonly string[] } {
  const active: string[] = [];
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      // The search metadata of the extended deployment is data in an element of this name.
      const isData = name === 'script' && attributes.type === 'application/ld+json';
      if ((name === 'script' && !isData) || name === 'object' || name === 'embed' || name === 'base') active.push(name);
      if (name === 'img' && attributes.src === 'x') active.push('img');
      for (const key of Object.keys(attributes)) if (key.startsWith('on')) active.push(`${name} ${key}`);
      for (const key of ['href', 'src', 'action']) if (attributes[key]) links.push(attributes[key] as string);
    },
  });
  parser.end(html);
  return { active, links };
}
