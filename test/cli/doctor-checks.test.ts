/** `cms doctor`: each thing that is not right is found, and said with what mends it. */
import { execFileSync } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { appendFileSync, chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine, type DoctorSurroundings, surroundings } from '../../src/cli/doctor.ts';
import type { DoctorFinding } from '../../src/cli/doctor/finding.ts';
import { lookAtService } from '../../src/cli/doctor/service.ts';
import type { Machine } from '../../src/cli/doctor/machine.ts';
import { startSite, type TestSite } from '../support/site.ts';
import { newSite, pretend, run, temporary } from './run.ts';

const state = process.env.CMS_STATE_DIR as string;
const PATH = process.env.PATH as string;

interface Look {
  readonly dir: string;
  readonly machine?: Partial<Machine>;
  readonly around?: Partial<DoctorSurroundings>;
  readonly options?: Parameters<typeof examine>[1];
  readonly env?: Readonly<Record<string, string>>;
}

/** What is not right. */
async function wrongIn({ dir, machine = {}, around = {}, options = {}, env = {} }: Look): Promise<readonly DoctorFinding[]> {
  const { io } = pretend({ env: { CMS_STATE_DIR: state, PATH, ...env } });
  const there = { ...surroundings, ...around, machine: { ...surroundings.machine, ...machine } };
  const found: DoctorFinding[] = [];
  for await (const finding of examine(dir, { port: 0, ...options }, io, there)) if (!finding.isFine) found.push(finding);
  return found;
}

/** The one thing that is not right, in its words; each has what mends it. */
async function one(look: Look): Promise<string> {
  const found = await wrongIn(look);
  expect(found.map(({ text, fix }) => [text, typeof fix])).toEqual([[expect.any(String), 'string']]);
  return `${found[0]?.check}: ${found[0]?.text}`;
}

let dir: string;
beforeAll(async () => {
  chmodSync(state, 0o700);
  ({ dir } = await newSite('--title', 'Sound', '--timezone', 'Europe/Berlin'));
});

describe('a healthy site', () => {
  it('has no findings, and the report lists what was checked', async () => {
    expect(await wrongIn({ dir })).toEqual([]);
    const env = { CMS_STATE_DIR: state, PATH };
    const { status, out, err } = await run(['doctor', dir, '--port', '0'], { env });
    expect([status, err]).toEqual([0, '']);
    expect(out.split('\n').every((line) => line.startsWith('ok  '))).toBe(true);
    const json = await run(['doctor', dir, '--port', '0', '--json'], { env });
    const { ok, findings } = JSON.parse(json.out) as { ok: boolean; findings: Record<string, unknown>[] };
    expect([json.status, ok]).toEqual([0, true]);
    expect(new Set(findings.map(({ check }) => check))).toEqual(
      new Set(['node', 'images', 'clock', 'disk', 'watches', 'port', 'permissions', 'zone', 'git', 'proxies', 'content']),
    );
  });

  it('runs only the requested checks', async () => {
    expect((await run(['doctor', '/nowhere'])).status).toBe(2);
    const { status, err } = await run(['doctor', dir, '--origin', 'https://app.example.com']);
    expect([status, err]).toEqual([2, expect.stringContaining('--origin requires --url')]);
  });

  it('with a finding has status 1, and the fix below it', async () => {
    const { status, out, err } = await run(['doctor', dir, '--host', '192.0.2.1'], { env: { CMS_STATE_DIR: state, PATH } });
    expect([status, err]).toEqual([1, expect.stringContaining('1 thing needs a look')]);
    expect(out).toMatch(/^no {2}192\.0\.2\.1 is not an address of this machine\n {4}use --host 127\.0\.0\.1/m);
  });
});

describe('machine checks', () => {
  const gone = (): never => {
    throw new Error('Could not load the "sharp" module\nmore');
  };
  it.each<[string, Look['machine'], string]>([
    ['a Node without long support', { node: '23.1.0' }, 'node: Node 23.1.0 is no release'],
    ['no image library', { formats: async () => gone() }, 'images: the image library does not load'],
    [
      'an image library with few formats',
      { formats: async () => ['jpeg', 'png'] },
      'images: the image library makes no gif, webp, avif',
    ],
    ['a clock that is behind', { clock: () => Date.now() - 86_400_000 }, 'clock: a file was changed at'],
    ['too few watches', { watches: () => 8 }, 'watches: '],
  ])('%s', async (_, machine, text) => expect(await one({ dir, machine })).toContain(text));

  it.each<[string, Machine['room'], string]>([
    ['a full disk', () => ({ bytes: 3 * 1024 ** 2, files: 1e6 }), 'the content folder: 3 MB of room are left'],
    ['a disk without room for files', () => ({ bytes: 1e12, files: 12 }), 'the disk takes 12 files more'],
  ])('%s', async (_, room, text) => {
    const found = await wrongIn({ dir, machine: { room: (path) => (path === dir ? room(path) : { bytes: 1e12, files: 1e6 }) } });
    expect(found.map((finding) => finding.text).join()).toContain(text);
  });

  it('report a port used by another program, but not by the site itself', async () => {
    const other = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await one({ dir, options: { port } })).toContain(`port: port ${port} on 127.0.0.1 is in use by another program`);
    other.close();
    const site = await startSite();
    expect(await wrongIn({ dir, options: { port: Number(new URL(site.url).port) } })).toEqual([]);
    await site.close();
  });
});

