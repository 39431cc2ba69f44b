/** Feed entries for posts and comments, as visitors see them. */
import { absoluteAddresses } from '../../../render/addresses.ts';
import { decodeEntities, plainText } from '../../../render/text.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createCommentView } from '../../comments/index.ts';
import type { CommentRecord, CommentView } from '../../comments/record.ts';
import { sourceUrl } from '../../media/library/index.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { isPublic, segmentsOf } from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';
import { type PostRecord, type PostView, isProtected } from '../../content/posts/record.ts';
import { changedAt, publicView } from '../sitemaps/index.ts';
import { forms } from './print.ts';
import type { FeedEntry } from './record.ts';

export async function postEntry(site: Site, post: PostRecord): Promise<FeedEntry> {
  const view = publicView(site);
  await view.prepare(post);
  const author = site.users.get(post.author);
  const picture = site.posts.get(post.featuredMedia);
  if (isAttachment(picture)) await site.media.prepare([picture]);
  const taxonomies = [...site.taxonomies.values()].filter((one) => one.public && one.name !== 'post_format');
  const tags = taxonomies.flatMap(({ name }) => view.terms(post, name));
  const url = view.link(post);
  const count = site.comments.count('post', post.id) === 0 ? 0 : commentsOn(site, post);
  return {
    id: view.guid(post),
    url,
    title: plain(view.title(post)),
    summary: plain(view.excerpt(post)),
    content: absoluteAddresses(view.content(post), site.url),
    published: post.dateGmt,
    updated: changedAt(post),
    author: author ? { name: plain(author.name), url: site.url + segmentsOf(site, post) + authorPath(author) } : null,
    tags: tags.flatMap((id) => plain(site.terms.get(id)?.name ?? '')),
    image: isAttachment(picture) && isPublic(site, picture) ? sourceUrl(site, picture) : '',
    ...(count > 0 || post.comments === 'open'
      ? { comments: { count, page: `${url}#comments`, feed: url + forms.rss.suffix } }
      : {}),
  };
}

/** @param isOfOne  whether the feed is that of one post */
export function commentEntry(site: Site, comment: CommentRecord, isOfOne: boolean): FeedEntry {
  const posts = publicView(site);
  const view = commentView(site, posts);
  const post = site.posts.get(comment.post) as PostRecord;
  const name = plain(view.name(comment));
  const content = absoluteAddresses(view.content(comment), site.url);
  const parent = site.comments.get(comment.parent);
  return {
    id: guidOf(posts, post, comment),
    url: view.link(comment),
    title: isOfOne ? `By: ${name}` : `Comment on ${plain(posts.title(post))} by ${name}`,
    summary: plain(content),
    content,
    published: comment.dateGmt,
    updated: comment.dateGmt,
    author: { name, url: plain(view.url(comment)) },
    tags: [],
    image: '',
    answers: parent
      ? { id: guidOf(posts, post, parent), url: view.link(parent) }
      : { id: posts.guid(post), url: posts.link(post) },
  };
}

function guidOf(posts: PostView, post: PostRecord, { id }: CommentRecord): string {
  return `${posts.guid(post)}#comment-${id}`;
}

/** Whether a comment is public: approved, on a public post without a password. */
export function isShown(site: Site, comment: CommentRecord): boolean {
  if (comment.status !== 'approved' || comment.type === 'note') return false;
  const post = site.posts.get(comment.post);
  return post !== undefined && !isProtected(post) && isPublic(site, post);
}

export function commentsOn(site: Site, post: PostRecord): number {
  let count = 0;
  for (const id of site.comments.with('post', post.id)) {
    const comment = site.comments.get(id);
    if (comment && isShown(site, comment)) count++;
  }
  return count;
}

/** Markup as text. */
export function plain(html: string): string {
  return decodeEntities(plainText(html));
}

function commentView(site: Site, posts: PostView): CommentView {
  return createCommentView(site, { postLink: posts.link, word: posts.word });
}
