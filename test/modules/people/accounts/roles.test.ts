import { describe, expect, it } from 'vitest';
import {
  administrator,
  author,
  contributor,
  defineRole,
  editor,
  standardRoles,
  subscriber,
} from '../../../../src/modules/people/accounts/roles.ts';

const levels = (top: number): string[] => Array.from({ length: top + 1 }, (_, i) => `level_${i}`);
const ofPosts = 'edit_posts delete_posts'.split(' ');
const ofAuthors = 'upload_files edit_published_posts publish_posts delete_published_posts'.split(' ');

// Recorded in users.json: `capabilities` in the edit context, without the role's own name.
const rows = [
  { role: subscriber, size: 2, has: ['read', ...levels(0)], not: ['edit_posts'] },
  { role: contributor, size: 5, has: ['read', ...levels(1), ...ofPosts], not: ['upload_files'] },
  {
    role: author,
    size: 10,
    has: ['read', ...levels(2), ...ofPosts, ...ofAuthors],
    not: ['edit_others_posts', 'unfiltered_html'],
  },
  {
    role: editor,
    size: 34,
    has: [...levels(7), 'unfiltered_html', 'manage_categories', 'delete_private_pages'],
    not: ['level_8'],
  },
  {
    role: administrator,
    size: 61,
    has: [...levels(10), 'manage_options', 'promote_users', 'import'],
    not: ['create_app_password'],
  },
];

describe('standard roles', () => {
  it.each(rows)('$role.name', ({ role, size, has, not }) => {
    expect(role.capabilities).toHaveLength(size);
    expect(role.capabilities).toEqual(expect.arrayContaining(has));
    for (const one of not) expect(role.capabilities).not.toContain(one);
  });

  it('are ordered, each with all capabilities of the next', () => {
    expect(standardRoles.map((role) => role.name)).toEqual(['administrator', 'editor', 'author', 'contributor', 'subscriber']);
    standardRoles.slice(1).forEach((role, i) => {
      expect(standardRoles[i]?.capabilities).toEqual(expect.arrayContaining([...role.capabilities]));
    });
  });

  it('a role of a namespace lists each capability once', () => {
    const translator = defineRole({ name: 'translator', label: 'Translator', from: subscriber, adds: ['read', 'translate'] });
    expect(translator.capabilities).toEqual(['read', 'level_0', 'translate']);
  });
});
