/** Comment blocks: those of the current post, and the latest of all. */
import { paragraphs } from '../../../render/paragraphs.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import type { CommentRecord } from '../../comments/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import {
  type DynamicRenderer,
  escapeHtml,
  grouped,
  headingTag,
  href,
  ofPost,
  part,
  type Renderers,
  textClasses,
  wholeNumber,
  word,
  wrap,
} from './markup.ts';
import { commentForm } from './comment-form.ts';
import { type BlockSite, trimWords } from './view.ts';

export const commentBlocks: Renderers = {
  'core/comments': ofPost((live, site, post) => {
    const isShown = post.comments === 'open' || site.comments(post.id).length > 0;
    if (!isShown) return '';
    // Legacy markup.
    return live.attributes.legacy === true
      ? wrap('div', live, '', [part('post-comments'), ...textClasses(live)])
      : live.content();
  }),
  'core/comments-title': title,
  'core/comment-template': ofPost(template),
  'core/comment-author-name': ofComment((live, site, comment) => {
    const { isLink, linkTarget } = live.attributes;
    const [name, url] = [site.shownComment.name(comment), site.shownComment.url(comment)];
    const target = word(linkTarget);
    const isLinked = url !== '' && isLink && target !== '';
    const link = `<a rel="external nofollow ugc" href="${href(url)}" target="${escapeHtml(target)}" >${name}</a>`;
    return wrap('div', live, isLinked ? link : name, textClasses(live));
  }),
  'core/comment-content': ofComment((live, site, comment) => {
    const html = site.shownComment.content(comment);
    return html.trim() === '' ? '' : wrap('div', live, html, textClasses(live));
  }),
  'core/comment-date': ofComment((live, site, comment) => {
    const shown = escapeHtml(site.formatted(word(live.attributes.format), comment.date));
    const text = live.attributes.isLink ? `<a href="${escapeHtml(site.shownComment.link(comment))}">${shown}</a>` : shown;
    return wrap('div', live, `<time datetime="${site.formatted('c', comment.date)}">${text}</time>`, textClasses(live));
  }),
  'core/comment-reply-link': ofComment(replyLink),
  // Comments are edited over the API only.
  'core/comment-edit-link': () => '',
  'core/comments-pagination': (live) => {
    const content = live.content();
    return content.trim() === '' ? '' : wrap('div', live, content, textClasses(live));
  },
  // All comments are on one page.
  'core/comments-pagination-next': () => '',
  'core/comments-pagination-previous': () => '',
  'core/comments-pagination-numbers': () => '',
  'core/post-comments-count': ofPost((live, site, post) =>
    wrap('div', live, grouped(site.comments(post.id).length), textClasses(live)),
  ),
  'core/post-comments-link': ofPost((live, site, post) => {
    if (post.comments !== 'open') return '';
    const count = site.comments(post.id).length;
    const on = `<span class="screen-reader-text"> on ${site.title(post)}</span>`;
    const text = `${count === 0 ? 'No comments' : `${grouped(count)} ${count === 1 ? 'comment' : 'comments'}`}${on}`;
    const address = escapeHtml(`${site.link(post)}#${count === 0 ? 'respond' : 'comments'}`);
    return wrap('div', live, `<a href=${address}>${text}</a>`, textClasses(live));
  }),
  // A legacy block, rendered by themes.
  'core/post-comments': ofPost((live) =>
    wrap('div', live, '', textClasses({ ...live, attributes: { textAlign: live.attributes.textAlign } })),
  ),
  'core/post-comments-form': ofPost(commentForm),
  'core/latest-comments': latestComments,
};

/** For blocks that depend on a comment. */
function ofComment(render: (live: LiveBlock, site: BlockSite, comment: CommentRecord) => string): DynamicRenderer {
  return (live, site) => {
    const comment = site.comment(live.context.commentId);
    return comment ? render(live, site, comment) : '';
  };
}

/** A post without comments has no comments title; outside of posts there is one (observed). */
function title(live: LiveBlock, site: BlockSite): string {
  const { showPostTitle, showCommentsCount, level } = live.attributes;
  const post = site.post(live.context.postId);
  if (!post && live.context.postId !== undefined) return '';
  const count = post ? site.comments(post.id).length : 0;
  if (post && (count === 0 || site.isLocked(post))) return '';
  const name = `&#8220;${post ? site.title(post) : ''}&#8221;`;
  const responses = count === 1 ? 'response' : 'responses';
  const number = count === 1 ? 'One' : grouped(count);
  const plain = count === 1 ? 'Response' : 'Responses';
  const begin = showCommentsCount ? `${number} ${responses}` : plain;
  const tag = headingTag(level, 'h2');
  const classes = word(live.attributes.textAlign) ? [`has-text-align-${word(live.attributes.textAlign)}`] : [];
  const html = wrap(tag, live, showPostTitle ? `${begin} to ${name}` : begin, classes);
  return html.replace(`<${tag} `, `<${tag} id="comments" `);
}

