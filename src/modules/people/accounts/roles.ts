/**
 * Roles and their primitive capabilities.
 *
 * A role extends another one; `defineRole` expands it. Rights on a specific post, term or user are in `capabilities.ts`.
 */
import { table } from '../../../kernel/model/maps.ts';
import { type RoleName, roleNames } from '../../../kernel/model/roles.ts';

export interface Role {
  readonly name: string;
  readonly label: string;
  /** Inherited ones first. */
  readonly capabilities: readonly string[];
}

interface RoleInput {
  readonly name: string;
  readonly label: string;
  /** The role it extends. */
  readonly from?: Role;
  readonly adds: readonly string[];
}

/** A role with inherited capabilities, each once. */
export function defineRole({ name, label, from, adds }: RoleInput): Role {
  return { name, label, capabilities: [...new Set([...(from?.capabilities ?? []), ...adds])] };
}

export const subscriber = defineRole({ name: 'subscriber', label: 'Subscriber', adds: ['read', 'level_0'] });

export const contributor = defineRole({
  name: 'contributor',
  label: 'Contributor',
  from: subscriber,
  adds: ['level_1', 'edit_posts', 'delete_posts'],
});

export const author = defineRole({
  name: 'author',
  label: 'Author',
  from: contributor,
  adds: ['level_2', 'upload_files', 'publish_posts', 'edit_published_posts', 'delete_published_posts'],
});

export const editor = defineRole({
  name: 'editor',
  label: 'Editor',
  from: author,
  adds: [
    ...levels(3, 7),
    ...words('moderate_comments manage_categories manage_links unfiltered_html'),
    ...words('edit_others_posts edit_private_posts read_private_posts delete_others_posts delete_private_posts'),
    ...words('edit_pages edit_others_pages edit_published_pages edit_private_pages publish_pages read_private_pages'),
    ...words('delete_pages delete_others_pages delete_published_pages delete_private_pages'),
  ],
});

export const administrator = defineRole({
  name: 'administrator',
  label: 'Administrator',
  from: editor,
  adds: [
    ...levels(8, 10),
    ...words('manage_options edit_dashboard import export edit_files unfiltered_upload update_core'),
    ...words('list_users create_users edit_users delete_users promote_users remove_users'),
    ...words('switch_themes edit_theme_options edit_themes install_themes update_themes delete_themes'),
    ...words('activate_plugins edit_plugins install_plugins update_plugins delete_plugins'),
  ],
});

const roles: Readonly<Record<RoleName, Role>> = table({ administrator, editor, author, contributor, subscriber });

export const standardRoles: readonly Role[] = roleNames.map((name) => roles[name]);

/** Legacy user levels, which clients still read from `capabilities`. */
function levels(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => `level_${first + i}`);
}

function words(text: string): string[] {
  return text.split(' ');
}
