/** Lists by custom fields: `fields[price]=7`, `fields_orderby=price`; and links to referenced items, which `_embed` follows. */
import { of } from '../../../kernel/model/schema.ts';
import type { Field } from '../../../kernel/model/field.ts';
import type { Extension, ExtensionLink } from '../../../kernel/module.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { ItemKind } from './location.ts';
import { readStored } from './nested-types.ts';
import type { FieldDefinition, FieldGroup, WithFields } from './record.ts';
import { referencesIn, referred } from './references.ts';
import { definitionsAt } from './values.ts';

type Holder = Partial<WithFields> & { readonly id: number };
type Key = string | number;

const indexOf = (name: string): string => `fields.${name}`;

/** The effect of `index: true`: indexes and list parameters. @param name  of the type or taxonomy */
export function indexExtension(name: string, groups: readonly FieldGroup[]): Pick<Extension, 'fields' | 'params' | 'listParams'> {
  const indexed = new Map<string, FieldDefinition>();
  for (const { fields } of groups)
    for (const one of fields) if (one.isIndexed && one.isShown && !indexed.has(one.name)) indexed.set(one.name, one);
  if (indexed.size === 0) return {};
  const fields: Record<string, Field<Holder, unknown>> = {};
  for (const definition of indexed.values()) fields[indexOf(definition.name)] = { index: facetOf(definition) };
  const clausesOf = (field: string, values: unknown, call: Call): readonly Clause[] => {
    const definition = indexed.get(field) as FieldDefinition;
    const { kind } = definition;
    const asked = [values].flat();
    if (kind.referring) return kind.referring(asked.map(Number), indexOf(field), definition, call);
    return [{ kind: 'in', index: indexOf(field), values: asked.map((value) => kind.keyOf?.(value) as Key) }];
  };
  const sorted = [...indexed.values()].flatMap(({ name: one, kind }) => (kind.referring ? [] : [one]));
  return {
    fields,
    params: {
      fields: {
        ...of('object', 'Limit result set to items that have these values of custom fields.', {
          properties: Object.fromEntries([...indexed.values()].map((one) => [one.name, listOf(one)])),
          additionalProperties: false,
        }),
        where: (asked, call) => [
          ...Object.entries(asked as object).flatMap(([field, values]) => clausesOf(field, values, call)),
          ...unlocked(name, call),
        ],
      },
      ...(sorted.length === 0
        ? {}
        : {
            fields_orderby: {
              ...of('string', 'Sort collection by a custom field.', { enum: sorted }),
              where: () => [],
            },
          }),
    },
    listParams: (params) =>
      typeof params.fields_orderby === 'string' ? { ...params, orderby: indexOf(params.fields_orderby) } : params,
  };
}

function facetOf(definition: FieldDefinition): NonNullable<Field<Holder, unknown>['index']> {
  const keyOf = definition.kind.keyOf as (stored: unknown) => Key;
  const none = typeof keyOf('0') === 'number' ? Number.NEGATIVE_INFINITY : '';
  const keysOf = ({ fields }: Holder): readonly Key[] => {
    const raw = fields?.[definition.name];
    const stored = raw === undefined ? null : readStored(raw, definition);
    return stored === null ? [] : [stored].flat().map(keyOf);
  };
  return { equal: keysOf, order: (record) => keysOf(record)[0] ?? none };
}

/** The requested values: one, several separated by commas, or a list. */
function listOf(definition: FieldDefinition) {
  const { type, items, enum: allowed } = definition.kind.schema(definition);
  const one = type === 'array' ? items : { type, ...(allowed ? { enum: allowed } : {}) };
  return { type: 'array', items: one } as const;
}

/** A list must not reveal protected values. */
function unlocked(name: string, call: Call): readonly Clause[] {
  const type = call.site.types.get(name);
  if (type === undefined || call.can(type.capabilities.edit_others_posts)) return [];
  return [{ kind: 'in', index: 'password', values: [0] }];
}

/** Links to items that plain fields refer to, if the reader may see them. */
export function fieldLinks(groups: readonly FieldGroup[], kind: ItemKind<never>): Pick<Extension, 'links'> {
  const refers = ({ kind: { isPlain, references }, fields }: FieldDefinition): boolean =>
    isPlain === true && (fields.length > 0 ? fields.some(refers) : references !== undefined);
  if (!groups.some(({ fields }) => fields.some(refers))) return {};
  const link: ExtensionLink = {
    title: 'What a custom field refers to.',
    route: '/{id}',
    embeddable: true,
    of(record: Holder, call) {
      if (kind.isLocked?.(record as never, call)) return [];
      const definitions = definitionsAt(groups, kind.locate(record as never, call.site));
      return [...definitions.values()].flatMap((definition) => {
        const raw = record.fields?.[definition.name];
        if (raw === undefined || !definition.isShown || !refers(definition)) return [];
        return referencesIn(definition, readStored(raw, definition)).flatMap((reference) => {
          const found = referred(call, reference);
          const target = found && targetOf(call, found);
          return target ? [{ ...target, field: definition.name }] : [];
        });
      });
    },
  };
  return { links: { field: link } };
}

function targetOf({ site }: Call, { post, term, user }: NonNullable<ReturnType<typeof referred>>) {
  if (user) return { value: user.id, route: '/cms/v2/users/{id}' };
  const kind = post ? site.types.get(post.type) : term && site.taxonomies.get(term.taxonomy);
  const id = (post ?? term)?.id;
  return kind && id !== undefined ? { value: id, route: `/${kind.restNamespace}/${kind.restBase}/{id}` } : null;
}
