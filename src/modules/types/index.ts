/** Types, taxonomies and statuses: standard ones and those a site declares. */
export { declaredBy, pendingDeclarations } from './declarations.ts';
export { declaredFields } from './declared-fields.ts';
export { standardMeta } from './standard-meta.ts';
export { defineStatus, standardStatuses } from './statuses.ts';
export { standardTaxonomies } from './taxonomies.ts';
export { standardTypes } from './types.ts';
export { atTopLevel, type TopLevelFields, topLevelNames, underMeta } from './top-level-fields.ts';
