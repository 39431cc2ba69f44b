/**
 * `defineResource(declaration) → routes`: what a plain resource is, said once. HEAD, OPTIONS with its schema, the catalogue's entry,
 * arguments of paths and contexts, `_fields`, and links as addresses follow from the declaration.
 *
 * Handlers give back records, never items: one, a list, a map by name (`Map`), a page of a list (`pageOf`), one that is new (`made`)
 * or one that goes (`gone`).
 */
import { type Fields, schemasOf } from '../model/field.ts';
import { resourceSchema, type Schemas } from '../model/schema.ts';
import { type Args, argsForCreate, argsForUpdate } from './args.ts';
import { contextArg, listed, type Paging, paging, refusePastEnd } from './collection.ts';
import { createProjector, type Item, type Link, type Links, type Shape } from './item.ts';
import { mapOf } from './map-response.ts';
import { answer, type Call, CREATE, DELETE, type Endpoint, type Handled, READ, type Route, type Rule, UPDATE } from './types.ts';
import type { Method } from './request.ts';
import { removed } from './write-input.ts';

export interface Resource<R> extends Pick<Shape<R, Call>, 'keepsLinks' | 'isWhole'> {
  /** Of its schema. */
  readonly name: string;
  /** Path of its collection. */
  readonly base: string;
  /** Getters are given the call. A field without one shows the property of its name, in camel case. */
  readonly fields: Fields<R, Call>;
  /** Its routes may be called in batches. */
  readonly batch?: true;
  /** Relation → route below the REST root, or a link whose `href` is one. */
  readonly links?: (record: R, call: Call) => Readonly<Record<string, string | Link>>;
  /** Parameters in paths. Only those that are declared are arguments. */
  readonly params?: Args;
  readonly routes: readonly ResourceRoute<R>[];
  readonly needsWriter?: true;
}

/** What a handler found. */
export type Found<R> = R | readonly R[] | ReadonlyMap<string, R> | RecordPage<R> | Written<R>;

export interface Verb<T> {
  /** Where they are not the parameters of the path and the context; `writable`: the fields that are not read-only. */
  readonly args?: Args | 'writable';
  readonly allow: Rule;
  readonly handle: (call: Call) => T | Promise<T>;
}

interface ResourceRoute<R> {
  /** Behind the base. */
  readonly path: string;
  readonly endpoints: readonly { readonly methods: readonly Method[]; readonly verb: Verb<Found<R>> }[];
  /** Handlers give back the answer itself. */
  readonly isAction?: boolean;
}

interface Verbs<R> {
  readonly read: Verb<Found<R>>;
  readonly create?: Verb<Found<R>>;
  readonly update?: Verb<Found<R>>;
  readonly remove?: Verb<Found<R>>;
}

const methodsOf = { read: READ, create: CREATE, update: UPDATE, remove: DELETE } as const;

/** What lies below the base. @param path  in the catalogue's notation; @param verbs  reading alone, or several */
export function item<R>(path: string, verbs: Verbs<R> | Verb<Found<R>>): ResourceRoute<R> {
  const all: Partial<Verbs<R>> = 'handle' in verbs ? { read: verbs } : verbs;
  const endpoints = (Object.keys(methodsOf) as (keyof Verbs<R>)[]).flatMap((name) => {
    const verb = all[name];
    return verb ? [{ methods: methodsOf[name], verb }] : [];
  });
  return { path: path === '' ? '' : `/${path}`, endpoints };
}

/** All records, at the base. */
export function collection<R>(verbs: Verbs<R> | Verb<Found<R>>): ResourceRoute<R> {
  return item('', verbs);
}

/** Something that is done at a path by POST; the answer is no record of the resource. */
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

/** A record that a call has made (`remove` is null), or that `remove` is to take away. */
class Written<R> {
  readonly record: R;
  readonly remove: (() => Promise<unknown>) | null;
  constructor(record: R, remove: Written<R>['remove']) {
    this.record = record;
    this.remove = remove;
  }
}

