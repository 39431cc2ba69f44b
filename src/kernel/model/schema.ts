/**
 * Parameter and field schemas: the JSON Schema subset of the interface (specification section 2.1,
 * "Parameter schema keys used"). One value serves the validator, the OPTIONS answer and the catalogue.
 */

export type Context = 'view' | 'embed' | 'edit';
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

export interface Schema {
  readonly description?: string;
  readonly title?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly format?: 'date-time' | 'uri' | 'email' | 'ip' | 'uuid' | 'hex-color' | 'text-field' | 'textarea-field';
  /** A list, or (an oddity of the reference) a map with the list as values. */
  readonly enum?: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly default?: unknown;
  readonly required?: boolean | readonly string[];
  readonly readonly?: boolean;
  readonly context?: readonly Context[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  /** What a form has to know besides the types of its value: of custom fields, and templates. */
  readonly 'x-field'?: Readonly<Record<string, unknown>>;
  /** The reference prints an empty map as `[]`. */
  readonly properties?: Readonly<Record<string, Schema>> | readonly never[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export type Schemas = Readonly<Record<string, Schema>>;

export function of(type: JsonType | readonly JsonType[], description: string, more: Partial<Schema> = {}): Schema {
  return { description, type, ...more };
}

/** The schema of a resource as OPTIONS shows it. */
export function resourceSchema(title: string, properties: Schemas): Schema & Record<string, unknown> {
  return { $schema: 'http://json-schema.org/draft-04/schema#', title, type: 'object', properties };
}

export const everywhere: readonly Context[] = ['view', 'edit', 'embed'];
export const viewAndEdit: readonly Context[] = ['view', 'edit'];
export const editOnly: readonly Context[] = ['edit'];
/** The order in which some resources of the reference list them in OPTIONS. */
export const embedFirst: readonly Context[] = ['embed', 'view', 'edit'];

/** Properties of an object schema as a map. */
export function propertiesOf(schema: Schema): Schemas {
  const { properties } = schema;
  return properties === undefined || Array.isArray(properties) ? {} : (properties as Schemas);
}
