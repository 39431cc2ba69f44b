import { writeFileSync, mkdirSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { pixel } from '../../../support/markdown-sites.ts';
import { temporaryFolder } from '../../../kernel/store/folder.ts';

const post = (id: number, picture?: string) =>
  `---\nid: ${id}\ntitle: P ${id}\ndate: 2026-03-01T10:00:00\n${picture ? `featured_media: ${picture}\n` : ''}---\nText\n`;

it('an image that posts reference before it exists is attached when it arrives, and no other posts are read', async () => {
  const folder = temporaryFolder({
    'site.yaml': 'name: Site\n',
    'posts/a.md': post(11, '2026/cat.png'),
    'posts/b.md': post(12),
    'posts/c.md': post(13, '2026/dog.png'),
    'posts/d.md': post(14, '2026/cat.png'),
  });
  const site = await openSite(folder.dir);
  onTestFinished(() => site.close());
  const before = [12, 13].map((id) => site.posts.get(id));
  mkdirSync(folder.at('media/2026'), { recursive: true });
  writeFileSync(folder.at('media/2026/cat.png'), pixel);
  await site.ingest(await site.store.sweep());
  const [cat = 0] = site.posts.with('type', 'attachment');
  expect([11, 12, 13, 14].map((id) => site.posts.get(id)?.featuredMedia)).toEqual([cat, 0, 0, cat]);
  expect([12, 13].map((id) => site.posts.get(id))).toEqual(before);
  expect(site.posts.get(12)).toBe(before[0]);
  expect(site.posts.get(13)).toBe(before[1]);
  writeFileSync(folder.at('media/2026/dog.png'), pixel);
  await site.ingest(await site.store.sweep());
  expect(site.posts.get(13)?.featuredMedia).toBeGreaterThan(0);
  expect(site.posts.get(12)).toBe(before[0]);
});