describe('folder checks', () => {
  it('report files that cannot be written', async () => {
    const isAllowed = (path: string): boolean => !path.endsWith('site.yaml');
    expect(await one({ dir, around: { isAllowed } })).toBe('permissions: site.yaml cannot be read and written by this user');
  });

  it('report private data that others can read', async () => {
    const { dir } = await newSite();
    chmodSync(join(dir, '.cms/private'), 0o755);
    expect(await one({ dir })).toBe('permissions: others on this machine can open .cms/private');
  });

  it('report a state directory inside the content, readable by others, or inaccessible', async () => {
    const { dir } = await newSite();
    const found = await wrongIn({ dir, env: { CMS_STATE_DIR: join(dir, 'state') } });
    expect(found.map(({ text }) => text).join()).toContain('is inside the content folder');
    const open = join(await temporary(), 'state');
    mkdirSync(open);
    chmodSync(open, 0o755);
    const texts = async (look: Partial<Look>): Promise<string> =>
      (await wrongIn({ dir, env: { CMS_STATE_DIR: open }, ...look })).map(({ text }) => text).join('\n');
    expect(await texts({})).toContain('others on this machine can open the state directory');
    expect(await texts({ around: { isAllowed: (path) => path !== open } })).toContain('cannot be read and written by this user');
  });

  it('report an unknown or missing time zone', async () => {
    const { dir } = await newSite();
    writeFileSync(join(dir, 'site.yaml'), 'name: x\ntimezone: Mars/Olympus\n');
    expect((await wrongIn({ dir })).map(({ text }) => text)).toContain('the time zone Mars/Olympus is not known here');
    writeFileSync(join(dir, 'site.yaml'), 'name: x\n');
    expect(await one({ dir, around: { zone: 'Asia/Tokyo' } })).toContain('site.yaml names no time zone');
  });

  it('summarize content errors', async () => {
    const { dir } = await newSite();
    mkdirSync(join(dir, 'posts'), { recursive: true });
    writeFileSync(join(dir, 'posts/broken.md'), '---\ntitle: [\n---\n');
    expect(await one({ dir })).toMatch(/content: \d+ files, 1 error, 0 warnings/);
  });

  it('report settings that would prevent the start', async () => {
    expect(await one({ dir, env: { CMS_UPLOAD_LIMIT: 'much' } })).toContain(
      'settings: the server would not start: CMS_UPLOAD_LIMIT',
    );
  });

  it.each([
    ['everybody trusted', { CMS_TRUSTED_PROXIES: '0.0.0.0/0' }, 'everybody may say'],
    ['HTTPS required and nobody to say so', { CMS_REQUIRE_HTTPS: '1' }, 'no request from elsewhere counts as HTTPS'],
    [
      'a host that is not answered for',
      { CMS_HOSTS: 'other.example', CMS_TRUSTED_PROXIES: '127.0.0.1' },
      'hosts does not have site.example',
    ],
    ['a site at https, and no proxy trusted', {}, 'all clients are one address'],
  ])('report proxies: %s', async (_, env: Record<string, string>, text) => {
    const { dir } = await newSite('--url', 'https://site.example', '--timezone', 'UTC');
    expect(await one({ dir, env })).toContain(`proxies: `);
    expect(await one({ dir, env })).toContain(text);
  });
});

