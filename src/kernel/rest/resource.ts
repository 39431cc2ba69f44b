/**
 * `defineResource(declaration) → routes`: what a resource is, said once. HEAD, OPTIONS with its schema, the catalogue's entry,
 * arguments of paths and contexts, `_fields`, links as addresses, states and the answers to writes follow from the declaration.
 *
 * Handlers give back records, never items: one, a list, a map by name (`Map`), a page of a list (`pageOf`, `RecordPage`), one that
 * is new (`made`) or goes (`gone`), or one with headers (`told`).
 */
import { table } from '../model/maps.ts';
import type { Extended } from '../extended.ts';
import { type Fields, schemasOf } from '../model/field.ts';
import { type Context, resourceSchema, type Schema, type Schemas } from '../model/schema.ts';
import { type Arg, type Args, argsForCreate, argsForUpdate } from './args.ts';
import { contextArg, itemsOf, listed, type Paging, paging, refusePastEnd } from './collection.ts';
import { createProjector, type Item, type Link, type Links, type Shape } from './item.ts';
import type { Method, Params } from './request.ts';
import {
  type Answer,
  answer,
  type Call,
  CREATE,
  DELETE,
  type Endpoint,
  type Handled,
  READ,
  type Route,
  UPDATE,
} from './types.ts';
import { removed } from './write-input.ts';

export interface Resource<R, V = Call> extends Omit<Shape<R, V>, 'links'> {
  /** Of its schema. */
  readonly name: string;
  /** Path of its collection. */
  readonly base: string;
  /** Without a view, a field without a getter shows the property of its name, in camel case. */
  readonly fields: Fields<R, V>;
  /** What getters are given, made when one of them is asked; the call, where there is none. */
  readonly view?: (call: Call) => V;
  /** Hooks of the arguments that its fields are. */
  readonly hooks?: Readonly<Record<string, Partial<Arg>>>;
  /** Its schema, if its fields do not determine it. */
  readonly schema?: (call: Call, properties: Schemas) => Schema & Params;
  /** What modules add: its links, and what its schema says of them. */
  readonly extension?: Pick<Extended, 'links' | 'schema'>;
  /** The state that its writes may name (`If-Match`), where answers tell it. */
  readonly state?: (record: R, call: Call) => string;
  /** Its routes may be called in batches, where a verb does not say `false`. */
  readonly batch?: boolean;
  /** Its items in another form than its fields give them. */
  readonly finish?: (item: (record: R, call: Call) => Item) => (record: R, call: Call) => Item;
  /** Relation → route below the REST root (addresses stay as they are), or a link whose `href` is one, or several. */
  readonly links?: (record: R, call: Call) => RouteLinks;
  /** Parameters in paths. Only those that are declared are arguments. */
  readonly params?: Args;
  readonly routes: readonly ResourceRoute<R>[];
}

export type RouteLinks = Readonly<Record<string, string | Link | readonly Link[]>>;

/** What a handler found. */
export type Found<R> = R | readonly R[] | ReadonlyMap<string, R> | RecordPage<R> | Told<R>;

export interface Verb<T> extends Pick<Endpoint, 'allow' | 'lists' | 'batch'> {
  /** Beside the parameters of the path; the context, where there are none. `writable`: the fields that are not read-only. */
  readonly args?: Args | 'writable';
  /** Of a write: what its answer shows and, from then on, the request counts as one in, which `Allow` tells (observed of some). */
  readonly context?: (call: Call) => Context;
  readonly handle: (call: Call) => T | Promise<T>;
}

interface ResourceRoute<R> {
  /** Behind the base. */
  readonly path: string;
  readonly params?: Args | undefined;
  readonly endpoints: readonly { readonly methods: readonly Method[]; readonly verb: Verb<Found<R>> }[];
  readonly isOffered?: Route['isOffered'];
  /** Handlers give back the answer itself. */
  readonly isAction?: boolean;
  /** OPTIONS shows none, as of actions. */
  readonly hasSchema?: false;
}

