/** What the command line does with media in a bucket. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { run, temporary } from '../../../cli/run.ts';
import { picture } from '../../../support/media.ts';
import { keyId, type ObjectStore, secret, startObjectStore } from '../../../support/object-store.ts';

let bucket: ObjectStore;
let dir: string;
let cat: Buffer;
const cms = (...line: string[]) =>
  run([...line], { env: { CMS_MEDIA_STORE: JSON.stringify(bucket.settings), TEST_S3_KEY: keyId, TEST_S3_SECRET: secret } });
const put = async (path: string, bytes: Uint8Array | string) => {
  await mkdir(dirname(join(dir, path)), { recursive: true });
  await writeFile(join(dir, path), bytes);
};
const held = () => [...bucket.objects.keys()].sort();

beforeAll(async () => {
  bucket = await startObjectStore();
  cat = await picture(300, 200);
});
afterAll(() => bucket.close());
beforeEach(async () => {
  bucket.objects.clear();
  bucket.meddle = null;
  dir = join(await temporary(), 'site');
  await put('site.yaml', 'name: Harbour\n');
  await put(
    'posts/2026/03/a.md',
    '---\nid: 9\ntitle: A\ndate: 2026-03-05T10:00:00\nfeatured_media: 2026/03/cat.jpg\n---\nText.\n',
  );
  await put('media/2026/03/cat.jpg', cat);
  await put('media/2026/03/cat.jpg.yaml', 'id: 10\ntitle: A cat\ndate: 2026-03-05T10:00:00\n');
});

describe('cms media push and pull', () => {
  it('moves files there and back, byte for byte', async () => {
    await put('media/2026/03/bare.jpg', cat);
    const wanted = await cms('media', 'push', dir, '--dry-run');
    expect(wanted.out.split('\n')).toEqual(['media/2026/03/bare.jpg', 'media/2026/03/cat.jpg']);
    const pushed = await cms('media', 'push', dir);
    expect([pushed.status, pushed.out]).toEqual([
      1,
      'media/2026/03/bare.jpg  has no sidecar yet: a server writes one when it sees the file\n1 pushed, 1 left',
    ]);
    await rm(join(dir, 'media/2026/03/bare.jpg'));
    expect(held()).toEqual(['site/2026/03/cat.jpg']);
    expect(existsSync(join(dir, 'media/2026/03/cat.jpg'))).toBe(false);
    expect(await cms('media', 'push', dir)).toMatchObject({ status: 0, out: '0 pushed' });
    expect(await cms('media', 'pull', dir)).toMatchObject({ status: 0, out: '1 pulled' });
    expect((await readFile(join(dir, 'media/2026/03/cat.jpg'))).equals(cat)).toBe(true);
    expect(await cms('media', 'pull', dir)).toMatchObject({ status: 0, out: '0 pulled' });
    // What is on both sides is only taken away here.
    bucket.asked.length = 0;
    expect(await cms('media', 'push', dir)).toMatchObject({ status: 0, out: '1 pushed' });
    expect(bucket.asked.some((line) => line.startsWith('PUT'))).toBe(false);
  });

  it('does not overwrite different files', async () => {
    await cms('media', 'push', dir);
    await put('media/2026/03/cat.jpg', await picture(20, 20));
    const { status, out } = await cms('media', 'push', dir);
    expect([status, out]).toEqual([
      1,
      'media/2026/03/cat.jpg  another file of this name is in the media store\n0 pushed, 1 left',
    ]);
    expect(bucket.objects.get('site/2026/03/cat.jpg')?.bytes.equals(cat)).toBe(true);
  });

  it('keeps the local file when the bucket fails', async () => {
    bucket.meddle = (request) => request.method === 'PUT' && Boolean(request.socket.destroy());
    const { status, err } = await cms('media', 'push', dir);
    expect([status, err.includes('media store')]).toEqual([1, true]);
    expect((await readFile(join(dir, 'media/2026/03/cat.jpg'))).equals(cat)).toBe(true);
  });

  it('requires a media store', async () => {
    const { status, err } = await run(['media', 'push', dir]);
    expect([status, err]).toEqual([2, expect.stringContaining('no media store is configured')]);
  });
});

it('the settings and commands in docs/media-store.md work', async () => {
  const page = await readFile(new URL('../../../../docs/media-store.md', import.meta.url), 'utf8');
  const yaml = (/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '')
    .replace(/endpoint: .*/, `endpoint: ${bucket.url}`)
    .replace(/region: .*/, 'region: eu-test-1');
  expect(page).toContain('```console');
  await writeFile(join(dirname(dir), 'cms.config.yaml'), yaml);
  // The names of the variables are those that count by default.
  const env = { AWS_ACCESS_KEY_ID: keyId, AWS_SECRET_ACCESS_KEY: secret };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(await run(['media', 'push', dir], { env })).toMatchObject({ status: 0, out: '1 pushed' });
  expect(held()).toEqual(['site/2026/03/cat.jpg']);
});

