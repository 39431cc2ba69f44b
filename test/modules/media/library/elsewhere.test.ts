import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite, until } from '../../../support/site.ts';

/** Attachments whose bytes are still elsewhere. */
const address = "https://old.example/files/2026/03/the cat's.jpg?v=1&w=2";
const sidecar = `id: 50\ntitle: A cat\nalt: Grey # as ever\ndate: 2026-03-05T10:00:00\nfetch: ${address}\n`;

let test: TestSite;
beforeAll(async () => {
  test = await startSite({
    writing: 'markup',
    files: {
      'media/2026/03/cat.jpg.yaml': sidecar,
      'media/2026/03/gone.jpg.yaml': 'id: 51\ntitle: Gone\n',
      'media/2026/03/broken.jpg.yaml': 'id: 52\nfetch: javascript:alert(1)\n',
      'posts/2026/03/a.html': '---\nid: 60\nfeatured_media: 2026/03/cat.jpg\n---\n<p><img src="/uploads/2026/03/cat.jpg"></p>\n',
    },
  });
});
afterAll(() => test.close());

const read = (name: string) => readFile(join(test.dir, 'media/2026/03', name), 'utf8');

describe('an attachment with a remote file', () => {
  it('is an ordinary attachment', async () => {
    const { status, body } = await test.ask('GET', '/cms/v2/media/50');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 50,
      title: { rendered: 'A cat' },
      alt_text: 'Grey',
      media_type: 'image',
      mime_type: 'image/jpeg',
      media_details: {},
      source_url: 'https://old.example/files/2026/03/the%20cat%27s.jpg?v=1&w=2',
    });
    expect(body.description.rendered).toContain("href='https://old.example/files/2026/03/the%20cat%27s.jpg?v=1&amp;w=2'");
    const { body: list } = await test.ask('GET', '/cms/v2/media');
    expect(list.map(({ id }: { id: number }) => id)).toEqual([50]);
    expect((await test.ask('GET', '/cms/v2/posts/60')).body.featured_media).toBe(50);
    expect((await test.ask('GET', '/cms/v2/media/51')).status).toBe(404);
    expect(test.site.problems().map(({ path }) => path)).toEqual(['media/2026/03/broken.jpg.yaml']);
  });

  it('is shown in texts with its future URL', async () => {
    const { body } = await test.ask('GET', '/cms/v2/posts/60?context=edit', { as: 'admin' });
    expect(body.content.rendered).toContain(`src="${test.url}/uploads/2026/03/cat.jpg"`);
    expect(body.content.raw).toContain('src="/uploads/2026/03/cat.jpg"');
  });

  it.each(['cat.jpg', 'cat-300x200.jpg'])('redirects requests for %s to the remote file', async (name) => {
    const { status, headers } = await test.ask('GET', `/uploads/2026/03/${name}`, { raw: true });
    expect(status).toBe(302);
    expect(headers.get('location')).toBe('https://old.example/files/2026/03/the%20cat%27s.jpg?v=1&w=2');
    expect((await test.ask('GET', '/uploads/2026/03/other.jpg', { raw: true })).status).toBe(404);
  });

  it('can be edited in its metadata, not in its pixels', async () => {
    const { status } = await test.ask('POST', '/cms/v2/media/50', { as: 'admin', body: { alt_text: 'Black' } });
    expect(status).toBe(200);
    expect(await read('cat.jpg.yaml')).toMatch(/^alt: Black # as ever\ndate: .*\nmodified: .*\nfetch: https:\/\/old/m);
    const src = 'https://old.example/files/2026/03/cat.jpg';
    const body = { src, modifiers: [{ type: 'rotate', args: { angle: 90 } }] };
    expect(await test.ask('POST', '/cms/v2/media/50/edit', { as: 'admin', body })).toMatchObject({
      status: 404,
      body: { code: 'rest_unknown_attachment' },
    });
    const again = { action: 'create-image-subsizes' };
    expect((await test.ask('POST', '/cms/v2/media/50/post-process', { as: 'admin', body: again })).status).toBe(200);
  });

  it('reserves its name against uploads', async () => {
    const jpeg = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    const form = new FormData();
    form.set('date', '2026-03-07T00:00:00');
    form.set('post', '60');
    form.set('file', new Blob([jpeg as never], { type: 'image/jpeg' }), 'cat.jpg');
    const authorization = `Basic ${Buffer.from(`admin:${test.password}`).toString('base64')}`;
    const response = await fetch(`${test.url}/cms-json/cms/v2/media`, { method: 'POST', headers: { authorization }, body: form });
    expect(response.status).toBe(201);
    expect(((await response.json()) as { source_url: string }).source_url).toMatch(/\/2026\/03\/cat-1\.jpg$/);
  });

  it('becomes local when a person adds the file; the next save drops the remote URL', async () => {
    const jpeg = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer();
    await writeFile(join(test.dir, 'media/2026/03/cat.jpg'), jpeg);
    await until(async () => (await test.ask('GET', '/cms/v2/media/50')).body.media_details.width === 400);
    const { body } = await test.ask('GET', '/cms/v2/media/50');
    expect(body.source_url).toBe(`${test.url}/uploads/2026/03/cat.jpg`);
    expect(Object.keys(body.media_details.sizes)).toContain('medium');
    expect(await read('cat.jpg.yaml')).toContain('fetch:');
    await test.ask('POST', '/cms/v2/media/50', { as: 'admin', body: { alt_text: 'Grey' } });
    expect(await read('cat.jpg.yaml')).not.toContain('fetch:');
    expect(await read('cat.jpg.yaml')).toContain('alt: Grey # as ever');
  });

  it('is remote again when the file is removed, and can be deleted', async () => {
    await test.write('media/2026/03/cat.jpg.yaml', sidecar);
    await rm(join(test.dir, 'media/2026/03/cat.jpg'));
    await until(async () => (await test.ask('GET', '/cms/v2/media/50')).body.source_url?.startsWith('https://old.example'));
    expect((await test.ask('DELETE', '/cms/v2/media/50?force=true', { as: 'admin' })).status).toBe(200);
    expect(existsSync(join(test.dir, 'media/2026/03/cat.jpg.yaml'))).toBe(false);
    expect((await test.ask('GET', '/cms/v2/posts/60')).body.featured_media).toBe(0);
    expect((await test.ask('GET', '/cms/v2/media/50')).status).toBe(404);
  });
});
