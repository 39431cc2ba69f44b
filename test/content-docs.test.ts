/** The tasks of docs/content.md: each sample is served as the page says, and nothing is wrong with it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from './cli/run.ts';
import { startSite } from './support/site.ts';

const root = join(import.meta.dirname, '..');

it('the samples of the tasks are served', async () => {
  const page = await readFile(join(root, 'docs/content.md'), 'utf8');
  const [, tasks = ''] = /^## By task$([\s\S]*?)^## /m.exec(page) ?? [];
  const samples = [...tasks.matchAll(/^`(posts\/[^`\n]+)`\n\n```markdown\n([\s\S]*?)```$/gm)];
  const files = Object.fromEntries(samples.map(([, path = '', text = '']) => [path, text]));
  expect(Object.keys(files)).toEqual(['posts/low-water.md', 'posts/regatta.md', 'posts/boats/index.md']);
  const site = await startSite({ files: { ...files, 'posts/boats/harbour.png': '' } });
  onTestFinished(() => site.close());
  expect(site.site.problems()).toEqual([]);
  const { body: posts } = await site.ask('GET', '/cms/v2/posts?_fields=slug,title,content,featured_media');
  const bySlug = new Map((posts as { slug: string }[]).map((post) => [post.slug, post]));
  expect([...bySlug.keys()].sort()).toEqual(expect.arrayContaining(['boats', 'low-water']));
  expect(bySlug.has('regatta')).toBe(false);
  expect(bySlug.get('boats')).toMatchObject({ title: { rendered: 'Boats' }, featured_media: expect.any(Number) });
  const { rendered } = (bySlug.get('boats') as unknown as { content: { rendered: string } }).content;
  expect(rendered).toContain(`src="${site.url}/uploads/posts/boats/harbour.png"`);
  expect(rendered).toContain('<a href="/low-water/">');
  const { out } = await run(['validate', site.dir]);
  expect(out.match(/ error (?!is empty)/g)).toBeNull();
});
