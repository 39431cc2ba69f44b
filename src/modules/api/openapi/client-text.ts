/**
 * The client that goes with the types of a site: that of the package, with the names of a dialect.
 */
import { readFileSync } from 'node:fs';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import { contentNamespace } from './operations.ts';

export function clientText(dialect: Dialect): string {
  const source = readFileSync(new URL('../../../client.ts', import.meta.url), 'utf8');
  const line = '// ---\n';
  const names = {
    root: dialect.root,
    content: dialect.spellRoute(`/${contentNamespace}`).slice(1),
    total: dialect.header('Total'),
    pages: dialect.header('TotalPages'),
  };
  return `const api = ${JSON.stringify(names)};\n${source.slice(source.indexOf(line) + line.length)}`;
}
