/**
 * What modules are written with: the package exports it, and a plugin whose default export is a function gets it.
 */
export { collectionFields } from './kernel/collections.ts';
export { fail, RestError } from './kernel/errors.ts';
export { FieldProblem, flag, inFile, integer, map, plainField, text, texts, toRecord, word } from './kernel/model/field.ts';
export { editOnly, everywhere, of, viewAndEdit } from './kernel/model/schema.ts';
export { collectionArgs, contextArg, listed, paging } from './kernel/rest/collection.ts';
export { createProjector } from './kernel/rest/item.ts';
export { answer, anyone, CREATE, DELETE, READ, UPDATE } from './kernel/rest/types.ts';
export { writeRecord } from './kernel/site/record-file.ts';
export { defineRole } from './modules/people/accounts/roles.ts';
export { defineTaxonomy } from './modules/types/taxonomies.ts';
export { defineStatus } from './modules/types/statuses.ts';
export { defineType } from './modules/types/types.ts';
