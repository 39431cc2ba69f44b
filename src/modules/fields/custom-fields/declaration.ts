/** Groups of fields declared in `site.yaml`. The file is untrusted: invalid parts are reported with their position and dropped. */
import { isMap, isObjectWord, mapOf } from '../../../kernel/model/maps.ts';
import type { Keys } from '../../../kernel/model/remark.ts';
import { nearest } from '../../../kernel/model/spelling.ts';
import { declaredFields } from '../../types/index.ts';
import { nestedTypes } from './nested-types.ts';
import {
  type FieldDefinition,
  type FieldGroup,
  type FieldType,
  type LocationParam,
  type LocationRule,
  layoutKey,
  locationParams,
} from './record.ts';
import { plainTypes } from './plain-types.ts';
import { referenceTypes } from './reference-types.ts';
import { scalarTypes } from './scalar-types.ts';

/** A table without inherited names. */
const { declared, ...scalars } = scalarTypes;
const groupedTypes: Readonly<Record<string, FieldType>> = Object.assign(
  Object.create(null),
  scalars,
  referenceTypes,
  nestedTypes,
);

interface DeclarationFault {
  /** Path from the top of `site.yaml`. */
  readonly keys: Keys;
  readonly message: string;
  readonly hint?: string;
}

interface DeclaredGroups {
  readonly groups: readonly FieldGroup[];
  readonly faults: readonly DeclarationFault[];
}

const maxGroups = 200;
const maxFields = 200;
/** Maximum nesting of groups and rows. */
const maxDepth = 8;

interface Reading {
  readonly types: Readonly<Record<string, FieldType>>;
  readonly faults: DeclarationFault[];
  /** Keys of fields and groups in use. */
  readonly taken: Set<string>;
}

/**
 * @param fields  `fields:` of `site.yaml`: a list of groups; or a map of types, taxonomies, `user` and `comment`, each with its fields
 * @param types  its `types:`, whose `fields` are groups for one type
 */
export function declaredGroups(fields: unknown, types: unknown): DeclaredGroups {
  const reading: Reading = { types: isMap(fields) ? plainTypes : groupedTypes, faults: [], taken: new Set() };
  if (isMap(fields)) {
    const groups = Object.entries(fields).flatMap(([name, rows]) => readNamed(name, rows, reading) ?? []);
    return { groups: [...groups, ...groupsOfTypes(types)], faults: reading.faults };
  }
  const list = Array.isArray(fields) ? fields : [];
  if (list.length > maxGroups) note(reading, ['fields', maxGroups], `there are more than ${maxGroups} groups of fields`);
  const groups = list.slice(0, maxGroups).flatMap((row, at) => readGroup(row, ['fields', at], reading) ?? []);
  return { groups: [...groups, ...groupsOfTypes(types)], faults: reading.faults };
}

/** Fields of a type, of a taxonomy, of users or of comments, by name. Unknown names are checked elsewhere. */
function readNamed(name: string, rows: unknown, reading: Reading): FieldGroup | null {
  if (!isMap(rows)) return note(reading, ['fields', name], 'must be a map of fields: subtitle: text');
  const params: readonly LocationParam[] =
    name === 'user' ? ['user_role'] : name === 'comment' ? ['comment'] : ['type', 'taxonomy'];
  const value = name === 'user' || name === 'comment' ? 'all' : name;
  const fields = readFields(rows, ['fields', name], reading, 0);
  const location = params.map((param): readonly LocationRule[] => [{ param, isEqual: true, value }]);
  return fields === null ? null : { key: `fields_${name}`, title: name, location, fields };
}

/** `types.<type>.fields`, which the declaration of types reports. */
function groupsOfTypes(types: unknown): readonly FieldGroup[] {
  return Object.entries(mapOf(types)).flatMap(([type, row]): FieldGroup[] => {
    const fields = Object.entries(ownFields(mapOf(row).fields)).map(([name, schema]): FieldDefinition => {
      const { title = '', description = '' } = schema;
      const label = title === '' ? description : title;
      return {
        ...bare,
        key: `field_${type}_${name}`,
        name,
        type: 'declared',
        kind: declared as FieldType,
        label,
        options: { schema },
      };
    });
    const location: readonly LocationRule[] = [{ param: 'type', isEqual: true, value: type }];
    return fields.length === 0 ? [] : [{ key: `group_type_${type}`, title: type, location: [location], fields }];
  });
}

function ownFields(fields: unknown): ReturnType<typeof declaredFields> {
  // Errors are reported where types are declared.
  return declaredFields(fields, () => {});
}

