/** Ids when several processes write one folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { maxId } from '../../../src/kernel/model/ids.ts';
import type { Module } from '../../../src/kernel/module.ts';
import { createComment } from '../../../src/modules/comments/plan.ts';
import { createUser } from '../../../src/modules/people/users/plan.ts';
import { until } from '../../support/site.ts';
import { planCreate } from '../../../src/modules/content/posts/plan.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import { readSequences } from '../../../src/kernel/store/taken-ids.ts';
import { bring, freshFolder, post, rows, site as about } from '../../transfer/import/rows.ts';

const admin = { id: 1, roles: ['administrator'] };
let serial = 0;
const create = (site: Site): Promise<number> =>
  site.write((site) => planCreate(site, admin, 'post', { title: `Post ${++serial}`, status: 'publish' }));

async function servers(count: number): Promise<{ readonly dir: string; readonly sites: readonly Site[] }> {
  const dir = await freshFolder();
  await bring(dir, rows([about()]));
  const sites: Site[] = [];
  for (let at = 0; at < count; at++) sites.push(await openSite(dir));
  onTestFinished(async () => {
    for (const site of sites) await site.close();
  });
  return { dir, sites };
}

it('two independent servers allocate different ids, beyond the end of a range too', async () => {
  const { dir, sites } = await servers(2);
  const ids: number[] = [];
  for (let round = 0; round < 90; round++)
    ids.push(...(await Promise.all(sites.flatMap((site) => [create(site), create(site), create(site)]))));
  expect(new Set(ids).size).toBe(540);
  for (const site of sites) await site.reload();
  const [one, other] = sites.map((site) => [...site.posts.all()].map(({ id, path }) => `${id} ${path}`).sort()) as string[][];
  expect(one).toEqual(other);
  expect(one?.length).toBe(540);
  expect(sites.flatMap((site) => site.problems())).toEqual([]);
  expect(one?.every((line) => existsSync(join(dir, line.replace(/^\d+ /, ''))))).toBe(true);
});

it('a writer that waited does not use an id that another process took meanwhile', async () => {
  const { dir, sites } = await servers(1);
  let go = (): void => undefined;
  const waited = new Promise<void>((resolve) => {
    go = resolve;
  });
  let writes = 0;
  const slow: Module = {
    name: 'slow',
    setup: () => ({
      async beforeWrite() {
        if (++writes === 1) await waited;
        return { written: async () => undefined, refused: async () => undefined };
      },
    }),
  };
  const other = await openSite(dir, { modules: [slow] });
  onTestFinished(() => other.close());
  const taken = await create(sites[0] as Site);
  const late = create(other);
  await until(() => writes === 1);
  const next = await create(other);
  go();
  expect(new Set([taken, await late, next]).size).toBe(3);
  await other.reload();
  expect([...other.posts.all()].map(({ id }) => id).sort((a, b) => a - b)).toEqual(
    [taken, next, await late].sort((a, b) => a - b),
  );
});

it.each(['a comment', 'a user'])('%s has its own id without being planned again', async (what) => {
  const { sites } = await servers(2);
  const [one, other] = sites as [Site, Site];
  const post = await create(one);
  await other.reload();
  const make = (site: Site, name: string): Promise<number> =>
    what === 'a user'
      ? createUser(site, { login: name, email: `${name}@example.org`, password: 'Sturdy-pass-91' })
      : createComment(site, admin, { post, content: name, type: 'comment' });
  const ids = [await make(one, 'anna'), await make(other, 'bert'), await make(one, 'carl'), await make(other, 'dora')];
  expect(new Set(ids).size).toBe(4);
});

it('ids can only collide within the site of the plan', async () => {
  const { sites } = await servers(1);
  const [site] = sites as [Site];
  // @ts-expect-error: such an id is given anew by planning anew, so whoever plans nothing takes `ownId`.
  const outside: unknown = site.nextId;
  expect(outside).toBe(await site.write(({ nextId }) => ({ changes: [], result: nextId })));
});

it('a new id sequence leaves the others their ranges', async () => {
  const { sites } = await servers(1);
  const [site] = sites as [Site];
  const first = await create(site);
  expect(await site.write(({ nextId }) => ({ changes: [], result: nextId('comments') }))).toBe(1);
  expect([await create(site), await create(site)]).toEqual([first + 1, first + 2]);
});

it('unused ids are returned, unless others have allocated more', async () => {
  const { dir, sites } = await servers(1);
  const [site] = sites as [Site];
  const id = await create(site);
  const later = await openSite(dir);
  const beyond = await create(later);
  expect(beyond).toBeGreaterThan(id + 1);
  await site.close();
  const store = await createStore({ dir });
  expect((await readSequences(store)).posts).toBeGreaterThan(beyond);
  await later.close();
  expect((await readSequences(store)).posts).toBe(beyond);
  await store.close();
});

it('an import does not use the ids that a server may be allocating', async () => {
  const { dir, sites } = await servers(1);
  const [site] = sites as [Site];
  const first = await create(site);
  const near = Array.from({ length: 20 }, (_, at) => post(`near-${at}`, { id: first + 1 + at }));
  const report = await bring(dir, rows([about(), ...near, post('far', { id: 5000 })]));
  const renumbered = report.remarks.filter(({ rule }) => rule === 'renumbered').length;
  expect(renumbered).toBe(20);
  const ids = [];
  for (let at = 0; at < 30; at++) ids.push(await create(site));
  await site.reload();
  expect(ids.every((id) => site.posts.get(id)?.title.startsWith('Post '))).toBe(true);
  expect(site.posts.get(5000)?.slug).toBe('far');
  expect(site.problems()).toEqual([]);
});

it.each([9007199254740991, maxId + 1, maxId, maxId - 1])('an import with the id %i leaves all others available', async (id) => {
  const { dir, sites } = await servers(1);
  const [site] = sites as [Site];
  await bring(dir, rows([about(), post('far', { id }), post('first'), post('second')]));
  await site.reload();
  const [far, first, second] = ['far', 'first', 'second'].map((slug) => [...site.posts.with('slug', slug)][0] as number);
  expect(far === id).toBe(id <= maxId);
  expect([first, second, await create(site)].every((given) => given !== undefined && given > 0 && given < 2000)).toBe(true);
  await site.close();
  const later = await openSite(dir);
  expect(await create(later)).toBeLessThan(2000);
  await later.close();
});
