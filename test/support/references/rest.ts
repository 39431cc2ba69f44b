/** The page of all routes, from the declarations of both deployments. */
import { allowedMethods } from '../../../src/cli/public-methods.ts';
import { sampleSite } from '../../../src/cli/sample-site.ts';
import { modulesOf } from '../../../src/deployments.ts';
import { roleNames } from '../../../src/kernel/model/roles.ts';
import { createDispatcher } from '../../../src/kernel/rest/dispatch.ts';
import { neutral } from '../../../src/kernel/rest/dialect.ts';
import type { Route } from '../../../src/kernel/rest/types.ts';
import { operationsOf, visitorCall } from '../../../src/modules/api/openapi/operations.ts';
import { composeSite } from '../../../src/open-site.ts';
import { code, generated } from './markdown.ts';

type Deployment = 'basic' | 'extended';

/** An endpoint: operations that differ in their methods alone. */
interface Row {
  readonly namespace: string;
  readonly path: string;
  readonly methods: string;
  /** Name → argument as it is printed, those of the path left out. */
  readonly args: ReadonlyMap<string, string>;
  readonly who: string;
}

/** Arguments that so many endpoints have in one form are told once. */
const manyTimes = 6;
/** An endpoint that shares so many arguments with the one that creates is told by the difference. */
const likeCreate = 4;
/** The same for an endpoint above it on the page. */
const likeEarlier = 6;
/** Arguments whose names say all that their declarations say. */
const plain = new Set(
  'author comment_status content date date_gmt description excerpt exclude featured_media include menu_order meta modified_after modified_before offset order orderby page parent password per_page ping_status search search_columns slug status template theme title type url name'.split(
    ' ',
  ),
);
/** Arguments that so large a part of all lists have are called the list's. */
const mostLists = 0.75;

export async function restReference(): Promise<string> {
  const [basic, extended] = [await rowsOf('basic'), await rowsOf('extended')];
  const shared = sharedIn(extended.rows);
  const placeOf = ({ methods, path }: Row): string => `${methods} ${path}`;
  const known = new Map(basic.rows.map((row) => [placeOf(row), row]));
  const lists = listArgs(extended.rows, shared);
  const section = (rows: readonly Row[]): string[] =>
    [...new Set(rows.map(({ namespace }) => namespace))].flatMap((namespace) => {
      const own = rows.filter((row) => row.namespace === namespace);
      const inFull: Row[] = [];
      const printed = own.map((row): Line => {
        const { methods, path, args, who } = row;
        const like = createBefore(own, path, args) ?? likeOf(inFull, args);
        if (!like) inFull.push(row);
        return { methods, path, args: argsText(args, shared, lists, like), who };
      });
      const lines = joined(printed).map(
        ({ methods, path, args, who }) =>
          `- ${code(`${methods} ${path}`)}${who === '-' ? '' : ` (${who})`}${args === '' ? '' : `: ${args}`}`,
      );
      return [`### ${namespace === '' ? 'The root' : namespace}`, '', ...lines, ''];
    });
  const own = extended.rows.filter((row) => !known.has(placeOf(row)));
  return [
    '# REST reference',
    '',
    generated('the declarations that answer requests'),
    '',
    'Every route of a new site, below `/cms-json` (or `/wp-json`, with the original names: `wp/v2`). Custom types, taxonomies and fields add their own routes and',
    'arguments: `cms openapi` and `{root}/openapi.json` describe those of your site ([openapi.md](openapi.md)).',
    '',
    '- `{posts,pages}` is one of these names, `{id}` a parameter. `POST` and `PUT` do the same as `PATCH`. `OPTIONS` and the OpenAPI document describe responses; a `POST` that creates returns 201. For errors see [errors](errors.md).',
    `- Bold arguments are required; those without a type are in the list below. *list* are ${[...lists].map(code).join(', ')}. *create* are those of the \`POST\` that creates such an item; what follows a semicolon comes in addition.`,
    "- In brackets is the lowest role that may call it, for public content and other users' items. Without one, no role is enough by itself: it requires a key, or something that does not exist yet. *everyone* for a write: the request has its own key or token.",
    '- Every read accepts `_fields`, `_embed`, `_envelope`, `_pretty` and `_jsonp`, and `If-None-Match` with its `ETag`. Lists with `per_page` return their totals in `X-CMS-Total` and `X-CMS-TotalPages`. Writes of content, users and settings accept `If-Match`.',
    '- Every namespace has its index at its own name (`GET /cms/v2`). `HEAD` and `OPTIONS` work everywhere. A `POST` with `_method` or `X-HTTP-Method-Override` stands for the other methods.',
    `- In the extended deployment every route also accepts ${[...extended.everywhere].map(code).join(', ')}.`,
    '',
    '## Arguments of many routes',
    '',
    'The [OpenAPI document](openapi.md) explains every argument of every route.',
    '',
    `${[...shared].flatMap(([name, { text }]) => (plain.has(name) ? [`${code(name)} ${text}`] : [])).join(', ')}.`,
    '',
    ...[...shared].flatMap(([name, { text, about }]) => (plain.has(name) ? [] : [`- ${code(name)} ${text}: ${about}`])),
    '',
    '## Both deployments',
    '',
    ...section(basic.rows),
    '## The extended deployment',
    '',
    'In addition to everything above except `cms-abilities/v1`:',
    '',
    ...section(own),
  ].join('\n');
}