const bare = {
  isRequired: false,
  isShown: true,
  isWritable: true,
  isIndexed: false,
  isPublic: false,
  fields: [],
  layouts: new Map<string, readonly FieldDefinition[]>(),
} as const;

function readGroup(row: unknown, keys: Keys, reading: Reading): FieldGroup | null {
  if (!isMap(row)) return note(reading, keys, 'a group of fields must be a map with key, location and fields');
  const key = readKey(row, keys, reading);
  if (key === null) return null;
  const location = readLocation(row.location, [...keys, 'location'], reading);
  const fields = readFields(row.fields, [...keys, 'fields'], reading, 0);
  if (location.length === 0 || fields === null) return null;
  return { key, title: typeof row.title === 'object' ? key : String(row.title ?? key), location, fields };
}

/** @param fallback  for fields, which have a derived key */
function readKey(row: Readonly<Record<string, unknown>>, keys: Keys, reading: Reading, fallback?: string): string | null {
  const key = row.key ?? fallback;
  if (typeof key !== 'string' || !/^[A-Za-z][\w-]{0,99}$/.test(key))
    return note(reading, row.key === undefined ? keys : [...keys, 'key'], 'key must be letters, digits, "_" and "-": group_hero');
  if (reading.taken.has(key))
    return note(reading, row.key === undefined ? keys : [...keys, 'key'], `key "${key}" is taken already`);
  reading.taken.add(key);
  return key;
}

/** Lists of rules; a single rule is a list, and a list of rules is one alternative. */
function readLocation(given: unknown, keys: Keys, reading: Reading): FieldGroup['location'] {
  if (!Array.isArray(given) || given.length === 0) {
    note(reading, keys, 'location must be a list of lists of rules', '- [ { param: type, operator: "==", value: post } ]');
    return [];
  }
  return given.flatMap((rules, at): (readonly LocationRule[])[] => {
    const list = Array.isArray(rules) ? rules : [rules];
    const read = list.flatMap(
      (rule, place) => readRule(rule, Array.isArray(rules) ? [...keys, at, place] : [...keys, at], reading) ?? [],
    );
    return read.length === list.length && read.length > 0 ? [read] : [];
  });
}

function readRule(rule: unknown, keys: Keys, reading: Reading): LocationRule | null {
  const { param, operator = '==', value } = mapOf(rule);
  const known = locationParams.find((one) => one === param) as LocationParam | undefined;
  if (known === undefined)
    return unknownWord(reading, isMap(rule) && param !== undefined ? [...keys, 'param'] : keys, 'param', param, locationParams);
  if (operator !== '==' && operator !== '!=') return note(reading, [...keys, 'operator'], 'operator must be == or !=');
  if (value === undefined || value === null || typeof value === 'object')
    return note(reading, value === undefined ? keys : [...keys, 'value'], 'value must be a word or a number');
  return { param: known, isEqual: operator === '==', value: String(value) };
}

/** @returns null if it is not a list */
function readFields(given: unknown, keys: Keys, reading: Reading, depth: number): readonly FieldDefinition[] | null {
  const isPlain = reading.types === plainTypes;
  if (isPlain ? !isMap(given) : !Array.isArray(given))
    return note(reading, keys, `fields must be a ${isPlain ? 'map of names and types' : 'list of fields'}`);
  const rows = isPlain
    ? Object.entries(given as object).map(([name, row]) => [name, { ...(isMap(row) ? row : { type: row }), name }] as const)
    : [...(given as unknown[]).entries()];
  const beyond = rows[maxFields];
  if (beyond) note(reading, [...keys, beyond[0]], `there are more than ${maxFields} fields`);
  const names = new Set<string>();
  return rows.slice(0, maxFields).flatMap(([at, row]): FieldDefinition[] => {
    const definition = readField(row, [...keys, at], reading, depth);
    if (definition === null) return [];
    if (names.has(definition.name)) {
      note(reading, [...keys, at, 'name'], `name "${definition.name}" is taken by another field beside it`);
      return [];
    }
    names.add(definition.name);
    return [definition];
  });
}