const methodsOf = table({ read: READ, create: CREATE, update: UPDATE, remove: DELETE } as const);
type Verbs<R> = Partial<Record<keyof typeof methodsOf, Verb<Found<R>>>>;

/**
 * What lies below the base.
 * @param path  in the catalogue's notation; @param verbs  reading alone, or several
 * @param params  in the path, where they are not as the resource declares them
 */
export function item<R>(path: string, verbs: Verbs<R> | Verb<Found<R>>, params?: Args): ResourceRoute<R> {
  const all: Verbs<R> = 'handle' in verbs ? { read: verbs } : verbs;
  const endpoints = (Object.keys(methodsOf) as (keyof Verbs<R>)[]).flatMap((name) => {
    const verb = all[name];
    return verb ? [{ methods: methodsOf[name], verb }] : [];
  });
  return { path: path === '' ? '' : `/${path}`, endpoints, params };
}

/** All records, at the base. */
export function collection<R>(verbs: Verbs<R> | Verb<Found<R>>): ResourceRoute<R> {
  return item('', verbs);
}

/** An action at a path, by POST; the response is not a record of the resource. */
export function action(path: string, verb: Verb<unknown>): ResourceRoute<never> {
  return { path: `/${path}`, endpoints: [{ methods: CREATE, verb: verb as Verb<never> }], isAction: true };
}

/** One page of a list. */
export class RecordPage<R> {
  readonly records: readonly R[];
  readonly total: number;
  readonly paging: Paging;
  constructor(records: readonly R[], total: number, at: Paging) {
    this.records = records;
    this.total = total;
    this.paging = at;
  }
}

/** A record with more to say of it: the status and headers of its answer, or that it goes when `remove` is done. */
class Told<R> {
  readonly record: R;
  readonly said: { readonly status?: number; readonly headers?: Answer['headers'] };
  readonly remove: (() => Promise<unknown>) | undefined;
  constructor(record: R, said: Told<R>['said'] = {}, remove?: Told<R>['remove']) {
    this.record = record;
    this.said = said;
    this.remove = remove;
  }
}

export const told = <R>(record: R, headers: Answer['headers']): Told<R> => new Told(record, { headers });
export const made = <R>(record: R, headers: Answer['headers'] = {}): Told<R> => new Told(record, { status: 201, headers });
export const gone = <R>(record: R, remove: () => Promise<unknown>): Told<R> => new Told(record, {}, remove);

/** The page of a list in memory that a call asks for. @throws RestError rest_post_invalid_page_number */
export function pageOf<R>(call: Call, all: readonly R[]): RecordPage<R> {
  const at = paging(call);
  refusePastEnd(all.length, at);
  return new RecordPage(all.slice(at.offset, at.offset + at.perPage), all.length, at);
}

export function defineResource<R, V = Call>(declared: Resource<R, V>): readonly Omit<Route, 'namespace'>[] {
  const { name, base, params = {}, routes, batch: inBatches, extension, hooks } = declared;
  const fields = declared.view ? declared.fields : withGetters(declared.fields);
  const properties = schemasOf(fields);
  const plain = resourceSchema(name, properties);
  const schema = (call: Call) => ({ ...(declared.schema?.(call, properties) ?? plain), ...extension?.schema(call) });
  const project = projectorOf({ ...declared, fields });
  return routes.map(({ path, endpoints, isOffered, isAction, hasSchema = !isAction, params: named = params }) => {
    const inPath = Object.fromEntries(Object.entries(named).filter(([param]) => (base + path).includes(`(?P<${param}>`)));
    return {
      path: base + path,
      ...(isOffered && { isOffered }),
      ...(hasSchema && { schema }),
      endpoints: endpoints.map(({ methods, verb: { args, allow, lists, context, handle, batch = inBatches } }): Endpoint => {
        const derive = methods === CREATE ? argsForCreate : argsForUpdate;
        const own = args === 'writable' ? derive(properties, hooks) : (args ?? { context: contextArg() });
        const endpoint = { methods, args: { ...inPath, ...own }, allow, ...(lists && { lists }), ...(batch && { batch: true }) };
        if (isAction) return { ...endpoint, handle };
        const isEdited = methods !== READ && own.context === undefined;
        const inContext = context ?? (isEdited ? 'edit' : undefined);
        return {
          ...endpoint,
          handle(call) {
            const found = handle(call);
            if (found instanceof Promise) return found.then((some) => shown(some, project, call, inContext));
            return shown(found, project, call, inContext);
          },
        };
      }),
    };
  });
}

