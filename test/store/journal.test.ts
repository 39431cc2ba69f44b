/** A process that dies in the middle of a commit: at every point the next start finds the site as before or as after. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { etagOf } from '../../src/store/codec.ts';
import { filesDriver } from '../../src/store/files.ts';
import { createJournal, type Step } from '../../src/store/journal.ts';
import { createStore } from '../../src/store/store.ts';
import { type Folder, temporaryFolder } from './folder.ts';

const bytes = (content: string) => new TextEncoder().encode(content);
const etag = (content: string) => etagOf(bytes(content));

/** Stages a commit that changes `a`, moves `b` to `c/b`, and removes `d`, as a process with another id would have. */
function begun(): { folder: Folder; steps: Step[]; temporaries: string[] } {
  const folder = temporaryFolder({
    'posts/a.md': 'a',
    'posts/b.md': 'b',
    'posts/d.md': 'd',
    '.cms/lock': '{"pid":4194305,"host":"gone","expires":1}',
  });
  const temporaries = [folder.at(`posts/.cms-tmp-4194305-one`), folder.at('posts/c/.cms-tmp-4194305-two')];
  folder.write('posts/c/keep.md', 'k');
  writeFileSync(temporaries[0] as string, 'A');
  writeFileSync(temporaries[1] as string, 'B');
  const steps: Step[] = [
    { write: 'posts/a.md', temporary: temporaries[0] as string, before: etag('a') },
    { write: 'posts/c/b.md', temporary: temporaries[1] as string, before: null },
    { remove: 'posts/b.md', before: etag('b') },
    { remove: 'posts/d.md', before: etag('d') },
  ];
  return { folder, steps, temporaries };
}

async function restart(folder: Folder): Promise<Record<string, string>> {
  const store = await createStore({ dir: folder.dir });
  onTestFinished(() => store.close());
  const { entries } = await store.load();
  expect(existsSync(folder.at('.cms/journal'))).toBe(false);
  expect(readdirSync(folder.dir, { recursive: true }).filter((name) => String(name).includes('.cms-tmp'))).toEqual([]);
  return Object.fromEntries(entries.map((entry) => [basename(entry.path), entry.body]));
}

describe('a commit cut off', () => {
  it('before its journal is undone', async () => {
    const { folder } = begun();
    expect(await restart(folder)).toEqual({ 'a.md': 'a', 'b.md': 'b', 'd.md': 'd', 'keep.md': 'k' });
  });

  it.each([0, 1, 2, 3, 4])('after its journal and %i steps is finished', async (count) => {
    const { folder, steps } = begun();
    await createJournal(folder.at('.cms')).write(steps);
    const files = filesDriver({ dir: folder.dir });
    for (const step of steps.slice(0, count)) {
      if ('write' in step) await files.publish(step.temporary, step.write);
      else await files.unlink(step.remove);
    }
    expect(await restart(folder)).toEqual({ 'a.md': 'A', 'b.md': 'B', 'keep.md': 'k' });
    expect(await restart(folder)).toEqual({ 'a.md': 'A', 'b.md': 'B', 'keep.md': 'k' });
  });

  it('leaves what a person has written since, and removes nothing then', async () => {
    const { folder, steps } = begun();
    await createJournal(folder.at('.cms')).write(steps);
    folder.write('posts/c/b.md', 'by hand');
    const store = await createStore({ dir: folder.dir });
    await store.close();
    expect([
      folder.read('posts/a.md'),
      folder.read('posts/c/b.md'),
      folder.read('posts/b.md'),
      folder.read('posts/d.md'),
    ]).toEqual(['A', 'by hand', 'b', 'd']);
  });

  it('is finished by the next writer as well', async () => {
    const { folder, steps } = begun();
    const store = await createStore({ dir: temporaryFolder().dir });
    await store.close();
    const other = await createStore({ dir: folder.dir });
    // The other process dies after this one has started.
    writeFileSync(folder.at('posts/.cms-tmp-4194305-one'), 'A');
    await createJournal(folder.at('.cms')).write(steps.slice(0, 1));
    await other.commit([{ path: 'posts/e.md', expect: null, data: {}, order: [], body: 'e' }]);
    expect(folder.read('posts/a.md')).toBe('A');
    expect(existsSync(folder.at('.cms/journal'))).toBe(false);
    await other.close();
  });
});

it.each([
  ['nonsense', 'not json'],
  [
    'paths outside',
    JSON.stringify({
      steps: [
        { write: '../x.md', temporary: '/etc/.cms-tmp-1-x', before: null },
        { remove: '../../etc/passwd', before: 'x' },
      ],
    }),
  ],
  ['temporary files elsewhere', JSON.stringify({ steps: [{ write: 'posts/x.md', temporary: '/etc/passwd', before: null }] })],
  ['other shapes', JSON.stringify({ steps: [null, 1, { remove: 'posts/a.md' }, {}] })],
])('a journal of %s does nothing', async (_, content) => {
  const folder = temporaryFolder({ 'posts/a.md': 'a', '.cms/journal': content });
  expect(await restart(folder)).toEqual({ 'a.md': 'a' });
});
