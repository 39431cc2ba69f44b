/** Modules that cannot be, or cannot be together: the site does not start, and says why. */
import { describe, expect, it } from 'vitest';
import { composeSite, openSite } from '../../src/open-site.ts';
import type { Extension, Extensions, Module } from '../../src/kernel/module.ts';
import { ModuleError } from '../../src/kernel/compose-modules.ts';
import { temporaryFolder } from './store/folder.ts';
import { outside } from '../modules/outside.ts';

describe('modules that cannot be', () => {
  const field = (outside.extend as Extensions).post?.fields?.mood as Extension;
  const silent = {
    schema: { type: 'string', readonly: true },
    get: () => '',
    file: { key: 'x', read: () => {}, print: () => '' },
  } as const;
  const other: Module = { ...outside, name: 'others' };
  it.each<[string, readonly Module[], string]>([
    ['two of one name', [outside, outside], 'the module "moods" comes from two modules: moods and moods'],
    [
      'a setting twice',
      [outside, { ...other, errors: {}, collections: [] }],
      'the setting (key) "mood" comes from two modules: moods and others',
    ],
    [
      'a setting of the house',
      [{ name: 'a', settings: [{ key: 'name', group: '', schema: {}, default: '' }] }],
      'the setting (key) "name" comes from two modules: settings and a',
    ],
    [
      'an error code twice',
      [outside, { name: 'b', errors: { moods_unknown: { status: 400, message: 'x' } } }],
      'the error code "moods_unknown" comes from two modules: moods and b',
    ],
    [
      'an error code of the house',
      [{ name: 'a', errors: { rest_no_route: { status: 400, message: 'x' } } }],
      'module a: the error code "rest_no_route" means "No route was found matching the URL and request method." already',
    ],
    [
      'a field twice',
      [outside, { name: 'b', extend: { post: { fields: { mood: field } } } } as Module],
      'the fields of post: "mood" comes from two modules: moods and b',
    ],
    [
      'a field of the house',
      [{ name: 'a', extend: { post: { fields: { title: field } } } } as Module],
      'post has a field "title" already',
    ],
    [
      'a key of the house',
      [
        {
          name: 'a',
          extend: {
            post: {
              fields: {
                x: {
                  ...silent,
                  file: {
                    ...silent.file,
                    key: 'title',
                    read: (_: unknown, draft: any) => {
                      draft.x = '';
                    },
                  },
                },
              },
            },
          },
        },
      ],
      'files of post have a key "title" already',
    ],
    [
      'a field that a snapshot loses',
      [{ name: 'a', extend: { post: { fields: { x: silent } } } }],
      'module a: post.x leaves the record as it is when the file has no x',
    ],
    [
      'a field that is written for nothing',
      [{ name: 'a', extend: { post: { fields: { x: { schema: { type: 'string' }, get: () => '' } } } } }],
      'module a: post.x can be written and has no set; its schema may say readonly',
    ],
    [
      'items that are not there',
      [{ name: 'a', extend: { pots: { fields: {} } } }],
      'module a: there are no items called "pots" that take fields',
    ],
    [
      'fields of what takes none',
      [{ name: 'a', extend: { revision: { fields: {} } } }],
      'module a: there are no items called "revision" that take fields',
    ],
    [
      'a parameter of the house',
      [{ name: 'a', extend: { post: { params: { page: { where: () => [] } } } } }],
      '/cms/v2/posts has an argument "page" already',
    ],
    ['an argument of the house', [{ name: 'a', args: { context: {} } }], '/ has an argument "context" already'],
    [
      'routes of a type twice',
      [{ name: 'a', typeRoutes: { attachment: () => [] } }],
      'the routes of the type "attachment" comes from two modules: media and a',
    ],
  ])('%s: the site does not start', async (_, some, message) => {
    const folder = temporaryFolder({ 'site.yaml': 'name: Site\n' });
    const start = async (): Promise<void> => {
      const site = await openSite(folder.dir, { modules: some, readOnly: true });
      try {
        composeSite(site);
      } finally {
        await site.close();
      }
    };
    await expect(start()).rejects.toThrow(new ModuleError(message));
  });
});
