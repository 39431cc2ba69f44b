/** User blocks: authors, and avatars. */
import { border } from '../../../render/block-styles.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { escapeHtml, href, ofPost, part, type Renderers, rich, textClasses, wholeNumber, word, wrap } from './markup.ts';
import type { BlockSite } from './view.ts';

export const peopleBlocks: Renderers = {
  'core/avatar': avatar,
  'core/post-author': ofPost(author),
  'core/post-author-name': ofPost((live, site, post) => {
    const user = site.author(post.author);
    const { isLink, linkTarget } = live.attributes;
    const name = escapeHtml(user?.name ?? '');
    const attributes = (link: string): string =>
      `href="${escapeHtml(link)}" target="${escapeHtml(word(linkTarget))}" class="${part('post-author-name__link')}"`;
    const shown = user && isLink ? `<a ${attributes(site.authorLink(user))}>${name}</a>` : name;
    return user ? wrap('div', live, shown, textClasses(live)) : '';
  }),
  'core/post-author-biography': ofPost((live, site, post) => {
    const said = rich(site.author(post.author)?.description ?? '');
    return said === '' ? '' : wrap('div', live, said, textClasses(live));
  }),
};

function author(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  const { attributes } = live;
  const user = site.author(post.author);
  if (!user) return '';
  const size = wholeNumber(attributes.avatarSize, 0, 0, 2048);
  const picture = size > 0 ? site.avatar(site.emailOf(user), size, '') : '';
  const name = escapeHtml(user.name);
  const target = word(attributes.linkTarget);
  const shown =
    attributes.isLink && target
      ? `<a href="${escapeHtml(site.authorLink(user))}" target="${escapeHtml(target)}">${name}</a>`
      : name;
  const inner = [
    attributes.showAvatar ? `<div class="${part('post-author__avatar')}">${picture}</div>` : '',
    `<div class="${part('post-author__content')}">`,
    word(attributes.byline) ? `<p class="${part('post-author__byline')}">${rich(attributes.byline)}</p>` : '',
    `<p class="${part('post-author__name')}">${shown}</p>`,
    attributes.showBio ? `<p class="${part('post-author__bio')}">${rich(user.description)}</p>` : '',
    '</div>',
  ];
  return wrap('div', live, inner.join(''), textClasses(live));
}

/** The avatar of the comment's author, else of a user, else of the post's author. */
function avatar(live: LiveBlock, site: BlockSite): string {
  const { attributes, context } = live;
  const size = wholeNumber(attributes.size, 96, 1, 2048);
  const looks = border(attributes, undefined, ['color', 'style', 'width']);
  const classes = [part('avatar__image'), ...looks.classes].join(' ');
  const shown = (email: string, name: string): string => site.avatar(email, size, `${name} Avatar`, classes, looks.css);
  const linked = (to: string, told: string, image: string): string => {
    const target = word(attributes.linkTarget);
    const label = target === '_blank' ? `aria-label="${escapeHtml(told)}"` : '';
    return `<a href="${href(to)}" target="${escapeHtml(target)}" ${label} class="${part('avatar__link')}">${image}</a>`;
  };
  if (context.commentId !== undefined) {
    const comment = site.comment(context.commentId);
    if (!comment) return '';
    const [name, url] = [site.shownComment.name(comment), site.shownComment.url(comment)];
    const image = shown(site.shownComment.email(comment), name);
    const told = `(${name} website link, opens in a new tab)`;
    return wrap('div', live, attributes.isLink && url !== '' ? linked(url, told, image) : image);
  }
  const { userId } = attributes;
  const user = typeof userId === 'number' ? site.shownUser(userId) : site.author(site.post(context.postId)?.author ?? 0);
  if (!user) return attributes.userId === undefined ? '' : wrap('div', live, shown('', ''));
  const image = shown(site.emailOf(user), user.name);
  const told = `(${user.name} author archive, opens in a new tab)`;
  return wrap('div', live, attributes.isLink ? linked(site.authorLink(user), told, image) : image);
}