describe('with media in a bucket', () => {
  beforeEach(async () => {
    await cms('media', 'push', dir);
  });

  it('cms media list reports files, missing ones, and orphans', async () => {
    await put('media/2026/03/dog.jpg.yaml', 'id: 11\n');
    bucket.objects.set('site/2026/03/stray.jpg', { bytes: cat, headers: {}, mtimeMs: 0 });
    bucket.objects.set('site/2026/03/cat-150x150.jpg', { bytes: cat, headers: {}, mtimeMs: 0 });
    const { out } = await cms('media', 'list', dir, '--json');
    expect(JSON.parse(out)).toEqual([
      { path: 'media/2026/03/cat.jpg', size: cat.length, address: '' },
      { path: 'media/2026/03/dog.jpg', size: null, address: '' },
    ]);
    expect((await cms('media', 'list', dir, '--orphans')).out).toBe('media/2026/03/stray.jpg');
  });

  it('cms media sizes creates them in the bucket', async () => {
    expect(await cms('media', 'sizes', dir)).toMatchObject({ status: 0, out: '1 sizes available for 1 images' });
    expect(held()).toContain('site/2026/03/cat-150x150.jpg');
  });

  it('cms media fetch downloads into the bucket', async () => {
    const uploads = join(dirname(dir), 'uploads');
    await mkdir(join(uploads, '2026/03'), { recursive: true });
    await writeFile(join(uploads, '2026/03/far.jpg'), cat);
    await put('media/2026/03/far.jpg.yaml', 'id: 12\nfetch: https://old.example/files/2026/03/far.jpg\n');
    expect(await cms('media', 'fetch', dir, '--media', uploads)).toMatchObject({ status: 0, out: '1 fetched' });
    expect(held()).toContain('site/2026/03/far.jpg');
    expect(existsSync(join(dir, 'media/2026/03/far.jpg'))).toBe(false);
    expect(await readFile(join(dir, 'media/2026/03/far.jpg.yaml'), 'utf8')).not.toContain('fetch');
  });

  it('a static export contains the files', async () => {
    const out = join(dirname(dir), 'public');
    const { status } = await cms('export', dir, '--format', 'static', '--out', out, '--url', 'https://example.com');
    expect(status).toBe(0);
    expect((await readFile(join(out, 'uploads/2026/03/cat.jpg'))).equals(cat)).toBe(true);
  });

  it('cms validate checks the bucket for files named by sidecars', async () => {
    expect((await cms('validate', dir)).out).not.toContain('not there');
    bucket.objects.clear();
    const { status, out } = await cms('validate', dir);
    expect([status, out]).toEqual([1, expect.stringContaining('describes a file that does not exist')]);
  });

  it('an import uploads to the bucket, and skips existing files', async () => {
    const source = join(dirname(dir), 'source');
    const wxr = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Old</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>https://old.example</wp:base_site_url><wp:base_blog_url>https://old.example</wp:base_blog_url><item><title>Gull</title><link>https://old.example/gull</link><wp:post_id>50</wp:post_id><wp:post_date>2026-02-03 10:00:00</wp:post_date><wp:post_name>gull</wp:post_name><wp:status>inherit</wp:status><wp:post_type>attachment</wp:post_type><wp:attachment_url>https://old.example/wp-content/uploads/2026/02/gull.jpg</wp:attachment_url><wp:postmeta><wp:meta_key>_wp_attached_file</wp:meta_key><wp:meta_value>2026/02/gull.jpg</wp:meta_value></wp:postmeta></item></channel></rss>`;
    await mkdir(join(source, 'uploads/2026/02'), { recursive: true });
    await writeFile(join(source, 'old.xml'), wxr);
    await writeFile(join(source, 'uploads/2026/02/gull.jpg'), cat);
    const line = ['import', join(source, 'old.xml'), '--into', dir, '--media', join(source, 'uploads')];
    const ran = await cms(...line);
    expect(held(), ran.err + ran.out).toContain('site/2026/02/gull.jpg');
    expect(existsSync(join(dir, 'media/2026/02/gull.jpg'))).toBe(false);
    expect(existsSync(join(dir, 'media/2026/02/gull.jpg.yaml'))).toBe(true);
  });

  it('cms doctor reports whether the bucket works, and why not', async () => {
    const storeLine = async (more: Record<string, unknown> = {}) => {
      const env = {
        CMS_MEDIA_STORE: JSON.stringify({ ...bucket.settings, ...more }),
        TEST_S3_KEY: keyId,
        TEST_S3_SECRET: secret,
      };
      const { out } = await run(['doctor', dir, '--json'], { env });
      return JSON.parse(out).findings.find(({ check }: { check: string }) => check === 'media-store');
    };
    expect(await storeLine()).toMatchObject({ ok: true });
    expect(await storeLine({ bucket: 'other-media' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('NoSuchBucket'),
    });
    bucket.meddle = (_, response) => {
      response.writeHead(200, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end('<ListBucketResult/>');
      return true;
    };
    expect(await storeLine()).toMatchObject({ ok: false, text: expect.stringContaining('60 minutes ahead') });
  });

  it('invalid settings are rejected with a reason', async () => {
    const env = {
      CMS_MEDIA_STORE: JSON.stringify({ ...bucket.settings, bucket: 'No' }),
      TEST_S3_KEY: keyId,
      TEST_S3_SECRET: secret,
    };
    const { status, err } = await run(['media', 'list', dir], { env });
    expect([status, err]).toEqual([1, expect.stringContaining('media_store.bucket is no name of a bucket')]);
  });
});

it('cms backup says that media in a bucket are not included', async () => {
  const out = await temporary();
  const shown = await cms('backup', dir, '--out', out);
  expect([shown.status, shown.err]).toEqual([0, expect.stringContaining('media are in the bucket')]);
  // It needs no keys to say so.
  const env = { CMS_MEDIA_STORE: JSON.stringify(bucket.settings) };
  const { out: json } = await run(['backup', dir, '--out', join(out, 'other'), '--json'], { env });
  expect(JSON.parse(json).bucket).toBe(bucket.settings.bucket);
});
