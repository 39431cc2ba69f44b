/** Pages elsewhere (`front: https://…`) or nowhere (`theme: none`): the interface and media do not notice. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../../cli/run.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { files, quay, settings } from './sample.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

async function siteWith(more: string): Promise<TestSite> {
  const site = await startSite({ files: { ...files, 'site.yaml': settings + more } });
  onTestFinished(() => site.close());
  await mkdir(join(site.dir, 'media'), { recursive: true });
  await writeFile(join(site.dir, 'media/quay.png'), await quay());
  return site;
}

const get = (site: TestSite, path: string) => site.ask('GET', path, { raw: true });

describe.each([
  ['https://front.example/', 'https://front.example'],
  ['http://localhost:4321/site', 'http://localhost:4321/site'],
])('front: %s', (front, base) => {
  it('redirects pages there, with path and query', async () => {
    const site = await siteWith(`front: ${front}\n`);
    for (const path of [
      ...['/', '/post-1/', '/category/notes/page/2/?a=1&b=%2F', '/?s=tide', '/nothing/', '/?p=101', '/former/'],
      '//evil.example/x',
    ]) {
      const { status, headers } = await get(site, path);
      expect([status, headers.get('location')]).toEqual([302, base + path.replace(/^\/+/, '/')]);
    }
  });
});

it('a preview redirects there, with its token', async () => {
  const site = await siteWith('front: https://front.example\n');
  const { headers } = await site.ask('GET', '/cms/v2/posts/121?context=edit', { as: 'admin' });
  const [, link = ''] = /<([^>]+)>; rel="preview"/.exec(headers.get('link') ?? '') ?? [];
  const { status, headers: led } = await get(site, link.slice(site.url.length));
  expect(status).toBe(302);
  expect(led.get('location')).toBe(`https://front.example${link.slice(site.url.length)}`);
  expect(led.get('location')).toContain('preview_nonce=');
});

describe.each(['front: https://front.example', 'theme: none'])('with %s', (line) => {
  it('the API, media, feeds and sitemaps are unchanged', async () => {
    const [plain, site] = [await siteWith(''), await siteWith(`${line}\n`)];
    const same = async (path: string, as?: string) => {
      const answers = [];
      for (const one of [plain, site]) {
        const { status, body } = await one.ask('GET', path, as === undefined ? {} : { as });
        answers.push([status, JSON.stringify(body).replaceAll(one.url, '')]);
      }
      expect(answers[1], path).toEqual(answers[0]);
    };
    await same('/cms/v2/posts?_fields=id,link,content');
    await same('/cms/v2/settings', 'admin');
    for (const { path, status } of [
      { path: '/uploads/quay.png', status: 200 },
      { path: '/feed/', status: 200 },
      { path: '/sitemap.xml', status: 200 },
    ])
      expect([path, (await get(site, path)).status]).toEqual([path, status]);
    expect((await run(['validate', site.dir])).out).not.toMatch(/site\.yaml.*error/);
  });
});

it('theme: none shows no pages, and still redirects', async () => {
  const site = await siteWith('theme: none\n');
  for (const path of ['/', '/post-1/', '/category/notes/', '/theme/style.css'])
    expect([path, (await get(site, path)).status]).toEqual([path, 404]);
  expect((await get(site, '/')).body).not.toContain('<');
  const { status, headers } = await get(site, '/former/');
  expect([status, headers.get('location')]).toEqual([301, `${site.url}/about/`]);
  expect((await get(site, '/gone/')).status).toBe(410);
});

it('the front page of a front end is still a page for clients', async () => {
  const site = await siteWith('front: https://front.example\nfront_page: about\n');
  const { body } = await site.ask('GET', '/cms/v2/settings', { as: 'admin' });
  expect(body).toMatchObject({ show_on_front: 'page', page_on_front: 61 });
  expect((await site.ask('GET', '/cms/v2/pages/61')).body.link).toBe(`${site.url}/`);
  // What a client sends back as it was changes nothing.
  await site.ask('POST', '/cms/v2/settings', { as: 'admin', body: { show_on_front: 'page', title: 'Other' } });
  expect(await site.read('site.yaml')).toContain('front: https://front.example');
});
