/**
 * Writes over REST and edits of files, in any order and at once, end in the memory that a cold start would have.
 */
import { readdir, readFile, rm, rename, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import { startSite, type TestSite } from '../support/site.ts';

type Step =
  | { readonly do: 'create'; readonly title: string; readonly status: string; readonly page: boolean }
  | { readonly do: 'update'; readonly pick: number; readonly title: string; readonly slug: string }
  | { readonly do: 'trash' | 'delete' | 'remove' | 'move'; readonly pick: number }
  | { readonly do: 'edit'; readonly pick: number; readonly title: string }
  | { readonly do: 'write'; readonly name: string; readonly title: string; readonly tag: string };

const word = fc.constantFrom('tide', 'ebb', 'harbour', 'Fog & Rain', 'no', '2024', 'Møtested');
const pick = fc.nat(30);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    title: word,
    status: fc.constantFrom('publish', 'draft', 'private'),
    page: fc.boolean(),
  }),
  fc.record({ do: fc.constant('update' as const), pick, title: word, slug: word }),
  fc.record({ do: fc.constantFrom('trash' as const, 'delete' as const, 'remove' as const, 'move' as const), pick }),
  fc.record({ do: fc.constant('edit' as const), pick, title: word }),
  fc.record({ do: fc.constant('write' as const), name: fc.constantFrom('a', 'b', 'c', 'sub/d'), title: word, tag: word }),
);

describe('writes and edits', () => {
  it('in any order end in the state of a cold start', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
        async (rounds) => {
          const site = await startSite();
          try {
            // The steps of one round run at once.
            for (const round of rounds) await Promise.all(round.map((one) => take(site, one)));
            await settle(site.site);
            // A file that somebody saves where a post has just gone to the trash is a newcomer.
            await site.site.reload();
            const cold = await openSite(site.dir, { readOnly: true });
            expect(memory(site.site)).toEqual(memory(cold));
            await cold.close();
            expect(site.log.filter((line) => !line.includes(' is that of '))).toEqual([]);
          } finally {
            await site.close();
          }
        },
      ),
      // What interleaves does not come round the same way: a search for a smaller example would take the minute that is left.
      { numRuns: 12, endOnFailure: true, seed: Number(process.env.FC_SEED ?? 7) },
    );
  });
});

async function take(site: TestSite, one: Step): Promise<void> {
  const posts = [...site.site.posts.all()].sort((a, b) => a.id - b.id);
  const chosen = 'pick' in one && posts.length > 0 ? posts[one.pick % posts.length] : undefined;
  const route = chosen && `/cms/v2/${chosen.type === 'page' ? 'pages' : 'posts'}/${chosen.id}`;
  const answered = (status: number) => expect(status, JSON.stringify(one)).toBeLessThan(500);
  if (one.do === 'create') {
    answered(
      (
        await site.ask('POST', one.page ? '/cms/v2/pages' : '/cms/v2/posts', {
          as: 'admin',
          body: { title: one.title, status: one.status },
        })
      ).status,
    );
  } else if (one.do === 'write')
    await site.write(
      `posts/${one.name}.md`,
      `---\ntitle: '${one.title}'\ntags: ['${one.tag}']\ndate: 2024-02-03T10:00:00\n---\nText\n`,
    );
  else if (!chosen || !route) return;
  else if (one.do === 'update')
    answered((await site.ask('POST', route, { as: 'admin', body: { title: one.title, slug: one.slug } })).status);
  else if (one.do === 'trash' || one.do === 'delete') {
    const { status } = await site.ask('DELETE', `${route}${one.do === 'delete' ? '?force=true' : ''}`, { as: 'admin' });
    if (status !== 501) answered(status);
  } else {
    const path = join(site.dir, chosen.path);
    // The file may be gone or elsewhere by now: then there is nothing to edit.
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text === null) return;
    if (one.do === 'remove') await rm(path, { force: true });
    if (one.do === 'edit') await site.write(chosen.path, text.replace(/^title: .*$/m, `title: '${one.title}'`));
    if (one.do === 'move' && chosen.type === 'post') {
      await mkdir(join(site.dir, 'posts/moved'), { recursive: true });
      await rename(path, join(site.dir, `posts/moved/${chosen.id}.md`)).catch(() => undefined);
    }
  }
}

/** Takes in everything that is on disk, until a look finds nothing new. */
async function settle(site: Site): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    const batch = await site.store.sweep();
    const isQuiet = batch.entries.length + batch.blobs.length + batch.removed.length === 0;
    await site.ingest(batch);
    quiet = isQuiet ? quiet + 1 : 0;
  }
}

/** What a site holds, in an order that does not depend on its history. */
function memory(site: Site): unknown {
  const byId = (records: Iterable<{ readonly id: number }>) =>
    [...records].sort((a, b) => a.id - b.id).map((record) => ({ ...record }));
  return { posts: byId(site.posts.all()), terms: byId(site.terms.all()), revisions: byId(site.revisions.all()) };
}

describe('a folder that changes as a whole', () => {
  // Two seconds on a machine with nothing else to do.
  it('shows the 10,000 files of a checkout soon after its end, without an error', { timeout: 120_000 }, async () => {
    const site = await startSite();
    let running = true;
    const { execFileSync } = await import('node:child_process');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', site.dir, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { stdio: 'pipe' });
    try {
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'empty');
      git('branch', 'empty');
      const writes: Promise<void>[] = [];
      for (let n = 0; n < 10_000; n++) {
        const path = `posts/2025/${String((n % 12) + 1).padStart(2, '0')}/p${n}.md`;
        writes.push(site.write(path, `---\nid: ${1000 + n}\ntitle: Post ${n}\ndate: 2025-01-01T10:00:00\n---\nBody ${n}\n`));
        if (writes.length === 500) await Promise.all(writes.splice(0));
      }
      await Promise.all(writes);
      git('add', '.');
      git('commit', '-qm', 'full');
      await until10k(site, 10_000);
      const statuses: number[] = [];
      const load = (async () => {
        while (running) statuses.push((await site.ask('GET', '/cms/v2/posts?per_page=5')).status);
      })();
      const seen: number[] = [];
      for (const [branch, expected] of [
        ['empty', 0],
        ['-', 10_000],
      ] as const) {
        await checkout(site.dir, branch);
        const done = Date.now();
        await until10k(site, expected);
        seen.push(Date.now() - done);
      }
      running = false;
      await load;
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect(statuses.length).toBeGreaterThan(0);
      expect((await readdir(join(site.dir, 'posts/2025'))).length).toBe(12);
      for (const took of seen) expect(took).toBeLessThan(25_000);
    } finally {
      running = false;
      await site.close();
    }
  });
});

async function checkout(dir: string, branch: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  await new Promise<void>((resolve, reject) => {
    const child = spawn('git', ['-C', dir, 'checkout', '-qf', branch], { stdio: 'ignore' });
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`git checkout ${branch}: ${code}`))));
  });
}

async function until10k(site: TestSite, expected: number): Promise<void> {
  const end = Date.now() + 30_000;
  for (;;) {
    const { headers } = await site.ask('HEAD', '/cms/v2/posts');
    if (Number(headers.get('x-cms-total')) === expected) return;
    if (Date.now() > end) throw new Error(`expected ${expected} posts, have ${headers.get('x-cms-total')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
