/**
 * The public interface as a list of requests: everything a visitor may GET that a front end is likely to ask for, found by asking.
 *
 * Every route without parameters is asked first. What answers with a list is followed to its pages, its items and, through the
 * links of the items, to what they name; what answers with a map, to its entries. What is refused is left out. So a type or a
 * namespace that is added is exported without a word here.
 */
import type { Site } from '../../../kernel/site/site.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import type { Dialect } from '../../../kernel/rest/dialect.ts';
import { createDispatcher } from '../../../kernel/rest/dispatch.ts';
import type { Registry } from '../../../kernel/rest/types.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import { createUrls } from '../../../kernel/rest/urls.ts';
import { type Written, writeResponse } from '../../../kernel/http/respond.ts';
import { byId } from './by-id.ts';
import { type ExportTree, termsIn } from './trees.ts';

/** Parameters by name, in the order of their names; '' stands behind a name alone (`_embed`). */
type Query = Readonly<Record<string, string>>;

export interface PublicRequest {
  /** Neutral route: `/cms/v2/posts`. */
  readonly route: string;
  readonly query: Query;
  /** Before the root: `/de`; '' for nothing. */
  readonly prefix: string;
}

/** Requests that a host with few files may do without. */
export const groups = {
  embeds: 'lists and items with embedded resources (_embed)',
  slugs: 'items by slug',
  filters: 'posts by category, tag and author',
  sizes: 'lists with 100 items per page, and with the page size of site.yaml',
  links: 'what items link to: comments, terms and media',
  oembed: 'oEmbed responses',
  pages: 'pages of the website, as HTML',
} as const;

export type Group = keyof typeof groups;

interface Crawl {
  readonly site: Site;
  readonly registry: Registry;
  readonly dialect: Dialect;
  readonly tree: ExportTree;
  readonly without: ReadonlySet<Group>;
  /** Takes each answer as the server would write it. */
  take(request: PublicRequest, answer: Written): Promise<void> | void;
  /** Called when everything about one item of a list is asked. */
  passed?(): void;
}

type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly data: unknown;
  /** 1 for what has no pages. */
  readonly pages: number;
}

const embed: Query = { _embed: '' };

