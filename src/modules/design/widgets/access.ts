/** Permissions for sidebars, widgets and their types. */
import { forHolders } from '../../../kernel/rest/schema-helpers.ts';
import type { Call, AccessRule } from '../../../kernel/rest/types.ts';
import { type Sidebar, sidebarById, sidebarsOf } from './plan.ts';

export const manageWidgets = forHolders('edit_theme_options', 'rest_cannot_manage_widgets');

/** Public if the file says `show_in_rest`. */
export const readSidebars: AccessRule = (call) =>
  sidebarsOf(call.site).some(({ isPublic }) => isPublic) ? null : manageWidgets(call);
export const readSidebar: AccessRule = (call) => (sidebarById(call.site, call.params.id)?.isPublic ? null : manageWidgets(call));

/** Sidebars visible to the user. */
export function visibleSidebars(call: Call): readonly Sidebar[] {
  return sidebarsOf(call.site).filter(({ isPublic }) => isPublic || call.can('edit_theme_options'));
}
