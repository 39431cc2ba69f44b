/**
 * Abilities: things the server can do for a machine, each with schemas for what goes in and comes out. The routes of
 * `cms-abilities/v1` and the tools of MCP are two readers of them; a module adds its own to `site.addedAbilities`.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { PlacedRemark } from '../../../kernel/model/remark.ts';
import type { JsonType, Schema, Schemas } from '../../../kernel/model/schema.ts';
import type { Method } from '../../../kernel/rest/request.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly checkContent: CheckContent;
    /** Judges one file as it is now. */
    readonly checkFile: CheckFile;
    /** What modules add to the abilities. */
    readonly addedAbilities: Ability[];
    /** Folders whose files may be uploaded by their path; absent: none, as on every server. */
    readonly localFolders?: readonly string[];
  }
}

/** Reads the content folder anew and judges every file of it; problems are as the ability's output says. */
export type CheckContent = (site: Site) => Promise<{
  readonly files: number;
  readonly problems: readonly { readonly severity: string }[];
}>;

export type CheckFile = (site: Site, path: string) => Promise<readonly PlacedRemark[]>;

export interface AbilityCategory {
  readonly slug: string;
  readonly label: string;
  readonly description: string;
  /** Whether the default list has it. */
  readonly listed: boolean;
}

/** What an ability does to the site; decides the method it is run by. */
interface Annotations {
  readonly readonly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

export interface Ability {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly category: string;
  /** Null: takes none. Its `default` stands in for input that is not given. */
  readonly input: Schema | null;
  readonly output: Schema;
  readonly annotations: Annotations;
  /** Whatever it does is a request of its own, which is asked for what its caller may: running it is not. */
  readonly asks?: true;
  may(site: Site, actor: Actor | null): boolean;
  /** @param input  valid against the schema. @throws RestError */
  run(call: Call, input: unknown): Promise<unknown>;
}

/** What only reads is run with GET; what takes away, and can be repeated, with DELETE; the rest with POST. */
export function methodOf({ readonly, destructive, idempotent }: Annotations): Method {
  if (readonly) return 'GET';
  return destructive && idempotent ? 'DELETE' : 'POST';
}

export const reads: Annotations = { readonly: true, destructive: false, idempotent: true };

export const typed = (type: JsonType, description: string, more: Schema = {}): Schema => ({ type, description, ...more });
export const text = (description: string, more: Schema = {}): Schema => typed('string', description, more);
export const count: Schema = { type: 'integer', description: 'How many there are.', minimum: 0 };

/** A map of these members alone. */
export function closed(properties: Schemas, more: Schema = {}): Schema {
  return { type: 'object', ...more, properties, additionalProperties: false };
}

/** Long answers in parts: whoever asks passes the cursor back as it is. */
export { cursor, next, pageOf } from './cursors.ts';
