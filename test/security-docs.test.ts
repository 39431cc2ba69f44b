/** The pages on security and durability promise nothing without naming the test that shows it, and no class of holes is without a row. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describePromises } from './support/promises.ts';

await describePromises('docs/security.md', 66);
await describePromises('docs/durability.md', 24);

it('each class of holes has a row', async () => {
  const page = await readFile(join(import.meta.dirname, '../docs/security.md'), 'utf8');
  const [, table = ''] = /## Classes of holes\n(.*?)\n## /s.exec(page) ?? [];
  const classes = table.split('\n').flatMap((line) => /^\| ([^|:]+)/.exec(line)?.[1] ?? []);
  const wanted =
    'ids|enumeration|SSRF|names and paths|polyglots|stored script|comments|credentials|CSRF|host and caches|---js|YAML|prototypes|XML|archives|' +
    'links|git|slow patterns|batch|leaks|method override|JSONP|type juggling|filters|supply chain';
  const missing = wanted.split('|').filter((one) => !classes.some((name) => name.toLowerCase().includes(one.toLowerCase())));
  expect(missing).toEqual([]);
});
