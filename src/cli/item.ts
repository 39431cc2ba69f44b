/**
 * `cms item`: items of a content folder for scripts, through the API of the folder: the same rights, checks and files as over REST, with or
 * without a server beside it.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { RestError } from '../kernel/errors.ts';
import { mapOf } from '../kernel/model/maps.ts';
import { neutral } from '../kernel/rest/dialect.ts';
import type { Method, Params } from '../kernel/rest/request.ts';
import { writingWithin } from '../kernel/site/write-limits.ts';
import { type AbilityPlace, placeOf } from '../modules/api/abilities/places.ts';
import { Failure, failed, misuse, status } from './failure.ts';
import { contentPlace, examples } from './flags.ts';
import { type Io, printTable } from './io.ts';
import { type CallerOptions, callerOptions, type LocalCaller, withCaller } from './local-caller.ts';

interface Options extends CallerOptions {
  readonly dir?: string;
  readonly type: string;
  readonly fields?: readonly string[];
  readonly filter: readonly Pair[];
  readonly limit?: number;
  readonly json?: true;
  readonly dryRun?: true;
  readonly force?: true;
  readonly etag?: string;
}

type Pair = readonly [key: string, value: unknown];
type Item = Readonly<Record<string, unknown>> & { readonly id: number };

const usualFields = ['id', 'status', 'date', 'title', 'path'];
const pageSize = 100;

export function defineItem(command: Command, io: Io): void {
  const list = common(command.command('list'))
    .description('list items, newest first, as a table or as JSON')
    .option('--type <name>', 'type or taxonomy', 'post')
    .option('--filter <key=value>', 'only items of this value, by the parameters of the REST API; may be repeated', addPair, [])
    .option('--fields <names>', `fields to print, separated by commas (default: ${usualFields.join(',')})`, words)
    .option('--limit <number>', 'how many at most (default: all)', whole)
    .action((options: Options) => within(options, io, (caller) => printList(caller, options, io)));
  examples(list, 'cms item list --filter status=draft', 'cms item list --type page --fields id,slug --json');
  const get = common(command.command('get <item>'))
    .description('print the file of an item (a number, file or URL), or its fields as JSON')
    .option('--type <name>', 'with the number of a term: its taxonomy', 'post')
    .option('--fields <names>', 'with --json: only these fields, separated by commas', words)
    .action((item: string, options: Options) => within(options, io, (caller) => printItem(caller, item, options, io)));
  examples(get, 'cms item get 12', 'cms item get posts/hello.md --json --fields id,link');
  const create = writing(common(command.command('create [values...]')))
    .description('create an item from key=value, or items from a JSON object or list on standard input')
    .option('--type <name>', 'type or taxonomy', 'post')
    .action((values: readonly string[], options: Options) =>
      within(options, io, async (caller) => {
        const items = values.length > 0 ? [Object.fromEntries(values.map(pair))] : await itemsIn(io);
        await each(items, options, io, (json) => send(caller, 'POST', baseOf(caller, options.type), { json }, options));
      }),
    );
  examples(create, 'cms item create title="Hello" status=draft', 'cms item create --type page < pages.json');
  const update = writing(common(command.command('update <item> [values...]')))
    .description('change an item by key=value; with - the items that standard input names, one a line')
    .option('--type <name>', 'with the number of a term: its taxonomy', 'post')
    .option('--etag <state>', 'refuse if the item has changed since this state')
    .action((item: string, values: readonly string[], options: Options) =>
      within(options, io, async (caller) => {
        if (values.length === 0) misuse('nothing to change', 'name values as key=value');
        const json = Object.fromEntries(values.map(pair));
        await each(await namesIn(item, io), options, io, (name) => {
          const { route } = itemAt(caller, name, options.type);
          return send(caller, 'POST', route, { json, ...etagOf(options) }, options);
        });
      }),
    );
  examples(
    update,
    'cms item update 12 status=publish',
    'cms item list --filter tags=fog --fields id | cms item update - sticky=true',
  );
  const remove = writing(common(command.command('delete <item>')))
    .description('move an item to the trash; with - the items that standard input names, one a line')
    .option('--type <name>', 'with the number of a term: its taxonomy', 'post')
    .option('--force', 'delete it for good')
    .option('--etag <state>', 'refuse if the item has changed since this state')
    .action((item: string, options: Options) =>
      within(options, io, async (caller) => {
        await each(await namesIn(item, io), options, io, (name) => {
          const { route } = itemAt(caller, name, options.type);
          return send(caller, 'DELETE', route, { query: options.force ? { force: true } : {}, ...etagOf(options) }, options);
        });
      }),
    );
  examples(remove, 'cms item delete 12', 'cms item delete posts/hello.md --force --dry-run');
}

function common(command: Command): Command {
  return callerOptions(command)
    .option('--dir <dir>', 'content folder (default: the current folder, or ./content)')
    .option('--json', 'print JSON');
}

function writing(command: Command): Command {
  return command.option('--dry-run', 'check it and print the files that would change, without changing them');
}

function within(options: Options, io: Io, work: (caller: LocalCaller) => Promise<void>): Promise<void> {
  return withCaller(contentPlace(options.dir, io), options, io, [], work);
}

async function printList(caller: LocalCaller, options: Options, io: Io): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY, json } = options;
  const base = baseOf(caller, options.type);
  const args = caller.dispatcher.registry.match('GET', base)?.endpoint.args ?? {};
  const unknown = options.filter.find(([key]) => !Object.hasOwn(args, key));
  if (unknown) misuse(`items have no filter "${unknown[0]}"`, `filters: ${Object.keys(args).sort().join(', ')}`);
  const items: Item[] = [];
  for (let page = 0; items.length === page * pageSize && items.length < limit; page++) {
    const query = { ...Object.fromEntries(options.filter), per_page: pageSize, offset: items.length };
    items.push(...((await ask(caller, 'GET', base, { query })) as readonly Item[]));
  }
  const shown = items.slice(0, limit).map((item) => withPath(caller, item, options.type));
  if (json)
    return io.out(
      JSON.stringify(
        shown.map((item) => narrowed(item, options.fields)),
        null,
        2,
      ),
    );
  const fields = options.fields ?? usualFields.filter((name) => shown.some((item) => name in item));
  const cells = shown.map((item) => fields.map((name) => cellOf(item[name])));
  // Of one field there is nothing to line up: lines for other programs.
  const lines =
    fields.length === 1
      ? cells.map(([cell = '']) => cell)
      : printTable(
          fields.map((name) => name.toUpperCase()),
          cells,
        );
  for (const line of lines) io.out(line);
}

async function printItem(caller: LocalCaller, name: string, options: Options, io: Io): Promise<void> {
  const { route, path } = itemAt(caller, name, options.type);
  const item = (await ask(caller, 'GET', route, { query: { context: 'edit' } })) as Item;
  if (options.json || options.fields) {
    io.out(JSON.stringify(narrowed({ ...item, path }, options.fields), null, 2));
    return;
  }
  const text = Buffer.from((await caller.site.store.readBytes(path)) ?? []).toString('utf8');
  io.out(text.replace(/\n$/, ''));
}

interface Done {
  readonly item: Item | null;
  /** Files that would be written. */
  readonly paths: readonly string[];
}

