/** Every word of the page where people write is in the German catalogue, and nothing else is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { de } from '../../editor/page/words-de.ts';

const folder = join(import.meta.dirname, '../../editor/page');
const sources = readdirSync(folder)
  .filter((name) => /\.tsx?$/.test(name) && name !== 'words-de.ts')
  .map((name) => readFileSync(join(folder, name), 'utf8'));

/** Names of types and taxonomies, as the server says them. */
const labels = ['Add page', 'Add post', 'Categories', 'Edit page', 'Edit post', 'New page', 'New post', 'Pages', 'Posts', 'Tags'];

it('the words of the page are in the catalogue, and it has no others', () => {
  const said = sources
    .flatMap((source) => [
      ...source.matchAll(/say\(\s*'([^']+)'/g),
      ...source.matchAll(/\bname: '([^']+)', sign/g),
      ...source.matchAll(/name: '([^']+)',\n\s+sign/g),
      ...source.matchAll(/\?\? '(New)'/g),
    ])
    .map(([, word]) => word);
  expect(said.length).toBeGreaterThan(100);
  expect(Object.keys(de).sort()).toEqual([...new Set([...said, ...labels])].sort());
});

it('values that a text names are in its translation', () => {
  const names = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
  for (const [english, german] of Object.entries(de)) expect([english, names(german)]).toEqual([english, names(english)]);
});
