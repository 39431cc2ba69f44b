/**
 * Who may read and write posts.
 */
import type { Actor } from '../../kernel/model/access.ts';
import type { Access } from '../accounts/record.ts';
import { isPublic, type PostType } from '../types/record.ts';
import type { PostRecord, PostResource } from './record.ts';
import type { Call, Rule } from '../../kernel/rest/types.ts';

export const mayList =
  ({ type }: PostResource): Rule =>
  (call) =>
    call.context === 'edit' && !call.can(type.capabilities.edit_posts) ? 'rest_forbidden_context' : null;

export const mayRead =
  (resource: PostResource): Rule =>
  (call) => {
    const post = resource.find(call, call.params.id);
    if (call.context === 'edit' && !call.can('edit_post', post)) return 'rest_forbidden_context';
    const { password } = call.request.query;
    if (password !== undefined && password !== '' && !isPassword(post, password)) return 'rest_post_incorrect_password';
    return canRead(call, post) || hasPreview(call) ? null : 'rest_forbidden';
  };

export const mayCreate =
  (resource: PostResource): Rule =>
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
  (resource: PostResource): Rule =>
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
  (resource: PostResource): Rule =>
  (call) =>
    call.can('delete_post', resource.find(call, call.params.id)) ? null : 'rest_cannot_delete';

/** Whether a reader brings a preview token for the post; it opens its newest state, saved or not, without a session. */
export function hasPreview(call: Call): boolean {
  const { site, params, request } = call;
  const token = request.query.preview_nonce;
  if (token === undefined || call.context !== 'view') return false;
  const id = Number(params.id);
  return site.posts.get(id)?.status !== 'trash' && site.previews.check(token, id, site.clock());
}

/** As the reference reads a post: published ones freely, what is attached by its parent. */
export function canRead(call: Call, post: PostRecord): boolean {
  // Types that ask more than `read` ask it of published ones too.
  if (call.site.types.get(post.type)?.capabilities.read !== 'read') return call.can('read_post', post);
  if (isPublic(call.site.statuses, post.status) || call.can('read_post', post)) return true;
  if (post.status !== 'inherit') return false;
  const parent = call.site.posts.get(post.parent);
  return parent ? canRead(call, parent) : true;
}

/** Whether a write names somebody else as the author. A rule also meets the parameters of the list, where this is a list. */
function isOther(author: unknown, { user }: Call): boolean {
  return typeof author === 'number' && author > 0 && author !== user?.id;
}

function mayAssign(call: Call, { taxonomies }: PostResource): boolean {
  return taxonomies.every(({ name, restBase }) => {
    const ids = call.params[restBase] as unknown;
    return (
      !Array.isArray(ids) ||
      // (Observed: 0 is a term that nobody may assign; others that are none are passed over.)
      ids.every(
        (id) => Number(id) !== 0 && (call.site.terms.get(Number(id))?.taxonomy !== name || call.can('assign_term', Number(id))),
      )
    );
  });
}

export function isPassword(post: PostRecord, given: unknown): boolean {
  return post.password !== '' && given === post.password;
}

/** Keeping a post on top: authors may with their own (observed), though only editors are offered it. */
export function canStick(access: Access, actor: Actor | null, type: PostType): boolean {
  return access.can(actor, type.capabilities.edit_others_posts) || access.can(actor, type.capabilities.publish_posts);
}
