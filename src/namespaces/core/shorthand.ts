/**
 * Short ways to write the schemas of resources whose fields are mostly read-only descriptions.
 */
import { type Context, everywhere, type JsonType, type Schema } from '../../model/schema.ts';
import type { Call, Refusal, Rule } from '../../rest/types.ts';
import { canEditSomething } from '../../domain/people/capabilities.ts';

type More = Partial<Schema>;

export function of(type: JsonType | readonly JsonType[], description: string, more: More = {}): Schema {
  return { description, type, ...more };
}

/** A read-only field of every context. */
export function shown(type: JsonType | readonly JsonType[], description: string, more: More = {}): Schema {
  return { description, type, context: everywhere, readonly: true, ...more };
}

/** The order in which some resources of the reference state the contexts; clients see it in OPTIONS. */
export const embedFirst: readonly Context[] = ['embed', 'view', 'edit'];

/** A read-only field of every context, for a resource that states `embed` first. */
export function shownFirst(type: JsonType | readonly JsonType[], description: string, more: More = {}): Schema {
  return { description, type, context: embedFirst, readonly: true, ...more };
}

export function listOf(items: Schema, description: string, more: More = {}): Schema {
  return { description, type: 'array', items, ...more };
}

/** The reference writes `bool` where JSON Schema has `boolean`. */
export const bool = 'bool' as 'boolean';

/** A text with what is stored and what is shown. */
export function rawAndRendered(description: string, raw: More, rendered: More, more: More = {}): Schema {
  return {
    description,
    type: 'object',
    ...more,
    properties: {
      raw: { description: `${description} As stored.`, type: 'string', ...raw },
      rendered: { description: `${description} As shown.`, type: 'string', ...rendered },
    },
  };
}

/** The schema of a resource as OPTIONS shows it. */
export function draft(title: string, properties: Readonly<Record<string, Schema>>): () => Schema & Record<string, unknown> {
  return () => ({ $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object', properties });
}

/** For whoever writes anything: those who may edit items of some type. */
export function forEditors(refusal: Refusal): Rule {
  return (call: Call) => (canEditSomething(call.site.access, call.user) ? null : refusal);
}

export function forHolders(capability: string, refusal: Refusal): Rule {
  return (call: Call) => (call.can(capability) ? null : refusal);
}

export const contexts = (text: string): readonly Context[] => text.split(' ') as Context[];