interface Projector<R> {
  item(record: R, call: Call): Item;
  /** Items are made when they are written. */
  readonly isLate: boolean;
  readonly state: Resource<R>['state'];
}

function projectorOf<R, V>(declared: Resource<R, V>): Projector<R> {
  const { links, extension, view, state, finish, ...shape } = declared;
  const linked = (record: R, _view: V, call: Call): Links => {
    const own = links ? addressed(links(record, call), call) : {};
    return extension ? Object.assign(own, extension.links(record, call)) : own;
  };
  const project = createProjector<R, V>({
    ...shape,
    ...(links || extension ? { links: linked } : {}),
  });
  const item = (record: R, call: Call): Item => project(record, view ? () => view(call) : (call as V), call);
  return {
    item: finish?.(item) ?? item,
    isLate: shape.cacheVersion !== undefined || shape.prepare !== undefined,
    state,
  };
}

/** @param context  where it is not the call's own; a function's is the call's from now on */
function shown<R>(
  found: Found<R>,
  { item, isLate, state }: Projector<R>,
  asked: Call,
  context: Verb<R>['context'] | Context,
): Handled {
  const call = typeof context === 'string' ? { ...asked, context } : asked;
  if (typeof context === 'function') Object.assign(call, { context: context(call) });
  if (Array.isArray(found)) return (found as readonly R[]).map((record) => item(record, call));
  if (found instanceof Map) return mapOf(found as Map<string, R>, item, call);
  if (found instanceof RecordPage) {
    const { records, total, paging: at } = found as RecordPage<R>;
    const one = (record: R): Item => item(record, call);
    const page = (items: readonly Item[]): Answer => listed(call, items, total, at);
    return isLate ? page(records.map(one)) : itemsOf(records, one).then(page);
  }
  const { record, said, remove } = found instanceof Told ? (found as Told<R>) : new Told(found as R);
  const one = item(record, call);
  return remove ? removed(one, remove) : answer(one, { ...said, state: state?.(record, call) });
}

/** Name → item with its links. A member without a value is not printed: with it, an empty map is `{}` and not a list. */
function mapOf<R>(found: ReadonlyMap<string, R>, item: Projector<R>['item'], call: Call): Record<string, unknown> {
  const { dialect } = call.request;
  if (found.size === 0) return { none: undefined };
  return Object.fromEntries(
    [...found].map(([name, record]) => {
      const { body, links } = item(record, call);
      const printed: Record<string, unknown> = {};
      for (const [relation, list] of Object.entries(links)) printed[dialect.relation(relation)] = list;
      if (Object.keys(links).some((relation) => relation.startsWith('cms:'))) printed.curies = dialect.curies(call.urls.root);
      const whole = Object.keys(printed).length > 0 ? { ...body, _links: printed } : body;
      return [dialect.wireName(name), Object.keys(whole).length > 0 ? whole : []];
    }),
  );
}

function withGetters<R, V>(fields: Fields<R, V>): Fields<R, V> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const property = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof R;
      return [name, field.get ? field : { ...field, get: (record: R) => record[property] }];
    }),
  );
}

function addressed(links: RouteLinks, { urls }: Call): Record<string, readonly Link[]> {
  const out: Record<string, readonly Link[]> = {};
  for (const [relation, given] of Object.entries(links)) {
    const some = (typeof given === 'string' ? [{ href: given }] : Array.isArray(given) ? given : [given]) as readonly Link[];
    out[relation] = some[0]?.href.startsWith('/') ? some.map((link) => ({ ...link, href: urls.rest(link.href) })) : some;
  }
  return out;
}
