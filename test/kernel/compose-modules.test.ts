/** Modules that cannot be, or cannot be together: the site does not start, and says why. */
import { describe, expect, it } from 'vitest';
import { composeSite, openSite } from '../../src/open-site.ts';
import type { Extension, Extensions, Module } from '../../src/kernel/module.ts';
import { ModuleError } from '../../src/kernel/compose-modules.ts';
import { fail, RestError } from '../../src/kernel/errors.ts';
import type { Namespace } from '../../src/kernel/rest/types.ts';
import { startSite } from '../support/site.ts';
import { temporaryFolder } from './store/folder.ts';
import { outside } from '../modules/outside.ts';

describe('invalid modules', () => {
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
      [{ name: 'a', extend: { widget: { fields: {} } } }],
      'module a: there are no items called "widget" that take fields',
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
  ])('prevent the start: %s', async (_, some, message) => {
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

describe('error codes of modules', () => {
  const refusing = (status: number, message: string, code = 'rest_of_module'): Module => ({
    name: 'refusing',
    errors: { rest_of_module: { status, message } },
    namespaces: (): readonly Namespace[] => [
      {
        name: 'refusing/v1',
        routes: [
          {
            path: '/refusing/v1/always',
            endpoints: [
              {
                methods: ['GET'],
                args: { not: { type: 'string', validate: (value) => (value === 'x' ? fail(code as never) : null) } },
                allow: () => null,
                handle: () => fail(code as never),
              },
              { methods: ['POST'], args: {}, allow: () => ({ code }) as never, handle: () => null },
            ],
          },
        ],
      },
    ],
  });
  const always = '/refusing/v1/always';

  it('are sentences for a command as well, which reports a refusal without its site', async () => {
    await startSite({ modules: [refusing(409, 'Not today.')] });
    expect(new RestError('rest_of_module' as never).message).toBe('Not today.');
  });

  it('belong to their site, not to the process', async () => {
    const sites = [
      { site: await startSite({ modules: [refusing(409, 'Not here.')] }), status: 409, message: 'Not here.' },
      { site: await startSite({ modules: [refusing(410, 'Not there.')] }), status: 410, message: 'Not there.' },
    ];
    for (const { site, status, message } of sites) {
      const expected = { status, body: { code: 'rest_of_module', message, data: { status } } };
      expect(await site.ask('GET', always)).toMatchObject(expected);
      expect(await site.ask('POST', always)).toMatchObject(expected);
      const { body } = await site.ask('GET', `${always}?not=x`);
      expect(body).toMatchObject({ code: 'rest_invalid_param', data: { params: { not: message } } });
      await site.close();
    }
  });

  it('that no module declares are a server error', async () => {
    const site = await startSite({ modules: [refusing(409, 'Not here.', 'rest_of_nobody')] });
    for (const method of ['GET', 'POST'])
      expect(await site.ask(method, always)).toMatchObject({ status: 500, body: { code: 'internal_server_error' } });
    expect(site.log.join('\n')).toContain('no module of the site has an error code "rest_of_nobody"');
    await site.close();
  });
});