/** Does something for each of several, and says what became of it. @throws Failure with status 1 when one is refused */
async function each<T>(
  all: readonly T[],
  { json, dryRun, type }: Options,
  io: Io,
  work: (one: T) => Promise<Done>,
): Promise<void> {
  const done: unknown[] = [];
  let hasFailed = false;
  for (const one of all) {
    try {
      const { item, paths } = await work(one);
      if (json) done.push(dryRun ? { paths } : item);
      else if (dryRun) for (const path of paths) io.out(`would change ${path}`);
      else io.out(String(item?.id ?? ''));
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      hasFailed = true;
      const { code, message } = error;
      if (json) done.push({ code, message });
      io.err(`${typeof one === 'string' ? one : type}: ${message} (${code})${reasonsOf(error)}`);
    }
  }
  if (json) io.out(JSON.stringify(done, null, 2));
  if (hasFailed) throw new Failure(status.failed, '');
}

function reasonsOf({ data }: RestError): string {
  const reasons = Object.values(mapOf(data?.params));
  return reasons.length > 0 ? `: ${reasons.join(' ')}` : '';
}

interface Sent {
  readonly query?: Params;
  readonly json?: Params;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(caller: LocalCaller, method: Method, route: string, sent: Sent, options: Options): Promise<Done> {
  const paths: string[] = [];
  if (!options.dryRun) return { item: itemIn(await ask(caller, method, route, sent)), paths };
  const rehearsal = (path: string): boolean => {
    paths.push(path);
    return false;
  };
  try {
    // It comes as far as the write of its files, which is refused.
    await writingWithin(rehearsal, () => ask(caller, method, route, sent));
  } catch (error) {
    if (paths.length === 0) throw error;
  }
  return { item: null, paths: [...new Set(paths)] };
}

/** Of what is gone, as it was. */
function itemIn(data: unknown): Item {
  const { previous } = mapOf(data);
  return (previous ?? data) as Item;
}

/** @throws RestError that the request is refused with */
async function ask({ dispatcher, user }: LocalCaller, method: Method, route: string, sent: Sent): Promise<unknown> {
  const { query = {}, json, headers = {} } = sent;
  const request = { method, route, query, headers, dialect: neutral, user, inner: true };
  const { status: code, data, error } = await dispatcher.dispatch(json ? { ...request, json } : request);
  if (code < 400) return data;
  throw error instanceof RestError ? error : new RestError('internal_server_error');
}

function baseOf({ site }: LocalCaller, name: string): string {
  const type = site.types.get(name) ?? site.taxonomies.get(name);
  if (type?.showInRest) return `/${type.restNamespace}/${type.restBase}`;
  const names = [...site.types.values(), ...site.taxonomies.values()].filter((one) => one.showInRest).map((one) => one.name);
  return misuse(`there is no type "${name}"`, `types and taxonomies: ${names.join(', ')}`);
}

function itemAt(caller: LocalCaller, name: string, type: string): { readonly route: string; readonly path: string } {
  const isUrl = /^(?:https?:\/)?\//i.test(name);
  const place: AbilityPlace = placeOf(
    caller,
    /^\d+$/.test(name) ? { id: Number(name), type } : isUrl ? { url: name } : { path: name },
  );
  return place.item ? { route: place.item.route, path: place.path } : failed(`${place.path} is not an item`);
}

function withPath({ site }: LocalCaller, item: Item, type: string): Item {
  const path = site.taxonomies.has(type) ? site.terms.get(item.id)?.path : site.posts.get(item.id)?.path;
  return { ...item, path };
}

function narrowed(item: Item, fields: readonly string[] | undefined): unknown {
  return fields ? Object.fromEntries(fields.map((name) => [name, item[name] ?? null])) : item;
}

function cellOf(value: unknown): string {
  const shown = typeof value === 'object' && value !== null && 'rendered' in value ? value.rendered : value;
  return (typeof shown === 'object' ? JSON.stringify(shown) : String(shown ?? '')).replace(/\s+/g, ' ');
}

function etagOf({ etag }: Options): Pick<Sent, 'headers'> {
  return etag === undefined ? {} : { headers: { 'if-match': `"${etag}"` } };
}

/** One name, or those of standard input. @throws Failure with status 2 */
async function namesIn(item: string, io: Io): Promise<readonly string[]> {
  if (item !== '-') return [item];
  return (await io.input())
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** @throws Failure with status 2 */
async function itemsIn(io: Io): Promise<readonly Params[]> {
  let read: unknown;
  try {
    read = JSON.parse(await io.input());
  } catch {
    return misuse('name values as key=value, or send a JSON object or list on standard input');
  }
  const all = Array.isArray(read) ? read : [read];
  if (!all.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one)))
    misuse('standard input has to be a JSON object, or a list of objects');
  return all;
}

/** `title=Hello`; lists and maps as JSON. @throws Failure with status 2 */
function pair(text: string): Pair {
  const at = text.indexOf('=');
  if (at < 1) throw new Failure(status.misused, `"${text}" is not key=value`);
  const [key, value] = [text.slice(0, at), text.slice(at + 1)];
  if (!/^[[{]/.test(value)) return [key, value];
  try {
    return [key, JSON.parse(value)];
  } catch {
    return [key, value];
  }
}

function addPair(text: string, before: readonly Pair[]): readonly Pair[] {
  return [...before, pair(text)];
}

function words(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function whole(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a number, such as 20.');
}
