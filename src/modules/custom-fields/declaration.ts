/**
 * Groups of fields as `site.yaml` declares them. The file is untrusted: what makes no sense is reported where it stands and left out;
 * the rest of the declaration holds.
 */
import { isMap, mapOf } from '../../kernel/model/maps.ts';
import { isObjectWord } from '../../kernel/model/reserved-names.ts';
import { nearest } from '../../kernel/model/spelling.ts';
import { declaredFields } from '../types/index.ts';
import { nestedTypes } from './nested-types.ts';
import {
  type FieldDefinition,
  type FieldGroup,
  type FieldType,
  type Keys,
  type LocationParam,
  type LocationRule,
  layoutKey,
  locationParams,
} from './record.ts';
import { referenceTypes } from './reference-types.ts';
import { scalarTypes } from './scalar-types.ts';

/** A later type is a row more. A table of its own: no name of JavaScript's own objects is a type. */
const fieldTypes: Readonly<Record<string, FieldType>> = Object.assign(
  Object.create(null),
  scalarTypes,
  referenceTypes,
  nestedTypes,
);

/** Those that a group may name. */
const typeNames: readonly string[] = Object.keys(fieldTypes).filter((name) => name !== 'declared');

export interface DeclarationFault {
  /** Leads to it from the top of `site.yaml`. */
  readonly keys: Keys;
  readonly message: string;
  readonly hint?: string;
}

export interface DeclaredGroups {
  readonly groups: readonly FieldGroup[];
  readonly faults: readonly DeclarationFault[];
}

const maxGroups = 200;
const maxFields = 200;
/** Groups in rows in groups: deeper ones are nobody's form. */
const maxDepth = 8;

interface Reading {
  readonly faults: DeclarationFault[];
  /** Keys of fields and groups that are taken. */
  readonly taken: Set<string>;
}

/** @param fields  `fields:` of `site.yaml`. @param types  its `types:`, whose `fields` are groups for one type */
export function declaredGroups(fields: unknown, types: unknown): DeclaredGroups {
  const reading: Reading = { faults: [], taken: new Set() };
  const list = Array.isArray(fields) ? fields : [];
  if (list.length > maxGroups) note(reading, ['fields', maxGroups], `there are more than ${maxGroups} groups of fields`);
  const groups = list.slice(0, maxGroups).flatMap((row, at) => readGroup(row, ['fields', at], reading) ?? []);
  return { groups: [...groups, ...groupsOfTypes(types)], faults: reading.faults };
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
        kind: typeOf('declared'),
        label,
        options: { schema },
      };
    });
    const location: readonly LocationRule[] = [{ param: 'type', isEqual: true, value: type }];
    return fields.length === 0 ? [] : [{ key: `group_type_${type}`, title: type, location: [location], fields }];
  });
}

function ownFields(fields: unknown): ReturnType<typeof declaredFields> {
  try {
    return declaredFields(fields);
  } catch {
    return {};
  }
}

const bare = {
  isRequired: false,
  isShown: true,
  isWritable: true,
  isPublic: false,
  fields: [],
  layouts: new Map<string, readonly FieldDefinition[]>(),
} as const;

function typeOf(name: string): FieldType {
  return fieldTypes[name] as FieldType;
}

function readGroup(row: unknown, keys: Keys, reading: Reading): FieldGroup | null {
  if (!isMap(row)) return note(reading, keys, 'a group of fields must be a map with key, location and fields');
  const key = readKey(row, keys, reading);
  if (key === null) return null;
  const location = readLocation(row.location, [...keys, 'location'], reading);
  const fields = readFields(row.fields, [...keys, 'fields'], reading, 0);
  if (location.length === 0 || fields === null) return null;
  return { key, title: typeof row.title === 'object' ? key : String(row.title ?? key), location, fields };
}

/** @param fallback  for a field, which has one of its own without saying it */
function readKey(row: Readonly<Record<string, unknown>>, keys: Keys, reading: Reading, fallback?: string): string | null {
  const key = row.key ?? fallback;
  if (typeof key !== 'string' || !/^[A-Za-z][\w-]{0,99}$/.test(key))
    return note(reading, row.key === undefined ? keys : [...keys, 'key'], 'key must be letters, digits, "_" and "-": group_hero');
  if (reading.taken.has(key))
    return note(reading, row.key === undefined ? keys : [...keys, 'key'], `key "${key}" is taken already`);
  reading.taken.add(key);
  return key;
}

/** Lists of rules; one rule alone is a list, and a list of rules is one of the lists. */
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

/** @returns null when it is no list */
function readFields(given: unknown, keys: Keys, reading: Reading, depth: number): readonly FieldDefinition[] | null {
  if (!Array.isArray(given)) return note(reading, keys, 'fields must be a list of fields');
  if (given.length > maxFields) note(reading, [...keys, maxFields], `there are more than ${maxFields} fields`);
  const names = new Set<string>();
  return given.slice(0, maxFields).flatMap((row, at): FieldDefinition[] => {
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
  if (typeof type !== 'string' || !typeNames.includes(type))
    return unknownWord(reading, type === undefined ? keys : [...keys, 'type'], 'type', type, typeNames);
  if (depth >= maxDepth) return note(reading, keys, `fields are nested more than ${maxDepth} deep`);
  const key = readKey(row, keys, reading, `field_${keys.filter((one) => one !== 'fields').join('_')}_${name}`);
  if (key === null) return null;
  const kind = typeOf(type);
  const hasFields = type === 'group' || type === 'repeater';
  const fields = hasFields ? readFields(row.fields, [...keys, 'fields'], reading, depth + 1) : [];
  const layouts = type === 'flexible_content' ? readLayouts(row.layouts, [...keys, 'layouts'], reading, depth + 1) : bare.layouts;
  if (fields === null || layouts === null) return null;
  return {
    ...{ key, name, type, kind, fields, layouts },
    label: typeof row.label === 'object' ? '' : String(row.label ?? ''),
    isRequired: row.required === true,
    isShown: row.show_in_rest !== false,
    isWritable: row.edit_in_rest !== false,
    isPublic: row.public === true,
    options: readOptions(row, kind, keys, reading),
  };
}

/** What a type knows; an option that makes no sense is left out. */
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
    // What becomes of it in translations; read by the module that makes them.
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
