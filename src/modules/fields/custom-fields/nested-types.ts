/** Field types with nested members, and links with titles. */
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import type { FieldCall } from '../../../kernel/model/field.ts';
import type { Schema } from '../../../kernel/model/schema.ts';
import {
  anyCount,
  anyText,
  oneOf,
  shown,
  atMember,
  checkCount,
  type FieldDefinition,
  type FieldReference,
  type FieldType,
  layoutKey,
  type Origin,
  ValueFault,
} from './record.ts';
import { choicesOf, isAddress } from './scalar-types.ts';

type Members = readonly FieldDefinition[];
type Values = Readonly<Record<string, unknown>>;

/** A value in its stored form; null is no value. @throws ValueFault */
export function acceptValue(value: unknown, definition: FieldDefinition, from: Origin, before?: unknown): unknown {
  const type = definition.kind;
  const isEmpty = value === null || value === undefined || (value === '' && !type.hasEmptyText);
  if (isEmpty && definition.isRequired) throw new ValueFault('must have a value');
  return isEmpty ? null : type.accept(value, definition, from, before);
}

/** The error of a value; null if valid. */
export function faultOf(value: unknown, definition: FieldDefinition, from: Origin): ValueFault | null {
  try {
    acceptValue(value, definition, from);
    return null;
  } catch (error) {
    if (error instanceof ValueFault) return error;
    throw error;
  }
}

/**
 * A stored value as it is returned; null for none, and if invalid.
 * @param raw  as in the file
 */
export function showValue(raw: unknown, definition: FieldDefinition, format: 'standard' | 'light', call: FieldCall): unknown {
  const stored = readStored(raw, definition);
  if (stored === null) return null;
  const type = definition.kind;
  return format === 'light' ? (type.light?.(stored, definition, call) ?? stored) : type.standard(stored, definition, call);
}

/** The stored form of a value in a file; null if invalid, which `cms validate` reports. */
export function readStored(raw: unknown, definition: FieldDefinition): unknown {
  try {
    return acceptValue(raw, definition, 'file');
  } catch (error) {
    if (error instanceof ValueFault) return null;
    throw error;
  }
}

/** Missing members are kept; null removes one; unknown names are kept in files and ignored from clients. */
function acceptMembers(value: unknown, members: Members, from: Origin, before: Values): Values {
  if (!isMap(value)) throw new ValueFault(`must be a map of its members, not ${shown(value)}`);
  const given = from === 'file' ? { ...value } : { ...before };
  for (const member of members) {
    if (!Object.hasOwn(value, member.name)) continue;
    const stored = atMember(member.name, () => acceptValue(value[member.name], member, from, before[member.name]));
    if (stored === null) delete given[member.name];
    else given[member.name] = stored;
  }
  return given;
}

/** All members; those without a value as empty strings (recorded). */
function showMembers(stored: Values, members: Members, format: 'standard' | 'light', call: FieldCall): Values {
  const emptyOf = ({ kind }: FieldDefinition): unknown => (format === 'standard' && !kind.isPlain ? '' : null);
  const shownOf = (member: FieldDefinition): unknown =>
    Object.hasOwn(stored, member.name) ? showValue(stored[member.name], member, format, call) : emptyOf(member);
  return Object.fromEntries(members.filter(({ isShown }) => isShown).map((member) => [member.name, shownOf(member)]));
}

function memberReferences(stored: Values, members: Members): readonly FieldReference[] {
  return members.flatMap((member) => {
    const value = readStored(stored[member.name], member);
    const inner = value === null ? [] : (member.kind.references?.(value, member) ?? []);
    return inner.map((one) => ({ ...one, keys: [member.name, ...one.keys] }));
  });
}

export function schemaOf(definition: FieldDefinition): Schema {
  const { description, ...form } = definition.kind.schema(definition);
  const types = [form.type ?? []].flat();
  const label = description ?? (definition.label === '' ? undefined : definition.label);
  // A cleared choice, and a removed value.
  return {
    ...(label === undefined ? {} : { description: label }),
    ...form,
    type: [...types, 'null'],
    'x-field': formOf(definition),
  };
}

