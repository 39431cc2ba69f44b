/**
 * The settings of the site.
 *
 * Shape    name → value; null for what was reset
 * Access   those who manage options
 * Errors   rest_forbidden, rest_invalid_param, rest_invalid_stored_value
 * Source   specification 2.1; conformance scenario settings
 */
import { readSettings } from './values.ts';
import { refusalOf, writeSettings } from './plan.ts';
import { type Setting, settingsSchema } from '../../kernel/model/settings.ts';
import { type Arg, argsForUpdate, bySchema } from '../../kernel/rest/args.ts';
import { coerceValue } from '../../kernel/rest/coerce.ts';
import { type Invalid, invalid } from '../../kernel/rest/validate.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { type Call, needs, READ, UPDATE } from '../../kernel/rest/types.ts';

/** @param settings  those of the deployment */
export function createSettingRoutes(settings: readonly Setting[]): Namespace['routes'] {
  const schema = settingsSchema(settings);
  const names = Object.keys(schema.properties);
  const hooksOf = (row: Setting | undefined): Partial<Arg> => ({
    validate: (value, request, param, arg) => bySchema(value, request, param, arg) ?? usable(row, value, arg, param),
    coerce: (value, _request, param, arg) => (value === null ? null : coerceValue(value, arg, param)),
  });
  const rows = new Map(settings.map((row) => [row.name, row]));
  const args = argsForUpdate(schema.properties, Object.fromEntries(names.map((name) => [name, hooksOf(rows.get(name))])));
  return [
    {
      path: '/cms/v2/settings',
      schema: () => ({ $schema: 'http://json-schema.org/draft-04/schema#', ...schema }),
      endpoints: [
        {
          methods: READ,
          args: {},
          allow: needs('manage_options'),
          handle: ({ site, params }) => readSettings(site, undefined, params),
        },
        { methods: UPDATE, args, allow: needs('manage_options'), handle: (call) => update(call, names) },
      ],
    },
  ];
}

function usable(row: Setting | undefined, value: unknown, arg: Arg, param: string): Invalid | null {
  const refusal = row && refusalOf(row, coerceValue(value, arg, param), value);
  return refusal ? invalid('rest_invalid_param', refusal) : null;
}

async function update({ site, params }: Call, names: readonly string[]): Promise<Record<string, unknown>> {
  const given = Object.fromEntries(names.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]));
  await writeSettings(site, given);
  return readSettings(site, new Set(Object.keys(given)), params);
}
