/**
 * From records to answers: a resource's fields projected for one context, with its links.
 */
import { type Field, type Fields, shownIn } from '../model/field.ts';
import { type Context, propertiesOf } from '../model/schema.ts';
import type { FieldFilter } from './fields.ts';
import type { Call } from './types.ts';

/** `embeddable` links are followed by `_embed`. */
export interface Link {
  readonly href: string;
  readonly embeddable?: true;
  readonly [attribute: string]: unknown;
}

/** Relation (neutral spelling) → links. */
export type Links = Readonly<Record<string, readonly Link[]>>;

/** A record as one answer shows it, links kept apart until it is written. */
export class Item {
  readonly body: Record<string, unknown>;
  readonly links: Links;
  /** A single answer prints its links whatever `_fields` names (observed of few resources). */
  readonly keepsLinks: boolean;
  constructor(body: Record<string, unknown>, links: Links = {}, { keepsLinks = false } = {}) {
    this.body = body;
    this.links = links;
    this.keepsLinks = keepsLinks;
  }
}

export interface Shape<R, V> {
  readonly fields: Fields<R, V>;
  readonly links?: (record: R, view: V, call: Call) => Links;
}

/**
 * Builds the projector of a resource. Contexts are compiled on first use; what `_fields` leaves out is not computed.
 */
export function createProjector<R, V>({
  fields,
  links,
}: Shape<R, V>): (record: R, view: V, call: Call, context?: Context) => Item {
  const compiled = new Map<Context, readonly Step<R, V>[]>();
  return (record, view, call, context = call.context) => {
    const steps = compiled.get(context) ?? compile(fields, context);
    compiled.set(context, steps);
    const body: Record<string, unknown> = {};
    for (const step of steps) if (call.fields.wants(step.name)) body[step.name] = step.value(record, view, call.fields);
    const linked = links && (call.fields.wants('_links') || call.fields.wants('_embedded'));
    return new Item(body, linked ? links(record, view, call) : {});
  };
}

interface Step<R, V> {
  readonly name: string;
  value(record: R, view: V, filter: FieldFilter): unknown;
}

function compile<R, V>(fields: Fields<R, V>, context: Context): readonly Step<R, V>[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!field.get || !field.schema || !shownIn(field.schema, context)) return [];
    return [{ name, value: createGetter(name, field, context) }];
  });
}

function createGetter<R, V>(name: string, field: Field<R, V>, context: Context): Step<R, V>['value'] {
  const { get } = field;
  if (typeof get === 'function') return (record, view) => get(record, view);
  const properties = propertiesOf(field.schema ?? {});
  const parts = Object.entries(get ?? {}).filter(([part]) => shownIn(properties[part] ?? {}, context));
  return (record, view, filter) => {
    const value: Record<string, unknown> = {};
    for (const [part, getPart] of parts) if (filter.wants(`${name}.${part}`)) value[part] = getPart(record, view);
    return value;
  };
}
