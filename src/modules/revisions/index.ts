/**
 * What revisions give to others: the routes that items with a history have below them.
 */
import type { Namespace } from '../../kernel/rest/registry.ts';
import type { PostResource } from '../posts/routes.ts';
import { autosaveRoutes } from './autosaves.ts';
import { revisionRoutes } from './routes.ts';

/** Revisions and autosaves, as far as the type has them. */
export function historyRoutes(resource: PostResource): Namespace['routes'] {
  const { supports } = resource.type;
  return [...(supports.revisions ? revisionRoutes(resource) : []), ...(supports.autosave ? autosaveRoutes(resource) : [])];
}