async function rowsOf(
  deployment: Deployment,
): Promise<{ readonly rows: readonly Row[]; readonly everywhere: ReadonlySet<string> }> {
  const site = await sampleSite({ deployment }, modulesOf);
  const registry = composeSite(site);
  const dispatcher = createDispatcher(site, registry, () => undefined);
  const operations = operationsOf(visitorCall(dispatcher, neutral));
  const users = [null, ...[...roleNames].reverse().map((role) => ({ id: 99, roles: [role] }))];
  const may = users.map((user) => allowedMethods(site, registry, user));
  const leastOf = new Map<Route, Promise<readonly (readonly string[])[]>>();
  const everywhere = new Set(Object.keys(site.modules.argsOf(site)));
  const rows: Row[] = [];
  for (const [at, operation] of operations.entries()) {
    const { route, endpoint, method, template } = operation;
    const isSecond = operations.slice(0, at).some((one) => one.endpoint === endpoint && one.template.path === template.path);
    if (isSecond || template.path === `/${operation.namespace}`) continue;
    if (!leastOf.has(route)) leastOf.set(route, Promise.all(may.map((ask) => ask(route))));
    const allowed = (await leastOf.get(route)) as readonly (readonly string[])[];
    const least = allowed.findIndex((methods) => methods.includes(method));
    const inPath = new Set(template.params.map(({ name }) => name));
    const args = Object.entries(operation.args).filter(([name]) => !inPath.has(name) && !everywhere.has(name));
    rows.push({
      namespace: operation.namespace,
      path: template.path,
      methods: endpoint.methods.join(' ').replace('POST PUT PATCH', 'PATCH'),
      args: new Map(args.map(([name, arg]) => [name, JSON.stringify([argText(arg), arg.description ?? ''])])),
      who: least < 0 ? '-' : (users[least]?.roles[0] ?? 'everyone'),
    });
  }
  await site.close();
  return { rows, everywhere };
}

function argText(arg: Readonly<Record<string, unknown>>): string {
  const { type, enum: values, default: standard, required, items, anyOf } = arg;
  const itemType = (items as { readonly type?: unknown; readonly enum?: object } | undefined)?.type;
  const types = [type ?? (anyOf ? 'several' : 'any')]
    .flat()
    .map((one) => (one === 'array' && itemType ? `${[itemType].flat().join('/')} list` : one));
  const allowed = Object.values(values ?? {});
  const words = allowed.length > 0 && allowed.length <= 8 ? ` (${allowed.map((one) => String(one)).join(', ')})` : '';
  const shown =
    standard === undefined || standard === null || JSON.stringify(standard).length > 40 ? '' : ` = ${JSON.stringify(standard)}`;
  return `${types.join('/')}${words}${shown}${required === true ? '!' : ''}`;
}

/** What an endpoint is told by: a name, and the arguments that it stands for. */
interface Like {
  readonly name: string;
  readonly args: Row['args'];
}

