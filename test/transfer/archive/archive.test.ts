import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Header, pack as createPack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isArchive, writeArchive } from '../../../src/transfer/archive/archive.ts';
import { restoreArchive } from '../../../src/transfer/archive/restore.ts';
import { SourceError } from '../../../src/transfer/import/items.ts';
import { sample } from '../../support/sample-site.ts';
import { startSite } from '../../support/site.ts';
import '../../support/seed.ts';

let folder: string;
let next = 0;
const fresh = (name = 'dir'): string => join(folder, `${next++}-${name}`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Path → bytes, exec bit and time (seconds) of everything but what is the server's own; folders that are empty end in `/`. */
async function snapshot(dir: string, own = false): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(dir.length + 1);
    if (/(^|\/)\.(git|cms)(\/|$)/.test(name) && !(own && name.startsWith('.cms/private'))) continue;
    if (entry.isDirectory() && (await readdir(path)).length === 0) found[`${name}/`] = '';
    if (!entry.isFile()) continue;
    const { mode, mtimeMs } = await stat(path);
    found[name] = `${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')} ${mode & 0o100} ${own ? '' : Math.floor(mtimeMs / 1000)}`;
  }
  return found;
}

const engine = (dir: string) => ({ name: dir, private: { keys: async () => [], get: async () => null } as never });

async function archived(dir: string, out = fresh('site.tar.gz')): Promise<string> {
  await writeArchive({ store: engine(dir), out, private: false });
  return out;
}

async function tree(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = fresh('tree');
  await mkdir(dir);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

describe('the sample site', () => {
  it('round-trips byte for byte, and the archive is reproducible', async () => {
    const dir = fresh('sample');
    await cp(sample, dir, { recursive: true, preserveTimestamps: true });
    await writeFile(join(dir, 'README'), 'Read me.\n');
    await writeFile(join(dir, 'make.sh'), '#!/bin/sh\n');
    await chmod(join(dir, 'make.sh'), 0o755);
    await mkdir(join(dir, 'posts/empty/within'), { recursive: true });
    await mkdir(join(dir, '.git/hooks'), { recursive: true });
    await writeFile(join(dir, '.git/config'), 'x');
    await mkdir(join(dir, '.cms/private'), { recursive: true });
    await writeFile(join(dir, '.cms/private/1.json'), 'secret');
    await writeFile(join(dir, 'media/large.bin'), Buffer.alloc(3_000_001, 'abc'));
    await utimes(join(dir, 'posts/low-water.md'), 1_700_000_000.5, 1_700_000_000.5);

    const out = fresh('a.tar.gz');
    const steps: number[] = [];
    const report = await writeArchive({
      store: engine(dir),
      out,
      private: false,
      progress: (done, total) => steps.push(done / total),
    });
    expect(report).toMatchObject({ private: 0, leftOut: [], unsteady: [], size: (await stat(out)).size });
    expect(steps.at(-1)).toBe(1);
    expect(await readFile(await archived(dir))).toEqual(await readFile(out));
    expect(gunzipSync(await readFile(out)).includes('secret')).toBe(false);

    const into = join(fresh('new'), 'deep', 'site');
    const restored = await restoreArchive({ file: out, into });
    expect(restored).toEqual({
      result: 'restored',
      name: 'Harbour Notes',
      files: report.files,
      bytes: report.bytes,
      private: false,
    });
    expect(await snapshot(into)).toEqual(await snapshot(dir));
    expect(await readFile(await archived(into))).toEqual(await readFile(out));
    expect(await readdir(dirname(into))).toEqual(['site']);

    expect(await restoreArchive({ file: out, into })).toMatchObject({ result: 'unchanged', files: report.files });
    await writeFile(join(into, 'posts/low-water.md'), 'edited');
    await expect(restoreArchive({ file: out, into })).rejects.toThrow(/neither empty nor .*posts\/low-water\.md/);
    expect(await readFile(join(into, 'posts/low-water.md'), 'utf8')).toBe('edited');
  });

  it('can be restored into an existing empty folder, also after an interruption', async () => {
    const out = await archived(sample);
    const into = fresh('empty');
    await mkdir(join(into, '.cms-tmp-999999999-abandoned/posts'), { recursive: true });
    expect(await restoreArchive({ file: out, into })).toMatchObject({ result: 'restored' });
    const bytesOnly = async (dir: string) => Object.keys(await snapshot(dir)).sort();
    expect(await bytesOnly(into)).toEqual(await bytesOnly(sample));
    expect((await readdir(into)).filter((name) => name.startsWith('.cms-tmp'))).toEqual([]);
  });

  it('is recognized', async () => {
    expect(await isArchive(await archived(sample))).toBe(true);
    for (const bytes of [Buffer.from(''), Buffer.from('hello'), gzipSync('hello'), gzipSync(Buffer.alloc(10_000))]) {
      const path = fresh('other');
      await writeFile(path, bytes);
      expect(await isArchive(path)).toBe(false);
    }
    expect(await isArchive(sample)).toBe(false);
    expect(await isArchive(fresh())).toBe(false);
  });
});

describe('private data in an archive', () => {
  it('is included on request, and the file is readable only by its owner', async () => {
    const test = await startSite();
    try {
      await test.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'One', status: 'publish' } });
      const open = fresh('open.tar.gz');
      const whole = fresh('whole.tar.gz');
      expect((await writeArchive({ store: test.site.store, out: open, private: false })).private).toBe(0);
      expect((await writeArchive({ store: test.site.store, out: whole, private: true })).private).toBeGreaterThan(0);
      expect((await stat(whole)).mode & 0o777).toBe(0o600);
      expect(gunzipSync(await readFile(open)).includes('admin@example.com')).toBe(false);

      const into = fresh('site');
      expect(await restoreArchive({ file: whole, into })).toMatchObject({ private: true, result: 'restored' });
      expect(await restoreArchive({ file: whole, into })).toMatchObject({ result: 'unchanged' });
      expect(await snapshot(into)).toEqual(await snapshot(test.dir));
      for (const key of await test.site.store.private.keys()) {
        const path = join(into, '.cms/private', key);
        expect(await readFile(path)).toEqual(Buffer.from((await test.site.store.private.get(key)) as Uint8Array));
        expect((await stat(path)).mode & 0o777).toBe(0o600);
      }
      const back = await startSite({ from: into });
      expect((await back.ask('GET', '/cms/v2/users/me', { as: `admin:${test.password}` })).body).toMatchObject({ id: 1 });
      await back.close();
    } finally {
      await test.close();
    }
  });
});

