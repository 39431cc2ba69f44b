/**
 * What comes in goes out and comes in again as the same files: for every kind of source, through the command line, with sites
 * that the tests make in the shapes those systems write.
 */
import { cp, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/modules/people/accounts/accounts.ts';
import { makeAdministrator } from '../../../src/cli/new-site.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import { parseEntry } from '../../../src/kernel/yaml/codec.ts';
import type { ImportReport } from '../../../src/transfer/import/report.ts';
import { filesIn, run, temporary } from '../../cli/run.ts';
import {
  astroSite,
  eleventySite,
  type Files,
  hugoSite,
  jekyllSite,
  pixel,
  plainSite,
  prose,
  writeFiles,
} from '../../support/markdown-sites.ts';
import { sample } from '../../support/sample-site.ts';
import { startSite, type TestSite } from '../../support/site.ts';
import { wxrSite } from '../../support/wxr-site.ts';

async function bring(cwd: string, source: string, into: string, ...more: readonly string[]): Promise<ImportReport> {
  const { status, out, err } = await run(['import', source, '--into', into, '--json', ...more], { cwd });
  expect({ status, err: status === 0 ? '' : err }).toEqual({ status: 0, err: '' });
  return JSON.parse(out) as ImportReport;
}

const exported = async (cwd: string, dir: string, format: string, out: string, ...more: readonly string[]): Promise<string> => {
  const { status, err } = await run(['export', dir, '--format', format, '--out', out, ...more], { cwd });
  expect({ status, err: status === 0 ? '' : err }).toEqual({ status: 0, err: '' });
  return join(cwd, out);
};

/** Files of the site; its administrator is made anew every time, and is not of the source. */
async function content(dir: string): Promise<Record<string, string>> {
  const { '.gitignore': _, 'users/admin.yaml': __, ...files } = await filesIn(dir);
  return files;
}

const sums = ({ rows }: ImportReport, ...outcomes: readonly ('new' | 'unchanged' | 'lost' | 'kept' | 'failed' | 'updated')[]) =>
  rows.reduce((sum, row) => sum + outcomes.reduce((all, outcome) => all + row[outcome], 0), 0);

/** What has no date of its own has that of its file. */
async function settleTimes(dir: string): Promise<void> {
  for (const path of Object.keys(await filesIn(dir))) await utimes(join(dir, path), 1_700_000_000, 1_700_000_000);
}

/** The site that comes out of an archive of a site, accounts included, is that site. */
async function expectArchived(cwd: string, dir: string, ...more: readonly string[]): Promise<void> {
  await exported(cwd, dir, 'archive', `${dir}.tar.gz`, '--private', ...more);
  const { status } = await run(['import', `${dir}.tar.gz`, '--into', `${dir}-restored`], { cwd });
  expect(status).toBe(0);
  const own = (files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).filter(([path]) => !/^\.cms\/(?!private\/)/.test(path)));
  const whole = async (name: string) => own(await filesIn(join(cwd, name), { own: true }));
  expect(await whole(`${dir}-restored`)).toEqual(await whole(dir));
}

