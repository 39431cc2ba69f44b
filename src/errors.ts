/**
 * Every refusal of the interface: code → status and sentence. The one place an error is declared.
 *
 * A status of `auth` is 401 for a visitor and 403 for a signed-in user; `resolveStatus` decides it, once,
 * where the answer is written.
 */

interface ErrorRow {
  readonly status: number | 'auth';
  readonly message: string;
  /** Answered with `data: null`: refusals that the reference passes on without a status of their own. */
  readonly bare?: true;
}

const row = (status: number | 'auth', message: string): ErrorRow => ({ status, message });
const bare = (message: string): ErrorRow => ({ status: 500, message, bare: true });

export const errors = {
  comment_author_column_length: row(400, 'The name of a commenter has at most 245 characters.'),
  comment_author_email_column_length: row(400, 'The e-mail address of a commenter has at most 100 characters.'),
  comment_author_url_column_length: row(400, 'The address of a commenter has at most 200 characters.'),
  comment_content_column_length: row(400, 'A comment has at most 65525 bytes.'),
  comment_duplicate: row(409, 'Duplicate comment detected; it looks as though you have already said that.'),
  comment_flood: row(400, 'You are posting comments too quickly. Slow down.'),
  rest_cannot_create_note: row('auth', 'Sorry, you are not allowed to create notes for this post.'),
  rest_cannot_read_post: row('auth', 'Sorry, you are not allowed to read the post for this comment.'),
  rest_comment_author_data_required: row(400, 'Creating a comment requires valid author name and email values.'),
  rest_comment_author_invalid: row(400, 'Invalid comment author ID.'),
  rest_comment_closed: row(403, 'Sorry, comments are closed for this item.'),
  rest_comment_content_invalid: row(400, 'Invalid comment content.'),
  rest_comment_draft_post: row(403, 'Sorry, you are not allowed to create a comment on this post.'),
  rest_comment_exists: row(400, 'Cannot create existing comment.'),
  rest_comment_failed_edit: row(500, 'Updating comment status failed.'),
  rest_comment_invalid_author: row('auth', 'Sorry, you are not allowed to edit the author of comments.'),
  rest_comment_invalid_author_ip: row('auth', 'Sorry, you are not allowed to edit the IP address of comments.'),
  rest_comment_invalid_id: row(404, 'Invalid comment ID.'),
  rest_comment_invalid_post_id: row(403, 'Sorry, you are not allowed to create this comment without a post.'),
  rest_comment_invalid_status: row('auth', 'Sorry, you are not allowed to edit the status of comments.'),
  rest_comment_invalid_type: row(404, 'Sorry, you are not allowed to change the comment type.'),
  rest_comment_login_required: row(401, 'Sorry, you must be logged in to comment.'),
  rest_comment_not_supported_post_type: row(403, 'Sorry, this post type does not support notes.'),
  rest_comment_trash_post: row(403, 'Sorry, you are not allowed to create a comment on this post.'),
  rest_forbidden_param: row('auth', 'Query parameter not permitted.'),
  rest_invalid_comment_type: row(400, 'Cannot create a comment with that type.'),
  ability_invalid_input: row(400, 'The input does not fit the ability.'),
  ability_missing_input_schema: row(400, 'The ability takes no input.'),
  no_content: row(404, 'Unable to retrieve the body of the response at this URL.'),
  no_fallback_menu: row(404, 'No fallback menu found.'),
  no_response: row(404, 'URL not found. Response returned a non-200 status code for this URL.'),
  not_available: row(500, 'Directory sizes could not be returned.'),
  oembed_invalid_url: row(404, 'Not Found'),
  rest_ability_cannot_execute: row('auth', 'Sorry, you are not allowed to execute this ability.'),
  rest_ability_category_not_found: row(404, 'Ability category not found.'),
  rest_ability_invalid_method: row(405, 'The ability is run with another method.'),
  rest_ability_not_found: row(404, 'Ability not found.'),
  rest_cannot_export_templates: row('auth', 'Sorry, you are not allowed to export templates and template parts.'),
  rest_cannot_view_url_details: row('auth', 'Sorry, you are not allowed to process remote URLs.'),
  rest_search_invalid_page_number: row(400, 'The page number requested is larger than the number of pages available.'),
  rest_search_invalid_type: row(400, 'Invalid type parameter.'),
  rest_no_route: row(404, 'No route was found matching the URL and request method.'),
  rest_invalid_json: row(400, 'Invalid JSON body passed.'),
  rest_invalid_param: row(400, 'Invalid parameter(s).'),
  rest_missing_callback_param: row(400, 'Missing parameter(s).'),
  rest_forbidden: row('auth', 'Sorry, you are not allowed to do that.'),
  rest_forbidden_context: row('auth', 'Sorry, you are not allowed to read this in the edit context.'),
  rest_cannot_view: row('auth', 'Sorry, you are not allowed to view this resource.'),
  rest_not_logged_in: row(401, 'You are not currently logged in.'),
  rest_cookie_invalid_nonce: row(403, 'Cookie check failed.'),
  rest_trash_not_supported: row(501, "This item does not support trashing. Set 'force=true' to delete."),
  internal_server_error: row(500, 'There has been a critical error on this website.'),
  empty_content: row(400, 'Content, title, and excerpt are empty.'),
  rest_already_trashed: row(410, 'The post has already been deleted.'),
  rest_cannot_publish: row('auth', 'Sorry, you are not allowed to publish posts in this post type.'),
  rest_invalid_author: row(400, 'Invalid author ID.'),
  rest_invalid_field: row(400, 'A field has a value that does not fit the others.'),
  rest_post_invalid_id: row(404, 'Invalid post ID.'),
  rest_post_invalid_parent: row(404, 'Invalid post parent ID.'),
  rest_invalid_featured_media: row(400, 'Invalid featured media ID.'),
  rest_post_exists: row(400, 'Cannot create existing post.'),
  rest_cannot_create: row('auth', 'Sorry, you are not allowed to create posts as this user.'),
  rest_cannot_edit: row('auth', 'Sorry, you are not allowed to edit this post.'),
  rest_cannot_edit_others: row('auth', 'Sorry, you are not allowed to update posts as this user.'),
  rest_cannot_assign_sticky: row('auth', 'Sorry, you are not allowed to make posts sticky.'),
  rest_cannot_assign_term: row('auth', 'Sorry, you are not allowed to assign the provided terms.'),
  rest_cannot_delete: row('auth', 'Sorry, you are not allowed to delete this post.'),
  rest_cannot_read: row('auth', 'Sorry, you are not allowed to view this item.'),
  rest_user_cannot_delete_post: row('auth', 'Sorry, you are not allowed to delete this post.'),
  rest_post_incorrect_password: row(403, 'Incorrect post password.'),
  rest_post_invalid_page_number: row(400, 'The page number requested is larger than the number of pages available.'),
  rest_no_search_term_defined: row(400, 'You need to define a search term to order by relevance.'),
  rest_orderby_include_missing_include: row(400, 'You need to define an include parameter to order by include.'),
  rest_revision_invalid_offset_number: row(
    400,
    'The offset number requested is larger than or equal to the number of available revisions.',
  ),
  rest_revision_invalid_page_number: row(400, 'The page number requested is larger than the number of pages available.'),
  rest_invalid_type: row(400, 'A value has the wrong type.'),
  duplicate_term_slug: bare('Another term of this taxonomy has the slug already.'),
  empty_term_name: bare('A term needs a name.'),
  term_exists: row(400, 'A term with the name provided already exists here.'),
  rest_term_invalid: row(404, 'Term does not exist.'),
  rest_taxonomy_not_hierarchical: row(400, 'Terms of this taxonomy have no parents.'),
  rest_cannot_update: row('auth', 'Sorry, you are not allowed to edit this item.'),
  rest_type_invalid: row(404, 'Invalid post type.'),
  rest_cannot_read_type: row('auth', 'Sorry, you are not allowed to view this post type.'),
  rest_taxonomy_invalid: row(404, 'Invalid taxonomy.'),
  rest_status_invalid: row(404, 'Invalid status.'),
  rest_cannot_read_status: row('auth', 'Sorry, you are not allowed to view this status.'),
  rest_invalid_stored_value: row(500, 'The stored value is not valid and cannot be reset to null.'),
  rest_conflict: row(412, 'The item has been changed since the state named by If-Match.'),
  rest_read_only: row(403, 'The site is served read-only.'),
  rest_forbidden_status: row('auth', 'Status is forbidden.'),
  rest_batch_not_allowed: row(400, 'The requested route does not support batch requests.'),
  parse_path_failed: row(400, 'Could not parse the path.'),
  rest_body_too_large: row(413, 'The request body is too large.'),
  rest_body_malformed: row(400, 'The request body could not be read.'),
  rest_callback_invalid: row(400, 'Invalid JSONP callback function.'),
  rest_autosave_no_changes: row(400, 'There is nothing to save. The autosave and the post content are the same.'),
  rest_post_no_autosave: row(404, 'There is no autosave revision for this post.'),
  rest_revision_parent_id_mismatch: row(404, 'The revision does not belong to the specified parent.'),
  application_password_empty_name: row(400, 'An application password needs a name.'),
  existing_user_email: bare('This e-mail address is already used.'),
  existing_user_login: bare('This login name is already used.'),
  rest_application_password_not_found: row(404, 'Application password not found.'),
  rest_cannot_create_application_passwords: row(
    'auth',
    'Sorry, you are not allowed to create application passwords for this user.',
  ),
  rest_cannot_create_user: row('auth', 'Sorry, you are not allowed to create new users.'),
  rest_cannot_delete_application_password: row('auth', 'Sorry, you are not allowed to delete this application password.'),
  rest_cannot_delete_application_passwords: row(
    'auth',
    'Sorry, you are not allowed to delete application passwords for this user.',
  ),
  rest_cannot_edit_application_password: row('auth', 'Sorry, you are not allowed to edit this application password.'),
  rest_cannot_edit_roles: row('auth', 'Sorry, you are not allowed to edit roles of this user.'),
  rest_cannot_introspect_app_password_for_non_authenticated_user: row(
    'auth',
    'Application passwords can only be looked into by who is signed in with them.',
  ),
  rest_cannot_list_application_passwords: row('auth', 'Sorry, you are not allowed to list application passwords for this user.'),
  rest_cannot_read_application_password: row('auth', 'Sorry, you are not allowed to read this application password.'),
  rest_forbidden_orderby: row('auth', 'Sorry, you are not allowed to order users by this parameter.'),
  rest_forbidden_who: row('auth', 'Sorry, you are not allowed to query users by this parameter.'),
  rest_no_authenticated_app_password: row(404, 'The request was not signed in with an application password.'),
  rest_user_cannot_delete: row('auth', 'Sorry, you are not allowed to delete this user.'),
  rest_user_cannot_view: row('auth', 'Sorry, you are not allowed to list users.'),
  rest_user_exists: row(400, 'Cannot create existing user.'),
  rest_user_invalid_argument: row(400, 'Login names cannot be changed.'),
  rest_user_invalid_email: row(400, 'Invalid e-mail address.'),
  rest_user_invalid_id: row(404, 'Invalid user ID.'),
  rest_user_invalid_password: row(400, 'Passwords cannot be empty or hold a backslash.'),
  rest_user_invalid_reassign: row(400, 'Invalid user ID for reassignment.'),
  rest_user_invalid_role: row(400, 'The role does not exist.'),
  rest_user_invalid_slug: row(400, 'Invalid slug.'),
  rest_user_invalid_username: row(400, 'This login name holds characters that are not allowed.'),
  user_login_too_long: bare('A login name has at most 60 characters.'),
  user_nicename_too_long: bare('The slug of a user has at most 50 characters.'),
  user_url_too_long: bare('The address of a user has at most 100 characters.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errors;

/** A refusal with its code. `data` is merged into the answer's `data` after `status`. */
export class RestError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  /** Overrides the table's sentence where the sentence names something of the request. */
  constructor(code: ErrorCode, data: Readonly<Record<string, unknown>> = {}, message?: string) {
    super(message ?? errors[code].message);
    this.code = code;
    this.data = data;
  }
}

/** Refuses. @throws RestError always */
export function fail(code: ErrorCode, data?: Readonly<Record<string, unknown>>, message?: string): never {
  throw new RestError(code, data, message);
}
