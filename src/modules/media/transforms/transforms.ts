/**
 * Media files with what addresses ask of pictures laid over them: `/uploads/2026/03/cat.jpg?w=640&format=webp`. Whatever is no picture, a
 * drawing or an animation, is served as it is, whoever asks for it in another size.
 */
import { createHash } from 'node:crypto';
import type { AskedFile, RefusedFile, Served, ServedFiles } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { fitInto, type Format, PictureError, readPicture } from '../files/image.ts';
import { sizingOf } from '../files/image-sizes.ts';
import { createWorkQueue } from '../files/queue.ts';
import { formatFor, readTransform, type Transform } from './parameters.ts';
import { createPictureCache } from './picture-cache.ts';
import { type ImageRules, isAllowed, rulesOf } from './settings.ts';
import { isSigned, readKey } from './signature.ts';

interface TransformingFiles extends ServedFiles {
  close(): Promise<void>;
}

/** Pictures that are made at a time; decoding takes as much memory as a picture has pixels. */
const atOnce = 2;
const maxWaiting = 32;
/** Those that could not be read, and are not tried again. */
const maxUnreadable = 1000;
/** A drawing has every size, an animation would lose what moves. */
const stills: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);

/** A picture that is asked for, as its name in the cache says. */
interface Wanted {
  readonly name: string;
  readonly transform: Transform;
  readonly format: Format;
  readonly quality: number | undefined;
}

export function transformingFiles(site: Pick<Site, 'store' | 'settings'>, files: ServedFiles): TransformingFiles {
  const cache = createPictureCache(site.store);
  const queue = createWorkQueue(atOnce);
  const making = new Map<string, Promise<Uint8Array>>();
  const unreadable = new Set<string>();

  return {
    root: files.root,
    async find(path, asked) {
      const transform = asked && transformIn(asked);
      if (!transform) return files.find(path, asked);
      const { rules, found } = transform;
      if (typeof found === 'string') return refused(400, `This is no address of a picture: ${found}.`);
      const served = await files.find(path, asked);
      if (!served || !('content' in served)) return served;
      if (!isAllowed(rules, found)) {
        const refusal = await refusalOf(rules, found, asked as AskedFile);
        if (refusal) return refusal;
      }
      return stills.has(served.mime) ? made(served, wantedOf(path, served, found, asked as AskedFile)) : served;
    },
    close: () => queue.close(),
  };

  function transformIn({ url = '' }: AskedFile): { readonly rules: ImageRules; readonly found: Transform | string } | null {
    if (!url.includes('?')) return null;
    const rules = rulesOf(site.settings);
    const found = rules && readTransform(url);
    return rules && found ? { rules, found } : null;
  }

  async function refusalOf({ isSigned: takes, allowed }: ImageRules, { signature }: Transform, { url = '' }: AskedFile) {
    if (!takes) return refused(403, `The site makes pictures of these sizes alone: ${[...allowed].join(', ')}.`);
    if (signature === '') return refused(403, 'A picture of this size takes an address with a signature.');
    const key = await readKey(site.store);
    return key !== null && isSigned(url, key) ? null : refused(403, 'The signature is not that of this address.');
  }

  /** @param path  decoded: however an address is spelled, it is one picture */
  function wantedOf(path: string, { etag, mime }: Served, transform: Transform, { headers }: AskedFile): Wanted {
    const own = mime.slice('image/'.length) as Format;
    const format = formatFor(transform, own, String(headers.accept ?? ''));
    const quality = transform.quality ?? sizingOf(site.settings).quality;
    const { width, height, fit } = transform;
    const digest = createHash('sha256').update(JSON.stringify([path, etag, width, height, fit, format, quality ?? 0]));
    return { name: digest.digest('hex').slice(0, 40), transform, format, quality };
  }

  async function made(served: Served, wanted: Wanted): Promise<Served | RefusedFile> {
    const { name, format } = wanted;
    const source = served.etag + served.size;
    if (unreadable.has(source)) return refused(422, 'The picture cannot be read.');
    try {
      const known = making.has(name) ? null : await cache.get(name);
      // It may have begun meanwhile.
      if (!known && !making.has(name) && queue.length >= maxWaiting)
        return refused(503, 'Too many pictures are being made. Please try again.', { 'Retry-After': '2' });
      const content = known ?? (await (making.get(name) ?? begin(served, wanted)));
      const vary = wanted.transform.format === 'auto' ? { headers: { Vary: 'Accept' } } : {};
      const etag = `"${name}"`;
      return { ...served, ...vary, mime: `image/${format}`, size: content.length, etag, derived: true, content };
    } catch (error) {
      if (error instanceof Animation) return served;
      if (!(error instanceof PictureError)) throw error;
      if (served.isStill?.() === false) throw new Gone();
      if (unreadable.size >= maxUnreadable) unreadable.clear();
      unreadable.add(source);
      return refused(422, 'The picture cannot be read.');
    }
  }

  function begin(served: Served, { name, transform, format, quality }: Wanted): Promise<Uint8Array> {
    const { content } = served;
    const task = queue
      .run(async () => {
        if ((await readPicture(content)).frames > 1) throw new Animation();
        const bytes = await fitInto(content, transform, transform.fit, { format, quality });
        if (served.isStill?.() === false) throw new Gone();
        await cache.set(name, bytes, rulesOf(site.settings)?.cacheBytes ?? 0);
        return bytes;
      })
      .finally(() => making.delete(name));
    making.set(name, task);
    return task;
  }
}

class Animation extends Error {}

/** The file went while it was read, or a link came on the way to it: what was read may be another's. */
class Gone extends Error {
  readonly code = 'ENOENT';
}

function refused(status: number, message: string, headers: Readonly<Record<string, string>> = {}): RefusedFile {
  return { status, message, headers: { 'Cache-Control': 'no-store', ...headers } };
}
