/**
 * Sizes that clients make and bring, and pictures fetched by address: rights, wrong input, what is stored, and a restart.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noClientSizes, readClientSizes } from '../../src/modules/media/files/client-sizes.ts';
import { signUp, startSite, type TestSite } from '../support/site.ts';

let site: TestSite;
let author = '';
let subscriber = '';
let neighbour: Server;
let neighbourUrl = '';
let fetches: string[] = [];
let big: Buffer;
let small: Buffer;

const png = (width: number, height: number, format: 'png' | 'jpeg' = 'png') =>
  sharp({ create: { width, height, channels: 3, background: '#246' } })
    .toFormat(format)
    .toBuffer();

interface Sent {
  readonly as?: string;
  readonly host?: string;
  readonly name?: string;
  readonly type?: string;
}

/** One request as a client on this machine sends it, whose origin is secure. */
function send(method: string, path: string, body: Uint8Array | object | null, sent: Sent = {}) {
  const { as = 'admin', host = 'localhost', name, type = 'image/png' } = sent;
  const who = as === 'admin' ? `admin:${site.password}` : as;
  const isFile = body instanceof Uint8Array;
  return new Promise<{ status: number; body: any }>((resolve, reject) => {
    const outgoing = request(`${site.url}/cms-json/cms/v2/media${path}`, {
      method,
      headers: {
        host,
        ...(as === '' ? {} : { authorization: `Basic ${Buffer.from(who).toString('base64')}` }),
        ...(body ? { 'content-type': isFile ? type : 'application/json' } : {}),
        ...(name ? { 'content-disposition': `attachment; filename="${name}"` } : {}),
      },
    });
    outgoing.on('error', reject).on('response', async (incoming) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') });
    });
    outgoing.end(body === null ? undefined : isFile ? body : JSON.stringify(body));
  });
}

const upload = async (name: string, query = '?generate_sub_sizes=false') =>
  (await send('POST', `/${query}`.replace('/?', '?'), big, { name, type: 'image/jpeg' })).body;
const bring = (id: number, size: string, bytes: Uint8Array, sent: Sent = {}) =>
  send('POST', `/${id}/sideload?image_size=${size}`, bytes, { name: 'made.png', ...sent });
const read = async (id: number) => (await send('GET', `/${id}?context=edit`, null)).body;
const brought = () => {
  const folder = join(site.dir, 'media-sizes');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.[a-z]+$/.test(path))
    : [];
};

beforeAll(async () => {
  [big, small] = [await png(900, 600, 'jpeg'), await png(150, 100)];
  const page = Buffer.from('<!doctype html><title>No picture</title>');
  neighbour = createServer((incoming, outgoing) => {
    fetches.push(incoming.url ?? '');
    if (incoming.url === '/away.png') return void outgoing.writeHead(302, { location: 'http://127.0.0.9/a.png' }).end();
    if (incoming.url === '/gone.png') return void outgoing.writeHead(404).end();
    outgoing.end(incoming.url === '/page.png' ? page : small);
  });
  await new Promise<void>((ready) => neighbour.listen(0, '127.0.0.1', ready));
  const { port } = neighbour.address() as AddressInfo;
  neighbourUrl = `http://127.0.0.1:${port}`;
  site = await startSite({ writing: 'markup', operator: { fetch_allow: [`127.0.0.1:${port}`] } });
  author = (await signUp(site, 'author', 'author')).as;
  subscriber = (await signUp(site, 'subscriber', 'subscriber')).as;
});
afterAll(async () => {
  await site.close();
  neighbour.close();
});

