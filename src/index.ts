/**
 * The package: a site on a folder, its routes, and a server for them.
 *
 *     const site = await openSite('content');
 *     const server = createServer({ site, registry: composeSite(site) });
 *     await server.listen(4180, '127.0.0.1');
 */
export { composeSite, openSite, type OpenOptions } from './deployments.ts';
export { createSite, type SiteOptions } from './domain/assembly.ts';
export type { Site } from './domain/site.ts';
export { declare, locate, validate, type Declarations } from './domain/validate.ts';
export type { Finding } from './domain/validate/finding.ts';
export { type ErrorCode, errors, fail, RestError } from './errors.ts';
export { defineRole, type Role } from './model/roles.ts';
export type { Setting } from './model/settings.ts';
export { defineStatus, type Status } from './model/statuses.ts';
export { defineTaxonomy, type Taxonomy } from './model/taxonomies.ts';
export { defineType, type PostType } from './model/types.ts';
export { createDispatcher, type Dispatcher } from './rest/dispatch.ts';
export { compose, type Namespace, type Registry } from './rest/registry.ts';
export {
  answer,
  anyone,
  type Call,
  type Endpoint,
  type RestRequest,
  type RestResponse,
  type Route,
  type Rule,
} from './rest/types.ts';
export { createServer, type Server, type ServerOptions } from './server/server.ts';
export { createStore, type StoreOptions } from './store/store.ts';
export { type Batch, StaleWriteError as Drift, type Entry, type FileChange, type Problem, type Store } from './store/types.ts';
