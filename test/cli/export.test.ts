import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { sample } from '../support/sample-site.ts';
import { until } from '../support/site.ts';
import { filesIn, pretend, run, temporary } from './run.ts';

const address = ['--url', 'https://example.com'];

async function copy(): Promise<{ readonly dir: string; readonly cwd: string }> {
  const cwd = await temporary();
  await cp(sample, join(cwd, 'site'), { recursive: true });
  return { dir: join(cwd, 'site'), cwd };
}

describe('cms export', () => {
  const shared = copy().then(async (site) => {
    await writeFile(join(site.cwd, 'file'), '');
    await mkdir(join(site.cwd, 'folder'));
    return site;
  });

  it.each([
    { line: ['--out', 'x'], says: "required option '--format <form>'" },
    { line: ['--format', 'json'], says: "required option '--out <path>'" },
    { line: ['--format', 'pdf', '--out', 'x'], says: 'Allowed choices are wxr, json, archive, static' },
    { line: ['--format', 'static', '--out', 'public'], says: 'the site has no URL' },
    { line: ['--format', 'static', '--out', 'site/public', ...address], says: 'inside the content folder' },
    { line: ['--format', 'static', '--out', '.', ...address], says: 'contains the content folder' },
    { line: ['--format', 'static', '--out', 'file', ...address], says: 'is a file' },
    { line: ['--format', 'json', '--out', 'folder'], says: 'is a folder' },
    { line: ['--format', 'static', '--out', 'public', '--status', 'draft'], says: '--status does not apply to --format static' },
    { line: ['--format', 'json', '--out', 'x', '--watch'], says: '--watch does not apply to --format json' },
    {
      line: ['--format', 'static', '--out', 'public', '--watch', '--dry-run', ...address],
      says: '--watch cannot be combined with --dry-run',
    },
    {
      line: ['--format', 'static', '--out', 'public', '--watch', '--json', ...address],
      says: '--watch cannot be combined with --json',
    },
    { line: ['--format', 'json', '--out', '-'], says: 'name a file' },
    { line: ['--format', 'archive', '--out', 'x', '--author', 'anna'], says: '--author does not apply to --format archive' },
    { line: ['--format', 'json', '--out', 'x', '--type', 'shop_order'], says: 'unknown type "shop_order"' },
    { line: ['--format', 'json', '--out', 'x', '--after', 'next week'], says: 'invalid date "next week"' },
    { line: ['--format', 'static', '--out', 'public', '--without', 'everything'], says: 'Unknown group "everything"' },
  ])('$line is a usage error', async ({ line, says }) => {
    const { cwd } = await shared;
    const { status, out, err } = await run(['export', 'site', ...line], { cwd });
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(says);
    expect(Object.keys(await filesIn(cwd)).filter((path) => !path.startsWith('site/'))).toEqual(['file']);
  });

  it.each(['wxr', 'json', 'archive', 'static'])(
    'shows for %s in a dry run what it would write, and writes nothing',
    async (format) => {
      const { cwd } = await copy();
      const line = ['export', 'site', '--format', format, '--out', 'new', ...address];
      const before = await filesIn(cwd, { own: true });
      const rehearsed = await run([...line, '--dry-run'], { cwd });
      expect(rehearsed).toMatchObject({ status: 0, err: '' });
      expect(rehearsed.out).toMatch(/^would write new: \d+ /);
      expect(await filesIn(cwd, { own: true })).toEqual(before);
      if (format !== 'static') return;
      await run(line, { cwd });
      const written = await filesIn(cwd);
      await writeFile(join(cwd, 'site/pages/extra.md'), '---\nid: 400\ntitle: Extra\n---\nMore.');
      const { out } = await run([...line, '--dry-run', '--json'], { cwd });
      const { files, dryRun } = JSON.parse(out);
      expect(dryRun).toBe(true);
      expect(files.written).toContain('cms-json/cms/v2/pages/400/index.json');
      expect(await filesIn(join(cwd, 'new'))).toEqual(
        Object.fromEntries(
          Object.entries(written).flatMap(([path, text]) => (path.startsWith('new/') ? [[path.slice(4), text]] : [])),
        ),
      );
    },
  );

  it.each([
    { format: 'json', begins: '{\n "version": 1,' },
    { format: 'wxr', begins: '<?xml version="1.0" encoding="UTF-8"?>' },
  ])('writes $format into one file, completely or not at all', async ({ format, begins }) => {
    const { cwd } = await copy();
    const line = ['export', 'site', '--format', format, '--out', 'new/site.out', ...address];
    const { status, out, err } = await run(line, { cwd });
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toMatch(/^new\/site\.out: .*\d+ users.*; \d+\.\d MB\n/);
    expect(out).toContain('NOT INCLUDED');
    const text = await readFile(join(cwd, 'new/site.out'), 'utf8');
    expect(text.startsWith(begins)).toBe(true);
    expect(text).toContain('https://example.com/hello-harbour/');
    await run(line, { cwd });
    expect(await readFile(join(cwd, 'new/site.out'), 'utf8')).toBe(text);
    expect((await run([...line, '--type', 'nothing'], { cwd })).status).toBe(2);
    expect(Object.keys(await filesIn(join(cwd, 'new'), { own: true }))).toEqual(['site.out']);
    expect(await readFile(join(cwd, 'new/site.out'), 'utf8')).toBe(text);
  });

  it('writes an archive', async () => {
    const { cwd } = await copy();
    const { status, out } = await run(['export', 'site', '--format', 'archive', '--out', 'site.tgz'], { cwd });
    expect(status).toBe(0);
    expect(out).toMatch(/^site\.tgz: \d+ files; /);
    expect((await stat(join(cwd, 'site.tgz'))).size).toBeGreaterThan(1000);
  });

  it('writes private data readable only by its owner', async () => {
    const { cwd } = await copy();
    await run(['export', 'site', '--format', 'json', '--out', 'site.json', '--private'], { cwd });
    expect((await stat(join(cwd, 'site.json'))).mode & 0o777).toBe(0o600);
  });

  it('prints its report as JSON', async () => {
    const { cwd } = await copy();
    const line = ['export', 'site', '--format', 'static', '--out', 'public', ...address, '--json'];
    const first = JSON.parse((await run(line, { cwd })).out);
    expect(first).toMatchObject({ format: 'static', out: join(cwd, 'public'), files: { unchanged: 0, removed: [], kept: [] } });
    expect(first.files.written).toContain('sitemap.xml');
    expect(first.left).toContainEqual({ what: 'post: draft', count: 1, reason: 'not public' });
    const again = JSON.parse((await run(line, { cwd })).out);
    expect(again.files).toEqual({ written: [], unchanged: first.files.written.length, removed: [], kept: [] });
  });

  it('refuses to write into the content folder', async () => {
    const { dir, cwd } = await copy();
    const before = await filesIn(dir, { own: true });
    await run(['export', 'site', '--format', 'static', '--out', 'public', '--read-only', ...address], { cwd });
    expect(await filesIn(dir, { own: true })).toEqual(before);
  });

  it.each(['wxr', 'json', 'archive', 'static'])('stops %s on request, and leaves no partial file', async (format) => {
    const { cwd } = await copy();
    const line = ['export', 'site', '--format', format, '--out', 'new', ...address];
    const { io, said } = pretend({ cwd, stopped: () => Promise.resolve() });
    expect(await main(line, io)).toBe(1);
    expect(said.err[0]).toBe('cms: stopped');
    const left = Object.keys(await filesIn(cwd)).filter((path) => !path.startsWith('site/'));
    if (format !== 'static') expect(left).toEqual([]);
    expect(await run(line, { cwd })).toMatchObject({ status: 0, err: '' });
  });

  it('keeps a static export up to date until it is stopped', async () => {
    const { dir, cwd } = await copy();
    let stop = (): void => {};
    const stopped = new Promise<void>((done) => {
      stop = done;
    });
    const { io, said } = pretend({ cwd, stopped: () => stopped });
    const ended = main(['export', 'site', '--format', 'static', '--out', 'public', '--watch', ...address], io);
    await until(() => said.err.some((line) => line.startsWith('watching')));
    const path = join(dir, 'posts/2026/06/gull.md');
    await writeFile(path, `${await readFile(path, 'utf8')}\nIt came back.\n`);
    const line = await until(() => said.out.find((one) => one.startsWith('posts/2026/06/gull.md')));
    expect(line).toMatch(/^posts\/2026\/06\/gull\.md: \d+ written, 0 removed$/);
    expect(await readFile(join(cwd, 'public/cms-json/cms/v2/posts/slug/gull/index.json'), 'utf8')).toContain('It came back.');
    stop();
    expect(await ended).toBe(0);
  });
});
