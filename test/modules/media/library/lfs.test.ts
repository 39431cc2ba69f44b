/** Files that git LFS keeps elsewhere: attachments as their sidecars say, without bytes until these are there. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { picture } from '../../../support/media.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0a'.repeat(32)}\nsize 54321\n`;
let site: TestSite;

beforeAll(async () => {
  site = await startSite({
    files: {
      'media/2026/03/dog.jpg': pointer,
      'media/2026/03/dog.jpg.yaml': 'id: 50\ntitle: A dog\nalt: A dog on a beach\n',
      'media/2026/03/plan.pdf': pointer,
      'media/2026/03/plan.pdf.yaml': 'id: 51\ntitle: A plan\n',
      'media/2026/03/notes.txt': 'version https://git-lfs.github.com/spec/v1\nis what a pointer begins with.\n',
      'media/2026/03/notes.txt.yaml': 'id: 52\ntitle: Notes\n',
    },
  });
});
afterAll(() => site.close());

it('LFS files are listed with the size in their pointer', async () => {
  const { body } = await site.ask('GET', '/cms/v2/media/50');
  expect(body).toMatchObject({
    title: { rendered: 'A dog' },
    alt_text: 'A dog on a beach',
    mime_type: 'image/jpeg',
    source_url: `${site.url}/uploads/2026/03/dog.jpg`,
    media_details: { filesize: 54_321, sizes: {} },
  });
  expect((await site.ask('GET', '/cms/v2/media/51')).body.media_details.filesize).toBe(54_321);
});

it.each(['dog.jpg', 'dog-300x200.jpg', 'plan.pdf'])('LFS files are not served: %s', async (name) => {
  for (const method of ['GET', 'HEAD']) {
    const answer = await site.ask(method, `/uploads/2026/03/${name}`, { raw: true });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      503,
      'text/plain; charset=UTF-8',
      'no-store',
    ]);
    if (method === 'GET') expect(answer.body).toContain('git lfs pull');
  }
  // What was there before is there still.
  expect(await readFile(join(site.dir, 'media/2026/03/dog.jpg'), 'utf8')).toBe(pointer);
});

it('LFS files cannot be edited, and keep their metadata when their sidecar changes', async () => {
  const edited = await site.ask('POST', '/cms/v2/media/50/edit', {
    as: 'admin',
    body: { src: `${site.url}/uploads/2026/03/dog.jpg`, modifiers: [{ type: 'rotate', args: { angle: 90 } }] },
  });
  expect(edited.status).toBeGreaterThanOrEqual(400);
  expect(edited.status).toBeLessThan(500);
  const saved = await site.ask('POST', '/cms/v2/media/50', { as: 'admin', body: { alt_text: 'A dog' } });
  expect([saved.status, saved.body.alt_text, saved.body.media_details.filesize]).toEqual([200, 'A dog', 54_321]);
  expect(await readFile(join(site.dir, 'media/2026/03/dog.jpg'), 'utf8')).toBe(pointer);
});

it('a false LFS pointer is an ordinary file', async () => {
  const answer = await site.ask('GET', '/uploads/2026/03/notes.txt', { raw: true });
  expect([answer.status, answer.body.startsWith('version')]).toEqual([200, true]);
});

it('LFS files are served once fetched', async () => {
  const path = join(site.dir, 'media/2026/03/dog.jpg');
  await writeFile(`${path}.new`, await picture(640, 480));
  await rename(`${path}.new`, path);
  await until(async () => (await site.ask('GET', '/uploads/2026/03/dog.jpg', { raw: true })).status === 200);
  const { body } = await site.ask('GET', '/cms/v2/media/50');
  expect(body.media_details).toMatchObject({ width: 640, height: 480, sizes: { medium: { width: 300 } } });
});
