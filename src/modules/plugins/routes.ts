/**
 * Plugins: the namespaces composed into this server. They are part of the deployment, so none is installed, switched off or
 * deleted over the interface; it answers as the reference does where changes of files are switched off.
 *
 * Shape    name, version, description
 * Access   whoever activates plugins
 * Errors   rest_cannot_view_plugins, rest_cannot_view_plugin, rest_plugin_not_found, rest_cannot_install_plugin,
 *          rest_cannot_deactivate_plugin, rest_cannot_manage_plugins
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { wireConstants } from '../../kernel/model/wire-constants.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { everywhere, of, type Schema, viewAndEdit } from '../../kernel/model/schema.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, CREATE, DELETE, READ, type Rule, UPDATE } from '../../kernel/rest/types.ts';
import { draft, forHolders, listOf, shown } from '../../kernel/rest/schema-helpers.ts';

interface Plugin {
  /** Namespace as the dialect spells it, fit for an address: dots are lines. */
  readonly plugin: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

const PATTERN = '[^.\\/]+(?:\\/[^.\\/]+)?';
const readonly = true;
const uri = { format: 'uri' as const };
const detail = (description: string, more: Partial<Schema> = {}): Schema =>
  of('string', description, { readonly, context: viewAndEdit, ...more });
const choice = { enum: ['inactive', 'active'] };

const fields: Fields<Plugin, null> = {
  plugin: { schema: shown('string', 'Name of the plugin in addresses.', { pattern: PATTERN }), get: (plugin) => plugin.plugin },
  status: { schema: of('string', 'Whether the plugin works.', { ...choice, context: everywhere }), get: () => 'active' },
  name: { schema: shown('string', 'Name of the plugin.'), get: (plugin) => plugin.name },
  plugin_uri: { schema: detail('Address of the plugin.', uri), get: () => '' },
  author: { schema: detail('Who made it.'), get: () => '' },
  author_uri: { schema: detail('Address of who made it.', uri), get: () => '' },
  description: {
    schema: of('object', 'What the plugin is for.', {
      readonly,
      context: viewAndEdit,
      properties: { raw: of('string', 'As stored.'), rendered: of('string', 'As shown.') },
    }),
    get: ({ description }) => ({ raw: description, rendered: description }),
  },
  version: { schema: detail('Version of the plugin.'), get: (plugin) => plugin.version },
  network_only: { schema: shown('boolean', 'Whether it works for all sites of a network alone.'), get: () => false },
  [wireConstants.requires]: { schema: shown('string', 'Does not apply here.'), get: () => '' },
  requires_php: { schema: shown('string', 'Does not apply here.'), get: () => '' },
  textdomain: { schema: detail('Where its texts are translated.'), get: () => '' },
};

const project = createProjector<Plugin, null>({
  fields,
  links: ({ plugin }, _view, { urls }) => ({
    self: [{ href: `${urls.root}${urls.dialect.spellRoute('/cms/v2/plugins')}/${plugin}` }],
  }),
});

const schema = draft('plugin', schemasOf(fields));
const plugin = of('string', 'Name of the plugin in addresses.', { pattern: PATTERN });
const mayList = forHolders('activate_plugins', 'rest_cannot_view_plugins');
const mayRead = forHolders('activate_plugins', 'rest_cannot_view_plugin');
const never =
  (code: 'rest_cannot_install_plugin' | 'rest_cannot_manage_plugins'): Rule =>
  () =>
    code;

export const pluginRoutes: Namespace['routes'] = [
  {
    path: '/cms/v2/plugins',
    schema,
    endpoints: [
      {
        methods: READ,
        args: {
          context: contextArg(),
          search: of('string', 'Limit results to those that match.'),
          status: listOf({ type: 'string', ...choice }, 'Limit results to plugins with these statuses.'),
        },
        allow: mayList,
        handle: list,
      },
      {
        methods: CREATE,
        args: {
          slug: of('string', 'Name of the plugin in the directory.', { pattern: '[\\w\\-]+', required: true }),
          status: of('string', 'Whether the plugin works.', { ...choice, default: 'inactive' }),
        },
        allow: never('rest_cannot_install_plugin'),
        handle: () => fail('rest_cannot_install_plugin'),
      },
    ],
  },
  {
    path: `/cms/v2/plugins/(?P<plugin>${PATTERN})`,
    schema,
    endpoints: [
      { methods: READ, args: { context: contextArg(), plugin }, allow: mayRead, handle: read },
      {
        methods: UPDATE,
        args: { context: contextArg(), plugin, status: of('string', 'Whether the plugin works.', choice) },
        allow: mayChange,
        handle: read,
      },
      {
        methods: DELETE,
        args: { context: contextArg(), plugin },
        allow: never('rest_cannot_manage_plugins'),
        handle: () => fail('rest_cannot_manage_plugins'),
      },
    ],
  },
];

function list(call: Call): Item[] {
  const { search, status } = call.params;
  const term = typeof search === 'string' ? search.toLowerCase() : '';
  const isWanted = !status || status.length === 0 || status.includes('active');
  const found = isWanted
    ? pluginsOf(call).filter((one) => `${one.plugin} ${one.name} ${one.description}`.toLowerCase().includes(term))
    : [];
  return found.map((one) => project(one, null, call));
}

function read(call: Call): Item {
  return project(named(call) ?? fail('rest_plugin_not_found'), null, call);
}

/** What works stays at work: asking for that is no change. */
function mayChange(call: Call): ReturnType<Rule> {
  if (!call.can('activate_plugins')) return 'rest_cannot_view_plugin';
  return call.params.status === 'inactive' && named(call) ? 'rest_cannot_deactivate_plugin' : null;
}

function named(call: Call): Plugin | undefined {
  const { dialect } = call.request;
  const wanted = dialect.readRoute(`/${call.params.plugin}`).slice(1);
  return pluginsOf(call).find((one) => dialect.readRoute(`/${one.plugin}`).slice(1) === wanted);
}

function pluginsOf({ registry, urls }: Call): readonly Plugin[] {
  return registry.namespaces.map((namespace) => {
    const spelled = urls.dialect.spellRoute(`/${namespace}`).slice(1);
    const [name = '', version = ''] = spelled.split('/');
    const routes = registry.routes.filter((route) => route.namespace === namespace).length;
    return {
      plugin: spelled.replaceAll('.', '-'),
      name,
      version: version.replace(/^v/, ''),
      description: `Answers ${routes} routes below /${spelled}.`,
    };
  });
}
