/** TypeScript types of a site: resources by context, inputs, and list parameters. Output is reproducible, so that it can be kept in git. */
import { readFileSync } from 'node:fs';
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import type { Context } from '../../../kernel/model/schema.ts';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { asShown } from './json-schema.ts';
import { contentNamespace, type Operation, operationsOf, pascal, type ShownSchema } from './operations.ts';

/** A collection and its items. */
interface Resource {
  /** Its name in the client: `posts`; with the namespace if it is not that of content. */
  readonly name: string;
  /** Of its types: `Post`. */
  readonly type: string;
  readonly path: string;
  readonly schema: ShownSchema;
  readonly list: Operation;
  readonly item: Operation;
  readonly create: Operation | undefined;
  readonly update: Operation | undefined;
}

const contexts: readonly Context[] = ['view', 'edit', 'embed'];
const suffixes: Readonly<Record<Context, string>> = table({ view: '', edit: 'Edit', embed: 'Embed' });

/** @param call  see `visitorCall` */
export function typesOf(call: Call): string {
  const { dialect } = call.request;
  const resources = resourcesOf(operationsOf(call));
  return [
    '/**',
    ' * Types and a client of this site, written by `cms types`. What its settings declare is what stands here: write it anew when',
    ' * they change.',
    ' */',
    '/* eslint-disable */',
    '',
    ...resources.flatMap(typesOfResource),
    ...mapOfResources(resources),
    clientText(dialect),
  ].join('\n');
}

/** The client of the package, with the names of a dialect. */
function clientText(dialect: Dialect): string {
  const source = readFileSync(new URL('../../../client.ts', import.meta.url), 'utf8');
  const line = '// ---\n';
  const names = {
    root: dialect.root,
    content: dialect.spellRoute(`/${contentNamespace}`).slice(1),
    total: dialect.header('Total'),
    pages: dialect.header('TotalPages'),
  };
  return `const api = ${JSON.stringify(names)};\n${source.slice(source.indexOf(line) + line.length)}`;
}

/** Collections with items below them, by name. */
function resourcesOf(operations: readonly Operation[]): readonly Resource[] {
  const at = (path: string, kind: Operation['kind']): Operation | undefined =>
    operations.find(({ template, kind: one }) => template.path === path && one === kind);
  const found = operations.flatMap((list): Omit<Resource, 'type'>[] => {
    const { path } = list.template;
    if (list.kind !== 'list' || list.template.params.length > 0 || !list.schema) return [];
    const item = operations.find(
      ({ template, kind }) =>
        kind === 'one' && template.params.length === 1 && template.path.startsWith(`${path}/{`) && template.path.endsWith('}'),
    );
    if (!item) return [];
    const below = path.slice(list.namespace.length + 2);
    const name = list.isContent && !below.includes('/') ? below : path.slice(1);
    const update = at(item.template.path, 'update');
    return [{ name, path, schema: list.schema, list, item, create: at(path, 'create'), update }];
  });
  const taken = new Set(reserved);
  return found
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((one) => {
      const wanted = pascal(String(one.schema.title)).replace(/^(?=\d)/, '_');
      let type = wanted;
      for (let number = 2; taken.has(type); number++) type = `${wanted}${number}`;
      for (const suffix of ['', 'Edit', 'Embed', 'Create', 'Update', 'ListParams']) taken.add(type + suffix);
      return { ...one, type };
    });
}

/** Optional members of items. */
const sometimes: ReadonlySet<string> = new Set(['lang_fallback', 'language_pairs', 'translation_status']);

/** Names used by the client and TypeScript. */
const reserved = [
  ...[
    'ApiError',
    'Client',
    'ClientOptions',
    'Context',
    'EventOptions',
    'Known',
    'Links',
    'ListPage',
    'Removed',
    'ResourceTypes',
    'Resources',
    'Sent',
    'SiteEvent',
  ],
  ...['Array', 'Error', 'Object', 'Promise', 'Record', 'Partial', 'Pick', 'Headers', 'Response', 'URL', 'WeakMap'],
  ...['AbortSignal', 'AsyncGenerator', 'TextDecoder'],
];

