import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { isAttachment } from '../../src/modules/content/attachments/record.ts';
import { sendFile } from '../support/media.ts';
import { type Answered, startSite, type TestSite, until } from '../support/site.ts';

/** A picture with something in it: plain ones compress to nothing. */
async function photo(width: number, height: number, format: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' = 'jpeg'): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 7 + (at >> 9)) & 0xff;
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

let test: TestSite;
const month = () => test.site.now().local.slice(0, 7).replace('-', '/');
const folder = () => join(test.dir, 'media', month());
const left = () => (existsSync(folder()) ? readdirSync(folder()).sort() : []);
const spool = () => readdirSync(dirname(test.site.store.spoolFile()));

async function upload(name: string, bytes: Uint8Array, headers: Record<string, string> = {}, as = 'admin'): Promise<Answered> {
  const response = await sendFile(test, name, bytes, { as, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function form(fields: Record<string, string>, name: string, bytes: Uint8Array, type: string): Promise<Answered> {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.set(key, value);
  body.set('file', new Blob([bytes as never], { type }), name);
  const authorization = `Basic ${Buffer.from(`admin:${test.password}`).toString('base64')}`;
  const response = await fetch(`${test.url}/cms-json/cms/v2/media`, { method: 'POST', headers: { authorization }, body });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers });

beforeAll(async () => {
  test = await startSite({ writing: 'markup' });
});
afterAll(() => test.close());

describe('upload', () => {
  it('gets the name in its form, and a URL with letters of all scripts', async () => {
    const bytes = await photo(4, 4, 'png');
    const named = async (name: string) => {
      const { status, body } = await form({}, name, bytes, 'image/png');
      expect(status, JSON.stringify(body)).toBe(201);
      return [body.title.raw, body.slug, body.source_url.replace(/^.*\//, '')];
    };
    expect(await named('日本 %20語+.png')).toEqual(['日本 %20語+', '%e6%97%a5%e6%9c%ac-%20%e8%aa%9e', '日本-語.png']);
    expect(await named('.png')).toEqual(['unnamed-file', 'unnamed-file', 'unnamed-file.png']);
    expect(await named('0.png')).toEqual(['0', '0', '0.png']);
    const response = await fetch(`${test.url}/uploads/${month()}/日本-語.png`);
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
  });

  it('writes the original and a sidecar with only what cannot be derived', async () => {
    const bytes = await photo(640, 480);
    const { status, body } = await upload('Harbour at dawn.jpg', bytes);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      slug: 'harbour-at-dawn',
      media_type: 'image',
      mime_type: 'image/jpeg',
      missing_image_sizes: [],
    });
    expect(Object.keys(body.media_details.sizes)).toEqual(['medium', 'thumbnail', 'full']);
    expect(bytes.equals(await readFile(join(folder(), 'Harbour-at-dawn.jpg')))).toBe(true);
    const sidecar = await readFile(join(folder(), 'Harbour-at-dawn.jpg.yaml'), 'utf8');
    expect(sidecar.split('\n').map((line) => line.split(':')[0])).toEqual(['id', 'date', 'author', '']);
    expect(spool()).toEqual([]);
  });

  it('accepts a form with fields', async () => {
    const { status, body } = await form(
      { title: 'Two gulls', alt_text: 'Two <b>gulls</b>', caption: 'On a pole' },
      'gulls.png',
      await photo(200, 100, 'png'),
      'image/png',
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: { raw: 'Two gulls' },
      alt_text: 'Two gulls',
      caption: { raw: 'On a pole', rendered: '<p>On a pole</p>\n' },
    });
  });

  it('keeps the file name that the sender gave in a form; a raw upload is named by the server', async () => {
    const bytes = await photo(60, 40, 'png');
    const first = await form({}, 'Two "old" gulls.png', bytes, 'image/png');
    const second = await form({}, 'Two "old" gulls.png', bytes, 'image/png');
    expect(second.body.title.raw).toBe(first.body.title.raw);
    expect(second.body.title.raw).toMatch(/^Two .+ gulls$/);
    expect(second.body.source_url).toMatch(/Two-.*gulls-1\.png$/);
    expect((await upload('Two old terns.png', bytes)).body.title.raw).toBe('Two-old-terns');
  });

  it('accepts a named file sent as a plain form, as curl sends it by default', async () => {
    const { status, body } = await upload('curled.png', await photo(40, 30, 'png'), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([status, body.mime_type, body.media_details?.width]).toEqual([201, 'image/png', 40]);
  });

  it('accepts a cover for audio, not for images', async () => {
    const { body: cover } = await upload('cover.png', await photo(50, 50, 'png'));
    const featured_media = String(cover.id);
    const sound = Buffer.from('ID3\x03\0\0\0\0\0\0');
    const heard = await form({ featured_media }, 'song.mp3', sound, 'audio/mpeg');
    expect(heard).toMatchObject({ status: 201, body: { featured_media: cover.id } });
    const none = await form({ featured_media: '999999' }, 'song.mp3', sound, 'audio/mpeg');
    expect(none.body).toMatchObject({ code: 'rest_invalid_featured_media', data: { status: 400 } });
    const before = left();
    const seen = await form({ featured_media }, 'seen.png', await photo(50, 50, 'png'), 'image/png');
    expect(seen.body).toMatchObject({ code: 'rest_no_featured_media', data: { status: 400 } });
    expect(left()).toEqual(before);
    const changed = await test.ask('POST', `/cms/v2/media/${cover.id}`, { as: 'admin', body: { featured_media: cover.id } });
    expect(changed).toMatchObject({ status: 200, body: { featured_media: 0 } });
  });

  it('recognizes identical bytes', async () => {
    const bytes = await photo(90, 80, 'png');
    const first = await upload('twin.png', bytes);
    const second = await upload('twin.png', bytes);
    expect(second.body.source_url).toMatch(/twin-1\.png$/);
    expect(second.headers.get('link')).toContain(`/media/${first.body.id}>; rel="duplicate"`);
  });

  it('names an image for its actual type', async () => {
    const { body } = await upload('really-a-png.jpg', await photo(30, 30, 'png'));
    expect(body.mime_type).toBe('image/png');
    expect(body.source_url).toMatch(/really-a-png\.png$/);
  });

  it('checks an MD5 checksum', async () => {
    const headers = { 'content-md5': 'd41d8cd98f00b204e9800998ecf8427e' };
    expect((await upload('x.png', await photo(10, 10, 'png'), headers)).body).toMatchObject({
      code: 'rest_upload_hash_mismatch',
      data: { status: 412 },
    });
  });

  it.each([
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
    ['gif', 'image/gif'],
  ] as const)('creates sizes of %s', async (format, mime) => {
    const { status, body } = await upload(`kind.${format}`, await photo(400, 300, format));
    expect([status, body.mime_type]).toEqual([201, mime]);
    const thumbnail = await get(body.media_details.sizes.thumbnail.source_url);
    expect([thumbnail.status, thumbnail.headers.get('content-type')]).toEqual([200, mime]);
    const { width, height } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata();
    expect([width, height]).toEqual([150, 150]);
  });

  it('rotates an image by its EXIF orientation and keeps its color profile', async () => {
    const bytes = await sharp(await photo(600, 400))
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    const { body } = await upload('turned.jpg', bytes);
    expect(body.media_details).toMatchObject({
      width: 400,
      height: 600,
      original_image: 'turned.jpg',
      image_meta: { orientation: 1 },
    });
    expect(body.source_url).toMatch(/turned-rotated\.jpg$/);
    const shown = await sharp(
      Buffer.from(await (await get(body.media_details.sizes.medium.source_url)).arrayBuffer()),
    ).metadata();
    expect([shown.width, shown.height, shown.orientation]).toEqual([200, 300, undefined]);
    expect(shown.icc?.length).toBeGreaterThan(0);
  });
});

describe('a rejected upload leaves nothing behind', () => {
  const truncated = async () => (await photo(800, 600)).subarray(0, 9000);
  const huge = async () => {
    const bytes = await photo(10, 10, 'png');
    bytes.writeUInt32BE(16_000, 16);
    bytes.writeUInt32BE(16_000, 20);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    return bytes;
  };
  const rows: readonly [string, string, () => Promise<Uint8Array> | Uint8Array, number, string][] = [
    ['a truncated JPEG', 'cut.jpg', truncated, 400, 'rest_upload_image_unreadable'],
    [
      'a truncated PNG',
      'cut.png',
      async () => (await photo(300, 300, 'png')).subarray(0, 2000),
      400,
      'rest_upload_image_unreadable',
    ],
    [
      'a header without a picture',
      'head.png',
      () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      400,
      'rest_upload_image_unreadable',
    ],
    ['16k × 16k pixels in few bytes', 'bomb.png', huge, 400, 'rest_upload_image_unreadable'],
    ['text called a picture', 'text.jpg', () => Buffer.from('hello'), 500, 'rest_upload_sideload_error'],
    ['PHP', 'shell.php', () => Buffer.from('<?php echo 1;'), 500, 'rest_upload_sideload_error'],
    ['PHP called text', 'shell.txt', () => Buffer.from('<?php echo 1;'), 500, 'rest_upload_sideload_error'],
    ['HTML', 'page.html', () => Buffer.from('<script>alert(1)</script>'), 500, 'rest_upload_sideload_error'],
    ['HTML that begins as a GIF', 'poly.html', () => Buffer.from('GIF89a<script>'), 500, 'rest_upload_sideload_error'],
    [
      'a GIF that is a page',
      'poly.gif',
      () => Buffer.from('GIF89a/*<script>alert(1)</script>*/'),
      400,
      'rest_upload_image_unreadable',
    ],
    ['SVG', 'a.svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 500, 'rest_upload_sideload_error'],
    ['a sidecar', 'x.jpg.yaml', () => Buffer.from('id: 1\n'), 500, 'rest_upload_sideload_error'],
    ['nothing', 'x.jpg', () => new Uint8Array(), 400, 'rest_upload_no_data'],
  ];
  it.each(rows)('%s', async (_, name, bytes, status, code) => {
    const before = left();
    const answer = await upload(name, await bytes());
    expect(answer.body).toMatchObject({ code, data: { status } });
    expect(left()).toEqual(before);
    expect(spool()).toEqual([]);
  });

  it('when it is aborted', async () => {
    const before = left();
    const { port } = new URL(test.url);
    const headers = {
      authorization: `Basic ${Buffer.from(`admin:${test.password}`).toString('base64')}`,
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="x.png"',
      'content-length': 1_000_000,
    };
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/cms-json/cms/v2/media', headers });
    sent.on('error', () => {});
    sent.write(Buffer.alloc(200_000));
    await until(() => spool().length > 0);
    sent.destroy();
    await until(() => spool().length === 0);
    expect(left()).toEqual(before);
  });

  it('when it is larger than the limit, before it is sent', async () => {
    const { port } = new URL(test.url);
    const headers = {
      authorization: `Basic ${Buffer.from(`admin:${test.password}`).toString('base64')}`,
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="x.png"',
      'content-length': 2 ** 40,
    };
    const status = await new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/cms-json/cms/v2/media', headers }, (answer) => {
        resolve(answer.statusCode);
        answer.resume();
        sent.destroy();
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });
    expect(status).toBe(413);
  });

  it('an animation with very many frames is judged by its first frame', async () => {
    const frame = Buffer.alloc(8 * 8 * 3 * 400);
    for (let at = 0; at < frame.length; at++) frame[at] = at & 0xff;
    const bytes = await sharp(frame, { raw: { width: 8, height: 8 * 400, channels: 3, pageHeight: 8 } })
      .gif({ delay: 20 })
      .toBuffer();
    const { status, body } = await upload('frames.gif', bytes);
    expect(status).toBe(201);
    expect(body.media_details).toMatchObject({ width: 8, height: 8 });
  });
});

it('100 MB are streamed to disk', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 1);
  const head = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom', 'latin1'), chunk]).subarray(0, chunk.length);
  const headers = {
    authorization: `Basic ${Buffer.from(`admin:${test.password}`).toString('base64')}`,
    'content-type': 'video/mp4',
    'content-disposition': 'attachment; filename="film.mp4"',
  };
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  const status = await new Promise((resolve, reject) => {
    const port = new URL(test.url).port;
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/cms-json/cms/v2/media', headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject);
    Readable.from(
      (function* () {
        for (let at = 0; at < 100; at++) {
          peak = Math.max(peak, process.memoryUsage().arrayBuffers);
          yield at === 0 ? head : chunk;
        }
      })(),
    ).pipe(sent);
  });
  expect(status).toBe(201);
  expect((await stat(join(folder(), 'film.mp4'))).size).toBe(100 * chunk.length);
  expect((peak - before) / chunk.length).toBeLessThan(50);
});

