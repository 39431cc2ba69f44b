import { bare, row } from '../../../kernel/errors.ts';

export const userErrors = {
  existing_user_email: bare('This email address is already used.'),
  existing_user_login: bare('This login name is already used.'),
  rest_cannot_create_user: row('auth', 'Sorry, you are not allowed to create new users.'),
  rest_cannot_edit_roles: row('auth', 'Sorry, you are not allowed to edit roles of this user.'),
  rest_forbidden_orderby: row('auth', 'Sorry, you are not allowed to order users by this parameter.'),
  rest_forbidden_who: row('auth', 'Sorry, you are not allowed to query users by this parameter.'),
  rest_user_cannot_delete: row('auth', 'Sorry, you are not allowed to delete this user.'),
  rest_user_cannot_view: row('auth', 'Sorry, you are not allowed to list users.'),
  rest_user_exists: row(400, 'Cannot create existing user.'),
  rest_user_invalid_argument: row(400, 'Login names cannot be changed.'),
  rest_user_invalid_email: row(400, 'Invalid email address.'),
  rest_user_invalid_id: row(404, 'Invalid user ID.'),
  rest_user_invalid_password: row(400, 'Passwords cannot be empty or hold a backslash.'),
  rest_user_invalid_reassign: row(400, 'Invalid user ID for reassignment.'),
  rest_user_invalid_role: row(400, 'The role does not exist.'),
  rest_user_invalid_slug: row(400, 'Invalid slug.'),
  rest_user_invalid_username: row(400, 'This login name holds characters that are not allowed.'),
  user_login_too_long: bare('A login name has at most 60 characters.'),
  user_nicename_too_long: bare('The slug of a user has at most 50 characters.'),
  user_url_too_long: bare('The address of a user has at most 100 characters.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof userErrors, ErrorRow> {}
}
