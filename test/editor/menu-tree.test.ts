/** Moves of links in a menu. */
import { describe, expect, it } from 'vitest';
import { type Move, moved, movedBefore, type Node, parentsOf, type Tree, treeOf, without } from '../../editor/page/menu-tree.ts';

const bare = { title: '', type: 'custom', object: 'custom', object_id: 0, url: '', description: '' };
/** `a b> c>> d`: links with their depths. */
const tree = (text: string): Tree =>
  text.split(' ').map((word, at): Node => ({ ...bare, id: at + 1, target: word[0] as string, depth: word.length - 1 }));
const shown = (nodes: Tree | null): string | null =>
  nodes?.map(({ target, depth }) => target + '>'.repeat(depth)).join(' ') ?? null;

describe('a link', () => {
  it.each<[string, number, Move, string | null]>([
    ['a b> c', 2, 'up', 'c a b>'],
    ['a b> c', 0, 'down', 'c a b>'],
    ['a b> c>', 2, 'up', 'a c> b>'],
    ['a b> c>', 1, 'up', null],
    ['a b> c', 1, 'down', null],
    ['a b c>', 1, 'in', 'a b> c>>'],
    ['a b>', 1, 'in', null],
    ['a', 0, 'in', null],
    ['a b> c> d', 1, 'out', 'a c> b d'],
    ['a b', 1, 'out', null],
  ])('of %s at %i goes %s', (before, at, move, after) => {
    expect(shown(moved(tree(before), at, move))).toBe(after);
  });

  it.each<[string, number, number, string | null]>([
    ['a b> c', 2, 1, 'a c> b>'],
    ['a b> c', 0, 2, 'a b> c'],
    ['a b> c d', 0, 3, 'c a b> d'],
    ['a b> c', 0, 1, null],
    ['a b', 1, 1, null],
  ])('of %s at %i is dropped before that at %i', (before, at, target, after) => {
    expect(shown(movedBefore(tree(before), at, target))).toBe(after);
  });

  it('keeps the children of a removed item', () => {
    expect(shown(without(tree('a b> c>> d'), 0))).toBe('b c> d');
  });
});

it('links in any order become a tree, with those of a parent that is gone at the top', () => {
  const item = (id: number, parent: number, order: number) => ({ ...bare, id, parent, order, target: 'abcd'[id - 1] as string });
  const nodes = treeOf([item(3, 1, 3), item(2, 1, 2), item(1, 0, 1), item(4, 9, 4)]);
  expect(shown(nodes)).toBe('a b> c> d');
  expect(parentsOf(nodes)).toEqual([0, 1, 1, 0]);
});
