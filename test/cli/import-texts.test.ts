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
