/**
 * What front ends of a site ask beside its content: feeds of social platforms, the front page, a search over everything, and constants.
 *
 * Shape    feeds: id, type, updated, stale, data; front page: a page, or a list of posts; search: query, totals, counts, items;
 *          constants: a map
 * Access   everyone
 * Errors   rest_feed_not_found, rest_feed_unavailable
 * Source   specification 4.8; reference on site routes, part D
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import { type Answer, answer, anyone, type Call, type Endpoint, READ } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { shownConstants } from './constants.ts';
import { frontPage } from './front-page.ts';
import { type FeedType, feedTypes } from './feed-settings.ts';
import { languageIn } from './language.ts';
import { findHits, type Hit, pictureOf, shownHit } from './search.ts';
import { wordsOf } from './search-text.ts';

/** For public responses. */
const headers = { 'Cache-Control': 'public, max-age=60' };

export const cmsRoutes: Namespace['routes'] = [
  ...feedTypes.map((type) => route(`/cms/v2/${type}/(?P<feed>[\\d]+)`, (call) => feed(call, type))),
  route('/cms/v2/getFrontpage', async (call) => {
    const found = await frontPage(call);
    return found.status === 200 ? { ...found, headers: { ...found.headers, ...headers } } : found;
  }),
];

export const customRoutes: Namespace['routes'] = [
  route('/cms/v2/custom/search', async (call) => answer(await search(call), { headers })),
  route('/cms/v2/custom/constants', async (call) => answer(await constants(call), { headers })),
];

function route(path: string, handle: Endpoint['handle']): Namespace['routes'][number] {
  return { path, endpoints: [{ methods: READ, args: {}, allow: anyone, handle }] };
}

async function feed({ site, params }: Call, type: FeedType): Promise<Answer> {
  const found = await site.feeds.read(type, scalarText(params.feed));
  // Stale responses are cached briefly.
  return answer(found, { headers: found.stale ? { 'Cache-Control': 'no-store' } : headers });
}

async function constants(call: Call): Promise<unknown> {
  const shown = (await shownConstants(call, call.site.constants.values(languageIn(call)))) as object;
  // A member without a value keeps an empty map a map.
  return Object.keys(shown).length === 0 ? { none: undefined } : shown;
}

async function search(call: Call): Promise<unknown> {
  const { site, params } = call;
  const settings = mapOf(site.settings.value('search'));
  const query = scalarText(params.s ?? params.search ?? params.q ?? '').trim();
  const words = wordsOf(query);
  const perPage = clamped(params.per_page ?? settings.per_page, 10, 100);
  const request = {
    words,
    types: typesOf(site, params, settings),
    fields: texts(settings.fields),
    exclude: ids(settings.exclude),
  };
  const hits = await findHits(call, request);
  const pages = Math.ceil(hits.length / perPage);
  const page = clamped(params.page, 1, Math.max(1, pages));
  const shown = hits.slice((page - 1) * perPage, page * perPage);
  await site.media.prepare(shown.flatMap(({ record }) => pictureOf(site, record) ?? []));
  return {
    query,
    total: hits.length,
    pages,
    page,
    per_page: perPage,
    counts: countsOf(hits),
    items: shown.map((hit) => shownHit(call, hit, words)),
  };
}

/** The requested public types, else those of the settings. */
function typesOf(site: Site, params: Params, settings: Params): readonly string[] {
  const isKnown = (name: string): boolean => {
    if (name === 'media' || name === 'term') return true;
    const type = site.types.get(name);
    return name !== 'attachment' && type?.public === true && type.showInRest && type.viewable;
  };
  const asked = scalarText(params.type ?? '')
    .split(/[\s,]+/)
    .filter((name) => name !== '');
  if (asked.length > 0) return [...new Set(asked)].filter(isKnown);
  const named = texts(settings.types);
  return named.length > 0 ? named.filter(isKnown) : ['page', 'post'];
}

function countsOf(hits: readonly Hit[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { type } of hits) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Clamps numbers; other values are the default. */
function clamped(value: unknown, usual: number, most: number): number {
  const read = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;
  return Number.isNaN(read) ? usual : Math.max(1, Math.min(most, Math.trunc(read)));
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function ids(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((one) => Number.isInteger(one)) : [];
}
