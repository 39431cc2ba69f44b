import { describe, expect, it } from 'vitest';
import { createPathTable, type PathRow } from '../../../src/kernel/site/path-table.ts';

const row = (pattern: string, type: string, more: Partial<PathRow> = {}): PathRow => ({
  pattern,
  kind: 'note',
  type,
  space: 'notes',
  fields: null,
  ...more,
});

describe('a path belongs to the first matching row', () => {
  const table = createPathTable([
    row('notes/*.{yaml,yml}', 'note', { accepts: (path) => path !== 'notes/_none.yaml' }),
    row('notes/#/*.md', 'numbered'),
    row('notes/**.md', 'deep'),
    row('a.b/c+d/*.md', 'literal'),
    row('top.yaml', 'top'),
  ]);
  it.each([
    ['notes/one.yaml', 'note'],
    ['notes/one.yml', 'note'],
    ['notes/_none.yaml', undefined],
    ['notes/one/two.yaml', undefined],
    ['notes/7/a.md', 'numbered'],
    ['notes/7a/a.md', 'deep'],
    ['notes/7/8/a.md', 'deep'],
    ['notes/a.md', 'deep'],
    ['notes/a.md.bak', undefined],
    ['other/notes/a.md', undefined],
    ['notes', undefined],
    ['a.b/c+d/x.md', 'literal'],
    ['aXb/c+d/x.md', undefined],
    ['a.b/ccd/x.md', undefined],
    ['top.yaml', 'top'],
    ['topXyaml', undefined],
  ])('%s', (path, type) => expect(table.find(path)?.type).toBe(type));
});
