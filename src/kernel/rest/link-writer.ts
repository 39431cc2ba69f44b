/**
 * Links of items as answers show them, and the items that `_embed` follows them to.
 */
import { namesIn } from './fields.ts';
import type { Link, Links } from './item.ts';
import type { Method, Params } from './request.ts';
import type { Call } from './types.ts';

/** Relations to be followed. */
export type Embed = 'all' | readonly string[];

/** `_embed` alone, empty, `0`, `1` or `true` means all (observed); names, separated as in `_fields`, mean relations. */
export function readEmbed(value: unknown): Embed | null {
  if (value === undefined) return null;
  const names = namesIn(value);
  return names.length === 0 || ['0', '1', 'true'].includes(value as string) ? 'all' : names;
}

/** Relations spelled for the dialect, hints on `self`, curies when a prefixed relation is used. */
export function writeLinks(links: Links, call: Call): Record<string, readonly Link[]> | null {
  const names = Object.keys(links);
  if (names.length === 0) return null;
  const { dialect } = call.request;
  const out: Record<string, readonly Link[]> = {};
  let prefixed = false;
  for (const name of names) {
    const list = links[name] as readonly Link[];
    if (name.startsWith('cms:') && !unprefixed.has(name)) prefixed = true;
    out[dialect.relation(name)] = name === 'self' ? list.map((link) => hinted(link, call)) : list;
  }
  if (prefixed) out.curies = dialect.curies(call.urls.root) as unknown as readonly Link[];
  return out;
}

/** Relations that look prefixed to clients, but are their whole name: no curies for them (observed). */
const unprefixed: ReadonlySet<string> = new Set(['cms:action-run']);

/** A link with what the caller may do there. Nothing at all is not said, as in the `Allow` header. */
function hinted(link: Link, call: Call): Link {
  const allow = methodsAt(link.href, call);
  return allow.length > 0 ? { ...link, targetHints: { allow } } : link;
}

function methodsAt(href: string, { urls, dispatcher, request }: Call): readonly Method[] {
  // (Observed: a link below another segment than that of the address has no hints.)
  const place = request.address && request.address.prefix !== urls.prefix ? null : urls.route(href);
  return place ? dispatcher.allowed({ ...request, route: place.route, query: {}, json: undefined, form: undefined }) : [];
}

/** Relation → what is at the end of its links; null when nothing is. */
export async function embedLinks(links: Links, call: Call, embed: Embed): Promise<Record<string, unknown[]> | null> {
  const { dialect } = call.request;
  const out: Record<string, unknown[]> = {};
  for (const [relation, list] of Object.entries(links)) {
    const wanted = embed === 'all' || embed.some((name) => dialect.isEmbedName(name, relation));
    if (!wanted || !list.some((link) => link.embeddable)) continue;
    const found = await Promise.all(list.map(async (link) => (link.embeddable ? (await follow(link, call)).data : [])));
    if (found.some((one) => !Array.isArray(one) || one.length > 0)) out[dialect.relation(relation)] = found;
  }
  return Object.keys(out).length > 0 ? out : null;
}

function follow({ href }: Link, call: Call) {
  return call.inner('GET', href, { context: 'embed', ...longest(href, call) });
}

/** An embedded list is as long as its route allows. */
function longest(href: string, { urls, registry }: Call): Params {
  const place = urls.route(href);
  const most = place && registry.match('GET', place.route)?.endpoint.args.per_page?.maximum;
  return most ? { per_page: most } : {};
}