/** Maximum nesting of replies. */
const deepest = 5;

/** Renders the template for each comment, replies nested. */
function template(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  if (site.isLocked(post)) return '';
  const all = site.comments(post.id);
  // Replies to hidden comments are hidden.
  const answers = (parent: number): readonly CommentRecord[] => all.filter((one) => one.parent === parent && one.id !== parent);
  let [shown, threads] = [0, 0];
  const list = (comments: readonly CommentRecord[], depth: number): string =>
    site.each(comments, (one) => item(one, depth)).join('');
  const item = (comment: CommentRecord, depth: number): string => {
    const content = live.content({ commentId: comment.id });
    const user = comment.author > 0 ? site.author(comment.author) : undefined;
    const isOdd = ++shown % 2 === 0;
    const thread = depth === 1 ? (++threads % 2 === 0 ? ['thread-odd', 'thread-alt'] : ['thread-even']) : [];
    const classes = [
      comment.type,
      ...(user ? ['byuser', `comment-author-${user.slug}`] : []),
      ...(user && user.id === post.author ? ['bypostauthor'] : []),
      ...(isOdd ? ['odd', 'alt'] : ['even']),
      ...thread,
      `depth-${depth}`,
    ];
    const inner = answers(comment.id);
    const isNested = depth < deepest;
    const below = inner.length === 0 ? '' : isNested ? `<ol>${list(inner, depth + 1)}</ol>` : list(inner, depth);
    return `<li id="comment-${comment.id}" class="${escapeHtml(classes.join(' '))}">${content}${below}</li>`;
  };
  const first = answers(0);
  return first.length === 0 ? '' : wrap('ol', live, list(first, 1));
}

function replyLink(live: LiveBlock, site: BlockSite, comment: CommentRecord): string {
  const post = site.post(comment.post);
  if (post?.comments !== 'open') return '';
  const link = site.link(post);
  const address = escapeHtml(`${link}${link.includes('?') ? '&' : '?'}replytocom=${comment.id}#respond`);
  const told = `Reply to ${site.shownComment.name(comment)}`;
  const data = `data-commentid="${comment.id}" data-postid="${post.id}" data-belowelement="comment-${comment.id}" data-respondelement="respond" data-replyto="${told}" aria-label="${told}"`;
  return wrap('div', live, `<a rel="nofollow" class="comment-reply-link" href="${address}" ${data}>Reply</a>`, textClasses(live));
}

function latestComments(live: LiveBlock, site: BlockSite): string {
  const { attributes } = live;
  const latest = site
    .comments()
    .toReversed()
    .slice(0, wholeNumber(attributes.commentsToShow, 5, 1, 100));
  const shows = attributes.displayExcerpt === false ? 'none' : word(attributes.displayContent);
  const classes = [
    ...(attributes.displayAvatar ? ['has-avatars'] : []),
    ...(attributes.displayDate ? ['has-dates'] : []),
    ...(shows === 'excerpt' || shows === 'full' ? ['has-excerpts'] : []),
    ...(latest.length === 0 ? ['no-comments'] : []),
  ];
  if (latest.length === 0) return wrap('div', live, 'No comments to show.', classes);
  const items = site.each(latest, (comment) => latestComment(live, site, comment, shows));
  return wrap('ol', live, items.join(''), classes);
}

function latestComment({ attributes }: LiveBlock, site: BlockSite, comment: CommentRecord, shows: string): string {
  const name = (of: string): string => part(`latest-comments__comment-${of}`);
  const user = comment.author > 0 ? site.author(comment.author) : undefined;
  const url = site.shownComment.url(comment) || (user ? site.authorLink(user) : '');
  const author = site.shownComment.name(comment);
  const post = site.post(comment.post);
  const size = 48;
  const avatar = attributes.displayAvatar ? site.avatar(site.shownComment.email(comment), size, '', name('avatar')) : '';
  const writer =
    url === ''
      ? `<span class="${name('author')}">${author}</span>`
      : `<a class="${name('author')}" href="${href(url)}">${author}</a>`;
  const heading = (post && site.title(post)) || '(no title)';
  const link = `<a class="${name('link')}" href="${escapeHtml(site.shownComment.link(comment))}">${heading}</a>`;
  const date = attributes.displayDate
    ? `<time datetime="${site.formatted('c', comment.date)}" class="${name('date')}">${escapeHtml(site.formatted('', comment.date))}</time>`
    : '';
  const meta = `<footer class="${name('meta')}">${writer} on ${link}${date}</footer>`;
  const html = site.shownComment.content(comment);
  const text = shows === 'full' ? html : shows === 'excerpt' ? paragraphs(trimWords(html, 20)) : '';
  const said = text === '' ? '' : `<div class="${name('excerpt')}">${text}</div>`;
  return `<li class="${part('latest-comments__comment')}">${avatar}<article>${meta}${said}</article></li>`;
}
