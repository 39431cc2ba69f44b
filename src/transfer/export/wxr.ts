/**
 * A site as WXR 1.2, which the reference and many others load: authors, terms, items of every type, comments. Written as a
 * stream, one item in memory at a time.
 */
import type { Writable } from 'node:stream';
import type { PostRecord } from '../../modules/content/posts/record.ts';
import type { TermRecord } from '../../modules/content/terms/record.ts';
import type { UserRecord } from '../../modules/people/users/record.ts';
import type { Site } from '../../kernel/site/site.ts';
import { createFilter, type Filter } from './filter.ts';
import { foot, printAuthor, printHead, printTerm } from './wxr/channel.ts';
import { printItem } from './wxr/items.ts';
import { addOmissionsOf, createOmissions, type Omission } from './omissions.ts';
import { createXml } from '../../render/xml.ts';

export interface WxrOptions {
  /** Is not ended here. */
  readonly out: Pick<Writable, 'write'>;
  readonly filter?: Filter;
  /** With email addresses of users, and email, address and agent of those who commented. */
  readonly private?: boolean;
  /** What Markdown goes out as: the HTML it means, or its source. `html` when left out. */
  readonly markdown?: 'html' | 'source';
  /** Called with items written and all items. */
  readonly progress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

interface WxrReport {
  /** Written, by type; `users`, `terms` and `comments` as well. */
  readonly counts: Readonly<Record<string, number>>;
  /** What the format does not hold, or holds otherwise. */
  readonly left: readonly Omission[];
}

/** Characters that are handed to the stream at once. */
const batch = 64 * 1024;

/**
 * @throws RangeError when the filter names what the site does not have, or the site has no address; what the stream throws; the reason of the signal
 * Cost: one read of every file that is exported, for the report.
 */
export async function exportWxr(site: Site, options: WxrOptions): Promise<WxrReport> {
  const { out, filter = {}, progress, signal } = options;
  const isPrivate = options.private ?? false;
  if (site.url === '') throw new RangeError('the site has no URL: set url: in site.yaml, or pass --url');
  const isWanted = createFilter(site, filter);
  const omissions = createOmissions();
  const xml = createXml((count) => omissions.add('control characters', 'not allowed in XML', count));
  const counts: Record<string, number> = {};
  const count = (name: string, more = 1): void => {
    counts[name] = (counts[name] ?? 0) + more;
  };
  const everything = site.posts.query({ where: [], sort: { by: 'id', direction: 'asc' }, offset: 0 }).records;
  const posts = everything.filter((post) => post.type !== 'revision' && post.status !== 'auto-draft' && isWanted(post));
  const newest =
    posts
      .map(({ modifiedGmt }) => modifiedGmt)
      .sort()
      .at(-1) ?? '';
  const isWhole = Object.values(filter).every((wish) => wish === undefined);

  let waiting = printHead(site, xml, newest);
  for (const user of usersOf(site, isWhole ? null : posts)) {
    waiting += printAuthor(site, xml, user, isPrivate, omissions);
    count('users');
  }
  for (const term of termsOf(site, isWhole ? null : posts)) {
    waiting += printTerm(site, xml, term, omissions);
    count('terms');
  }
  for (const [done, post] of posts.entries()) {
    signal?.throwIfAborted();
    waiting += printItem(site, xml, post, { isPrivate, markdown: options.markdown ?? 'html' }, omissions);
    if (post.type !== 'nav_menu_item') await addOmissionsOf(site, post, omissions);
    count(post.type);
    count('comments', site.comments.with('post', post.id).size);
    progress?.(done + 1, posts.length);
    if (waiting.length < batch) continue;
    await write(out, waiting);
    waiting = '';
  }
  await write(out, waiting + foot);

  omissions.add('revisions', 'WXR contains only current versions', isWhole ? site.revisions.size : 0);
  omissions.add('design files', 'WXR has no patterns, fonts or widget areas', isWhole ? site.design.size : 0);
  if (isWhole) omissions.add('settings', 'WXR contains only the name, description, language and URL of the site');
  return { counts: Object.fromEntries(Object.entries(counts).filter(([, number]) => number > 0)), left: omissions.list() };
}

/** Resolves when the stream has taken it, so that memory stays bounded, and after signals and timers had their turn. */
function write(out: Pick<Writable, 'write'>, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(text, (error) => (error ? reject(error) : setImmediate(resolve)));
  });
}

/** @param posts  null: all users, whoever wrote something or not */
function usersOf(site: Site, posts: readonly PostRecord[] | null): readonly UserRecord[] {
  const all = [...site.users.all()].sort((a, b) => a.id - b.id);
  if (!posts) return all;
  const named = new Set(posts.map(({ author }) => author));
  for (const { id } of posts)
    for (const comment of site.comments.with('post', id)) named.add(site.comments.get(comment)?.author ?? 0);
  return all.filter(({ id }) => named.has(id));
}

/** Terms with those above them first. @param posts  null: all terms */
function termsOf(site: Site, posts: readonly PostRecord[] | null): readonly TermRecord[] {
  const wanted = posts ? posts.flatMap(({ terms }) => Object.values(terms).flat()) : [...site.terms.all()].map(({ id }) => id);
  const chosen = new Map<number, TermRecord>();
  const choose = (id: number, below: readonly number[]): void => {
    const term = site.terms.get(id);
    if (!term || chosen.has(id) || below.includes(id)) return;
    choose(term.parent, [...below, id]);
    chosen.set(id, term);
  };
  for (const id of [...new Set(wanted)].sort((a, b) => a - b)) choose(id, []);
  return [...chosen.values()];
}