function readField(row: unknown, keys: Keys, reading: Reading, depth: number): FieldDefinition | null {
  if (!isMap(row)) return note(reading, keys, 'a field must be a map with key, name and type');
  const { name, type } = row;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]{0,99}$/.test(name) || isObjectWord(name))
    return note(
      reading,
      name === undefined ? keys : [...keys, 'name'],
      'name must be small letters, digits and "_", beginning with a letter',
    );
  const kind = typeof type === 'string' ? reading.types[type] : undefined;
  if (typeof type !== 'string' || kind === undefined)
    return unknownWord(reading, type === undefined ? keys : [...keys, 'type'], 'type', type, Object.keys(reading.types));
  if (depth >= maxDepth) return note(reading, keys, `fields are nested more than ${maxDepth} deep`);
  const key = readKey(row, keys, reading, `field_${keys.filter((one) => one !== 'fields').join('_')}_${name}`);
  if (key === null) return null;
  const hasFields = type === 'group' || type === 'repeater';
  const fields =
    type === 'list'
      ? readEntry(row, keys, reading, depth + 1)
      : hasFields
        ? readFields(row.fields, [...keys, 'fields'], reading, depth + 1)
        : [];
  const layouts = type === 'flexible_content' ? readLayouts(row.layouts, [...keys, 'layouts'], reading, depth + 1) : bare.layouts;
  if (fields === null || layouts === null) return null;
  return {
    ...{ key, name, type, kind, fields, layouts },
    label: typeof row.label === 'object' ? '' : String(row.label ?? ''),
    isRequired: row.required === true,
    isShown: row.show_in_rest !== false,
    isWritable: row.edit_in_rest !== false,
    isIndexed: isIndexed(row, kind, keys, reading, depth),
    isPublic: row.public === true,
    options: readOptions(row, kind, keys, reading),
  };
}

/** The entries of a list: a field without a name, or groups of fields. */
function readEntry(
  row: Readonly<Record<string, unknown>>,
  keys: Keys,
  reading: Reading,
  depth: number,
): readonly FieldDefinition[] | null {
  const isGroups = row.of === undefined && row.fields !== undefined;
  const said = isGroups ? { type: 'group', fields: row.fields } : isMap(row.of) ? row.of : { type: row.of ?? 'text' };
  const entry = readField({ ...said, name: 'entry' }, isGroups ? keys : [...keys, 'of'], reading, depth);
  return entry && [entry];
}

function isIndexed(
  { index }: Readonly<Record<string, unknown>>,
  kind: FieldType,
  keys: Keys,
  reading: Reading,
  depth: number,
): boolean {
  if (index === undefined || index === false) return false;
  if (index === true && kind.keyOf && depth === 0) return true;
  note(
    reading,
    [...keys, 'index'],
    'index is true or false, and of texts, numbers, days, choices, booleans and relations outside of groups',
  );
  return false;
}

/** The options of a type; invalid ones are dropped. */
function readOptions(
  row: Readonly<Record<string, unknown>>,
  kind: FieldType,
  keys: Keys,
  reading: Reading,
): FieldDefinition['options'] {
  const options = Object.entries(kind.options ?? {}).flatMap(([name, check]): [string, unknown][] => {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value === undefined || value === null) return [];
    const wrong = check(value);
    if (wrong === null) return [[name, value]];
    note(reading, [...keys, name], `${name} ${wrong}`);
    return [];
  });
  const { default: standard, translation } = row;
  return {
    ...Object.fromEntries(options),
    ...(standard === undefined ? {} : { default: standard }),
    // The translation mode; used by the translation module.
    ...(typeof translation === 'string' ? { translation } : {}),
  };
}

/** A map of layouts, or a list of them with names. */
function readLayouts(given: unknown, keys: Keys, reading: Reading, depth: number): FieldDefinition['layouts'] | null {
  const rows: readonly (readonly [name: unknown, row: unknown, key: string | number])[] = Array.isArray(given)
    ? given.map((row, at) => [mapOf(row).name, row, at])
    : Object.entries(mapOf(given)).map(([name, row]) => [name, row, name]);
  if (rows.length === 0) return note(reading, keys, 'layouts must be a map of names and their fields');
  const layouts = new Map<string, readonly FieldDefinition[]>();
  for (const [name, row, key] of rows) {
    if (typeof name !== 'string' || !/^[\w-]{1,100}$/.test(name) || name === layoutKey || isObjectWord(name)) {
      note(reading, [...keys, key], 'a layout is called by letters, digits, "_" and "-"');
      continue;
    }
    const fields = readFields(mapOf(row).fields ?? [], [...keys, key, 'fields'], reading, depth);
    if (fields !== null) layouts.set(name, fields);
  }
  return layouts.size > 0 ? layouts : null;
}

function unknownWord(reading: Reading, keys: Keys, what: string, given: unknown, words: readonly string[]): null {
  const near = typeof given === 'string' ? nearest(given, words) : undefined;
  const hint = near === undefined ? `one of ${words.join(', ')}` : `did you mean ${near}?`;
  return note(reading, keys, given === undefined ? `${what} is missing` : `there is no ${what} ${JSON.stringify(given)}`, hint);
}

function note({ faults }: Reading, keys: Keys, message: string, hint?: string): null {
  faults.push({ keys, message, ...(hint === undefined ? {} : { hint }) });
  return null;
}
