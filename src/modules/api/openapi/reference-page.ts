/** The reference page of a site as HTML, from its OpenAPI document: no scripts or external resources, so that it works offline. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import type { OpenApi, OpenApiOperation } from './document.ts';
import type { JsonSchema } from './json-schema.ts';
import { style } from './reference-style.ts';

export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=UTF-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

export function referencePage(document: OpenApi): string {
  const { info, servers, tags } = document;
  const root = servers[0]?.url ?? '';
  const title = escapeHtml(info.title ?? '');
  const rows = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Row => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = tags.map(({ name }) => section(name, rows, document)).join('');
  const schemas = Object.entries(document.components.schemas ?? {}).filter(([name]) => !isRefusal(name));
  const schemes = Object.values(document.components.securitySchemes ?? {})
    .map(({ description }) => `<li>${prose(description)}</li>`)
    .join('');
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${title}: reference of the interface</title><style>${style}</style></head><body>` +
    `<a class="skip" href="#content">Skip to the content</a>` +
    `<header><h1>${title}</h1><p>Reference of the interface at <code>${escapeHtml(root)}</code></p></header>` +
    `<nav aria-label="Sections"><ul>${[...tags.map(({ name }) => link(`tag-${name}`, name)), link('schemas', 'Schemas'), link('errors', 'Errors')].join('')}</ul></nav>` +
    `<main id="content"><section aria-labelledby="sign-in"><h2 id="sign-in">Signing in</h2>` +
    `<p>What is public needs no credentials. Everything else takes one of these.</p><ul>${schemes}</ul></section>${sections}` +
    `<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.map(([name, one]) => schemaEntry(name, one)).join('')}</section>` +
    `<section aria-labelledby="errors"><h2 id="errors">Errors</h2>${errorEntries(document)}</section></main></body></html>\n`
  );
}

interface Row {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

const isRefusal = (name: string): boolean => name !== 'Error' && name.endsWith('Error');
const idOf = (text: string): string => escapeHtml(text.replace(/[^\w.-]+/g, '-'));
const link = (id: string, text: string): string => `<li><a href="#${idOf(id)}">${escapeHtml(text)}</a></li>`;

/** Text with `code`. */
function prose(text: unknown): string {
  return escapeHtml(typeof text === 'string' ? text : '').replace(/`([^`]+)`/g, '<code>$1</code>');
}

function section(tag: string, rows: readonly Row[], document: OpenApi): string {
  const own = rows.filter(({ operation }) => operation.tags.includes(tag));
  const id = idOf(`tag-${tag}`);
  return `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(tag)}</h2>${own.map((row) => entry(row, document)).join('')}</section>`;
}

function entry({ path, method, operation }: Row, document: OpenApi): string {
  const { operationId, summary, security, parameters, requestBody, responses } = operation;
  const isPublic = security.some((one) => Object.keys(one as object).length === 0);
  const given = parameters.map((one) => resolved(one, document));
  const own = given.filter((one) => one.in !== 'header' && !String(one.name).startsWith('_'));
  const shared = given.filter((one) => !own.includes(one)).map(({ name }) => `<code>${escapeHtml(String(name))}</code>`);
  const content = mapOf(requestBody?.content);
  const body = mapOf(content['application/json']).schema;
  return (
    `<details id="${idOf(operationId)}"><summary><span class="method">${method}</span> <code>${escapeHtml(path)}</code> <span class="what">${escapeHtml(summary)}</span></summary><div>` +
    `<p>${isPublic ? 'Visitors may ask.' : 'Needs credentials.'} <code>${escapeHtml(operationId)}</code></p>` +
    (own.length > 0 ? `<h3>Parameters</h3><dl>${own.map(parameter).join('')}</dl>` : '') +
    (shared.length > 0 ? `<p>Also ${shared.join(', ')}.</p>` : '') +
    (isMap(body) ? `<h3>Body</h3><p>${typeText(body)} as ${Object.keys(content).map(code).join(', ')}</p>` : '') +
    `<h3>Answers</h3><dl>${Object.entries(responses)
      .map(([status, one]) => response(status, one, document))
      .join('')}</dl></div></details>`
  );
}

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

function resolved(one: JsonSchema, { components }: OpenApi): JsonSchema {
  const [, , kind = '', name = ''] = String(one.$ref ?? '').split('/');
  return kind === '' ? one : (components[kind]?.[name] ?? one);
}

function parameter({ name, description, required, schema }: JsonSchema): string {
  return term(String(name), mapOf(schema), description, required === true);
}

function term(name: string, schema: JsonSchema, description: unknown, isRequired: boolean): string {
  const facts = [
    typeText(schema),
    ...(isRequired ? ['<strong>required</strong>'] : []),
    ...(schema.readOnly === true ? ['read-only'] : []),
    ...(schema.default === undefined ? [] : [`default ${code(JSON.stringify(schema.default))}`]),
    ...(Array.isArray(schema['x-context']) ? [`in ${(schema['x-context'] as string[]).join(', ')}`] : []),
  ];
  const values = Array.isArray(schema.enum) ? `<p>One of ${schema.enum.map((one) => code(String(one))).join(', ')}.</p>` : '';
  const inner = members(schema);
  return `<div><dt><code>${escapeHtml(name)}</code> <span>${facts.join(', ')}</span></dt><dd>${prose(description)}${values}${inner && `<dl>${inner}</dl>`}</dd></div>`;
}

/** Members of an object, or of a list's objects. */
function members(schema: JsonSchema): string {
  const { required } = schema;
  const names = Object.entries(mapOf(schema.properties));
  if (names.length === 0) return isMap(schema.items) && !schema.items.$ref ? members(schema.items) : '';
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  return names.map(([name, one]) => term(name, mapOf(one), mapOf(one).description, isRequired(name))).join('');
}

/** `array of integer`, with links to named schemas. */
function typeText(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#${idOf(`schema-${name}`)}">${escapeHtml(name)}</a>`;
  }
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key])) return (schema[key] as JsonSchema[]).map(typeText).join(key === 'allOf' ? ' with ' : ' or ');
  if ('const' in schema) return code(JSON.stringify(schema.const));
  const types = [schema.type ?? 'any']
    .flat()
    .filter((one, _, all) => !(one === 'array' && schema.maxItems === 0 && all.length > 1));
  const text = types.map((one) =>
    one === 'array' && isMap(schema.items) ? `array of ${typeText(schema.items)}` : escapeHtml(String(one)),
  );
  const format = typeof schema.format === 'string' ? ` (${escapeHtml(schema.format)})` : '';
  return text.join(' or ') + format;
}

