/** Media of a site in a bucket, over HTTP as clients meet them. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { picture, sendFile } from '../../../support/media.ts';
import { type ObjectStore, startObjectStore } from '../../../support/object-store.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

let bucket: ObjectStore;
let test: TestSite;
beforeAll(async () => {
  bucket = await startObjectStore();
  test = await startSite({ writing: 'markup', operator: { media_store: bucket.settings } });
});
afterAll(async () => {
  await test.close();
  await bucket.close();
});
afterEach(() => {
  bucket.meddle = null;
});

const month = () => test.site.now().local.slice(0, 7).replace('-', '/');
const inFolder = () => {
  const folder = join(test.dir, 'media', month());
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
const inBucket = () => [...bucket.objects.keys()].sort();
const spooled = () => readdirSync(dirname(test.site.store.spoolFile()));

async function upload(name: string, bytes: Uint8Array) {
  const response = await sendFile(test, name, bytes);
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

describe('a site with media in a bucket', () => {
  it('stores uploads there, and the sidecar in the folder', async () => {
    const bytes = await picture();
    const { status, body } = await upload('Harbour at dawn.jpg', bytes);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.source_url).toBe(`${test.url}/uploads/${month()}/Harbour-at-dawn.jpg`);
    expect(Object.keys(body.media_details.sizes)).toEqual(['medium', 'thumbnail', 'full']);
    expect(body.media_details.filesize).toBe(bytes.length);
    expect(inFolder()).toEqual(['Harbour-at-dawn.jpg.yaml']);
    const held = bucket.objects.get(`site/${month()}/Harbour-at-dawn.jpg`);
    expect(held?.bytes.equals(bytes)).toBe(true);
    expect(held?.headers['content-type']).toBe('image/jpeg');
    await until(() => bucket.objects.has(`site/${month()}/Harbour-at-dawn-300x225.jpg`));
    expect(spooled()).toEqual([]);
  });

  it('serves them, with ranges and ETags', async () => {
    const bytes = bucket.objects.get(`site/${month()}/Harbour-at-dawn.jpg`)?.bytes as Buffer;
    const address = `${test.url}/uploads/${month()}/Harbour-at-dawn.jpg`;
    const whole = await fetch(address);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(address, { headers: { range: 'bytes=2-5' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(2, 6)]);
    const etag = whole.headers.get('etag') as string;
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const size = await fetch(`${test.url}/uploads/${month()}/Harbour-at-dawn-300x225.jpg`);
    expect([size.status, size.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  it('deletes the file, its sizes and its metadata', async () => {
    const { body } = await upload('short.png', await picture(400, 300));
    expect(body.code ?? body.slug).toBe('short');
    await until(() => inBucket().some((key) => key.includes('short-150x150')));
    expect((await test.ask('DELETE', `/cms/v2/media/${body.id}?force=true`, { as: 'admin' })).status).toBe(200);
    await until(() => !inBucket().some((key) => key.includes('short')));
    expect(inFolder().some((name) => name.includes('short'))).toBe(false);
    expect((await fetch(body.source_url)).status).toBe(404);
  });
});

describe('while the bucket is unavailable', () => {
  it('the API is readable, an upload is refused, and nothing is left of it', async () => {
    const { body: kept } = await upload('kept.jpg', await picture(300, 200));
    const before = [inFolder(), inBucket()];
    await bucket.goAway();
    try {
      expect((await test.ask('GET', `/cms/v2/media/${kept.id}`)).body.slug).toBe('kept');
      expect((await test.ask('GET', '/cms/v2/media')).status).toBe(200);
      const { status, headers, body } = await upload('late.jpg', await picture());
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'rest_storage_unavailable', '10']);
      expect(spooled()).toEqual([]);
      expect(test.log.some((line) => line.includes('media store'))).toBe(true);
    } finally {
      await bucket.comeBack();
    }
    expect([inFolder(), inBucket()]).toEqual(before);
    // It is left alone for a moment.
    await until(async () => (await upload('late.jpg', await picture())).status === 201);
  });

  it('cached files are served, others are a 503', async () => {
    const bytes = await picture(320, 240);
    const { body } = await upload('seen.jpg', bytes);
    await rm(join(test.dir, '.cms/cache/media'), { recursive: true });
    await bucket.goAway();
    try {
      const refused = await fetch(body.source_url);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    } finally {
      await bucket.comeBack();
    }
    await until(async () => (await fetch(body.source_url)).status === 200);
    await bucket.goAway();
    try {
      expect(Buffer.from(await (await fetch(body.source_url)).arrayBuffer()).equals(bytes)).toBe(true);
    } finally {
      await bucket.comeBack();
    }
    await until(async () => (await upload('back.jpg', bytes)).status === 201);
  });

  it('an upload is removed if its sidecar cannot be written', async () => {
    const folder = join(test.dir, 'media', month());
    bucket.meddle = (request, _, key) => {
      if (request.method === 'PUT' && key.endsWith('fails.jpg'))
        mkdirSync(join(folder, 'fails.jpg.yaml', 'in-the-way'), { recursive: true });
      return false;
    };
    const { status } = await upload('fails.jpg', await picture(200, 100));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(inBucket().some((key) => key.includes('fails'))).toBe(false);
    await rm(join(folder, 'fails.jpg.yaml'), { recursive: true });
  });

  it('a site starts with its last state', async () => {
    const { body } = await upload('before.jpg', await picture(500, 400));
    await bucket.goAway();
    const opened = await openSite(test.dir, { readOnly: true, operator: { media_store: bucket.settings } });
    try {
      expect(opened.posts.get(body.id)?.slug).toBe('before');
    } finally {
      await opened.close();
      await bucket.comeBack();
    }
  });
});

describe('other writers of the same bucket and folder', () => {
  it('add a sidecar and its file: it becomes an attachment', async () => {
    const bytes = await picture(310, 210);
    bucket.objects.set('site/2026/01/pulled.jpg', { bytes, headers: { 'content-type': 'image/jpeg' }, mtimeMs: Date.now() });
    await test.write('media/2026/01/pulled.jpg.yaml', 'id: 7001\ntitle: Pulled\ndate: 2026-01-05T10:00:00\n');
    await until(async () => (await test.ask('GET', '/cms/v2/media/7001')).status === 200);
    const { body } = await test.ask('GET', '/cms/v2/media/7001');
    expect(body.media_details).toMatchObject({ width: 310, height: 210, filesize: bytes.length });
    expect((await fetch(body.source_url)).status).toBe(200);
  });

  it('remove a sidecar: the attachment is gone, and its file stays in the bucket', async () => {
    await rm(join(test.dir, 'media/2026/01/pulled.jpg.yaml'));
    await until(async () => (await test.ask('GET', '/cms/v2/media/7001')).status === 404);
    expect(bucket.objects.has('site/2026/01/pulled.jpg')).toBe(true);
    expect(existsSync(join(test.dir, 'media/2026/01/pulled.jpg.yaml'))).toBe(false);
    // Its sizes are removed behind the answer, one by one.
    await expect.poll(() => test.site.store.mediaStore?.strays().orphans).toEqual(['media/2026/01/pulled.jpg']);
  });

  it('remove a file while its sizes are created: none of them stays', async () => {
    const headers = { 'content-type': 'image/jpeg' };
    bucket.objects.set('site/2026/01/brief.jpg', { bytes: await picture(420, 320), headers, mtimeMs: Date.now() });
    const sidecar = 'media/2026/01/brief.jpg.yaml';
    let isAway = false;
    bucket.meddle = async (request, _, key) => {
      if (request.method !== 'PUT' || !key.includes('brief-') || isAway) return false;
      isAway = true;
      await rm(join(test.dir, sidecar));
      await until(async () => (await test.ask('GET', '/cms/v2/media/7002')).status === 404);
      return false;
    };
    await test.write(sidecar, 'id: 7002\ntitle: Brief\n');
    await until(() => isAway);
    await expect
      .poll(() => test.site.store.mediaStore?.strays().orphans.filter((path) => path.includes('brief')))
      .toEqual(['media/2026/01/brief.jpg']);
  });

  it('took a name: an upload gets another', async () => {
    bucket.objects.set(`site/${month()}/taken.jpg`, { bytes: Buffer.from('x'), headers: {}, mtimeMs: Date.now() });
    const { status, body } = await upload('taken.jpg', await picture(100, 100));
    expect([status, body.source_url.replace(/^.*\//, '')]).toEqual([201, 'taken-1.jpg']);
    expect(String(bucket.objects.get(`site/${month()}/taken.jpg`)?.bytes)).toBe('x');
  });
});

describe('image processing in a bucket', () => {
  it('edits images', async () => {
    const { body } = await upload('turn.jpg', await picture(300, 200));
    await rm(join(test.dir, '.cms/cache/media'), { recursive: true });
    const edit = { src: body.source_url, modifiers: [{ type: 'rotate', args: { angle: 90 } }] };
    const { status, body: edited } = await test.ask('POST', `/cms/v2/media/${body.id}/edit`, { as: 'admin', body: edit });
    expect([status, edited.media_details?.width]).toEqual([201, 200]);
    expect(bucket.objects.has(`site/${month()}/turn-edited.jpg`)).toBe(true);
  });

  it('creates missing sizes once', async () => {
    const { body } = await upload('sized.jpg', await picture(800, 600));
    const key = `site/${month()}/sized-300x225.jpg`;
    await until(() => bucket.objects.has(key));
    bucket.objects.delete(key);
    const response = await fetch(body.media_details.sizes.medium.source_url);
    expect(response.status).toBe(200);
    await until(() => bucket.objects.has(key));
  });

  it('creates no size of an outdated version', async () => {
    const { body } = await upload('state.jpg', await picture(800, 600));
    const key = `site/${month()}/state-300x225.jpg`;
    await until(() => bucket.objects.has(key));
    const held = bucket.objects.get(key) as any;
    bucket.objects.set(key, {
      ...held,
      bytes: Buffer.from('of before'),
      headers: { ...held.headers, 'x-amz-meta-version': 'other' },
    });
    const size = await fetch(body.media_details.sizes.medium.source_url);
    expect(size.headers.get('content-length')).not.toBe('9');
  });
});
