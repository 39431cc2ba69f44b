/**
 * Custom fields of a post by the beginning of their names.
 *
 * Shape    `{meta: [{key, value}]}`, 25 at most
 * Access   whoever may edit the post
 * Source   reference of seo/v1, 3.13
 */
import { isScalar, scalarText } from '../../../kernel/model/scalars.ts';
import type { Call, AccessRule } from '../../../kernel/rest/types.ts';
import type { PostRecord } from '../../content/posts/record.ts';

const most = 25;

export const mayEditNamedPost: AccessRule = (call) => {
  const post = postIn(call);
  return post && call.can('edit_post', post) ? null : 'rest_forbidden';
};

export function searchFields(call: Call): object {
  const query = typeof call.params.query === 'string' ? call.params.query : '';
  const found = fieldsOf(postIn(call) as PostRecord).filter(
    ([key]) => key.startsWith(query) && (query !== '' || !key.startsWith('_')),
  );
  return { meta: found.slice(0, most).map(([key, value]) => ({ key, value })) };
}

function postIn({ site, params }: Call): PostRecord | undefined {
  const { post_id: id } = params;
  return /^\d{1,10}$/.test(scalarText(id)) ? site.posts.get(Number(id)) : undefined;
}

/** Names and first values, as texts; what is made of several values is left out. */
function fieldsOf(post: PostRecord): [string, string][] {
  // Fields that groups declare are a module's.
  const { fields = {} } = post as { readonly fields?: Readonly<Record<string, unknown>> };
  return Object.entries({ ...post.meta, ...fields }).flatMap(([key, value]): [string, string][] =>
    isScalar(value) ? [[key, typeof value === 'boolean' ? (value ? '1' : '') : String(value)]] : [],
  );
}
