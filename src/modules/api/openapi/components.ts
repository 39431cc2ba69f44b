/** Shared parts of operations: errors by status, parameters of reads, headers, security schemes. */
import { table } from '../../../kernel/model/maps.ts';
import { STATUS_CODES } from 'node:http';
import { type ErrorRow, errors } from '../../../kernel/errors.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { cookieName } from '../../people/sessions/index.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Operation } from './operations.ts';
import { pascal } from './operations.ts';

export type Components = Readonly<Record<string, JsonSchema>>;

export const ref = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });

/** Name of an error response: `NotFound`. */
const refusalName = (status: number): string => pascal(STATUS_CODES[status]?.replaceAll("'", '') ?? `Status${status}`);

/** Code → row of every error of the site. */
function errorRows({ site }: Call): Readonly<Record<string, ErrorRow>> {
  return { ...errors, ...site.modules.errors };
}

/** Error responses, each with its codes. */
export function refusals(call: Call): { readonly schemas: Components; readonly responses: Components } {
  const byStatus = new Map<number, [string, string][]>();
  for (const [code, { status, message }] of Object.entries(errorRows(call)))
    for (const one of status === 'auth' ? [401, 403] : [status])
      byStatus.set(one, [...(byStatus.get(one) ?? []), [code, message]]);
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  const schemas = sorted.map(([status, rows]) => {
    const codes = rows.sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, message]) => ({ const: code, description: message }));
    return [
      `${refusalName(status)}Error`,
      { allOf: [ref('schemas', 'Error'), { 'x-status': status, properties: { code: { oneOf: codes } } }] },
    ];
  });
  const responses = sorted.map(([status]) => [
    refusalName(status),
    { description: STATUS_CODES[status] ?? 'Refused.', content: json(ref('schemas', `${refusalName(status)}Error`)) },
  ]);
  return {
    schemas: { Error: errorSchema, ...Object.fromEntries(schemas) },
    responses: {
      ...Object.fromEntries(responses),
      OwnRefusal: {
        description: 'A refusal in the form of the namespace, or in that of the interface.',
        content: json({ anyOf: [ref('schemas', 'Error'), ref('schemas', 'Answer')] }),
      },
      Refused: { description: 'A refusal with another status, or a failure.', content: json(ref('schemas', 'Error')) },
    },
  };
}

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request was refused. Clients tell refusals apart by their code.',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string', description: 'What went wrong, as one word.' },
    message: { type: 'string', description: 'What went wrong, for people.' },
    data: {
      type: ['object', 'null'],
      properties: {
        status: { type: 'integer', description: 'Status of the answer.' },
        params: { description: 'Arguments that are wrong, with why; names of those that are missing.' },
        details: { description: 'Of arguments that are wrong: the code and data of each.' },
      },
    },
  },
};

/** The errors of an operation, by status. Some namespaces have their own format. */
export function refusalsOf(operation: Operation): Components {
  if (operation.kind === 'other' && !operation.isContent && operation.namespace !== '')
    return { default: ref('responses', 'OwnRefusal') };
  const isWrite = operation.method !== 'GET';
  const statuses = [
    400,
    ...(operation.namespace === '' ? [] : [401, 403]),
    ...(operation.template.params.length > 0 ? [404] : []),
    ...(isWrite ? [409, 413] : []),
    ...(operation.takesState ? [412] : []),
  ];
  const named = statuses.map((status) => [String(status), ref('responses', refusalName(status))]);
  return { ...Object.fromEntries(named), default: ref('responses', 'Refused') };
}

/** Parameters of every read, and those for method override and conditions. */
export function sharedParameters(): Components {
  const inQuery = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
    name,
    in: 'query',
    description,
    schema,
  });
  const text = { type: 'string' };
  return {
    Fields: inQuery('_fields', 'Members that the answer is narrowed to: `id,title.rendered`.', text),
    Embed: inQuery('_embed', 'Put what is linked into `_embedded`: relations by name, or all of them without a value.', text),
    Envelope: inQuery('_envelope', 'Answer 200 with `{body, status, headers}`, for clients that see no headers.', text),
    MethodOverride: {
      name: 'X-HTTP-Method-Override',
      in: 'header',
      description:
        'The method that is meant, for clients that can send none but GET and POST; `_method` in the query does the same.',
      schema: { type: 'string', enum: ['PUT', 'PATCH', 'DELETE'] },
    },
    IfMatch: {
      name: 'If-Match',
      in: 'header',
      description: 'The `ETag` of the state that the write applies to. Another state is refused with 412.',
      schema: text,
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of an answer that the client has. The same answer is 304, without a body.',
      schema: text,
    },
  };
}

export function sharedHeaders({ request: { dialect } }: Call): Components {
  const whole = { type: 'integer', minimum: 0 };
  return {
    Total: { description: `Items of the list before paging (\`${dialect.header('Total')}\`).`, schema: whole },
    TotalPages: { description: `Pages of the list (\`${dialect.header('TotalPages')}\`).`, schema: whole },
    Link: {
      description: 'Addresses of the page before (`rel="prev"`) and of the next one (`rel="next"`).',
      schema: { type: 'string' },
    },
    ETag: { description: 'Names this answer and the state it was made from.', schema: { type: 'string' } },
    Location: { description: 'Address of what was made.', schema: { type: 'string', format: 'uri' } },
  };
}

/** Security schemes. */
export function securitySchemes({ site, request: { dialect } }: Call): Components {
  return {
    applicationPassword: {
      type: 'http',
      scheme: 'basic',
      description: 'Login and application password (`cms password create`).',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieName('session', site.url, { isHttps: site.url.startsWith('https:') }),
      description: 'Session of a browser; requests bring a nonce, too.',
    },
    nonce: { type: 'apiKey', in: 'header', name: dialect.header('Nonce'), description: 'Nonce of the session.' },
    folderKey: { type: 'http', scheme: 'bearer', description: 'Key of the media folders.' },
  };
}

const signedIn = [{ applicationPassword: [] }, { session: [], nonce: [] }];

/** Namespaces with their own key. */
const keyed: Readonly<Record<string, string>> = table({ 'folders/public/v1': 'folderKey' });

/** The security of an operation; `{}`: none needed. */
export function securityOf({ route, isOpen }: Operation): readonly unknown[] {
  const own = keyed[route.namespace];
  if (own && route.path !== `/${route.namespace}`) return [{ [own]: [] }];
  return isOpen ? [{}, ...signedIn] : signedIn;
}

export const json = (schema: JsonSchema): Components => ({ 'application/json': { schema } });