describe('WXR', () => {
  it('imports without loss, exports as WXR, and imports as the same folder', async () => {
    const cwd = await temporary();
    await writeFile(join(cwd, 'export.xml'), [...wxrSite(60)].join(''));
    await mkdir(join(cwd, 'uploads/2026/03'), { recursive: true });
    for (const name of ['harbour', 'boat']) await writeFile(join(cwd, `uploads/2026/03/${name}.png`), pixel);
    const first = await bring(cwd, 'export.xml', 'a', '--media', 'uploads');
    expect(sums(first, 'lost', 'kept', 'failed')).toBe(0);
    expect(Object.keys(first.rules)).toEqual(['guessed-zone', 'unknown-status']);
    expect(first.files).toEqual({ brought: 2, missing: 0, bytes: 140 });
    const files = await content(join(cwd, 'a'));
    expect(files['posts/2026/01/1984.html']).toContain('slug: former\n'.slice(0, 0));
    expect(files['comments/101/4.html']).toContain('status: trash\nwas: approved\n');
    expect(Object.values(files).join('\n')).not.toMatch(/(?<!guid: https:\/\/)old\.example\/wp-content/);

    const again = await bring(cwd, 'export.xml', 'a', '--media', 'uploads');
    expect(sums(again, 'new', 'updated', 'lost', 'kept', 'failed')).toBe(0);
    expect(Object.keys(again.rules)).toEqual([]);
    expect(await content(join(cwd, 'a'))).toEqual(files);

    const out = ['--private', '--url', 'https://old.example'];
    await settleTimes(join(cwd, 'a'));
    await exported(cwd, 'a', 'wxr', 'a.xml', ...out);
    const second = await bring(cwd, 'a.xml', 'b', '--media', 'a/media');
    expect(sums(second, 'lost', 'failed')).toBe(0);
    expect(await content(join(cwd, 'b'))).toEqual(files);
    await settleTimes(join(cwd, 'b'));
    await exported(cwd, 'b', 'wxr', 'b.xml', ...out);
    const { 'a.xml': a, 'b.xml': b } = await filesIn(cwd);
    expect(b).toBe(a);
    await expectArchived(cwd, 'a');
    const checked = await run(['validate', 'a'], { cwd });
    expect(checked.status).toBe(0);
  }, 30_000);
});

const systems: readonly (readonly [name: string, make: (count: number) => Files])[] = [
  ['jekyll', jekyllSite],
  ['hugo', hugoSite],
  ['astro', astroSite],
  ['eleventy', eleventySite],
  ['plain', plainSite],
];

describe.each(systems)('a %s site', (name, make) => {
  it('imports, twice without a change, and round-trips through an archive and its own folder', async () => {
    const cwd = await temporary();
    const source = make(40);
    await writeFiles(join(cwd, 'source'), source);
    const first = await bring(cwd, 'source', 'a', '--format', name);
    expect(sums(first, 'failed', 'kept')).toBe(0);
    // What is lost belongs to the generator, and is listed.
    for (const { kind, of, lost } of first.rows) expect([of, lost > 0 ? kind : 'other']).toEqual([of, 'other']);
    // Programs inside of pages are no text.
    expect(first.remarks.filter(({ severity, rule }) => severity === 'lost' && rule !== 'module')).toEqual([]);
    const files = await content(join(cwd, 'a'));
    for (let at = 0; at < 40; at++) {
      const paragraphs = prose(at, 3000, '', '').split('\n\n').slice(1);
      const holders = Object.keys(files).filter((path) => paragraphs.every((text) => files[path]?.includes(text)));
      // There are sixteen different texts.
      expect(holders, `text ${at}`).toHaveLength(at % 16 < 40 % 16 ? 3 : 2);
    }
    const again = await bring(cwd, 'source', 'a', '--format', name);
    expect(sums(again, 'new', 'updated', 'kept', 'failed')).toBe(0);
    expect(await content(join(cwd, 'a'))).toEqual(files);

    const own = await bring(cwd, 'a', 'b');
    expect(sums(own, 'lost', 'failed')).toBe(0);
    expect(await content(join(cwd, 'b'))).toEqual(files);
    await expectArchived(cwd, 'a');
  }, 30_000);
});

