/**
 * The settings of the site.
 *
 * Shape    name → value; null after a reset
 * Access   users with manage_options
 * Errors   rest_forbidden, rest_invalid_param, rest_invalid_stored_value, rest_conflict
 * Source   specification 2.1; conformance scenario settings
 */
import { readSettings, settingsSchema, settingsState } from './values.ts';
import { refusalOf, writeSettings } from './plan.ts';
import type { Setting } from '../../../kernel/model/settings.ts';
import { readPrivate } from '../../../kernel/site/settings.ts';
import { type Arg, bySchema } from '../../../kernel/rest/args.ts';
import { coerceValue } from '../../../kernel/rest/coerce.ts';
import { type Invalid, invalid } from '../../../kernel/rest/validate.ts';
import { inState } from '../../../kernel/rest/preconditions.ts';
import { collection, defineResource } from '../../../kernel/rest/resource.ts';
import { type Call, type Namespace, needs } from '../../../kernel/rest/types.ts';

interface Read {
  readonly values: Readonly<Record<string, unknown>>;
  /** For `If-Match`. */
  readonly etag: string;
}

/** @param settings  those of the deployment */
export function createSettingRoutes(settings: readonly Setting[]): Namespace['routes'] {
  const { properties } = settingsSchema(settings);
  const names = Object.keys(properties);
  const rows = new Map(settings.map((row) => [row.name, row]));
  const hooksOf = (row: Setting | undefined): Partial<Arg> => ({
    validate: (value, request, param, arg) => bySchema(value, request, param, arg) ?? usable(row, value, arg, param),
    coerce: (value, _request, param, arg) => (value === null ? null : coerceValue(value, arg, param)),
  });
  const allow = needs('manage_options');
  return defineResource<Read>({
    name: 'settings',
    base: '/cms/v2/settings',
    fields: Object.fromEntries(
      names.map((name) => [name, { schema: properties[name], get: ({ values }: Read) => values[name] }]),
    ),
    hooks: Object.fromEntries(names.map((name) => [name, hooksOf(rows.get(name))])),
    state: ({ etag }) => etag,
    routes: [
      collection<Read>({
        read: { args: {}, allow, handle: (call) => read(call) },
        update: { args: 'writable', allow, handle: (call) => update(call, names) },
      }),
    ],
  });
}

function usable(row: Setting | undefined, value: unknown, arg: Arg, param: string): Invalid | null {
  const refusal = row && refusalOf(row, coerceValue(value, arg, param), value);
  return refusal ? invalid('rest_invalid_param', refusal) : null;
}

async function read({ site, params }: Call, written?: ReadonlySet<string>): Promise<Read> {
  const secrets = await readPrivate(site.store.private);
  return { etag: settingsState(site, secrets), values: readSettings(site, secrets, written, params) };
}

async function update(call: Call, names: readonly string[]): Promise<Read> {
  const { site, params } = call;
  const given = Object.fromEntries(names.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]));
  await writeSettings(site, given, (etag) => inState(call, { etag }));
  return read(call, new Set(Object.keys(given)));
}
