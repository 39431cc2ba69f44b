/**
 * The package: a site on a folder, its routes, and a server for them.
 *
 *     const site = await openSite('content');
 *     const server = createServer({ site, registry: composeSite(site) });
 *     await server.listen(4180, '127.0.0.1');
 */
export { composeSite, openSite, type OpenOptions } from './open-site.ts';
export * from './kit.ts';
export type { Collection, CollectionRecord, Extension, Module } from './kernel/module.ts';
export type { Kit, Plugin } from './plugin.ts';
export { ModuleError } from './kernel/compose-modules.ts';
export { createSite, type SiteOptions } from './kernel/site/create-site.ts';
export type { Site } from './kernel/site/site.ts';
export { validate } from './validate/validate.ts';
export { declare, type Declarations } from './validate/declarations.ts';
export { locate } from './kernel/store/locate.ts';
export type { Finding } from './validate/finding.ts';
export { type ErrorCode, errors, type ModuleErrors } from './kernel/errors.ts';
export type { Role } from './modules/people/accounts/roles.ts';
export type { Setting } from './kernel/model/settings.ts';
export type { Status, Taxonomy, PostType } from './modules/types/record.ts';
export { createDispatcher } from './kernel/rest/dispatch.ts';
export type { Dispatcher, Registry, Namespace } from './kernel/rest/types.ts';
export { compose } from './kernel/rest/registry.ts';
export type { Call, Endpoint, Route, AccessRule } from './kernel/rest/types.ts';
export type { RestRequest, RestResponse } from './kernel/rest/request.ts';
export { createServer, type Server, type ServerOptions } from './kernel/http/server.ts';
export { createStore, type StoreOptions } from './kernel/store/store.ts';
export {
  type Batch,
  StaleWriteError as Drift,
  type Entry,
  type FileChange,
  type Problem,
  type Store,
} from './kernel/store/types.ts';
