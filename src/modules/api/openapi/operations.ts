/** The operations of a site, one per method and path, from the registry: the basis of the OpenAPI document, the reference and the types. */
import { table } from '../../../kernel/model/maps.ts';
import { RestError, errorRow } from '../../../kernel/errors.ts';
import { everywhere, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import { wireConstants } from '../../../render/wire-constants.ts';
import { plainParams } from '../../../kernel/rest/args.ts';
import { describeOptions, type RouteDescription, spellNamespace } from '../../../kernel/rest/describe.ts';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import { refuse } from '../../../kernel/rest/error-response.ts';
import type { Method } from '../../../kernel/rest/request.ts';
import type { Call, Dispatcher, Endpoint, Route } from '../../../kernel/rest/types.ts';
import { type Template, templateOf } from './templates.ts';

/** The response: items by number or by name, one item, a created, changed or deleted item; or something else. */
type Kind = 'list' | 'map' | 'one' | 'create' | 'update' | 'remove' | 'other';

/** A schema as in OPTIONS, in the dialect. */
export type ShownSchema = Readonly<Record<string, unknown>>;

export interface Operation {
  /** Unique: `listPosts`, `getPostsById`; with the namespace if it is not that of content. */
  readonly id: string;
  readonly method: Method;
  /** In the dialect, like the rest. */
  readonly template: Template;
  readonly route: Route;
  readonly endpoint: Endpoint;
  readonly namespace: string;
  /** In the namespace of content. */
  readonly isContent: boolean;
  /** Supports `If-Match`. */
  readonly takesState: boolean;
  /** Tag. */
  readonly tag: string;
  readonly summary: string;
  readonly kind: Kind;
  /** Of the items in the response; null if undeclared. */
  readonly schema: ShownSchema | null;
  /** Name → argument, including those of the path. */
  readonly args: Readonly<Record<string, ShownSchema>>;
  /** Visitors may be allowed. */
  readonly isOpen: boolean;
}

/**
 * Responses that differ from the form of the path: maps by name, lists without items, and routes with a schema but other results. Tests compare the
 * document with real responses.
 */
const kinds: Readonly<Record<string, Kind>> = table({
  'GET /cms/v2/types': 'map',
  'GET /cms/v2/statuses': 'map',
  'GET /cms/v2/taxonomies': 'map',
  'GET /cms/v2/menu-locations': 'map',
  'GET /cms/v2/block-patterns/patterns': 'list',
  'GET /cms/v2/block-patterns/categories': 'list',
  'GET /cms/v2/global-styles/themes/{}/variations': 'list',
});

/** By title, members of responses that differ from the OPTIONS schema of the reference. */
const shownOtherwise: Readonly<Record<string, Readonly<Record<string, ShownSchema>>>> = table({
  cms_block: {
    [wireConstants.patternSync]: {
      ...of('string', 'Whether uses of the block follow it: `unsynced` where they do not.', {
        context: everywhere,
        readonly: true,
      }),
    },
  },
  ability: {
    meta: {
      ...of('object', 'Meta information about the ability.', {
        context: viewAndEdit,
        readonly: true,
        properties: {
          annotations: of('object', 'What running it does.', { additionalProperties: { type: ['boolean', 'null'] } }),
          show_in_rest: of('boolean', 'Whether it can be run here.'),
        },
      }),
    },
  },
});

export const contentNamespace = 'cms/v2';

/** A visitor's call in a dialect, for schemas and rules. */
export function visitorCall(dispatcher: Dispatcher, dialect: Dialect): Call {
  const request = { method: 'GET', route: '/', query: {}, headers: {}, dialect, user: null } as const;
  const found = dispatcher.describe(request);
  if (!found) throw new Error('the site has no index');
  return found.call;
}

/** In catalogue order. @param call  see `visitorCall` */
export function operationsOf(call: Call): readonly Operation[] {
  const { dialect } = call.request;
  const { routes } = call.registry;
  const collections = new Set(
    routes.flatMap(({ path }) => {
      const form = formOf(templateOf(path).path);
      return form.endsWith('/{}') ? [form.slice(0, -3)] : [];
    }),
  );
  const stated = new Set(routes.flatMap(({ path, endpoints }) => (endpoints.some(holdsStates) ? [`${path}/{}`] : [])));
  const openLists = new Set(
    routes.flatMap(({ path, endpoints }) =>
      endpoints.some((one) => one.methods.includes('GET') && isOpen(one, call)) ? [`${formOf(templateOf(path).path)}/{}`] : [],
    ),
  );
  const seen = new Set<string>();
  return routes.flatMap((route) => {
    const form = formOf(templateOf(route.path).path);
    const template = templateOf(dialect.spellRoute(route.path));
    const described = describeOptions(route, call);
    return route.endpoints.flatMap((endpoint, at) =>
      endpoint.methods.flatMap((method): Operation[] => {
        // Of two routes that differ only in patterns, the first one responds.
        const place = `${method} ${form}`;
        if (seen.has(place)) return [];
        seen.add(place);
        const kind = kindOf({ route, endpoint, method, form, isCollection: collections.has(form) });
        const schema = kind === 'other' ? null : truthful((described.schema as ShownSchema | undefined) ?? null, dialect);
        const namespace = spellNamespace(route.namespace, dialect);
        const isContent = route.namespace === contentNamespace;
        const base = baseOf(template.path, namespace);
        return [
          {
            ...{ method, template, route, endpoint, namespace, isContent, kind, schema },
            takesState: (kind === 'update' || kind === 'remove') && stated.has(form),
            id: idOf(method, kind, isContent && base !== '' ? base : `/${namespace}${base}`),
            tag: namespace === '' ? 'site' : isContent ? (base.split('/')[1] ?? namespace) : namespace,
            summary: summaryOf(method, kind, schema, base),
            args: argsIn(described, at),
            isOpen: isOpen(endpoint, call) || (method === 'GET' && openLists.has(form)),
          },
        ];
      }),
    );
  });
}

function truthful(schema: ShownSchema | null, dialect: Dialect): ShownSchema | null {
  const instead = shownOtherwise[dialect.readWord(String(schema?.title))];
  return schema && instead ? { ...schema, properties: { ...(schema.properties as object), ...instead } } : schema;
}

interface Place {
  readonly route: Route;
  readonly endpoint: Endpoint;
  readonly method: Method;
  /** The path without parameter names. */
  readonly form: string;
  readonly isCollection: boolean;
}

function kindOf({ route, endpoint, method, form, isCollection }: Place): Kind {
  const known = kinds[`${method} ${form}`];
  if (known) return known;
  if (!route.schema || endpoint.methods.length > 3) return 'other';
  if (method === 'GET') return endpoint.lists || 'per_page' in endpoint.args || isCollection ? 'list' : 'one';
  if (method === 'DELETE') return 'remove';
  if (endpoint.methods.includes('PUT')) return 'update';
  return isCollection ? 'create' : 'other';
}

/** Whether items have files, whose writes support `If-Match`. */
const holdsStates = ({ lists }: Endpoint): boolean => lists !== undefined;

const formOf = (path: string): string => path.replace(/\{\w+\}/g, '{}');

function baseOf(path: string, namespace: string): string {
  return namespace === '' ? path : path.slice(namespace.length + 1);
}

const verbs: Readonly<Record<Method, string>> = table({
  GET: 'get',
  HEAD: 'head',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
  OPTIONS: 'describe',
});
const verbOfKind: Partial<Readonly<Record<Kind, string>>> = table({ list: 'list', create: 'create', remove: 'delete' });

/** `listPosts`, `getPostsById`. */
function idOf(method: Method, kind: Kind, base: string): string {
  const verb = kind === 'update' && method === 'POST' ? 'update' : (verbOfKind[kind] ?? verbs[method]);
  const words = pascal(base.replace(/\{(\w+)\}/g, 'by-$1'));
  return verb + (words === '' ? 'Index' : words);
}

/** `cms_block-revision` → `CmsBlockRevision`. */
export function pascal(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

function summaryOf(method: Method, kind: Kind, schema: ShownSchema | null, base: string): string {
  const title = typeof schema?.title === 'string' ? schema.title : '';
  const item = title.replaceAll(/[-_]/g, ' ');
  const fixed = base.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const last = (fixed.at(-1) ?? 'index').replaceAll(/[-_]/g, ' ');
  const one = /^[aeiou]/i.test(item) ? `an ${item}` : `a ${item}`;
  if (item === '') return `${method === 'GET' ? 'Read' : method === 'DELETE' ? 'Delete' : 'Send'}: ${fixed.join(' ') || last}`;
  switch (kind) {
    case 'list':
    case 'map':
      return `List ${last}`;
    case 'create':
      return `Create ${one}`;
    case 'update':
      return `Update ${one}`;
    case 'remove':
      return `Delete ${one}`;
    default:
      return `Get ${one}`;
  }
}

function argsIn({ endpoints }: RouteDescription, at: number): Operation['args'] {
  const args = endpoints[at]?.args;
  return Array.isArray(args) ? {} : (args as Operation['args']);
}

/** Whether a visitor may reach the item; without an item, the rule of its list decides. */
function isOpen({ allow, args }: Endpoint, call: Call): boolean {
  try {
    const refusal = allow({ ...call, params: plainParams({}, args) });
    return refusal === null || !isOfRights(refuse(refusal), call);
  } catch (error) {
    return error instanceof RestError && !isOfRights(error, call);
  }
}

function isOfRights({ code }: RestError, { site }: Call): boolean {
  const status = errorRow(code, site.modules.errors)?.status;
  return status === 'auth' || status === 401 || status === 403;
}
