/** Who may see plugins. They cannot be changed, because they are part of the deployment. */
import { forHolders } from '../../../kernel/rest/schema-helpers.ts';
import type { AccessRule } from '../../../kernel/rest/types.ts';
import { pluginNamed } from './plugins.ts';

export const readPlugins = forHolders('activate_plugins', 'rest_cannot_view_plugins');
export const readPlugin = forHolders('activate_plugins', 'rest_cannot_view_plugin');
export const installPlugin: AccessRule = () => 'rest_cannot_install_plugin';
export const deletePlugin: AccessRule = () => 'rest_cannot_manage_plugins';

/** Activating an active plugin is no change. */
export const changePlugin: AccessRule = (call) => {
  const isToStop = call.params.status === 'inactive' && pluginNamed(call) !== undefined;
  return readPlugin(call) ?? (isToStop ? 'rest_cannot_deactivate_plugin' : null);
};
