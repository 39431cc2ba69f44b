/**
 * The subject of a feed by URL: the newest posts of the site, a term, an author or a type; the newest comments of the site or a post; below language
 * segments in that language.
 */
import { table } from '../../../kernel/model/maps.ts';
import { plainParams } from '../../../kernel/rest/args.ts';
import { prefixOf, splitPath } from '../../../kernel/rest/address-prefix.ts';
import { parseQuery } from '../../../kernel/rest/params.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { listAt, listNamed, lookUp } from '../../content/permalinks/index.ts';
import { isPublic, prettyLink } from '../../content/permalinks/record.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import { wordsAt, wordsIn } from '../../content/search/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { PostType } from '../../types/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { forms } from './print.ts';

export type FormName = keyof typeof forms;

export interface Subject {
  /** Of its page, below the site, with slashes at both ends. */
  readonly path: string;
  /** Parameters of the segments before it. */
  readonly params: Params;
  /** Absent: all posts. */
  readonly of?:
    | { readonly term: TermRecord }
    | { readonly author: UserRecord }
    /** A type with an archive. */
    | { readonly archive: PostType }
    /** Comments on a post, or all. */
    | { readonly comments: PostRecord | 'all' }
    /** Search results. */
    | { readonly search: string };
}

/** A feed, or its current path or URL. */
type Asked = { readonly subject: Subject; readonly form: FormName } | { readonly redirect: string };

/** URL segments and formats; obsolete ones are RSS 2.0. */
const words: Readonly<Record<string, FormName>> = table({
  feed: 'rss',
  rss: 'rss',
  rss2: 'rss',
  rdf: 'rss',
  atom: 'atom',
  json: 'json',
});
const alone = /^(?:rss2?|rdf|atom)$/;
const files = new Map(Object.entries(forms).map(([name, { file }]) => [file as string, name as FormName]));

/** @returns null if it is not the URL of a feed */
export function feedAt(site: Site, url: string): Asked | null {
  const [path = '', search = ''] = url.replace(/#.*$/s, '').split(/\?(.*)/s, 2);
  if (/(?:^|&)feed=/.test(search)) return byQuery(site, path, search);
  const { prefix, params, path: within } = splitPath(site, path);
  const segments = segmentsIn(within);
  const read = formOf(segments);
  if (!read) return null;
  const above = segments.slice(0, -read.length);
  // A hand-written page may have an old feed URL.
  if (above.length === 0 && !path.includes('feed') && lookUp(site, path, {})) return null;
  const found = subjectAt(site, { prefix, params }, above);
  if (!found) return null;
  // Search words have several spellings.
  if ('of' in found && found.of && 'search' in found.of) return { subject: found, form: read.form };
  const target = ('redirect' in found ? found.redirect : found.path) + forms[read.form].suffix;
  return 'redirect' in found || target !== path ? { redirect: target } : { subject: found, form: read.form };
}

/** URL of a feed below the site. */
export function addressOf({ path }: Subject, form: FormName): string {
  return path + forms[form].suffix;
}

/** The number of segments at the end of a path that mean a feed. */
function formOf(segments: readonly string[]): { readonly form: FormName; readonly length: number } | null {
  const [before, last = ''] = [segments.at(-2), segments.at(-1)];
  const file = files.get(last);
  if (file) return { form: file, length: 1 };
  const form = Object.hasOwn(words, last) ? words[last] : undefined;
  if (!form) return null;
  if (before === 'feed') return { form, length: 2 };
  return last === 'feed' || (segments.length === 1 && alone.test(last)) ? { form, length: 1 } : null;
}

/** `/?feed=rss2`, `/?feed=comments-atom`, `/?p=7&feed=rss2`, `/?cat=3&feed=atom`, `/?s=words&feed=rss2`, `/category/notes/?feed=rss2`. */
function byQuery(site: Site, path: string, search: string): Asked | null {
  const { feed, ...query } = plainParams(parseQuery(search), {});
  const [, comments, word = ''] = /^(comments-)?(\w+)$/.exec(String(feed ?? '')) ?? [];
  const form = Object.hasOwn(words, word) ? words[word] : undefined;
  if (!form) return null;
  const place = splitPath(site, path);
  const { suffix } = forms[form];
  const found = comments ? null : lookUp(site, path, query);
  const page = found && 'post' in found ? prettyLink(site, found.post) : found && 'redirect' in found ? found.redirect : null;
  if (page !== null) return { redirect: page + suffix };
  if (['p', 'page_id', 'attachment_id'].some((name) => query[name] !== undefined)) return null;
  if (place.path !== '/' && place.path !== '' && place.path !== '/index.php') {
    const below = comments ? null : subjectAt(site, place, segmentsIn(place.path));
    return below && { redirect: ('redirect' in below ? below.redirect : below.path) + suffix };
  }
  const asked = comments || query.s === undefined ? '' : wordsIn(String(query.s));
  if (asked !== '') return { subject: searchOf(standard(site, place.prefix, place.params), place.params, asked), form };
  const named = comments ? null : listNamed(site, place, query);
  if (named === 'missing') return null;
  const above = named?.path ?? `${standard(site, place.prefix, place.params)}/${comments ? 'comments/' : ''}`;
  return { redirect: above + suffix };
}

function searchOf(prefix: string, params: Params, search: string): Subject {
  return { path: `${prefix}/search/${encodeURIComponent(search)}/`, params, of: { search } };
}

function segmentsIn(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

interface Place {
  readonly prefix: string;
  readonly params: Params;
}

/** @returns the current path; null for none */
function subjectAt(site: Site, place: Place, above: readonly string[]): Subject | { readonly redirect: string } | null {
  const { params } = place;
  const prefix = standard(site, place.prefix, params);
  if (above.length === 0) return { path: `${prefix}/`, params };
  if (above.length === 1 && above[0] === 'comments') return { path: `${prefix}/comments/`, params, of: { comments: 'all' } };
  const list = listAt(site, { ...place, path: `/${above.join('/')}/` });
  if (list?.of.kind === 'author') return { path: list.path, params, of: { author: list.of.author } };
  if (list?.of.kind === 'term') return { path: list.path, params, of: { term: list.of.term } };
  const post = postAt(site, place, above);
  if (post) return post;
  if (list?.of.kind === 'archive') return { path: list.path, params, of: { archive: list.of.type } };
  const words = wordsAt(`/${above.join('/')}/`);
  return words === null || words === '' ? null : searchOf(prefix, params, words);
}

/** The segments for these parameters, which may be absent or default. */
function standard(site: Site, prefix: string, params: Params): string {
  return site.modules.address.length === 0 ? prefix : prefixOf(site, '', params);
}

function postAt(site: Site, { prefix, params }: Place, above: readonly string[]): ReturnType<typeof subjectAt> {
  const found = lookUp(site, `${prefix}/${above.join('/')}/`, {});
  if (!found || 'gone' in found) return null;
  if ('redirect' in found) return /^\/[^/?][^?]*\/$/.test(found.redirect) ? found : null;
  const { post } = found;
  return isPublic(site, post) && !isProtected(post) ? { path: prettyLink(site, post), params, of: { comments: post } } : null;
}