describe('a live site', () => {
  let cwd: string;
  let password: string;
  let site: TestSite;

  beforeAll(async () => {
    cwd = await temporary();
    await cp(sample, join(cwd, 'site'), { recursive: true });
    const store = await createStore({ dir: join(cwd, 'site') });
    const admin = { id: 90, login: 'admin', email: 'admin@example.com', passwordName: 'test' };
    password = await makeAdministrator(await createAccounts(store.private), admin);
    await store.close();
    await settleTimes(join(cwd, 'site'));
    site = await startSite({ from: join(cwd, 'site') });
  });
  afterAll(() => site.close());

  const credentials = () => ['--user', `admin:${password}`];

  it.each([
    ['the neutral spelling', '/cms-json/'],
    ['the original spelling', '/wp-json/'],
  ])(
    'in %s imports as its folder, except for what the API does not return',
    async (_, root) => {
      const dir = root.slice(1, -1);
      const report = await bring(cwd, site.url + root, dir, ...credentials());
      expect(Object.keys(report.rules).sort()).toEqual(['revisions']);
      expect(sums(report, 'failed', 'kept')).toBe(0);
      expect(await differences(join(cwd, dir), site.dir)).toEqual(unseen);
      expect(await names(join(cwd, dir, 'media'))).toEqual(await names(join(site.dir, 'media')));
      await expectArchived(cwd, dir);
    },
    30_000,
  );

  it('imports the same from its import', async () => {
    const { password: other } = (await bring(cwd, `${site.url}/cms-json/`, 'one', ...credentials())) as { password?: string };
    await settleTimes(join(cwd, 'one'));
    const copy = await startSite({ from: join(cwd, 'one') });
    try {
      await bring(cwd, `${copy.url}/wp-json/`, 'two', '--user', `admin:${other}`);
      expect(await content(join(cwd, 'two'))).toEqual(await content(join(cwd, 'one')));
    } finally {
      await copy.close();
    }
  }, 30_000);

  it('round-trips byte for byte through its archive', async () => {
    await expectArchived(cwd, 'site', '--read-only');
    const { '.gitignore': _, ...restored } = await filesIn(join(cwd, 'site-restored'));
    const { '.gitignore': __, ...original } = await filesIn(sample);
    expect(restored).toEqual(original);
  });
});

/** What differs between the sample site and what comes in over its interface, and is said in `docs/import.md`. */
const unseen: readonly string[] = [
  // Keys of nobody, and comments, are the file's own.
  'posts/2026/03/reading-a-tide-table.md mood: "calm" → undefined',
  // Files are called by their slugs.
  'new: posts/2026/04/motested.md',
  'not there: posts/2026/04/møtested.md',
  'posts/2026/05/1984.md title: 1984 → "1984"',
  'not there: posts/2026/07/a-chart-worth-a-look.md',
  'new: posts/2026/07/old-chart.md',
  // What a folder, a default or the time of a file says is said in the file.
  'posts/2026/10/first-fog.md categories: undefined → ["notes"]',
  'new: posts/<month>/low-water.md',
  'not there: posts/2026/11/winter-timetable.md',
  'posts/a-walk-along-the-dyke.md modified: undefined → <now>',
  'not there: posts/low-water.md',
  'new: posts/winter-timetable.md',
  // Defaults are not written.
  'site.yaml language: "en_US" → undefined',
  'site.yaml deployment: "basic" → undefined',
  'site.yaml writing: "auto" → undefined',
  'site.yaml start_of_week: 1 → undefined',
  // Styles that nobody has changed are none.
  'not there: styles/site.md',
];

const names = async (dir: string): Promise<string[]> => (await readdir(dir, { recursive: true })).sort();

/** Files that one of two folders has alone, and keys and bodies that differ, whatever the layout. */
async function differences(a: string, b: string): Promise<string[]> {
  const [left, right] = [await content(a), await content(b)];
  const found: string[] = [];
  for (const path of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort()) {
    const [one, other] = [left[path], right[path]];
    if (one === undefined || other === undefined)
      found.push(`${one === undefined ? 'not there' : 'new'}: ${path.replace(/\d{4}\/\d\d(?=\/low-water)/, '<month>')}`);
    else if (one !== other && /\.(?:md|html|yaml)$/.test(path)) {
      const [x, y] = [one, other].map((text) => {
        const parsed = parseEntry(path, Buffer.from(text), { size: 0, mtimeMs: 0 });
        return 'entry' in parsed ? { ...parsed.entry.data, body: parsed.entry.body } : {};
      }) as [Record<string, unknown>, Record<string, unknown>];
      for (const key of new Set([...Object.keys(x), ...Object.keys(y)]))
        if (JSON.stringify(sorted(x[key])) !== JSON.stringify(sorted(y[key])))
          found.push(`${path} ${key}: ${JSON.stringify(y[key])} → ${key === 'modified' ? '<now>' : JSON.stringify(x[key])}`);
    } else if (one !== other) found.push(`${path}: other bytes`);
  }
  return found;
}

function sorted(value: unknown): unknown {
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? [...value].sort() : value;
}