describe('an upload with client-side sizes', () => {
  it('takes the whole picture and an animation, which are not among its sizes', async () => {
    const { id, source_url } = await upload('loop.jpg');
    const film = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42\0\0\0\x08free', 'latin1');
    const clip = await bring(id, 'animated_video', film, { name: 'loop.mp4', type: 'video/mp4' });
    expect([clip.status, clip.body]).toMatchObject([
      200,
      { image_size: 'animated_video', mime_type: 'video/mp4', width: 900, height: 600 },
    ]);
    expect((await bring(id, 'animated_video', big, { name: 'no.jpg', type: 'image/jpeg' })).body.code).toBe(
      'rest_upload_invalid_image',
    );
    expect((await bring(id, 'full', film, { name: 'no.mp4', type: 'video/mp4' })).body.code).toBe('rest_upload_invalid_image');
    const whole = await bring(id, 'full', await png(3000, 20));
    const poster = await bring(id, 'animated_video_poster', small);
    expect([whole.body, poster.body]).toMatchObject([
      { image_size: 'full', width: 3000 },
      { image_size: 'animated_video_poster' },
    ]);
    const ends = await send('POST', `/${id}/finalize`, {
      sub_sizes: [clip, whole, poster].map(({ body: { image_size, file } }) => ({ image_size, file })),
    });
    expect([ends.status, ends.body.media_details.sizes, ends.body.source_url]).toEqual([200, {}, source_url]);
    expect((await bring(id, 'none', small)).body.code).toBe('rest_invalid_param');
  });

  it('has no sizes, whatever is requested, and lists the missing ones', async () => {
    const { id, media_details, missing_image_sizes, source_url } = await upload('plain.jpg');
    expect(media_details.sizes).toEqual({});
    expect(missing_image_sizes).toEqual(['thumbnail', 'medium', 'medium_large']);
    expect(await site.read(`media/${source_url.split('/uploads/')[1]}.yaml`)).toContain('client_sizes:');
    expect((await fetch(source_url.replace('.jpg', '-300x200.jpg').replace(/^https?:\/\/[^/]+/, site.url))).status).toBe(404);
    expect((await read(id)).missing_image_sizes).toHaveLength(3);
  });

  it('keeps its own format for sizes where it is not converted', async () => {
    await site.ask('POST', '/cms/v2/settings', { as: 'admin', body: {} });
    const text = await site.read('site.yaml');
    await site.write('site.yaml', `${text}image_format: webp\n`);
    await expect.poll(async () => (await upload('conv.jpg', '')).media_details.sizes.medium?.mime_type).toBe('image/webp');
    expect((await upload('kept.jpg', '?convert_format=false')).media_details.sizes.medium.mime_type).toBe('image/jpeg');
    await site.write('site.yaml', text);
    await expect.poll(async () => (await upload('back.jpg', '')).media_details.sizes.medium?.mime_type).toBe('image/jpeg');
  });

  it('accepts sizes in two steps, and keeps them', async () => {
    const { id } = await upload('two.jpg');
    const step = await bring(id, 'thumbnail', small, { name: 'two.png' });
    expect(step).toMatchObject({
      status: 200,
      body: { image_size: 'thumbnail', width: 150, height: 100, mime_type: 'image/png' },
    });
    expect((await read(id)).media_details.sizes).toEqual({});
    // What the client says of the file counts for nothing: it was measured when it came.
    const row = { image_size: 'thumbnail', file: step.body.file, width: 9999, height: 1, mime_type: 'image/gif', filesize: 1 };
    const done = await send('POST', `/${id}/finalize`, { sub_sizes: [row] });
    expect(done.status).toBe(200);
    const { thumbnail } = done.body.media_details.sizes;
    expect(thumbnail).toMatchObject({ width: 150, height: 100, mime_type: 'image/png', filesize: small.length });
    expect(done.body.missing_image_sizes).toEqual(['medium', 'medium_large']);
    const served = await fetch(thumbnail.source_url.replace(/^https?:\/\/[^/]+/, site.url));
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await served.arrayBuffer()).equals(small)).toBe(true);
    // A site that reads the folder anew knows the same, and takes nobody's names.
    const again = await startSite({ from: site.dir, writing: 'markup' });
    const media = again.site.posts.get(id) as never;
    await again.site.media.prepare([media]);
    expect(again.site.media.layout(media)?.sizes.map(({ name, file }) => [name, file])).toEqual([['thumbnail', step.body.file]]);
    expect([...again.site.posts.all()].filter(({ path }) => path.includes('media-sizes'))).toEqual([]);
    await again.close();
    expect((await bring(id, 'medium', small, { name: 'two.png' })).body.file).toBe('two-1.png');
  });

  it('shows a scaled copy at once, and its dimensions once finalized', async () => {
    const { id, source_url } = await upload('whole.jpg');
    const own = source_url.split('/').at(-1);
    const { body } = await bring(id, 'scaled', small, { name: 'less.png' });
    expect(body).toMatchObject({ image_size: 'scaled', original_image: own });
    const file = body.file.split('/').at(-1);
    expect(await read(id)).toMatchObject({ filename: file, media_details: { width: 900 } });
    const done = await send('POST', `/${id}/finalize`, { sub_sizes: [{ image_size: 'scaled', file: body.file }] });
    expect(done.body).toMatchObject({ filename: own, media_details: { width: 150, height: 100, original_image: own } });
    expect(done.body.source_url.endsWith(file)).toBe(true);
  });

  it('may be in any folder, and is finalized by the returned file names', async () => {
    mkdirSync(join(site.dir, 'media/cats'), { recursive: true });
    writeFileSync(join(site.dir, 'media/cats/plain.jpg'), big);
    const found = async () => (await send('GET', '?search=plain&per_page=100', null)).body.find(isInFolder);
    const isInFolder = ({ source_url }: { source_url: string }) => source_url.endsWith('/uploads/cats/plain.jpg');
    await expect.poll(found).toBeDefined();
    const { id } = await found();
    const { body } = await bring(id, 'scaled', small, { name: 'small.png' });
    expect(body.file).toBe('cats/small.png');
    const done = await send('POST', `/${id}/finalize`, { sub_sizes: [{ image_size: 'scaled', file: body.file }] });
    expect([done.status, done.body.source_url.endsWith('/uploads/cats/small.png')]).toEqual([200, true]);
    const foreign = { image_size: 'scaled', file: '2026/11/small.png' };
    expect((await send('POST', `/${id}/finalize`, { sub_sizes: [foreign] })).body.code).toBe('rest_invalid_sub_size_file');
  });

  it('removes its files when deleted', async () => {
    const { id } = await upload('gone.jpg');
    const { body } = await bring(id, 'thumbnail', small, { name: 'going.png' });
    expect(brought().some((path) => path.endsWith(body.file))).toBe(true);
    expect((await send('DELETE', `/${id}?force=true`, null)).status).toBe(200);
    expect(brought().some((path) => path.endsWith(body.file))).toBe(false);
  });
});

