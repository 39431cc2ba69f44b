/** Permissions for folders. The public API requires only the site's key, which opens nothing else. */
import { type Call, needs, type AccessRule } from '../../../kernel/rest/types.ts';
import { type Scope, shared } from './record.ts';
import type { Tree } from './tree.ts';

export const mayUse = needs('upload_files');

export const mayManage: AccessRule = (call) => (call.can('upload_files') && call.can('manage_options') ? null : 'rest_forbidden');

/** The tree of the user: the shared one, or a separate one if the site has those. */
export function scopeOf({ site, user }: Pick<Call, 'site' | 'user'>): Scope {
  return site.folderTrees.settings.USER_MODE && user ? user.id : shared;
}

export function treeOf(call: Pick<Call, 'site' | 'user'>): Tree {
  return call.site.folderTrees.of(scopeOf(call));
}
