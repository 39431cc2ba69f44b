/** Many who write the same files at once: each is served in turn, or told to come again; nobody's change is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { BusyError } from '../../src/kernel/store/types.ts';
import { type Answered, startSite, type TestSite } from '../support/site.ts';

const admin = { as: 'admin' };
let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));
const statuses = (answers: readonly Answered[]) => [...new Set(answers.map(({ status }) => status))];
/** As a client does that is told to come again; on a busy machine some are. */
async function insist(ask: () => Promise<Answered>): Promise<Answered> {
  const answer = await ask();
  if (answer.status !== 503) return answer;
  expect(answer.headers.get('retry-after')).toBe('1');
  return insist(ask);
}
const create = (body: object, path = '/cms/v2/posts') => site.ask('POST', path, { ...admin, body });

describe('concurrent writes', () => {
  it('fifty changes of one post all succeed, each with its revision', async () => {
    const { body: post } = await create({ title: 'One', content: 'first', status: 'publish' });
    const answers = await times(50, (at) =>
      insist(() => site.ask('PUT', `/cms/v2/posts/${post.id}`, { ...admin, body: { content: `text ${at}` } })),
    );
    expect(statuses(answers)).toEqual([200]);
    const revisions = await site.ask('GET', `/cms/v2/posts/${post.id}/revisions?context=edit&per_page=100`, admin);
    const texts = revisions.body.map(({ content }: { content: { raw: string } }) => content.raw);
    for (let at = 0; at < 50; at++) expect(texts).toContain(`text ${at}`);
    expect(site.log).toEqual([]);
  });

  it('changes of different fields of one post all survive', async () => {
    const { body: post } = await create({ title: 'Fields', content: 'x', status: 'publish' });
    const parts = [
      { title: 'New' },
      { excerpt: 'short' },
      { slug: 'fields-new' },
      { sticky: true },
      { comment_status: 'closed' },
    ];
    const answers = await times(20, (at) =>
      site.ask('PUT', `/cms/v2/posts/${post.id}`, { ...admin, body: parts[at % parts.length] }),
    );
    expect(statuses(answers)).toEqual([200]);
    const { body } = await site.ask('GET', `/cms/v2/posts/${post.id}?context=edit`, admin);
    expect(body).toMatchObject({ slug: 'fields-new', sticky: true, comment_status: 'closed' });
    expect([body.title.raw, body.excerpt.raw]).toEqual(['New', 'short']);
  });

  it('of changes made to a known state, one succeeds and the others are conflicts', async () => {
    const { body: post, headers } = await create({ title: 'State', content: 'x', status: 'publish' });
    const state = headers.get('etag') as string;
    const answers = await times(12, (at) =>
      site.ask('PUT', `/cms/v2/posts/${post.id}`, { ...admin, body: { content: `c ${at}` }, headers: { 'if-match': state } }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(412)]);
  });

  it('posts with one slug get consecutive slugs', async () => {
    const answers = await times(150, () => create({ title: 'Tide', slug: 'tide', content: 'x', status: 'publish' }));
    expect(statuses(answers)).toEqual([201]);
    const numbers = answers.map(({ body }) => Number(/^tide(?:-(\d+))?$/.exec(body.slug)?.[1] ?? 1)).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 150 }, (_, at) => at + 1));
  });

  it('drafts with one title get a file each', async () => {
    const answers = await times(40, () => create({ title: 'Draft', content: 'x' }));
    expect(statuses(answers)).toEqual([201]);
    expect(new Set(answers.map(({ body }) => site.site.posts.get(body.id)?.path)).size).toBe(40);
  });

  it('pages with one slug below two parents keep it', async () => {
    const parents = await times(2, (at) => create({ title: `Parent ${at}`, status: 'publish' }, '/cms/v2/pages'));
    const answers = await times(2, (at) =>
      create({ title: 'Child', slug: 'child', status: 'publish', parent: parents[at]?.body.id }, '/cms/v2/pages'),
    );
    expect(answers.map(({ body }) => body.slug)).toEqual(['child', 'child']);
  });

  it('four editors of one menu lose nothing', async () => {
    const { body: menu } = await create({ name: 'Main' }, '/cms/v2/menus');
    const answers = await times(24, (at) =>
      insist(() =>
        create(
          { title: `Item ${at}`, url: `https://example.com/${at}`, menus: menu.id, status: 'publish' },
          '/cms/v2/menu-items',
        ),
      ),
    );
    expect(statuses(answers)).toEqual([201]);
    const items = await site.ask('GET', `/cms/v2/menu-items?per_page=100&menus=${menu.id}`, admin);
    expect(items.body).toHaveLength(24);
  });

  it('changes to the settings all survive', async () => {
    const fields = ['title', 'description', 'posts_per_page', 'start_of_week'] as const;
    const answers = await times(16, (at) =>
      create({ [fields[at % 4] as string]: at % 4 < 2 ? `v ${at}` : at % 4 === 2 ? 7 : 3 }, '/cms/v2/settings'),
    );
    expect(statuses(answers)).toEqual([200]);
    expect((await site.ask('GET', '/cms/v2/settings', admin)).body).toMatchObject({ posts_per_page: 7, start_of_week: 3 });
  });

  it('terms with one name become one term', async () => {
    const answers = await times(20, () => create({ name: 'Harbour' }, '/cms/v2/tags'));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(400)]);
  });

  it('changes, moves and deletion of one post cause no error', async () => {
    const { body: post } = await create({ title: 'Ends', content: 'x', status: 'publish' });
    const answers = await times(18, (at) =>
      at === 9
        ? site.ask('DELETE', `/cms/v2/posts/${post.id}?force=true`, admin)
        : site.ask('PUT', `/cms/v2/posts/${post.id}`, { ...admin, body: at % 2 ? { slug: `ends-${at}` } : { title: `t ${at}` } }),
    );
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect((await site.ask('GET', `/cms/v2/posts/${post.id}`, admin)).status).toBe(404);
    expect(site.log).toEqual([]);
  });
});

