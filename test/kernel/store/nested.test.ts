import { expect, test } from 'vitest';
import { editYaml } from '../../../src/kernel/yaml/edit.ts';
const text =
  'id: 1\nitems:\n  - page: about # us\n    # below\n    items:\n      - page: about/team # they\n  - url: /x\n    title: X # keep\n';
test('ids are added, and comments kept', () => {
  expect(
    editYaml(
      text,
      {
        items: [
          { page: 'about', id: 3, items: [{ page: 'about/team', id: 4 }] },
          { url: '/x', title: 'X', id: 5 },
        ],
      },
      ['id', 'items'],
      '\n',
    ),
  ).toBe(
    'id: 1\nitems:\n  - page: about # us\n    id: 3\n    # below\n    items:\n      - page: about/team # they\n        id: 4\n  - url: /x\n    title: X # keep\n    id: 5\n',
  );
});
const known =
  'id: 1\nitems:\n  - page: about # us\n    id: 3\n    items:\n      - page: about/team # they\n        id: 4\n  - url: /x\n    title: X # keep\n    id: 5\n';
test('fields of nested items change in place', () => {
  const items = [
    { page: 'about', id: 3, items: [{ page: 'about/team', title: 'T', id: 4 }] },
    { url: '/y', title: 'X', id: 5 },
  ];
  expect(editYaml(known, { items }, ['id', 'items'], '\n')).toBe(
    'id: 1\nitems:\n  - page: about # us\n    id: 3\n    items:\n      - page: about/team # they\n        id: 4\n  - url: /y\n    title: X # keep\n    id: 5\n'.replace(
      '# they\n',
      '# they\n        title: T\n',
    ),
  );
});
