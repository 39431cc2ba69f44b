import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startUpstream, type Upstream } from '../support/upstream.ts';
import { startSite, until } from '../support/site.ts';
import { filesIn, newSite, run, temporary } from './run.ts';

const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } })
  .png()
  .toBuffer();

async function upstream(): Promise<Upstream> {
  const png = (_: unknown, response: { writeHead(status: number, headers: object): { end(body: Buffer): void } }) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  const site = await startUpstream(() => ({
    '/f/a.png': png as never,
    '/f/b.png': png as never,
    '/f/page.png': '<!doctype html>gone',
  }));
  onTestFinished(() => site.close());
  return site;
}

async function put(dir: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), bytes);
  }
}

const sidecar = (id: number, address?: string) =>
  `id: ${id}\ndate: 2026-03-05\nmood: calm # mine\n${address ? `fetch: ${address}\n` : ''}`;

describe('cms media fetch', () => {
  it('downloads remote files, reports failures, and resumes the next time', async () => {
    const { url, host, asked } = await upstream();
    const { dir } = await newSite();
    await put(dir, {
      'media/2026/a.png.yaml': sidecar(10, `${url}/f/a.png`),
      'media/2026/b.png.yaml': sidecar(11, `${url}/f/b.png`),
      'media/2026/page.png.yaml': sidecar(12, `${url}/f/page.png`),
      'media/2026/none.png.yaml': sidecar(13, `${url}/f/none.png`),
      'media/2026/lost.png.yaml': sidecar(14),
      'media/2026/here.png.yaml': sidecar(15, `${url}/f/here.png`),
      'media/2026/here.png': picture,
    });
    const env = { CMS_FETCH_ALLOW: host };
    const before = await filesIn(dir);
    const dry = await run(['media', 'fetch', dir, '--dry-run', '--json'], { env });
    expect(JSON.parse(dry.out).wanted).toHaveLength(5);
    expect(asked).toEqual([]);
    expect(await filesIn(dir)).toEqual(before);

    const { status, out } = await run(['media', 'fetch', dir, '--json'], { env });
    expect(status).toBe(1);
    expect(JSON.parse(out)).toEqual({
      fetched: ['media/2026/a.png', 'media/2026/b.png'],
      present: [],
      missing: [
        {
          path: 'media/2026/lost.png',
          address: '',
          reason: 'the location of its file is unknown',
          hint: expect.stringContaining('--media'),
        },
        { path: 'media/2026/none.png', address: `${url}/f/none.png`, reason: `${url}/f/none.png answered 404` },
        { path: 'media/2026/page.png', address: `${url}/f/page.png`, reason: 'it holds a web page, not image/png' },
      ],
      notes: [],
      stopped: false,
    });
    expect(await readFile(join(dir, 'media/2026/a.png'))).toEqual(picture);
    for (const [name, id] of [
      ['a', 10],
      ['b', 11],
      ['here', 15],
    ] as const)
      expect(await readFile(join(dir, `media/2026/${name}.png.yaml`), 'utf8')).toBe(sidecar(id));

    const local = await temporary();
    await put(local, { 'deep/lost.png': picture, 'f/none.png': picture, 'f/page.png': picture });
    const times = asked.length;
    const again = await run(['media', 'fetch', dir, '--media', local, '--from', `${url}/f/=${local}/f`], { env });
    expect(again).toEqual({ status: 0, out: '3 fetched', err: '' });
    expect(asked.length).toBe(times);
    expect((await run(['media', 'fetch', dir])).out).toBe('0 fetched');
    expect((await run(['validate', dir])).status).toBe(0);
  });

  it('requests nothing in a private network unless the operator allows it', async () => {
    const { url, asked } = await upstream();
    const { dir } = await newSite();
    await put(dir, { 'media/a.png.yaml': sidecar(10, `${url}/f/a.png`) });
    const { status, out } = await run(['media', 'fetch', dir]);
    expect(status).toBe(1);
    expect(out).toContain('CMS_FETCH_ALLOW=127.0.0.1:');
    expect(out).toContain('0 fetched, 1 failed');
    expect(asked).toEqual([]);
  });

  it('works while a server runs, which shows the new files', async () => {
    const { url, host } = await upstream();
    const test = await startSite({ files: { 'media/a.png.yaml': sidecar(30, `${url}/f/a.png`) } });
    onTestFinished(() => test.close());
    expect((await test.ask('GET', '/cms/v2/media/30')).body.source_url).toBe(`${url}/f/a.png`);
    expect((await run(['media', 'fetch', test.dir], { env: { CMS_FETCH_ALLOW: host } })).out).toBe('1 fetched');
    const shown = await until(async () => {
      const { body } = await test.ask('GET', '/cms/v2/media/30');
      return body.source_url === `${test.url}/uploads/a.png` && body;
    });
    expect(shown.media_details).toMatchObject({ width: 400, height: 300 });
    expect(await test.read('media/a.png.yaml')).toBe(sidecar(30));
  });

  it.each([
    ['--jobs', '0'],
    ['--jobs', 'x'],
    ['--from', 'old.example=x'],
    ['--from', 'https://old.example/'],
  ])('rejects %s %s', async (...flags) => {
    const { dir } = await newSite();
    expect((await run(['media', 'fetch', dir, ...flags])).status).toBe(2);
  });
});

it('cms media lists media and their sizes', async () => {
  const { dir } = await newSite();
  await put(dir, {
    'media/a.png': picture,
    'media/bad.png': 'no picture',
    'media/b.png.yaml': sidecar(20, 'https://old.example/b.png'),
  });
  expect((await run(['media', 'list', dir])).out.split('\n')).toEqual([
    'FILE           BYTES    URL',
    `media/a.png    ${picture.length}`.trimEnd(),
    'media/b.png    missing  https://old.example/b.png',
    'media/bad.png  10',
  ]);
  expect(JSON.parse((await run(['media', 'list', dir, '--missing', '--json'])).out)).toEqual([
    { path: 'media/b.png', size: null, address: 'https://old.example/b.png' },
  ]);
  const { status, out } = await run(['media', 'sizes', dir]);
  expect({ status, out: out.split('\n') }).toEqual({
    status: 1,
    out: ['media/bad.png  not a readable image', '2 sizes available for 2 images'],
  });
  const made = Object.keys(await filesIn(dir, { own: true })).filter((path) => path.startsWith('.cms/cache/derived/a.png/'));
  expect(made.map((path) => path.replace(/^.*\//, '')).sort()).toEqual(['a-150x150.png', 'a-300x225.png', 'about.json']);
});
