/** Permissions for folders. The public API requires only the site's key, which opens nothing else. */
import type { ErrorRow } from '../../../kernel/errors.ts';
import { type Call, needs, type AccessRule } from '../../../kernel/rest/types.ts';
import { type Scope, shared } from './record.ts';
import type { Tree } from './tree.ts';

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors {
    validation_failed: ErrorRow;
    folder_name_exist: ErrorRow;
    invalid_params: ErrorRow;
    delete_failed: ErrorRow;
  }
}

export const mayUse = needs('upload_files');

export const mayManage: AccessRule = (call) => (call.can('upload_files') && call.can('manage_options') ? null : 'rest_forbidden');

/** The tree of the user: the shared one, or a separate one if the site has those. */
export function scopeOf({ site, user }: Pick<Call, 'site' | 'user'>): Scope {
  return site.folderTrees.settings.USER_MODE && user ? user.id : shared;
}

export function treeOf(call: Pick<Call, 'site' | 'user'>): Tree {
  return call.site.folderTrees.of(scopeOf(call));
}

/** Errors of routes with bare values. The reference sends them as 500; they are client errors. */
export const folderErrors = {
  validation_failed: { status: 400, message: 'Validation failed.' },
  folder_name_exist: { status: 400, message: 'A folder with this name already exists. Please choose another one.' },
  invalid_params: { status: 400, message: 'Invalid parameters.' },
  delete_failed: { status: 400, message: 'No folder was named, so none was deleted.' },
} as const satisfies Readonly<Record<string, ErrorRow>>;
