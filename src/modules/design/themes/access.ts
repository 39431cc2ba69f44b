/** Permissions for themes and templates. */
import { forHolders } from '../../../kernel/rest/schema-helpers.ts';
import { forEditors, canEditSomething } from '../../people/accounts/record.ts';
import type { AccessRule } from '../../../kernel/rest/types.ts';
import { themeOf } from './themes.ts';

/** The list requires the right to switch themes; users who edit items see the active one. */
export const readThemes: AccessRule = (call) => {
  if (call.can('switch_themes')) return null;
  const { status } = call.params;
  const isActive = Array.isArray(status) && status.length === 1 && status[0] === 'active';
  return isActive ? readActiveTheme(call) : 'rest_cannot_view_themes';
};

export const readTheme: AccessRule = (call) => {
  if (call.can('switch_themes')) return null;
  return call.params.stylesheet === themeOf(call.site).stylesheet ? readActiveTheme(call) : 'rest_cannot_view_themes';
};

const readActiveTheme: AccessRule = ({ site, user }) =>
  canEditSomething(site.access, user) ? null : 'rest_cannot_view_active_theme';

export const readTemplates = forEditors('rest_cannot_manage_templates');
export const manageTemplates = forHolders('edit_theme_options', 'rest_cannot_manage_templates');