function response(status: string, given: JsonSchema, document: OpenApi): string {
  const { description, content } = resolved(given, document);
  const schema = mapOf(mapOf(mapOf(content)['application/json']).schema);
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  const shape = isRefusal(name)
    ? `<a href="#${idOf(`status-${status}`)}">codes</a>`
    : Object.keys(schema).length > 0
      ? typeText(schema)
      : '';
  return `<div><dt><code>${escapeHtml(status)}</code> <span>${shape}</span></dt><dd>${prose(description)}</dd></div>`;
}

function schemaEntry(name: string, schema: JsonSchema): string {
  const inner = members(schema);
  const about = prose(schema.description);
  return (
    `<details id="${idOf(`schema-${name}`)}"><summary><code>${escapeHtml(name)}</code></summary><div>` +
    `${about && `<p>${about}</p>`}${inner ? `<dl>${inner}</dl>` : `<p>${typeText(schema)}</p>`}</div></details>`
  );
}

/** Error codes by status. */
function errorEntries({ components: { schemas = {}, responses = {} } }: OpenApi): string {
  return Object.entries(schemas)
    .filter(([name]) => isRefusal(name))
    .map(([name, { allOf }]) => {
      const own = mapOf((allOf as readonly unknown[])[1]);
      const codes = mapOf(mapOf(own.properties).code).oneOf as readonly { const: string; description: string }[];
      const heading = mapOf(responses[name.slice(0, -'Error'.length)]).description;
      const status = String(mapOf(own)['x-status']);
      const rows = codes.map((one) => `<div><dt>${code(one.const)}</dt><dd>${escapeHtml(one.description)}</dd></div>`).join('');
      return `<details id="${idOf(`status-${status}`)}"><summary><code>${escapeHtml(status)}</code> ${prose(heading)}</summary><div><dl>${rows}</dl></div></details>`;
    })
    .join('');
}
