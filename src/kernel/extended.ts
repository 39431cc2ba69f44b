/**
 * What modules add to the items of one kind, taken together: fields, parameters of lists, links, and clauses that always hold.
 */
import { type Fields, readFields } from './model/field.ts';
import type { Extension, ExtensionLink, ListParam, PreparedWrite } from './module.ts';
import type { Clause } from './records/types.ts';
import type { Args } from './rest/args.ts';
import type { Link, Links } from './rest/item.ts';
import type { Call } from './rest/types.ts';
import type { Schemas } from './model/schema.ts';
import type { PlanningSite, Site } from './site/site.ts';
import type { FileChange } from './store/types.ts';

export interface Extended {
  /** Nothing is added. */
  readonly isEmpty: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a field takes the one record it was declared for, which only its own table knows
  readonly fields: Fields<any, any>;
  /** The fields that items begin with, as modules have them. */
  reshapeFields<R, V>(fields: Fields<R, V>): Fields<R, V>;
  /** Registered meta. */
  readonly meta: Schemas;
  /** Arguments of lists. */
  readonly args: Args;
  /** Clauses of a list: those of parameters that were sent, and those that always hold. */
  where(call: Call): readonly Clause[];
  /** Only those that always hold, for a search over several kinds. */
  scope(call: Call): readonly Clause[];
  links(record: unknown, call: Call): Links;
  /** The same links in the schema. */
  schemaLinks(call: Call): readonly Record<string, unknown>[];
  /** `links` of a schema that has none of its own. */
  schema(call: Call): { readonly links?: readonly Record<string, unknown>[] };
  /** Absent where no module reads parameters of lists otherwise. */
  readonly listParams?: (call: Call) => Call;
  /** Of items that are peers the same text. */
  peerGroup(record: unknown): string;
  /** The input of a write as modules complete it. @throws RestError of a module */
  prepareWrite<I extends object>(input: I, site: PlanningSite, call: Call, before?: unknown): PreparedInput<I>;
  /** Paths for the file of an item, the best first. */
  fileNames(path: string, record: unknown, site: Site): readonly string[];
}

/** An input as modules have completed it. */
export interface PreparedInput<I> {
  readonly input: I;
  /** The plan of the write with what modules ask of it. */
  plan<P extends { readonly changes: readonly FileChange[] }>(own: P): P & { readonly once?: string };
}

/** The same input where no module has a say. */
export function unprepared<I>(input: I): PreparedInput<I> {
  return { input, plan: (own) => own };
}

const noClauses: readonly Clause[] = Object.freeze([]);
const noLinks: Links = Object.freeze({});

export function extendedBy(extensions: readonly Extension[]): Extended {
  const params = extensions.flatMap((one) => Object.entries<ListParam>(one.params ?? {}));
  const scopes = extensions.flatMap(({ scope }) => scope ?? []);
  const links = extensions.flatMap((one) => Object.entries<ExtensionLink>(one.links ?? {}));
  const readers = extensions.flatMap(({ listParams }) => listParams ?? []);
  const groups = extensions.flatMap(({ peerGroup }) => peerGroup ?? []);
  const preparing = extensions.flatMap(({ prepareWrite }) => prepareWrite ?? []);
  const naming = extensions.flatMap(({ fileNames }) => fileNames ?? []);
  const scope = (call: Call) => (scopes.length === 0 ? noClauses : scopes.flatMap((one) => one(call)));
  const extended: Extended = {
    isEmpty: extensions.length === 0,
    fields: Object.assign({}, ...extensions.map(({ fields }) => fields)),
    reshapeFields: (fields) => extensions.reduce((now, one) => one.reshapeFields?.(now) ?? now, fields),
    meta: Object.assign({}, ...extensions.map(({ meta }) => meta)),
    args: Object.fromEntries(params),
    where(call) {
      if (params.length === 0) return scope(call);
      const sent = params.flatMap(([name, { where }]) => {
        const value = call.params[name];
        return value === undefined || value === null ? noClauses : where(value, call);
      });
      return [...sent, ...scope(call)];
    },
    scope,
    links: (record, call) =>
      links.length === 0
        ? noLinks
        : Object.fromEntries(
            links.map(([relation, link]) => [relation, linksOf(link, record, call)]).filter(([, some]) => some?.length),
          ),
    schemaLinks: ({ request, urls }) =>
      links.map(([relation, { title, route }]) => ({
        rel: relation.startsWith('cms:') ? request.dialect.relationUri(relation.slice(4)) : relation,
        title,
        href: urls.rest(route),
      })),
    schema: (call) => (links.length === 0 ? {} : { links: extended.schemaLinks(call) }),
    ...(readers.length === 0
      ? {}
      : { listParams: (call) => ({ ...call, params: readers.reduce((params, one) => one(params, call), call.params) }) }),
    peerGroup: (record) => groups.map((one) => one(record)).join('\n'),
    prepareWrite<I extends object>(input: I, site: PlanningSite, call: Call, before?: unknown): PreparedInput<I> {
      if (preparing.length === 0) return unprepared(input);
      const blank: PreparedWrite = { input: input as PreparedWrite['input'] };
      const { input: all, once, changes = [] } = preparing.reduce((write, one) => one(write, call, before, site), blank);
      const named = once === undefined ? {} : { once };
      return { input: all as I, plan: (own) => ({ ...own, ...named, changes: [...own.changes, ...changes] }) };
    },
    fileNames: (path, record, site) =>
      naming.length === 0 ? [path] : [...new Set(naming.flatMap((one) => one(path, record, site)))],
  };
  return extended;
}

function linksOf({ of, route, embeddable }: ExtensionLink, record: unknown, call: Call): readonly Link[] {
  return [of(record, call) ?? []]
    .flat()
    .filter((value) => value !== '')
    .map((target) => {
      const { value, route: own = route, ...attributes } = typeof target === 'object' ? target : { value: target };
      const href = call.urls.rest(own.replace(/\{\w+\}/, () => encodeURIComponent(value)));
      return { ...(embeddable ? { embeddable } : {}), ...attributes, href };
    });
}

/** What fields make of a file that says nothing: for a record that has none. */
export function blankValues(fields: Fields<never, never>): Readonly<Record<string, unknown>> {
  const draft = {} as never;
  readFields(fields, {}, draft, { path: 'x/x.md', mtimeMs: 0, zone: 'UTC', refs: noReferences });
  return draft;
}

/** Properties of a record that fields fill from a file that says nothing. */
export function recordKeys(fields: Fields<never, never>): readonly string[] {
  return Object.keys(blankValues(fields));
}

/** Without any names. */
export const noReferences = {
  termId: () => 0,
  termRef: () => 0,
  userId: () => 0,
  userRef: () => 0,
  postId: () => 0,
  postRef: () => 0,
  defaultTerm: () => 0,
};
