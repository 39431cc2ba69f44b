/** Permissions for blocks, patterns and their directories. */
import { forEditors } from '../../people/accounts/record.ts';
import type { AccessRule } from '../../../kernel/rest/types.ts';

export const readPatterns = forEditors('rest_cannot_view');
export const readBlockTypes = forEditors('rest_block_type_cannot_view');
export const searchPatternDirectory = forEditors('rest_pattern_directory_cannot_view');

/** Requires the right to install and activate plugins. */
export const searchBlockDirectory: AccessRule = ({ can }) =>
  can('install_plugins') && can('activate_plugins') ? null : 'rest_block_directory_cannot_view';
