/** What is read of the disk may be taken in late and in any order: memory never goes back to an older state. */

import fc from 'fast-check';
import { readdirSync, rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import type { Batch } from '../../../src/kernel/store/types.ts';
import { type Folder, temporaryFolder } from '../store/folder.ts';

const post = (id: number, title: string) => `---\nid: ${id}\ntitle: ${title}\ndate: 2026-03-01T10:00:00\n---\nText\n`;
const start = { 'site.yaml': 'name: Site\n', 'posts/a.md': post(11, 'A'), 'posts/b.md': post(12, 'B') };

async function open(folder: Folder): Promise<Site> {
  const site = await openSite(folder.dir);
  onTestFinished(() => site.close());
  return site;
}

const titles = (site: Site) => Object.fromEntries([...site.posts.all()].map((each) => [each.path, each.title]));
const retitle = (site: Site, id: number, title: string) =>
  site.write(() => {
    const now = site.posts.get(id);
    return { changes: now ? [{ path: now.path, expect: now.etag, data: { title }, order: [] }] : [], result: undefined };
  });

describe('a batch read before a newer state', () => {
  it('of a load does not undo a commit', async () => {
    const folder = temporaryFolder(start);
    const site = await open(folder);
    const older = await site.store.load();
    await retitle(site, 11, 'Newer');
    await site.ingest(older);
    expect(titles(site)).toEqual({ 'posts/a.md': 'Newer', 'posts/b.md': 'B' });
  });

  it('of a load does not restore a removed file, nor undo a newer edit', async () => {
    const folder = temporaryFolder(start);
    const site = await open(folder);
    const older = await site.store.load();
    rmSync(folder.at('posts/a.md'));
    folder.write('posts/b.md', post(12, 'Edited'));
    await site.ingest(await site.store.sweep());
    await site.ingest(older);
    expect(titles(site)).toEqual({ 'posts/b.md': 'Edited' });
  });

  it('does not remove a file that was created again', async () => {
    const folder = temporaryFolder(start);
    const site = await open(folder);
    rmSync(folder.at('posts/a.md'));
    const older = await site.store.sweep();
    await site.commit([{ path: 'posts/a.md', expect: null, data: { id: 11, title: 'Again' }, order: [] }]);
    await site.ingest(older);
    expect(titles(site)).toEqual({ 'posts/a.md': 'Again', 'posts/b.md': 'B' });
  });

  it('loses no file that a commit wrote meanwhile', async () => {
    const folder = temporaryFolder(start);
    const site = await open(folder);
    let written: Promise<unknown> | undefined;
    const older = await site.store.load(() => {
      written ??= site.commit([{ path: 'posts/c.md', expect: null, data: { id: 13, title: 'C' }, order: [] }]);
    });
    await written;
    await site.ingest(older);
    expect(titles(site)).toEqual({ 'posts/a.md': 'A', 'posts/b.md': 'B', 'posts/c.md': 'C' });
  });
});

it('a reload detects removed files', async () => {
  const folder = temporaryFolder(start);
  const site = await open(folder);
  rmSync(folder.at('posts/a.md'));
  await site.reload();
  expect(titles(site)).toEqual({ 'posts/b.md': 'B' });
});

it('a media file found before its sidecar gets the one a person writes', async () => {
  const folder = temporaryFolder(start);
  const site = await open(folder);
  folder.write('media/2026/clip.mp4', Buffer.from('0000001866747970', 'hex'));
  const older = await site.store.sweep();
  folder.write('media/2026/clip.mp4.yaml', 'id: 60\ntitle: Clip\n');
  await site.reload();
  await site.ingest(older);
  expect(titles(site)['media/2026/clip.mp4.yaml']).toBe('Clip');
  expect(site.posts.get(60)?.title).toBe('Clip');
});

type Act =
  | { readonly do: 'edit' | 'remove' | 'write'; readonly at: number }
  | { readonly do: 'load' | 'sweep' | 'reread' | 'take' };
const act = fc.oneof<fc.Arbitrary<Act>[]>(
  fc.record({ do: fc.constantFrom('edit', 'remove', 'write'), at: fc.nat(3) }),
  fc.record({ do: fc.constantFrom('load', 'sweep', 'reread', 'take') }),
);

it('any interleaving of reading and ingesting ends as a cold start', async () => {
  const path = (at: number) => `posts/p${at}.md`;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (acts) => {
      const folder = temporaryFolder({ 'site.yaml': 'name: Site\n', [path(0)]: post(20, 'First') });
      const site = await openSite(folder.dir);
      const held: Batch[] = [];
      for (const [step, one] of acts.entries()) {
        if (one.do === 'edit') folder.write(path(one.at), post(20 + one.at, `Edit ${step}`));
        if (one.do === 'remove') rmSync(folder.at(path(one.at)), { force: true });
        if (one.do === 'write') await retitle(site, 20 + one.at, `Written ${step}`);
        if (one.do === 'load') held.push(await site.store.load());
        if (one.do === 'sweep') held.push(await site.store.sweep());
        if (one.do === 'reread') held.push(await site.store.reread([path(0), path(1)]));
        if (one.do === 'take') await site.ingest(held.pop() ?? (await site.store.sweep()));
      }
      while (held.length > 0) await site.ingest(held.pop() as Batch);
      await site.ingest(await site.store.sweep());
      await site.ingest(await site.store.sweep());
      const cold = await openSite(folder.dir, { readOnly: true });
      expect(titles(site)).toEqual(titles(cold));
      expect(Object.keys(titles(site)).sort()).toEqual(
        readdirSync(folder.at('posts'), { encoding: 'utf8' })
          .map((name) => `posts/${name}`)
          .sort(),
      );
      await Promise.all([site.close(), cold.close()]);
    }),
    { numRuns: 60 },
  );
});

it("versions replaced by hand edits are kept up to the site's limit", async () => {
  const folder = temporaryFolder({ ...start, 'site.yaml': 'name: Site\nrevisions: 2\n' });
  const site = await open(folder);
  for (const title of ['First', 'Second', 'Third', 'Fourth']) {
    folder.write('posts/a.md', post(11, title));
    await site.ingest(await site.store.sweep());
  }
  expect([...site.revisions.all()].map(({ title }) => title).sort()).toEqual(['Second', 'Third']);
  expect(readdirSync(folder.at('revisions'), { recursive: true }).filter((name) => String(name).endsWith('.md'))).toHaveLength(2);
});
