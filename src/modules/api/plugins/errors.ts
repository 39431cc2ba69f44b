import { row } from '../../../kernel/errors.ts';

export const pluginErrors = {
  rest_cannot_deactivate_plugin: row('auth', 'Sorry, you are not allowed to deactivate this plugin.'),
  rest_cannot_install_plugin: row('auth', 'Sorry, you are not allowed to install plugins on this site.'),
  rest_cannot_manage_plugins: row('auth', 'Sorry, you are not allowed to delete plugins for this site.'),
  rest_cannot_view_plugin: row('auth', 'Sorry, you are not allowed to manage this plugin.'),
  rest_cannot_view_plugins: row('auth', 'Sorry, you are not allowed to manage plugins for this site.'),
  rest_plugin_not_found: row(404, 'Plugin not found.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof pluginErrors, ErrorRow> {}
}