describe('git checks', () => {
  async function repository(): Promise<{ readonly dir: string; readonly git: (...line: string[]) => string }> {
    const { dir } = await newSite();
    const git = (...line: string[]): string => execFileSync('git', ['-C', dir, ...line], { encoding: 'utf8' });
    git('init', '--quiet', '--initial-branch', 'main');
    git('add', '.');
    git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'Begin');
    return { dir, git };
  }

  it('report nothing for a clean repository', async () => expect(await wrongIn({ dir: (await repository()).dir })).toEqual([]));

  it('report a detached HEAD', async () => {
    const { dir, git } = await repository();
    git('checkout', '--quiet', '--detach');
    expect(await one({ dir })).toContain('HEAD is on no branch');
  });

  it.each([
    ['rebase-merge', 'a rebase'],
    ['rebase-apply', 'a rebase'],
    ['MERGE_HEAD', 'a merge'],
    ['CHERRY_PICK_HEAD', 'a cherry-pick'],
    ['REVERT_HEAD', 'a revert'],
  ])('report an unfinished operation: %s', async (name, what) => {
    const { dir } = await repository();
    mkdirSync(join(dir, '.git', name));
    expect(await one({ dir })).toContain(`${what} has begun and not ended`);
  });

  it('report a stale lock, but not one in use', async () => {
    const { dir } = await repository();
    const lock = join(dir, '.git/index.lock');
    writeFileSync(lock, '');
    expect(await wrongIn({ dir })).toEqual([]);
    const then = Date.now() / 1000 - 600;
    utimesSync(lock, then, then);
    expect(await one({ dir })).toContain('index.lock is 10 minutes old');
  });

  it('report accounts that git tracks or would commit', async () => {
    const { dir, git } = await repository();
    rmSync(join(dir, '.gitignore'));
    rmSync(join(dir, '.cms/.gitignore'), { force: true });
    expect(await one({ dir })).toContain('git does not leave .cms out');
    mkdirSync(join(dir, '.git/info'), { recursive: true });
    appendFileSync(join(dir, '.git/info/exclude'), '.cms/\n');
    expect(await wrongIn({ dir })).toEqual([]);
    git('add', '--force', '.cms/private');
    expect((await wrongIn({ dir })).map(({ text }) => text)).toContainEqual(expect.stringContaining('git tracks .cms/private'));
  });

  it('report files that LFS has not fetched', async () => {
    const { dir } = await repository();
    mkdirSync(join(dir, 'media'), { recursive: true });
    writeFileSync(join(dir, 'media/a.bin'), `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`);
    expect((await wrongIn({ dir })).map(({ text }) => text)).toContain('1 file of git LFS is not fetched: media/a.bin');
  });

  it('report that git is missing or cannot read the repository', async () => {
    const { dir } = await repository();
    expect((await wrongIn({ dir, env: { PATH: '/nowhere' } })).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('there is no git'),
    );
    writeFileSync(join(dir, '.git/HEAD'), 'ref: refs/heads/../x\n');
    expect((await wrongIn({ dir })).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('git does not read this repository'),
    );
    rmSync(join(dir, '.git'), { recursive: true });
    writeFileSync(join(dir, '.git'), 'nothing\n');
    expect((await wrongIn({ dir })).map(({ text }) => text)).toContainEqual(
      expect.stringContaining('does not name a git directory'),
    );
  });
});

describe('URL checks', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ operator: { cors_origins: ['https://app.example.com'] } });
  });
  afterAll(() => site.close());

  async function at(url: string, origin: string | null = null): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { isFine, check, text } of lookAtService(url, origin)) if (!isFine) found.push(`${check}: ${text}`);
    return found;
  }

  /** A proxy before the site that changes what comes back. */
  async function behind(
    change: (headers: Headers, method: string) => void,
    origin: string | null = null,
  ): Promise<readonly string[]> {
    const listener: RequestListener = async ({ url = '', method = '', headers: sent }, response) => {
      const answer = await fetch(site.url + url, { method, headers: sent as Record<string, string> });
      const headers = new Headers(
        [...answer.headers].filter(([name]) => !/^(?:content-length|connection|keep-alive|transfer-encoding)$/.test(name)),
      );
      change(headers, method);
      const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      response.writeHead(Number(headers.get('x-status') ?? answer.status), Object.fromEntries(headers));
      response.end((await answer.text()).replaceAll(JSON.stringify(site.url).slice(1, -1), here));
    };
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      return await at(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, origin);
    } finally {
      server.close();
    }
  }

  it('report nothing for a healthy site', async () => {
    expect(await at(site.url)).toEqual([]);
    expect(await at(site.url, 'https://app.example.com')).toEqual([]);
    expect(await behind(() => undefined)).toEqual([]);
  });

  it("report a URL that differs from the site's", async () => {
    expect(await at(site.url.replace('127.0.0.1', 'localhost'))).toEqual([
      `address: the site calls itself ${site.url}: links and pictures lead there`,
    ]);
  });

  it('report that nothing responds', async () =>
    expect(await at('http://127.0.0.1:1')).toEqual([expect.stringContaining('does not answer')]));

  it('report an origin for which sessions are not accepted', async () => {
    expect(await at(site.url, 'https://other.example')).toEqual([
      expect.stringContaining('sessions of people who are signed in do not count there'),
    ]);
  });

  it.each<[string, (headers: Headers, method: string) => void, string]>([
    ['OPTIONS refused', (headers, method) => method === 'OPTIONS' && headers.set('x-status', '405'), 'gets 405'],
    [
      'the origin taken away',
      (headers) => headers.delete('access-control-allow-origin'),
      'no Access-Control-Allow-Origin comes back',
    ],
    ['the origin twice', (headers) => headers.append('access-control-allow-origin', '*'), 'comes twice'],
    [
      'the origin of another',
      (headers) => headers.set('access-control-allow-origin', 'https://a.example'),
      'is https://a.example',
    ],
    ['no Authorization', (headers) => headers.set('access-control-allow-headers', '*'), 'may not send authorization'],
    ['no POST', (headers) => headers.set('access-control-allow-methods', 'GET'), 'may not send POST'],
    ['totals hidden', (headers) => headers.delete('access-control-expose-headers'), 'cannot read Link'],
    ['credentials taken out', (headers) => headers.delete('x-cms-auth'), 'takes the Authorization header out'],
    ['answers from a cache', (headers) => headers.set('age', '7'), 'a cache answers requests with credentials'],
  ])('%s', async (_, change, text) => expect((await behind(change)).join('\n')).toContain(text));
});
