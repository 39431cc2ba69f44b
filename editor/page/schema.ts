/** What the server says of the fields of items, in the schemas of its routes. */
import { ask } from './api.ts';

export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly (string | number | null)[] | Readonly<Record<string, string>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly readonly?: boolean;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  /** Of a declared custom field. */
  readonly 'x-field'?: {
    readonly type: string;
    readonly required?: boolean;
    readonly readonly?: boolean;
    readonly choices?: Readonly<Record<string, string>>;
    readonly to?: readonly string[];
    readonly min?: number;
    readonly max?: number;
    readonly layouts?: Readonly<Record<string, FieldSchema>>;
  };
}

export type Properties = Readonly<Record<string, FieldSchema>>;

const known = new Map<string, Promise<Properties>>();

/** Of the items of a route, by their names. */
export function propertiesOf(route: string): Promise<Properties> {
  const asked =
    known.get(route) ??
    ask<{ schema?: { properties?: Properties } }>(route, { method: 'OPTIONS' }).then(({ data }) => data.schema?.properties ?? {});
  known.set(route, asked);
  asked.catch(() => known.delete(route));
  return asked;
}

/** An empty map is printed as a list. */
export const members = ({ properties }: FieldSchema): Properties => (Array.isArray(properties) ? {} : (properties ?? {}));

/** Its declared type, or the one that its values have. */
export function kindOf(schema: FieldSchema): string {
  const declared = schema['x-field']?.type;
  if (declared !== undefined && declared !== 'declared') return declared;
  const [type = 'string'] = [schema.type ?? 'string'].flat().filter((one) => one !== 'null');
  if (schema.enum) return 'select';
  if (type === 'object') return Object.keys(members(schema)).length > 0 ? 'group' : 'unknown';
  if (type === 'array') return schema.items && kindOf(schema.items) !== 'unknown' ? 'list' : 'unknown';
  if (type === 'string') return { 'date-time': 'date_time', uri: 'url', email: 'email' }[schema.format ?? ''] ?? 'text';
  return type;
}

export function labelOf(name: string, { title, description }: FieldSchema): string {
  return title || description || name.replace(/_/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
}

/** Value → label. */
export function choicesOf(schema: FieldSchema): readonly (readonly [string, string])[] {
  const { choices } = schema['x-field'] ?? {};
  if (choices) return Object.entries(choices);
  return Object.values(schema.enum ?? schema.items?.enum ?? {}).flatMap((one) =>
    one === null ? [] : [[String(one), String(one)] as const],
  );
}
