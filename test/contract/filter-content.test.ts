/** Scripts in every text that a content file can hold: with CMS_FILTER_CONTENT none goes out, without it `validate` reports each. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite } from '../../src/open-site.ts';
import { run, temporary } from '../cli/run.ts';
import { findings, sound } from '../validate/findings.ts';
import { activeAddresses, runs, scripts } from '../support/scripts.ts';
import { startSite, type TestSite } from '../support/site.ts';

/** All of them, as one line of YAML. Control characters are not for YAML; bodies have them. */
const all = scripts.map((script) => script.replace(/[\n\f]/g, ' ').replace(/[\u0000-\u0008]/g, '')).join(' . ');
const quoted = JSON.stringify(all);
const alone = JSON.stringify('<img src=x onerror=alert(1)><script>alert(1)</script><a href="javascript:alert(1)">x</a>');
const body = scripts.map((script) => script.replaceAll('\u0000', '')).join('\n\n');

function filesWith(text: string): Record<string, string> {
  const matter = (more: string): string => `---\n${more}---\n`;
  const own = `title: ${text}\nexcerpt: ${text}\ndate: 2026-01-02\n`;
  return {
    'site.yaml': `name: ${alone}\ndescription: ${alone}\nmenu_locations:\n  top: ${alone}\ntemplates:\n  wide: ${alone}\ntheme:\n  name: ${alone}\n  description: ${text}\n  author: ${alone}\n  tags: [${alone}]\n  settings: {color: {palette: [{name: ${text}, color: ${text}}]}}\n  styles: {css: ${text}, elements: {link: {css: ${text}}}}\ntypes:\n  book:\n    plural: ${alone}\n    singular: ${alone}\n    description: ${alone}\n    taxonomies: [genre]\n    fields: {blurb: {type: string, description: ${alone}}}\ntaxonomies:\n  genre: {plural: ${alone}, description: ${alone}}\n`,
    'posts/2026/01/html.html': `${matter(`id: 10\n${own}author: eve\ntags: [bad]\nfeatured_media: 2026/a.txt\n`)}${body}\n`,
    'posts/2026/01/md.md': `${matter(`id: 11\n${own}`)}${body}\n`,
    'posts/2026/01/blocks.html': `${matter('id: 12\ntitle: Blocks\ndate: 2026-01-02\n')}<!-- cms:paragraph -->\n<p>x</p>\n<!-- /cms:paragraph -->\n${body}\n`,
    'posts/2026/01/generated.html': `${matter(`id: 13\ntitle: ${alone}\ndate: 2026-01-02\n`)}Some words. ${body}\n`,
    'pages/bad.md': `${matter(`id: 14\n${own}`)}${body}\n`,
    'book/bad.md': `${matter(`id: 15\n${own}genre: [bad]\nmeta:\n  blurb: ${text}\n`)}${body}\n`,
    'terms/category/bad.yaml': `id: 10\nname: ${text}\ndescription: ${text}\n`,
    'terms/tag/bad.yaml': `id: 11\nname: ${text}\ndescription: ${text}\n`,
    'terms/genre/bad.yaml': `id: 12\nname: ${text}\ndescription: ${text}\n`,
    'users/eve.yaml': `id: 10\nname: ${text}\nfirst_name: ${text}\nlast_name: ${text}\nnickname: ${text}\ndescription: ${text}\nurl: "javascript:alert(1)"\n`,
    'comments/10/1.html': `${matter(`id: 1\nname: ${text}\nurl: "javascript:alert(1)"\n`)}${body}\n`,
    'comments/10/2.md': `${matter(`id: 2\nname: Eve\n`)}${body}\n`,
    'menus/main.yaml': `id: 20\nname: ${text}\ndescription: ${text}\nlocations: [top]\nitems:\n${activeAddresses
      .map(
        (address, at) =>
          `  - id: ${100 + at}\n    title: ${text}\n    url: ${JSON.stringify(address.replace(/[\u0000-\u0008]/g, ''))}\n    attr_title: ${text}\n    description: ${text}\n    target: ${alone}\n    classes: [${alone}]\n    rel: ${alone}\n`,
      )
      .slice(0, 30)
      .join('')}`,
    'media/2026/a.txt': 'x',
    'media/2026/a.txt.yaml': `id: 21\ntitle: ${text}\ncaption: ${text}\ndescription: ${text}\nalt: ${text}\n`,
    'sidebars/side.yaml': `name: ${alone}\ndescription: ${text}\nbefore_widget: ${text}\nafter_widget: ${text}\nbefore_title: ${text}\nafter_title: ${text}\nwidgets:\n  - {id: custom_html-1, title: ${text}, content: ${text}}\n  - {id: text-1, title: ${text}, text: ${text}}\n  - {id: block-1, content: ${text}}\n  - {id: recent-posts-1, title: ${text}}\n  - {id: tag_cloud-1, title: ${text}}\n`,
    'templates/index.html': `${matter(`id: 22\ntitle: ${text}\nexcerpt: ${text}\n`)}${body}\n`,
    'template-parts/head.html': `${matter(`id: 23\ntitle: ${text}\n`)}${body}\n`,
    'blocks/bad.html': `${matter(`id: 24\ntitle: ${text}\n`)}${body}\n`,
    'navigation/bad.html': `${matter(`id: 25\ntitle: ${text}\n`)}${body}\n`,
    'styles/site.html': `${matter(`id: 26\ntitle: ${text}\n`)}${JSON.stringify({ settings: { a: all }, styles: { css: all, blocks: { x: { css: all } } } })}\n`,
    'patterns/bad.html': `${matter(`title: ${text}\ndescription: ${text}\ncategories: [${alone}]\nkeywords: [${alone}]\n`)}${body}\n`,
    'fonts/bad.yaml': `name: ${text}\nfontFamily: ${text}\npreview: "javascript:alert(1)"\n`,
    'fonts/collections/bad.yaml': `name: ${text}\ndescription: ${text}\ncategories: [{name: ${text}, slug: x}]\n`,
    'revisions/10/1.html': `${matter(`id: 30\nparent: 10\ntitle: ${text}\nexcerpt: ${text}\ndate: 2026-01-02\n`)}${body}\n`,
  };
}

