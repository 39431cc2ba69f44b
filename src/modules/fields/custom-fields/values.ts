/** The values of one item: its fields, the response, and the effect of writes. */
import type { FieldCall } from '../../../kernel/model/field.ts';
import { same } from '../../../kernel/model/field.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { filterHtml } from '../../../render/filter.ts';
import { belongsTo, type FieldLocation } from './location.ts';
import { acceptValue, faultOf, readStored, showValue } from './nested-types.ts';
import { type FieldDefinition, type FieldGroup, type FieldValues, memberName, ValueFault, type WithFields } from './record.ts';
import { checkReferences, idOf, referencesIn, refuse, withNames } from './references.ts';
import { isAttachment } from '../../content/attachments/record.ts';

export type ValueFormat = 'standard' | 'light';

/** Fields of an item by name; of duplicates the first. */
export function definitionsAt(groups: readonly FieldGroup[], item: FieldLocation): ReadonlyMap<string, FieldDefinition> {
  const found = new Map<string, FieldDefinition>();
  for (const group of groups) {
    if (!belongsTo(group, item)) continue;
    for (const definition of group.fields) if (!found.has(definition.name)) found.set(definition.name, definition);
  }
  return found;
}

/** Values of a record; those of a type's own fields may be under `meta`, as other deployments write them. */
type Holder = WithFields & { readonly meta?: FieldValues };

function rawOf({ fields, meta }: Holder, { name, type }: FieldDefinition): unknown {
  if (type === 'declared' && meta && Object.hasOwn(meta, name)) return meta[name];
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/**
 * The response for an item: fields with values, or all of them if there are none (recorded). Plain fields are always included.
 * @param absent  value of an empty field; default: null
 */
export function shownFields(
  record: Holder,
  definitions: ReadonlyMap<string, FieldDefinition>,
  format: ValueFormat,
  call: FieldCall,
  absent: (definition: FieldDefinition) => unknown = () => null,
): Record<string, unknown> {
  const visible = [...definitions.values()].filter(({ isShown }) => isShown);
  const isHeld = (definition: FieldDefinition): boolean => (rawOf(record, definition) ?? null) !== null;
  const hasSome = visible.some(isHeld);
  return Object.fromEntries(
    visible.flatMap((definition) => {
      const { name, kind, options } = definition;
      if (isHeld(definition)) return [[name, showValue(rawOf(record, definition), definition, format, call)] as const];
      if (kind.isPlain) return [[name, options.default ?? null] as const];
      return hasSome ? [] : [[name, absent(definition)] as const];
    }),
  );
}

/** One field of an item; null if unknown. */
export function shownField(
  record: Holder,
  definition: FieldDefinition | undefined,
  format: ValueFormat,
  call: FieldCall,
): unknown {
  return definition?.isShown ? showValue(rawOf(record, definition), definition, format, call) : null;
}

/**
 * Sent values merged into those of a record: missing members stay, null removes one, unknown names are ignored. An equal value keeps its spelling in
 * the file.
 * @throws RestError rest_invalid_param naming the member
 */
export function changedFields(
  given: FieldValues,
  before: Holder,
  definitions: ReadonlyMap<string, FieldDefinition>,
  call: FieldCall,
): Holder {
  const fields: Record<string, unknown> = { ...before.fields };
  const meta: Record<string, unknown> = { ...before.meta };
  for (const [name, value] of Object.entries(given)) {
    const definition = definitions.get(name);
    if (!definition?.isWritable) continue;
    const raw = rawOf(before, definition);
    const place = definition.type === 'declared' && Object.hasOwn(meta, name) ? meta : fields;
    const stored = accepted(value, definition, raw);
    if (stored === null) {
      delete place[name];
      continue;
    }
    const tidy = cleaned(stored, call);
    if (raw !== undefined && meansTheSame(raw, tidy, definition, call)) continue;
    checkReferences(call.site, definition, tidy);
    place[name] = withNames(call.site, definition, tidy);
  }
  return { fields, meta };
}

/** Whether a file has the value already, literally or by name. */
function meansTheSame(raw: unknown, stored: unknown, definition: FieldDefinition, call: FieldCall): boolean {
  if (same(readStored(raw, definition), stored)) return true;
  if (!definition.kind.references || definition.fields.length > 0 || definition.layouts.size > 0) return false;
  return same(showValue(raw, definition, 'light', call), showValue(stored, definition, 'light', call));
}

function accepted(value: unknown, definition: FieldDefinition, raw: unknown): unknown {
  try {
    return acceptValue(value, definition, 'client', raw);
  } catch (error) {
    if (error instanceof ValueFault) return refuse(memberName(definition.name, error.keys), `${error.message}.`);
    throw error;
  }
}

/** Without markup that the writer may not use. */
function cleaned(stored: unknown, call: FieldCall): unknown {
  if (call.can('unfiltered_html')) return stored;
  if (typeof stored === 'string') return stored.includes('<') ? filterHtml(stored, 'post') : stored;
  if (Array.isArray(stored)) return stored.map((one) => cleaned(one, call));
  if (!isMap(stored)) return stored;
  return Object.fromEntries(Object.entries(stored).map(([name, one]) => [name, cleaned(one, call)]));
}

/** The error in sent values, before the item is known; null if valid. */
export function faultIn(given: unknown, groups: readonly FieldGroup[]): string | null {
  for (const [name, value] of Object.entries(mapOf(given))) {
    const candidates = groups.flatMap(({ fields }) => fields.filter((one) => one.name === name && one.isWritable));
    const faults = candidates.map((definition) => faultOf(value, definition, 'client'));
    if (faults.length > 0 && !faults.includes(null)) return `${memberName(name, faults[0]?.keys ?? [])} ${faults[0]?.message}.`;
  }
  return null;
}

/** Loads the facts of images; undefined if they are loaded. */
export function prepareFields(
  record: WithFields,
  definitions: ReadonlyMap<string, FieldDefinition>,
  call: FieldCall,
): Promise<void> | undefined {
  const { site } = call;
  const media = [...definitions.values()].flatMap((definition) => {
    const raw = record.fields[definition.name];
    const references = raw === undefined ? [] : referencesIn(definition, readStored(raw, definition));
    return references.flatMap((reference) => {
      const post = reference.kind === 'post' ? site.posts.get(idOf(site, reference)) : undefined;
      return isAttachment(post) && site.media.facts(post) === undefined ? [post] : [];
    });
  });
  return media.length === 0 ? undefined : site.media.prepare(media);
}
