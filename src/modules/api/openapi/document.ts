/**
 * The OpenAPI 3.1 document of a site, from its declarations.
 *
 * Source: OpenAPI Specification 3.1.1.
 */
import type { Call } from '../../../kernel/rest/types.ts';
import {
  type Components,
  json,
  ref,
  refusals,
  refusalsOf,
  securityOf,
  securitySchemes,
  sharedHeaders,
  sharedParameters,
} from './components.ts';
import { type JsonSchema, toJsonSchema, unicodePattern } from './json-schema.ts';
import { type Operation, operationsOf, pascal, type ShownSchema } from './operations.ts';

export interface OpenApi {
  readonly openapi: string;
  readonly info: Readonly<Record<string, string>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly unknown[];
  /** Path → method → operation. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly parameters: readonly JsonSchema[];
  readonly requestBody?: JsonSchema;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/** @param call  see `visitorCall` */
export function openApiOf(call: Call): OpenApi {
  const { site, urls } = call;
  const operations = operationsOf(call);
  const refused = refusals(call);
  const schemas = createSchemas({ ...refused.schemas, ...linkSchemas, Answer: anyAnswer });
  const repeated = repeatedParameters(operations);
  const parameters = createParameters(sharedParameters(), repeated);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    const { template, method } = operation;
    const item = paths[template.path] ?? {};
    paths[template.path] = item;
    item[method.toLowerCase()] = {
      operationId: operation.id,
      summary: operation.summary,
      tags: [operation.tag],
      security: securityOf(operation),
      parameters: [...parametersOf(operation).map(parameters.use), ...sharedOf(operation).map((name) => ref('parameters', name))],
      ...bodyOf(operation, schemas),
      responses: { ...answersOf(operation, schemas, call), ...refusalsOf(operation) },
    };
  }
  const description = String(site.settings.value('description') ?? '');
  return {
    openapi: '3.1.1',
    info: { title: String(site.settings.value('name') || 'cms'), version: 'v2', ...(description && { description }) },
    servers: [{ url: urls.root }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    security: [{}, { applicationPassword: [] }],
    paths,
    components: {
      schemas: schemas.all(),
      responses: refused.responses,
      parameters: parameters.all(),
      headers: sharedHeaders(call),
      securitySchemes: securitySchemes(call),
    },
  };
}

const anyAnswer: JsonSchema = { description: 'Any JSON value: the route declares no schema for it.' };

const linkSchemas: Readonly<Record<string, JsonSchema>> = {
  Links: {
    description: 'Relation → links.',
    type: 'object',
    additionalProperties: {
      type: 'array',
      items: {
        type: 'object',
        required: ['href'],
        properties: { href: { type: 'string' }, embeddable: { type: 'boolean' } },
      },
    },
  },
  Embedded: {
    description: 'Relation → what the links lead to, where `_embed` asks for it.',
    type: 'object',
    additionalProperties: { type: 'array' },
  },
};

/** Schemas by name: equal ones are shared, others numbered. */
interface Named {
  /** @returns a reference to it */
  use(name: string, schema: JsonSchema): JsonSchema;
  all(): Readonly<Record<string, JsonSchema>>;
}

function createSchemas(given: Readonly<Record<string, unknown>>): Named {
  const all = new Map<string, JsonSchema>(Object.entries(given) as [string, JsonSchema][]);
  const printed = new Map<string, string>();
  return {
    use(name, schema) {
      const text = JSON.stringify(schema);
      for (let number = 1; ; number++) {
        const own = number === 1 ? name : `${name}${number}`;
        if (all.has(own) && printed.get(own) !== text) continue;
        all.set(own, schema);
        printed.set(own, text);
        return ref('schemas', own);
      }
    },
    all: () => Object.fromEntries(all),
  };
}

/** Parameters besides the body; common ones are references. */
interface Parameters {
  use(parameter: JsonSchema): JsonSchema;
  all(): Readonly<Record<string, JsonSchema>>;
}

function createParameters(shared: Readonly<Record<string, unknown>>, repeated: ReadonlySet<string>): Parameters {
  const named = createSchemas(shared);
  return {
    use(parameter) {
      if (!repeated.has(JSON.stringify(parameter))) return parameter;
      const { $ref } = named.use(String(parameter.name), parameter);
      return { $ref: String($ref).replace('/schemas/', '/parameters/') };
    },
    all: named.all,
  };
}

/** Parameters of several operations. */
function repeatedParameters(operations: readonly Operation[]): ReadonlySet<string> {
  const [once, twice] = [new Set<string>(), new Set<string>()];
  for (const parameter of operations.flatMap(parametersOf)) {
    const text = JSON.stringify(parameter);
    (once.has(text) ? twice : once).add(text);
  }
  return twice;
}

function parametersOf({ template, method, args }: Operation): readonly JsonSchema[] {
  const inPath = template.params.map(({ name, pattern }) => {
    const { description, ...schema } = toJsonSchema(args[name] ?? { type: 'string' }, 'in');
    return {
      name,
      in: 'path',
      required: true,
      ...(description === undefined ? {} : { description }),
      schema: schema.type === 'integer' ? schema : { ...schema, pattern: `^(?:${unicodePattern(pattern)})$` },
    };
  });
  if (method !== 'GET' && method !== 'DELETE') return inPath;
  const names = new Set(template.params.map(({ name }) => name));
  const others = Object.entries(args).flatMap(([name, arg]) => {
    if (names.has(name)) return [];
    const { description, ...schema } = toJsonSchema(arg, 'in');
    return [
      {
        name,
        in: 'query',
        ...(arg.required === true ? { required: true } : {}),
        ...(description === undefined ? {} : { description }),
        ...styleOf(schema),
        schema,
      },
    ];
  });
  return [...inPath, ...others];
}

/** Lists are comma-separated, maps use brackets: `?categories=3,4&fields[price]=7`. */
function styleOf({ type }: JsonSchema): JsonSchema {
  const types = [type].flat();
  if (types.includes('array')) return { style: 'form', explode: false };
  return types.includes('object') ? { style: 'deepObject', explode: true } : {};
}

function sharedOf(operation: Operation): readonly string[] {
  if (operation.method === 'GET') return ['Fields', 'Embed', 'Envelope', 'IfNoneMatch'];
  const override = operation.method === 'POST' && operation.kind === 'update' ? ['MethodOverride'] : [];
  return [...override, ...(operation.takesState ? ['IfMatch'] : [])];
}

function bodyOf(operation: Operation, schemas: Named): { readonly requestBody?: JsonSchema } {
  const { method, template, args, id, kind } = operation;
  if (method === 'GET' || method === 'DELETE') return {};
  const names = new Set(template.params.map(({ name }) => name));
  const own = Object.entries(args).filter(([name]) => !names.has(name));
  if (own.length === 0) return {};
  const schema = toJsonSchema({ type: 'object', properties: Object.fromEntries(own) }, 'in');
  const title = titleOf(operation);
  const name = title && (kind === 'create' || kind === 'update') ? `${title}${pascal(kind)}` : `${pascal(id)}Body`;
  const body = schemas.use(name, schema);
  const content = { ...json(body), 'application/x-www-form-urlencoded': { schema: body } };
  const isRequired = 'required' in schema;
  return {
    requestBody: { ...(isRequired && { required: true }), content: { ...content, ...(isUpload(operation) && upload(body)) } },
  };
}

/** The file, named by `Content-Disposition`, or as a part of a form. */
function upload(body: JsonSchema): JsonSchema {
  const file = { description: 'The file.', contentMediaType: 'application/octet-stream' };
  return {
    'multipart/form-data': { schema: { allOf: [body, { type: 'object', required: ['file'], properties: { file } }] } },
    '*/*': { schema: file },
  };
}

const isUpload = ({ kind, schema }: Operation): boolean => kind === 'create' && schema?.title === 'attachment';

/** Schema name of the items in a response; '' if undeclared. */
function titleOf({ schema }: Operation): string {
  return pascal(String(schema?.title ?? ''));
}

function answersOf(operation: Operation, schemas: Named, call: Call): Readonly<Record<string, JsonSchema>> {
  const { method, kind, schema } = operation;
  const headers = { ETag: ref('headers', 'ETag') };
  const fresh: Components = method === 'GET' ? { '304': { description: 'The client has this answer.' } } : {};
  if (schema === null)
    return {
      [method === 'GET' ? '200' : '2XX']: { description: 'Done.', headers, content: json(ref('schemas', 'Answer')) },
      ...fresh,
    };
  const item = schemas.use(titleOf(operation) || pascal(operation.id), itemSchema(schema));
  switch (kind) {
    case 'list':
      return {
        '200': {
          description: 'Items of the list.',
          headers: { ...headers, ...('per_page' in operation.args ? pagingHeaders(call) : {}) },
          content: json({ type: 'array', items: item }),
        },
        ...fresh,
      };
    case 'map':
      return {
        '200': {
          description: 'Name → item.',
          headers,
          content: json({ type: ['object', 'array'], maxItems: 0, additionalProperties: item }),
        },
        ...fresh,
      };
    case 'create':
      return {
        '201': {
          description: 'The item, as editors see it.',
          headers: { ...headers, Location: ref('headers', 'Location') },
          content: json(item),
        },
      };
    case 'remove':
      return {
        '200': { description: 'The item in the trash, or what was removed.', content: json({ anyOf: [removed(item), item] }) },
      };
    default:
      return { '200': { description: 'The item.', headers, content: json(item) }, ...fresh };
  }
}

function pagingHeaders({ request: { dialect } }: Call): JsonSchema {
  return Object.fromEntries([
    ...['Total', 'TotalPages'].map((name) => [dialect.header(name), ref('headers', name)]),
    ['Link', ref('headers', 'Link')],
  ]);
}

const removed = (item: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['deleted', 'previous'],
  properties: { deleted: { const: true }, previous: item },
});

/** An item with its links. */
function itemSchema(schema: ShownSchema): JsonSchema {
  const { title: _, $schema: __, links: ___, ...own } = schema;
  const { type: ____, maxItems: _____, ...made } = toJsonSchema({ ...own, type: 'object' }, 'out');
  const linked = { _links: ref('schemas', 'Links'), _embedded: ref('schemas', 'Embedded') };
  return { type: 'object', ...made, properties: { ...(made.properties as object), ...linked } };
}
