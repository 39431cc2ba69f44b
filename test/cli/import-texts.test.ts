/** `cms import`: what becomes of shortcodes, addresses and dates. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ImportReport } from '../../src/transfer/report.ts';
import { wxrAuthor, wxrFoot, wxrHead, wxrItem } from '../support/wxr.ts';
import { filesIn, run, temporary } from './run.ts';

async function bring(body: string, into?: string, ...flags: readonly string[]) {
  const path = join(await temporary(), 'export.xml');
  await writeFile(path, wxrHead() + wxrAuthor(3, 'anna') + body + wxrFoot);
  const dir = into ?? join(await temporary(), 'site');
  const { status, out, err } = await run(['import', path, '--into', dir, '--json', ...flags]);
  if (!out.startsWith('{')) throw new Error(err);
  return { status, dir, report: JSON.parse(out) as ImportReport, files: await filesIn(dir) };
}

describe('shortcodes', () => {
  it('that nobody shows are in the report, with how often and where', async () => {
    const { status, report, files } = await bring(
      wxrItem({
        id: 7,
        slug: 'a',
        content: '[contact-form-7 id="1"] [gallery ids="9"] [sic] [[audio]] <code>[x-code a="1"]</code>',
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
        ['shortcode [contact-form-7]', 'stays as text, 3 times: posts/2026/03/a.html, posts/2026/03/b.html'],
        ['shortcode [recent_posts]', 'stays as text, once: posts/2026/03/b.html'],
      ],
    );
  });

  it('of media name the files and ids of the site', async () => {
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

  it('that differ from GMT by hours of one zone make a new site of that zone', async () => {
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

  it('stay in a site of another zone, and so do addresses', async () => {
    const site = join(await temporary(), 'site');
    expect((await run(['init', site, '--timezone', 'UTC'])).status).toBe(0);
    const { files, report, status } = await bring(east, site);
    expect([status, files['posts/2026/03/p7.html']]).toEqual([0, expect.stringMatching(/^date: 2026-03-01T00:30:00$/m)]);
    expect(report.remarks).toContainEqual(expect.objectContaining({ severity: 'changed', rule: 'other-zone' }));
    const again = await bring(east, site);
    expect(again.files).toEqual(files);
  });

  it('are of the zone that was asked for', async () => {
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
