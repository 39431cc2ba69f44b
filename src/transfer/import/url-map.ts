/**
 * Addresses of the old site and where they lead now: of items, files, terms and authors.
 */
import { withoutTrailing } from '../../kernel/model/text-ends.ts';
import { detachString } from './items.ts';
import { mediaFolder } from '../../kernel/store/paths.ts';
import { pathKey } from '../../modules/content/permalinks/aliases.ts';
import type { PostRecord } from '../../modules/content/posts/record.ts';
import { decoded } from '../../kernel/model/slugs.ts';
import { splitPath } from '../../kernel/rest/address-prefix.ts';
import type { Site } from '../../kernel/site/site.ts';
import { linkOf, termLink } from '../../modules/content/permalinks/record.ts';
import { authorPath } from '../../modules/people/users/record.ts';
import { createLinks, type LinkRewriter } from './links.ts';
import type { ImportPlan } from './plan.ts';
import type { PlannedItem } from './planned-item.ts';
import type { PlannedSite } from './planned-site.ts';
import type { SourceScan } from './source-scan.ts';
import { mediaFileOf } from './target-paths.ts';
import { isUrl } from '../../kernel/model/addresses.ts';

/** Addresses of the old site and where they lead now. */
export function linksOf(sourceScan: SourceScan, plan: ImportPlan, plannedSite: PlannedSite): LinkRewriter {
  const links = createLinks();
  for (const address of sourceScan.site?.addresses ?? []) links.address(address);
  for (const address of sourceScan.site?.uploads ?? []) links.uploads(address);
  links.page('/', '/');
  const hosts = hostsOf(sourceScan);
  for (const planned of plan.posts.values()) {
    const { header, of, id, place, isGone } = planned;
    if (planned.isKnown) noteKnown(links, planned);
    if (!header || isGone) continue;
    if (of === 'attachment') {
      const file = mediaFileOf({ place }).slice(mediaFolder.length);
      planned.address = [header.media, file];
      links.file(header.media, file);
      if (/^https?:\/\//.test(header.guid) && !header.guid.includes('?')) links.file(header.guid, file);
    }
    if (plannedSite.types.get(of)?.viewable !== true) continue;
    const address = detachString(linkOf(plannedSite, plannedSite.posts.get(id) as PostRecord, true));
    const from = detachString(withoutHost(header.link, hosts));
    if (from !== '') links.page(from, address);
    if (from !== '' && of !== 'attachment') planned.address = [from, address];
    const word = of === 'page' ? 'page_id' : of === 'attachment' ? 'attachment_id' : 'p';
    if (header.id > 0) links.page(`/?${word}=${header.id}`, address);
  }
  for (const planned of plan.terms.values()) {
    const term = plannedSite.terms.get(planned.id);
    const address = term && plannedSite.taxonomies.get(planned.of)?.base ? termLink(plannedSite, term) : '';
    if (address !== '' && !planned.isGone) links.page(address, address);
  }
  for (const person of plan.users.values()) links.page(authorPath(person), authorPath(person));
  return links;
}

/** Where something is that an earlier import brought. */
function noteKnown(links: LinkRewriter, { of, key, address }: PlannedItem): void {
  if (address === undefined) return;
  const [from, to] = address;
  if (of === 'attachment') links.file(from, to);
  else {
    links.page(from, to);
    if (/^[1-9]\d*$/.test(key)) links.page(`/?p=${key}`, to);
  }
}

/** Takes note of the paths that published items had on the old site and have no more, unless something else is there now. */
export function noteFormerPaths(sourceScan: SourceScan, plan: ImportPlan, plannedSite: PlannedSite): void {
  const hosts = hostsOf(sourceScan);
  const isPublic = (status: string): boolean => plannedSite.statuses.some((one) => one.name === status && one.public);
  const present = new Set<string>();
  const had: { readonly planned: PlannedItem; readonly path: string; readonly former: string }[] = [];
  for (const planned of plan.posts.values()) {
    const { header, of, id, isGone } = planned;
    if (!header || isGone || of === 'attachment' || plannedSite.types.get(of)?.viewable !== true || !isPublic(header.status))
      continue;
    const address = pathKey(linkOf(plannedSite, plannedSite.posts.get(id) as PostRecord, true));
    present.add(detachString(address));
    const path = formerPathOf(header.link, hosts, plannedSite);
    if (path === '' || pathKey(path) === '') continue;
    // Aliases are without the segments that addresses of items have.
    const former = withoutSegments(plannedSite, path);
    if (pathKey(former) !== pathKey(withoutSegments(plannedSite, address)))
      had.push({ planned, path: detachString(path), former: detachString(former) });
  }
  for (const { planned, path, former } of had) if (!present.has(pathKey(path))) planned.formerPath = former;
}

function withoutSegments(plannedSite: PlannedSite, path: string): string {
  return splitPath(plannedSite as Site, path).path;
}

/** Hosts of the old site, without `www.`. */
export function hostsOf({ site }: SourceScan): ReadonlySet<string> {
  return new Set((site?.addresses ?? []).map(hostOf));
}

/** The path below the root of this site at which a visitor asks for an address of the old one; '' where nobody does. */
export function formerPathOf(link: string, hosts: ReadonlySet<string>, { settings }: Pick<PlannedSite, 'settings'>): string {
  const path = pathOf(link, hosts);
  const address = settings.stored('url');
  const base = typeof address === 'string' && isUrl(address) ? withoutTrailing(new URL(address).pathname, '/') : '';
  return base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}

/** The path of an address of the old site, as people read it; '' where that is no path, or of another site. */
function pathOf(link: string, hosts: ReadonlySet<string>): string {
  const own = link.startsWith('/') && !link.startsWith('//') ? link : withoutHost(link, hosts);
  if (!own.startsWith('/') || /[?#]/.test(own)) return '';
  const path = own.split('/').map(decoded).join('/');
  return /[\u0000-\u001f\u007f?#\\]/.test(path) || path.split('/').length !== own.split('/').length ? own : path;
}

/** An address of the old site itself is known by its path: half of what has to be remembered. */
function withoutHost(address: string, hosts: ReadonlySet<string>): string {
  if (hostOf(address) === '' || !hosts.has(hostOf(address))) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** '' for what is no address on the web. */
function hostOf(address: string): string {
  return isUrl(address) ? new URL(address).host.replace(/^www\./, '') : '';
}
