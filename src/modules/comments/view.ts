/** What getters of comments use: authors, URLs and rendered text, for one request. */
import { websiteOf } from '../../kernel/model/addresses.ts';
import { standardCommentMeta } from './fields.ts';
import type { CommentRecord, CommentView } from './record.ts';
import type { PostRecord } from '../content/posts/record.ts';
import { shownLocal } from '../../kernel/model/dates.ts';
import type { Schema } from '../../kernel/model/schema.ts';
import { escapeName } from '../../kernel/model/escape.ts';
import { avatarUrls, type UserRecord } from '../people/users/record.ts';
import { metaOf } from '../../kernel/model/typed-value.ts';
import { renderMarkdown } from '../../render/markdown.ts';
import { renderComment } from '../../render/markup.ts';
import type { Site } from '../../kernel/site/site.ts';

interface CommentViewOptions {
  /** URL of a post for the request's user. */
  postLink(post: PostRecord): string;
  word(name: string): string;
}

/** Rendered text is cached per record; other dependencies are part of the key. */
const rendered = new WeakMap<CommentRecord, { readonly key: string; readonly html: string }>();

export function createCommentView(site: Site, options: CommentViewOptions): CommentView {
  return {
    name: (comment) => escapeName(authorName(site, comment)),
    url: (comment) => escapeName(authorUrl(site, comment)),
    email: (comment) => authorEmail(site, comment),
    ip: (comment) => site.commenters.get(comment.id)?.ip ?? '',
    agent: (comment) => site.commenters.get(comment.id)?.agent ?? '',
    content: (comment) => contentOf(site, comment),
    link(comment) {
      const post = site.posts.get(comment.post);
      return `${(post ? options.postLink(post) : site.url).replace(/\/$/, '')}/#comment-${comment.id}`;
    },
    status: (comment) => statusOf(site, comment),
    gmt: (date) => shownLocal(date, site.zone),
    avatars: (comment) =>
      avatarUrls(site.users.get(comment.author)?.account?.email ?? site.commenters.get(comment.id)?.email ?? ''),
    meta(comment) {
      const all = metaOf(commentMeta(site), comment.meta) as Record<string, unknown>;
      // A note that is neither resolved nor reopened has null: '' is not a valid value (observed).
      return Object.fromEntries(
        Object.entries(all).map(([name, value]) => [options.word(name), name in standardCommentMeta ? value || null : value]),
      );
    },
  };
}

export function commentMeta(site: Pick<Site, 'meta'>): Readonly<Record<string, Schema>> {
  return { ...standardCommentMeta, ...site.meta.comment };
}

/** Comments on a trashed post are trashed with it, and restored with it. */
function statusOf(site: Pick<Site, 'posts'>, comment: CommentRecord): string {
  return site.posts.get(comment.post)?.status === 'trash' ? 'post-trashed' : comment.status;
}

/** Plain text. */
export function authorName(site: Pick<Site, 'users'>, comment: CommentRecord): string {
  return comment.name ?? site.users.get(comment.author)?.name ?? '';
}

export function authorUrl(site: Pick<Site, 'users' | 'url'>, comment: CommentRecord): string {
  if (comment.url !== null || comment.name !== null) return comment.url ?? '';
  const user = site.users.get(comment.author);
  return user ? urlOfUser(site, user) : '';
}

/** The given email address, else that of the user's account, for comments from files. */
export function authorEmail(site: Pick<Site, 'users' | 'commenters'>, comment: CommentRecord): string {
  return site.commenters.get(comment.id)?.email ?? site.users.get(comment.author)?.account?.email ?? '';
}

export function urlOfUser(site: Pick<Site, 'url'>, { url }: UserRecord): string {
  return websiteOf(site, url);
}

function contentOf(site: Site, comment: CommentRecord): string {
  const options = {
    smilies: site.settings.value('smilies') === true,
    typography: site.settings.value('typography') === true,
    filtered: site.operator.filter_content,
    postId: comment.post,
    language: String(site.settings.value('language')),
  };
  const key = `${options.smilies}${options.typography}${options.filtered}${options.language}${site.url}`;
  const known = rendered.get(comment);
  if (known?.key === key) return known.html;
  const html = comment.path.endsWith('.md')
    ? renderMarkdown(comment.content, { ...options, anchor: `c${comment.id}` })
    : renderComment(comment.content, options, site.url);
  rendered.set(comment, { key, html });
  return html;
}