/** Asks everything of one tree, as a visitor. @throws Error when a request fails in a way that no visitor should see */
export async function crawl({ site, registry, dialect, tree, without, take, passed }: Crawl): Promise<void> {
  const { prefix, address } = tree;
  const urls = createUrls(site.url, dialect, prefix);
  const seen = new Set<string>();
  let failure: unknown = null;
  const dispatcher = createDispatcher(site, registry, (error) => {
    failure = error;
  });
  const has = (group: Group): boolean => !without.has(group);

  for (const { path } of registry.routes.filter((route) => !route.path.includes('('))) {
    const answer = await ask(path, {});
    if (!answer) continue;
    if (Array.isArray(answer.data)) await list(path, answer);
    else if (hasItems(path)) for (const name of Object.keys(answer.data as Json)) await ask(`${path}/${name}`, {});
  }

  /** @returns null for what was asked before, or is nothing for visitors */
  async function ask(route: string, query: Query): Promise<Answer | null> {
    const sorted = Object.fromEntries(Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1)));
    const key = printRequest({ prefix, route, query: sorted });
    if (seen.has(key)) return null;
    seen.add(key);
    const request: RestRequest = { method: 'GET', route, query: sorted, headers: {}, dialect, address, user: null };
    const response = await dispatcher.dispatch(request);
    if (response.status >= 500) throw new Error(`GET ${key} was answered with ${response.status}`, { cause: failure });
    if (response.status !== 200) return null;
    await take({ prefix, route, query: sorted }, writeResponse(request, response, { home: site.url }));
    return { data: response.data, pages: Number(response.headers[dialect.header('TotalPages')] ?? 1) };
  }

  /** All pages of a list. @param first  its first page, when it was asked for already */
  async function* pages(route: string, query: Query, first?: Answer): AsyncGenerator<readonly Json[]> {
    const answer = first ?? (await ask(route, query));
    if (!answer || !Array.isArray(answer.data)) return;
    yield answer.data;
    for (let page = 2; page <= answer.pages; page++) {
      const next = await ask(route, { ...query, page: String(page) });
      if (next) yield next.data as readonly Json[];
    }
  }

  async function all(route: string, query: Query): Promise<void> {
    for await (const _ of pages(route, query));
  }

  async function list(route: string, first: Answer): Promise<void> {
    const args = argsOf(route);
    const isOfItems = hasItems(route);
    let isEmbeddable = false;
    for await (const items of pages(route, {}, first)) {
      for (const one of items) {
        isEmbeddable ||= hasEmbeds(one);
        if (isOfItems) await item(route, one, args);
        if (isOfItems) passed?.();
      }
    }
    if (!isOfItems) return;
    const forms = has('embeds') && isEmbeddable ? [{}, embed] : [{}];
    const own = String(site.settings.value('posts_per_page') ?? '');
    const { default: standard, maximum = 0 } = (args.per_page ?? {}) as { default?: unknown; maximum?: number };
    const fits = (size: string): boolean =>
      has('sizes') && size !== String(standard) && Number(size) > 0 && Number(size) <= maximum;
    const asked = (sizes: readonly string[]): Query[] => [
      {},
      ...[...new Set(sizes)].filter(fits).map((size) => ({ per_page: size })),
    ];
    for (const form of forms) for (const size of asked(['100', own])) await all(route, { ...form, ...size });
    if (!has('filters')) return;
    for (const filter of filtersOf(args))
      for (const form of forms) for (const size of asked([own])) await all(route, { ...filter, ...form, ...size });
  }

  async function item(route: string, one: Json, args: Json): Promise<void> {
    const forms = has('embeds') && hasEmbeds(one) ? [{}, embed] : [{}];
    const slug = has('slugs') && 'slug' in args && typeof one.slug === 'string' ? decoded(one.slug) : '';
    for (const form of forms) {
      await ask(`${route}/${one.id}`, form);
      if (slug !== '') await all(route, { slug, ...form });
    }
    if (has('links')) for (const href of linksOf(one)) await follow(href);
    if (!has('oembed') || typeof one.link !== 'string' || !site.types.get(dialect.readWord(String(one.type)))?.viewable) return;
    for (const format of [{}, { format: 'xml' }] as readonly Query[])
      await ask('/oembed/1.0/embed', { ...format, url: one.link });
  }

  async function follow(href: string): Promise<void> {
    const place = urls.route(href);
    if (place) await all(place.route, Object.fromEntries(new URLSearchParams(place.query)));
  }

  function argsOf(route: string): Json {
    return registry.match('GET', route)?.endpoint.args ?? {};
  }

  /** Whether the entries of a list or map have an address of their own, one segment below it. */
  function hasItems(route: string): boolean {
    return registry.routes.some(
      ({ path }) => path.startsWith(`${route}/(?P<`) && /^\(\?P<\w+>[^/]*\)$/.test(path.slice(route.length + 1)),
    );
  }

  /** One query for each term, and each author, that a list of items with terms can be asked by. */
  function* filtersOf(args: Json): Generator<Query> {
    const taxonomies = [...site.taxonomies.values()].filter((one) => one.showInRest && one.public && one.restBase in args);
    for (const { name, restBase } of taxonomies)
      for (const term of termsIn(site, tree)) if (term.taxonomy === name) yield { [restBase]: String(term.id) };
    if (taxonomies.length === 0 || !('author' in args)) return;
    for (const { id } of byId(site.users.all())) if (site.posts.with('author', id).size > 0) yield { author: String(id) };
  }
}

/** `/cms/v2/posts?_embed&page=2`, route and names as they are given. */
export function printRequest({ prefix, route, query }: PublicRequest): string {
  const pairs = Object.entries(query).map(([name, value]) => (value === '' ? name : `${name}=${encodeURIComponent(value)}`));
  return `${prefix}${route}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

function linksOf(one: Json): string[] {
  return links(one).flatMap(({ href, templated }) => (typeof href === 'string' && templated !== true ? [href] : []));
}

function hasEmbeds(one: Json): boolean {
  return links(one).some(({ embeddable }) => embeddable === true);
}

function links(one: Json): Json[] {
  return Object.values((one._links ?? {}) as Record<string, readonly Json[]>).flat();
}
