/** What a file makes of a tree, however it was written. */
import { describe, expect, it } from 'vitest';
import { readTree, subtree, type TreeFault } from '../../../../src/modules/media/folders/tree.ts';
import { cleanName, folderName } from '../../../../src/modules/media/folders/record.ts';

function read(folders: unknown) {
  const faults: TreeFault[] = [];
  let given = 1000;
  const tree = readTree(
    0,
    { path: 'media-folders/shared.yaml', etag: 'x', data: { folders } },
    (said) => (typeof said === 'number' ? said : ++given),
    (fault) => void faults.push(fault),
  );
  return { tree, faults, shown: [...subtree(tree, 0)].map(({ folder, level }) => `${'-'.repeat(level)}${folder.name}`) };
}

describe('a tree', () => {
  it('is sorted by order, then by id', () => {
    const { shown, faults } = read([
      { id: 2, name: 'B', ord: 1 },
      { id: 4, name: 'D', parent: 2 },
      { id: 3, name: 'C', parent: 2 },
      { id: 1, name: 'A', ord: 0 },
    ]);
    expect(shown).toEqual(['A', 'B', '-C', '-D']);
    expect(faults).toEqual([]);
  });

  it.each([
    ['a parent that is not there', [{ id: 1, name: 'A', parent: 9 }], ['A'], ['folder-parent']],
    ['a folder in itself', [{ id: 1, name: 'A', parent: 1 }], ['A'], ['folder-parent']],
    ['a circle', [1, 2, 3].map((id) => ({ id, name: `F${id}`, parent: (id % 3) + 1 })), ['F1', '-F3', '--F2'], ['folder-parent']],
    ['a parent that is no id', [{ id: 1, name: 'A', parent: 'B' }], ['A'], ['folder-parent']],
    ['rows that are none', ['x', null, [], { id: 1 }, { id: 2, name: 'B' }], ['B'], Array(4).fill('folder-row')],
    ['an order that is none', [{ id: 1, name: 'A', ord: 'first' }], ['A'], ['folder-row']],
    ['a colour that is none', [{ id: 1, name: 'A', color: 'red' }], ['A'], ['folder-color']],
    ['a name with markup', [{ id: 1, name: '=<i>A</i>' }], ['A'], ['folder-name']],
  ])('repairs %s, and reports it', (_what, folders, shown, rules) => {
    const found = read(folders);
    expect(found.shown).toEqual(shown);
    expect(found.faults.map(({ rule }) => rule)).toEqual(rules);
  });

  it('is at most 100 levels deep', () => {
    const { tree, faults } = read(Array.from({ length: 5000 }, (_, at) => ({ id: at + 1, name: `F${at}`, parent: at })));
    expect(Math.max(...[...subtree(tree, 0)].map(({ level }) => level))).toBe(99);
    expect(faults).toHaveLength(49);
    expect(tree.byId.size).toBe(5000);
  });
});

describe('a name', () => {
  it.each([
    ['  Press \n kit ', 'Press kit'],
    ['=+-@|=cmd', 'cmd'],
    ['<b>Bold</b><script>x</script> & more', 'Bold & more'],
    ['a\u0000b\u0007c', 'a b c'],
    ['e\u0301', '\u00e9'],
    ['= - ', ''],
    ['a = b', 'a = b'],
  ])('%j is %j', (text, name) => {
    expect(cleanName(text)).toBe(name);
  });

  it('in a file has at most 250 characters', () => {
    expect(folderName('x'.repeat(300))).toHaveLength(250);
  });
});
