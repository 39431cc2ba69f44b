/** The report of an import for people: three groups, in words, with what went well and the next step. */
import { describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printReport } from '../../src/cli/import-report.ts';
import { writeReportFile } from '../../src/cli/import-report-file.ts';
import type { ImportReport, Noted } from '../../src/transfer/import/report.ts';
import { temporary } from './run.ts';

const remark = (severity: Noted['severity'], rule: string, message = 'why', hint?: string): Noted => ({
  severity,
  rule,
  message,
  ...(hint === undefined ? {} : { hint }),
  what: 'post "A"',
  place: { source: 'export.xml', line: 3 } as Noted['place'],
});
const report: ImportReport = {
  format: 'wxr',
  source: 'export.xml',
  into: '/srv/my-site',
  dryRun: false,
  complete: true,
  rows: [{ kind: 'post', of: 'post', new: 3, updated: 0, unchanged: 0, kept: 0, lost: 1, failed: 0 }],
  remarks: [
    remark('error', 'not-written'),
    remark('lost', 'missing-bytes', 'not there', 'cms media fetch downloads it'),
    remark('changed', 'renumbered'),
    remark('note', 'field:depth'),
    remark('lost', 'unknown-reference'),
  ],
  rules: { 'not-written': 1, 'missing-bytes': 8, renumbered: 1, 'field:depth': 1, 'unknown-reference': 1 },
  unreadable: 0,
  files: { brought: 1, missing: 8, bytes: 10 },
  links: { files: 2, pages: 1, unknown: [] },
  addresses: [
    { what: 'post', from: '/a/', to: '/a/', outcome: 'same' },
    { what: 'post', from: '/?p=2', to: '/b/', outcome: 'redirected' },
  ],
  markdown: { converted: 0, kept: 0 },
  seconds: 1,
  peakRss: 1024 ** 2,
};
const printed = (change: Partial<ImportReport> = {}): string[] =>
  printReport({ ...report, ...change }, (_, text) => text, 'my-site');

describe('the import report', () => {
  it('lists what was imported, groups remarks, and ends with the next step', () => {
    expect(printed().slice(3)).toEqual([
      '  old URLs: 1 unchanged, 1 redirected',
      '  posts keep their ids in feeds, so feed readers do not show them again',
      '  links in texts: 2 now lead to files here, 1 to pages here',
      '  files: 1 imported, 8 missing',
      '',
      'To do',
      'Files that could not be written [not-written]',
      '  export.xml:3 post "A": why',
      'Files that are not here yet (8) [missing-bytes]',
      '  export.xml:3 post "A": not there',
      '    cms media fetch downloads it',
      '  … and 3 more',
      '',
      'Check',
      'Items with a new id [renumbered]',
      '  export.xml:3 post "A": why',
      'Links to items that are not in the source [unknown-reference]',
      '  export.xml:3 post "A": why',
      '',
      'For the record',
      'Field depth [field:depth]',
      '  export.xml:3 post "A": why',
      '',
      'Next: do what is listed under "To do", then check the files with cms validate my-site and look at the site with cms serve my-site --open.',
    ]);
  });

  it.each<[string, Partial<ImportReport>, string]>([
    ['after an interruption', { complete: false }, 'Next: run the same command again; it continues where this one stopped.'],
    ['after a dry run', { dryRun: true }, 'Next: run the same command without --dry-run.'],
    [
      'when nothing is to be done',
      { remarks: [] },
      'Next: check the files with cms validate my-site and look at the site with cms serve my-site --open.',
    ],
  ])('has another next step %s', (_, change, last) => {
    expect(printed(change).at(-1)).toBe(last);
  });

  it('has the same content as a page, without breaking words', async () => {
    const file = join(await temporary(), 'report.html');
    await writeReportFile(file, report);
    const page = await readFile(file, 'utf8');
    expect([...page.matchAll(/<h2>([^<]*)/g)].map(([, text]) => text)).toEqual([
      'What came over',
      'To do',
      'Check',
      'For the record',
      'Addresses',
    ]);
    expect(page).toContain('Files that are not here yet (8)');
    expect(page).not.toMatch(/overflow-wrap:\s*anywhere|word-break/);
  });
});