/** Every text in an answer but what is as stored. */
function* textsOf(data: unknown, path: string, skipped: readonly string[]): Generator<readonly [string, string]> {
  if (typeof data === 'string') yield [path, data];
  else if (data !== null && typeof data === 'object')
    for (const [key, value] of Object.entries(data)) {
      yield [`${path}.(key)`, key];
      if (!skipped.includes(key)) yield* textsOf(value, `${path}.${key}`, skipped);
    }
}

const lists =
  'posts pages book categories tags genre users comments media menus menu-items blocks navigation templates template-parts sidebars widgets ' +
  'widget-types menu-locations types taxonomies statuses themes settings search block-patterns/patterns block-patterns/categories font-families ' +
  'font-collections global-styles/themes/site global-styles/26 posts/10 posts/11 posts/12 posts/13 pages/14 book/15 media/21 menus/20 users/10 ' +
  'posts/10/revisions posts/10/autosaves comments/1 comments/2 sidebars/side themes/site types/book taxonomies/genre templates/lookup?slug=index ' +
  'icons icon-collections view-config?kind=postType&name=cms_block';

async function activeIn(site: TestSite): Promise<string[]> {
  const found: string[] = [];
  const look = (asked: string, answer: unknown, skipped: readonly string[]): void => {
    for (const [path, text] of textsOf(answer, asked, skipped))
      for (const what of runs(text)) found.push(`${path}: ${what.slice(0, 100)}`);
  };
  const asks: string[] = [];
  for (const list of lists.split(' '))
    for (const query of ['', 'context=edit', 'context=embed', '_embed&context=view'])
      asks.push(`/cms/v2/${list}${query === '' ? '' : `${list.includes('?') ? '&' : '?'}${query}`}`);
  for (const address of ['/', '/?p=10', '/html/', '/md/', '/blocks/'].map((path) => encodeURIComponent(site.url + path)))
    asks.push(`/oembed/1.0/embed?url=${address}`);
  for (const path of asks) {
    const { body: answer } = await site.ask('GET', path, { as: 'admin' });
    look(path, answer, path.includes('context=edit') ? ['raw', 'meta', 'instance'] : ['raw']);
    if (!path.includes('edit')) look(`visitor ${path}`, (await site.ask('GET', path)).body, []);
  }
  for (const block of [
    'latest-posts',
    'archives',
    'categories',
    'page-list',
    'tag-cloud',
    'site-title',
    'site-tagline',
    'post-title',
    'post-content',
    'post-excerpt',
    'post-terms',
    'post-author-name',
    'calendar',
    'search',
    'home-link',
  ]) {
    const { body: answer } = await site.ask('GET', `/cms/v2/block-renderer/core/${block}?context=edit&post_id=10`, {
      as: 'admin',
    });
    look(`block ${block}`, answer, []);
  }
  for (const path of ['/', '/html/', '/md/', '/blocks/', '/generated/', '/bad/', '/book/bad/']) {
    const { body: page } = await site.ask('GET', path, { raw: true });
    look(`page ${path}`, page, []);
  }
  return found;
}

