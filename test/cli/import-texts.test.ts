/** `cms import`: what becomes of shortcodes, addresses and dates. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportReport } from '../../src/transfer/import/report.ts';
import { startSite } from '../support/site.ts';
import { wxrAuthor, wxrFoot, wxrHead, wxrItem } from '../support/wxr.ts';
import { filesIn, newSite, run, temporary } from './run.ts';

async function bring(body: string, into?: string, ...flags: readonly string[]) {
  const path = join(await temporary(), 'export.xml');
  await writeFile(path, wxrHead() + wxrAuthor(3, 'anna') + body + wxrFoot);
  const dir = into ?? join(await temporary(), 'site');
  const { status, out, err } = await run(['import', path, '--into', dir, '--json', ...flags]);
  if (!out.startsWith('{')) throw new Error(err);
  return { status, dir, report: JSON.parse(out) as ImportReport, files: await filesIn(dir) };
}

describe('shortcodes', () => {
  it('that are not supported are in the report, with count and place', async () => {
    const { status, report, files } = await bring(
      wxrItem({
        id: 7,
        slug: 'a',
        content: '[contact-form-7 id="1"] [gallery ids="9"] [sic] [[audio]] [[spoken id="1"]] <code>[x-code a="1"]</code>',
      }) +
        wxrItem({
          id: 8,
          slug: 'b',
          content: '[contact-form-7 id="2"][recent_posts][contact-form-7 id="3"] see [note 1] and [a](b)',
        }),
    );
    expect([status, files['posts/2026/03/a.html']]).toEqual([
      0,
      expect.stringContaining('[contact-form-7 id="1"] [gallery ids="9"]'),
    ]);
    expect(report.remarks.filter(({ rule }) => rule === 'unknown-shortcode').map(({ what, message }) => [what, message])).toEqual(
      [
        ['shortcode [contact-form-7]', 'kept as text, 3 times: posts/2026/03/a.html, posts/2026/03/b.html'],
        ['shortcode [recent_posts]', 'kept as text, once: posts/2026/03/b.html'],
      ],
    );
  });

  it('of media use the files and ids of the site', async () => {
    const picture = {
      type: 'attachment',
      status: 'inherit',
      attachmentUrl: 'https://old.example/wp-content/uploads/2026/01/a.mp3',
    };
    const { files } = await bring(
      wxrItem({ id: 6, slug: 'first' }) +
        wxrItem({ id: 7, slug: 'sound', ...picture }) +
        wxrItem({
          id: 8,
          slug: 'b',
          content:
            '[audio mp3="https://old.example/wp-content/uploads/2026/01/a.mp3"][/audio] [playlist ids="7"] [embed]https://old.example/first/[/embed]',
        }),
    );
    expect(files['posts/2026/03/b.html']).toContain('[audio mp3="/uploads/2026/01/a.mp3"][/audio] [playlist ids="7"] [embed]');
  });
});

describe('dates', () => {
  const night = (id: number, gmt: string, local: string) => wxrItem({ id, slug: `p${id}`, date: local, dateGmt: gmt });
  const east = night(7, '2026-02-28 22:30:00', '2026-03-01 00:30:00');

  it('with one offset from GMT give the new site that time zone', async () => {
    const { files, dir } = await bring(east + night(8, '2026-07-01 20:00:00', '2026-07-01 22:00:00'));
    expect(files['site.yaml']).toContain("timezone: '+02:00'");
    expect(files['posts/2026/03/p7.html']).toMatch(/^date: 2026-03-01T00:30:00$/m);
    expect((await run(['validate', dir])).status).toBe(0);
    const summer = await bring(
      night(7, '2026-01-31 23:30:00', '2026-02-01 00:30:00') + night(8, '2026-07-31 22:30:00', '2026-08-01 00:30:00'),
    );
    expect(summer.files['site.yaml']).toContain('timezone: Europe/Berlin');
    expect(summer.files['posts/2026/08/p8.html']).toMatch(/^date: 2026-08-01T00:30:00$/m);
  });

  it('are unchanged in a site with another time zone, and so are URLs', async () => {
    const site = join(await temporary(), 'site');
    expect((await run(['init', site, '--timezone', 'UTC'])).status).toBe(0);
    const { files, report, status } = await bring(east, site);
    expect([status, files['posts/2026/03/p7.html']]).toEqual([0, expect.stringMatching(/^date: 2026-03-01T00:30:00$/m)]);
    expect(report.remarks).toContainEqual(expect.objectContaining({ severity: 'changed', rule: 'other-zone' }));
    const again = await bring(east, site);
    expect(again.files).toEqual(files);
  });

  it('use the requested time zone', async () => {
    const { files } = await bring(east, undefined, '--timezone', 'Europe/Athens');
    expect(files['site.yaml']).toContain('timezone: Europe/Athens');
    expect(files['posts/2026/03/p7.html']).toMatch(/^date: 2026-03-01T00:30:00$/m);
    const { status, err } = await run(
      ['import', 'README.md', '--format', 'wxr', '--into', join(await temporary(), 'x'), '--timezone', 'Nowhere'],
      {
        cwd: process.cwd(),
      },
    );
    expect([status, err]).toEqual([2, expect.stringContaining('Nowhere')]);
  });
});

/** The text of all files that are posts. */
const itemsOf = (files: Readonly<Record<string, string>>): string =>
  Object.entries(files)
    .flatMap(([path, text]) => (path.startsWith('posts/') ? [text] : []))
    .join('');

