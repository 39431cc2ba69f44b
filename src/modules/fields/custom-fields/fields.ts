/** The member `fields` of items, for each kind that a group belongs to. */
import { fail } from '../../../kernel/errors.ts';
import { type Field, type FieldCall, map, same } from '../../../kernel/model/field.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { everywhere, type Schema } from '../../../kernel/model/schema.ts';
import type { Extension, Extensions } from '../../../kernel/module.ts';
import type { Arg } from '../../../kernel/rest/args.ts';
import { invalid } from '../../../kernel/rest/validate.ts';
import { commentItems, type ItemKind, postItems, revisionItems, termItems, userItems } from './location.ts';
import { targetsOf, type Targets } from './location.ts';
import { fieldLinks, indexExtension } from './lists.ts';
import { schemaOf } from './nested-types.ts';
import type { FieldDefinition, FieldGroup, WithFields } from './record.ts';
import { changedFields, definitionsAt, faultIn, prepareFields, shownFields } from './values.ts';

type Holder = WithFields & { readonly id: number };

/** Extensions for the groups of a site. Tags have their fields only in `fields/v3` (recorded). */
export function fieldExtensions(groups: readonly FieldGroup[], targets: Targets): Extensions {
  const extensions: Record<string, Extension> = {};
  const groupsOf = (name: string) => groups.filter((group) => targetsOf(group, targets).includes(name));
  const add = (
    name: string,
    kind: ItemKind<never>,
    change: (field: Field<Holder, unknown>) => Field<Holder, unknown> = (one) => one,
  ) => {
    const own = groupsOf(name);
    if (own.length === 0) return;
    const { fields, ...lists } = indexExtension(name, own);
    extensions[name] = {
      fields: { fields: change(fieldsField(name, own, kind as ItemKind<unknown>)), ...fields },
      ...lists,
      ...fieldLinks(own, kind),
    };
  };
  for (const type of targets.types) add(type, postItems as ItemKind<never>);
  for (const taxonomy of targets.taxonomies)
    add(taxonomy, termItems as ItemKind<never>, taxonomy === 'post_tag' ? unseen : undefined);
  add('user', userItems as ItemKind<never>);
  add('comment', commentItems as ItemKind<never>, refusingVisitors);
  const ofPosts = groups.filter((group) => targets.types.some((type) => targetsOf(group, targets).includes(type)));
  if (ofPosts.length > 0) extensions.revision = { fields: { fields: revisionField(ofPosts) } };
  return extensions;
}

/** A field for the values of all groups of a kind of item. */
function fieldsField(name: string, groups: readonly FieldGroup[], kind: ItemKind<unknown>): Field<Holder, unknown> {
  const properties: Record<string, Schema> = {};
  for (const { fields } of groups) for (const one of fields) if (one.isShown) properties[one.name] ??= schemaOf(one);
  const definitionsOf = (record: Holder, call: FieldCall) => definitionsAt(groups, kind.locate(record, call.site));
  const schema: Arg = {
    description: 'Values of custom fields.',
    type: 'object',
    context: everywhere,
    properties,
    validate(value) {
      if (typeof value !== 'object' || (Array.isArray(value) && value.length > 0))
        return invalid('rest_invalid_type', 'fields is not of type object.');
      const fault = faultIn(value, groups);
      return fault === null ? null : invalid('rest_invalid_param', fault);
    },
    coerce: false,
  };
  return {
    schema,
    get: (record, _view, call) =>
      kind.isLocked?.(record, call) ? {} : shownFields(record, definitionsOf(record, call), 'standard', call),
    prepare: (record, call) => prepareFields(record, definitionsOf(record, call), call),
    set(value, draft, { before, call }) {
      const held = { ...blank, ...kind.blank(name, call), ...before, ...draft };
      const record = held as unknown as Holder;
      const changed = changedFields(mapOf(value), record, definitionsOf(record, call), call);
      draft.fields = changed.fields;
      if (!same(changed.meta, held.meta)) Object.assign(draft, { meta: changed.meta });
    },
    file: {
      key: 'fields',
      form: { description: 'Values of custom fields.', type: ['object', 'null'], properties: fileForms(properties) },
      read(raw, draft) {
        draft.fields = raw === undefined ? {} : map.parse(raw, 'fields');
      },
      print: ({ fields }) => (Object.keys(fields ?? {}).length === 0 ? undefined : fields),
    },
  };
}

/** Of a new item. */
const blank = { fields: {}, meta: {} };

/** Files may use names where clients use ids. */
function fileForms(properties: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const { type, items, enum: allowed, ...form } = schema;
      const types = [type ?? []].flat();
      const isOpen = types.includes('integer') || types.includes('number') || types.includes('array');
      return [
        name,
        isOpen
          ? { ...(form.description ? { description: form.description } : {}) }
          : { ...form, type: types, ...(allowed ? { enum: [...Object.values(allowed), null] } : {}) },
      ];
    }),
  );
}

/** Writable under its name, but not returned. */
function unseen({ get: _get, schema = {}, ...field }: Field<Holder, unknown>): Field<Holder, unknown> {
  return { ...field, schema: { ...schema, context: [] } };
}

/** Visitors may write a comment, but not its fields. */
function refusingVisitors(field: Field<Holder, unknown>): Field<Holder, unknown> {
  return {
    ...field,
    set(value, draft, cx) {
      if (cx.call.user === null) fail('rest_forbidden');
      field.set?.(value, draft, cx);
    },
  };
}

/** Of a revision: its values, and defaults for others (recorded). */
function revisionField(groups: readonly FieldGroup[]): Field<Holder, unknown> {
  const kind = revisionItems as ItemKind<unknown>;
  const { file } = fieldsField('revision', groups, kind);
  const absent = ({ options }: FieldDefinition): unknown => options.default ?? '';
  return {
    schema: { description: 'Values of custom fields.', type: 'object', context: everywhere, readonly: true },
    get: (record, _view, call) =>
      shownFields(record, definitionsAt(groups, kind.locate(record, call.site)), 'standard', call, absent),
    prepare: (record, call) => prepareFields(record, definitionsAt(groups, kind.locate(record, call.site)), call),
    ...(file ? { file } : {}),
  };
}
