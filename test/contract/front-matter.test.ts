/** Front matter that cannot be read, over HTTP and from the command line: nothing is written, nothing of it is shown. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../cli/run.ts';
import { startSite, until } from '../support/site.ts';

const forms: Readonly<Record<string, string>> = {
  toml: '+++\ntitle = Secret plan\n+++\nText\n',
  object: '{\n  "title": "Secret plan",\n}\n\nText\n',
  semicolons: ';;;\n{"title": "Secret plan"}\nText\n',
  'json-fence': '---json\n{"title": "Secret plan"\n---\nText\n',
  'late-toml': '\n+++\ntitle = "Secret plan"\n+++\nText\n',
  program: '---js\n{ title: "Secret plan" }\n---\nText\n',
  late: '\n\n---\ntitle: Secret plan\n---\nText\n',
  'late-mark': '\ufeff\n---\ntitle: Secret plan\n---\nText\n',
  indented: ' ---\ntitle: Secret plan\n---\nText\n',
  unclosed: '---\ntitle: Secret plan\n\nText\n',
};

const files = Object.fromEntries(
  Object.entries(forms).flatMap(([name, text]) => [
    [`posts/2026/03/${name}.md`, text],
    [`pages/${name}.html`, text],
  ]),
);

describe('unsupported front matter', () => {
  it('is left alone, is not served, and is reported with its line', async () => {
    const site = await startSite({ files });
    onTestFinished(() => site.close());
    for (const [path, text] of Object.entries(files)) expect([path, await site.read(path)]).toEqual([path, text]);
    for (const route of ['posts', 'pages']) {
      const { body } = await site.ask('GET', `/cms/v2/${route}?per_page=100&context=edit&status=any`, { as: 'admin' });
      expect(JSON.stringify(body)).not.toContain('Secret plan');
    }
    for (const name of Object.keys(forms)) expect((await fetch(`${site.url}/${name}/`)).status).toBe(404);
    expect(new Set(site.site.problems().map(({ path }) => path))).toEqual(new Set(Object.keys(files)));
    const { out, status } = await run(['validate', site.dir]);
    expect(status).toBe(1);
    expect(out).toContain('posts/2026/03/toml.md:2:9 error');
    expect(out).toContain('pages/late.html:3:1 error The front matter does not begin on the first line.');
    expect(out).toContain('pages/late-toml.html:2:1 error The front matter does not begin on the first line.');
  });

  it.each(Object.entries(forms))('a file that becomes %s keeps its last good version in service', async (_, text) => {
    const path = 'posts/2026/03/tides.md';
    const site = await startSite({ files: { [path]: '---\nid: 70\ntitle: Tides\n---\nHigh water.\n' } });
    onTestFinished(() => site.close());
    await site.write(path, text);
    await until(() => site.site.problems().some((problem) => problem.path === path));
    const { body } = await site.ask('GET', '/cms/v2/posts/70');
    expect(body).toMatchObject({ title: { rendered: 'Tides' } });
    const change = await site.ask('POST', '/cms/v2/posts/70', { as: 'admin', body: { title: 'Ebb' } });
    expect(change.status).toBeGreaterThanOrEqual(400);
    expect(await site.read(path)).toBe(text);
    await writeFile(join(site.dir, path), '---\nid: 70\ntitle: Converted\n---\nText\n');
    await until(() => site.site.posts.get(70)?.title === 'Converted');
    expect(site.site.problems()).toEqual([]);
  });

  it('is stored as text when sent in a body over REST', async () => {
    const site = await startSite();
    onTestFinished(() => site.close());
    for (const content of Object.values(forms)) {
      const made = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Code', content, status: 'publish' } });
      expect(made.status).toBe(201);
      const read = await site.ask('GET', `/cms/v2/posts/${made.body.id}?context=edit`, { as: 'admin' });
      expect(read.body.content.raw).toBe(content);
    }
    await site.site.reload();
    expect(site.site.problems()).toEqual([]);
  });
});