interface Shared {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

/** Name → the form that most endpoints have it in, where those are many, and what most of them say of it. */
function sharedIn(rows: readonly Row[]): ReadonlyMap<string, Shared> {
  const counts = new Map<string, Map<string, string[]>>();
  for (const { args } of rows)
    for (const [name, printed] of args) {
      const [text, about] = JSON.parse(printed) as [string, string];
      const forms = counts.get(name) ?? new Map<string, string[]>();
      counts.set(name, forms);
      forms.set(text, [...(forms.get(text) ?? []), about]);
    }
  const found = [...counts].flatMap(([name, forms]): [string, Shared][] => {
    const [[text, abouts] = ['', []]] = [...forms].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
    return abouts.length >= manyTimes ? [[name, { name, text, about: mostOften(abouts.filter(Boolean)) }]] : [];
  });
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The first of those that are said most often; '' of none. */
function mostOften(texts: readonly string[]): string {
  const times = (text: string): number => texts.filter((one) => one === text).length;
  return texts.reduce((most, one) => (times(one) > times(most) ? one : most), texts[0] ?? '');
}

/** Arguments that most lists have, in the form that is told once. */
function listArgs(rows: readonly Row[], shared: ReadonlyMap<string, Shared>): ReadonlySet<string> {
  const lists = rows.filter(({ methods, args }) => methods === 'GET' && args.has('per_page') && args.has('include'));
  const times = ([name, { text }]: readonly [string, Shared]): number =>
    lists.filter(({ args }) => formOf(args, name) === text).length;
  return new Set([...shared].filter((one) => times(one) >= lists.length * mostLists).map(([name]) => name));
}

function formOf(args: Row['args'], name: string): string | undefined {
  const printed = args.get(name);
  return printed === undefined ? undefined : (JSON.parse(printed) as [string])[0];
}

/** What creates an item of a path, if an endpoint of the item accepts nearly the same. */
function createBefore(rows: readonly Row[], path: string, args: Row['args']): Like | undefined {
  const creates = rows.find((row) => row.methods === 'POST' && path.startsWith(`${row.path}/`) && !row.path.includes('{'));
  if (!creates || args.size < likeCreate) return undefined;
  return [...args.keys()].filter((name) => creates.args.has(name)).length >= creates.args.size * mostLists
    ? { name: '*create*', args: creates.args }
    : undefined;
}

/** Of endpoints that are told in full, the one with most of the arguments in the same form, if it makes the line shorter. */
function likeOf(rows: readonly Row[], args: Row['args']): Like | undefined {
  const same = (row: Row): number => [...row.args].filter(([name, printed]) => args.get(name) === printed).length;
  const worth = (row: Row): number => 2 * same(row) - row.args.size;
  const [best] = rows.filter((row) => same(row) >= likeEarlier).sort((a, b) => worth(b) - worth(a));
  if (!best || worth(best) < likeEarlier) return undefined;
  const kept = new Map([...best.args].filter(([name, printed]) => !args.has(name) || args.get(name) === printed));
  return { name: `as ${code(`${best.methods} ${best.path.replace(/^\/[^/]+\/v\d+/, '')}`)}`, args: kept };
}

function argsText(
  args: Row['args'],
  shared: ReadonlyMap<string, Shared>,
  lists: ReadonlySet<string>,
  like: Like | undefined,
): string {
  const creates = like?.args;
  const isList = [...lists].every((name) => formOf(args, name) === shared.get(name)?.text);
  const isKnown = (name: string): boolean => (isList && lists.has(name)) || (creates?.has(name) ?? false);
  const without = [...(creates?.keys() ?? [])].filter((name) => !args.has(name)).map(code);
  const own = [...args.keys()]
    .filter((name) => !isKnown(name))
    .map((name) => {
      const text = formOf(args, name) as string;
      if (shared.get(name)?.text === text) return code(name);
      const required = text.endsWith('!');
      return `${required ? `**${code(name)}**` : code(name)} ${required ? text.slice(0, -1) : text}`;
    });
  const groups = [
    ...(isList && like?.name.startsWith('as ') !== true ? ['*list*'] : []),
    ...(like ? [`${like.name}${without.length > 0 ? ` without ${without.join(', ')}` : ''}`] : []),
  ];
  return like ? [groups.join(', '), ...(own.length > 0 ? [own.join(', ')] : [])].join('; ') : [...groups, ...own].join(', ');
}

interface Line {
  readonly methods: string;
  readonly path: string;
  readonly args: string;
  readonly who: string;
}

/** Lines that differ in one name of their paths alone become one, where the first of them stands. */
function joined(lines: readonly Line[]): readonly Line[] {
  const groups = new Map<string, Line[]>();
  const keysOf = ({ methods, path, args, who }: Line): string[] => {
    const parts = path.split('/');
    return parts.flatMap((part, at) =>
      part === '' || part.startsWith('{') ? [] : [JSON.stringify([methods, parts.with(at, '*').join('/'), args, who])],
    );
  };
  for (const line of lines) for (const key of keysOf(line)) groups.set(key, [...(groups.get(key) ?? []), line]);
  const taken = new Set<Line>();
  return lines.flatMap((line) => {
    if (taken.has(line)) return [];
    const best = keysOf(line)
      .map((key) => [key, groups.get(key)?.filter((one) => !taken.has(one)) ?? []] as const)
      .reduce((most, one) => (one[1].length > most[1].length ? one : most));
    const [key, same] = best;
    if (same.length < 2) return [line];
    for (const one of same) taken.add(one);
    const path = (JSON.parse(key) as string[])[1] as string;
    const at = path.split('/').indexOf('*');
    return [{ ...line, path: path.replace('*', `{${same.map((one) => one.path.split('/')[at]).join(',')}}`) }];
  });
}