describe('sideload and finalize', () => {
  it('are not registered where browsers cannot create sizes', async () => {
    const { id } = await upload('plainly.jpg');
    for (const host of ['cms.example', '127.0.0.1', 'localhost.example', 'notlocalhost'])
      expect((await bring(id, 'thumbnail', small, { host })).body.code, host).toBe('rest_no_route');
    expect((await bring(id, 'thumbnail', small, { host: 'my.localhost:8080' })).status).toBe(200);
    const { routes } = (await site.ask('GET', '/')).body;
    expect(Object.keys(routes).filter((path) => /sideload|finalize/.test(path))).toEqual([]);
  });

  it('require the right to edit the image', async () => {
    const { id } = await upload('mine.jpg');
    const codes = async (as: string) => [
      (await bring(id, 'thumbnail', small, { as })).body.code,
      (await send('POST', `/${id}/finalize`, {}, { as })).body.code,
    ];
    expect(await codes('')).toEqual(['rest_cannot_edit_image', 'rest_cannot_edit_image']);
    expect(await codes(subscriber)).toEqual(['rest_cannot_edit_image', 'rest_cannot_edit_image']);
    expect(await codes(author)).toEqual(['rest_cannot_edit', 'rest_cannot_edit']);
  });

  it('refuse unknown sizes, non-images and files that were not uploaded', async () => {
    const { id } = await upload('strict.jpg');
    const other = await upload('other.jpg');
    const { body: foreign } = await bring(other.id, 'thumbnail', small);
    const before = brought().length;
    expect((await bring(id, 'constructor', small)).body.code).toBe('rest_invalid_param');
    expect((await bring(id, 'thumbnail', await png(152, 100))).body.code).toBe('rest_upload_dimension_mismatch');
    expect((await bring(id, 'original', small)).body.code).toBe('rest_upload_dimension_mismatch');
    expect((await bring(id, 'thumbnail', Buffer.from('words'), { name: 'a.txt', type: 'text/plain' })).body.code).toBe(
      'rest_upload_invalid_image',
    );
    expect((await bring(id, 'thumbnail', Buffer.from('<?php'), { name: 'a.php' })).status).toBe(500);
    expect((await bring(id, 'thumbnail', small.subarray(0, 60))).status).toBeGreaterThanOrEqual(400);
    expect(brought()).toHaveLength(before);
    for (const file of [foreign.file, '../../site.yaml', '__proto__', 'never.png']) {
      const { status, body } = await send('POST', `/${id}/finalize`, { sub_sizes: [{ image_size: 'thumbnail', file }] });
      expect([status, body.code], file).toEqual([400, 'rest_invalid_sub_size_file']);
    }
    const many = Array.from({ length: 101 }, () => ({ image_size: 'thumbnail', file: 'a.png' }));
    expect((await send('POST', `/${id}/finalize`, { sub_sizes: many })).status).toBe(400);
    expect((await send('POST', `/${id}/finalize`, {})).status).toBe(200);
  });
});