export const made = <R>(record: R): Written<R> => new Written(record, null);
export const gone = <R>(record: R, remove: () => Promise<unknown>): Written<R> => new Written(record, remove);

/** The page of a list in memory that a call asks for. @throws RestError rest_post_invalid_page_number */
export function pageOf<R>(call: Call, all: readonly R[]): RecordPage<R> {
  const at = paging(call);
  refusePastEnd(all.length, at);
  return new RecordPage(all.slice(at.offset, at.offset + at.perPage), all.length, at);
}

export function defineResource<R>({
  name,
  base,
  params = {},
  routes,
  ...declared
}: Resource<R>): readonly Omit<Route, 'namespace'>[] {
  const fields = withGetters(declared.fields);
  const properties = schemasOf(fields);
  const schema = resourceSchema(name, properties);
  const { links, keepsLinks = false, isWhole = false } = declared;
  const batch = declared.batch ? { batch: true } : {};
  const { needsWriter } = declared;
  const project = createProjector<R, Call>({
    fields,
    keepsLinks,
    isWhole,
    ...(links ? { links: (record, call) => addressed(links(record, call), call) } : {}),
  });
  const toItem = (record: R, call: Call): Item => project(record, call, call);
  return routes.map(({ path, endpoints, isAction }) => {
    const inPath = Object.fromEntries(Object.entries(params).filter(([param]) => path.includes(`(?P<${param}>`)));
    return {
      path: base + path,
      ...(needsWriter && { needsWriter }),
      ...(isAction ? {} : { schema: () => schema }),
      endpoints: endpoints.map(({ methods, verb }): Endpoint => {
        const args = argsOf(verb, methods, properties, inPath);
        if (isAction) return { methods, args, allow: verb.allow, handle: verb.handle, ...batch };
        const isEdited = methods !== READ && args.context === undefined;
        return {
          methods,
          args,
          allow: verb.allow,
          handle: (call) => shown(verb, toItem, isEdited ? { ...call, context: 'edit' } : call),
          ...batch,
        };
      }),
    };
  });
}

function argsOf({ args }: Verb<unknown>, methods: readonly Method[], properties: Schemas, inPath: Args): Args {
  if (args === 'writable') return methods === CREATE ? argsForCreate(properties) : argsForUpdate(properties);
  return args ?? { ...inPath, context: contextArg() };
}

function shown<R>({ handle }: Verb<Found<R>>, toItem: (record: R, call: Call) => Item, call: Call): Handled {
  const found = handle(call);
  return found instanceof Promise ? found.then((some) => itemsOf(some, toItem, call)) : itemsOf(found, toItem, call);
}

function itemsOf<R>(found: Found<R>, toItem: (record: R, call: Call) => Item, call: Call): Handled {
  if (Array.isArray(found)) return (found as readonly R[]).map((record) => toItem(record, call));
  if (found instanceof Map)
    return mapOf(
      call,
      [...(found as Map<string, R>)].map(([key, record]) => [key, toItem(record, call)]),
    );
  if (found instanceof Written) {
    const written = toItem(found.record as R, call);
    return found.remove ? removed(written, found.remove) : answer(written, { status: 201 });
  }
  if (!(found instanceof RecordPage)) return toItem(found as R, call);
  const { records, total, paging: at } = found as RecordPage<R>;
  return listed(
    call,
    records.map((record) => toItem(record, call)),
    total,
    at,
  );
}

function withGetters<R>(fields: Fields<R, Call>): Fields<R, Call> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const property = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof R;
      return [name, field.get ? field : { ...field, get: (record: R) => record[property] }];
    }),
  );
}

function addressed(links: Readonly<Record<string, string | Link>>, { urls }: Call): Links {
  return Object.fromEntries(
    Object.entries(links).map(([relation, link]) => [
      relation,
      [typeof link === 'string' ? { href: urls.rest(link) } : { ...link, href: urls.rest(link.href) }],
    ]),
  );
}
