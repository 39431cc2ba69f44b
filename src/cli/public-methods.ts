/**
 * Which methods of a route anonymous visitors may call: the rules that answer requests are asked, on a site that holds one public
 * item of everything that has a file.
 */
import { table } from '../kernel/model/maps.ts';
import { createDispatcher } from '../kernel/rest/dispatch.ts';
import { neutral } from '../kernel/rest/dialect.ts';
import type { Registry } from '../kernel/rest/types.ts';
import type { Route } from '../kernel/rest/types.ts';
import type { Method, RestRequest } from '../kernel/rest/request.ts';
import type { Site } from '../kernel/site/site.ts';
import { groupIn } from '../modules/api/openapi/templates.ts';
import { hasOwnFiles } from '../modules/types/record.ts';
import { parseEntry } from '../kernel/yaml/codec.ts';
import type { Batch } from '../kernel/store/types.ts';

const slug = 'sample';
const sampleMedia = 'media/sample.gif';
/** A new site has a user 1 already. */
const ids = { user: 2, comment: 1, post: 7, attachment: 8 };

/** The files of that site, beside `site.yaml`, for the types and taxonomies of `site`; its media file has no bytes. */
export function sampleFiles({ types, taxonomies }: Pick<Site, 'types' | 'taxonomies'>): Readonly<Record<string, string>> {
  let [post, term] = [100, 1];
  const front = (id: number): string => `---\nid: ${id}\ntitle: Sample\nauthor: ${slug}\ndate: 2000-01-01\n---\nText\n`;
  return Object.fromEntries([
    [`users/${slug}.yaml`, `id: ${ids.user}\nname: Sample\n`],
    ...[...taxonomies.values()].map((one) => [`terms/${one.folder}/${slug}.yaml`, `id: ${term++}\nname: Sample\n`] as const),
    [`${sampleMedia}.yaml`, `id: ${ids.attachment}\nauthor: ${slug}\n`],
    ...[...types.values()]
      .filter(hasOwnFiles)
      .map((type) => [`${type.folder}/${slug}.html`, front(type.name === 'post' ? ids.post : post++)] as const),
    [`comments/${ids.post}/${ids.comment}.html`, `---\nid: ${ids.comment}\nname: Sample\ndate: 2000-01-02\n---\nText\n`],
  ]);
}

/** The same as a store gives them. */
export function sampleEntries(site: Pick<Site, 'types' | 'taxonomies'>): Pick<Batch, 'entries' | 'blobs'> {
  const entries = Object.entries(sampleFiles(site)).flatMap(([path, text]) => {
    const bytes = Buffer.from(text);
    const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
    return 'entry' in parsed ? [parsed.entry] : [];
  });
  return { entries, blobs: [{ path: sampleMedia, size: 1, mtimeMs: 0 }] };
}

/**
 * Methods that somebody may call. Reading is tried, as some handlers refuse; of what writes the rules are asked alone.
 * @param site  holds `sampleEntries`
 * @param user  null: a visitor
 */
export function allowedMethods(
  site: Site,
  registry: Registry,
  user: RestRequest['user'] = null,
): (route: Route) => Promise<readonly Method[]> {
  const dispatcher = createDispatcher(site, registry, () => undefined);
  return async ({ path, endpoints }) => {
    const request: RestRequest = {
      method: 'GET',
      route: sampleRoute(site, path),
      query: {},
      headers: {},
      dialect: neutral,
      user,
    };
    const open = dispatcher.allowed(request).filter((method) => method !== 'GET');
    if (!endpoints.some(({ methods }) => methods.includes('GET'))) return open;
    const { status, headers } = await dispatcher.dispatch(request);
    // An argument is missing: nobody has been refused yet.
    const isRead = status === 400 ? String(headers.Allow ?? '').includes('GET') : status < 400;
    return isRead ? ['GET', ...open] : open;
  };
}

/** The path of a route with ids and names of the sample site in it. */
export function sampleRoute(site: Pick<Site, 'posts' | 'terms' | 'types' | 'taxonomies'>, path: string): string {
  let route = '';
  let rest = path;
  for (let group = groupIn(rest); group; group = groupIn(rest)) {
    route += rest.slice(0, group.at);
    route += sampleOf(site, route, group.pattern);
    rest = rest.slice(group.end);
  }
  return route + rest;
}

/** A value for a part of a path, by what stands before it. */
function sampleOf(site: Parameters<typeof sampleRoute>[0], before: string, pattern: string): string {
  const base = before.split('/').at(-2) ?? '';
  const isWanted = new RegExp(`^(?:${pattern})$`);
  const type = [...site.types.values()].find(({ restBase }) => restBase === base);
  const taxonomy = [...site.taxonomies.values()].find(({ restBase }) => restBase === base);
  const known: Readonly<Record<string, string>> = table({
    types: 'post',
    taxonomies: 'category',
    statuses: 'publish',
    users: String(ids.user),
  });
  const id = type
    ? firstId(site.posts.with('type', type.name))
    : taxonomy
      ? firstId(site.terms.with('taxonomy', taxonomy.name))
      : 1;
  return (
    [known[base], String(id), slug, 'core/paragraph', 'core'].find((one) => one !== undefined && isWanted.test(one)) ?? String(id)
  );
}

function firstId(some: Iterable<number>): number {
  const [first = 1] = some;
  return first;
}
