import { describe, expect, it } from 'vitest';
import { readRecords } from '../../../src/kernel/site/record-cache.ts';
import type { FileKind, FileRecord } from '../../../src/kernel/site/file-kind.ts';
import { createIndexer } from '../../../src/kernel/site/indexer.ts';
import { createRecords } from '../../../src/kernel/records/records.ts';
import type { Batch, Entry } from '../../../src/kernel/store/types.ts';

/** Files of three kinds: names that others use, notes that stand alone, pages that depend on one another. */
function indexer() {
  const records = createRecords(
    ['names', 'notes', 'pages', 'doubtful'].map((name) => ({ name, unique: {}, equal: {}, order: {}, text: {}, views: [] })),
  );
  const kind = (name: string, kept?: FileKind['cached']): FileKind => ({
    name,
    table: name,
    keys: ['id'],
    paths: [{ pattern: `${name}/**`, kind: name, type: '', space: name, fields: null }],
    read: ({ path, ...source }, id) => ({ id, path, etag: 'etag' in source ? source.etag : '' }),
    // What is wrong with a file is so only at first.
    faults: ({ etag }) => (etag.startsWith('doubtful/') && etag.endsWith('-1') ? [{ rule: 'doubt', message: etag }] : []),
    ...(kept ? { cached: kept } : {}),
  });
  const blank = ({ path, etag }: Entry, id: number): FileRecord => ({ id, path, etag });
  return createIndexer(
    [
      kind('names'),
      kind('notes', { blank, keys: ['slug'], isAlone: true }),
      kind('pages', { blank, keys: ['slug'], isAlone: false }),
      kind('doubtful'),
    ],
    records,
    { effects: () => 0, basis: () => '' },
  );
}

const states = new Map<string, number>();
/** A file whose values tell whether they were read. */
function file(path: string, id: number) {
  const state = (states.get(path) ?? 0) + 1;
  states.set(path, state);
  const found = { path, kind: 'yaml' as const, etag: `${path}-${state}`, size: 1, mtimeMs: 0, body: '', reads: 0 };
  return Object.defineProperty(found, 'data', {
    get() {
      found.reads++;
      return { id };
    },
  }) as typeof found & Entry;
}

const batch = (...entries: Entry[]): Batch => ({ entries, blobs: [], removed: [], problems: [] });

describe('the item served under the id of a file', () => {
  it('is known without reading an unchanged file again', () => {
    const indexed = indexer();
    const one = file('notes/a.md', 5);
    indexed.ingest(batch(one));
    const { reads } = one;
    expect([indexed.holder(one), indexed.isServed(one)]).toEqual(['notes/a.md', true]);
    expect(one.reads).toBe(reads);
    const other = file('notes/b.md', 5);
    expect([indexed.holder(other), indexed.isServed(other)]).toEqual(['notes/a.md', false]);
    const edited = file('notes/a.md', 6);
    expect([indexed.holder(edited), indexed.isServed(edited)]).toEqual([undefined, false]);
  });
});

describe('the record cache', () => {
  const start = () => {
    const indexed = indexer();
    const files = [file('names/n.yaml', 1), file('notes/a.md', 2), file('pages/a.md', 3), file('pages/b.md', 4)];
    indexed.ingest(batch(...files));
    /** Which of the files have a row, once `meanwhile` has been taken in while they were gathered. */
    const kept = async (meanwhile?: () => void) => {
      const keeping = indexed.keep();
      meanwhile?.();
      const rows = readRecords(Buffer.concat(await keeping));
      return files.filter(({ path, etag }) => rows?.row(path, etag) !== -1).map(({ path }) => path);
    };
    return { indexed, kept };
  };

  it('contains everything, if nothing changes meanwhile', async () => {
    expect(await start().kept()).toEqual(['notes/a.md', 'pages/a.md', 'pages/b.md']);
  });

  it.each<[string, Entry, string[]]>([
    ['a file that stands alone', file('notes/z.md', 9), ['notes/a.md', 'pages/a.md', 'pages/b.md']],
    ['one on which others may depend', file('pages/z.md', 9), ['notes/a.md']],
    ['a name that they may use', file('names/z.yaml', 9), []],
  ])('is right when %s comes meanwhile', async (_, come, rest) => {
    const { indexed, kept } = start();
    expect(await kept(() => indexed.ingest(batch(come)))).toEqual(rest);
  });
});

describe('what is wrong with the record of a file', () => {
  it('is told while the file is so', () => {
    const indexed = indexer();
    indexed.ingest(batch(file('doubtful/a.md', 5), file('doubtful/b.md', 6), file('doubtful/c.md', 7), file('notes/d.md', 8)));
    const paths = () => indexed.problems().map(({ path, rule }) => `${rule} ${path}`);
    expect(paths()).toEqual(['doubt doubtful/a.md', 'doubt doubtful/b.md', 'doubt doubtful/c.md']);
    indexed.ingest({ ...batch(file('doubtful/a.md', 5)), removed: ['doubtful/b.md'] });
    expect(paths()).toEqual(['doubt doubtful/c.md']);
    indexed.ingest(batch(file('doubtful/c.md', 9)));
    expect(paths()).toEqual([]);
  });
});
