/** Which of several files with one id keeps it, by what is known of them. */
import { describe, expect, it } from 'vitest';
import { isCopyOf, looksLikeCopy } from '../../../src/kernel/site/copies.ts';
import { type Claimant, rankClaimants } from '../../../src/kernel/site/identity.ts';

const first = (...claimants: Claimant[]): string | undefined => {
  const orders = [claimants, [...claimants].reverse()].map((some) => rankClaimants(some).map(({ path }) => path));
  expect(orders[0]).toEqual(orders[1]);
  return orders[0]?.[0];
};
const [w, a] = ['posts/2026/w.md', 'posts/2026/a.md'];

describe('the file that keeps an id', () => {
  it.each<[string, Claimant, Claimant]>([
    ['was served', { path: w, wasServed: true, mtimeMs: 9 }, { path: a, arrived: -9, mtimeMs: 1 }],
    ['is in the commit of HEAD', { path: w, arrived: 0, mtimeMs: 9 }, { path: a, mtimeMs: 1 }],
    ['came into it first', { path: w, arrived: -3, mtimeMs: 9 }, { path: a, arrived: -2, mtimeMs: 1 }],
    ['does not look like a copy', { path: w, mtimeMs: 9 }, { path: 'posts/2026/w copy.md', mtimeMs: 1 }],
    ['is older', { path: w, mtimeMs: 1, birthMs: 9 }, { path: a, mtimeMs: 2, birthMs: 1 }],
    ['was made first, of files that changed at once', { path: w, mtimeMs: 1, birthMs: 1 }, { path: a, mtimeMs: 1, birthMs: 2 }],
  ])('is the one that %s', (_, keeper, other) => {
    expect(first(keeper, other)).toBe(keeper.path);
  });

  it('is not decided by the times of a checkout', () => {
    expect(first({ path: w, arrived: 0, mtimeMs: 1 }, { path: a, arrived: 0, mtimeMs: 2 })).toBe(a);
  });
});

describe('the name of a copy', () => {
  it.each([
    'w copy.md',
    'w copy 2.md',
    'w-copy.md',
    'w_copy.md',
    'w - Copy.md',
    'w - Copy (2).md',
    'w (copy).md',
    'w (another copy).md',
    'w (3rd copy).md',
    'w (1).md',
    'w(1).md',
    'w 2.md',
    'w-2.md',
    'Copy of w.md',
    'Copy (2) of w.md',
    'Kopie von w.md',
    'w Kopie.md',
    'w - Kopie.md',
    'w (Kopie).md',
    'Copie de w.md',
    'w - Copie.md',
    'Copia de w.md',
    'w — копия.md'.replace('— ', ''),
    'w 副本.md',
    'w copy copy.md',
    'w backup.md',
    'w.bak.md',
    'w.orig.md',
    'w.old.md',
    'w~.md',
    "w (Anna's conflicted copy 2026-03-01).md",
    'w (conflicted copy 2026-03-01 101010).md',
    'w.sync-conflict-20260301-101010-ABCDEFG.md',
    'w_REMOTE_4711.md',
    'w.conflict.md',
  ])('%s', (name) => {
    const path = `posts/2026/${name}`;
    expect([isCopyOf(path, w), isCopyOf(w, path)]).toEqual([true, false]);
    expect(first({ path: w, mtimeMs: 9 }, { path, mtimeMs: 1 })).toBe(w);
  });

  it.each([
    ['posts/2026-copy/w.md', 'posts/2026/w.md'],
    ['pages/about copy/team/index.md', 'pages/about/team/index.md'],
    ['media/2026/03/cat copy.jpg.yaml', 'media/2026/03/cat.jpg.yaml'],
    ['media/2026/03/cat (1).jpg.yaml', 'media/2026/03/cat.jpg.yaml'],
    ['terms/category/news-copy.yaml', 'terms/category/news.yaml'],
  ])('%s', (path, other) => {
    expect([isCopyOf(path, other), isCopyOf(other, path)]).toEqual([true, false]);
  });

  it.each(['part-2.md', '2.md', 'photocopy.md', 'copy.md', 'the-2024-report.md'])('%s is not one by itself', (name) => {
    expect(looksLikeCopy(`posts/2026/${name}`)).toBe(false);
  });
});
