/** URLs of all pages of a site, for the static export. */
import { prefixOf } from '../../../kernel/rest/address-prefix.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { archivePath, datePath, isPublic, prettyLink, segmentsOf, termLink } from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';
import { archiveSlug } from '../../types/record.ts';

/** Below the site, in a stable order. Without those with a query, which no file can have. */
export function* pageAddresses(site: Site): Generator<string> {
  const seen = new Set<string>();
  for (const address of all(site)) {
    if (seen.has(address) || address.includes('?')) continue;
    seen.add(address);
    yield address;
  }
}

function* all(site: Site): Generator<string> {
  const languages = site.discovery.flatMap((source) => source.languages?.() ?? []);
  const prefixes = ['', ...new Set(languages.map(({ params }) => prefixOf(site, '', params)))];
  for (const prefix of prefixes) yield `${prefix}/`;
  const formats = new Set<string>();
  const people = new Set<string>();
  const dates = new Set<string>();
  for (const id of [...site.posts.all()].map((post) => post.id).sort((a, b) => a - b)) {
    const post = site.posts.get(id);
    if (!post || !isPublic(site, post)) continue;
    yield prettyLink(site, post);
    if (post.type !== 'post') continue;
    const prefix = segmentsOf(site, post);
    const author = site.users.get(post.author);
    if (author) people.add(prefix + authorPath(author));
    if (post.format !== 'standard')
      formats.add(`${prefix}/${site.taxonomies.get('post_format')?.base ?? 'type'}/${post.format}/`);
    for (const length of [4, 7, 10]) dates.add(prefix + datePath(post.date.slice(0, length)));
  }
  for (const id of [...site.terms.all()].map((term) => term.id).sort((a, b) => a - b)) {
    const term = site.terms.get(id);
    const taxonomy = term && site.taxonomies.get(term.taxonomy);
    if (term && taxonomy?.public && taxonomy.base !== null) yield termLink(site, term);
  }
  for (const type of site.types.values()) {
    if (archiveSlug(type) !== '') for (const prefix of prefixes) yield prefix + archivePath(type);
  }
  yield* [...people, ...formats, ...dates].sort();
}
