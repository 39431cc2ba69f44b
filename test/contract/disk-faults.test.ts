/** A disk that fails under a server: reads go on, writes are refused with codes of their own, and the end of it needs nobody. */
import { failDisk, type Failing, isWriting } from '../support/disk-faults.ts';
import { openSeal } from '../../src/kernel/store/state.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite, until } from '../support/site.ts';

const admin = { as: 'admin' };
let site: TestSite;
let post: { id: number };
let endFault = (): void => undefined;
const strays: unknown[] = [];
const stray = (error: unknown): void => void strays.push(error);

beforeAll(async () => {
  process.on('uncaughtException', stray).on('unhandledRejection', stray);
  site = await startSite();
  post = (await create()).body;
});
afterEach(() => endFault());
afterAll(async () => {
  await site.close();
  process.off('uncaughtException', stray).off('unhandledRejection', stray);
});

let serial = 0;
const create = () =>
  site.ask('POST', '/cms/v2/posts', { ...admin, body: { title: `Post ${++serial}`, content: 'x', status: 'publish' } });
const change = () => site.ask('PUT', `/cms/v2/posts/${post.id}`, { ...admin, body: { content: `text ${++serial}` } });
const inside = (path: string) => path.startsWith(site.dir);
const lingered = () => new Promise((resolve) => setTimeout(resolve, 60));

/** Every call that writes below the folder fails. */
const all =
  (code: string): Failing =>
  (call, path, flags) =>
    inside(path) && isWriting(call, flags) ? code : undefined;
/** One call fails. */
const only =
  (name: string, code: string, part = ''): Failing =>
  (call, path, flags) =>
    inside(path) && path.includes(part) && call === name && (call !== 'open' || isWriting(call, flags)) ? code : undefined;

const faults: readonly (readonly [string, Failing, number, string])[] = [
  ...['ENOSPC', 'EDQUOT'].map((code) => [`${code} everywhere`, all(code), 507, 'rest_storage_full'] as const),
  ...['EROFS', 'EIO', 'EACCES', 'EMFILE', 'ENFILE', 'ESTALE'].map(
    (code) => [`${code} everywhere`, all(code), 503, 'rest_storage_unavailable'] as const,
  ),
  ['EIO at fdatasync', only('fdatasync', 'EIO'), 503, 'rest_storage_unavailable'],
  ['ENOSPC at write', only('write', 'ENOSPC'), 507, 'rest_storage_full'],
  ['EIO at rename', only('rename', 'EIO'), 503, 'rest_storage_unavailable'],
  ['EACCES at open', only('open', 'EACCES'), 503, 'rest_storage_unavailable'],
  ['ENOSPC of the log', only('write', 'ENOSPC', '.cms/log'), 507, 'rest_storage_full'],
  ['EACCES of the lock', only('open', 'EACCES', '.cms/lock'), 503, 'rest_storage_unavailable'],
];

describe.each(faults)('%s', (_name, failing, status, code) => {
  it('refuses writes, serves reads, is logged once and recovers by itself', async () => {
    const before = site.log.length;
    const text = await site.read(site.site.posts.get(post.id)!.path);
    await lingered();
    endFault = failDisk(failing);
    const answers = await Promise.all([change(), change(), change()]);
    for (let at = 0; at < 3; at++) answers.push(await change());
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ code, data: { status } });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await site.ask('GET', `/cms/v2/posts/${post.id}`)).status).toBe(200);
    expect((await site.ask('GET', '/cms/v2/posts')).status).toBe(200);
    expect(site.log.slice(before)).toHaveLength(1);
    endFault();
    expect(await site.read(site.site.posts.get(post.id)!.path)).toBe(text);
    expect((await change()).status).toBe(200);
    expect((await create()).status).toBe(201);
    await until(async () => (await change()).status === 200 && site.log.length === before + 2);
    expect(site.log.at(-1)).toContain('works again');
    expect(strays).toEqual([]);
  });
});

it.each(['EACCES', 'EROFS', 'EIO', 'EPERM', 'EBUSY'])('a lock file that cannot be removed (%s) stops nothing', async (code) => {
  const before = site.log.length;
  await lingered();
  endFault = failDisk((call, path) => (inside(path) && /unlink|rm/.test(call) && path.endsWith('.cms/lock') ? code : undefined));
  expect((await change()).status).toBe(200);
  // The timer that gives up the lock has come by.
  await until(() => site.log.length > before);
  const answer = await change();
  expect(answer.body).toMatchObject({ code: 'rest_storage_unavailable' });
  expect((await site.ask('GET', '/cms/v2/posts')).status).toBe(200);
  endFault();
  expect((await change()).status).toBe(200);
  await until(async () => (await change()).status === 200 && site.log.at(-1)?.includes('works again'));
  expect(site.log.slice(before)).toHaveLength(2);
  expect(strays).toEqual([]);
});

it('a file saved while nothing can be written is served, and gets its id when the fault is over', async () => {
  endFault = failDisk(all('EROFS'));
  const { real } = await import('../support/disk-faults.ts');
  real.writeFileSync(`${site.dir}/posts/by-hand.md`, '---\ntitle: By hand\n---\ntext\n');
  const found = await until(async () => {
    const { body } = await site.ask('GET', '/cms/v2/posts?slug=by-hand');
    return body[0];
  });
  endFault();
  await until(async () => (await site.read('posts/by-hand.md')).includes(`id: ${found.id}`));
  expect(strays).toEqual([]);
});

