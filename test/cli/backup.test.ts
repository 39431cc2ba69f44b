/** A backup made beside a server that is being written to, and what a restore makes of it, of damaged ones and of folders that are there. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { decryptFile, encryptFile } from '../../src/transfer/archive/encryption.ts';
import { startSite, type TestSite } from '../support/site.ts';
import { filesIn, run, temporary } from './run.ts';

let site: TestSite;
let folder: string;
beforeAll(async () => {
  site = await startSite();
  folder = await temporary();
  await create('First');
});
afterAll(async () => site.close());

const create = (title: string) =>
  site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title, content: 'x', status: 'publish' } });

async function backedUp(out: string, ...flags: string[]): Promise<{ file: string; [key: string]: unknown }> {
  const {
    status,
    out: said,
    err,
  } = await run(['backup', site.dir, '--out', out, '--json', ...flags], {
    env: { CMS_BACKUP_PASSPHRASE: 'correct horse' },
  });
  if (status !== 0) throw new Error(err);
  return JSON.parse(said);
}

/** Does something while one post after the other is written; no longer, even if it fails. */
async function whileWriting<T>(work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const writing = (async () => {
    for (let count = 0; !isOver; count++) await create(`During ${count}`);
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await writing;
  }
}

describe('a backup', () => {
  it('of a busy server contains every file whole, each acknowledged write, and the accounts', async () => {
    const before = (await create('Before the backup')).body.slug as string;
    const { file, ...report } = await whileWriting(() => backedUp(join(folder, 'busy')));
    // The last attempt keeps the server from writing: nothing is torn.
    expect(report).toMatchObject({ unsteady: [], encrypted: false, removed: [] });
    expect(report.private).toBeGreaterThan(0);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    const into = join(await temporary(), 'restored');
    const restored = await run(['restore', file, into, '--adopt', '--json']);
    expect(restored.status).toBe(0);
    const opened = await openSite(into);
    try {
      expect([...opened.posts.all()].map(({ slug }) => slug)).toContain(before);
      expect(opened.accounts.byLogin('admin')?.applicationPasswords).toHaveLength(1);
      expect(opened.problems()).toEqual([]);
    } finally {
      await opened.close();
    }
    expect((await run(['validate', into])).status).toBe(0);
  });

  it('that is encrypted opens only with its passphrase, and every modification is detected', async () => {
    const { file, encrypted } = await backedUp(join(folder, 'sealed'), '--encrypt');
    expect([encrypted, file.endsWith('.tar.gz.enc')]).toEqual([true, true]);
    const into = join(await temporary(), 'restored');
    const restore = (passphrase: string, from = file) =>
      run(['restore', from, into], { env: { CMS_BACKUP_PASSPHRASE: passphrase } });
    expect(await restore('')).toMatchObject({ status: 2, err: expect.stringContaining('no passphrase') });
    expect(await restore('wrong')).toMatchObject({ status: 1, err: expect.stringContaining('wrong passphrase') });
    const bytes = await readFile(file);
    expect(bytes.includes(Buffer.from('First'))).toBe(false);
    for (const at of [0, 9, 40, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      await writeFile(join(folder, 'changed.enc'), changed);
      expect((await restore('correct horse', join(folder, 'changed.enc'))).status).toBe(1);
    }
    // Nothing is left of any of these.
    expect(await readdir(dirname(into))).toEqual([]);
    expect((await restore('correct horse')).status).toBe(0);
    expect(await filesIn(into)).toEqual(await filesIn(site.dir));
    expect(await readdir(join(folder, 'sealed'))).toHaveLength(1);
  });

  it('keeps the requested number of backups of this site, and reports which were removed', async () => {
    const out = join(folder, 'kept');
    await mkdir(out);
    const old = ['20250101T000000Z', '20250102T000000Z', '20250103T000000Z'];
    const own = /^(.*)-\d{8}T/.exec((await backedUp(out)).file.split('/').at(-1) as string)?.[1];
    for (const time of old) await writeFile(join(out, `${own}-${time}.tar.gz`), '');
    for (const name of ['other-20240101T000000Z.tar.gz', `${own}-notes.txt`]) await writeFile(join(out, name), '');
    await new Promise((next) => setTimeout(next, 1100 - (Date.now() % 1000)));
    const { removed, file } = await backedUp(out, '--keep', '3', '--encrypt');
    expect(removed).toEqual([`${own}-${old[1]}.tar.gz`, `${own}-${old[0]}.tar.gz`]);
    expect(await readdir(out)).toHaveLength(5);
    expect(existsSync(file)).toBe(true);
    expect((await run(['backup', site.dir, '--out', out, '--keep', '0'])).status).toBe(2);
  });

  it('is never written inside the folder it backs up', async () => {
    const { status, err } = await run(['backup', site.dir, '--out', join(site.dir, 'backups')]);
    expect([status, err.includes('inside the folder')]).toEqual([1, true]);
    await rm(join(site.dir, 'backups'), { recursive: true });
  });
});

describe('a restore', () => {
  it('replaces nothing without --force, and with it moves the old files aside', async () => {
    const { file } = await backedUp(join(folder, 'forced'));
    const into = join(await temporary(), 'there');
    expect((await run(['restore', file, into])).status).toBe(0);
    expect((await run(['restore', file, into])).out).toContain('already is what the backup holds');
    await writeFile(join(into, 'posts/mine.md'), '---\ntitle: Mine\n---\nx\n');
    await mkdir(join(into, '.git'));
    const before = await filesIn(into, { own: true });
    expect(await run(['restore', file, into])).toMatchObject({ status: 1, err: expect.stringContaining('--force') });
    expect(await filesIn(into, { own: true })).toEqual(before);
    const { status, out } = await run(['restore', file, into, '--force', '--json']);
    const { aside } = JSON.parse(out) as { aside: string };
    expect([status, existsSync(join(into, 'posts/mine.md')), existsSync(join(into, '.git'))]).toEqual([0, false, true]);
    expect(await filesIn(aside, { own: true })).toEqual(before);
  });

  it('from a damaged backup changes nothing, even with --force', async () => {
    const { file } = await backedUp(join(folder, 'damaged'));
    const into = join(await temporary(), 'there');
    await run(['restore', file, into]);
    const before = await filesIn(into, { own: true });
    await truncate(file, (await stat(file)).size - 20);
    const { status, err } = await run(['restore', file, into, '--force']);
    expect([status, err]).toEqual([1, expect.stringMatching(/damaged|truncated/)]);
    expect(await filesIn(into, { own: true })).toEqual(before);
    expect(await readdir(dirname(into))).toEqual(['there']);
  });

  it('rejects a file that is not a backup', async () => {
    expect((await run(['restore', join(folder, 'none.tar.gz'), join(folder, 'x')])).status).toBe(2);
    await writeFile(join(folder, 'note.txt'), 'not a backup');
    expect((await run(['restore', join(folder, 'note.txt'), join(folder, 'x')])).status).toBe(1);
  });
});

describe('encryption', () => {
  const low = 14;

  it.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024])('round-trips %i bytes', async (length) => {
    const dir = await temporary();
    const [plain, sealed, back] = ['plain', 'sealed', 'back'].map((name) => join(dir, name)) as [string, string, string];
    const bytes = Buffer.alloc(length, 'abc');
    await writeFile(plain, bytes);
    await utimes(plain, 0, 0);
    await encryptFile(plain, sealed, 'pass', low);
    await decryptFile(sealed, back, 'pass');
    expect((await readFile(back)).equals(bytes)).toBe(true);
  });

  it('detects missing or swapped chunks, and those of another file', async () => {
    const dir = await temporary();
    const plain = join(dir, 'plain');
    await writeFile(plain, Buffer.alloc(3 * 1024 * 1024, 'x'));
    await encryptFile(plain, join(dir, 'a'), 'pass', low);
    await encryptFile(plain, join(dir, 'b'), 'pass', low);
    const [a, b] = [await readFile(join(dir, 'a')), await readFile(join(dir, 'b'))];
    const [head, piece] = [32, 1024 * 1024 + 16];
    const [first, second, third] = [0, 1, 2].map((at) => a.subarray(head + at * piece, head + (at + 1) * piece)) as Buffer[];
    const wrong: readonly (readonly (Buffer | undefined)[])[] = [
      [first, second],
      [first, third],
      [second, first, third],
      [first, b.subarray(head + piece, head + 2 * piece), third],
      [first, second, third, third],
    ];
    for (const [at, pieces] of wrong.entries()) {
      await writeFile(join(dir, `wrong-${at}`), Buffer.concat([a.subarray(0, head), ...(pieces as Buffer[])]));
      await expect(decryptFile(join(dir, `wrong-${at}`), join(dir, `out-${at}`), 'pass')).rejects.toThrow(/damaged|passphrase/);
    }
  });
});
