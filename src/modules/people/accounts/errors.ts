import { later, row } from '../../../kernel/errors.ts';

export const accountErrors = {
  rest_not_logged_in: row(401, 'You are not currently logged in.'),
  rest_too_many_attempts: later(429, 300, 'Too many wrong passwords for this account. Please try again later.'),
  application_password_empty_name: row(400, 'An application password needs a name.'),
  rest_application_password_not_found: row(404, 'Application password not found.'),
  rest_cannot_create_application_passwords: row(
    'auth',
    'Sorry, you are not allowed to create application passwords for this user.',
  ),
  rest_cannot_delete_application_password: row('auth', 'Sorry, you are not allowed to delete this application password.'),
  rest_cannot_delete_application_passwords: row(
    'auth',
    'Sorry, you are not allowed to delete application passwords for this user.',
  ),
  rest_cannot_edit_application_password: row('auth', 'Sorry, you are not allowed to edit this application password.'),
  rest_cannot_introspect_app_password_for_non_authenticated_user: row(
    'auth',
    'Application passwords can only be looked into by who is signed in with them.',
  ),
  rest_cannot_list_application_passwords: row('auth', 'Sorry, you are not allowed to list application passwords for this user.'),
  rest_cannot_read_application_password: row('auth', 'Sorry, you are not allowed to read this application password.'),
  rest_no_authenticated_app_password: row(404, 'The request was not signed in with an application password.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof accountErrors, ErrorRow> {}
}
