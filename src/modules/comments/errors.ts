import { row } from '../../kernel/errors.ts';

export const commentErrors = {
  comment_author_column_length: row(400, 'The name of a commenter has at most 245 characters.'),
  comment_author_email_column_length: row(400, 'The email address of a commenter has at most 100 characters.'),
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
};

declare module '../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof commentErrors, ErrorRow> {}
}
