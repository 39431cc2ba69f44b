/**
 * Patterns: pieces of content that are used in several places, synced or copied.
 *
 * Shape    as posts; title and content as they are stored, and the state of its synchronisation at the top instead of in `meta`
 * Access   whoever may write posts reads them; the rest as for posts
 * Errors   those of posts
 * Source   behaviour of the reference (6.9), the schema in the route catalogue
 */
import { wireConstants } from '../../../render/wire-constants.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { Item } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { createPostResource, postRoutes } from '../../content/posts/index.ts';
import { historyRoutes } from '../../content/revisions/index.ts';

const syncStatus = wireConstants.patternSync;

export function blockRoutes(site: Site): Namespace['routes'] {
  const type = site.types.get('cms_block');
  if (!type) return [];
  const resource = createPostResource(site, type);
  const own = postRoutes(site, resource, { finish: (item) => (post, call) => finish(item(post, withNeutralFields(call)), call) });
  return [...own, ...historyRoutes(site, resource)];
}

/** Product-prefixed fields in the names of the dialect. */
function withNeutralFields(call: Call): Call {
  const { wireName: spellWord } = call.request.dialect;
  return { ...call, fields: { ...call.fields, wants: (path) => call.fields.wants(spellWord(path)) } };
}

/** Moves the sync status out of the meta; without meta, the status is empty (observed). */
function finish({ body, links }: Item, call: Call): Item {
  const { wireName: spellWord } = call.request.dialect;
  const { meta, ...rest } = body;
  const { [syncStatus]: status = '', ...others } = (meta ?? {}) as Record<string, unknown>;
  // A title with no parts in the context is an empty list (observed).
  const title = rest.title && Object.keys(rest.title).length === 0 ? { title: [] } : {};
  const spelled = Object.fromEntries(Object.entries(rest).map(([name, value]) => [spellWord(name), value]));
  return new Item(
    { ...spelled, ...title, ...(meta === undefined ? {} : { meta: others }), [spellWord(syncStatus)]: status },
    links,
  );
}
