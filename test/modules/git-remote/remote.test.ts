/** A git remote that one of several nodes follows: a bare repository on disk, and nodes over a real PostgreSQL. */
import { createHash, createHmac } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ContentEngine } from '../../../src/kernel/store/content-engine.ts';
import { createPostgresEngine, type PostgresEngine } from '../../../src/engines/postgres/postgres-engine.ts';
import { createUser } from '../../../src/modules/people/users/plan.ts';
import { addApplicationPassword } from '../../../src/modules/people/accounts/application-passwords.ts';
import { followRemote } from '../../../src/modules/git-remote/follow.ts';
import { baseKey, readBase, stateKey } from '../../../src/modules/git-remote/record.ts';
import { readEngineGit, readSecret, type RemoteSettings } from '../../../src/modules/git-remote/settings.ts';
import { run } from '../../cli/run.ts';
import { asPerson } from '../../support/git-site.ts';
import { createContent, type Node, openNode, startNode } from '../../support/nodes.ts';
import { missingPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';
import { until } from '../../support/site.ts';

const test = missingPostgres === null ? it : it.skip;

let database: Postgres | null = null;
let engine: PostgresEngine;
let outside = '';
let ada = '';
let ben = '';
let schemas = 0;
const nodes: Node[] = [];

beforeAll(async () => {
  if (missingPostgres === null) database = await startPostgres();
  else process.stderr.write(`left out: ${missingPostgres}\n`);
});
afterAll(() => database?.stop());

beforeEach(async () => {
  if (database === null) return;
  engine = createPostgresEngine(database.address(`git_${++schemas}`));
  await engine.migrate();
  await createContent(engine);
  const site = await openNode(engine);
  ada = await person(site, 'ada', 'Ada');
  ben = await person(site, 'ben', 'Ben');
  await site.close();
  outside = mkdtempSync(join(tmpdir(), 'cms-remote-'));
  git(outside, 'init', '-q', '--bare', '-b', 'main', origin());
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
  if (database === null) return;
  await engine.close();
  rmSync(outside, { recursive: true, force: true });
});

async function person(site: Node['site'], login: string, name: string): Promise<string> {
  const id = await createUser(site, { login, name, email: `${login}@example.org`, roles: ['administrator'] });
  const { password } = await addApplicationPassword(site, id, 'Tests');
  return `${login}:${password}`;
}

const git = asPerson;
const origin = () => join(outside, 'origin.git');
const clone = () => join(outside, 'clone');
const settings = (over: object = {}) => ({ engine_git: { remote: origin(), every: 1, wait: 1, ...over } });

async function start(count = 1, over: object = {}, through: ContentEngine = engine, operator: object = {}): Promise<Node> {
  for (let at = 0; at < count; at++) nodes.push(await startNode(through, 20, { ...settings(over), ...operator }));
  return nodes.at(-count) as Node;
}

/** The same, once the remote has its first commit. */
async function begun(...options: Parameters<typeof start>): Promise<Node> {
  const node = await start(...options);
  await until(() => log().length === 1);
  return node;
}

async function stopped(node: Node): Promise<void> {
  nodes.splice(nodes.indexOf(node), 1);
  await node.close();
}

/** Commits of the remote, newest first. */
const log = (format = '%an <%ae>: %s') => {
  try {
    return git(origin(), 'log', `--format=${format}`, 'main').trim().split('\n');
  } catch {
    return [];
  }
};
const show = (path: string, at = 'main'): string => {
  try {
    return git(origin(), 'show', `${at}:${path}`);
  } catch {
    return '';
  }
};
const branches = () =>
  git(origin(), 'for-each-ref', '--format=%(refname:short)', 'refs/heads/cms').trim().split('\n').filter(Boolean);

function cloned(): void {
  rmSync(clone(), { recursive: true, force: true });
  git(outside, 'clone', '-q', origin(), clone());
}

/** A colleague changes files elsewhere and pushes. */
function pushed(files: Readonly<Record<string, string | null>>, ...flags: string[]): void {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(join(clone(), path));
    else {
      mkdirSync(dirname(join(clone(), path)), { recursive: true });
      writeFileSync(join(clone(), path), text);
    }
  }
  git(clone(), 'add', '-A');
  git(clone(), 'commit', '-qm', 'By hand');
  git(clone(), 'push', '-q', ...flags);
}
/** A colleague pushes the post 900, and both have what became of it. */
async function brought(node: Node, files: Readonly<Record<string, string>>): Promise<void> {
  cloned();
  pushed(files);
  await until(async () => (await node.ask('GET', '/posts/900')).status === 200);
  await settled();
  git(clone(), 'pull', '-q');
}
const here = (path: string) => readFileSync(join(clone(), path), 'utf8');

