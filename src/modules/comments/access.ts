/**
 * Permissions for comments.
 *
 * Source: conformance scenario comments; the reference's checks, in its order (6.9).
 */
import type { Actor } from '../../kernel/model/access.ts';
import { type Access, type CommentLike, canReadPost } from '../people/accounts/record.ts';
import { fail } from '../../kernel/errors.ts';
import type { CommentRecord } from './record.ts';
import { isUnlocked } from '../content/post-passwords/index.ts';
import { type PostRecord, isProtected } from '../content/posts/record.ts';
import type { PostType } from '../types/record.ts';
import type { Call, Refusal } from '../../kernel/rest/types.ts';
import { isGiven } from '../../kernel/rest/write-input.ts';

/** The comment with the id in the path. @throws RestError rest_comment_invalid_id, rest_post_invalid_id */
export function findComment({ site }: Call, id: unknown): CommentRecord {
  const comment = site.comments.get(Number(id)) ?? fail('rest_comment_invalid_id');
  if (comment.post > 0 && !site.posts.get(comment.post)) fail('rest_post_invalid_id');
  return comment;
}

export function mayCreateComment(call: Call): Refusal | null {
  const { params, site, user } = call;
  const isNote = params.type === 'note';
  if (!user && (isNote || !site.settings.value('anonymous_comments'))) return 'rest_comment_login_required';
  const moderates = call.can('moderate_comments');
  const { author, author_ip: ip, status } = params;
  if (isGiven(author) && author !== (user?.id ?? 0) && !moderates) return 'rest_comment_invalid_author';
  if (isGiven(ip) && ip !== call.request.ip && !moderates) return 'rest_comment_invalid_author_ip';
  // In a list, `post` filters; the Allow header must not read it as a target.
  const asked = Array.isArray(params.post) ? 0 : Number(params.post || 0);
  const post = site.posts.get(asked);
  if (isNote && asked !== 0 && !call.can('edit_post', asked)) return 'rest_cannot_create_note';
  if (isGiven(status) && !(isNote ? post && call.can('edit_post', post) : moderates)) return 'rest_comment_invalid_status';
  if (!post) return 'rest_comment_invalid_post_id';
  if (isNote && !hasNotes(site.types.get(post.type))) return 'rest_comment_not_supported_post_type';
  if (post.status === 'draft' && !isNote) return 'rest_comment_draft_post';
  if (post.status === 'trash') return 'rest_comment_trash_post';
  if (!canReadCommented(call, post)) return 'rest_cannot_read_post';
  return post.comments !== 'open' && !isNote ? 'rest_comment_closed' : null;
}

export function mayReadComment(call: Call): Refusal | null {
  const comment = findComment(call, call.params.id);
  const mayEdit = comment.type === 'note' ? call.can('edit_comment', comment) : call.can('moderate_comments');
  if (call.context === 'edit' && !mayEdit) {
    return { code: 'rest_forbidden_context', message: 'Sorry, you are not allowed to edit comments.' };
  }
  if (!canReadComment(call, comment))
    return { code: 'rest_cannot_read', message: 'Sorry, you are not allowed to read this comment.' };
  const post = call.site.posts.get(comment.post);
  return post && !canReadCommented(call, post) ? 'rest_cannot_read_post' : null;
}

export function mayUpdateComment(call: Call): Refusal | null {
  const comment = findComment(call, call.params.id);
  if (call.user && canEditComment(call.site.access, call.user, comment)) return null;
  return { code: 'rest_cannot_edit', message: 'Sorry, you are not allowed to edit this comment.' };
}

export function mayDeleteComment(call: Call): Refusal | null {
  return mayUpdateComment(call) && { code: 'rest_cannot_delete', message: 'Sorry, you are not allowed to delete this comment.' };
}

/** Whether the caller may see a comment: an approved one on a readable post, their own, or one they may edit. */
export function canReadComment(call: Call, comment: CommentRecord): boolean {
  const { site, user } = call;
  const post = site.posts.get(comment.post);
  if (comment.type !== 'note' && comment.status === 'approved' && post && post.status !== 'trash' && canReadCommented(call, post))
    return true;
  if (!user || (comment.post === 0 && !call.can('moderate_comments'))) return false;
  return comment.author === user.id || call.can('edit_comment', comment);
}

/** Whether the caller may read a post for its comments. Its password counts for a single post or comment. */
export function canReadCommented(call: Call, post: PostRecord): boolean {
  const { params, site, user } = call;
  if (!isProtected(post)) return canReadPost(site.access, user, post);
  const asked = params.post as unknown;
  const isOne = Boolean(params.id) || (Array.isArray(asked) ? asked.length === 1 : Boolean(asked));
  if (call.can('edit_post', post)) return true;
  return isOne && isUnlocked(call, post, params.password) && canReadPost(site.access, user, post);
}

export function hasNotes(type: PostType | undefined): boolean {
  const editor = type?.supports.editor as unknown;
  return Array.isArray(editor) && editor.some((options: { notes?: boolean }) => options.notes === true);
}

/** Moderators may change any comment, others those on posts they may edit. Writing a comment gives no right to change it. */
export function canEditComment(access: Access, actor: Actor | null, comment: CommentLike): boolean {
  return access.can(actor, 'moderate_comments') || access.can(actor, 'edit_comment', comment);
}