describe('URLs that change', () => {
  const dated = (id: number, slug: string, more = {}) =>
    wxrItem({ id, slug, link: `https://old.example/2026/03/${slug}/`, guid: `https://old.example/?p=${id}`, ...more });

  it('redirect to the item when the site has another permalink pattern', async () => {
    const { dir } = await newSite();
    const { files, status } = await bring(dated(7, 'tides') + dated(8, 'd', { status: 'draft' }) + dated(9, 'caf%c3%a9'), dir);
    expect([status, files['posts/2026/03/tides.html']]).toEqual([0, expect.stringContaining('aliases:\n  - /2026/03/tides/\n')]);
    expect(itemsOf(files).match(/aliases:/g)).toHaveLength(2);
    expect(Object.values(files).join('')).toContain('  - /2026/03/café/\n');
    expect((await run(['validate', dir])).status).toBe(0);
    const site = await startSite({ from: dir });
    for (const path of ['/2026/03/tides/', '/2026/03/caf%C3%A9/']) {
      const answer = await fetch(site.url + path, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('location')]).toEqual([301, expect.stringMatching(/\/(?:tides|caf%c3%a9)\/$/i)]);
    }
    await site.close();
    const again = await bring(dated(7, 'tides') + dated(8, 'd', { status: 'draft' }) + dated(9, 'caf%c3%a9'), dir);
    expect(again.files).toEqual(files);
  });

  it('redirect when the slug is taken, also with links kept', async () => {
    const { dir } = await newSite();
    await bring(dated(7, 'tides', { title: 'Here before' }), dir);
    const { files } = await bring(
      dated(8, 'tides', { title: 'Another', guid: 'https://old.example/?p=8', link: 'https://old.example/x/tides/' }),
      dir,
      '--keep-links',
    );
    expect(files['posts/2026/03/tides-8.html'] ?? files['posts/2026/03/tides-2.html']).toMatch(/aliases:\n {2}- \/x\/tides\/\n/);
  });

  it('are not recorded if nothing changes or another item has the URL', async () => {
    const { files } = await bring(dated(7, 'tides') + dated(8, 'waves'));
    expect(itemsOf(files)).not.toContain('aliases');
    const { dir } = await newSite();
    const swapped = await bring(
      wxrItem({ id: 7, slug: 'a', link: 'https://old.example/b/' }) +
        wxrItem({ id: 8, slug: 'b', link: 'https://else.example/c/' }),
      dir,
    );
    expect(itemsOf(swapped.files)).not.toContain('aliases');
  });

  it('redirect from a Markdown folder, and so do its own aliases', async () => {
    const source = await temporary();
    await mkdir(join(source, '_posts'));
    await writeFile(join(source, '_config.yml'), 'title: x\nurl: https://old.example\npermalink: /:year/:title.html\n');
    await writeFile(
      join(source, '_posts/2026-03-05-tides.md'),
      '---\ntitle: Tides\nredirect_from:\n  - /old/tides.html\n  - ships\n---\nx\n',
    );
    const { dir } = await newSite();
    expect((await run(['import', source, '--into', dir])).status).toBe(0);
    expect((await filesIn(dir))['posts/2026/03/tides.md']).toContain(
      'aliases:\n  - /old/tides.html\n  - ships\n  - /2026/tides.html\n',
    );
    expect((await run(['validate', dir])).status).toBe(0);
  });
});
