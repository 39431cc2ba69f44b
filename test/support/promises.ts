/** Pages of promises: tables whose second column names the test that shows the first. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Titles that a row names for one file: parted by semicolons, or each in quotes. */
function titlesOf(text: string): string[] {
  const quoted = [...text.matchAll(/"([^"]+)"/g)].map(([, title]) => title as string);
  return (quoted.length > 0 ? quoted : text.split(';')).map((title) => title.trim()).filter((title) => title !== '');
}

/**
 * Shows that each row names a test that there is.
 * @param least  rows that the page has at least
 */
export async function describePromises(page: string, least: number): Promise<void> {
  // What a long run is begun by, and its numbers, are no promises.
  const [text = ''] = (await readFile(join(root, page), 'utf8')).split('\n## Long runs\n');
  const rows = text
    .split('\n')
    .filter((line) => /^\| [^:]/.test(line) && !/^\| (?:Promise|Class)\b/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));

  describe(`each promise of ${page}`, () => {
    it('is in a row', () => expect(rows.length).toBeGreaterThanOrEqual(least));

    it.each(rows)('%s', async (_, shown = '') => {
      const named = [...shown.matchAll(/`([\w./-]+\.test\.ts)`(?:: ([^`]*))?/g)];
      expect(named.length).toBeGreaterThan(0);
      for (const [, file = '', titles = ''] of named) {
        const source = (await readFile(join(root, 'test', file), 'utf8')).replaceAll("\\'", "'");
        for (const title of titlesOf(titles)) {
          // What a title gets from a table, and titles of groups with what is in them, stand apart in the source.
          const parts = title.split(/…|: |\(\w+\)/).map((part) => part.trim().replace(/^[,:]|[,.]$/g, ''));
          for (const part of parts.filter((one) => one.length > 10)) expect(source, `${file}: ${title}`).toContain(part);
        }
      }
    });
  });
}