describe('a folder to archive', () => {
  it('with unsupported entries is reported', async () => {
    const dir = await tree({
      'site.yaml': 'name: X\n',
      'a.md': '',
      'A.md': '',
      'sub/.cms/private/x': 's',
      'b\\c': '',
      '.GIT/x': '',
    });
    await symlink('/etc/passwd', join(dir, 'link'));
    const report = await writeArchive({ store: engine(dir), out: fresh('x.tar.gz'), private: false });
    expect(report.files).toBe(2);
    expect(report.leftOut.map(({ path }) => path)).toEqual(['a.md', 'b\\c', 'link']);
  });

  it('does not get its name from links in its settings', async () => {
    const root = fresh('linked');
    await mkdir(root, { recursive: true });
    await writeFile(join(root, 'a.md'), 'x');
    for (const [at, leads] of [
      [0, fresh('secret.yaml')],
      [1, '/dev/zero'],
    ] as const) {
      if (at === 0) await writeFile(leads, 'name: Secret\n');
      await rm(join(root, 'site.yaml'), { force: true });
      await symlink(leads, join(root, 'site.yaml'));
      const out = fresh('linked.tar.gz');
      const { leftOut } = await writeArchive({ store: engine(root), out, private: false });
      expect(leftOut).toEqual([expect.objectContaining({ path: 'site.yaml' })]);
      expect(gunzipSync(await readFile(out)).toString('latin1')).not.toContain('Secret');
    }
  });

  it('cannot contain its own archive', async () => {
    const dir = await tree({ 'site.yaml': 'name: X\n' });
    await expect(archived(dir, join(dir, 'x.tar.gz'))).rejects.toThrow(/inside/);
    await expect(archived(dir, join(dir, '..x.tar.gz'))).rejects.toThrow(/inside/);
    expect(await readdir(dir)).toEqual(['site.yaml']);
  });

  it('that cannot be read leaves the older archive unchanged', async () => {
    const dir = await tree({ 'site.yaml': 'name: X\n', 'big.bin': 'x'.repeat(2_000_000) });
    const out = await archived(dir);
    const before = await readFile(out);
    const stop = AbortSignal.abort();
    await expect(writeArchive({ store: engine(dir), out, private: false, signal: stop })).rejects.toThrow();
    expect(await readFile(out)).toEqual(before);
    expect((await readdir(folder)).filter((name) => name.startsWith('.cms-tmp'))).toEqual([]);
    await expect(archived(join(dir, 'nowhere'))).rejects.toThrow(SourceError);
  });

  it('that changes meanwhile is read again', async () => {
    const dir = await tree({ 'site.yaml': 'name: X\n', 'a.md': 'one' });
    const out = fresh('x.tar.gz');
    let times = 0;
    const progress = () => {
      if (times++ === 0) void writeFile(join(dir, 'a.md'), 'two, longer');
    };
    const report = await writeArchive({ store: engine(dir), out, private: false, progress });
    expect([report.unsteady, times]).toEqual([[], 4]);
    const into = fresh();
    await restoreArchive({ file: out, into });
    expect(await readFile(join(into, 'a.md'), 'utf8')).toBe('two, longer');
  });

  it('with any names and bytes round-trips', async () => {
    const name = fc.stringMatching(/^[a-zäé漢.~ -]{1,12}$/u).filter((text) => !/^\.{1,2}$/.test(text) && text.trim() !== '');
    const long = fc.constant('n'.repeat(120));
    const path = fc.array(fc.oneof(name, long), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const files = fc.dictionary(path, fc.string({ unit: 'binary', maxLength: 60 }), { maxKeys: 12 });
    await fc.assert(
      fc.asyncProperty(files, async (wanted) => {
        const paths = Object.keys(wanted);
        fc.pre(
          paths.every(
            (one) => !paths.some((other) => other !== one && `${other.toLowerCase()}/`.startsWith(`${one.toLowerCase()}/`)),
          ),
        );
        const dir = await tree(wanted);
        const into = fresh();
        await restoreArchive({ file: await archived(dir), into });
        expect(await snapshot(into)).toEqual(await snapshot(dir));
      }),
      { numRuns: 25 },
    );
  });
});

type Member = readonly [header: Partial<Header> & { readonly name: string }, body?: string | Buffer];

/** A tar of members as they are given; digests and manifest are right unless members say otherwise. */
async function forged(members: readonly Member[], manifest: object = {}, digests?: string | null): Promise<string> {
  const pack = createPack();
  const lines: string[] = [];
  const head = {
    format: 'cms-archive',
    version: 1,
    name: 'X',
    private: false,
    files: 100,
    folders: 10,
    bytes: 1000,
    ...manifest,
  };
  for (const [header, body = ''] of [[{ name: 'manifest.json' }, JSON.stringify(head)] as Member, ...members]) {
    const { type = 'file' } = header;
    if (type === 'file' || type === 'contiguous-file') pack.entry({ ...header }, body);
    else pack.entry({ ...header });
    if (type === 'file') lines.push(`${createHash('sha256').update(body).digest('hex')}  ${header.name}\n`);
  }
  if (digests !== null) pack.entry({ name: 'sha256.txt' }, digests ?? lines.join(''));
  pack.finalize();
  const path = fresh('forged.tar.gz');
  await writeFile(path, gzipSync(await buffer(pack as never)));
  return path;
}

async function refusal(file: string): Promise<string> {
  const into = join(fresh('nothing'), 'site');
  const answer = await restoreArchive({ file, into }).then(
    () => 'restored',
    (error: unknown) => (error instanceof SourceError ? error.message : `? ${error}`),
  );
  expect(existsSync(into)).toBe(answer === 'restored');
  if (answer !== 'restored') expect(existsSync(dirname(into))).toBe(false);
  return answer;
}

describe('a hostile archive', () => {
  const file = (name: string, body = 'x'): Member => [{ name: `content/${name}` }, body];
  const rows: [what: string, members: readonly Member[], says: RegExp, manifest?: object][] = [
    ['a good one', [file('site.yaml')], /^restored$/],
    ['a parent', [file('../x')], /"content\/\.\.\/x" is refused/],
    ['a parent further in', [file('a/../../../x')], /is refused/],
    ['an absolute path', [[{ name: '/etc/x' }, 'x']], /"\/etc\/x" is refused/],
    ['an absolute path below', [file('/etc/x')], /is refused/],
    ['a dot', [file('./x')], /is refused/],
    ['a backslash', [file('..\\x')], /is refused/],
    ['a control character', [file('a\u001b[2J')], /"content\/a\\u001b\[2J" is refused/],
    ['elsewhere', [[{ name: 'x' }, 'x']], /not below content/],
    ['the folder itself', [[{ name: 'content/' }, 'x']], /is refused/],
    ['a symbolic link', [[{ name: 'content/x', type: 'symlink', linkname: '/etc/passwd' }]], /a symlink/],
    ['a hard link', [[{ name: 'content/x', type: 'link', linkname: '/etc/passwd' }]], /a link/],
    ['a device', [[{ name: 'content/x', type: 'character-device' }]], /a character-device/],
    ['a pipe', [[{ name: 'content/x', type: 'fifo' }]], /a fifo/],
    ['a file of another kind', [[{ name: 'content/x', type: 'contiguous-file' }, 'x']], /a contiguous-file/],
    ['private members', [[{ name: 'private/accounts/1.json' }, 'x']], /no private files/],
    ['a parent in private', [[{ name: 'private/../../x' }, 'x']], /is refused/, { private: true }],
    ['own files', [file('.cms/private/accounts/1.json')], /git or the server/],
    ['own files in capitals', [file('.CMS/x')], /git or the server/],
    ['a repository', [file('sub/.git/hooks/x')], /git or the server/],
    ['a repository in disguise', [file('.g\u200cit/config')], /git or the server/],
    ['a repository elsewhere', [file('GIT~1/config')], /git or the server/],
    ['a repository with a dot', [file('.git. /config')], /git or the server/],
    ['a name twice', [file('a'), file('a')], /"content\/a" is refused: occurs twice/],
    ['a name in two cases', [file('a.md'), file('A.md')], /"content\/A\.md" is refused: differs from content\/a\.md/],
    ['folders in two cases', [file('a/x'), file('A/y')], /differs from content\/a /],
    ['a name in two forms', [file('\u00e9'), file('e\u0301')], /differs/],
    ['a file that is a folder', [file('a'), file('a/b')], /twice/],
    ['a folder that is a file', [file('a/b'), file('a')], /twice/],
    ['a long name', [file('n'.repeat(256))], /too long/],
    ['a deep path', [file('a/'.repeat(80))], /too long/],
    ['too many members', Array.from({ length: 9 }, (_, i) => file(`${i}`)), /more members/, { files: 3, folders: 0 }],
    ['too many declared', [], /more than 2000000/, { files: 1e9 }],
    ['no room for it', [], /available/, { bytes: Number.MAX_SAFE_INTEGER }],
    ['nonsense declared', [], /lacks file counts/, { bytes: -1 }],
    ['a newer version', [], /version 2/, { version: 2 }],
    ['another format', [], /manifest is not/, { format: 'zip' }],
  ];
  it.each(rows)('%s', async (_, members, says, manifest) => {
    expect(await refusal(await forged(members, manifest))).toMatch(says);
  });

  it('that is modified is detected', async () => {
    const lines = '0'.repeat(64);
    expect(await refusal(await forged([[{ name: 'content/a' }, 'x']], {}, `${lines}  manifest.json\n`))).toMatch(
      /"manifest.json" does not match/,
    );
    const manifest = JSON.stringify({
      format: 'cms-archive',
      version: 1,
      name: 'X',
      private: false,
      files: 100,
      folders: 10,
      bytes: 1000,
    });
    const right = `${createHash('sha256').update(manifest).digest('hex')}  manifest.json\n`;
    expect(await refusal(await forged([[{ name: 'content/a' }, 'x']], {}, `${right}${lines}  content/a\n`))).toMatch(
      /"content\/a" does not match/,
    );
    expect(await refusal(await forged([[{ name: 'content/a' }, 'x']], {}, right))).toMatch(/"content\/a" does not match/);
    expect(await refusal(await forged([], {}, `${right}${lines}  content/gone\n`))).toMatch(/"content\/gone" does not match/);
    expect(await refusal(await forged([[{ name: 'sha256.txt' }, right]]))).toMatch(/"sha256.txt" comes after the end/);
    expect(await refusal(await forged([file('site.yaml')], {}, null))).toMatch(/truncated/);
  });

  it('that unpacks to more than it declares is stopped at that point', async () => {
    const bomb: Member = [{ name: 'content/bomb' }, Buffer.alloc(80_000_000)];
    expect(await refusal(await forged([bomb]))).toMatch(/more than the archive declares/);
  });

  it('truncated anywhere leaves nothing behind', async () => {
    const bytes = await readFile(await archived(sample));
    const cut = fresh('cut.tar.gz');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
        await writeFile(cut, bytes.subarray(0, length));
        expect(await refusal(cut)).toMatch(/damaged|cut short|manifest/);
      }),
      { numRuns: 30 },
    );
  });

  it('with flipped bytes anywhere is detected or unaffected', async () => {
    const dir = await tree({ 'site.yaml': 'name: X\n', 'posts/a.md': 'some text that is long enough to be packed, some text' });
    const bytes = await readFile(await archived(dir));
    const whole = await snapshot(dir);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const turned = Buffer.from(bytes);
        turned[at] = (turned[at] as number) ^ bits;
        const path = fresh('turned.tar.gz');
        await writeFile(path, turned);
        const into = fresh();
        await restoreArchive({ file: path, into }).then(
          async () => expect(await snapshot(into)).toEqual(whole),
          (error: unknown) => {
            expect(error).toBeInstanceOf(SourceError);
            expect(existsSync(into)).toBe(false);
          },
        );
      }),
      { numRuns: 60 },
    );
  });

  it('can be cancelled', async () => {
    const stop = new AbortController();
    const into = fresh();
    const file = await archived(sample);
    await expect(restoreArchive({ file, into, signal: stop.signal, progress: () => stop.abort() })).rejects.toThrow();
    expect(existsSync(into)).toBe(false);
  });
});
