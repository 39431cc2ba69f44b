/**
 * Every redirect of a site in one table (`redirects.yaml`, aliases, former slugs), as the server follows them
 * (modules/content/permalinks/resolve-url.ts), and printed for hosts: `_redirects` of Netlify and Cloudflare, `location` blocks of nginx.
 */
import { aliasKey, aliasPath, isPathAlias } from '../../modules/content/permalinks/aliases.ts';
import { decoded } from '../../kernel/model/slugs.ts';
import { redirectsFile, type RedirectStatus } from '../../modules/content/permalinks/redirects-file.ts';
import { isPublic, prettyLink, segmentsOf } from '../../modules/content/permalinks/record.ts';
import { lookUp } from '../../modules/content/permalinks/resolve-url.ts';
import type { PostRecord } from '../../modules/content/posts/record.ts';
import type { Site } from '../../kernel/site/site.ts';
import { byId } from './static/by-id.ts';

interface RedirectRow {
  /** A path of the site with a leading slash, percent-encoded; perhaps with a query. */
  readonly from: string;
  /** A path of the site, or a whole address; '' where nothing is any more. */
  readonly to: string;
  readonly status: RedirectStatus;
  /** File that says it. */
  readonly file: string;
}

/** Combinations of former names above and below that are looked at for one page. */
const mostPaths = 64;

/** In the order in which the server asks them. Those that a page hides are left out. */
export function* redirectRows(site: Site): Generator<RedirectRow> {
  yield* configured(site);
  yield* former(site);
}

/** What `redirects.yaml` says, where no page has the address. */
function* configured(site: Site): Generator<RedirectRow> {
  for (const { from, to, status } of site.redirects.all()) {
    const [path = '', query = ''] = from.split('?', 2);
    const found = lookUp(site, path, {}, query);
    if (found && 'post' in found) continue;
    const pairs = [...new URLSearchParams(query)].map((pair) => pair.map(encodeURIComponent).join('='));
    const asked = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
    yield { from: ruled(path) + asked, to: to.startsWith('/') ? ruledTarget(to) : to, status, file: redirectsFile };
  }
}

/** Every former address of a public item. */
function* former(site: Site): Generator<RedirectRow> {
  const told = new Set<string>();
  for (const post of byId(site.posts.all())) {
    if (!isPublic(site, post)) continue;
    for (const path of formerPaths(site, post)) {
      const found = lookUp(site, path, {});
      const from = ruled(path);
      if (site.redirects.find(path, '')) continue;
      if (!found || !('redirect' in found) || told.has(from)) continue;
      told.add(from);
      yield { from, to: ruled(found.redirect), status: 301, file: post.path };
    }
  }
}

function formerPaths(site: Site, post: PostRecord): string[] {
  const present = prettyLink(site, post);
  if (present.includes('?')) return [];
  const segments = segmentsOf(site, post);
  const whole = post.aliases
    .filter(isPathAlias)
    .flatMap((alias) => [...new Set([aliasPath(alias), segments + aliasPath(alias)])]);
  return [...whole, ...formerSlugs(site, post, present)].filter((path) => path !== present && path !== '/');
}

/** Addresses with former slugs, of the item and of those above it. */
function formerSlugs(site: Site, post: PostRecord, present: string): string[] {
  const slugs = (one: PostRecord): string[] => one.aliases.filter((alias) => !isPathAlias(alias));
  if (!site.types.get(post.type)?.hierarchical) return slugs(post).map((slug) => prettyLink(site, { ...post, slug }));
  const prefix = present.split('/').slice(1, -1);
  let paths: string[] = [''];
  const moved: string[] = [];
  const seen = new Set<number>();
  for (let at: PostRecord | undefined = post; at && !seen.has(at.id); at = site.posts.get(at.parent)) {
    seen.add(at.id);
    // What is below a page came with it from its former paths.
    if (at !== post)
      for (const alias of at.aliases.filter(isPathAlias)) moved.push(...paths.map((below) => aliasKey(alias) + below));
    const names = [at.slug, ...slugs(at)];
    paths = names.flatMap((name) => paths.map((below) => `/${name}${below}`)).slice(0, mostPaths);
  }
  // Types of one's own have their name before the path.
  const above = prefix.slice(0, Math.max(0, prefix.length - seen.size)).map((segment) => `/${segment}`);
  return [...paths.map((path) => above.join('') + path), ...moved.slice(0, mostPaths)].map((path) => `${path}/`);
}

/** A path as a rule has it: percent-encoded, signs with a meaning of their own too. */
function ruled(path: string): string {
  return new URL(path.replace(/^\/+/, '/'), 'http://localhost').pathname.replaceAll(':', '%3A').replaceAll('*', '%2A');
}

/** A target as a rule has it: in one piece, without a placeholder. */
function ruledTarget(to: string): string {
  const url = new URL(to, 'http://localhost');
  return ruled(url.pathname) + url.search.replaceAll(':', '%3A') + url.hash;
}

/**
 * Lines of `_redirects`. Hosts have no rule for what is gone: nothing is there.
 * @param base  path that the site is below; '' for none
 */
export function* redirectLines(site: Site, base: string): Generator<string> {
  for (const { from, to, status } of redirectRows(site)) {
    if (status === 410) continue;
    const [path = '', query = ''] = from.split('?', 2);
    const pairs = query === '' ? '' : ` ${query.split('&').join(' ')}`;
    yield `${base}${path}${pairs} ${to.startsWith('/') ? base + to : to} ${status}`;
  }
}

/**
 * `location` blocks for the `server` of an nginx, with and without a slash at the end. Paths are compared as nginx reads them, decoded.
 * What nginx would read as something else than text is encoded, or left out.
 */
export function* nginxLines(rows: Iterable<RedirectRow>, base: string): Generator<string> {
  const blocks = new Map<string, string[]>();
  for (const { from, to, status } of rows) {
    const [path = '', query = ''] = from.split('?', 2);
    const place = decoded(base + path);
    if (/[\p{Cc}"\\]/u.test(place)) continue;
    const target = (to.startsWith('/') ? base + to : to).replace(/["\\$\p{Cc}]/gu, encodeURIComponent);
    const answer = status === 410 ? 'return 410;' : `return ${status} "${target}";`;
    const asked = query.replace(/["\\$\p{Cc}]/gu, encodeURIComponent);
    const line = asked === '' ? answer : `if ($args = "${asked}") { ${answer} }`;
    for (const one of new Set([place, place.replace(/\/$/, '') || '/', `${place.replace(/\/$/, '')}/`])) {
      const lines = blocks.get(one) ?? [];
      blocks.set(one, asked === '' ? [...lines, line] : [line, ...lines]);
    }
  }
  for (const [place, lines] of blocks) yield `location = "${place}" { ${lines.join(' ')} }`;
}
