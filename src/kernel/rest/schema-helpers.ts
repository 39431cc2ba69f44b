/**
 * Helpers for routes that are not declared resources.
 */
import { resourceSchema, type Schema, type Schemas } from '../model/schema.ts';
import type { Call, Refusal, AccessRule } from './types.ts';

/** `resourceSchema` for a route. */
export function draft(title: string, properties: Schemas): () => Schema & Record<string, unknown> {
  return () => resourceSchema(title, properties);
}

export function forHolders(capability: string, refusal: Refusal): AccessRule {
  return (call: Call) => (call.can(capability) ? null : refusal);
}
