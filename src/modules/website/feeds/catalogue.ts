/** All non-empty feeds of a site, for the static export. */
import { itemParams, prefixOf } from '../../../kernel/rest/address-prefix.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { archivePath, prettyLink, termLink } from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';
import { countOf } from '../../content/terms/index.ts';
import { commentsOn } from './entries.ts';
import { forms } from './print.ts';
import { archiveSlug } from '../../types/record.ts';
import { addressOf, type FormName, type Subject } from './subjects.ts';

/** A feed, and its file in a static export. */
interface FeedFile {
  /** Below the site. */
  readonly address: string;
  /** Path of the feed's page, with slashes at both ends. */
  readonly page: string;
  readonly name: string;
}

/** In a stable order. Some may be empty. */
export function* feedFiles(site: Site): Generator<FeedFile> {
  for (const subject of subjects(site))
    for (const form of Object.keys(forms) as FormName[])
      yield { address: addressOf(subject, form), page: subject.path, name: forms[form].file };
}

function* subjects(site: Site): Generator<Subject> {
  const places = placesOf(site);
  for (const { prefix, params } of places) {
    yield { path: `${prefix}/`, params };
    if (site.comments.size > 0) yield { path: `${prefix}/comments/`, params, of: { comments: 'all' } };
  }
  for (const term of byId(site.terms.all())) {
    const taxonomy = site.taxonomies.get(term.taxonomy);
    if (!taxonomy?.public || taxonomy.base === null || countOf(site, term) === 0) continue;
    yield { path: termLink(site, term), params: itemParams(site, term), of: { term } };
  }
  for (const archive of site.types.values()) {
    if (archiveSlug(archive) === '' || site.posts.count('type', archive.name) === 0) continue;
    for (const { prefix, params } of places) yield { path: prefix + archivePath(archive), params, of: { archive } };
  }
  for (const author of byId(site.users.all())) {
    if (site.posts.count('author', author.id) === 0) continue;
    for (const { prefix, params } of places) yield { path: prefix + authorPath(author), params, of: { author } };
  }
  const discussed = new Set([...site.comments.all()].map(({ post }) => post));
  for (const id of [...discussed].sort((a, b) => a - b)) {
    const post = site.posts.get(id);
    if (!post || commentsOn(site, post) === 0) continue;
    yield { path: prettyLink(site, post), params: itemParams(site, post), of: { comments: post } };
  }
}

/** The segments before URLs, and their parameters. */
function placesOf(site: Site): readonly { readonly prefix: string; readonly params: Params }[] {
  const languages = site.discovery.flatMap((source) => source.languages?.() ?? []);
  const all = languages.length === 0 ? [{ params: {} }] : languages;
  return all.map(({ params }) => ({ params, prefix: prefixOf(site, '', params) }));
}

function byId<R extends { readonly id: number }>(records: Iterable<R>): readonly R[] {
  return [...records].sort((a, b) => a.id - b.id);
}
