/**
 * From records to answers: a resource's fields projected for one context, with its links.
 */
import { type Field, type Fields, type MetaFacet, shownIn } from '../model/field.ts';
import { type Context, propertiesOf } from '../model/schema.ts';
import type { Dialect } from './dialect.ts';
import type { Call } from './types.ts';

/** `embeddable` links are followed by `_embed`. */
export interface Link {
  readonly href: string;
  readonly embeddable?: true;
  readonly [attribute: string]: unknown;
}

/** Relation (neutral spelling) → links. */
export type Links = Readonly<Record<string, readonly Link[]>>;

/** Names an item whose printed form may be kept, and the state it is good for. */
export interface CacheKey {
  readonly record: { readonly id: number };
  /** The one it shows; a handler may choose another than the call's. */
  readonly context: Context;
  /** What everything in the item was made from, the record itself apart; another value is another item. */
  readonly cacheVersion: string | number;
}

const nothing = (): undefined => undefined;

type Lazy<T> = T | (() => T);

/** A record as one answer shows it, links kept apart until it is written. Both are computed when somebody looks. */
export class Item {
  /** A single answer prints its links whatever `_fields` names (observed of few resources). */
  readonly keepsLinks: boolean;
  readonly keep: CacheKey | undefined;
  /** To be awaited, if it gives something, before the body is looked at: what is in it is made ready without holding others up. */
  readonly prepare: () => Promise<void> | undefined;
  #body: Lazy<Record<string, unknown>>;
  #links: Lazy<Links>;
  constructor(
    body: Lazy<Record<string, unknown>>,
    links: Lazy<Links> = {},
    options: { keepsLinks?: boolean; keep?: CacheKey | undefined; prepare?: Item['prepare'] } = {},
  ) {
    this.#body = body;
    this.#links = links;
    this.keepsLinks = options.keepsLinks ?? false;
    this.keep = options.keep;
    this.prepare = options.prepare ?? nothing;
  }

  get body(): Record<string, unknown> {
    if (typeof this.#body === 'function') this.#body = this.#body();
    return this.#body;
  }

  get links(): Links {
    if (typeof this.#links === 'function') this.#links = this.#links();
    return this.#links as Links;
  }
}

export interface Shape<R, V> {
  readonly fields: Fields<R, V>;
  readonly links?: (record: R, view: V, call: Call) => Links;
  /**
   * The state an item of the record is made from, beside the record, where its printed form may be kept and used again. Items
   * must then depend on nothing of the call but context, `_fields`, `excerpt_length`, spelling and user.
   */
  readonly cacheVersion?: (record: R, call: Call, context: Context) => string | number;
  /** Makes ready what the fields of a record will take long for. */
  readonly prepare?: (record: R, view: V, call: Call) => Promise<void> | undefined;
  /** A single answer has its links whatever `_fields` names (observed of few resources). */
  readonly keepsLinks?: boolean;
  /** All fields are shown only where `_fields` names them as a whole. */
  readonly isWhole?: boolean;
}

/** The stamp of items that may show anything of the site's memory. */
export const wholeState = (_record: unknown, { site }: Call): number => site.records.generation;

/**
 * Builds the projector of a resource. Contexts are compiled on first use; what `_fields` leaves out is not computed. A view may
 * be given as what makes it.
 */
export function createProjector<R, V>({
  fields,
  links,
  cacheVersion: stamp,
  prepare,
  keepsLinks = false,
  isWhole = false,
}: Shape<R, V>): (record: R, view: V | (() => V), call: Call, context?: Context) => Item {
  const compiled = { neutral: new Map<Context, Steps<R, V>>(), original: new Map<Context, Steps<R, V>>() };
  const preparing = Object.entries(fields).filter(([, field]) => field.prepare !== undefined);
  const prepares = prepare !== undefined || preparing.length > 0;
  const readied = (record: R, viewed: () => V, call: Call): Promise<void> | undefined => {
    const own = prepare?.(record, viewed(), call);
    const { dialect } = call.request;
    const wanted = preparing.filter(([name]) => call.fields.wants(dialect.memberName(name)));
    const others = wanted.flatMap(([, field]) => field.prepare?.(record, call) ?? []);
    return others.length === 0 ? own : Promise.all([own, ...others]).then(() => undefined);
  };
  return (record, given, call, context = call.context) => {
    // What is kept printed needs no view.
    let made: V | undefined;
    const viewed = (): V => (made ??= typeof given === 'function' ? (given as () => V)() : given);
    const body = () => {
      const view = viewed();
      const { dialect } = call.request;
      const known = compiled[dialect.name];
      const steps = known.get(context) ?? compile(fields, context, dialect);
      known.set(context, steps);
      const out: Record<string, unknown> = {};
      const isWanted = (step: Step<R, V>) =>
        isWhole || step.isWhole ? call.fields.names(step.name) : call.fields.wants(step.name);
      try {
        for (const step of steps) if (isWanted(step)) out[step.name] = step.value(record, view, call);
      } catch {
        // A field that fails only affects itself.
        for (const step of steps)
          if (isWanted(step))
            out[step.name] = call.site.spare(`field ${step.name}`, record, () => step.value(record, view, call), null);
      }
      return out;
    };
    const linked = (): Links =>
      links && (keepsLinks || call.fields.wants('_links') || call.fields.wants('_embedded'))
        ? call.site.spare('its links', record, () => links(record, viewed(), call), {})
        : {};
    if (!stamp && !prepares) return new Item(body(), linked(), { keepsLinks });
    return new Item(body, linked, {
      keepsLinks,
      keep: stamp && { record: record as { readonly id: number }, context, cacheVersion: stamp(record, call, context) },
      ...(prepares
        ? { prepare: () => call.site.spare('what takes long', record, () => readied(record, viewed, call), undefined) }
        : {}),
    });
  };
}

interface Step<R, V> {
  readonly name: string;
  readonly isWhole: boolean;
  value(record: R, view: V, call: Call): unknown;
}

type Steps<R, V> = readonly Step<R, V>[];

function compile<R, V>(fields: Fields<R, V>, context: Context, dialect: Dialect): Steps<R, V> {
  const inMeta = Object.values(fields).flatMap((field) => field.inMeta ?? []);
  return Object.entries(fields).flatMap(([neutral, field]) => {
    const name = dialect.memberName(neutral);
    if (!field.get || !field.schema || !shownIn(field.schema, context)) return [];
    const value = createGetter(name, field, context);
    const isWhole = field.isWhole === true;
    return [{ name, isWhole, value: name === 'meta' && inMeta.length > 0 ? withInner(value, inMeta) : value }];
  });
}

/** Registered meta with the members that other fields have among it. */
function withInner<R, V>(registered: Step<R, V>['value'], inner: readonly MetaFacet<R>[]): Step<R, V>['value'] {
  return (record, view, call) => {
    const shown = inner.flatMap((facet) => facet.get(record, call) ?? []);
    return shown.length === 0 ? registered(record, view, call) : Object.assign({}, registered(record, view, call), ...shown);
  };
}

function createGetter<R, V>(name: string, field: Field<R, V>, context: Context): Step<R, V>['value'] {
  const { get } = field;
  if (typeof get === 'function') return get;
  const properties = propertiesOf(field.schema ?? {});
  const parts = Object.entries(get ?? {}).filter(([part]) => shownIn(properties[part] ?? {}, context));
  return (record, view, call) => {
    const value: Record<string, unknown> = {};
    for (const [part, getPart] of parts) if (call.fields.wants(`${name}.${part}`)) value[part] = getPart(record, view, call);
    return value;
  };
}
