import { fail } from '../../../kernel/errors.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { Access } from '../../people/accounts/record.ts';
import { isPassword, passwordWait } from '../post-passwords/index.ts';
import { isPublic, type PostType } from '../../types/record.ts';
import { isBlank, type PostRecord, type PostResource, isProtected } from './record.ts';
import { toInteger } from '../../../kernel/rest/coerce.ts';
import type { Call, AccessRule } from '../../../kernel/rest/types.ts';

export const mayList =
  ({ type }: PostResource): AccessRule =>
  (call) =>
    call.context === 'edit' && !call.can(type.capabilities.edit_posts) ? 'rest_forbidden_context' : null;

export const mayRead =
  (resource: PostResource): AccessRule =>
  (call) => {
    const post = resource.find(call, call.params.id);
    if (call.context === 'edit' && !call.can('edit_post', post)) return 'rest_forbidden_context';
    const { password } = call.request.query;
    if (!isBlank(password)) {
      // Without a password there is nothing to guess.
      const seconds = isProtected(post) ? passwordWait(call, post) : 0;
      if (seconds > 0) fail('rest_too_many_attempts', { retry_after: seconds });
      if (!isPassword(post, password)) return 'rest_post_incorrect_password';
    }
    return canRead(call, post) || hasPreview(call) ? null : 'rest_forbidden';
  };

export const mayCreate =
  (resource: PostResource): AccessRule =>
  (call) => {
    const { author, sticky } = call.params;
    const { capabilities } = resource.type;
    if (call.params.id !== undefined && Number(call.params.id) > 0) return 'rest_post_exists';
    if (isOther(author, call) && !call.can(capabilities.edit_others_posts)) return 'rest_cannot_edit_others';
    if (sticky && !canStick(call.site.access, call.user, resource.type)) return 'rest_cannot_assign_sticky';
    if (!call.can(capabilities.create_posts)) return 'rest_cannot_create';
    return mayAssign(call, resource) ? null : 'rest_cannot_assign_term';
  };

export const mayUpdate =
  (resource: PostResource): AccessRule =>
  (call) => {
    const post = resource.find(call, call.params.id);
    const { author, sticky } = call.params;
    const { capabilities } = resource.type;
    if (!call.can('edit_post', post)) return 'rest_cannot_edit';
    if (isOther(author, call) && !call.can(capabilities.edit_others_posts)) return 'rest_cannot_edit_others';
    if (sticky && !canStick(call.site.access, call.user, resource.type)) return 'rest_cannot_assign_sticky';
    return mayAssign(call, resource) ? null : 'rest_cannot_assign_term';
  };

export const mayDelete =
  (resource: PostResource): AccessRule =>
  (call) =>
    call.can('delete_post', resource.find(call, call.params.id)) ? null : 'rest_cannot_delete';

/** Whether the request has a preview token for the post, which opens its newest state without a session. */
export function hasPreview(call: Call): boolean {
  const { site, params, request } = call;
  const token = request.query.preview_nonce;
  if (token === undefined || call.context !== 'view') return false;
  const id = Number(params.id);
  return site.posts.get(id)?.status !== 'trash' && site.previews.check(token, id, site.clock());
}

/** As in the reference: published posts are public, attachments depend on their parent. */
export function canRead(call: Call, post: PostRecord): boolean {
  // Types that require more than `read` require it for published items too.
  if (call.site.types.get(post.type)?.capabilities.read !== 'read') return call.can('read_post', post);
  if (isPublic(call.site.statuses, post.status) || call.can('read_post', post)) return true;
  if (post.status !== 'inherit') return false;
  const parent = call.site.posts.get(post.parent);
  return parent ? canRead(call, parent) : true;
}

/** Whether a request names another author; list filters count too (observed in `Allow`). */
export function isOther(author: unknown, { user }: Call): boolean {
  return author !== undefined && !isBlank(author) && author !== user?.id;
}

/** Whether the user may assign the terms that a request names or filters by (both, as in the reference). */
export function mayAssign(call: Call, { taxonomies }: PostResource): boolean {
  return taxonomies.every(({ name, restBase }) => {
    const sent = call.params[restBase] as unknown;
    if (sent === undefined || sent === null) return true;
    const ids: readonly unknown[] = typeof sent === 'object' ? Object.values(sent) : [sent];
    // (Observed: nobody may assign term 0; other unknown terms are ignored.)
    return ids.every((id) => {
      const term = isBlank(id) ? 0 : toInteger(id);
      return term !== 0 ? call.site.terms.get(term)?.taxonomy !== name || call.can('assign_term', term) : !isBlank(id);
    });
  });
}

/** Sticky posts: authors may with their own (observed), though only editors see the option. */
export function canStick(access: Access, actor: Actor | null, type: PostType): boolean {
  return access.can(actor, type.capabilities.edit_others_posts) || access.can(actor, type.capabilities.publish_posts);
}
