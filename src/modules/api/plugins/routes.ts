/**
 * Plugins: the namespaces of this server. They are part of the deployment, so they cannot be installed, deactivated or deleted; responses are those
 * of the reference with file changes disabled.
 *
 * Shape    name, version, description
 * Access   users with activate_plugins
 * Errors   rest_cannot_view_plugins, rest_cannot_view_plugin, rest_cannot_manage_plugins, rest_plugin_not_found and the like
 */
import { fail } from '../../../kernel/errors.ts';
import { everywhere, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import { wireConstants } from '../../../render/wire-constants.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { bool, object, shown, text } from '../../../kernel/rest/resource-fields.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { changePlugin, deletePlugin, installPlugin, readPlugin, readPlugins } from './access.ts';
import { type ListedPlugin, pluginNamed, pluginsOf } from './plugins.ts';

const base = '/cms/v2/plugins';
const pattern = '[^.\\/]+(?:\\/[^.\\/]+)?';
const detail = { readonly: true, context: viewAndEdit };
const empty = { ...detail, get: () => '' };
const unused = { ...shown, get: () => '' };
const uri = { readonly: true, context: viewAndEdit, format: 'uri', get: () => '' } as const;
const choice = { enum: ['inactive', 'active'] };
const texts = { raw: of('string', 'As stored.'), rendered: of('string', 'As shown.') };
const ofPlugin = { context: contextArg(), plugin: of('string', 'Name of the plugin in addresses.', { pattern }) };

export const pluginRoutes = defineResource<ListedPlugin>({
  name: 'plugin',
  base,
  // biome-ignore format: columns show what the rows of the table have in common
  fields: {
    plugin:                   text('Name of the plugin in addresses.', { ...shown, pattern }),
    status:                   text('Whether the plugin works.', { ...choice, context: everywhere, get: () => 'active' }),
    name:                     text('Name of the plugin.', shown),
    plugin_uri:               text('Address of the plugin.', uri),
    author:                   text('Who made it.', empty),
    author_uri:               text('Address of who made it.', uri),
    description:              object('What the plugin is for.', { ...detail, properties: texts, get: ({ description }) => ({ raw: description, rendered: description }) }),
    version:                  text('Version of the plugin.', detail),
    network_only:             bool('Whether it works for all sites of a network alone.', { ...shown, get: () => false }),
    [wireConstants.requires]: text('Does not apply here.', unused),
    requires_php:             text('Does not apply here.', unused),
    textdomain:               text('Where its texts are translated.', empty),
  },
  links: ({ plugin }) => ({ self: `${base}/${plugin}` }),
  routes: [
    collection({
      read: {
        args: {
          context: contextArg(),
          search: of('string', 'Limit results to those that match.'),
          status: of('array', 'Limit results to plugins with these statuses.', { items: { type: 'string', ...choice } }),
        },
        allow: readPlugins,
        handle: matching,
      },
      create: {
        args: {
          slug: of('string', 'Name of the plugin in the directory.', { pattern: '[\\w\\-]+', required: true }),
          status: of('string', 'Whether the plugin works.', { ...choice, default: 'inactive' }),
        },
        allow: installPlugin,
        handle: () => fail('rest_cannot_install_plugin'),
      },
    }),
    item(`(?P<plugin>${pattern})`, {
      read: { args: ofPlugin, allow: readPlugin, handle: find },
      update: {
        args: { ...ofPlugin, status: of('string', 'Whether the plugin works.', choice) },
        allow: changePlugin,
        handle: find,
      },
      remove: { args: ofPlugin, allow: deletePlugin, handle: () => fail('rest_cannot_manage_plugins') },
    }),
  ],
});

function matching(call: Call): readonly ListedPlugin[] {
  const { search, status = [] } = call.params;
  if (status.length > 0 && !status.includes('active')) return [];
  const term = typeof search === 'string' ? search.toLowerCase() : '';
  return pluginsOf(call).filter((one) => `${one.plugin} ${one.name} ${one.description}`.toLowerCase().includes(term));
}

function find(call: Call): ListedPlugin {
  return pluginNamed(call) ?? fail('rest_plugin_not_found');
}
