/**
 * Addresses of the old site and where they lead now: of items, files, terms and authors.
 */
import { mediaFolder } from '../model/attachment.ts';
import type { PostRecord } from '../model/post.ts';
import { linkOf, termLink } from '../domain/posts/permalinks.ts';
import { keptText } from './kept-text.ts';
import { createLinks, type Links } from './links.ts';
import type { Plan } from './plan.ts';
import type { StandIn } from './stand-in.ts';
import type { Survey } from './survey.ts';

/** Addresses of the old site and where they lead now. */
export function linksOf(survey: Survey, plan: Plan, stand: StandIn): Links {
  const links = createLinks();
  for (const address of survey.site?.addresses ?? []) links.address(address);
  for (const address of survey.site?.uploads ?? []) links.uploads(address);
  links.page('/', '/');
  const hosts = new Set((survey.site?.addresses ?? []).map(hostOf));
  for (const planned of plan.posts.values()) {
    const { sketch, of, id, place, isGone } = planned;
    if (!sketch || isGone) continue;
    if (of === 'attachment') {
      links.file(sketch.media, place.slice(mediaFolder.length));
      if (/^https?:\/\//.test(sketch.guid) && !sketch.guid.includes('?'))
        links.file(sketch.guid, place.slice(mediaFolder.length));
    }
    if (stand.types.get(of)?.viewable !== true) continue;
    const address = keptText(linkOf(stand, stand.posts.get(id) as PostRecord, true));
    if (sketch.link !== '') links.page(keptText(withoutHost(sketch.link, hosts)), address);
    const word = of === 'page' ? 'page_id' : of === 'attachment' ? 'attachment_id' : 'p';
    if (sketch.id > 0) links.page(`/?${word}=${sketch.id}`, address);
  }
  for (const planned of plan.terms.values()) {
    const term = stand.terms.get(planned.id);
    const address = term && stand.taxonomies.get(planned.of)?.base ? termLink(stand, term) : '';
    if (address !== '' && !planned.isGone) links.page(address, address);
  }
  for (const { slug } of plan.users.values()) links.page(`/author/${slug}/`, `/author/${slug}/`);
  return links;
}

/** An address of the old site itself is known by its path: half of what has to be remembered. */
function withoutHost(address: string, hosts: ReadonlySet<string>): string {
  if (hostOf(address) === '' || !hosts.has(hostOf(address))) return address;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** '' for what is no address on the web. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host.replace(/^www\./, '') : '';
}
