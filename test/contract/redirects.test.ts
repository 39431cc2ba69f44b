/** Former addresses over HTTP: whole paths among aliases, and `redirects.yaml`. */
import { gunzipSync } from 'node:zlib';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run, temporary } from '../cli/run.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

const files = {
  'posts/2026/03/boats.md':
    '---\nid: 70\ntitle: Boats\ndate: 2026-03-01\naliases: [ships, /old/path/, "/2024/01/Boats.html", "2019/x.html", "https://old.example/there/", "/日本/x/"]\n---\nText\n',
  'posts/2026/03/draft.md': '---\nid: 71\nstatus: draft\naliases: [/secret/path/]\n---\nText\n',
  'pages/about.md': '---\nid: 72\ntitle: About\naliases: [/company/, /firma/info/]\n---\nText\n',
  'pages/about/team.md': '---\nid: 73\ntitle: Team\naliases: [crew]\n---\nText\n',
  'pages/shown.md': '---\nid: 74\n---\nText\n',
  'redirects.yaml':
    '/start/: /boats/\n/index.php?id=3: /about/team/\n/away/: https://example.org/x\n/removed/: 410\n/kept/: {to: /boats/, status: 308}\n/shown/: /boats/\n/ships/: /about/\n/evil/: //evil.example/\n/script/: "javascript:alert(1)"\n',
};

describe('former URLs', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  const get = async (path: string) => {
    const { status, headers } = await fetch(site.url + path, { redirect: 'manual' });
    return [status, headers.get('location')?.replace(site.url, '')];
  };

  it.each([
    ['/old/path/', '/boats/'],
    ['/old/path', '/boats/'],
    ['/2024/01/Boats.html', '/boats/'],
    ['/2024/01/boats.html?utm=1', '/boats/'],
    ['/2019/x.html', '/boats/'],
    ['/there/', '/boats/'],
    ['/%E6%97%A5%E6%9C%AC/x/', '/boats/'],
    ['/company/', '/about/'],
    ['/company/team/', '/about/team/'],
    ['/firma/info/crew/', '/about/team/'],
    ['/start/', '/boats/'],
    ['/index.php?id=3', '/about/team/'],
    ['/away', 'https://example.org/x'],
    ['/ships/', '/about/'],
  ])('%s redirects to %s', async (path, to) => expect(await get(path)).toEqual([301, to]));

  it.each([
    ['/kept/', 308, '/boats/'],
    ['/removed/', 410, undefined],
    ['/shown/', 200, undefined],
    ['/evil/', 404, undefined],
    ['/script/', 404, undefined],
    ['/secret/path/', 404, undefined],
    ['/index.php?id=4', 301, '/?id=4'],
    ['/company/nobody/', 404, undefined],
  ])('%s returns %i', async (path, status, to) => expect(await get(path)).toEqual([status, to]));

  it('no URL redirects to another host or injects a header', async () => {
    for (const path of [
      '//evil.example/',
      '/\\evil.example/',
      '//evil.example/..',
      '/start/%0d%0aSet-Cookie:x',
      '/start/%2f%2fevil.example',
    ]) {
      const [, to = '/'] = await get(path);
      expect(to).toMatch(/^\/(?!\/)/);
    }
  });

  it('embeds find a post at its former URLs', async () => {
    for (const path of ['/old/path/', '/start/', '/boats/']) {
      const { status, body } = await site.ask('GET', `/oembed/1.0/embed?url=${encodeURIComponent(site.url + path)}`);
      expect([path, status, body.title]).toEqual([path, 200, 'Boats']);
    }
  });

  it('redirects.yaml is reloaded while the server runs, keeps its last good version, and can be removed', async () => {
    const path = join(site.dir, 'redirects.yaml');
    await writeFile(path, '- from: /later/\n  to: /boats/\n  status: 302\n');
    await until(async () => (await get('/later/'))[0] === 302);
    expect(await get('/start/')).toEqual([404, undefined]);
    await writeFile(path, '- from: [\n');
    await until(() => site.site.problems().some((problem) => problem.path === 'redirects.yaml'));
    expect(await get('/later/')).toEqual([302, '/boats/']);
    await rm(path);
    await until(async () => (await get('/later/'))[0] === 404);
    expect(await readFile(join(site.dir, 'posts/2026/03/boats.md'), 'utf8')).toBe(files['posts/2026/03/boats.md']);
  });
});

describe('redirects elsewhere', () => {
  it('are part of the static export and archives', async () => {
    const site = await startSite({ files: { ...files, 'redirects.yaml': `${files['redirects.yaml']}/a:b/: /boats/?x=:y\n` } });
    try {
      const out = await temporary();
      const exported = await run([
        'export',
        site.dir,
        '--format',
        'static',
        '--out',
        join(out, 'static'),
        '--url',
        'https://example.com',
      ]);
      expect(exported).toMatchObject({ status: 0 });
      const lines = (await readFile(join(out, 'static/_redirects'), 'utf8')).split('\n');
      for (const line of [
        '/old/path/ /boats/ 301',
        '/2024/01/Boats.html /boats/ 301',
        '/company/ /about/ 301',
        '/company/team/ /about/team/ 301',
        '/start/ /boats/ 301',
        '/index.php id=3 /about/team/ 301',
        '/away/ https://example.org/x 301',
        '/kept/ /boats/ 308',
        '/ships/ /about/ 301',
        '/a%3Ab/ /boats/?x=%3Ay 301',
      ])
        expect(lines).toContain(line);
      expect(lines.join('\n')).not.toMatch(/evil|script|secret|removed|^\/shown/m);
      expect(lines.filter((line) => line.startsWith('/ships/'))).toHaveLength(1);
      await run(['export', site.dir, '--format', 'archive', '--out', join(out, 'site.tar.gz')]);
      expect(gunzipSync(await readFile(join(out, 'site.tar.gz'))).includes('redirects.yaml')).toBe(true);
    } finally {
      await site.close();
    }
  });

  it('are checked by validate and reported in the log, with the line in redirects.yaml', async () => {
    const site = await startSite({ files });
    const { out } = await run(['validate', site.dir]);
    expect(out).toContain('redirects.yaml:8:9 error "//evil.example/" is not an address to redirect to');
    expect(out).toContain('redirects.yaml:9:11 error "javascript:alert(1)" is not an address to redirect to');
    expect(out).toContain('redirects.yaml:6:1 warning /shown/ is the address of pages/shown.md: the redirect is not followed');
    expect(site.site.problems().map(({ path, rule }) => [path, rule])).toEqual([
      ['redirects.yaml', 'redirect-form'],
      ['redirects.yaml', 'redirect-form'],
    ]);
    await site.close();
  });
});
