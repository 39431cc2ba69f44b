/**
 * Every way in which a server writes to its folder, as rows: what has to be there before, and the request. What a fault at any
 * moment of one may leave is judged by those who run them.
 */
import { join } from 'node:path';
import { createStore } from '../../src/kernel/store/store.ts';
import type { Store } from '../../src/kernel/store/types.ts';
import { importSite } from '../../src/transfer/import/import-site.ts';
import { comment, post as postItem, rows, term } from '../transfer/import/rows.ts';
import { real } from './disk-faults.ts';
import { asPerson } from './git-site.ts';
import { picture, sendFile } from './media.ts';
import { type Answered, signUp, type TestSite } from './site.ts';

export interface WriteScenario {
  readonly name: string;
  /**
   * Makes what the write is of. @returns the write, to be run once
   * @param committed  to be called after each commit that is not the server's
   */
  prepare(site: TestSite, serial: number, committed?: () => void): Promise<() => Promise<Pick<Answered, 'status'>>>;
  /** Several commits, each of them whole: a fault may come between them. */
  readonly isOfSeveral?: true;
  /** What is wrong in a folder that a fault has left, beside what holds for each; '' for nothing. */
  faultsIn?(dir: string): string;
}

const admin = { as: 'admin' };

async function made(site: TestSite, path: string, body: object): Promise<number> {
  const answer = await site.ask('POST', path, { ...admin, body });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

const post = (site: TestSite, serial: number, more: object = {}): Promise<number> =>
  made(site, '/cms/v2/posts', { title: `Post ${serial}`, content: `text ${serial}`, status: 'publish', ...more });

/** A write of one request. */
function asks(
  name: string,
  request: (site: TestSite, serial: number) => Promise<readonly [method: string, path: string, body?: object]>,
  more: Pick<WriteScenario, 'isOfSeveral'> = {},
): WriteScenario {
  return {
    name,
    ...more,
    async prepare(site, serial) {
      const [method, path, body] = await request(site, serial);
      return () => site.ask(method, path, { ...admin, ...(body ? { body } : {}) });
    },
  };
}

const scenarios: readonly WriteScenario[] = [
  asks('create', async (_, serial) => ['POST', '/cms/v2/posts', { title: `New ${serial}`, content: 'x', status: 'publish' }]),
  asks('update', async (site, serial) => ['PUT', `/cms/v2/posts/${await post(site, serial)}`, { content: `other ${serial}` }]),
  asks('slug change', async (site, serial) => ['PUT', `/cms/v2/posts/${await post(site, serial)}`, { slug: `moved-${serial}` }]),
  asks('page with children moves', async (site, serial) => {
    const parent = await made(site, '/cms/v2/pages', { title: `Parent ${serial}`, status: 'publish' });
    await made(site, '/cms/v2/pages', { title: `Child ${serial}`, status: 'publish', parent });
    return ['PUT', `/cms/v2/pages/${parent}`, { slug: `elsewhere-${serial}` }];
  }),
  asks('trash', async (site, serial) => ['DELETE', `/cms/v2/posts/${await post(site, serial)}`]),
  asks('restore from the trash', async (site, serial) => {
    const id = await post(site, serial);
    await site.ask('DELETE', `/cms/v2/posts/${id}`, admin);
    return ['PUT', `/cms/v2/posts/${id}`, { status: 'publish' }];
  }),
  asks('delete', async (site, serial) => ['DELETE', `/cms/v2/posts/${await post(site, serial)}?force=true`]),
  asks('publish what was scheduled', async (site, serial) => {
    const id = await post(site, serial, { status: 'future', date: '2999-01-01T00:00:00' });
    return ['PUT', `/cms/v2/posts/${id}`, { status: 'publish', date: '2026-01-01T00:00:00' }];
  }),
  asks('comment', async (site, serial) => [
    'POST',
    '/cms/v2/comments',
    { post: await post(site, serial), content: `Well, ${serial}` },
  ]),
  asks('term deletion', async (site, serial) => {
    const tag = await made(site, '/cms/v2/tags', { name: `Tag ${serial}` });
    await post(site, serial, { tags: [tag] });
    return ['DELETE', `/cms/v2/tags/${tag}?force=true`];
  }),
  asks(
    'user deletion',
    async (site, serial) => {
      const { id } = await signUp(site, `user${serial}`, 'author');
      await post(site, serial, { author: id });
      return ['DELETE', `/cms/v2/users/${id}?force=true&reassign=1`];
    },
    { isOfSeveral: true },
  ),
  asks('menu item', async (site, serial) => {
    const menus = await made(site, '/cms/v2/menus', { name: `Menu ${serial}` });
    return ['POST', '/cms/v2/menu-items', { title: `Item ${serial}`, url: 'https://example.org/', status: 'publish', menus }];
  }),
  asks('settings', async (_, serial) => ['POST', '/cms/v2/settings', { title: `Site ${serial}` }]),
  {
    name: 'upload',
    async prepare(site, serial) {
      const bytes = await picture(40 + (serial % 40), 30);
      return () => sendFile(site, `upload-${serial}.jpg`, bytes);
    },
  },
  {
    name: 'image edit',
    isOfSeveral: true,
    async prepare(site, serial) {
      const sent = await sendFile(site, `edited-${serial}.jpg`, await picture(40 + (serial % 40), 31));
      const { id, source_url: src } = (await sent.json()) as { id: number; source_url: string };
      const modifiers = [{ type: 'rotate', args: { angle: 90 } }];
      return () => site.ask('POST', `/cms/v2/media/${id}/edit`, { ...admin, body: { src, modifiers } });
    },
  },
  asks(
    'batch',
    async (site, serial) => {
      const id = await post(site, serial);
      const requests = [
        { method: 'POST', path: '/cms/v2/posts', body: { title: `Batch ${serial}`, content: 'x' } },
        { method: 'PUT', path: `/cms/v2/posts/${id}`, body: { content: `of a batch ${serial}` } },
      ];
      return ['POST', '/batch/v1', { requests }];
    },
    { isOfSeveral: true },
  ),
  {
    name: 'a file without an id, by hand',
    isOfSeveral: true,
    async prepare(site, serial) {
      const path = `posts/by-hand-${serial}.md`;
      return async () => {
        real.writeFileSync(join(site.dir, path), `---\ntitle: By hand ${serial}\n---\nx\n`);
        await site.site.ingest(await site.site.store.sweep());
        return { status: 200 };
      };
    },
  },
  {
    name: 'import',
    isOfSeveral: true,
    async prepare({ dir }, serial, committed = () => undefined) {
      const key = `imported-${serial}`;
      const source = rows([
        term(`${key}-news`),
        ...[1, 2, 3].map((at) => postItem(`${key}-${at}`, { terms: { category: [`${key}-news`] } })),
        comment(`${key}-said`, `${key}-1`),
      ]);
      // Beside a server, as a process of its own does it.
      return async () => {
        try {
          const own = await createStore({ dir });
          const store: Store = { ...own, commit: (...given) => own.commit(...given).finally(committed) };
          const open = async () => ({ store, isNew: false });
          const bring = () => importSite({ source, media: false, maxChanges: 2, open });
          try {
            // The server may have given out the same ids meanwhile: then nothing is written, and it says what to do.
            await bring().catch((error: Error) => (/run the import again/.test(error.message) ? bring() : Promise.reject(error)));
          } finally {
            await own.close();
          }
          return { status: 200 };
        } catch (error) {
          return refusalOf(error as NodeJS.ErrnoException);
        }
      };
    },
  },
  {
    name: 'git commit',
    async prepare(site, serial) {
      await beRepository(site);
      const path = `/cms/v2/posts/${await post(site, serial, { title: `Committed ${serial}` })}`;
      await site.site.commits?.flush();
      return async () => {
        const answer = await site.ask('PUT', path, { ...admin, body: { content: `committed ${serial}` } });
        await site.site.commits?.flush();
        return answer;
      };
    },
    faultsIn(dir) {
      const left =
        asPerson(dir, 'status', '--porcelain', '--', ':(glob)posts/**/committed-*') +
        asPerson(dir, 'fsck', '--no-dangling', '--no-progress');
      const journals = real
        .readdirSync(join(dir, '.cms/git'))
        .filter((name) => real.statSync(join(dir, '.cms/git', name)).size > 0);
      return left + journals.join();
    },
  },
];

/** `CRASH_ONLY=import` runs those alone whose names match. */
export const writeScenarios = scenarios.filter(({ name }) => new RegExp(process.env.CRASH_ONLY ?? '').test(name));

/** What a server would answer. @throws what is no fault of the disk */
function refusalOf(error: NodeJS.ErrnoException): Pick<Answered, 'status'> {
  if (error.code === undefined || error.syscall === undefined) throw error;
  return { status: error.code === 'ENOSPC' ? 507 : 503 };
}

/** From now on writes become commits. */
async function beRepository(site: TestSite): Promise<void> {
  if (real.existsSync(join(site.dir, '.git'))) return;
  await site.write('site.yaml', `${await site.read('site.yaml')}git: commit\n`);
  await site.site.ingest(await site.site.store.sweep());
  asPerson(site.dir, 'init', '-q', '-b', 'main');
  asPerson(site.dir, 'add', '.');
  asPerson(site.dir, 'commit', '-qm', 'begin');
}
