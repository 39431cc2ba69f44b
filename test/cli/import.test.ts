/** `cms import`: what it prints, what it leaves, and how it says no. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wxrAuthor, wxrCategory, wxrFoot, wxrHead, wxrItem } from '../support/wxr.ts';
import { createProgress } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import { filesIn, newSite, pretend, run, temporary } from './run.ts';

const items = (count: number): string =>
  Array.from({ length: count }, (_, at) =>
    wxrItem({ id: 10 + at, slug: `item-${at}`, content: `<p>Text ${at}</p>`, terms: [['category', 'news', 'News']] }),
  ).join('');

/** A WXR file of some posts. */
async function wxr(body = items(3)): Promise<string> {
  const path = join(await temporary(), 'export.xml');
  await writeFile(path, wxrHead() + wxrAuthor(3, 'anna') + wxrCategory({ id: 5, slug: 'news', name: 'News' }) + body + wxrFoot);
  return path;
}

describe('cms import', () => {
  it('creates a site from a source, and prints only the password to standard output', async () => {
    const source = await wxr();
    const dir = join(await temporary(), 'site');
    const { status, out, err } = await run(['import', source, '--into', dir]);
    expect([status, err]).toEqual([0, expect.stringContaining('imported')]);
    expect(out).toMatch(/^(?:\w{4} ){5}\w{4}$/);
    const files = await filesIn(dir);
    expect(files['site.yaml']).toContain('name: Harbour');
    expect(Object.keys(files).filter((path) => path.startsWith('posts/'))).toHaveLength(3);
    expect((await run(['validate', dir])).status).toBe(0);
  });

  it('imports into an existing site, and does nothing the second time', async () => {
    const source = await wxr();
    const { dir } = await newSite();
    const first = await run(['import', source, '--into', dir]);
    expect([first.status, first.out]).toEqual([0, expect.stringMatching(/post +3/)]);
    const files = await filesIn(dir);
    const second = await run(['import', source], { cwd: dir });
    expect([second.status, second.out]).toEqual([0, expect.stringMatching(/new +unchanged[\s\S]*post +3$/m)]);
    expect(await filesIn(dir)).toEqual(files);
  });

  describe('an export in several files', () => {
    const head = wxrHead() + wxrAuthor(3, 'anna', { display_name: 'Anna P' });
    const from = 'https://old.example/wp-content/uploads/2020/03/x.jpg';
    const parts = {
      one:
        head +
        wxrItem({
          id: 11,
          slug: 'one',
          content: `<a href="https://old.example/top/child/">c</a> <img src="${from}">`,
          terms: [['category', 'news', 'News']],
          meta: [['_thumbnail_id', '50']],
        }) +
        wxrItem({ id: 17, slug: 'child', type: 'page', parent: 18, link: 'https://old.example/top/child/' }) +
        wxrFoot,
      two:
        head +
        wxrCategory({ id: 5, slug: 'news', name: 'News', description: 'All of it' }) +
        wxrItem({ id: 18, slug: 'top', type: 'page', creator: 'bob', link: 'https://old.example/top/' }) +
        wxrItem({
          id: 50,
          slug: 'x',
          type: 'attachment',
          status: 'inherit',
          parent: 11,
          attachmentUrl: from,
          meta: [['_wp_attached_file', '2020/03/x.jpg']],
        }) +
        wxrFoot,
    };

    async function written(): Promise<Record<keyof typeof parts, string>> {
      const dir = await temporary();
      const paths = { one: join(dir, 'one.xml'), two: join(dir, 'two.xml') };
      for (const name of ['one', 'two'] as const) await writeFile(paths[name], parts[name]);
      return paths;
    }

    const expected = (files: Record<string, string>): void => {
      expect(files['posts/2026/03/one.html']).toMatch(/featured_media: 2020\/03\/x\.jpg/);
      expect(files['posts/2026/03/one.html']).toMatch(/<a href="\/top\/child\/">c<\/a> <img src="\/uploads\/2020\/03\/x\.jpg">/);
      expect(files['media/2020/03/x.jpg.yaml']).toMatch(/^post: 11$/m);
      expect(files['terms/category/news.yaml']).toMatch(/description: All of it/);
      expect(files['users/anna.yaml']).toMatch(/name: Anna P/);
    };

    it.each([
      ['one', 'two'],
      ['two', 'one'],
    ] as const)('is combined, %s first', async (a, b) => {
      const paths = await written();
      const { dir } = await newSite();
      expect((await run(['import', paths[a], '--into', dir, '--no-media'])).status).toBe(0);
      const second = await run(['import', paths[b], '--into', dir, '--no-media']);
      expect([second.status, second.err]).toEqual([0, expect.stringContaining('was read again')]);
      const files = await filesIn(dir);
      expected(files);
      expect(
        Object.keys(files)
          .filter((path) => path.startsWith('pages/'))
          .sort(),
      ).toEqual(expect.arrayContaining([expect.stringMatching(/^pages\/top(?:\/index)?\.html$/), 'pages/top/child.html']));
      for (const path of [paths.one, paths.two]) {
        const again = await run(['import', path, '--into', dir, '--no-media', '--json']);
        expect(JSON.parse(again.out).rows.every((row: { new: number; updated: number }) => row.new + row.updated === 0)).toBe(
          true,
        );
      }
      expect(await filesIn(dir)).toEqual(files);
      expect((await run(['validate', dir])).status).toBe(0);
    });

    it('is corrected by a second run where the first part has moved, and left alone where it was edited', async () => {
      const paths = await written();
      const { dir } = await newSite();
      await run(['import', paths.one, '--into', dir, '--no-media']);
      const child = join(dir, 'pages/child.html');
      await writeFile(child, `${await readFile(child, 'utf8')}<p>Mine</p>\n`);
      await rename(paths.one, `${paths.one}.moved`);
      const second = await run(['import', paths.two, '--into', dir, '--no-media']);
      expect(second.err).toMatch(/names items that are here now; import it again/);
      await rename(`${paths.one}.moved`, paths.one);
      await run(['import', paths.one, '--into', dir, '--no-media']);
      const files = await filesIn(dir);
      expected(files);
      expect(files['pages/child.html']).toMatch(/<p>Mine<\/p>/);
    });

    it('is read as one when its files are named together', async () => {
      const paths = await written();
      const dir = join(await temporary(), 'site');
      const { status, err } = await run(['import', paths.one, paths.two, '--into', dir, '--no-media']);
      expect([status, err]).toEqual([0, expect.not.stringContaining('unknown-reference')]);
      expected(await filesIn(dir));
      expect((await run(['import', paths.one, dir, '--into', dir])).status).toBe(2);
    });

    it('never reads files that an untrusted folder names as parts', async () => {
      const paths = await written();
      const { dir } = await newSite();
      await run(['import', paths.one, '--into', dir, '--no-media']);
      const states = await filesIn(join(dir, '.cms/cache/imports'));
      for (const [name, text] of Object.entries(states)) {
        const [first = '', ...rest] = text.split('\n');
        const line = JSON.parse(first) as unknown[];
        line[5] = 'guessed';
        await writeFile(join(dir, '.cms/cache/imports', name), [JSON.stringify(line), ...rest].join('\n'));
      }
      const second = await run(['import', paths.two, '--into', dir, '--no-media']);
      expect(second.err).not.toContain('was read again');
    });
  });

  it('prints one document with --json, including the password', async () => {
    const dir = join(await temporary(), 'site');
    const { out } = await run([
      'import',
      await wxr(),
      '--into',
      dir,
      '--json',
      '--admin',
      'chief',
      '--email',
      'chief@example.com',
    ]);
    const report = JSON.parse(out) as Record<string, unknown>;
    expect(report).toMatchObject({
      format: 'wxr',
      complete: true,
      dryRun: false,
      password: expect.stringMatching(/^(?:\w{4} ){5}\w{4}$/),
    });
    expect(existsSync(join(dir, 'users/chief.yaml'))).toBe(true);
  });

  it('writes nothing in a dry run, not even a folder', async () => {
    const source = await wxr();
    const dir = join(await temporary(), 'site');
    const { status, out, err } = await run(['import', source, '--into', dir, '--dry-run']);
    expect([status, out, err]).toEqual([0, '', expect.stringContaining('would import')]);
    expect(existsSync(dir)).toBe(false);
    const { dir: known } = await newSite();
    const before = await filesIn(known, { own: true });
    const again = await run(['import', source, '--into', known, '--dry-run']);
    expect([again.status, again.out]).toEqual([0, expect.stringMatching(/post +3/)]);
    expect(await filesIn(known, { own: true })).toEqual(before);
  });

  it('imports the complete items of a broken source, or nothing with --no-keep-going', async () => {
    const source = await wxr(`${items(2)}<item><title>Cut`);
    await writeFile(source, (await readFile(source, 'utf8')).replace(wxrFoot, ''));
    const dir = join(await temporary(), 'site');
    const refused = await run(['import', source, '--into', dir, '--no-keep-going']);
    expect([refused.status, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(/export\.xml:\d+:\d+: /);
    expect(existsSync(dir)).toBe(false);
    const partial = await run(['import', source, '--into', dir, '--json']);
    expect(partial.status).toBe(1);
    expect(Object.keys(await filesIn(dir)).filter((path) => path.startsWith('posts/'))).toHaveLength(2);
    expect((await run(['validate', dir])).status).toBe(0);
    expect(JSON.parse(partial.out)).toHaveProperty('password');
  });

  it.each([
    { flags: [], file: 'posts/2026/03/item-1.html', text: '<!-- wp:heading -->' },
    { flags: ['--to', 'markdown'], file: 'posts/2026/03/item-1.md', text: '<h2 class="wp-block-heading">Tides</h2>' },
    { flags: ['--to', 'markdown', '--loose'], file: 'posts/2026/03/item-1.md', text: '\n## Tides\n\nHigh _water_' },
  ])('writes texts unchanged, or with $flags as Markdown', async ({ flags, file, text }) => {
    const heading = '<!-- wp:heading -->\n<h2 class="wp-block-heading">Tides</h2>\n<!-- /wp:heading -->';
    const content = `${heading}\n\n<!-- wp:paragraph -->\n<p>High <em>water</em> at noon.</p>\n<!-- /wp:paragraph -->`;
    const dir = join(await temporary(), 'site');
    expect((await run(['import', await wxr(wxrItem({ id: 1, content })), '--into', dir, ...flags])).status).toBe(0);
    expect((await filesIn(dir))[file]).toContain(text);
  });

  it.each(['jekyll', 'hugo', 'astro', 'eleventy', 'plain'])('reads a folder as %s when told to', async (format) => {
    const source = await temporary();
    await mkdir(join(source, '_posts'));
    await writeFile(join(source, '_posts/2024-05-06-hello.md'), '---\ntitle: Hello\n---\nText.\n');
    const dir = join(await temporary(), 'site');
    expect((await run(['import', source, '--into', dir, '--format', format])).status).toBe(0);
    // What else is a page to it lies elsewhere.
    expect(Object.keys(await filesIn(dir)).some((path) => path.startsWith('posts/2024/05/hello'))).toBe(
      ['jekyll', 'plain'].includes(format),
    );
  });

  it('reads a folder of Markdown', async () => {
    const source = await temporary();
    await mkdir(join(source, '_posts'));
    await writeFile(join(source, '_config.yml'), 'title: Blog\n');
    await writeFile(join(source, '_posts/2024-05-06-hello.md'), '---\ntitle: Hello\ntags: [a]\n---\nSome *text*.\n');
    const dir = join(await temporary(), 'site');
    const { status, err } = await run(['import', source, '--into', dir]);
    expect([status, err]).toEqual([0, expect.stringContaining('imported')]);
    expect((await filesIn(dir))['posts/2024/05/hello.md']).toMatch(
      /title: Hello\n[\s\S]*tags:\n {2}- a\naliases:\n {2}- \/2024\/05\/06\/hello\.html\n---\nSome \*text\*\.\n$/,
    );
  });

  it.each([
    ['a source that is not there', ['import', 'nowhere.xml', '--into', 'x'], 'does not exist'],
    ['a format nobody knows', ['import', '.', '--format', 'docx', '--into', 'x'], 'docx'],
    ['a file of no kind', ['import', 'package.json', '--into', 'x'], 'cannot detect the format'],
    ['a folder that is something else', ['import', 'package.json', '--format', 'wxr', '--into', 'src'], 'is not empty'],
    ['--loose without what it loosens', ['import', 'package.json', '--loose', '--into', 'x'], '--to markdown'],
    ['credentials without a password', ['import', 'https://example.com', '--user', 'ada', '--into', 'x'], 'login:password'],
    ['credentials for a file', ['import', 'README.md', '--format', 'wxr', '--user', 'a:b', '--into', 'x'], 'live sites only'],
    [
      'files both brought and not',
      ['import', 'README.md', '--no-media', '--download', '--into', 'x'],
      'cannot be combined with --no-media',
    ],
    ['media that are not there', ['import', 'package.json', '--media', 'nowhere', '--into', 'x'], 'does not exist'],
  ])('rejects %s', async (_, line, message) => {
    const { status, err } = await run(line, { cwd: process.cwd() });
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('imports an archive unchanged, or not at all', async () => {
    const { dir } = await newSite();
    const file = join(await temporary(), 'site.tgz');
    expect((await run(['export', dir, '--format', 'archive', '--out', file])).status).toBe(0);
    const into = join(await temporary(), 'site');
    for (const flags of [
      ['--to', 'markdown'],
      ['--no-media'],
      ['--keep-going'],
      ['--no-keep-going'],
      ['--dry-run'],
      ['--admin', 'bob'],
    ]) {
      const { status, err } = await run(['import', file, '--into', into, ...flags]);
      expect([status, err]).toEqual([2, expect.stringContaining(`${flags[0]} does not apply to an archive`)]);
    }
    expect(await run(['import', file, '--into', dir])).toMatchObject({
      status: 2,
      err: expect.stringContaining('cannot be merged'),
    });
    expect(existsSync(into)).toBe(false);
    expect((await run(['import', file, '--into', into])).status).toBe(0);
    expect(await filesIn(into)).toEqual(await filesIn(dir));
  });

  it('stops on request, and says so', async () => {
    const dir = join(await temporary(), 'site');
    const { io, said } = pretend({ stopped: () => Promise.resolve() });
    expect(await main(['import', await wxr(items(50)), '--into', dir], io)).toBe(1);
    expect(said.err.join('\n')).toContain('stopped importing');
    expect((await run(['import', await wxr(items(50)), '--into', dir])).status).toBe(0);
  });

  it('refuses to name an administrator if the site has one', async () => {
    const { dir } = await newSite();
    const { status, err } = await run(['import', await wxr(), '--into', dir, '--email', 'x@example.com']);
    expect([status, err]).toEqual([2, expect.stringContaining('is already a site')]);
  });
});

it('progress shows rate and remaining time once they can be estimated', () => {
  const { io, said } = pretend({ terminal: { out: true, err: true } });
  let now = 0;
  const progress = createProgress(io, 'writing', () => now);
  now = 4000;
  progress.update(2_000_000, 10_000_000);
  now = 8000;
  progress.update(80, 20_000, '3 files (1.2 MB)');
  expect(said.drawn).toEqual([
    '\r\u001b[Kwriting: 2.0 M of 10.0 M, 500000/s, 16 s left',
    '\r\u001b[Kwriting: 80 of 20000, 3 files (1.2 MB), 10/s, 34 min left',
  ]);
});
