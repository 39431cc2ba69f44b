import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dropNode,
  everyNode,
  type MenuNode,
  printTarget,
  printTree,
  putNode,
  type RawItem,
  readItems,
  readTarget,
  readTree,
  type TargetWords,
} from '../../../src/modules/menus/menu-tree.ts';

const words: TargetWords = new Map([
  ['category', { itemType: 'taxonomy', object: 'category' }],
  ['tag', { itemType: 'taxonomy', object: 'post_tag' }],
  ['page', { itemType: 'post_type', object: 'page' }],
]);

const targets: readonly (readonly [name: string, raw: RawItem, target: object])[] = [
  ['a page by its path', { page: 'about/team' }, { itemType: 'post_type', object: 'page', ref: 'about/team', url: '' }],
  ['a page by its id', { page: 7 }, { itemType: 'post_type', object: 'page', ref: 7, url: '' }],
  ['a tag', { tag: 'walks' }, { itemType: 'taxonomy', object: 'post_tag', ref: 'walks', url: '' }],
  ['an address', { url: 'https://a.example/' }, { itemType: 'custom', object: 'custom', ref: 0, url: 'https://a.example/' }],
  ['nothing', {}, { itemType: 'custom', object: 'custom', ref: 0, url: '' }],
  ['an archive', { archive: 'book' }, { itemType: 'post_type_archive', object: 'book', ref: 0, url: '' }],
  [
    'something without a word',
    { type: 'post_type', object: 'planet', object_id: 3 },
    { itemType: 'post_type', object: 'planet', ref: 3, url: '' },
  ],
];

test.each(targets)('%s is read and printed', (_name, raw, target) => {
  expect(readTarget(raw, words)).toEqual(target);
  expect(printTarget(readTarget(raw, words), words)).toEqual(raw);
});

test.each([
  ['no list', 'about'],
  ['a bare text', ['about']],
  ['no list below', [{ page: 'about', items: 'team' }]],
])('%s is not a list of items', (_name, raw) => {
  expect(() => readItems(raw)).toThrow(/list|menu item/);
});

test('order and parent follow from the position in the file', () => {
  const tree = readTree(
    [{ id: 1, items: [{ id: 2 }, { id: 3, order: 9 }] }, { id: 4 }, { id: 5, parent: 77 }],
    (raw) => raw.id as number,
  );
  expect([...everyNode(tree)].map(({ id, parent, order }) => [id, parent, order])).toEqual([
    [1, 0, 1],
    [2, 1, 2],
    [3, 1, 9],
    [4, 0, 10],
    [5, 77, 11],
  ]);
});

test('children of a dropped item stay in place and keep their parent', () => {
  const tree = readTree([{ id: 1, items: [{ id: 2 }] }, { id: 3 }], (raw) => raw.id as number);
  expect(printTree(dropNode(tree, 1))).toEqual([{ id: 2, parent: 1, order: 2 }, { id: 3 }]);
});

test('an item moved below one of its own children goes to the top level', () => {
  const [first] = readTree([{ id: 1, items: [{ id: 2 }] }], (raw) => raw.id as number);
  expect(printTree(putNode([], { ...(first as MenuNode), parent: 2 }))).toEqual([{ id: 1, parent: 2, items: [{ id: 2 }] }]);
});

/** Any sequence of placements and removals. */
const steps = fc.array(
  fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    parent: fc.integer({ min: 0, max: 12 }),
    order: fc.integer({ min: 0, max: 12 }),
    gone: fc.boolean(),
  }),
  { maxLength: 25 },
);

test('any change to a menu is in its file', () => {
  fc.assert(
    fc.property(steps, (list) => {
      let nodes: readonly MenuNode[] = [];
      const wanted = new Map<number, string>();
      for (const { id, parent, order, gone } of list) {
        if (wanted.has(id) || gone) {
          nodes = dropNode(nodes, id);
          wanted.delete(id);
        }
        if (gone || parent === id) continue;
        nodes = putNode(nodes, { id, own: { url: `/${id}` }, parent, order, children: [] });
        wanted.set(id, `${parent}:${order}`);
      }
      const read = readTree(printTree(nodes), (raw) => raw.id as number);
      expect(new Map([...everyNode(read)].map((node) => [node.id, `${node.parent}:${node.order}`]))).toEqual(wanted);
      expect(printTree(read)).toEqual(printTree(nodes));
    }),
    { numRuns: 300 },
  );
});