it('concurrent uploads with one name become two files', async () => {
  const answers = await Promise.all([1, 2, 3].map(async (side) => upload('same.png', await photo(20 + side, 20, 'png'))));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ body }) => body.source_url)).size).toBe(3);
  expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(3);
  for (const { body } of answers) {
    const { width } = await sharp(Buffer.from(await (await get(body.source_url)).arrayBuffer())).metadata();
    expect(width).toBe(body.media_details.width);
  }
});

describe('an image put into the folder by hand', () => {
  it('becomes an attachment with sizes, and is edited in its sidecar', async () => {
    await mkdir(join(test.dir, 'media/2025/07'), { recursive: true });
    await writeFile(join(test.dir, 'media/2025/07/By hand.jpg'), await photo(1200, 800));
    const found = await until(
      async () => (await test.ask('GET', '/cms/v2/media?search=hand&_fields=id,slug,media_details')).body[0],
    );
    expect(found.slug).toBe('by-hand');
    expect(found.media_details).toMatchObject({
      width: 1200,
      height: 800,
      sizes: { large: { width: 1024, height: 683 }, full: {} },
    });
    const sidecar = 'media/2025/07/By hand.jpg.yaml';
    await until(() => existsSync(join(test.dir, sidecar)));
    expect(await test.read(sidecar)).toMatch(new RegExp(`^id: ${found.id}\\n`));
    await test.write(sidecar, `${await test.read(sidecar)}alt: A pier\ncaption: Old\n`);
    await until(async () => (await test.ask('GET', `/cms/v2/media/${found.id}`)).body.alt_text === 'A pier');
    const size = await get(found.media_details.sizes.large.source_url);
    expect([size.status, size.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    await rm(join(test.dir, 'media/2025/07/By hand.jpg'));
    await until(async () => (await test.ask('GET', `/cms/v2/media/${found.id}`)).status === 404);
  });
});

it('a post may name an image that does not exist yet', async () => {
  await test.write('posts/2025/08/early.md', '---\ntitle: Early\nfeatured_media: 2025/08/late.png\n---\nText\n');
  await test.write('media/2025/08/late.png.yaml', 'alt: Late\npost: posts/2025/08/early\n');
  const post = await until(async () => (await test.ask('GET', '/cms/v2/posts?slug=early')).body[0]);
  expect(post.featured_media).toBe(0);
  await writeFile(join(test.dir, 'media/2025/08/late.png'), await photo(50, 50, 'png'));
  const shown = await until(async () => (await test.ask('GET', `/cms/v2/posts/${post.id}`)).body.featured_media);
  expect((await test.ask('GET', `/cms/v2/media/${shown}`)).body).toMatchObject({ alt_text: 'Late', post: post.id, slug: 'late' });
});

it('a hand-written name cannot escape its HTML attribute', async () => {
  const name = "x'onmouseover='alert(1)'.png";
  await mkdir(join(test.dir, 'media/2025/09'), { recursive: true });
  await writeFile(join(test.dir, 'media/2025/09', name), await photo(20, 20, 'png'));
  const found = await until(async () => (await test.ask('GET', '/cms/v2/media?search=onmouseover')).body[0]);
  expect(found.description.rendered).not.toContain("x'");
  expect((await get(found.source_url)).status).toBe(200);
});

describe('a site served read-only', () => {
  it('lists media without sidecars, makes sizes in memory and writes nothing', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'cms-media-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    await writeFile(join(dir, 'site.yaml'), 'name: Fresh clone\n');
    await mkdir(join(dir, 'media/2026/01'), { recursive: true });
    await writeFile(join(dir, 'media/2026/01/cat.jpg'), await photo(640, 480));
    const site = await openSite(dir, { readOnly: true });
    onTestFinished(() => site.close());
    const [cat] = [...site.posts.all()].filter(isAttachment);
    expect(cat).toMatchObject({ slug: 'cat', title: 'cat', etag: '' });
    const served = await site.media.serve('2026/01/cat-300x225.jpg');
    expect(served).toMatchObject({ mime: 'image/jpeg', derived: true });
    expect(readdirSync(dir).sort()).toEqual(['media', 'site.yaml']);
    expect(readdirSync(join(dir, 'media/2026/01'))).toEqual(['cat.jpg']);
  });
});

it.each(['format=aside', 'sticky=1', 'sticky=maybe', 'tax_relation=OR'])(
  'the list ignores a filter that media do not have: %s',
  async (query) => {
    const all = await test.ask('GET', '/cms/v2/media?_fields=id');
    expect(await test.ask('GET', `/cms/v2/media?_fields=id&${query}`)).toMatchObject({ status: 200, body: all.body });
  },
);

describe('edit', () => {
  it('writes a new image that names its source', async () => {
    const { body } = await upload('card.png', await photo(200, 100, 'png'), {});
    const modifiers = [
      { type: 'rotate', args: { angle: 90 } },
      { type: 'crop', args: { left: 0, top: 0, width: 100, height: 50 } },
    ];
    const edited = await test.ask('POST', `/cms/v2/media/${body.id}/edit`, {
      as: 'admin',
      body: { src: body.source_url, modifiers },
    });
    expect(edited.status).toBe(201);
    expect(edited.body.media_details).toMatchObject({
      width: 100,
      height: 100,
      parent_image: { attachment_id: String(body.id) },
    });
    expect(await test.read(`media/${month()}/card-edited.png.yaml`)).toContain(`source: ${month()}/card.png`);
    const again = await test.ask('POST', `/cms/v2/media/${edited.body.id}/edit`, {
      as: 'admin',
      body: { src: edited.body.source_url, modifiers },
    });
    expect(again.body.source_url).toMatch(/card-edited-1\.png$/);
  });

  it.each([
    ['a text', 'note.txt', () => Buffer.from('words'), 404, 'rest_unknown_attachment'],
    ['a file that cannot be drawn', 'f.pdf', () => Buffer.from('%PDF-1.4\n'), 404, 'rest_unknown_attachment'],
  ] as const)('rejects %s', async (_, name, bytes, status, code) => {
    const { body } = await upload(name, await bytes());
    const answer = await test.ask('POST', `/cms/v2/media/${body.id}/edit`, {
      as: 'admin',
      body: { src: body.source_url, rotation: 90 },
    });
    expect(answer.body).toMatchObject({ code, data: { status } });
  });

  it("stores the result in today's folder, not in that of its post", async () => {
    const old = { title: 'Old', status: 'publish', date: '2019-02-03T04:05:06' };
    const { body: post } = await test.ask('POST', '/cms/v2/posts', { as: 'admin', body: old });
    const { body } = await form({ post: String(post.id) }, 'filed.png', await photo(30, 20, 'png'), 'image/png');
    expect(body.source_url).toContain('/uploads/2019/02/filed.png');
    const edited = await test.ask('POST', `/cms/v2/media/${body.id}/edit`, {
      as: 'admin',
      body: { src: body.source_url, rotation: 90, post: post.id },
    });
    expect(edited.body).toMatchObject({
      post: post.id,
      source_url: expect.stringContaining(`/uploads/${month()}/filed-edited.png`),
    });
  });

  it('rotates a GIF, which stays a GIF', async () => {
    const { body } = await upload('g.gif', await photo(30, 20, 'gif'));
    const edited = await test.ask('POST', `/cms/v2/media/${body.id}/edit`, {
      as: 'admin',
      body: { src: body.source_url, rotation: 90 },
    });
    expect(edited.status).toBe(201);
    expect(edited.body).toMatchObject({ mime_type: 'image/gif', media_details: { width: 20, height: 30 } });
  });

  it('rejects a crop outside the image', async () => {
    const { body } = await upload('c.png', await photo(20, 20, 'png'));
    const modifiers = [{ type: 'crop', args: { left: 150, top: 0, width: 10, height: 10 } }];
    const answer = await test.ask('POST', `/cms/v2/media/${body.id}/edit`, {
      as: 'admin',
      body: { src: body.source_url, modifiers },
    });
    expect(answer.body).toMatchObject({ code: 'rest_image_crop_failed', data: { status: 500 } });
  });
});

describe('deleting', () => {
  it('removes the files, derived sizes and every reference', async () => {
    const { body } = await upload('gone.jpg', await photo(640, 480));
    const post = await test.ask('POST', '/cms/v2/posts', {
      as: 'admin',
      body: { title: 'With a picture', featured_media: body.id, status: 'publish' },
    });
    await test.ask('POST', '/cms/v2/settings', { as: 'admin', body: { site_logo: body.id } });
    expect(await test.read('site.yaml')).toContain('logo:');
    expect((await test.ask('DELETE', `/cms/v2/media/${body.id}`, { as: 'admin' })).body.code).toBe('rest_trash_not_supported');
    expect((await test.ask('DELETE', `/cms/v2/media/${body.id}?force=true`, { as: 'admin' })).body).toMatchObject({
      deleted: true,
      previous: { id: body.id },
    });
    expect(left().filter((name) => name.startsWith('gone'))).toEqual([]);
    expect((await test.ask('GET', `/cms/v2/posts/${post.body.id}`)).body.featured_media).toBe(0);
    expect(await test.read('site.yaml')).not.toContain('logo:');
    expect((await get(body.source_url)).status).toBe(404);
    expect((await get(body.media_details.sizes.thumbnail.source_url)).status).toBe(404);
  });

  it('a post leaves its media unattached', async () => {
    const post = await test.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Album', status: 'draft' } });
    const { body } = await form({ post: String(post.body.id) }, 'kept.png', await photo(20, 20, 'png'), 'image/png');
    expect((await test.ask('GET', `/cms/v2/media/${body.id}`)).status).toBe(401);
    expect((await test.ask('GET', '/cms/v2/media?per_page=100')).body.map(({ id }: { id: number }) => id)).not.toContain(body.id);
    await test.ask('DELETE', `/cms/v2/posts/${post.body.id}?force=true`, { as: 'admin' });
    expect((await test.ask('GET', `/cms/v2/media/${body.id}`)).body).toMatchObject({ post: null });
  });
});

describe('serving', () => {
  let url = '';
  let bytes: Buffer;
  let sizes: Record<string, { source_url: string }>;
  beforeAll(async () => {
    bytes = await photo(640, 480);
    const { body } = await upload('served.jpg', bytes);
    url = body.source_url;
    sizes = body.media_details.sizes;
  });

  it('sends the original with validators', async () => {
    const answer = await get(url);
    expect(bytes.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const etag = answer.headers.get('etag') as string;
    expect((await get(url, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(url, { 'if-modified-since': answer.headers.get('last-modified') as string })).status).toBe(304);
    const head = await get(url, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), (await head.arrayBuffer()).byteLength]).toEqual([
      200,
      String(bytes.length),
      0,
    ]);
    expect((await get(sizes.medium?.source_url as string)).headers.get('cache-control')).toContain('immutable');
  });

  it.each([
    ['bytes=0-9', 206, 0, 9],
    ['bytes=100-', 206, 100, -1],
    ['bytes=-5', 206, -5, -1],
    ['bytes=0-1,4-5', 200, 0, -1],
    ['lines=1-2', 200, 0, -1],
    ['bytes=9-1', 200, 0, -1],
  ])('answers range %s with %i', async (range, status, from, to) => {
    const answer = await get(url, { range });
    const start = from < 0 ? bytes.length + from : from;
    const end = to < 0 ? bytes.length - 1 : to;
    expect(answer.status).toBe(status);
    // Bytes as bytes: an equality that goes through them one by one takes a second.
    expect(bytes.subarray(start, end + 1).equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect(answer.headers.get('content-range')).toBe(status === 206 ? `bytes ${start}-${end}/${bytes.length}` : null);
  });

  it('honors If-Range and rejects ranges beyond the end', async () => {
    const etag = (await get(url, {}, 'HEAD')).headers.get('etag') as string;
    expect((await get(url, { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await get(url, { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
    expect((await get(url, { range: `bytes=${bytes.length}-` })).status).toBe(416);
  });

  it('serves no other files', async () => {
    await writeFile(join(test.dir, 'media/secret.txt.bak'), 'x');
    await symlink('/etc/passwd', join(test.dir, 'media/link.txt'));
    await symlink(join(test.dir, 'users'), join(test.dir, 'media/users'));
    await test.site.ingest(await test.site.store.sweep());
    const { pathname } = new URL(url);
    const paths = [
      `${pathname}.yaml`,
      '/uploads/',
      '/uploads/2026',
      '/uploads/..%2fsite.yaml',
      '/uploads/%2e%2e/site.yaml',
      '/uploads/.cms/private/accounts.json',
      '/uploads/link.txt',
      '/uploads/users/admin.yaml',
      '/uploads/secret.txt.bak',
      `${pathname.replace('.jpg', '-301x226.jpg')}`,
      '/uploads/%00',
      '/uploads/%ff',
      `/uploads//${pathname.slice(9)}`,
    ];
    for (const path of paths) {
      const status = await new Promise((resolve) =>
        request({ ...portOf(), path }, (answer) => resolve(answer.resume().statusCode)).end(),
      );
      expect([path, status]).toEqual([path, 404]);
    }
    expect((await get(url, {}, 'POST')).status).toBe(405);
  });

  const portOf = () => ({ host: '127.0.0.1', port: new URL(test.url).port });
});

describe('settings', () => {
  it('add sizes and formats, and remove locations', async () => {
    const before = await test.read('site.yaml');
    await test.write(
      'site.yaml',
      `${before}image_sizes:\n  hero: {width: 500, height: 200, crop: true}\n  medium: false\nimage_format: webp\nstrip_location: true\n`,
    );
    await until(() => test.site.settings.value('strip_location') === true);
    const located = await sharp(await photo(640, 480))
      .withExif({ IFD0: { Model: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
      .jpeg()
      .toBuffer();
    const { body } = await upload('hero.jpg', located);
    expect(Object.keys(body.media_details.sizes)).toEqual(['thumbnail', 'hero', 'full']);
    expect(body.media_details.sizes.hero).toMatchObject({ file: 'hero-jpg-500x200.webp', mime_type: 'image/webp' });
    expect(body.media_details.image_meta.camera).toBe('Camera');
    expect((await get(body.media_details.sizes.hero.source_url)).headers.get('content-type')).toBe('image/webp');
    const kept = await sharp(Buffer.from(await (await get(body.source_url)).arrayBuffer())).metadata();
    expect(Buffer.from(kept.exif ?? []).includes('Camera')).toBe(true);
    expect(Buffer.from(kept.exif ?? []).includes(Buffer.from([0, 0, 0, 51, 0, 0, 0, 1]))).toBe(false);
    await test.write('site.yaml', before);
    await until(() => test.site.settings.value('strip_location') === false);
  });
});
