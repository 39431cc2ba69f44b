/**
 * What a handler gave back as the data of an answer: items narrowed to `_fields`, with their links and what they embed, as bytes
 * where an item in the same form was written before.
 */
import { EventStream } from './event-stream.ts';
import { type CacheKey, Item } from './item.ts';
import { type Embed, embedLinks, readEmbed, writeLinks } from './link-writer.ts';
import {
  createPrintCache,
  print,
  type PrintCache,
  type ResponseVariant,
  SerializedJson,
  serializeList,
} from './serialized-json.ts';
import type { Members } from './fields.ts';
import { propertiesOf, type Schema, type Schemas } from '../model/schema.ts';
import type { Call, MatchedCall } from './types.ts';
import type { Method } from './request.ts';

/** Parameters that show somebody what others do not see. */
export const personalParams: readonly string[] = ['password', 'preview_nonce', 'preview_id'];
/** Bytes of serialized items that are cached. */
const cachedBytes = 128 * 1024 * 1024;

export interface ItemWriter {
  /** @param data  of an answer: an `Item`, a list of them, any JSON value, or one that is printed */
  write(data: unknown, call: MatchedCall): unknown;
}

/** How the items of one answer are written. */
interface ItemForm {
  readonly embed: Embed | null;
  readonly isListed: boolean;
  /** Where they are cached; null when they may not be, or are not asked for. */
  readonly variant: ResponseVariant | null;
}

export function createItemWriter(): ItemWriter {
  const cache = createPrintCache(cachedBytes);
  return {
    write(data, call) {
      if (data instanceof Item) return writeItem(data, call, formOf(call, cache, false));
      if (Array.isArray(data) && data.some((one) => one instanceof Item)) return writeList(data, call, formOf(call, cache, true));
      if (data instanceof EventStream) return data;
      const own = outgoing(data, call);
      if (own === null || typeof own !== 'object' || own instanceof Uint8Array) return own;
      if (!(own instanceof SerializedJson)) return emptyAsList(call.fields.narrow(own));
      const { isPrinted, query } = call.request;
      return isPrinted && query._fields === undefined ? own : emptyAsList(call.fields.narrow(own.toJSON()));
    },
  };
}

/** Data as the site lets it out. What is printed already is read again where somebody may change it. */
function outgoing(data: unknown, call: Call): unknown {
  if (call.site.outgoing === null) return data;
  return call.site.outgoing(data instanceof SerializedJson ? data.toJSON() : data, call);
}

function formOf(call: MatchedCall, cache: PrintCache, isListed: boolean): ItemForm {
  const embed = call.request.inner ? null : readEmbed(call.request.query._embed);
  return { embed, isListed, variant: variantOf(call, cache, embed, isListed) };
}

function variantOf(call: MatchedCall, cache: PrintCache, embed: Embed | null, isListed: boolean): ResponseVariant | null {
  const { match, user, context, params, site } = call;
  const { query, method, address, isPrinted } = call.request;
  // Writers get the item in another context than they name.
  if (!isPrinted || !isReading(method) || match.route.form || personalParams.some((name) => query[name] !== undefined))
    return null;
  const fields = query._fields === undefined ? null : [isListed, call.fields.form(membersOf(call))];
  // As JSON: no text of a client can be taken for the next part.
  const shown = [context, call.urls.root, user?.id, params.excerpt_length, embed, fields];
  for (const name of site.modules.argNames) shown.push(params[name]);
  if (address) shown.push(address.params);
  return cache.variant(JSON.stringify(shown));
}

/** Per route and spelling what its items may have. */
const members = new WeakMap<object, Map<string, Members>>();

function membersOf(call: MatchedCall): Members {
  const { match, request } = call;
  const known = members.get(match.route) ?? new Map<string, Members>();
  members.set(match.route, known);
  let found = known.get(request.dialect.name);
  if (found === undefined) {
    const properties = propertiesOf((match.route.schema?.(call) ?? {}) as Schema);
    found = new Map([...inSchema(properties, request.dialect.memberName), ['_links', null], ['_embedded', null]]);
    known.set(request.dialect.name, found);
  }
  return found;
}