it('two servers of one folder write one post in turn', async () => {
  const { body: post } = await create({ title: 'Shared', content: 'x', status: 'publish' });
  const other = await openSite(site.dir);
  onTestFinished(() => other.close());
  const { planUpdate } = await import('../../src/modules/content/posts/plan.ts');
  const own = (at: number) =>
    insist(() => site.ask('PUT', `/cms/v2/posts/${post.id}`, { ...admin, body: { title: `own ${at}` } }));
  const theirs = async (at: number) => {
    await other.write((its) => planUpdate(its, null, other.posts.get(post.id)!, { excerpt: `theirs ${at}` }, 'nothing'));
  };
  const answers = await Promise.all([times(10, own), times(10, theirs)]);
  expect(statuses(answers[0])).toEqual([200]);
  const text = await readFile(join(site.dir, site.site.posts.get(post.id)!.path), 'utf8');
  expect(text).toMatch(/title: own \d/);
  expect(text).toMatch(/excerpt: theirs \d/);
});

describe('a write that cannot be served in time', () => {
  it('is answered 503 with Retry-After, and not logged', async () => {
    const { store } = site.site as { store: { commit: unknown } };
    const commit = store.commit;
    onTestFinished(() => {
      store.commit = commit;
    });
    store.commit = () => Promise.reject(new BusyError('busy'));
    const answer = await create({ title: 'Busy', content: 'x', status: 'publish' });
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 'rest_busy', data: { status: 503 } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(site.log).toEqual([]);
  });

  it('is dropped at its deadline while another process holds the lock, and nothing of it is written', async () => {
    const sleeper = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)']);
    onTestFinished(() => void sleeper.kill());
    await once(sleeper, 'spawn');
    const lock = join(site.dir, '.cms', 'lock');
    const holder = { pid: sleeper.pid, host: hostname(), started: Date.now(), fence: 1_000_000, expires: Date.now() + 60_000 };
    const { store } = site.site;
    await store.alone(async () => undefined);
    // The server keeps it for a moment.
    const take = (): Promise<boolean> =>
      writeFile(lock, JSON.stringify(holder), { flag: 'wx' }).then(
        () => true,
        () => false,
      );
    await expect.poll(take).toBe(true);
    const change = { path: 'posts/late.md', expect: null, data: {}, order: [], body: 'x' };
    await expect(store.commit([change], performance.now() + 50)).rejects.toBeInstanceOf(BusyError);
    sleeper.kill();
    await once(sleeper, 'exit');
    await store.commit([{ ...change, path: 'posts/after.md' }]);
    expect(store.knows('posts/late.md')).toBe(false);
    await expect(readFile(join(site.dir, 'posts/late.md'))).rejects.toThrow('ENOENT');
  });
});
