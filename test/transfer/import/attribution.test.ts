/** What an export does not say or says wrongly: who wrote an item, and what the time zone is. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wxrImporter } from '../../../src/transfer/sources/wxr.ts';
import { filesIn } from '../../cli/run.ts';
import { wxrAuthor, wxrFoot, wxrHead, wxrItem } from '../../support/wxr.ts';
import { bring, freshFolder } from './rows.ts';

async function bringFile(text: string, { dir, dryRun = false }: { dir?: string; dryRun?: boolean } = {}) {
  const into = dir ?? (await freshFolder());
  const path = join(await mkdtemp(join(tmpdir(), 'cms-attribution-')), 'export.xml');
  await writeFile(path, text);
  const report = await bring(into, await wxrImporter.open({ source: path, path, scratch: into, keepGoing: true }), { dryRun });
  return { dir: into, report, files: dryRun ? {} : await filesIn(into) };
}
const anna = wxrAuthor(3, 'anna', { display_name: 'Anna P', email: 'anna@old.example' });
const authorIn = (files: Readonly<Record<string, string>>): string | undefined =>
  /^author: (.*)$/m.exec(files['posts/2026/03/item-7.html'] ?? '')?.[1];
const raw = (creator: string): string => wxrItem({ id: 7 }).replace('<dc:creator><![CDATA[anna]]></dc:creator>', creator);

describe('an item with an unknown author', () => {
  it.each([
    ['names nobody', '<dc:creator></dc:creator>'],
    ['names nobody in CDATA', '<dc:creator><![CDATA[ ]]></dc:creator>'],
    ['has no such element', ''],
    ['names a stranger', '<dc:creator>ghost</dc:creator>'],
    ['has markup there', '<dc:creator><![CDATA[<b>]]></dc:creator>'],
  ])('belongs to the importing user: one that %s', async (_, creator) => {
    const { files, report } = await bringFile(wxrHead() + anna + raw(creator) + wxrFoot);
    expect(authorIn(files)).toBe('admin');
    expect(report.remarks.filter(({ rule }) => rule === 'unknown-author')).toHaveLength(1);
    expect(
      Object.keys(files)
        .filter((path) => path.startsWith('users/'))
        .sort(),
    ).toEqual(['users/admin.yaml', 'users/anna.yaml']);
  });

  it.each([
    ['login in capitals', 'ANNA'],
    ['login with a stray sign', '>anna'],
    ['shown name', 'Anna P'],
    ['email address', 'anna@old.example'],
  ])('belongs to the author it names by %s', async (_, creator) => {
    const { files, report } = await bringFile(wxrHead() + anna + wxrItem({ id: 7, creator }) + wxrFoot);
    expect([authorIn(files), report.rules['unknown-author']]).toEqual(['anna', undefined]);
  });

  it('belongs to the named author if the export lists none', async () => {
    const { files, report } = await bringFile(wxrHead() + wxrItem({ id: 7, creator: 'bea' }) + wxrFoot);
    expect([authorIn(files), report.rules['unknown-author']]).toEqual(['bea', undefined]);
  });

  it('belongs to an author listed in another file of the export', async () => {
    const first = await bringFile(wxrHead() + wxrAuthor(4, 'bea') + wxrItem({ id: 8, creator: 'bea' }) + wxrFoot);
    const { files, report } = await bringFile(wxrHead() + anna + wxrItem({ id: 7, creator: 'bea' }) + wxrFoot, first);
    expect([authorIn(files), report.rules['unknown-author']]).toEqual(['bea', undefined]);
  });

  it('has none if our own export says so', async () => {
    const head = wxrHead().replace('<language>', '<generator>cms</generator><language>');
    const { files, report } = await bringFile(head + anna + wxrItem({ id: 7, creator: '' }) + wxrFoot);
    expect([authorIn(files), report.rules['unknown-author']]).toEqual([undefined, undefined]);
  });
});

describe('the time zone of an export', () => {
  const item = (id: number, date: string, dateGmt: string): string => wxrItem({ id, date, dateGmt });
  const said = (report: Awaited<ReturnType<typeof bringFile>>['report']) =>
    report.remarks.flatMap(({ rule, message }) => (rule === 'guessed-zone' ? [message] : []));

  it.each([
    [
      'one with summers',
      [item(7, '2026-01-05 11:00:00', '2026-01-05 10:00:00'), item(8, '2026-07-05 12:00:00', '2026-07-05 10:00:00')],
      'items: Europe/Berlin',
    ],
    ['an offset', [item(7, '2026-01-05 15:30:00', '2026-01-05 10:00:00')], 'items: +05:30'],
    ['none', [item(7, '2026-01-05 11:07:00', '2026-01-05 10:00:00')], 'fit none; the site has UTC'],
  ])('is reported as guessed, in a dry run too: %s', async (_, items, expected) => {
    const text = wxrHead() + anna + items.join('') + wxrFoot;
    const { dir, report } = await bringFile(text);
    expect(said(report)).toEqual([expect.stringContaining(expected)]);
    expect(said((await bringFile(text, { dryRun: true })).report)).toEqual(said(report));
    // A site that is there has its own.
    expect(said((await bringFile(text, { dir })).report)).toEqual([]);
  });
});