const write = async (node: Node, as: string, path: string, body: object) => {
  const answer = await node.ask('POST', path, { as, body: { status: 'publish', ...body } });
  expect([200, 201]).toContain(answer.status);
  return answer.body;
};
const base = async () => readBase((await engine.read([`.private/${baseKey}`])).get(`.private/${baseKey}`)?.bytes ?? null);
const held = async () =>
  JSON.parse(Buffer.from((await engine.read([`.private/${stateKey}`])).get(`.private/${stateKey}`)?.bytes ?? '{}').toString())
    .held as string | null | undefined;
const notes = async () => {
  const found: string[] = [];
  await engine.list((files) => void found.push(...files.map(({ path }) => path)));
  return found.filter((path) => path.startsWith('.private/git/writes/')).length;
};
/** Nothing waits, and both sides have the same. */
const settled = () =>
  until(async () => (await notes()) === 0 && log('%H')[0] === (await base()).commit && (await base()).pushing.length === 0);

async function contentOf(): Promise<Record<string, string>> {
  const out: Record<string, string> = {};
  const paths: string[] = [];
  await engine.list((files) => {
    for (const { path } of files) if (!path.startsWith('.private/')) paths.push(path);
  });
  for (const [path, { bytes }] of await engine.read(paths)) out[path] = Buffer.from(bytes as Uint8Array).toString();
  return out;
}
function remoteContent(): Record<string, string> {
  const paths = git(origin(), 'ls-tree', '-r', '--name-only', '-z', 'main').split('\0').filter(Boolean);
  return Object.fromEntries(paths.map((path) => [path, show(path)]));
}

/** The remote has what the engine has. */
const same = () => until(async () => JSON.stringify(sorted(remoteContent())) === JSON.stringify(sorted(await contentOf())));
const sorted = (files: Record<string, string>) => Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));

