/** From the first count to the translated files, by nothing but the command line. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { siteFiles } from '../modules/translation/jobs/site.ts';
import { patiently } from '../../src/cli/translate-import.ts';
import { BusyError } from '../../src/kernel/store/types.ts';
import { filesIn, newSite, run } from './run.ts';

let dir = '';
beforeAll(async () => {
  ({ dir } = await newSite());
  const languages = 'lang:\n  languages:\n    en: {}\n    de: {}\n    en-xa: { name: Pseudo }\n';
  for (const [path, text] of Object.entries({ ...siteFiles, 'site.yaml': siteFiles['site.yaml'] + languages })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
});

const translate = (...line: readonly string[]) => run(['translate', ...line], { cwd: dir });
const counts = async (code: string) => {
  const { out } = await translate('status', '--to', code, '--json');
  const { languages } = JSON.parse(out) as { languages: readonly Record<string, number>[] };
  const { language: _, ...rest } = languages[0] as Record<string, unknown>;
  return rest;
};

describe('cms translate', () => {
  it('counts, orders, exports and imports', async () => {
    const { out, status } = await translate('status');
    expect([status, out.split('\n').slice(0, 3)]).toEqual([
      0,
      [
        'LANGUAGE  MISSING  OUTDATED  IN WORK  TRANSLATED',
        expect.stringMatching(/^en +0 +0 +0 +0$/),
        expect.stringMatching(/^de +\d+ +0 +0 +1$/),
      ],
    ]);
    const before = (await counts('de')) as { missing: number };
    expect((await translate('status', '--to', 'de', '--check')).status).toBe(1);
    const order = await translate('order', '--to', 'de', '--type', 'page,post', '--deadline', '2026-05-01', '--json');
    const { created } = JSON.parse(order.out) as { created: readonly { jobId: number; item: number }[] };
    expect(created.map(({ item }) => item)).toEqual(expect.arrayContaining([10, 12, 14, 15]));
    expect(await counts('de')).toMatchObject({ missing: before.missing - created.length, 'in-work': created.length });
    const written = await translate('export', '--to', 'de');
    expect([written.status, written.err]).toEqual([0, `wrote ${created.length} documents to xliff`]);
    const job = created.find(({ item }) => item === 14)?.jobId;
    const file = join(dir, `xliff/de/job-${job}.xliff`);
    const text = await readFile(file, 'utf8');
    const finished = text.replace(/<source>([\s\S]*?)<\/source>/g, '<source>$1</source>\n<target state="translated">$1</target>');
    await writeFile(file, finished);
    const back = await translate('import', `xliff/de/job-${job}.xliff`, '--json');
    expect(back.status).toBe(0);
    expect(JSON.parse(back.out)).toMatchObject([{ job, finished: 3, units: 3, error: '' }]);
    const files = await filesIn(dir);
    const bodyOf = (path: string) => files[path]?.split('\n---\n')[1];
    expect(bodyOf('posts/hello.de.html')).toBe(bodyOf('posts/hello.html'));
  });

  it('reports rejected files and continues with the rest', async () => {
    const before = await filesIn(dir);
    await writeFile(join(dir, 'xliff/de/other.xliff'), 'not XML');
    const { status, err } = await translate('import', 'xliff/de');
    expect(status).toBe(1);
    expect(err).toMatch(/xliff\/de\/other\.xliff:1:\d+: The document cannot be read as XLIFF: .*\n {2}send the file back/);
    expect(err).toMatch(/imported \d+ of \d+ documents/);
    const after = await filesIn(dir);
    delete after['xliff/de/other.xliff'];
    expect(after).toEqual(before);
  });

  it('reports the line of an error, and how to fix it', async () => {
    const file = join(dir, 'xliff/de/wrong.xliff');
    const name = (await readdir(join(dir, 'xliff/de'))).find((one) => /^job-\d+/.test(one)) ?? '';
    const text = await readFile(join(dir, 'xliff/de', name), 'utf8');
    const shown = async (change: (text: string) => string) => {
      await writeFile(file, change(text));
      const { status, err, out } = await translate('import', 'xliff/de/wrong.xliff', '--json');
      const [{ refusals }] = JSON.parse(out) as [{ refusals: { line?: number; message: string; hint: string }[] }];
      expect(status).toBe(1);
      return { err, refusals };
    };
    const lineOf = (part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;
    const [, id = ''] = /<trans-unit id="([^"]+)"/.exec(text) ?? [];
    const twice = await shown((given) => given.replace(/( *<trans-unit[\s\S]*?<\/trans-unit>\n)/, '$1$1'));
    const second = lineOf('<trans-unit') + (/ *<trans-unit[\s\S]*?<\/trans-unit>\n/.exec(text)?.[0].split('\n').length ?? 0) - 1;
    expect(twice.err).toContain(`wrong.xliff:${second}:4: ${id}: the unit appears twice\n  remove one of them`);
    const other = await shown((given) => given.replace('<source>', '<source>No '));
    expect(other.refusals).toEqual([
      {
        line: lineOf('<trans-unit'),
        column: 4,
        message: `${id}: the source is another text`,
        hint: expect.stringContaining('leave sources'),
      },
    ]);
    const gone = await shown((given) => given.replace(/ *<trans-unit[\s\S]*?<\/trans-unit>\n/, ''));
    expect(gone.refusals).toEqual([{ message: `${id}: the unit is missing`, hint: expect.any(String) }]);
    const cut = await shown((given) => given.slice(0, given.indexOf('</body>')));
    expect(cut.err).toMatch(/wrong\.xliff:\d+:\d+: .*\n {2}send the file back/);
    const foreign = await shown((given) => given.replace(/original="\d+-/, 'original="x-'));
    expect(foreign.err).toContain('wrong.xliff: names no job of this site\n  its "original" must stay');
    await rm(file);
  });

  it('counts, orders and imports strings on request', async () => {
    const counted = async () => {
      const { out } = await translate('status', '--to', 'de', '--type', 'string', '--json', '--list');
      return JSON.parse(out) as { strings: Record<string, number>[]; texts: { name: string; state: string }[] };
    };
    const before = await counted();
    const [{ missing = 0 } = {}] = before.strings;
    expect(missing).toBeGreaterThan(1);
    expect(before.texts).toContainEqual(expect.objectContaining({ domain: 'site', name: 'name', state: 'missing' }));
    expect((await translate('status', '--type', 'string', '--to', 'de')).out).toMatch(/^STRINGS .*\nde +\d+/);
    expect((await translate('order', '--to', 'de', '--type', 'string')).err).toMatch(/^ordered 1 job/);
    expect((await counted()).strings).toMatchObject([{ missing: 0, 'in-work': missing }]);
    await translate('export', '--to', 'de', '--out', 'strings');
    const names = await readdir(join(dir, 'strings/de'));
    for (const name of names) {
      const text = await readFile(join(dir, 'strings/de', name), 'utf8');
      if (!text.includes('id="string-')) await rm(join(dir, 'strings/de', name));
      else
        await writeFile(
          join(dir, 'strings/de', name),
          text.replace(/<source>(.*?)<\/source>/g, '<source>$1</source><target>$1 de</target>'),
        );
    }
    expect((await translate('import', 'strings')).err).toBe('imported 1 of 1 documents');
    expect((await counted()).strings).toMatchObject([{ missing: 0, 'in-work': 0, translated: missing }]);
    expect((await filesIn(dir))['lang/strings/site.de.yaml']).toContain('translation: Harbour de');
  });

  it('retries while the folder is locked, but not forever', async () => {
    let tries = 0;
    const busy = (times: number) => async (): Promise<string> => {
      if (tries++ < times) throw new BusyError('busy');
      return 'done';
    };
    expect(await patiently(busy(2))).toBe('done');
    tries = 0;
    await expect(patiently(busy(99))).rejects.toThrow(BusyError);
    await expect(patiently(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
  });

  it('reads terms before the posts that use them, whatever the order of files', async () => {
    const { dir: other } = await newSite();
    for (const [path, text] of Object.entries(siteFiles)) {
      await mkdir(dirname(join(other, path)), { recursive: true });
      await writeFile(join(other, path), text);
    }
    const at = (...line: readonly string[]) => run(['translate', ...line], { cwd: other });
    // The child before its parent, the post before its tag.
    const jobs: number[] = [];
    for (const id of ['14', '12', '10', '33']) {
      const { created } = JSON.parse((await at('order', id, '--to', 'de', '--json')).out) as { created: { jobId: number }[] };
      jobs.push(created[0]?.jobId ?? 0);
    }
    await at('export');
    const names = jobs.map((job) => `xliff/de/job-${job}.xliff`);
    for (const name of names) {
      const text = await readFile(join(other, name), 'utf8');
      await writeFile(join(other, name), text.replace(/(<source>)([\s\S]*?)(<\/source>)/g, '$1$2$3<target>$2</target>'));
    }
    // One twice: the second finds what the first has written.
    const { out, status } = await at('import', ...names, names[0] as string, '--json');
    expect([status, (JSON.parse(out) as { job: number }[]).map(({ job }) => job)]).toEqual([0, [...jobs, jobs[0]]]);
    const files = await filesIn(other);
    expect(files['posts/hello.de.html']).toMatch(/^tags:\n {2}- sea-2$/m);
    expect(Object.keys(files)).toContain('pages/about/team.de.md');
  });

  it('writes and reads archives', async () => {
    expect((await translate('export', '--out', 'all.zip', '--format', '2.0')).status).toBe(0);
    const { status, err } = await translate('import', 'all.zip');
    expect([status, err]).toEqual([0, expect.stringMatching(/of \d+ units are translated; saved in the job/)]);
  });

  it('fills a pseudo-language for tests', async () => {
    const { status, err } = await translate('pseudo', '--to', 'en-xa');
    expect([status, err]).toEqual([0, expect.stringMatching(/^pseudo-translated \d+ items$/)]);
    expect(await counts('en-xa')).toMatchObject({ missing: 0, outdated: 0, 'in-work': 0 });
    const files = await filesIn(dir);
    expect(files['pages/about.en-xa.md']).toContain('⟦Ŵé åŕé **ṁåñý** þéöþļé. Šéé [ţĥé ţéåṁ](/en/about/team/) åñð `code`.');
  });

  it.each([
    [['order'], /--to/],
    [['order', '--to', 'fr'], /"fr" is not a language of the site/],
    [['order', 'x', '--to', 'de'], /"x" is not the id of an item/],
    [['order', '--to', 'de', '--deadline', 'soon'], /2026-05-01/],
    [['export', '--format', '3'], /XLIFF is written as 1\.2 or 2\.0/],
    [['import', 'nowhere'], /"nowhere" does not exist/],
    [['pseudo'], /--to/],
  ])('%j is a usage error', async (line, message) => {
    const { status, err } = await translate(...line);
    expect([status, err]).toEqual([2, expect.stringMatching(message)]);
  });

  it('fails for unknown items', async () => {
    expect(await translate('order', '99', '--to', 'de')).toMatchObject({
      status: 1,
      err: expect.stringContaining('no original with the id 99'),
    });
    expect(await translate('order', '--to', 'de', '--translator', 'zoe')).toMatchObject({
      status: 1,
      err: expect.stringContaining('"zoe"'),
    });
  });
});

describe('cms user languages', () => {
  it('sets and prints the language pairs of a translator, who can be assigned jobs in them', async () => {
    const user = (...line: readonly string[]) => run(['user', ...line], { cwd: dir });
    expect((await user('create', 'ada', '--role', 'translator', '--email', 'ada@example.com')).status).toBe(0);
    expect((await user('languages', 'ada', 'en:de')).status).toBe(0);
    expect((await user('languages', 'ada')).out).toBe('en:de');
    expect((await user('languages', 'ada', 'en:fr')).status).toBe(2);
    const { status, err } = await translate('order', '33', '--to', 'de', '--translator', 'ada');
    expect([status, err]).toEqual([0, expect.stringContaining('ordered 1 job')]);
    expect((await translate('order', '33', '--to', 'en-xa', '--all', '--translator', 'ada')).err).toContain(
      'the translator does not have',
    );
  });
});
