/** The list of media: the parameters of posts, and those for file types. */
import { canReadPost } from '../../people/accounts/record.ts';
import { mimeTypes } from '../files/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { PostRecord, PostResource } from '../../content/posts/record.ts';
import type { Clause, Query } from '../../../kernel/records/types.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { postListArgs, postQuery } from '../../content/posts/index.ts';

export function mediaListArgs(site: Site, resource: PostResource): Args {
  return {
    ...postListArgs(site, resource),
    media_type: {
      description: 'Limit result set to attachments of a particular media type or media types.',
      default: null,
      type: 'array',
      items: { type: 'string', enum: ['image', 'video', 'text', 'application', 'audio'] },
    },
    mime_type: {
      description: 'Limit result set to attachments of a particular MIME type or MIME types.',
      default: null,
      type: 'array',
      items: { type: 'string' },
    },
  };
}

/** The query of a list request. A search includes file names. Excludes media attached to items that the user may not read. */
export function mediaQuery(call: Call, resource: PostResource): Query {
  const query = postQuery(call, resource);
  const { media_type: families, mime_type: wanted } = call.params as Record<string, readonly string[] | null | undefined>;
  const types = [
    ...(families ?? []).flatMap((family) => mimeTypes.filter((mime) => mime.startsWith(`${family}/`))),
    // Impossible types do not filter. (Observed.)
    ...(wanted ?? []).flatMap((list) => list.split(',').map((mime) => mime.trim())).filter((mime) => mimeTypes.includes(mime)),
  ];
  const where = query.where.map(
    (clause): Clause => (clause.kind === 'search' ? { ...clause, columns: [...clause.columns, 'file'] } : clause),
  );
  if (types.length > 0) where.push({ kind: 'in', index: 'mime_type', values: types });
  where.push({
    kind: 'any',
    of: [[{ kind: 'in', index: 'parent', values: [0] }], [{ kind: 'test', test: readable(call) as (record: never) => boolean }]],
  });
  return { ...query, where };
}

/** Whether the parent of an attachment is readable; checked once each. */
function readable(call: Call): (media: PostRecord) => boolean {
  const known = new Map<number, boolean>();
  return ({ parent }) => {
    let may = known.get(parent);
    if (may === undefined) {
      const post = call.site.posts.get(parent);
      may = post === undefined || call.can('edit_post', post) || canReadPost(call.site.access, call.user, post);
      known.set(parent, may);
    }
    return may;
  };
}
