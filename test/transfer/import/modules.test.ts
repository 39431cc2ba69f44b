/** Keys of modules: an import takes them from files of our own and from the meta rows by which other formats carry them. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { flag, integer, plainField, text } from '../../../src/kernel/model/field.ts';
import { of } from '../../../src/kernel/model/schema.ts';
import type { Extension, Module } from '../../../src/kernel/module.ts';
import { modulesOf } from '../../../src/deployments.ts';
import { openSite } from '../../../src/open-site.ts';
import { exportWxr } from '../../../src/transfer/export/wxr.ts';
import type { ImportReport } from '../../../src/transfer/import/report.ts';
import { markdownImporter } from '../../../src/transfer/sources/markdown.ts';
import { wxrImporter } from '../../../src/transfer/sources/wxr.ts';
import { temporaryFolder } from '../../kernel/store/folder.ts';
import { bring, freshFolder, post, rows, site } from './rows.ts';

const shaded: Extension = {
  fields: {
    shade: plainField<{ readonly shade: string }, 'shade'>('shade', text, '', of('string', 'Its colour.')),
    depth: plainField<{ readonly depth: number }, 'depth'>('depth', integer, 0, of('integer', 'How deep it is.')),
    matt: plainField<{ readonly matt: boolean }, 'matt'>('matt', flag, false, of('boolean', 'Whether it shines.')),
  },
};
const kinds = ['post', 'page', 'attachment', 'term', 'user', 'comment', 'nav_menu_item'];
const shades: Module = {
  name: 'shades',
  settings: [{ key: 'palette', group: '', schema: of('string', 'Its colours.'), default: '' }],
  extend: Object.fromEntries(kinds.map((kind) => [kind, shaded])),
};
const options = { modules: (deployment: unknown) => [...modulesOf(deployment), shades] };
const keys = 'shade: blue\ndepth: 3\nmatt: true\n';
const date = 'date: 2026-03-05T10:00:00\n';

const opened = async (importer: typeof markdownImporter, path: string) =>
  importer.open({ source: path, path, scratch: await mkdtemp(join(tmpdir(), 'cms-import-')), keepGoing: true });
const said = ({ remarks }: ImportReport) => remarks.map(({ severity, rule, message }) => [severity, rule, message]);

it('fields of modules are imported from a cms folder, with the settings of modules and the deployment', async () => {
  const link = `    ${keys.trim().replaceAll('\n', '\n    ')}\n    mine: 6\n`;
  const folder = temporaryFolder({
    'site.yaml': 'name: Old\ndeployment: extended\npalette: warm\nowner: me\n',
    'posts/a.md': `---\nid: 20\ntitle: A\n${date}${keys}mine: 1\n---\nText\n`,
    'posts/b.md': `---\nid: 21\ntitle: B\n${date}shade: dim\ndepth: low\n---\nText\n`,
    'pages/p.md': `---\nid: 22\ntitle: P\n${date}${keys}---\nText\n`,
    'media/2026/a.txt': 'Text',
    'media/2026/a.txt.yaml': `id: 23\n${date}${keys}mine: 2\n`,
    'terms/tag/sea.yaml': `id: 7\nname: Sea\n${keys}mine: 3\n`,
    'users/una.yaml': `id: 8\nname: Una\n${keys}mine: 4\n`,
    'menus/main.yaml': `id: 9\nname: Main\n${keys}mine: 5\nitems:\n  - id: 30\n    url: https://a.example\n    title: A\n${link}`,
  });
  const dir = await freshFolder();
  const report = await bring(dir, await opened(markdownImporter, folder.dir), options);
  const read = (path: string) => readFile(join(dir, path), 'utf8');
  for (const [path, times, own] of [
    ['posts/2026/03/a.md', 1, 1],
    ['pages/p.md', 1, 0],
    ['media/2026/a.txt.yaml', 1, 1],
    ['terms/tag/sea.yaml', 1, 1],
    ['users/una.yaml', 1, 1],
    ['menus/main.yaml', 2, 2],
  ] as const) {
    const written = await read(path);
    const count = (line: string) => written.split(line).length - 1;
    expect([path, ...keys.trim().split('\n').map(count), count('mine: ')]).toEqual([path, times, times, times, own]);
  }
  const wrong = await read('posts/2026/03/b.md');
  expect([wrong.includes('shade: dim\n'), wrong.includes('depth')]).toEqual([true, false]);
  expect(said(report)).toContainEqual(['lost', 'field:depth', 'depth must be a whole number, not "low"']);
  const settings = await read('site.yaml');
  expect(settings).toContain('palette: warm\n');
  expect(settings).toContain('deployment: extended');
  expect(settings).not.toContain('owner');
  const site = await openSite(dir, { modules: [shades], readOnly: true });
  expect(site.problems()).toEqual([]);
  await site.close();
});

describe('WXR', () => {
  it('carries them as meta rows, which become keys where the site declares them and meta elsewhere', async () => {
    const folder = temporaryFolder({
      'site.yaml': 'name: Old\nurl: https://old.example\n',
      'posts/a.md': `---\nid: 20\ntitle: A\nauthor: una\n${date}${keys}meta:\n  own: 1\n---\nText\n`,
      'terms/tag/sea.yaml': `id: 7\nname: Sea\n${keys}`,
      'users/una.yaml': 'id: 8\nname: Una\n',
      'comments/20/1.html': `---\nid: 1\nname: Ben\n${date}${keys}---\nYes\n`,
      'menus/main.yaml': `id: 9\nname: Main\nitems:\n  - id: 30\n    url: https://a.example\n    title: A\n    shade: blue\n`,
    });
    const opened1 = await openSite(folder.dir, { modules: [shades] });
    const chunks: string[] = [];
    const out = new Writable({ write: (chunk, _, done) => done(void chunks.push(String(chunk)) as undefined) });
    await exportWxr(opened1, { out });
    await opened1.close();
    folder.write('export.xml', chunks.join(''));
    const [known, unknown] = [await freshFolder(), await freshFolder()];
    const report = await bring(known, await opened(wxrImporter, folder.at('export.xml')), options);
    await bring(unknown, await opened(wxrImporter, folder.at('export.xml')));
    for (const [path, has] of [
      ['posts/2026/03/a.html', keys],
      ['terms/tag/sea.yaml', keys],
      ['comments/20/1.html', keys],
      ['menus/main.yaml', '    shade: blue\n'],
    ] as const) {
      const written = await readFile(join(known, path), 'utf8');
      expect([path, written]).toEqual([path, expect.stringContaining(has)]);
      expect(await readFile(join(unknown, path), 'utf8')).toMatch(/meta:\n(?: +own: '1'\n)? +shade: blue\n/);
    }
    expect(said(report).filter(([, rule]) => String(rule).startsWith('field:'))).toEqual([]);
  });

  it('keeps invalid values as meta', async () => {
    const dir = await freshFolder();
    const report = await bring(dir, rows([site(), post('a', { meta: { depth: 'low', shade: 'blue' } })]), options);
    const written = await readFile(join(dir, 'posts/2024/05/a.html'), 'utf8');
    expect(written).toContain('shade: blue\n');
    expect(written).toContain('meta:\n  depth: low\n');
    expect(said(report)).toContainEqual([
      'changed',
      'field:depth',
      'depth must be a whole number, not "low"; it stays under meta',
    ]);
  });
});
