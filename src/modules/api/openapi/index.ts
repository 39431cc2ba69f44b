/** OpenAPI as a module. */
import type { Module } from '../../../kernel/module.ts';
import { openApiRoutes } from './routes.ts';

export { openApiOf } from './document.ts';
export { visitorCall } from './operations.ts';
export { type JsonSchema, toJsonSchema } from './json-schema.ts';
export { referencePage } from './reference-page.ts';
export { typesOf } from './typescript.ts';

export const openApi: Module = { name: 'openapi', namespaces: () => [{ name: '', routes: openApiRoutes() }] };
