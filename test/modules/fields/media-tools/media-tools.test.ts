/** Pictures for fields: what is taken, what is cut, who may, and what becomes of crops. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { declaredGroups } from '../../../../src/modules/fields/custom-fields/declaration.ts';
import { limitsOf } from '../../../../src/modules/fields/media-tools/limits.ts';
import { clearOutdated } from '../../../../src/modules/fields/media-tools/plan.ts';
import { createMediaTokens } from '../../../../src/modules/fields/media-tools/tokens.ts';
import { dedent } from '../../../support/dedent.ts';
import { picture, sendFile } from '../../../support/media.ts';
import { signUp, startSite, type TestSite, until } from '../../../support/site.ts';

const settings = dedent`
  name: Harbour
  timezone: UTC
  deployment: extended
  lang: { languages: { en: { locale: en_US } }, url: { default_in_directory: false } }
  media_tools: { delete_unused: true }
  fields:
    - key: group_one
      location: [[{ param: type, value: page }]]
      fields:
        - { key: field_hero, name: hero, type: image_crop, min_width: 50, min_height: 40, max_size: "0.02", min_size: "0.0003" }
        - key: field_group
          name: parts
          type: group
          fields:
            - { key: field_web, name: web, type: image_crop, mime_types: "webp, jpg", max_width: 100, max_height: 50 }
        - { key: field_wide, name: wide, type: image_crop, min_width: 5000 }
`;
const now = Date.parse('2026-03-05T10:00:00Z');

let site: TestSite;
let subscriber: string;
let author: string;

async function start(): Promise<void> {
  site = await startSite({
    clock: () => now,
    files: { 'site.yaml': settings, 'pages/home.md': '---\nid: 900\ntitle: Home\ndate: 2026-03-01\n---\nText\n' },
  });
  subscriber = (await signUp(site, 'sam', 'subscriber')).as;
  author = (await signUp(site, 'ada', 'author')).as;
}

async function files(): Promise<string[]> {
  const entries = await readdir(join(site.dir, 'media'), { recursive: true }).catch(() => []);
  return entries.filter((name) => name.includes('.')).sort();
}

interface Part {
  readonly image?: Uint8Array | undefined;
  readonly name?: string;
  readonly key?: string | undefined;
  readonly part?: string;
}

async function send(
  { image, name = 'Quay side.jpg', key = 'field_any', part = 'image' }: Part,
  sender: { as?: string; token?: string } = {},
) {
  const form = new FormData();
  if (image) form.append(part, new Blob([image as never], { type: 'image/jpeg' }), name);
  form.append('key', key);
  const as = sender.as === 'admin' ? `admin:${site.password}` : sender.as;
  const headers: Record<string, string> = {
    ...(as ? { authorization: `Basic ${Buffer.from(as).toString('base64')}` } : {}),
    ...(sender.token ? { 'x-media-tools-nonce': sender.token } : {}),
  };
  const answer = await fetch(`${site.url}/cms-json/media-tools/v1/upload`, { method: 'POST', headers, body: form });
  return { status: answer.status, body: (await answer.json()) as any };
}

const cropped = (body: object, as = 'admin', headers: Record<string, string> = {}) =>
  site.ask('POST', '/media-tools/v1/crop', { ...(as ? { as } : {}), body, headers });

async function uploaded(width = 640, height = 480, name = 'quay.jpg'): Promise<number> {
  return ((await (await sendFile(site, name, await picture(width, height))).json()) as { id: number }).id;
}

describe('an upload', () => {
  beforeAll(start);
  afterAll(() => site.close());

  it('becomes an attachment of its sender, named like the file, with sizes', async () => {
    const { status, body } = await send({ image: await picture() }, { as: author });
    expect([status, Object.keys(body)]).toEqual([200, ['attachment_id']]);
    const { body: media } = await site.ask('GET', `/cms/v2/media/${body.attachment_id}`, { as: 'admin' });
    expect(media).toMatchObject({ title: { rendered: 'Quay side' }, author: 2 + 1, status: 'inherit', mime_type: 'image/jpeg' });
    expect(media.media_details.sizes.medium).toMatchObject({ width: 300, height: 225 });
    expect(await files()).toContain('2026/03/Quay-side.jpg.yaml');
    expect((await site.ask('GET', `/media-tools/v1/get/${body.attachment_id}`)).body).toMatchObject({
      title: 'Quay side',
      author: '3',
    });
  });

  it('is known after a restart', async () => {
    const before = await files();
    const again = await openSite(site.dir, { readOnly: true });
    try {
      expect([...again.posts.with('type', 'attachment')].map((id) => again.posts.get(id)?.title)).toContain('Quay side');
    } finally {
      await again.close();
    }
    expect(await files()).toEqual(before);
  });

  const webp = () =>
    sharp({ create: { width: 60, height: 60, channels: 3, background: '#357' } })
      .webp()
      .toBuffer();
  const noise = (width: number, height: number) =>
    sharp(Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 7919) % 251)), {
      raw: { width, height, channels: 3 },
    })
      .jpeg({ quality: 100 })
      .toBuffer();

  it.each<[name: string, part: () => Promise<Part>, status: number, code: string]>([
    ['no file', async () => ({}), 400, 'image_field_missing'],
    ['a file of another name', async () => ({ image: await picture(), part: 'file' }), 400, 'image_field_missing'],
    ['no key', async () => ({ image: await picture(), key: '' }), 400, 'key_field_missing'],
    ['a text called a picture', async () => ({ image: Buffer.from('hello there') }), 400, 'invalid_mime_type'],
    [
      'a drawing',
      async () => ({ image: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), name: 'a.svg' }),
      400,
      'invalid_mime_type',
    ],
    ['a type that is not usual', async () => ({ image: await webp(), name: 'a.webp' }), 400, 'invalid_mime_type'],
    [
      'a type that the field does not list',
      async () => ({
        image: await sharp(await picture())
          .png()
          .toBuffer(),
        key: 'web',
      }),
      400,
      'invalid_mime_type',
    ],
    ['too many bytes', async () => ({ image: await noise(200, 200), key: 'field_hero' }), 413, 'file_too_large'],
    [
      'too few bytes',
      async () => ({ image: Buffer.concat([Buffer.from([255, 216, 255, 224]), Buffer.alloc(10)]), key: 'hero' }),
      400,
      'file_too_small',
    ],
    ['half a picture', async () => ({ image: (await picture()).subarray(0, 700) }), 400, 'failed_to_parse_image'],
    [
      'no picture behind its first bytes',
      async () => ({ image: Buffer.concat([Buffer.from([255, 216, 255, 224]), Buffer.alloc(900)]) }),
      400,
      'failed_to_parse_image',
    ],
    ['too few pixels', async () => ({ image: await picture(49, 400), key: 'field_hero' }), 400, 'image_too_small'],
  ])('of %s is refused, and nothing is written', async (_name, part, status, code) => {
    const before = await files();
    const { status: got, body } = await send(await part(), { as: 'admin' });
    expect([got, body.code, body.data?.status]).toEqual([status, code, status]);
    expect(await files()).toEqual(before);
  });

  it('of a type that the field lists is accepted, even if another limit would refuse it', async () => {
    expect((await send({ image: await webp(), name: 'b.webp', key: 'field_web' }, { as: 'admin' })).status).toBe(200);
    expect((await send({ image: await picture(60, 60), key: 'field_wide' }, { as: 'admin' })).status).toBe(200);
  });
});

describe('the sender of an upload', () => {
  beforeAll(start);
  afterAll(() => site.close());
  const token = (user: number, at = now) => site.site.mediaTools.tokens.sign(user, at);
  const envelope = (code: string) => ({ success: false, data: [{ code, message: expect.any(String) }] });

  it.each<[name: string, sender: () => { as?: string; token?: string }, status: number, body: object]>([
    ['nothing', () => ({}), 400, envelope('nonce_missing')],
    ['something else as a token', () => ({ token: 'x' }), 400, envelope('invalid_nonce')],
    ['the token of nobody', () => ({ token: token(77) }), 400, envelope('invalid_nonce')],
    ['the token of somebody who may not upload', () => ({ token: token(2) }), 400, envelope('invalid_nonce')],
    ['a token of yesterday', () => ({ token: token(1, now - 25 * 3_600_000) }), 400, envelope('invalid_nonce')],
    ['a token with another user', () => ({ token: token(3).replace(/^3/, '1') }), 400, envelope('invalid_nonce')],
    ['a password without the right', () => ({ as: subscriber }), 403, { code: 'rest_forbidden' }],
    ['a password without the right and a token', () => ({ as: subscriber, token: token(1) }), 403, { code: 'rest_forbidden' }],
  ])('%s is refused before the body is read', async (_name, sender, status, body) => {
    const before = await files();
    const answer = await send({ image: await picture() }, sender());
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(body);
    const { as, token: sent } = sender();
    const crop = await site.ask('POST', '/media-tools/v1/crop', {
      ...(as ? { as } : {}),
      body: {},
      headers: sent ? { 'x-media-tools-nonce': sent } : {},
    });
    expect(crop.status).toBe(status);
    expect(crop.body).toMatchObject(body);
    expect(await files()).toEqual(before);
  });

  it('is the user of the token', async () => {
    for (const at of [now, now - 11 * 3_600_000]) {
      const { status, body } = await send({ image: await picture() }, { token: token(3, at) });
      expect(status).toBe(200);
      expect((await site.ask('GET', `/cms/v2/media/${body.attachment_id}`)).body.author).toBe(3);
      const crop = await cropped({ id: body.attachment_id, cropType: 'free_crop', x: 0, y: 0, width: 10, height: 10 }, '', {
        'x-media-tools-nonce': token(3, at),
      });
      expect(crop.status).toBe(200);
    }
  });

  it('needs a token, valid for two windows of twelve hours, on one machine, also after a restart', async () => {
    const documents = site.site.store.private;
    const again = await createMediaTokens(documents, false);
    expect(again.read(token(3), now)).toBe(3);
    expect(again.read(token(3), now + 12 * 3_600_000)).toBe(3);
    expect(again.read(token(3), now + 24 * 3_600_000)).toBeNull();
    const other = await createMediaTokens({ get: async () => null, set: async () => undefined }, false);
    expect(other.read(token(3), now)).toBeNull();
  });
});

describe('a crop', () => {
  let id: number;
  let big: number;
  beforeAll(async () => {
    await start();
    id = await uploaded();
    big = await uploaded(3000, 1500, 'big.jpg');
  });
  afterAll(() => site.close());
  const wide = { cropType: 'aspect_ratio', aspectRatioWidth: 16, aspectRatioHeight: 9, x: 0, y: 60, width: 640, height: 360 };
  const sizeOf = async (crop: number) => {
    const { width, height, file } = (await site.ask('GET', `/cms/v2/media/${crop}`)).body.media_details;
    return [width, height, file];
  };

  it('is a separate attachment whose sidecar names its source', async () => {
    const { status, body } = await cropped({ id, ...wide, key: 'field_any' });
    expect([status, Object.keys(body)]).toEqual([200, ['id']]);
    expect(await sizeOf(body.id)).toEqual([640, 360, '2026/03/quay-aspect-ratio-16-9.jpg']);
    expect((await site.ask('GET', `/cms/v2/media/${body.id}`)).body).toMatchObject({
      title: { rendered: 'quay-aspect-ratio-16-9' },
      status: 'inherit',
      author: 1,
    });
    const sidecar = await site.read('media/2026/03/quay-aspect-ratio-16-9.jpg.yaml');
    expect(sidecar).toContain('original: 2026/03/quay.jpg');
    expect(sidecar).toMatch(/type: aspect_ratio[\s\S]*x: 0[\s\S]*'y': 60[\s\S]*field: field_any/);
    expect(sidecar).not.toContain('temp_key');
  });

  it('gets a new name if it already exists', async () => {
    expect((await sizeOf((await cropped({ id, ...wide })).body.id))[2]).toBe('2026/03/quay-aspect-ratio-16-9-1.jpg');
  });

  it('of nearly the whole image is the original, unless a pixel size is required', async () => {
    const before = await files();
    expect((await cropped({ id, ...wide, y: 0, height: 478 })).body).toEqual({ id });
    expect(await files()).toEqual(before);
    const whole = {
      id,
      cropType: 'pixel_size',
      aspectRatioWidth: 64,
      aspectRatioHeight: 48,
      x: 0,
      y: 0,
      width: 640,
      height: 480,
    };
    expect(await sizeOf((await cropped(whole)).body.id)).toEqual([64, 48, '2026/03/quay-aspect-ratio-64-48.jpg']);
  });

  it('of any shape is named by its size', async () => {
    const free = { id, cropType: 'free_crop', x: 10.7, y: '20', width: 100.9, height: 50.2 };
    expect(await sizeOf((await cropped(free)).body.id)).toEqual([100, 50, '2026/03/quay-aspect-ratio-100-50.jpg']);
  });

  it('is scaled to the maximum size of its field', async () => {
    expect((await sizeOf((await cropped({ id, ...wide, key: 'web' })).body.id)).slice(0, 2)).toEqual([100, 50]);
  });

  it('is cut from the original, if that is larger', async () => {
    const half = { id: big, cropType: 'free_crop', x: 0, y: 0, width: 1280, height: 1280 };
    expect((await sizeOf((await cropped(half)).body.id)).slice(0, 2)).toEqual([1500, 1500]);
  });

  it('is cut from the image as displayed', async () => {
    const quarters = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#000' } })
      .composite([
        {
          input: await sharp({ create: { width: 20, height: 20, channels: 3, background: '#fff' } })
            .png()
            .toBuffer(),
          left: 0,
          top: 0,
        },
      ])
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const turned = ((await (await sendFile(site, 'turned.jpg', quarters)).json()) as { id: number }).id;
    const { body } = await cropped({ id: turned, cropType: 'free_crop', x: 0, y: 0, width: 20, height: 18 });
    const [width, height, file] = await sizeOf(body.id);
    expect([width, height]).toEqual([20, 18]);
    const { data } = await sharp(join(site.dir, 'media', file))
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Upright, the white half is above.
    expect(data[0]).toBeGreaterThan(200);
  });

  it('of a transparent image stays transparent', async () => {
    const png = await sharp({ create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer();
    const clear = ((await (await sendFile(site, 'clear.png', png)).json()) as { id: number }).id;
    const { body } = await cropped({ id: clear, cropType: 'free_crop', x: 0, y: 0, width: 20, height: 20 });
    const [, , file] = await sizeOf(body.id);
    expect((await sharp(join(site.dir, 'media', file)).metadata()).hasAlpha).toBe(true);
  });

  it.each<[name: string, body: object, status: number, code: string]>([
    ['nothing', { id: undefined }, 400, 'rest_missing_callback_param'],
    ['what is not there', { id: 99_999 }, 404, 'attachment_not_found'],
    ['a page', { id: 900 }, 404, 'attachment_not_found'],
    ['no number', { id: 'x' }, 404, 'attachment_not_found'],
    ['an unknown kind', { cropType: 'star' }, 400, 'rest_invalid_param'],
    ['no kind', { cropType: undefined }, 400, 'rest_invalid_param'],
    ['a word for a place', { x: 'left' }, 400, 'rest_invalid_param'],
    ['a list for a place', { x: [1] }, 400, 'rest_invalid_param'],
    ['no place', { y: undefined }, 400, 'rest_invalid_param'],
    ['no width', { width: 0 }, 400, 'rest_invalid_param'],
    ['less than no height', { height: -5 }, 400, 'rest_invalid_param'],
    ['what begins outside', { x: -2 }, 400, 'rest_invalid_param'],
    ['what ends outside', { width: 642 }, 400, 'rest_invalid_param'],
    ['what ends below', { y: 200 }, 400, 'rest_invalid_param'],
    ['no shape', { aspectRatioWidth: 0 }, 400, 'rest_invalid_param'],
    ['half a pixel', { cropType: 'pixel_size', aspectRatioWidth: 1.5 }, 400, 'rest_invalid_param'],
    ['far too many pixels', { cropType: 'pixel_size', aspectRatioWidth: 90_000 }, 400, 'rest_invalid_param'],
    ['a form that is none', { temp_post_id: '../../x' }, 400, 'rest_invalid_param'],
  ])('of %s is refused, and nothing is written', async (_name, body, status, code) => {
    const before = await files();
    const answer = await cropped({ id, ...wide, ...body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await files()).toEqual(before);
  });

  it('of an undecodable image fails', async () => {
    const broken = (await picture(400, 400)).subarray(0, 700);
    await site.write('media/2026/03/broken.jpg', broken as never);
    const found = await until(async () => (await site.ask('GET', '/cms/v2/media?search=broken')).body[0]);
    const answer = await cropped({ id: found.id, cropType: 'free_crop', x: 0, y: 370, width: 20, height: 20 });
    expect([answer.status, answer.body.code]).toEqual([500, 'crop_failed']);
  });
});

describe('crops', () => {
  const form = '0b0e7a52-5d0a-4f0e-9c39-9d4e8f6d2b11';
  afterEach(() => site.close());
  const cut = async (id: number, more: object = {}) =>
    (await cropped({ id, cropType: 'free_crop', x: 0, y: 0, width: 50, height: 50, ...more })).body.id as number;
  const saved = (fields: object) =>
    site.site.write(() => {
      const post = site.site.posts.get(900) as { path: string; etag: string };
      return { changes: [{ path: post.path, expect: post.etag, data: { fields }, order: [] }], result: null };
    });
  const sidecarOf = (id: number) => site.read(site.site.posts.get(id)?.path as string);

  it('belong to the item saved with them, and are deleted when it is saved without', async () => {
    await start();
    const id = await uploaded();
    const [used, other] = [await cut(id, { temp_post_id: form }), await cut(id)];
    expect(await sidecarOf(used)).toMatch(/temp_key: '0b0e7a52[\s\S]*created: 1772704800000/);
    await saved({ hero: used, rows: [{ picture: other }], text: 'x', id });
    for (const one of [used, other]) expect(await sidecarOf(one)).toMatch(/parent: 900/);
    expect(await sidecarOf(used)).not.toMatch(/temp_key|created/);
    await saved({ hero: used });
    expect(site.site.posts.get(other)).toBeUndefined();
    expect(site.site.posts.get(used)).toBeDefined();
    expect(site.site.posts.get(id)).toBeDefined();
    expect(await files()).toHaveLength(4);
  });

  it('are kept unless the site says otherwise', async () => {
    await start();
    await site.ask('GET', '/');
    await site.write('site.yaml', settings.replace('delete_unused: true', 'delete_unused: false'));
    await until(() => (site.site.settings.value('media_tools') as { delete_unused: boolean }).delete_unused === false);
    const crop = await cut(await uploaded());
    await saved({ hero: crop });
    await saved({ hero: 1 });
    expect(site.site.posts.get(crop)).toBeDefined();
  });

  it('of an abandoned form are deleted after a week', async () => {
    await start();
    const id = await uploaded();
    const [young, plain] = [await cut(id, { temp_post_id: form }), await cut(id)];
    const path = site.site.posts.get(young)?.path as string;
    await clearOutdated(site.site);
    expect(site.site.posts.get(young)).toBeDefined();
    // A hand edit of the sidecar counts.
    await site.write(path, (await site.read(path)).replace('1772704800000', '1771704800000'));
    await until(() => (site.site.posts.get(young) as unknown as { crop: { created: number } }).crop.created === 1771704800000);
    await clearOutdated(site.site);
    expect([site.site.posts.get(young), site.site.posts.get(plain)?.id]).toEqual([undefined, plain]);
    expect(site.log.filter((line) => line.startsWith('crops'))).toEqual([]);
  });

  it('with hand-written sidecars are accepted or reported, and served in either case', async () => {
    await start();
    const id = await uploaded();
    await site.write('media/2026/03/hand.jpg', (await picture(20, 20)) as never);
    await site.write(
      'media/2026/03/hand.jpg.yaml',
      `id: 950\ncrop:\n  original: ${id}\n  type: free_crop\n  coordinates: {x: "1.5", y: 2, width: 20, height: 20}\n`,
    );
    const hand = (await until(() => site.site.posts.get(950))) as unknown as { crop: object };
    expect(hand.crop).toMatchObject({ original: id, type: 'free_crop', coordinates: { x: 1.5 }, parent: 0 });
    await site.write('media/2026/03/hand.jpg.yaml', 'id: 950\ntitle: Now\ncrop: [1]\n');
    await until(() => site.site.problems().find(({ path }) => path === 'media/2026/03/hand.jpg.yaml'));
    expect((await site.ask('GET', '/cms/v2/media/950')).status).toBe(200);
  });
});

describe('an attachment for scripts', () => {
  beforeAll(start);
  afterAll(() => site.close());

  it('is flat, with sizes and dates in milliseconds', async () => {
    const big = await uploaded(3000, 1500, 'big.jpg');
    await site.ask('POST', `/cms/v2/media/${big}`, {
      as: 'admin',
      body: { alt_text: 'A quay', caption: 'Cap', description: 'Desc', post: 900 },
    });
    const { status, body } = await site.ask('GET', `/media-tools/v1/get/${big}`);
    expect(status).toBe(200);
    const url = (name: string) => `${site.url}/uploads/2026/03/${name}`;
    expect(body).toMatchObject({
      id: big,
      title: 'big',
      filename: 'big-scaled.jpg',
      url: url('big-scaled.jpg'),
      link: `${site.url}/home/big/`,
      alt: 'A quay',
      author: '1',
      caption: 'Cap',
      description: 'Desc',
      status: 'inherit',
      uploadedTo: 900,
      uploadedToTitle: 'Home',
      uploadedToLink: `${site.url}/home/`,
      date: now,
      mime: 'image/jpeg',
      type: 'image',
      subtype: 'jpeg',
      dateFormatted: 'March 5, 2026',
      nonces: { update: false, delete: false, edit: false },
      editLink: false,
      meta: false,
      authorName: 'admin',
      authorLink: `${site.url}/author/admin/`,
      filesizeInBytes: expect.any(Number),
      filesizeHumanReadable: expect.stringMatching(/^\d+ KB$/),
      width: 2560,
      height: 1280,
      orientation: 'landscape',
      originalImageURL: url('big.jpg'),
      originalImageName: 'big.jpg',
      sizes: {
        thumbnail: { width: 150, height: 150, url: url('big-150x150.jpg'), orientation: 'landscape' },
        medium: { width: 300, height: 150 },
        large: { width: 1024, height: 512 },
        full: { width: 2560, height: 1280, url: url('big-scaled.jpg') },
      },
    });
    expect(Object.keys(body.sizes)).toEqual(['thumbnail', 'medium', 'large', 'full']);
  });

  it('is portrait if it is higher than wide, and has no sizes without pixels', async () => {
    expect((await site.ask('GET', `/media-tools/v1/get/${await uploaded(20, 21, 'high.jpg')}`)).body.orientation).toBe(
      'portrait',
    );
    const text = ((await (await sendFile(site, 'note.txt', Buffer.from('hello'))).json()) as { id: number }).id;
    const { body } = await site.ask('GET', `/media-tools/v1/get/${text}`);
    expect(body).toMatchObject({ type: 'text', subtype: 'plain', filesizeInBytes: 5, filesizeHumanReadable: '5 B' });
    expect(body).not.toHaveProperty('sizes');
  });

  it.each<[string, () => Promise<number | string>]>([
    ['is not there', async () => 99_999],
    ['is a page', async () => 900],
    [
      'is private',
      async () => {
        const id = await uploaded(20, 20, 'secret.jpg');
        await site.ask('POST', `/cms/v2/media/${id}`, { as: 'admin', body: { status: 'private' } });
        return id;
      },
    ],
  ])('that %s is hidden from visitors', async (_name, id) => {
    const { status, body } = await site.ask('GET', `/media-tools/v1/get/${await id()}`);
    expect([status, body]).toEqual([
      404,
      { success: false, data: [{ code: 'attachment_not_found', message: 'Attachment not found' }] },
    ]);
  });

  it('needs a numeric id', async () => {
    expect((await site.ask('GET', '/media-tools/v1/get/x')).body.code).toBe('rest_no_route');
  });
});

it('media tools have an item per language, and its crops belong to that language', async () => {
  site = await startSite({ clock: () => now, files: { 'site.yaml': 'name: Harbour\ntimezone: UTC\ndeployment: extended\n' } });
  try {
    const { body } = await send({ image: await picture() }, { as: 'admin' });
    const listed = async (root: string) =>
      (await site.ask('GET', '/cms/v2/media?orderby=id&order=asc', { root })).body.map(
        ({ id }: { id: number }) => id,
      ) as number[];
    const [german] = await until(async () => {
      const all = await listed('/de/cms-json');
      return all.length === 1 ? all : undefined;
    });
    expect(german).not.toBe(body.attachment_id);
    const area = { cropType: 'free_crop', x: 0, y: 0, width: 50, height: 50 };
    const crop = await site.ask('POST', '/media-tools/v1/crop', {
      as: 'admin',
      root: '/de/cms-json',
      body: { id: german, ...area },
    });
    expect([await listed('/en/cms-json'), await listed('/de/cms-json')]).toEqual([[body.attachment_id], [german, crop.body.id]]);
  } finally {
    await site.close();
  }
});

describe('limits', () => {
  const of = (fields: unknown, key: string) => limitsOf({ fieldGroups: declaredGroups(fields, undefined).groups }, key);
  const group = (...fields: readonly object[]) => [{ key: 'group_one', location: [[{ param: 'type', value: 'page' }]], fields }];
  const row = { type: 'image_crop' };

  it.each<[string, unknown]>([
    ['no list', 'x'],
    ['a list of nothing', [null, 3, 'x', { fields: 'y' }, { fields: [null, 3] }]],
    ['none', undefined],
  ])('have defaults where fields are %s', (_name, fields) => {
    expect([...of(fields, 'hero').types]).toEqual(['image/jpeg', 'image/png', 'image/gif']);
    expect(of(fields, 'hero').maxBytes).toBeUndefined();
  });

  it('of a key win over those of a name', () => {
    const fields = group(
      { ...row, key: 'field_a', name: 'field_b', max_size: 1 },
      { ...row, key: 'field_b', name: 'b', max_size: 2, mime_types: 'svg' },
    );
    expect(of(fields, 'field_b')).toMatchObject({ maxBytes: 2_000_000 });
    expect([...of(fields, 'field_b').types]).toEqual([]);
  });

  it('are found in layouts', () => {
    const inner = { fields: [{ ...row, key: 'field_in', name: 'in', min_width: '30', min_size: '-1' }] };
    const fields = group({ key: 'field_parts', name: 'parts', type: 'flexible_content', layouts: { one: inner } });
    expect(of(fields, 'in')).toMatchObject({ minWidth: 30, minBytes: undefined });
  });
});

it('other origins may send the token, if the site accepts them', async () => {
  const allowed = async (files: Readonly<Record<string, string>>): Promise<string | null> => {
    const one = await startSite({ files });
    const headers = { origin: 'https://app.example', 'access-control-request-headers': 'x-media-tools-nonce' };
    const answer = await one.ask('OPTIONS', '/media-tools/v1/upload', { headers });
    await one.close();
    return answer.headers.get('access-control-allow-headers');
  };
  expect(await allowed({ 'site.yaml': settings })).toMatch(/^Authorization, .*, X-Media-Tools-Nonce(?:,|$)/);
  const without = await allowed({});
  expect(without).toMatch(/^Authorization, /);
  expect(without).not.toContain('X-Media-Tools-Nonce');
});
