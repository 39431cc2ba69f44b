/** `theme/` beside `site.yaml`: a template, the style, or files of a site's own, and what is wrong with them. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rm } from 'node:fs/promises';
import { run } from '../../../cli/run.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { files } from './sample.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ files });
});
afterAll(() => site.close());
afterEach(async () => {
  await rm(join(site.dir, 'theme'), { recursive: true, force: true });
  await until(async () => (await page('/post-1/')).includes('<article class="item">'));
});

const get = (path: string) => site.ask('GET', path, { raw: true });
const page = async (path: string): Promise<string> => (await get(path)).body;
const put = (path: string, text: string) => site.write(`theme/${path}`, text);
/** The page once the theme is another one. */
const shows = (path: string, text: string): Promise<string> =>
  until(async () => {
    const body = await page(path);
    return body.includes(text) ? body : null;
  });

/** A page is asked for until the log has the line. */
const says = (line: RegExp) => until(async () => (await page('/')) !== '' && site.log.some((one) => line.test(one)));

describe('a custom theme', () => {
  it('can replace one template', async () => {
    await put('entry.liquid', '<p class="mine"><a href="{{ post.url }}">{{ post.title | upcase }}</a></p>');
    const body = await shows('/', '<p class="mine">');
    expect(body).toContain('>POST 9</a>');
    expect(body).toContain('class="site-header"');
    expect(await page('/post-1/')).toContain('<article class="item">');
  });

  it('can have templates for one item, one type, one term', async () => {
    const template = (name: string) => `{% layout 'layout' %}{% block main %}<h1>${name}: {{ page.title }}</h1>{% endblock %}`;
    for (const name of ['page-imprint', 'boat', 'category-notes', 'archive-boat', 'author', '404'])
      await put(`${name}.liquid`, template(name));
    await shows('/imprint/', '<h1>page-imprint: Imprint</h1>');
    expect(await page('/about/')).toContain('<h1>About</h1>');
    expect(await page('/boat/elsa/')).toContain('<h1>boat: Elsa</h1>');
    expect(await page('/category/notes/')).toContain('<h1>category-notes: Notes</h1>');
    expect(await page('/boats/')).toContain('<h1>archive-boat: Boats</h1>');
    expect(await page('/author/anna/')).toContain('<h1>author: Anna Quist</h1>');
    expect((await get('/nothing/')).body).toContain('<h1>404: Not found</h1>');
  });

  it('can replace everything', async () => {
    await put('layout.liquid', '<!doctype html><title>{{ page.title }}</title>{% block main %}{% endblock %}');
    await put('page.liquid', "{% layout 'layout' %}{% block main %}<p>{{ post.content }}</p>{% endblock %}");
    const body = await shows('/imprint/', '<!doctype html><title>Imprint</title>');
    expect(body).not.toContain('site-header');
  });

  it('can have its own style and files', async () => {
    await put('style.css', 'body { color: teal }');
    await put('assets/mark.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    await put('assets/deep/a b.txt', 'text');
    await put('assets/run.js', 'alert(1)');
    await put('assets/run.html', '<script>alert(1)</script>');
    await put('footer.liquid', '<footer><img src="{{ "mark.svg" | asset }}" alt=""></footer>');
    const body = await shows('/', '/theme/assets/mark.svg?v=');
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(body) ?? [];
    expect(await page(style)).toBe('body { color: teal }');
    const mark = await get(/\/theme\/assets\/mark\.svg\?v=\w+/.exec(body)?.[0] as string);
    expect(mark.status).toBe(200);
    expect(mark.headers.get('content-type')).toBe('image/svg+xml');
    expect(mark.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; sandbox",
    );
    expect(mark.headers.get('cache-control')).toContain('max-age=31536000');
    expect((await get('/theme/assets/deep/a%20b.txt')).body).toBe('text');
    for (const name of ['run.js', 'run.html', 'none.png', '../site.yaml', '%2e%2e/site.yaml', '..%2f..%2fsite.yaml'])
      expect([name, (await get(`/theme/assets/${name}`)).status]).toEqual([name, 404]);
    await says(/theme\/assets\/run\.js: files of this kind are not served/);
  });

  it('keeps the last good state of a broken template, and reports the error', async () => {
    await put('entry.liquid', '<p class="good">{{ post.title }}</p>');
    await shows('/', '<p class="good">');
    await put('entry.liquid', '<p class="bad">\n  {{ post.title | nosuch }}</p>');
    await says(/^theme\/entry\.liquid:2:\d+: .*nosuch.*its last good state$/);
    expect(await page('/')).toContain('<p class="good">');
    const { out } = await run(['validate', site.dir]);
    expect(out).toMatch(/theme\/entry\.liquid:2:\d+.*nosuch/);
    await put('entry.liquid', '<p class="again">{{ post.title }}</p>');
    await shows('/', '<p class="again">');
  });

  it('falls back to the default theme if it is broken from the start', async () => {
    await put('post.liquid', '{% layout "layout" %}{% block main %}{% if %}');
    await says(/^theme\/post\.liquid:\d+:\d+: .*that of the default theme$/);
    expect(await page('/post-1/')).toContain('<article class="item">');
  });

  it.each([
    ['what is not there', "{% render 'nowhere' %}", /there is no template "nowhere"/],
    ['a file outside of it', "{% render '../site.yaml' %}", /there is no template "\.\.\/site\.yaml"/],
    ['a name that is made', "{% assign name = '../../etc/passwd' %}{% render name %}", /in service: the default theme/],
    ['itself without an end', "{% render 'entry', post: post %}", /in service: the default theme/],
    [
      'very much',
      '{% for a in (1..100000) %}{% for b in (1..100000) %}{{ b }}{% endfor %}{% endfor %}',
      /in service: the default theme/,
    ],
  ])('is stopped when a template includes %s', async (_name, text, line) => {
    const before = site.log.length;
    await put('entry.liquid', text);
    await until(async () => {
      expect((await page('/')).toString()).toContain('class="entry"');
      return site.log.slice(before).some((one) => one.startsWith('theme/entry.liquid') && line.test(one));
    });
  });

  it('is disabled once it is too slow for two pages, and others are not', async () => {
    const much = '{% for a in (1..100000) %}{% for b in (1..100000) %}{{ b }}{% endfor %}{% endfor %}';
    const light = "<p class='light'></p>";
    await put('post.liquid', `{% if post.title == 'Post 2' or post.title == 'Post 4' %}${light}{% else %}${much}{% endif %}`);
    await shows('/post-2/', light);
    for (const path of ['/post-1/', '/post-3/']) expect(await page(path)).toContain('<article class="item">');
    expect(await page('/post-4/')).toContain('<article class="item">');
    await put('author.liquid', much);
    await put('list.liquid', light);
    await shows('/', light);
    for (const path of ['/author/anna/', '/author/anna/page/2/']) await page(path);
    expect(await page('/category/notes/')).toContain(light);
    await put('post.liquid', light);
    await shows('/post-1/', light);
  });

  it('cannot reach code, only its data', async () => {
    await put(
      'entry.liquid',
      '<p>[{{ post.constructor }}{{ post.__proto__ }}{{ site.constructor.constructor }}{{ post.title.constructor }}{{ posts.map }}]</p>',
    );
    expect(await shows('/', '<p>[')).toContain('<p>[]</p>');
  });

  it('follows no links', async () => {
    await mkdir(join(site.dir, 'theme/assets'), { recursive: true });
    await symlink(join(site.dir, 'site.yaml'), join(site.dir, 'theme/assets/out.txt'));
    await symlink(join(site.dir, '.cms'), join(site.dir, 'theme/assets/own'));
    await writeFile(join(site.dir, 'theme/assets/in.txt'), 'in');
    await until(async () => (await get('/theme/assets/in.txt')).status === 200);
    expect((await get('/theme/assets/out.txt')).status).toBe(404);
    expect((await get('/theme/assets/own/accounts/1.json')).status).toBe(404);
    expect(site.log.some((line) => line.includes('theme/assets/out.txt: is a link'))).toBe(true);
  });
});
