/** Permissions for media: the rules of posts, and uploading as a separate right. */
import { fail } from '../../../kernel/errors.ts';
import { type AttachmentRecord, isAttachment } from '../../content/attachments/record.ts';
import type { PostType } from '../../types/record.ts';
import type { Call, AccessRule } from '../../../kernel/rest/types.ts';
import { canRead, isOther } from '../../content/posts/index.ts';

export const mayList: AccessRule = (call) =>
  call.context === 'edit' && !call.can(capabilities(call).edit_posts) ? 'rest_forbidden_context' : null;

export const mayRead: AccessRule = (call) => {
  const media = find(call);
  if (call.context === 'edit' && !call.can('edit_post', media)) return 'rest_forbidden_context';
  return canRead(call, media) ? null : 'rest_forbidden';
};

export const mayCreate: AccessRule = (call) => {
  const { id, author, post } = call.params;
  if (id !== undefined && Number(id) > 0) return 'rest_post_exists';
  if (isOther(author, call) && !call.can(capabilities(call).edit_others_posts)) return 'rest_cannot_edit_others';
  if (!call.can(capabilities(call).create_posts)) return 'rest_cannot_create';
  if (post && !call.can('edit_post', Number(post)))
    return { code: 'rest_cannot_edit', message: 'Sorry, you are not allowed to upload media to this post.' };
  return null;
};

export const mayUpdate: AccessRule = (call) => {
  const media = find(call);
  const { author } = call.params;
  if (!call.can('edit_post', media)) return 'rest_cannot_edit';
  if (isOther(author, call) && !call.can(capabilities(call).edit_others_posts)) return 'rest_cannot_edit_others';
  return null;
};

export const mayDelete: AccessRule = (call) => (call.can('delete_post', find(call)) ? null : 'rest_cannot_delete');

export const mayEditImage: AccessRule = (call) => (call.can('upload_files') ? mayUpdate(call) : 'rest_cannot_edit_image');

function find(call: Call): AttachmentRecord {
  const post = call.site.posts.get(Number(call.params.id));
  return isAttachment(post) ? post : fail('rest_post_invalid_id');
}

function capabilities({ site }: Call): PostType['capabilities'] {
  return (site.types.get('attachment') as PostType).capabilities;
}