it('hints of unreadable paths stop nothing', async () => {
  endFault = failDisk((call, path) => (inside(path) && /^l?stat$|^readdir$/.test(call) ? 'EIO' : undefined));
  const { real } = await import('../support/disk-faults.ts');
  for (let at = 0; at < 4; at++) {
    real.mkdirSync(`${site.dir}/posts/folder-${at}`, { recursive: true });
    real.writeFileSync(`${site.dir}/posts/folder-${at}/a.md`, `---\ntitle: A ${at}\n---\nx\n`);
  }
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect((await site.ask('GET', '/cms/v2/posts')).status).toBe(200);
  endFault();
  await until(async () => (await site.ask('GET', '/cms/v2/posts?search=A%203')).body.length > 0);
  expect(strays).toEqual([]);
});

it.each(['EMFILE', 'EIO', 'EACCES'])('a file that could not be read for a while (%s) is read afterwards', async (code) => {
  const { real } = await import('../support/disk-faults.ts');
  const slug = `read-${code.toLowerCase()}`;
  const file = `${site.dir}/posts/${slug}.md`;
  real.writeFileSync(file, '---\ntitle: Before\n---\ntext\n');
  const { id } = await until(async () => (await site.ask('GET', `/cms/v2/posts?slug=${slug}`)).body[0]);
  await until(async () => (await site.read(`posts/${slug}.md`)).includes(`id: ${id}`));
  endFault = failDisk((call, path) => (path === file && /^open$|^readFile$/.test(call) ? code : undefined));
  real.writeFileSync(file, `---\nid: ${id}\ntitle: After\n---\ntext\n`);
  await until(() => site.site.problems().some(({ path }) => path === `posts/${slug}.md`));
  expect((await site.ask('GET', `/cms/v2/posts/${id}`)).body.title.rendered).toBe('Before');
  endFault();
  await until(async () => (await site.ask('GET', `/cms/v2/posts/${id}`)).body.title.rendered === 'After');
  expect(site.site.problems().filter(({ path }) => path === `posts/${slug}.md`)).toEqual([]);
  expect(strays).toEqual([]);
});

it('an unreadable file is read again although it has not changed since', async () => {
  const { real } = await import('../support/disk-faults.ts');
  const { createStatCache: createLedger } = await import('../../src/kernel/store/stat-cache.ts');
  const { createMounts } = await import('../../src/kernel/store/mounts.ts');
  const { createQueue } = await import('../../src/kernel/store/queue.ts');
  const dir = `${site.dir}/.cms/tmp/apart`;
  real.mkdirSync(`${dir}/posts`, { recursive: true });
  real.writeFileSync(`${dir}/posts/a.md`, 'text');
  // Long after the file was written, when its times can be trusted.
  const ledger = createLedger(createMounts({ dir }).content, createQueue(), () => Date.now() + 60_000);
  endFault = failDisk((call, path) => (path.endsWith('posts/a.md') && call === 'open' ? 'EMFILE' : undefined));
  expect((await ledger.load()).problems).toHaveLength(1);
  expect((await ledger.sweep()).problems).toEqual([]);
  endFault();
  expect((await ledger.sweep()).entries.map(({ path }) => path)).toEqual(['posts/a.md']);
  expect(ledger.problems()).toEqual([]);
});

it.each(['EMFILE', 'EIO'])('texts of the snapshot that cannot be read now (%s) are not lost', async (fault) => {
  const { real } = await import('../support/disk-faults.ts');
  const { ArenaSegment } = await import('../../src/kernel/store/arena-segment.ts');
  const text = 'the text of a post';
  real.writeFileSync(`${site.dir}/.cms/cache/a.text`, text);
  const seal = openSeal(`${site.dir}/.cms/cache/seal`);
  const code = seal.quick('a.text', Buffer.from(text)).toString('base64url');
  const segment = { file: 'a.text', isNarrow: true, length: text.length, code };
  const lost: string[] = [];
  const slab = new ArenaSegment(`${site.dir}/.cms/cache`, segment, {
    reread: () => null,
    lost: () => void lost.push('lost'),
    buffer: { bytes: Buffer.alloc(0) },
    seal,
  });
  endFault = failDisk((call, path) => (inside(path) && call === 'open' ? fault : undefined));
  expect(() => slab.text).toThrow(fault);
  endFault();
  expect(slab.text).toBe(text);
  expect(lost).toEqual([]);
});

it('an upload that finds no space is refused as such', async () => {
  endFault = failDisk(all('ENOSPC'));
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const answers = await Promise.all([raw(), multipart()]);
  for (const { status } of answers) expect(status).toBe(507);
  endFault();
  expect((await raw()).status).toBe(201);
  expect(strays).toEqual([]);

  function authorization(): string {
    return `Basic ${Buffer.from(`admin:${site.password}`).toString('base64')}`;
  }
  function raw(): Promise<Response> {
    const headers = {
      authorization: authorization(),
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="dot.png"',
    };
    return fetch(`${site.url}/cms-json/cms/v2/media`, { method: 'POST', headers, body: png });
  }
  function multipart(): Promise<Response> {
    const form = new FormData();
    form.set('file', new Blob([png], { type: 'image/png' }), 'dot.png');
    return fetch(`${site.url}/cms-json/cms/v2/media`, {
      method: 'POST',
      headers: { authorization: authorization() },
      body: form,
    });
  }
});
