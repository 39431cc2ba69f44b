import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { FetchError } from '../../../src/http-client/fetch.ts';
import { createStore, type OpenStore } from '../../../src/kernel/store/store.ts';
import { SourceError } from '../../../src/transfer/import/items.ts';
import { createMediaImport, type MediaImportOptions } from '../../../src/transfer/import/media.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const path = '2026/03/cat.png';
const place = `media/${path}`;
const url = 'https://old.example/files/2026/03/cat.png';

let dir: string;
let store: OpenStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cms-media-'));
  store = await createStore({ dir: join(dir, 'site') });
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function put(name: string, bytes: Uint8Array | string = png): Promise<string> {
  const file = join(dir, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, bytes);
  return file;
}

const mediaImportOf = (options: Partial<MediaImportOptions>) => createMediaImport({ store, pause: async () => {}, ...options });

/** A fetcher that writes the bytes, or throws, one answer after another. */
function answering(...answers: readonly (Uint8Array | FetchError)[]) {
  const asked: string[] = [];
  const download = async (address: string, into: string) => {
    asked.push(address);
    const answer = answers[Math.min(asked.length, answers.length) - 1] as Uint8Array | FetchError;
    if (answer instanceof FetchError) throw answer;
    await writeFile(into, answer, { flag: 'wx' });
    return { size: answer.length, type: 'image/png', url: address };
  };
  return { asked, fetcher: { download } };
}

const status = (code: number) => new FetchError(`${url} answered ${code}`, { refused: false, status: code });
const silence = new FetchError(`${url} could not be reached`, { refused: false });

describe('the file of an attachment', () => {
  it('is found in the source folder, and stays there', async () => {
    const file = await put('source/static/cat.png');
    const mediaImport = mediaImportOf({ source: { name: join(dir, 'source') } });
    const brought = await mediaImport.obtain({ path, file }, place);
    expect(brought).toMatchObject({ change: { path: place, expect: null } });
    await store.commit([(brought as { change: never; size: number }).change]);
    await mediaImport.close();
    expect(await readFile(join(dir, 'site', place))).toEqual(png);
    expect(await readFile(file)).toEqual(png);
    expect(await mediaImportOf({}).obtain({ path }, place)).toEqual({ present: true });
  });

  test.each(['secret/cat.png', 'source/../secret/cat.png', 'source/link.png', 'source/deep/cat.png'])(
    'is never found outside of it: %s',
    async (name) => {
      const secret = await put('secret/cat.png');
      await mkdir(join(dir, 'source'));
      await symlink(secret, join(dir, 'source/link.png'));
      await symlink(join(dir, 'secret'), join(dir, 'source/deep'));
      const brought = await mediaImportOf({ source: { name: join(dir, 'source') } }).obtain(
        { path, file: join(dir, name) },
        place,
      );
      expect(brought).toMatchObject({ missing: expect.stringContaining('points outside') });
    },
  );

  test.each([
    [['2026/03/cat.png'], true],
    [['backup/2026/03/cat.png', 'other/cat.png'], true],
    [['other/cat.png'], true],
    [['a/cat.png', 'b/cat.png'], false],
    [['2026/03/dog.png'], false],
  ])('is found in a copy of the uploads: %j', async (names, found) => {
    for (const name of names) await put(`copy/${name}`);
    const brought = await mediaImportOf({ mediaDir: join(dir, 'copy') }).obtain({ path }, place);
    expect('change' in brought).toBe(found);
  });

  test.each(['../secret/cat.png', '/etc/passwd'])('is not found where a path leaves the copy: %s', async (name) => {
    await put('secret/cat.png');
    await mkdir(join(dir, 'copy'));
    expect('missing' in (await mediaImportOf({ mediaDir: join(dir, 'copy') }).obtain({ path: name }, place))).toBe(true);
  });

  it('is found in a folder mapped to a URL', async () => {
    await put('copy/2026/03/cat.png');
    const mirrors = [{ prefix: 'https://old.example/files/', dir: join(dir, 'copy') }];
    expect(await mediaImportOf({ mirrors }).obtain({ path: 'x.png', url: `${url}?x=1` }, place)).toHaveProperty('change');
    expect(
      await mediaImportOf({ mirrors }).obtain({ path: 'x.png', url: 'https://old.example/files/../../x' }, place),
    ).toHaveProperty('missing');
  });

  it('is found in the source first, then on the web', async () => {
    const web = answering(png);
    const fetch = async () => {
      throw new SourceError('gone', { source: 'x' });
    };
    const mediaImport = mediaImportOf({ source: { name: 'https://old.example', fetch }, fetcher: web.fetcher });
    expect(await mediaImport.obtain({ path, url }, place)).toHaveProperty('change');
    expect(web.asked).toEqual([url]);
  });

  it('is not downloaded unless requested', async () => {
    expect(await mediaImportOf({}).obtain({ path, url }, place)).toEqual({
      missing: `file not downloaded yet: ${url}`,
      hint: 'cms media fetch downloads it',
    });
  });
});

