/**
 * Short ways to write the schemas of resources whose fields are mostly read-only descriptions.
 */
import { embedFirst, everywhere, type JsonType, resourceSchema, type Schema, type Schemas } from '../model/schema.ts';
import type { Call, Refusal, Rule } from './types.ts';

type More = Partial<Schema>;

/** A read-only field of every context. */
export function shown(type: JsonType | readonly JsonType[], description: string, more: More = {}): Schema {
  return { description, type, context: everywhere, readonly: true, ...more };
}

/** A read-only field of every context, for a resource that states `embed` first. */
export function shownFirst(type: JsonType | readonly JsonType[], description: string, more: More = {}): Schema {
  return { description, type, context: embedFirst, readonly: true, ...more };
}

export function listOf(items: Schema, description: string, more: More = {}): Schema {
  return { description, type: 'array', items, ...more };
}

/** The reference writes `bool` where JSON Schema has `boolean`. */
export const bool = 'bool' as 'boolean';

/** `resourceSchema` for a route. */
export function draft(title: string, properties: Schemas): () => Schema & Record<string, unknown> {
  return () => resourceSchema(title, properties);
}

export function forHolders(capability: string, refusal: Refusal): Rule {
  return (call: Call) => (call.can(capability) ? null : refusal);
}
