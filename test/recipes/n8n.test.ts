/**
 * n8n's node for the original names, as published, run by n8n's own engine against this server. Both are installed for the test alone: their licence
 * lets nobody pass them on.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../support/site.ts';

/** The node; and the engine of the same release. */
const node = 'n8n-nodes-base@2.41.2';
const engine = ['n8n-core@2.41.1', 'n8n-workflow@2.41.0'];
const patienceMs = 900_000;

let folder: string;
/** Why there is no n8n here; null: there is. */
let missing: string | null = null;
let site: TestSite;
beforeAll(async () => {
  // Not where the other files of tests are, which may be memory: these are some hundred megabytes.
  folder = await mkdtemp('/var/tmp/cms-n8n-');
  const call = (...line: readonly [string, ...string[]]) =>
    promisify(execFile)(line[0], line.slice(1), { cwd: folder, maxBuffer: 1e8 });
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await call('npm', 'ping', '--loglevel=error', '--fetch-retries=0', '--fetch-timeout=20000');
  } catch (error) {
    missing = `no registry of packages answers here: ${(error as Error).message}`;
    return;
  }
  // What else n8n can talk to stays where it is.
  await call('npm', 'install', '--prefix', folder, '--ignore-scripts', ...quiet, ...engine);
  const { stdout } = await call('npm', 'pack', '--json', ...quiet, node);
  const into = join(folder, 'node_modules', 'n8n-nodes-base');
  await mkdir(into);
  const taken = [
    'package.json',
    'dist/nodes/Wordpress',
    'dist/nodes/ManualTrigger',
    'dist/credentials/WordpressApi.credentials.js',
  ];
  await call(
    ...(['tar', 'xzf', JSON.parse(stdout)[0].filename, '-C', into, '--strip-components=1'] as const),
    ...taken.map((path) => `package/${path}`),
  );
  const texts = Array.from({ length: 23 }, (_, at) => [
    `posts/n${at}.md`,
    `---\ntitle: Note ${at}\ntags: [tide]\n---\nText ${at}.\n`,
  ]);
  site = await startSite({ files: { ...Object.fromEntries(texts), 'terms/category/harbour.yaml': 'name: Harbour\n' } });
}, patienceMs);
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''));
afterAll(async () => {
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Done {
  readonly answers: Readonly<Record<string, any>>;
  readonly lists: Readonly<Record<string, readonly { readonly name: string; readonly value: number }[]>>;
}

type Step = readonly [name: string, parameters: Readonly<Record<string, unknown>>];

/** Runs nodes one after another, each with the items of the one before. */
async function workflow(
  nodes: readonly Step[],
  { login = `admin:${site.password}`, offered = [] as readonly string[] } = {},
): Promise<Done> {
  const [username, password] = login.split(':');
  const credentials = { url: site.url, username, password, allowUnauthorizedCerts: false };
  const drawn = nodes.map(([name, parameters]) => ({ name, parameters }));
  const program = resolve(import.meta.dirname, '../support/n8n-run.cjs');
  const running = spawn(process.execPath, [program], {
    env: { ...process.env, N8N_USER_FOLDER: folder },
    // n8n writes its log to standard output.
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  running.stdin?.end(JSON.stringify({ folder, credentials, nodes: drawn, offered }));
  return (await json(running.stdio[3] as Readable)) as Done;
}

const made = '={{ $("Create").item.json.id }}';

describe('n8n', () => {
  it('creates, updates, gets and lists posts', async () => {
    const { lists } = await workflow([['List', { resource: 'post', operation: 'getAll' }]], {
      offered: ['getCategories', 'getTags', 'getAuthors'],
    });
    const idOf = (list: string, name: string): number => lists[list]?.find((one) => one.name === name)?.value as number;
    const [harbour, tide, admin] = [idOf('getCategories', 'Harbour'), idOf('getTags', 'tide'), idOf('getAuthors', 'admin')];
    const { answers } = await workflow([
      [
        'Create',
        {
          resource: 'post',
          operation: 'create',
          title: 'From a workflow',
          additionalFields: {
            authorId: admin,
            content: '<p>As it was.</p>',
            slug: 'from-a-workflow',
            status: 'draft',
            commentStatus: 'closed',
            pingStatus: 'closed',
            format: 'aside',
            sticky: true,
            categories: [harbour],
            tags: [tide],
            date: '2026-03-05T10:00:00',
          },
        },
      ],
      [
        'Update',
        {
          resource: 'post',
          operation: 'update',
          postId: made,
          updateFields: {
            title: 'From n8n',
            content: '<p>As it is.</p>',
            status: 'publish',
            postTemplate: { values: { template: '' } },
          },
        },
      ],
      ['Get', { resource: 'post', operation: 'get', postId: made, options: { context: 'edit' } }],
      [
        'List',
        {
          resource: 'post',
          operation: 'getAll',
          limit: 5,
          options: {
            status: 'publish',
            search: 'n8n',
            categories: [harbour],
            tags: [tide],
            author: [admin],
            after: '2026-03-01T00:00:00',
            before: '2026-04-01T00:00:00',
            orderBy: 'title',
            order: 'asc',
            sticky: true,
          },
        },
      ],
    ]);
    expect(answers.Create).toMatchObject([
      { status: 'draft', author: admin, slug: 'from-a-workflow', sticky: true, format: 'aside' },
    ]);
    expect(answers.Update).toMatchObject([{ id: answers.Create[0].id, status: 'publish', title: { raw: 'From n8n' } }]);
    expect(answers.Get).toMatchObject([
      { title: { raw: 'From n8n' }, content: { raw: '<p>As it is.</p>' }, date: '2026-03-05T10:00:00' },
    ]);
    expect(answers.List).toMatchObject([{ id: answers.Create[0].id, categories: [harbour], tags: [tide] }]);
    const { path } = site.site.posts.get(answers.Create[0].id) as { path: string };
    expect(await site.read(path)).toContain('title: From n8n');
  });

  it('lists all pages of a list, once each', async () => {
    const { answers } = await workflow([
      ['List', { resource: 'post', operation: 'getAll', returnAll: true, options: { search: 'Note' } }],
    ]);
    expect(new Set(answers.List.map(({ id }: { id: number }) => id)).size).toBe(23);
    expect(answers.List).toHaveLength(23);
  });

  it('creates, updates, gets and lists pages', async () => {
    const { answers } = await workflow([
      [
        'Create',
        {
          resource: 'page',
          operation: 'create',
          title: 'Docks',
          additionalFields: { content: 'One.', status: 'publish', menuOrder: 3 },
        },
      ],
      [
        'Below',
        {
          resource: 'page',
          operation: 'create',
          title: 'Pier',
          additionalFields: { parent: made, status: 'publish' },
        },
      ],
      [
        'Update',
        {
          resource: 'page',
          operation: 'update',
          pageId: made,
          updateFields: { content: 'Two.', commentStatus: 'closed', password: 'low tide' },
        },
      ],
      ['Get', { resource: 'page', operation: 'get', pageId: made, options: { password: 'low tide' } }],
      [
        'List',
        {
          resource: 'page',
          operation: 'getAll',
          returnAll: true,
          options: { parent: made, orderBy: 'menu_order', context: 'edit' },
        },
      ],
    ]);
    expect(answers.Create).toMatchObject([{ menu_order: 3, status: 'publish' }]);
    expect(answers.Get).toMatchObject([{ content: { protected: true, rendered: expect.stringContaining('Two.') } }]);
    expect(answers.List).toMatchObject([{ slug: 'pier', parent: answers.Create[0].id }]);
  });

  it('creates, updates, gets and lists users', async () => {
    const { answers } = await workflow([
      [
        'Create',
        {
          resource: 'user',
          operation: 'create',
          username: 'ida',
          name: 'Ida Holm',
          firstName: 'Ida',
          lastName: 'Holm',
          email: 'ida@example.org',
          password: 'ebb and flow',
          additionalFields: { description: 'Writes.', url: 'https://ida.example' },
        },
      ],
      ['Update', { resource: 'user', operation: 'update', userId: made, updateFields: { name: 'Ida H.', nickname: 'ida' } }],
      ['Get', { resource: 'user', operation: 'get', userId: made, options: { context: 'edit' } }],
      [
        'List',
        {
          resource: 'user',
          operation: 'getAll',
          returnAll: true,
          options: { search: 'ida', context: 'edit', orderBy: 'registered_date' },
        },
      ],
    ]);
    expect(answers.Create).toMatchObject([{ username: 'ida', first_name: 'Ida', url: 'https://ida.example' }]);
    expect(answers.Get).toMatchObject([{ name: 'Ida H.', nickname: 'ida', email: 'ida@example.org', description: 'Writes.' }]);
    expect(answers.List).toMatchObject([{ username: 'ida' }]);
  });

  it('reports refused requests', async () => {
    const get: Step = ['Get', { resource: 'post', operation: 'get', postId: '999999' }];
    expect((await workflow([get])).answers.Get).toMatchObject({ error: { status: 404 } });
    const create: Step = ['Create', { resource: 'post', operation: 'create', title: 'No' }];
    expect((await workflow([create], { login: 'admin:wrong' })).answers.Create).toMatchObject({ error: { status: 401 } });
    const { as } = await signUp(site, 'reader', 'subscriber');
    expect((await workflow([create], { login: as })).answers.Create).toMatchObject({ error: { status: 403 } });
  });
});
