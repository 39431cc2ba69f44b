/** The pages on security and durability promise nothing without a test, and no class of holes is without one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describePromises } from './support/promises.ts';

await describePromises('test/promises/security.md', 150);
await describePromises('test/promises/durability.md', 40);

it.each(['security', 'durability'])('each section of docs/%s.md has rows', async (name) => {
  const headings = async (path: string): Promise<string[]> =>
    (await readFile(join(import.meta.dirname, '..', path), 'utf8')).match(/^## .*$/gm) ?? [];
  const promised = (await headings(`docs/${name}.md`)).filter((one) => one !== '## What you decide');
  expect(promised.length).toBeGreaterThan(3);
  expect(await headings(`test/promises/${name}.md`)).toEqual(expect.arrayContaining(promised));
});

it('each class of holes has a row', async () => {
  const page = await readFile(join(import.meta.dirname, 'promises/security.md'), 'utf8');
  const [, table = ''] = /## Classes of holes\n(.*?)\n## /s.exec(page) ?? [];
  const classes = table.split('\n').flatMap((line) => /^\| ([^|:]+)/.exec(line)?.[1] ?? []);
  const wanted =
    'ids|enumeration|SSRF|names and paths|polyglots|stored script|comments|credentials|CSRF|host and caches|---js|YAML|prototypes|XML|archives|' +
    'links|git|slow patterns|batch|leaks|method override|JSONP|type juggling|filters|supply chain';
  const missing = wanted.split('|').filter((one) => !classes.some((name) => name.toLowerCase().includes(one.toLowerCase())));
  expect(missing).toEqual([]);
});
