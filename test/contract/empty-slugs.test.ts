/** A slug that is empty, null or unusable is none: what is published has the address that its place gives. */
import { expect, it, onTestFinished } from 'vitest';
import { startSite } from '../support/site.ts';

const slugs = ['slug: ""', 'slug:', "slug: '  '", 'slug: "///"', 'slug: ~', 'slug: "?!"'];
const file = (id: number, lines: string): string => `---\nid: ${id}\ntitle: Quay\ndate: 2024-03-05\n${lines}\n---\nText\n`;

it('does not publish an item without a slug', async () => {
  const files = Object.fromEntries(
    slugs.flatMap((line, n) => [
      [`posts/p${n}.md`, file(100 + n, line)],
      [`pages/q${n}/index.md`, file(200 + n, line)],
      [`pages/q${n}/kid.md`, file(300 + n, '')],
    ]),
  );
  const site = await startSite({ files: { ...files, 'site.yaml': 'name: Quay\n' } });
  onTestFinished(() => site.close());
  const read = async (path: string): Promise<{ slug: string; link: string }> =>
    (await site.ask('GET', `/cms/v2/${path}`)).body as { slug: string; link: string };
  for (const n of slugs.keys()) {
    const [post, page, kid] = [await read(`posts/${100 + n}`), await read(`pages/${200 + n}`), await read(`pages/${300 + n}`)];
    expect([post.slug, new URL(post.link).pathname], slugs[n]).toEqual([`p${n}`, `/p${n}/`]);
    expect([page.slug, new URL(page.link).pathname], slugs[n]).toEqual([`q${n}`, `/q${n}/`]);
    expect(new URL(kid.link).pathname, slugs[n]).toBe(`/q${n}/kid/`);
  }
});

it('gives a draft its URL when its file is published by hand', async () => {
  const site = await startSite({
    files: { 'posts/a-draft.md': file(90, "slug: ''\nstatus: draft"), 'site.yaml': 'name: Quay\n' },
  });
  onTestFinished(() => site.close());
  const draft = await site.ask('GET', '/cms/v2/posts/90?context=edit', { as: 'admin' });
  expect(draft.body).toMatchObject({ slug: '', status: 'draft' });
  await site.write('posts/a-draft.md', file(90, "slug: ''"));
  await expect
    .poll(async () => (await site.ask('GET', '/cms/v2/posts/90')).body, { timeout: 8000 })
    .toMatchObject({ slug: 'a-draft', status: 'publish', link: expect.stringMatching(/[^/]\/a-draft\/$/) as string });
});

it('hides content that a password in another spelling protects', async () => {
  const keys = ['Password', 'PASSWORD', 'post_password', 'pass-word'];
  const files = Object.fromEntries(keys.map((key, n) => [`posts/p${n}.md`, file(100 + n, `${key}: abc`)]));
  const site = await startSite({ files: { ...files, 'site.yaml': 'name: Quay\n' } });
  onTestFinished(() => site.close());
  for (const n of keys.keys()) {
    const post = (await site.ask('GET', `/cms/v2/posts/${100 + n}`)).body;
    expect(post, keys[n]).toMatchObject({ content: { rendered: '', protected: true } });
  }
});
