/** The ways into the library that other deployments and forms have, with a bucket. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { picture } from '../../../support/media.ts';
import { type ObjectStore, startObjectStore } from '../../../support/object-store.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

let bucket: ObjectStore;
let site: TestSite;
beforeAll(async () => {
  bucket = await startObjectStore();
  site = await startSite({
    operator: { media_store: bucket.settings },
    files: { 'site.yaml': 'name: Harbour\ndeployment: extended\nimages: { allow: [120x80] }\n' },
  });
});
afterAll(async () => {
  await site.close();
  await bucket.close();
});

const authorization = () => ({ authorization: `Basic ${Buffer.from(`admin:${site.password}`).toString('base64')}` });
const held = () => [...bucket.objects.keys()];
/** Files of media in the folder that are no sidecars. */
const inFolder = () =>
  existsSync(join(site.dir, 'media'))
    ? readdirSync(join(site.dir, 'media'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.(?:jpe?g|png|webp|avif)$/.test(name),
      )
    : [];

async function send(path: string, field: string, name: string, more: Record<string, string> = {}): Promise<any> {
  const form = new FormData();
  form.append(field, new Blob([(await picture()) as never], { type: 'image/jpeg' }), name);
  for (const [key, value] of Object.entries(more)) form.append(key, value);
  const answer = await fetch(`${site.url}${path}`, { method: 'POST', headers: authorization(), body: form });
  expect(answer.status).toBeLessThan(300);
  return answer.json();
}

it('a form upload goes into the bucket', async () => {
  const { id, source_url } = await send('/cms-json/cms/v2/media', 'file', 'by-form.jpg', { title: 'By form' });
  expect((await site.ask('GET', `/cms/v2/media/${id}`)).body.title.rendered).toBe('By form');
  expect((await fetch(source_url)).status).toBe(200);
  expect(held().some((key) => key.endsWith('/by-form.jpg'))).toBe(true);
});

it('images for fields are uploaded and cropped in the bucket', async () => {
  const { attachment_id } = await send('/cms-json/media-tools/v1/upload', 'image', 'quay.jpg', { key: 'field_any' });
  const body = { id: attachment_id, cropType: 'free_crop', x: 10, y: 20, width: 100, height: 50 };
  const crop = await site.ask('POST', '/media-tools/v1/crop', { as: 'admin', body });
  expect(crop.status).toBe(200);
  const { source_url, media_details } = (await site.ask('GET', `/cms/v2/media/${crop.body.id}`)).body;
  expect([media_details.width, media_details.height]).toEqual([100, 50]);
  const bytes = Buffer.from(await (await fetch(source_url)).arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 100, height: 50 });
  expect(held().filter((key) => /\/quay[^/]*\.jpg$/.test(key) && !/-\d+x\d+\.jpg$/.test(key))).toHaveLength(2);
});

it('images of a requested size are derived from the bucket', async () => {
  const { source_url } = await send('/cms-json/cms/v2/media', 'file', 'asked.jpg');
  const answer = await fetch(`${source_url}?w=120&h=80&fit=cover`);
  expect(answer.status).toBe(200);
  expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 120, height: 80 });
});

it('no media file is in the content folder', async () => {
  await until(() => held().length > 3);
  expect(inFolder()).toEqual([]);
});