function typesOfResource({ type, path, schema, list, create, update }: Resource): string[] {
  const shown = contexts.flatMap((context) => [
    `/** ${oneLine(`\`${path}\` in the context \`${context}\`.`)} */`,
    `export interface ${type}${suffixes[context]} ${shape(propertiesIn(schema, context), 'out', context, ['_links: Links;', '_embedded?: Record<string, unknown[]>;'])}`,
    '',
  ]);
  const own = (operation: Operation | undefined): Readonly<Record<string, unknown>> => {
    const inPath = new Set(operation?.template.params.map(({ name }) => name));
    return Object.fromEntries(Object.entries(operation?.args ?? {}).filter(([name]) => !inPath.has(name)));
  };
  const { context: _, ...asked } = own(list);
  const sent = [
    ...(create ? [[`${type}Create`, `What makes one: \`POST ${path}\`.`, own(create)] as const] : []),
    ...(update ? [[`${type}Update`, `What changes one: \`POST ${update.template.path}\`.`, own(update)] as const] : []),
    [`${type}ListParams`, `What \`GET ${path}\` can be asked for.`, asked] as const,
  ].flatMap(([name, about, args]) => [`/** ${oneLine(about)} */`, `export interface ${name} ${shape(args, 'in')}`, '']);
  return [...shown, ...sent];
}

function mapOfResources(resources: readonly Resource[]): string[] {
  const rows = resources.map(({ name, type, item, create, update }) => {
    const id = Object.values(item.args).some(({ type: one }) => one === 'integer') ? 'number' : 'string';
    return (
      `  ${key(name)}: { id: ${id}; view: ${type}; edit: ${type}Edit; embed: ${type}Embed; list: ${type}ListParams; ` +
      `create: ${create ? `${type}Create` : 'never'}; update: ${update ? `${type}Update` : 'never'} };`
    );
  });
  return [
    '/** Relation → links. */',
    'export type Links = Record<string, { href: string; embeddable?: boolean; [attribute: string]: unknown }[]>;',
    '',
    '/** What the client can be asked for, by name. */',
    'export interface Resources {',
    ...rows,
    '}',
    '',
  ];
}

function propertiesIn(schema: ShownSchema, context: Context): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(mapOf(schema.properties)).filter(([, one]) => {
      const { context: shownIn } = mapOf(one);
      return !Array.isArray(shownIn) || shownIn.includes(context);
    }),
  );
}

/** Members of an object, with descriptions. */
function shape(
  properties: Readonly<Record<string, unknown>>,
  way: 'in' | 'out',
  context: Context = 'edit',
  more: readonly string[] = [],
  depth = 1,
): string {
  const indent = '  '.repeat(depth);
  const members = Object.entries(properties).flatMap(([name, given]) => {
    const one = mapOf(given);
    if (way === 'in' && one.readonly === true) return [];
    const about =
      typeof one.description === 'string' && one.description !== '' ? [`${indent}/** ${oneLine(one.description)} */`] : [];
    const isOptional = way === 'in' ? one.required !== true : sometimes.has(name);
    return [...about, `${indent}${key(name)}${isOptional ? '?' : ''}: ${typeText(one, way, context, depth)};`];
  });
  return `{\n${[...members, ...more.map((line) => indent + line)].map((line) => `${line}\n`).join('')}${'  '.repeat(depth - 1)}}`;
}

function typeText(given: ShownSchema, way: 'in' | 'out', context: Context, depth: number): string {
  const schema = way === 'out' ? asShown(given) : given;
  for (const name of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[name]))
      return union((schema[name] as unknown[]).map((one) => typeText(mapOf(one), way, context, depth)));
  if (schema.enum !== undefined) {
    const values = Object.values(schema.enum as object).map((one) => JSON.stringify(one));
    // A file may contain a value that clients cannot write.
    return union(way === 'out' && [schema.type].flat().includes('string') ? [...values, '(string & {})'] : values);
  }
  return union([schema.type ?? 'unknown'].flat().map((type) => plainType(String(type), schema, way, context, depth)));
}

function plainType(type: string, schema: ShownSchema, way: 'in' | 'out', context: Context, depth: number): string {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'bool':
      return 'boolean';
    case 'array': {
      const items = isMap(schema.items) ? typeText(schema.items, way, context, depth) : 'unknown';
      return /[ |{]/.test(items) ? `Array<${items}>` : `${items}[]`;
    }
    case 'object':
      return objectType(schema, way, context, depth);
    default:
      return 'unknown';
  }
}

function objectType(schema: ShownSchema, way: 'in' | 'out', context: Context, depth: number): string {
  const all = mapOf(schema.properties);
  const properties = way === 'out' ? propertiesIn(schema, context) : all;
  if (Object.keys(all).length > 0) {
    const written = shape(properties, way, context, [], depth + 1);
    // A text is sent as a string, or as the raw form.
    return way === 'in' && 'raw' in all ? `string | ${written}` : written;
  }
  const values = isMap(schema.additionalProperties) ? typeText(schema.additionalProperties, way, context, depth) : 'unknown';
  // An empty map is printed as an empty list.
  return `Record<string, ${values}>${way === 'out' ? ' | never[]' : ''}`;
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never';
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('*/', '*\\/').trim();
