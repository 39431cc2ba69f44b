/**
 * Strings over the interface, `lang/st/v1`.
 *
 * Shape    import: `{total, remaining, scan_message}`; generation: `{remaining}`, or `{error}` where nothing can be written; settings: null
 * Access   manage_options
 * Errors   rest_forbidden, rest_invalid_param, rest_missing_callback_param, lang_too_large
 * Source   specification 4.14; reference on languages, 9; recordings lang-service
 */
import { fail } from '../../../kernel/errors.ts';
import { of } from '../../../kernel/model/schema.ts';
import { asSent } from '../../../kernel/rest/args.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE, needs } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createGenerator, type Generator } from './generate.ts';
import { namePattern, saveSetting } from './settings.ts';

/** Of the data of a setting, as JSON. */
const maxSettingBytes = 64 * 1024;

const mayManage = needs('manage_options');
const components = (description: string) => of('array', description, { items: { type: 'string' }, default: [] });
const name = (description: string) => of('string', description, { pattern: namePattern, required: true });

export function stringRoutes(site: Site): Namespace['routes'] {
  const generator = createGenerator(site);
  return [
    {
      path: '/lang/st/v1/import_mo_strings',
      endpoints: [
        {
          methods: CREATE,
          args: {
            plugins: components('Names of plugins whose files are imported.'),
            themes: components('Names of themes whose files are imported.'),
            other: components('Names of other components whose files are imported.'),
          },
          allow: mayManage,
          handle: importFiles,
        },
      ],
    },
    {
      path: '/lang/st/v1/pre_generate_mo_files',
      endpoints: [{ methods: CREATE, args: {}, allow: mayManage, handle: () => generate(generator) }],
    },
    {
      path: '/lang/st/v1/settings',
      endpoints: [
        {
          methods: CREATE,
          args: {
            group: name('Name of the group.'),
            key: name('Name of the setting in its group.'),
            data: { description: 'Its value.', required: true, ...asSent },
          },
          allow: mayManage,
          handle: set,
        },
      ],
    },
  ];
}

async function importFiles({ site, params }: Call) {
  const { plugins: plugin, themes: theme, other } = params;
  const isAll = [plugin, theme, other].every((names: readonly string[]) => names.length === 0);
  const { total, remaining } = await site.languageFiles.import(isAll ? null : { plugin, theme, other });
  const of = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;
  return { total, remaining, scan_message: `${of(total - remaining)} imported, ${of(remaining)} left.` };
}

/** Codes of a folder that cannot be written. */
const unwritable: readonly string[] = ['EACCES', 'EPERM', 'EROFS'];

async function generate(generator: Generator) {
  try {
    return { remaining: await generator.run() };
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    if (unwritable.includes((cause as { code?: string }).code ?? '')) return { error: 'no access' };
    throw error;
  }
}

async function set({ site, params: { group, key, data } }: Call): Promise<null> {
  if (Buffer.byteLength(JSON.stringify(data)) > maxSettingBytes) fail('lang_too_large', { limit: maxSettingBytes });
  await saveSetting(site, group, key, data);
  return null;
}