/** What a form for the field has to know besides the types of its value. */
function formOf(definition: FieldDefinition): Readonly<Record<string, unknown>> {
  const { type, options, isRequired, isWritable, layouts } = definition;
  const choices = choicesOf(definition);
  const leadsTo = options.types ?? options.to ?? options.taxonomy;
  return {
    type,
    ...(isRequired ? { required: true } : {}),
    ...(isWritable ? {} : { readonly: true }),
    ...(choices.size > 0 ? { choices: Object.fromEntries(choices) } : {}),
    ...(leadsTo === undefined ? {} : { to: [leadsTo].flat() }),
    ...(options.min === undefined ? {} : { min: options.min }),
    ...(options.max === undefined ? {} : { max: options.max }),
    ...(layouts.size > 0
      ? { layouts: Object.fromEntries([...layouts].map(([name, members]) => [name, membersSchema(members)])) }
      : {}),
  };
}

function membersSchema(members: Members): Schema {
  return { type: 'object', properties: Object.fromEntries(members.map((member) => [member.name, schemaOf(member)])) };
}

const group: FieldType = {
  options: { layout: anyText },
  schema: ({ fields }) => membersSchema(fields),
  accept: (value, { fields }, from, before) => acceptMembers(value, fields, from, mapOf(before)),
  standard: (stored, { fields }, call) => showMembers(mapOf(stored), fields, 'standard', call),
  light: (stored, { fields }, call) => showMembers(mapOf(stored), fields, 'light', call),
  references: (stored, { fields }) => memberReferences(mapOf(stored), fields),
};

/** A list of rows with members. @param membersOf  of one row; null for an unknown layout */
function rows(
  schema: (definition: FieldDefinition) => Schema,
  membersOf: (row: Values, definition: FieldDefinition) => Members | null,
  own: (row: Values) => Values,
): FieldType {
  const showRows = (stored: unknown, definition: FieldDefinition, format: 'standard' | 'light', call: FieldCall) =>
    (stored as readonly Values[]).map((row) => ({
      ...own(row),
      ...showMembers(row, membersOf(row, definition) ?? [], format, call),
    }));
  return {
    options: { min: anyCount, max: anyCount, layout: anyText, button_label: anyText },
    schema: (definition) => ({ type: 'array', items: schema(definition) }),
    accept(value, definition, from) {
      if (!Array.isArray(value)) throw new ValueFault(`must be a list of rows, not ${shown(value)}`);
      checkCount(value, definition, 'rows');
      return value.map((row, at) =>
        atMember(at, () => {
          const members = membersOf(mapOf(row), definition);
          if (members === null)
            throw new ValueFault(`must name one of ${[...definition.layouts.keys()].join(', ')}, not ${shown(row)}`, [layoutKey]);
          return { ...own(mapOf(row)), ...acceptMembers(row, members, from, {}) };
        }),
      );
    },
    standard: (stored, definition, call) => showRows(stored, definition, 'standard', call),
    light: (stored, definition, call) => showRows(stored, definition, 'light', call),
    references: (stored, definition) =>
      (stored as readonly Values[]).flatMap((row, at) =>
        memberReferences(row, membersOf(row, definition) ?? []).map((one) => ({ ...one, keys: [at, ...one.keys] })),
      ),
  };
}

/** A string is the URL. */
const link: FieldType = {
  options: { return_format: oneOf('array', 'url') },
  schema: () => ({
    type: ['object', 'string'],
    properties: { title: { type: 'string' }, url: { type: 'string' }, target: { type: 'string' } },
  }),
  accept(value) {
    const given = isMap(value) ? value : { url: value };
    const parts = ['title', 'url', 'target'].map((name): [string, string] => {
      const part = given[name] ?? '';
      if (typeof part === 'object') throw new ValueFault(`must be a text, not ${shown(part)}`, [name]);
      return [name, String(part)];
    });
    const link = Object.fromEntries(parts) as Readonly<Record<'title' | 'url' | 'target', string>>;
    if (!isAddress(link.url))
      throw new ValueFault(`must be an address with its scheme, not ${shown(link.url)}`, isMap(value) ? ['url'] : []);
    if (!/^(?:_\w{1,20})?$/.test(link.target)) throw new ValueFault('must be _blank or nothing', ['target']);
    return link;
  },
  standard: (stored, { options }) => (options.return_format === 'url' ? (stored as { readonly url: string }).url : stored),
};

export const nestedTypes: Readonly<Record<string, FieldType>> = {
  link,
  group,
  repeater: rows(
    ({ fields }) => membersSchema(fields),
    (_row, { fields }) => fields,
    () => ({}),
  ),
  flexible_content: rows(
    ({ layouts }) => ({
      type: 'object',
      properties: { [layoutKey]: { type: 'string', enum: [...layouts.keys()] } },
      additionalProperties: true,
    }),
    (row, { layouts }) => layouts.get(String(row[layoutKey])) ?? null,
    (row) => ({ [layoutKey]: String(row[layoutKey]) }),
  ),
};