describe('with CMS_FILTER_CONTENT', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files: filesWith(quoted), operator: { filter_content: true } });
  });
  afterAll(() => site.close());

  it('no active content is served', async () => {
    expect(site.log).toEqual([]);
    expect(await activeIn(site)).toEqual([]);
    expect(site.log).toEqual([]);
  });

  it('every route that lists something is covered', () => {
    const routes = composeSite(site.site).routes.filter(
      ({ path, endpoints }) => /^\/cms\/v2\/[^(]+$/.test(path) && endpoints.some(({ methods }) => methods.includes('GET')),
    );
    const asked = lists.split(' ').map((one) => `/cms/v2/${one}`);
    const left = routes
      .map(({ path }) => path)
      .filter((path) => !asked.includes(path) && !asked.some((one) => one.startsWith(`${path}?`)));
    expect(
      left.filter(
        (path) =>
          !/users\/me|plugins|block-types|block-directory|pattern-directory|cms_pattern_category|templates\/lookup|template-parts\/lookup/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });

  it('stored content stays as it is for those who edit it', async () => {
    const { body: post } = await site.ask('GET', '/cms/v2/posts/10?context=edit', { as: 'admin' });
    expect(post.content.raw).toBe(body);
    expect(post.title.raw).toBe(all);
    expect(post.content.rendered).not.toContain('<iframe');
    expect(await site.read('posts/2026/01/html.html')).toContain(body);
  });

  it('content that authors may write is unchanged', async () => {
    const text =
      '<h2 class="a" style="color:red">T</h2>\n<p>a <em>b</em> <a href="https://example.com/?a=1&amp;b=2">c</a> <img src="/uploads/x.png" alt="d" /></p>';
    await site.write(
      'posts/2026/01/fine.html',
      `---\nid: 40\ntitle: A <em>b</em> & "c"\ndate: 2026-01-02\n---\n<!-- cms:html -->\n${text}\n<!-- /cms:html -->\n`,
    );
    await site.write(
      'posts/2026/01/fine.md',
      '---\nid: 41\ntitle: M\nslug: fine-md\ndate: 2026-01-02\n---\n> quoted\n\n- [x] done\n- [ ] *open*\n\n`<script>`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    );
    await site.site.ingest(await site.site.store.reread(['posts/2026/01/fine.html', 'posts/2026/01/fine.md']));
    const plain = await startSite({
      files: {
        'posts/2026/01/fine.html': await site.read('posts/2026/01/fine.html'),
        'posts/2026/01/fine.md': await site.read('posts/2026/01/fine.md'),
      },
    });
    for (const id of [40, 41]) {
      const [filtered, free] = [
        (await site.ask('GET', `/cms/v2/posts/${id}`)).body,
        (await plain.ask('GET', `/cms/v2/posts/${id}`)).body,
      ];
      const here = (html: string): string =>
        html
          .replaceAll(site.url, '')
          .replaceAll(plain.url, '')
          .replace(/ decoding="async"/g, '');
      expect(here(filtered.content.rendered)).toBe(here(free.content.rendered));
      expect(filtered.title.rendered).toBe(free.title.rendered.replace('&#038;', '&amp;'));
    }
    await plain.close();
  });

  it('no active content is in feeds or in any file of the static export', async () => {
    const out = join(await temporary(), 'static');
    const options = { env: { CMS_FILTER_CONTENT: '1' } };
    const { status, err } = await run(
      ['export', site.dir, '--format', 'static', '--url', 'https://quay.example', '--out', out],
      options,
    );
    expect([status, err]).toEqual([0, expect.anything()]);
    const found: string[] = [];
    const names = await readdir(out, { recursive: true });
    expect(names.filter((name) => /feed|rss|atom/.test(name)).length).toBeGreaterThan(2);
    for (const name of names) {
      if (!/\.(?:json|xml|html)$/.test(name)) continue;
      const text = await readFile(join(out, name), 'utf8');
      if (name.endsWith('.json')) {
        for (const [path, one] of textsOf(JSON.parse(text), name, ['raw']))
          for (const what of runs(one)) found.push(`${path}: ${what.slice(0, 100)}`);
        continue;
      }
      for (const what of runs(text)) found.push(`${name}: ${what.slice(0, 100)}`);
      // Text of a page is shown as text; that of a feed is markup for whoever reads it.
      if (name.endsWith('.html')) continue;
      const parser = new Parser(
        { ontext: (one) => void found.push(...runs(one).map((what) => `${name}: ${what.slice(0, 100)}`)) },
        { xmlMode: true, decodeEntities: true },
      );
      parser.end(text);
    }
    expect(found).toEqual([]);
  }, 120_000);
});

describe('a route that builds its own output', () => {
  const files = {
    'site.yaml': 'name: A\ndeployment: extended\n',
    'posts/a.html': '---\nid: 10\ntitle: A\ndate: 2026-01-02\n---\nText\n',
  };

  it.each([
    { filter_content: true, shown: false },
    { filter_content: false, shown: true },
  ])('is covered as well: $filter_content', async ({ filter_content, shown }) => {
    const site = await startSite({ files, operator: { filter_content } });
    const path = `/seo/v1/get_head?url=${encodeURIComponent(`${site.url}/?p=10`)}`;
    for (const query of ['', '', '&_fields=html', '&_envelope']) {
      const { body } = await site.ask('GET', path + query);
      const { html } = query === '&_envelope' ? body.body : body;
      expect([html.includes('<title>A'), html.includes('<script')]).toEqual([true, shown]);
    }
    await site.close();
  });
});

describe('without CMS_FILTER_CONTENT', () => {
  it('content of files is served as an administrator could write it', async () => {
    const site = await startSite({
      files: { 'posts/2026/01/a.html': '---\nid: 10\ntitle: A\ndate: 2026-01-02\n---\n<script>alert(1)</script>\n' },
    });
    expect((await site.ask('GET', '/cms/v2/posts/10')).body.content.rendered).toContain('<script>alert(1)</script>');
    await site.close();
  });

  it('validate reports each file and key', async () => {
    const files = filesWith(alone);
    const found = (await findings({ ...sound, ...files, 'media/2026/a.txt': 'x' })).filter(
      ({ rule }) => rule === 'active-content',
    );
    expect(new Set(found.map(({ path }) => path))).toEqual(
      new Set(Object.keys(files).filter((path) => path !== 'media/2026/a.txt')),
    );
    expect(found.every(({ severity }) => severity === 'warning')).toBe(true);
    const lines = found.filter(({ path }) => path === 'users/eve.yaml').map(({ line, column }) => `${line}:${column}`);
    expect(lines).toEqual(['2:7', '3:13', '4:12', '5:11', '6:14', '7:6']);
  });

  it.each(
    scripts.filter(
      (script) =>
        /^<(?:script|img|svg|a |iframe|div|details|body|object)/.test(script) &&
        runs(script).length > 0 &&
        !script.includes('\n'),
    ),
  )('validate reports %j once, with its line', async (script) => {
    const found = await findings({ 'site.yaml': 'name: Quay\n', 'posts/a.html': `---\nid: 9\n---\nText\n\nMore ${script}\n` });
    const told = found.filter(({ rule }) => rule === 'active-content').map(({ line }) => line);
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThanOrEqual(2);
    expect(new Set(told)).toEqual(new Set([6]));
  });

  it('validate ignores code, comments and embeds', async () => {
    const text =
      '`<script>x</script>`\n\n```html\n<img src=x onerror=alert(1)>\n```\n\n<!-- <script>x</script> -->\n\n<iframe src="https://video.example/1"></iframe>\n';
    const found = await findings({ 'site.yaml': 'name: Quay\n', 'posts/a.md': `---\nid: 9\n---\n${text}` });
    expect(found.filter(({ rule }) => rule === 'active-content')).toEqual([]);
  });
});
