/** What is said to an S3-compatible store, and what is made of its answers. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '../../../../src/modules/media/store/connection.ts';
import { createObjects, type Objects } from '../../../../src/modules/media/store/objects.ts';
import { readMediaStore } from '../../../../src/modules/media/store/settings.ts';
import { keyId, type ObjectStore, refuse, secret, startObjectStore } from '../../../support/object-store.ts';

let store: ObjectStore;
let objects: Objects;
let dir: string;
const env = { TEST_S3_KEY: keyId, TEST_S3_SECRET: secret };
const open = (more: Record<string, unknown> = {}, variables: Record<string, string> = env) => {
  const settings = readMediaStore({ media_store: { ...store.settings, ...more } }, variables);
  return createObjects(settings as NonNullable<typeof settings>);
};

beforeAll(async () => {
  store = await startObjectStore();
  objects = open();
  dir = await mkdtemp(join(tmpdir(), 'cms-objects-'));
});
afterAll(async () => {
  objects.close();
  await store.close();
  await rm(dir, { recursive: true });
});
afterEach(() => {
  store.meddle = null;
});

const all = async (from = objects) => {
  const found = [];
  for await (const one of from.list()) found.push(one);
  return found;
};

describe('objects in a bucket', () => {
  it.each([
    'plain.jpg',
    'with space.jpg',
    "it's (1)!*.jpg",
    'a+b&c=d.jpg',
    '100%25.jpg',
    '日本語.png',
    'tilde~_-.jpg',
    'a/b/c.jpg',
    '<&>"\'.jpg',
  ])('%s is uploaded, listed and downloaded', async (key) => {
    const bytes = Buffer.from(`bytes of ${key}`);
    await objects.put(key, { bytes }, { 'content-type': 'image/jpeg' });
    expect(store.objects.has(`site/${key}`)).toBe(true);
    expect(await objects.head(key)).toMatchObject({ size: bytes.length });
    expect(Buffer.from((await objects.read(key))?.bytes ?? [])).toEqual(bytes);
    expect((await all()).find((one) => one.key === key)).toMatchObject({ size: bytes.length });
    await objects.remove(key);
    expect(await objects.head(key)).toBeNull();
  });

  it('are uploaded from files, with length and digest', async () => {
    const file = join(dir, 'large.bin');
    const bytes = Buffer.alloc(300_000, 'sea ');
    await writeFile(file, bytes);
    await objects.put('large.bin', { fromFile: file }, {});
    expect(store.objects.get('site/large.bin')?.bytes.equals(bytes)).toBe(true);
    expect(await objects.save('large.bin', join(dir, 'back.bin'))).toBe(true);
    expect((await readFile(join(dir, 'back.bin'))).equals(bytes)).toBe(true);
    expect(await objects.save('none.bin', join(dir, 'none.bin'))).toBe(false);
  });

  it('are listed in pages', async () => {
    store.pageSize = 3;
    const keys = Array.from({ length: 8 }, (_, at) => `pages/${at}.jpg`);
    for (const key of keys) await objects.put(key, { bytes: Buffer.from(key) }, {});
    store.asked.length = 0;
    expect((await all()).map(({ key }) => key).filter((key) => key.startsWith('pages/'))).toEqual(keys);
    expect(store.asked.length).toBeGreaterThan(2);
    store.pageSize = 1000;
  });

  it('are addressed by path or by host', () => {
    const at = (style: 'path' | 'virtual') =>
      addressOf(
        { endpoint: 'https://s3.example:9000', bucket: 'harbour', style },
        { key: "a b/it's.jpg", query: { prefix: 'x/y z' } },
      );
    expect(at('path')).toBe('https://s3.example:9000/harbour/a%20b/it%27s.jpg?prefix=x%2Fy%20z');
    expect(at('virtual')).toBe('https://harbour.s3.example:9000/a%20b/it%27s.jpg?prefix=x%2Fy%20z');
  });
});

describe('a bucket that refuses', () => {
  it.each([
    [{ TEST_S3_KEY: keyId, TEST_S3_SECRET: 'wrong' }, {}, 'SignatureDoesNotMatch: the secret key is wrong'],
    [{ TEST_S3_KEY: 'AKIDOTHER', TEST_S3_SECRET: secret }, {}, 'InvalidAccessKeyId: the access key does not exist'],
    [env, { region: 'us-east-1' }, 'AuthorizationHeaderMalformed: the region is another one'],
    [env, { bucket: 'other-media' }, 'NoSuchBucket: there is no such bucket'],
  ])('is reported with its reason: %#', async (variables, more, message) => {
    const wrong = open(more, variables);
    store.asked.length = 0;
    await expect(all(wrong)).rejects.toThrow(message);
    await expect(wrong.read('plain.jpg')).rejects.toThrow(message);
    // Nothing another try would mend.
    expect(store.asked).toHaveLength(2);
    wrong.close();
  });
});

describe('a bucket that fails for a while', () => {
  const failing = (times: number, how: (request: any, response: any) => void) => {
    let left = times;
    store.meddle = (request, response) => {
      if (left-- <= 0) return false;
      how(request, response);
      return true;
    };
  };

  it.each([
    ['slows down', (_: any, response: any) => refuse(response, 503, 'SlowDown')],
    ['fails', (_: any, response: any) => refuse(response, 500, 'InternalError')],
    ['hangs up', (request: any) => request.socket.destroy()],
  ])('is retried: it %s', async (_, how) => {
    failing(2, how);
    await objects.put('again.jpg', { bytes: Buffer.from('again') }, {});
    failing(2, how);
    expect(String((await objects.read('again.jpg'))?.bytes)).toBe('again');
  });

  it('is retried after an interrupted download, and leaves no partial file', async () => {
    await objects.put('half.jpg', { bytes: Buffer.from('whole bytes') }, {});
    failing(1, (_, response) => {
      response.writeHead(200, { 'content-length': 11, 'last-modified': new Date().toUTCString() });
      response.write('whole', () => response.destroy());
    });
    expect(await objects.save('half.jpg', join(dir, 'half.jpg'))).toBe(true);
    expect(await readFile(join(dir, 'half.jpg'), 'utf8')).toBe('whole bytes');
  });

  it('is trusted only if the digest matches', async () => {
    await objects.put('rot.jpg', { bytes: Buffer.from('as it was') }, {});
    const held = store.objects.get('site/rot.jpg');
    store.objects.set('site/rot.jpg', { ...(held as NonNullable<typeof held>), bytes: Buffer.from('as it is!') });
    await expect(objects.save('rot.jpg', join(dir, 'rot.jpg'))).rejects.toThrow('other bytes than it was given');
    await expect(readFile(join(dir, 'rot.jpg'))).rejects.toThrow('ENOENT');
  });

  it('is given up after a while, and then requests fail at once', async () => {
    const quick = open({ timeout_ms: 100 });
    store.asked.length = 0;
    store.meddle = () => true;
    await expect(quick.head('plain.jpg')).rejects.toThrow('no answer in 100 ms');
    await expect(quick.head('plain.jpg')).rejects.toThrow('did not answer a moment ago');
    expect(store.asked).toHaveLength(1);
    quick.close();
  });
});

describe('media_store', () => {
  it.each([
    [{ endpoint: undefined }, 'media_store.endpoint is no text'],
    [{ endpoint: 'ftp://s3.example' }, 'media_store.endpoint is no address'],
    [{ endpoint: 'https://me:pass@s3.example' }, 'media_store.endpoint has a name'],
    [{ endpoint: 'https://s3.example/bucket' }, 'media_store.endpoint has a path'],
    [{ bucket: 'No Bucket' }, 'media_store.bucket is no name'],
    [{ prefix: '../x' }, 'media_store.prefix is no folder'],
    [{ style: 'odd' }, 'media_store.style is neither'],
    [{ public: 'https://cdn.example' }, 'media_store.public is none of'],
    [{ cache_mb: 1 }, 'media_store.cache_mb is no whole number from 16'],
    [{ timeout_ms: 'soon' }, 'media_store.timeout_ms is no whole number'],
    [{ secret_key_env: 'NOBODY_SETS_THIS' }, 'names the variable NOBODY_SETS_THIS, which is not set'],
    [{ secret_key: 'x' }, 'media_store.secret_key is none of'],
  ])('rejects invalid settings: %o', (more, message) => {
    expect(() => readMediaStore({ media_store: { ...store.settings, ...more } }, env)).toThrow(message);
  });

  it('is unset by default', () => expect(readMediaStore({ media_store: {} }, {})).toBeNull());
});
