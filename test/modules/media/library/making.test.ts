/** What clients that make sizes themselves read of media: names, bytes and how files are made of them. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import sharp from 'sharp';
import { startSite, type TestSite } from '../../../support/site.ts';

const asked = 'filename,filesize,exif_orientation,image_quality,image_output_format,image_save_progressive';
let site: TestSite;
let turned: Buffer;

beforeAll(async () => {
  turned = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#369' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  site = await startSite({
    files: {
      'site.yaml': 'name: Test\nimage_format: webp\nimage_quality: 70\n',
      'media/2025/01/turned.jpg': turned,
      'media/2025/01/note.txt': 'some words',
    },
  });
});
afterAll(() => site.close());

async function told(search: string): Promise<Record<string, unknown>> {
  const path = `/cms/v2/media?context=edit&search=${search}&_fields=${asked}`;
  const { status, body } = await site.ask('GET', path, { as: 'admin' });
  expect([status, body.length]).toEqual([200, 1]);
  return body[0];
}

it('describes the derived files of an image', async () => {
  expect(await told('turned')).toEqual({
    filename: 'turned.jpg',
    filesize: turned.length,
    exif_orientation: 1,
    image_quality: { default: 70, sizes: [] },
    image_output_format: 'image/webp',
    image_save_progressive: false,
  });
});

it('describes other files only by name and size', async () => {
  expect(await told('note')).toEqual({ filename: 'note.txt', filesize: 10 });
});

it('_fields does not reach into media_details', async () => {
  const { body } = await site.ask('GET', '/cms/v2/media?search=note&_fields=media_details.filesize,title.rendered');
  expect(body).toEqual([{ title: { rendered: 'note' } }]);
});
