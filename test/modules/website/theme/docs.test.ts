/** docs/theme.md: its samples are put into a site and do what the page says; its table of templates and pictures is complete. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { defaultTemplates } from '../../../../src/modules/website/default-theme/index.ts';
import { run } from '../../../cli/run.ts';
import { startSite } from '../../../support/site.ts';
import { files } from './sample.ts';

const docs = join(import.meta.dirname, '../../../../docs');
const page = await readFile(join(docs, 'theme.md'), 'utf8');
const samples = Object.fromEntries(
  [...page.matchAll(/^`(theme\/[^`\n]+)`\n\n```(?:liquid|css|yaml)\n([\s\S]*?)```$/gm)].map(([, path = '', text = '']) => [
    path,
    text,
  ]),
);

it('the samples in docs/theme.md work', async () => {
  expect(Object.keys(samples)).toEqual([
    'theme/entry.liquid',
    'theme/page-contact.liquid',
    'theme/words.yaml',
    'theme/style.css',
    'theme/footer.liquid',
  ]);
  const site = await startSite({
    files: {
      ...files,
      ...samples,
      'theme/assets/anchor.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'pages/contact.md': '---\ntitle: Contact\nid: 90\n---\nBy *post*.\n',
    },
  });
  onTestFinished(() => site.close());
  const get = async (path: string): Promise<string> => (await site.ask('GET', path, { raw: true })).body;
  const home = await get('/');
  expect(home).toContain('<p>9 March 2026 by Anna Quist</p>');
  expect(home).toMatch(/<img src="\/theme\/assets\/anchor\.svg\?v=[a-f\d]{8}"/);
  const contact = await get('/contact/');
  expect(contact).toContain('<h1>Write to us</h1>');
  expect(contact).toContain('<p>By <em>post</em>.</p>');
  expect(contact).toContain('>Imprint</a>');
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(home) ?? [];
  expect(await get(style)).toBe(samples['theme/style.css']);
  expect(await get('/theme/default.css')).toContain('--accent:');
  expect(await get('/nothing/')).toContain('<h1>Nothing here</h1>');
  expect(site.log).toEqual([]);
  // What the page shows of a broken one.
  const [, said = 'nothing'] = /^my-site\/(theme\/entry\.liquid:\d[^\n]+\n[^\n]+)$/m.exec(page) ?? [];
  await writeFile(join(site.dir, 'theme/entry.liquid'), '<h2>\n  {{ post.title | upcas }}</h2>');
  const { out } = await run(['validate', site.dir]);
  expect(out).toContain(said);
});

it('docs/theme.md names every template and image', async () => {
  for (const name of defaultTemplates.keys()) expect([name, page.includes(`\`${name}\``)]).toEqual([name, true]);
  const pictures = [...page.matchAll(/\((screenshots\/[^)]+)\)/g)].map(([, path = '']) => path);
  expect(pictures.length).toBeGreaterThan(4);
  for (const picture of pictures) {
    const { size } = await stat(join(docs, picture));
    expect([picture, size > 0 && size < 60_000]).toEqual([picture, true]);
  }
});
