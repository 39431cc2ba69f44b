/**
 * `/favicon.ico`: the site icon as an icon file. Other formats, such as SVG, redirect to the image. Without an icon the response is empty, because
 * browsers always request one.
 *
 * Source: the ICO format, which may contain PNG files since Windows Vista.
 */
import { makeSizes, PictureError } from '../../media/files/image.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { originalOf } from '../../../kernel/store/paths.ts';
import type { Blob } from '../../../kernel/store/types.ts';
import { mimeOf, pictures } from '../../media/files/types.ts';
import { sourceUrl } from '../../media/library/index.ts';
import { type AttachmentRecord, isAttachment } from '../../content/attachments/record.ts';
import { isPublic } from '../../content/permalinks/record.ts';
import { createPageCache } from '../page-cache/index.ts';
import { printGmt } from '../../../kernel/model/dates.ts';

/** Pixels. */
const sizes = [16, 32, 48];

const none: Page = { status: 204, headers: { 'Cache-Control': 'no-cache' }, body: null };

/** The icon, if public. */
export function siteIcon(site: Site): AttachmentRecord | null {
  const stored = site.settings.value('icon');
  const id = typeof stored === 'string' ? site.refs.postId('attachment', stored) : Number(stored);
  const icon = site.posts.get(id);
  return isAttachment(icon) && isPublic(site, icon) ? icon : null;
}

export function createFavicon(site: Site): (url: string) => Promise<Page | null> {
  const cache = createPageCache(site);
  /** Changes with the file. */
  const made = new WeakMap<Blob, Promise<Uint8Array<ArrayBuffer> | null>>();
  return async (url) => {
    if (url.replace(/[?#].*$/s, '') !== '/favicon.ico') return null;
    const icon = siteIcon(site);
    if (!icon) return typeof site.theme.pagesAt() === 'object' ? null : none;
    const file = site.media.fileOf(icon);
    if (!file || !pictures.has(mimeOf(file.path) ?? '')) return elsewhere(site, icon);
    const bytes = made.get(file) ?? iconFile(site, icon);
    made.set(file, bytes);
    bytes.catch(() => made.delete(file));
    const body = await bytes;
    if (!body) return elsewhere(site, icon);
    const changed = printGmt(file.mtimeMs);
    return cache.at('/favicon.ico', async () => ({ type: 'image/x-icon', body, changed }));
  };
}

async function elsewhere(site: Site, icon: AttachmentRecord): Promise<Page> {
  await site.media.prepare([icon]);
  return { status: 302, headers: { Location: new URL(sourceUrl(site, icon)).href, 'Cache-Control': 'no-cache' }, body: null };
}

/** Null for an unreadable image. */
async function iconFile(site: Site, icon: AttachmentRecord): Promise<Uint8Array<ArrayBuffer> | null> {
  const found = new Map<string, Uint8Array>();
  const wanted = sizes.map((size) => ({ file: String(size), width: size, height: size, crop: true }));
  try {
    const isMade = await site.media.readSource(originalOf(icon.path), async (source) => {
      await makeSizes(source, wanted, { format: 'png' }, async (file, bytes) => void found.set(file, bytes));
      return true;
    });
    if (!isMade) return null;
  } catch (error) {
    if (error instanceof PictureError) return null;
    throw error;
  }
  return packed(sizes.map((size) => [size, found.get(String(size)) as Uint8Array]));
}

/** A header, an entry of 16 bytes per image, the images. */
function packed(pictures: readonly (readonly [size: number, png: Uint8Array])[]): Uint8Array<ArrayBuffer> {
  const directory = Buffer.alloc(6 + 16 * pictures.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(pictures.length, 4);
  let offset = directory.length;
  for (const [at, [size, png]] of pictures.entries()) {
    const entry = 6 + 16 * at;
    directory.writeUInt8(size, entry);
    directory.writeUInt8(size, entry + 1);
    directory.writeUInt16LE(1, entry + 4);
    directory.writeUInt16LE(32, entry + 6);
    directory.writeUInt32LE(png.length, entry + 8);
    directory.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([directory, ...pictures.map(([, png]) => png)]);
}