describe('downloads', () => {
  test.each([
    [[status(503), status(429), png], 3, undefined],
    [[status(404)], 1, `${url} answered 404`],
    [[status(500)], 3, `${url} answered 500`],
    [[silence, png], 2, undefined],
    [[new FetchError('refused', { refused: true })], 1, 'refused'],
  ])('%#', async (answers, times, missing) => {
    const { asked, fetcher } = answering(...answers);
    const brought = await mediaImportOf({ fetcher }).obtain({ path, url }, place);
    expect(asked.length).toBe(times);
    expect('missing' in brought ? brought.missing : undefined).toBe(missing);
    expect(readdirSync(dirname(store.spoolFile())).length).toBe(missing === undefined ? 1 : 0);
  });

  it('are retried when the host says, after a minute at most', async () => {
    const busy = (retryAfter?: string) => new FetchError('busy', { refused: false, status: 429, retryAfter });
    for (const [first, ms] of [
      ['7', 7000],
      ['90', 60_000],
      [undefined, 1000],
      ['tomorrow', 1000],
    ] as const) {
      const pauses: number[] = [];
      const { fetcher } = answering(busy(first), png);
      const pause = async (given: number) => void pauses.push(given);
      const brought = await mediaImportOf({ fetcher, pause }).obtain({ path, url }, place);
      expect([first, pauses, 'change' in brought]).toEqual([first, [ms], true]);
    }
  });

  it('skip a host that never responds', async () => {
    const { asked, fetcher } = answering(silence);
    const mediaImport = mediaImportOf({ fetcher, limits: { atOnce: 1 } });
    const all = await Promise.all(Array.from({ length: 10 }, (_, at) => mediaImport.obtain({ path, url }, `media/${at}.png`)));
    expect(asked.length).toBe(5);
    expect(all.at(-1)).toMatchObject({ missing: `${url} was not requested: old.example does not respond` });
  });

  it('can be cancelled, and leave nothing behind', async () => {
    const stop = new AbortController();
    const download = async (_address: string, into: string) => {
      await writeFile(into, png);
      stop.abort();
      throw silence;
    };
    const mediaImport = mediaImportOf({ fetcher: { download }, signal: stop.signal });
    await expect(mediaImport.obtain({ path, url }, place)).rejects.toThrow(/abort/);
    await mediaImport.close();
    expect(readdirSync(dirname(store.spoolFile()))).toEqual([]);
  });

  it('run a few at a time', async () => {
    let running = 0;
    let most = 0;
    const download = async (address: string, into: string) => {
      most = Math.max(most, ++running);
      await new Promise((done) => setImmediate(done));
      await writeFile(into, png);
      running--;
      return { size: png.length, type: '', url: address };
    };
    const mediaImport = mediaImportOf({ fetcher: { download } });
    await Promise.all(Array.from({ length: 20 }, (_, at) => mediaImport.obtain({ path, url }, `media/${at}.png`)));
    expect(most).toBe(4);
    await mediaImport.close();
    expect(readdirSync(dirname(store.spoolFile()))).toEqual([]);
  });
});

describe('accepted files', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script><rect width="1" height="1"/></svg>';
  test.each([
    ['media/a.png', '<!doctype html><p>gone', 'it holds a web page, not image/png'],
    ['media/a.png', '', 'the file is empty'],
    ['media/a.php', png, 'unsupported file type'],
    ['media/a.html', '<p>', 'unsupported file type'],
    ['media/a.pdf', png, 'it holds image/png, not application/pdf'],
    ['media/a.txt', 'words', undefined],
    ['media/a.svg', svg, 'SVG files are not taken on this site.'],
    ['media/a.png', 'x'.repeat(2000), /larger than 1000 bytes/],
  ] as const)('%s %j', async (target, bytes, missing) => {
    await put('copy/x', bytes);
    const brought = await mediaImportOf({ mediaDir: join(dir, 'copy'), limits: { maxBytes: 1000 } }).obtain(
      { path: 'x' },
      target,
    );
    if (missing === undefined) expect(brought).toHaveProperty('change');
    else expect('missing' in brought && brought.missing).toMatch(missing);
    expect(existsSync(join(dir, 'copy/x'))).toBe(true);
  });

  it('include a sanitized SVG if the site allows it', async () => {
    await put('copy/a.svg', svg);
    const rules = { allowSvg: true, stripLocation: false };
    const brought = await mediaImportOf({ mediaDir: join(dir, 'copy'), rules }).obtain({ path: 'a.svg' }, 'media/a.svg');
    expect(await readFile((brought as { change: { fromFile: string } }).change.fromFile, 'utf8')).not.toContain('script');
  });

  it('include an image with the wrong extension, with a note', async () => {
    await put('copy/a.jpg');
    expect(await mediaImportOf({ mediaDir: join(dir, 'copy') }).obtain({ path: 'a.jpg' }, 'media/a.jpg')).toMatchObject({
      change: {},
      note: 'its content is image/png, despite its name',
    });
  });
});