describe('client_sizes in a sidecar', () => {
  const file = { file: 'a.png', width: 1, height: 1, filesize: 1, mime: 'image/png' };
  it.each([
    ['words'],
    [[]],
    [{ files: 'a.png' }],
    [{ files: [{ ...file, file: '../a.png' }] }],
    [{ files: [{ ...file, file: '.a.png' }] }],
    [{ files: [{ ...file, mime: 'text/html' }] }],
    [{ files: [{ ...file, width: -1 }] }],
    [{ files: Array.from({ length: 201 }, () => file) }],
    [{ files: [file], sizes: { thumbnail: 'b.png' } }],
    [{ files: [file], sizes: { 'a/b': 'a.png' } }],
    [{ files: [file], attached: 'b.png' }],
  ])('rejects %j', (raw) => {
    expect(typeof readClientSizes(raw)).toBe('string');
  });

  it('accepts valid values', () => {
    expect(readClientSizes(undefined)).toBe(noClientSizes);
    expect(readClientSizes({ files: [file], sizes: { thumbnail: 'a.png' } })).toMatchObject({ sizes: { thumbnail: 'a.png' } });
  });
});

describe('an image uploaded by URL', () => {
  const fetchFrom = (url: unknown, more: object = {}, as = 'admin') => send('POST', '', { url, ...more }, { as });

  it('is downloaded, checked and named like its file', async () => {
    const { status, body } = await fetchFrom(`${neighbourUrl}/pier.png?size=9`, {
      title: 'Other',
      alt_text: 'Other',
      slug: 'other',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: { raw: 'pier' }, slug: 'pier', alt_text: '', mime_type: 'image/png' });
    expect(body.media_details).toMatchObject({ width: 150, height: 100 });
  });

  it.each([
    ['/page.png', 400, 'rest_invalid_url'],
    ['/gone.png', 500, 'http_request_failed'],
    ['/away.png', 400, 'rest_invalid_param'],
    ['/pier.txt', 400, 'rest_invalid_url'],
    ['/', 400, 'rest_invalid_url'],
  ])('%s answers %i and leaves nothing behind', async (path, status, code) => {
    const { length } = [...site.site.posts.all()];
    const { status: got, body } = await fetchFrom(neighbourUrl + path);
    expect([got, body.code]).toEqual([status, code]);
    expect([...site.site.posts.all()]).toHaveLength(length);
  });

  it.each([
    'http://127.0.0.2/a.png',
    'http://[::1]/a.png',
    'http://169.254.169.254/a.png',
    'http://10.0.0.1/a.png',
    'http://0x7f.1/a.png',
    'file:///etc/passwd',
    'http://a:b@127.0.0.1/a.png',
    'https://pics.example/a.png',
    ' ',
  ])('from %s is refused without a request, to visitors too', async (url) => {
    fetches = [];
    for (const as of ['admin', '']) {
      const { status, body } = await fetchFrom(url, {}, as);
      expect([status, body.data.details.url.code]).toEqual([400, 'rest_invalid_url']);
    }
    expect(fetches).toEqual([]);
  });

  it('leaves no file behind when it cannot be written', async () => {
    const spooled = () => readdirSync(join(site.dir, '.cms/tmp'));
    expect((await fetchFrom(`${neighbourUrl}/pier.png`)).status).toBe(201);
    const before = spooled();
    expect((await fetchFrom(`${neighbourUrl}/pier.png`, { featured_media: 1 })).body.code).toBe('rest_no_featured_media');
    expect(spooled()).toEqual(before);
  });

  it('requires the right to upload, and nothing is fetched for visitors', async () => {
    fetches = [];
    expect((await fetchFrom(`${neighbourUrl}/pier.png`, {}, '')).status).toBe(401);
    expect((await fetchFrom(`${neighbourUrl}/pier.png`, {}, subscriber)).status).toBe(403);
    expect(fetches).toEqual([]);
    expect((await fetchFrom(`${neighbourUrl}/pier.png`, {}, author)).status).toBe(201);
  });
});