describe('a remote of several nodes', () => {
  test('gets what each person has written as a commit of theirs, and byte for byte what the engine has', async () => {
    const a = await begun(2);
    const b = nodes[1] as Node;
    const { id } = await write(a, ada, '/posts', { title: 'One', slug: 'one', content: 'By Ada' });
    await write(b, ben, `/posts/${id}`, { content: 'By Ben' });
    await write(a, ada, '/posts', { title: 'Two', slug: 'two' });
    await settled();
    expect(
      log()
        .slice(0, -1)
        .filter((line) => !line.startsWith('cms'))
        .sort(),
    ).toEqual([
      expect.stringMatching(/^Ada <ada@example.org>: Add "One"/),
      expect.stringMatching(/^Ada <ada@example.org>: Add "Two"/),
      expect.stringMatching(/^Ben <ben@example.org>: Update "One"/),
    ]);
    const [first] = git(origin(), 'log', '--author=Ada', '--grep=One', '--format=%H', 'main').trim().split('\n');
    const path = Object.keys(remoteContent()).find((one) => one.endsWith('one.md') || one.endsWith('one.html')) as string;
    expect(show(path, first)).toContain('By Ada');
    expect(show(path)).toContain('By Ben');
    expect(remoteContent()).toEqual(await contentOf());
  });

  test('brings what was pushed to every node, with an id that is committed', async () => {
    const a = await begun(2);
    const b = nodes[1] as Node;
    cloned();
    pushed({ 'posts/pushed.md': '---\ntitle: Pushed\ndate: 2026-01-02\n---\ntext\n', 'README.txt': 'not content' });
    const ids = await Promise.all(
      [a, b].map((node) => until(async () => (await node.ask('GET', '/posts?slug=pushed')).body[0]?.id as number | undefined)),
    );
    expect(ids[0]).toBe(ids[1]);
    await until(() => show('posts/pushed.md').includes(`id: ${ids[0]}`));
    expect(show('README.txt')).toBe('not content');
    await settled();
    git(clone(), 'pull', '-q');
    pushed({ 'posts/pushed.md': null });
    await until(async () => (await b.ask('GET', `/posts/${ids[0]}`)).status === 404);
    expect(await contentOf()).not.toHaveProperty('posts/pushed.md');
  });

  test('is followed with a clone that git packs when it has many loose objects', async () => {
    const folder = join(outside, 'node');
    const a = await begun(1, { folder });
    await settled();
    const objects = join(folder, 'cms-clone.git/objects');
    // Git removes a folder that it has emptied.
    const inside = (path: string) => (existsSync(path) ? readdirSync(path) : []);
    const loose = (): readonly string[] =>
      readdirSync(objects)
        .filter((name) => /^[0-9a-f]{2}$/.test(name))
        .flatMap((name) => inside(join(objects, name)).map((rest) => `${name}${rest}`));
    const before = loose();
    expect(before).toContain(log('%H')[0]);
    // Git looks into one folder of 256 to guess how many there are.
    mkdirSync(join(objects, '17'), { recursive: true });
    const old = new Date(0);
    for (let at = 0, made = 0; made < 28; at++) {
      const blob = Buffer.from(`blob ${String(at).length}\0${at}`);
      const id = createHash('sha1').update(blob).digest('hex');
      if (!id.startsWith('17')) continue;
      const path = join(objects, '17', id.slice(2));
      writeFileSync(path, deflateSync(blob));
      utimesSync(path, old, old);
      made++;
    }
    await write(a, ada, '/posts', { title: 'One', slug: 'one' });
    await until(() => !loose().some((id) => before.includes(id) || id.startsWith('17')));
    // Nothing that is needed has gone.
    await write(a, ada, '/posts', { title: 'Two', slug: 'two' });
    await settled();
    await same();
    git(join(folder, 'cms-clone.git'), 'fsck', '--connectivity-only');
  });

  test('merges fields and lines that both sides have changed', async () => {
    const a = await begun(1, { wait: 3 });
    await brought(a, { 'posts/both.md': '---\nid: 900\ntitle: Both\ndate: 2026-01-02\n---\none\n\ntwo\n\nthree\n' });
    await write(a, ada, '/posts/900', { title: 'Ours' });
    pushed({
      'posts/both.md': here('posts/both.md').replace('two', 'zwei').replace('title: Both', 'title: Both\nexcerpt: Theirs'),
    });
    await settled();
    const { body } = await a.ask('GET', '/posts/900?context=edit', { as: ada });
    expect([body.title.raw, body.excerpt.raw, body.content.raw]).toEqual(['Ours', 'Theirs', 'one\n\nzwei\n\nthree']);
    expect(remoteContent()).toEqual(await contentOf());
    expect((await base()).unmerged).toEqual([]);
    expect(log('%an')[0]).toBe('Ada');
  });

  test('gets as the commit of who wrote it what was renamed there meanwhile', async () => {
    const a = await begun(1, { wait: 3 });
    await brought(a, { 'posts/both.md': '---\nid: 900\ntitle: Both\ndate: 2026-01-02\n---\none\n' });
    await write(a, ada, '/posts/900', { content: 'By Ada' });
    pushed({ 'posts/both.md': null, 'posts/there.md': here('posts/both.md') });
    await same();
    await settled();
    expect(show('posts/there.md')).toContain('By Ada');
    expect(git(origin(), 'log', '--format=%an', '-S', 'By Ada', 'main', '--', 'posts').trim()).toBe('Ada');
  });

  test('keeps as a branch and a revision what does not merge, and says so until the branch is gone', async () => {
    const a = await begun(1, { wait: 3 });
    await brought(a, { 'posts/both.md': '---\nid: 900\ntitle: Both\ndate: 2026-01-02\n---\none\n' });
    await write(a, ada, '/posts/900', { title: 'Ours' });
    pushed({ 'posts/both.md': here('posts/both.md').replace('title: Both', 'title: Theirs') });
    await settled();
    expect((await base()).unmerged).toMatchObject([{ path: 'posts/both.md', reason: 'both sides changed title' }]);
    const [branch] = branches();
    expect(show('posts/both.md', branch)).toContain('title: Theirs');
    expect(show('posts/both.md')).toContain('title: Ours');
    const revisions = (await a.ask('GET', '/posts/900/revisions?context=edit', { as: ada })).body as { title: { raw: string } }[];
    expect(revisions.map(({ title }) => title.raw)).toContain('Theirs');
    expect(a.site.problems().map(({ rule, path }) => [rule, path])).toContainEqual(['git-unmerged', 'posts/both.md']);
    const status = await run(['engine', 'status', '--engine', database?.address(`git_${schemas}`) ?? '']);
    expect(status.out).toContain(`git: posts/both.md is not merged: both sides changed title (branch ${branch})`);
    git(origin(), 'update-ref', '-d', `refs/heads/${branch}`);
    await until(() => !a.site.problems().some(({ rule }) => rule === 'git-unmerged'));
  });

  test('serves the last good state of a file that was pushed broken, and leaves that file to whoever mends it', async () => {
    const a = await begun();
    const good = '---\nid: 900\ntitle: Good\ndate: 2026-01-02\n---\none\n';
    await brought(a, { 'posts/good.md': good });
    const broken = '---\nid: 900\ntitle: [\n---\none\n';
    pushed({ 'posts/good.md': broken, 'posts/new.md': broken });
    await until(async () => (await base()).unmerged.length === 2);
    expect((await a.ask('GET', '/posts/900')).body.title.rendered).toBe('Good');
    expect((await contentOf())['posts/good.md']).toBe(good);
    await write(a, ada, '/posts', { title: 'Meanwhile' });
    await settled();
    expect([show('posts/good.md'), show('posts/new.md')]).toEqual([broken, broken]);
    git(clone(), 'pull', '-q');
    pushed({ 'posts/good.md': good.replace('Good', 'Mended'), 'posts/new.md': null });
    await until(async () => (await a.ask('GET', '/posts/900')).body.title.rendered === 'Mended');
    expect((await base()).unmerged).toEqual([]);
  });

  test('is looked at when the hosting service says so, to any node, and by nobody else', async () => {
    const secret = 'a secret of the operator';
    vi.stubEnv('CMS_TEST_HOOK', secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    const a = await begun(2, { every: 3600, secret_env: 'CMS_TEST_HOOK' });
    const b = nodes[1] as Node;
    await settled();
    cloned();
    const say = (node: Node, headers: Record<string, string>, body: unknown = { ref: 'refs/heads/main' }) =>
      node.ask('POST', '/git-remote/pushed', { body, headers });
    const sign = (body: object, key = secret) => `sha256=${createHmac('sha256', key).update(JSON.stringify(body)).digest('hex')}`;
    const body = { ref: 'refs/heads/main' };
    const refused: Record<string, string>[] = [
      {},
      { 'x-hub-signature-256': sign(body, 'another secret, as long') },
      { 'x-hub-signature-256': sign({ ...body, forged: true }) },
      { 'x-hub-signature-256': '' },
      { 'x-gitlab-token': `${secret}.` },
      { 'x-gitlab-token': '' },
    ];
    for (const headers of refused) expect((await say(a, headers)).status).toBe(401);
    for (const [at, [node, headers]] of (
      [
        [a, { 'x-hub-signature-256': sign(body) }],
        [b, { 'x-gitlab-token': secret }],
      ] as const
    ).entries()) {
      pushed({ [`posts/${at}.md`]: `---\nid: ${900 + at}\ntitle: Told\ndate: 2026-01-02\n---\n` });
      expect((await say(node, headers, body)).status).toBe(202);
      await until(async () => (await b.ask('GET', `/posts/${900 + at}`)).status === 200);
    }
  });

  test('has no address for the hosting service without a secret', async () => {
    const a = await start();
    const { status, body } = await a.ask('POST', '/git-remote/pushed', { headers: { 'x-gitlab-token': '' } });
    expect([status, body.code]).toEqual([404, 'rest_no_route']);
    expect(() => readSecret({ secret_env: 'SHORT' }, { SHORT: 'short' })).toThrow(
      'names SHORT, which is not 16 characters or more',
    );
  });

  test('serves the last good state of a file that was renamed and broken, under its name, until it is mended', async () => {
    const a = await begun();
    const good = '---\nid: 900\ntitle: Good\ndate: 2026-01-02\n---\none\n\ntwo\n\nthree\n';
    await brought(a, { 'posts/good.md': good });
    const broken = good.replace('Good', '[');
    pushed({ 'posts/good.md': null, 'posts/there.md': broken });
    await until(async () => (await base()).unmerged.length === 1);
    await write(a, ada, '/posts', { title: 'Meanwhile' });
    await settled();
    expect((await a.ask('GET', '/posts/900')).body.title.rendered).toBe('Good');
    expect((await contentOf())['posts/good.md']).toBe(good);
    expect([show('posts/good.md'), show('posts/there.md')]).toEqual(['', broken]);
    git(clone(), 'pull', '-q');
    pushed({ 'posts/there.md': good.replace('Good', 'Mended') });
    await until(async () => (await a.ask('GET', '/posts/900')).body.title.rendered === 'Mended');
    await same();
    expect(await contentOf()).not.toHaveProperty(['posts/good.md']);
    expect((await base()).unmerged).toEqual([]);
    expect((await base()).left).toEqual({});
  });

  test('is pushed to again, on top of what somebody pushed meanwhile', async () => {
    let isLate = false;
    const a = await begun(
      1,
      {},
      onAnnounced(() => {
        if (isLate) pushed({ 'posts/first.md': '---\nid: 902\ntitle: First\ndate: 2026-01-02\n---\nfirst\n' });
        isLate = false;
      }),
    );
    await settled();
    cloned();
    isLate = true;
    await write(a, ada, '/posts', { title: 'Late' });
    await same();
    expect(isLate).toBe(false);
    expect(log('%s').map((line) => line.replace(/ \(.*/, ''))).toEqual(['Add "Late"', 'By hand', expect.anything()]);
    expect((await a.ask('GET', '/posts/902')).status).toBe(200);
  });

  test('that is away is tried again, which is said, and misses nothing when it is back', async () => {
    const a = await begun();
    await settled();
    renameSync(origin(), `${origin()}.away`);
    await write(a, ada, '/posts', { title: 'While away' });
    await until(async () => typeof (await held()) === 'string');
    await until(() => a.site.problems().some(({ rule }) => rule === 'git-push'));
    renameSync(`${origin()}.away`, origin());
    await settled();
    expect(log()[0]).toMatch(/^Ada .*While away/);
    await until(async () => (await held()) === null);
  });

  test('whose history was rewritten gets back what it has lost, and keeps what it has', async () => {
    const a = await begun();
    const first = log('%H')[0] as string;
    await write(a, ada, '/posts', { title: 'Lost', slug: 'lost' });
    await settled();
    cloned();
    git(clone(), 'reset', '-q', '--hard', first);
    pushed({ 'posts/kept.md': '---\nid: 901\ntitle: Kept\ndate: 2026-01-02\n---\nkept\n' }, '--force');
    await until(async () => (await a.ask('GET', '/posts/901')).status === 200);
    expect((await a.ask('GET', '/posts?slug=lost')).body).toHaveLength(1);
    await same();
    expect(remoteContent()).toHaveProperty('posts/kept.md');
  });

  test('is followed by the next node when one dies before its push, with an empty clone, and gets each write once', async () => {
    let isDying = false;
    const dying = onAnnounced(() => {
      if (isDying) throw new Error('dead');
    });
    const a = await begun(1, {}, dying);
    await settled();
    isDying = true;
    await write(a, ada, '/posts', { title: 'One' });
    await until(async () => (await base()).pushing.length > 0);
    await stopped(a);
    expect(log()).toHaveLength(1);
    const b = await start();
    await settled();
    await write(b, ada, '/posts', { title: 'Two' });
    await same();
    expect(log('%an').filter((name) => name === 'Ada')).toHaveLength(2);
  });

  test('gets each write once where a node dies after its push', async () => {
    let isDying = false;
    const a = await begun(
      1,
      {},
      dyingAfterPush(() => isDying),
    );
    await settled();
    isDying = true;
    await write(a, ada, '/posts', { title: 'One', slug: 'one' });
    await until(() => log().length === 2);
    await stopped(a);
    const b = await start();
    await write(b, ben, '/posts?slug=two', { title: 'Two' });
    await same();
    await settled();
    expect(log('%an').slice(0, -1).sort()).toEqual(['Ada', 'Ben']);
  });

  test('gets nothing from a node whose lease has run out between its word and its push', async () => {
    let [isHeld, askedLate] = [true, 0];
    const site = await openNode(
      onAnnounced(() => {
        isHeld = false;
      }),
    );
    const asked = (): boolean => {
      if (!isHeld) askedLate++;
      return isHeld;
    };
    const settled = readEngineGit(settings().engine_git) as RemoteSettings;
    const end = followRemote(site, settled, { isHeld: asked, followers: new Set() }, () => undefined);
    await until(() => askedLate > 0);
    expect((await base()).pushing).toHaveLength(1);
    expect(log()).toEqual([]);
    expect(await held()).toBe(undefined);
    await end();
    expect(log()).toEqual([]);
    await site.close();
  });

  test('gets what several have written once where a node dies after its push', async () => {
    let isDying = false;
    const a = await begun(
      1,
      {},
      dyingAfterPush(() => isDying),
    );
    await settled();
    isDying = true;
    const { id } = await write(a, ada, '/posts', { title: 'One', slug: 'one', content: 'By Ada' });
    await write(a, ben, `/posts/${id}`, { content: 'By Ben' });
    await until(() => log().length === 3);
    await stopped(a);
    await start();
    await same();
    await settled();
    expect(log('%an').slice(0, -1)).toEqual(['Ben', 'Ada']);
  });

  test('takes in everything beside a file that cannot be merged, is too large or goes to no branch of its own', async () => {
    git(origin(), 'config', 'transfer.hideRefs', 'refs/heads/cms');
    const a = await begun();
    const text = '---\nid: 900\ntitle: Both\ndate: 2026-01-02\n---\none\0\n';
    await brought(a, { 'posts/both.md': text });
    await stopped(a);
    const bytes = Buffer.from(text.replace('one', 'ours'));
    await engine.commit({ id: 'ours', seen: 0, edits: [{ path: 'posts/both.md', bytes }] });
    pushed({
      'posts/both.md': text.replace('one', 'theirs'),
      'media/large.png': 'x'.repeat(2 << 20),
      'posts/beside.md': '---\nid: 901\ntitle: Beside\ndate: 2026-01-02\n---\n',
    });
    const b = await start(1, {}, engine, { engine_media_limit: 1 });
    await until(async () => (await b.ask('GET', '/posts/901')).status === 200);
    await settled();
    expect((await held()) ?? null).toBe(null);
    const { unmerged } = await base();
    expect(unmerged.map(({ path, branch, reason }) => [path, branch, reason]).sort()).toEqual([
      ['media/large.png', null, 'it is larger than 1 MB (engine_media_limit)'],
      ['posts/both.md', null, 'both sides changed body'],
    ]);
    expect(b.site.problems().find(({ rule }) => rule === 'git-unmerged')?.hint).toMatch(
      /^merge the commit [0-9a-f]{12} by hand, push$/,
    );
    expect(Number(git(origin(), 'cat-file', '-s', 'main:media/large.png'))).toBe(2 << 20);
    expect(await contentOf()).not.toHaveProperty('media/large.png');
  });

  test('gets everything but a file whose name git refuses', async () => {
    git(origin(), 'config', 'receive.fsckObjects', 'true');
    const bytes = Buffer.from('---\ntitle: Refused\ndate: 2026-01-02\n---\n');
    await engine.commit({ id: 'refused', seen: 0, edits: [{ path: 'posts/git~1/refused.md', bytes }] });
    const a = await start();
    await write(a, ada, '/posts', { title: 'Beside' });
    await settled();
    expect(log('%an')).toContain('Ada');
    expect(await contentOf()).toHaveProperty(['posts/git~1/refused.md']);
    expect(Object.keys(remoteContent()).filter((path) => path.includes('refused'))).toEqual([]);
  });

  test('gets one history from nodes that all believe to have the lease', async () => {
    const believing: ContentEngine = { ...engine, lease: async () => true };
    await start(3, {}, believing);
    await until(() => log().length > 0);
    cloned();
    for (const [at, node] of nodes.entries()) {
      await write(node, ada, '/posts', { title: `By Ada ${at}` });
      git(clone(), 'pull', '-q', '--rebase');
      try {
        pushed({ [`posts/by-hand-${at}.md`]: `---\nid: ${910 + at}\ntitle: By hand\ndate: 2026-01-02\n---\ntext\n` });
      } catch {
        // A node was faster.
        git(clone(), 'pull', '-q', '--rebase');
        git(clone(), 'push', '-q');
      }
    }
    await same();
    await settled();
    expect(log('%an').filter((name) => name === 'Ada')).toHaveLength(3);
    expect((await base()).unmerged).toEqual([]);
  });
});

describe('a file of both sides', () => {
  const text = '---\nid: 900\ntitle: Both\ndate: 2026-01-02\n---\none\n\ntwo\n\nthree\n';
  const other = '---\nid: 950\ntitle: Other\ndate: 2026-01-03\n---\nsomething else altogether\n';
  const ours = text.replace('Both', 'Ours');
  const theirs = text.replace('two', 'zwei');
  const merge = ours.replace('two', 'zwei');
  const at = 'posts/both.md';
  const renamed = (path: string, bytes = text) => ({ [at]: null, [path]: bytes });
  type Files = Readonly<Record<string, string | null>>;
  const rows: readonly [string, Files, Files, Files, string | null][] = [
    ['changed here, changed there', { [at]: ours }, { [at]: theirs }, { [at]: merge }, null],
    ['changed here, renamed there', { [at]: ours }, renamed('posts/there.md'), renamed('posts/there.md', ours), null],
    [
      'changed here, renamed and changed there',
      { [at]: ours },
      renamed('posts/there.md', theirs),
      renamed('posts/there.md', merge),
      null,
    ],
    ['changed here, removed there', { [at]: ours }, { [at]: null }, { [at]: ours }, 'it was removed there, and changed here'],
    ['renamed here, changed there', renamed('posts/here.md'), { [at]: theirs }, renamed('posts/here.md', theirs), null],
    [
      'renamed and changed here, changed there',
      renamed('posts/here.md', ours),
      { [at]: theirs },
      renamed('posts/here.md', merge),
      null,
    ],
    [
      'renamed here, renamed otherwise there',
      renamed('posts/here.md', ours),
      renamed('posts/there.md', theirs),
      { ...renamed('posts/here.md', ours), 'posts/there.md': null },
      'it was renamed to posts/there.md there, and to posts/here.md here',
    ],
    ['renamed alike', renamed('posts/alike.md', ours), renamed('posts/alike.md', theirs), renamed('posts/alike.md', merge), null],
    [
      'renamed here, removed there',
      renamed('posts/here.md'),
      { [at]: null },
      renamed('posts/here.md'),
      'it was removed there, and renamed here',
    ],
    ['removed here, changed there', { [at]: null }, { [at]: theirs }, { [at]: null }, 'it was changed there, and removed here'],
    [
      'removed here, renamed there',
      { [at]: null },
      renamed('posts/there.md'),
      { [at]: null, 'posts/there.md': null },
      'it was renamed there, and removed here',
    ],
    ['removed here, removed there', { [at]: null }, { [at]: null }, { [at]: null }, null],
    ['unchanged here, renamed there', {}, renamed('posts/there.md', theirs), renamed('posts/there.md', theirs), null],
    [
      'changed here, renamed there to what another file has here',
      { [at]: ours, 'posts/there.md': other },
      renamed('posts/there.md'),
      { [at]: ours, 'posts/there.md': other },
      'it was renamed to posts/there.md there, which is another file here',
    ],
    [
      'renamed here to what another file has there, changed there',
      renamed('posts/here.md', ours),
      { [at]: theirs, 'posts/here.md': other },
      renamed('posts/here.md', ours),
      'it was renamed to posts/here.md here, which is another file there',
    ],
    [
      'a picture that was renamed there, and changed here',
      { 'media/a.png': 'changed' },
      { 'media/a.png': null, 'media/b.png': 'picture' },
      { 'media/a.png': null, 'media/b.png': 'changed' },
      null,
    ],
  ];

  test.each(rows)('that was %s', async (_, mine, others, result, reason) => {
    const a = await begun();
    await brought(a, { [at]: text, 'media/a.png': 'picture' });
    await stopped(a);
    const edits = Object.entries(mine).map(([path, bytes]) => ({ path, bytes: bytes === null ? null : Buffer.from(bytes) }));
    if (edits.length > 0) await engine.commit({ id: 'mine', seen: 0, edits });
    pushed(others);
    const { commit } = await base();
    const b = await start();
    await until(async () => (await base()).commit !== commit);
    await same();
    await settled();
    const found = await contentOf();
    // The former address of what was renamed may be noted by then.
    const shown = (path: string) => found[path]?.replace(/^aliases:\n.*\n/m, '') ?? null;
    expect(Object.fromEntries(Object.keys(result).map((path) => [path, shown(path)]))).toEqual(result);
    await same();
    const reasons = (await base()).unmerged.map((one) => one.reason);
    if (reason === null) expect(reasons).toEqual([]);
    else expect(reasons).toContain(reason);
    expect(branches()).toHaveLength(reason === null ? 0 : 1);
    const isThere = Object.values(found).some((bytes) => bytes.includes('id: 900\n'));
    expect((await b.ask('GET', '/posts/900')).status).toBe(isThere ? 200 : 404);
  });
});

/** Ends where the base would move to what was pushed. */
function dyingAfterPush(isDying: () => boolean): ContentEngine {
  return {
    ...engine,
    async commit(commit) {
      const isDone = commit.edits.some(({ path, bytes }) => path.endsWith(baseKey) && readBase(bytes).pushing.length === 0);
      if (isDone && isDying()) throw new Error('dead');
      return engine.commit(commit);
    },
  };
}

/** Calls back when a node has said which commit it will push. */
function onAnnounced(listener: () => void): ContentEngine {
  return {
    ...engine,
    async commit(commit) {
      const committed = await engine.commit(commit);
      if (commit.edits.some(({ path, bytes }) => path.endsWith(baseKey) && readBase(bytes).pushing.length > 0)) listener();
      return committed;
    },
  };
}
