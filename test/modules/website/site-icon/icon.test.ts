import sharp from 'sharp';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite, until } from '../../../support/site.ts';

describe('the site icon', () => {
  let test: TestSite;
  beforeAll(async () => {
    test = await startSite({ files: { 'site.yaml': 'name: Harbour\ntimezone: UTC\n' } });
    await mkdir(join(test.dir, 'media'), { recursive: true });
  });
  afterAll(() => test.close());

  /** A picture as the icon; the bytes of `/favicon.ico`. */
  async function icon(name: string, bytes: Uint8Array | string) {
    await writeFile(join(test.dir, 'media', name), bytes);
    const slug = name.replace(/\..*/, '');
    const media = await until(() => [...test.site.posts.all()].find((one) => one.type === 'attachment' && one.slug === slug));
    await test.ask('POST', '/cms/v2/settings', { as: 'admin', body: { site_icon: media.id } });
    return fetch(`${test.url}/favicon.ico`, { redirect: 'manual' });
  }

  it('is empty by default', async () => {
    expect(await test.ask('GET', '/favicon.ico', { raw: true })).toMatchObject({ status: 204, body: '' });
  });

  it('is an icon file of three sizes', async () => {
    const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#c03' } })
      .jpeg()
      .toBuffer();
    const response = await icon('red.jpg', picture);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([bytes.readUInt16LE(0), bytes.readUInt16LE(2), bytes.readUInt16LE(4)]).toEqual([0, 1, 3]);
    const found = [0, 1, 2].map((at) => {
      const entry = bytes.subarray(6 + 16 * at);
      return {
        side: entry.readUInt8(0),
        png: bytes.subarray(entry.readUInt32LE(12), entry.readUInt32LE(12) + entry.readUInt32LE(8)),
      };
    });
    for (const [at, { side, png }] of found.entries()) {
      expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: side, height: side });
      expect(side).toBe([16, 32, 48][at]);
      const { channels } = await sharp(png).stats();
      expect(channels[0]!.mean).toBeGreaterThan(150);
    }
    const etag = response.headers.get('etag') as string;
    expect((await test.ask('GET', '/favicon.ico', { raw: true, headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await test.ask('GET', '/feed/', { raw: true })).body).toContain('<image><url>'.replace('><', '>\n<'));
  });

  it('changes when another image is selected or edited', async () => {
    const blue = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#03c' } })
      .png()
      .toBuffer();
    const response = await icon('blue.png', blue);
    const png = Buffer.from(await response.arrayBuffer()).subarray(54);
    const { channels } = await sharp(png).stats();
    expect(channels[2]!.mean).toBeGreaterThan(150);
  });

  it('is not shown if its post is private', async () => {
    await test.write('posts/secret.md', '---\nid: 90\ntitle: Secret\nstatus: private\ndate: 2026-03-05\n---\n');
    await test.site.ingest(await test.site.store.sweep());
    const [chosen] = [...test.site.posts.all()].filter((one) => one.type === 'attachment' && one.slug === 'blue');
    expect((await test.ask('POST', `/cms/v2/media/${chosen?.id}`, { as: 'admin', body: { post: 90 } })).status).toBe(200);
    expect((await fetch(`${test.url}/favicon.ico`)).status).toBe(204);
    await test.ask('POST', `/cms/v2/media/${chosen?.id}`, { as: 'admin', body: { post: 0 } });
    expect((await fetch(`${test.url}/favicon.ico`)).status).toBe(200);
  });

  it.each([
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'],
    ['broken.png', Buffer.from('\x89PNG\r\n\x1a\nnothing', 'latin1')],
  ])('%s is served unchanged', async (name, bytes) => {
    const response = await icon(name, bytes);
    expect([response.status, response.headers.get('location')]).toEqual([302, `${test.url}/uploads/${name}`]);
  });
});