function inSchema(properties: Schemas, memberName: (name: string) => string): Members {
  return new Map(
    Object.entries(properties).map(([name, schema]) => {
      const isClosed = schema.properties && schema.additionalProperties === undefined && schema.patternProperties === undefined;
      return [memberName(name), isClosed ? inSchema(propertiesOf(schema), (one) => one) : null];
    }),
  );
}

async function writeList(list: readonly unknown[], call: Call, form: ItemForm): Promise<unknown> {
  let parts: unknown[] = list.map((one) => (one instanceof Item ? cachedItem(one, call, form) : outgoing(one, call)));
  // A long list of what nobody has seen yet is rendered with room for others.
  if (parts.includes(undefined)) {
    const known = parts;
    const written = (at: number): unknown => (known[at] === undefined ? writeItem(list[at] as Item, call, form) : known[at]);
    parts = await call.site.spare.each('its item in lists', [...known.keys()], written, (at) => (list[at] as Item).keep?.record);
  }
  return parts.every((part) => part instanceof SerializedJson) ? serializeList(parts as SerializedJson[]) : parts;
}

/** The item as it was written for another answer. */
function cachedItem({ keep }: Item, call: Call, form: ItemForm): SerializedJson | undefined {
  const { variant } = form;
  return variant && keep?.context === call.context ? variant.get(keep.record, versionOf(keep, call, form)) : undefined;
}

/** What is embedded may come from anywhere. */
function versionOf({ cacheVersion }: CacheKey, { site }: Call, { embed }: ItemForm): CacheKey['cacheVersion'] {
  return embed ? site.records.generation : cacheVersion;
}

/** The item as data, or as bytes where it may be cached; a promise only where something is made ready or embedded. */
function writeItem(item: Item, call: Call, form: ItemForm): unknown {
  const { keep } = item;
  const { variant } = form;
  if (!variant || keep?.context !== call.context) return dataOf(item, call, form);
  const version = versionOf(keep, call, form);
  const known = variant.get(keep.record, version);
  if (known) return known;
  const serializeAndCache = (data: unknown): SerializedJson => {
    const serialized = print(data);
    variant.set(keep.record, version, serialized);
    return serialized;
  };
  const data = dataOf(item, call, form);
  return data instanceof Promise ? data.then(serializeAndCache) : serializeAndCache(data);
}

function dataOf(item: Item, call: Call, form: ItemForm): unknown {
  const ready = item.prepare();
  return ready === undefined ? preparedData(item, call, form) : ready.then(() => preparedData(item, call, form));
}

/** Links of a single item are put on after narrowing, those of listed items before (observed). */
function preparedData(item: Item, call: Call, { embed, isListed }: ItemForm): unknown {
  const isLinked = item.keepsLinks || call.fields.wants('_links') || (call.fields.wants('_embedded') && '_embed' in call.params);
  const links = isLinked ? writeLinks(item.links, call) : null;
  const own = outgoing(item.body, call) as Record<string, unknown>;
  let body: unknown;
  if (isListed) body = call.fields.narrow(links ? { ...own, _links: links } : own);
  else {
    body = call.fields.narrow(own);
    if (links) body = { ...(body as object), _links: links };
  }
  const shown = (body as { readonly _links?: object })._links;
  if (!embed || !links || shown === undefined) return emptyAsList(body);
  // What is left out of the links is not followed.
  const kept = Object.entries(item.links).filter(([relation]) => Object.hasOwn(shown, call.request.dialect.relation(relation)));
  return embedLinks(Object.fromEntries(kept), call, embed).then((found) =>
    emptyAsList(found ? { ...(body as object), _embedded: found } : body),
  );
}

function isReading(method: Method): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The reference prints an empty map as an empty list. */
function emptyAsList(value: unknown): unknown {
  return value !== null && typeof value === 'object' && Object.keys(value).length === 0 ? [] : value;
}
