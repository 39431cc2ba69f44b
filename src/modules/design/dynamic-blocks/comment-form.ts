/**
 * The comment form within a text, sent to the theme's form handler; a signed-in user without a form token has to confirm.
 *
 * Source: behaviour of the reference (7.1).
 */
import { original } from '../../../kernel/rest/dialect.ts';
import { wrapperAttributes } from '../../../render/block-wrapper.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { escapeHtml, href, textClasses } from './markup.ts';
import type { BlockSite } from './view.ts';

/** Form target below the site. */
const action = original.login.replace('login', 'comments-post');
const replyParam = 'replytocom';
const star = '<span class="required">*</span>';

export function commentForm(live: LiveBlock, site: BlockSite, post: PostRecord): string {
  if (!site.takesComments(post) || site.isLocked(post)) return '';
  const answered = answeredOf(site, post);
  const box = wrapperAttributes(live, { class: ['comment-respond', ...textClasses(live)].join(' ') });
  const mayWrite = site.reader !== null || site.setting('anonymous_comments') === true;
  const inner = mayWrite ? form(site, post, answered?.id ?? 0) : `<p class="must-log-in">${mustSignIn(site, post)}</p>`;
  return `\t<div id="respond" ${box}>\n\t\t${title(site, answered)}${inner}\t</div><!-- #respond -->\n\t`;
}

/** The comment to reply to, from the URL. */
function answeredOf(site: BlockSite, post: PostRecord) {
  const comment = site.comment(Number(site.address.text(replyParam)) || 0);
  return comment?.post === post.id ? comment : undefined;
}

function title(site: BlockSite, answered: ReturnType<typeof answeredOf>): string {
  const address = `${href(site.address.with(replyParam, null))}#respond`;
  const hidden = answered ? '' : ' style="display:none;"';
  const cancel = `<small><a rel="nofollow" id="cancel-comment-reply-link" href="${address}"${hidden}>Cancel reply</a></small>`;
  const to = answered ? ` to <a href="#comment-${answered.id}">${site.shownComment.name(answered)}</a>` : '';
  return `<h3 id="reply-title" class="comment-reply-title">Leave a Reply${to} ${cancel}</h3>`;
}

function form(site: BlockSite, post: PostRecord, answered: number): string {
  const required = `<span class="required-field-message">Required fields are marked ${star}</span>`;
  const comment = `<p class="comment-form-comment"><label for="comment">Comment ${star}</label> <textarea id="comment" name="comment" cols="45" rows="8" maxlength="65525" required></textarea></p>`;
  const parts = site.reader
    ? [signedIn(site, post, required), comment]
    : [
        `<p class="comment-notes"><span id="email-notes">Your email address will not be published.</span> ${required}</p>`,
        comment,
        `${visitorFields.join('\n')}\n`,
      ];
  const hidden = `<input type='hidden' name='comment_post_ID' value='${post.id}' id='comment_post_ID' />\n<input type='hidden' name='comment_parent' id='comment_parent' value='${answered}' />\n`;
  const send = `<p class="form-submit wp-block-button"><input name="submit" type="submit" id="submit" class="wp-block-button__link wp-element-button" value="Post Comment" /> ${hidden}</p>`;
  return `<form action="${escapeHtml(`${site.home}/${action}`)}" method="post" id="commentform" class="comment-form">${parts.join('')}${send}</form>`;
}

const visitorFields = [
  `<p class="comment-form-author"><label for="author">Name ${star}</label> <input id="author" name="author" type="text" value="" size="30" maxlength="245" autocomplete="name" required /></p>`,
  `<p class="comment-form-email"><label for="email">Email ${star}</label> <input id="email" name="email" type="email" value="" size="30" maxlength="100" aria-describedby="email-notes" autocomplete="email" required /></p>`,
  '<p class="comment-form-url"><label for="url">Website</label> <input id="url" name="url" type="url" value="" size="30" maxlength="200" autocomplete="url" /></p>',
  '<p class="comment-form-cookies-consent"><input id="wp-comment-cookies-consent" name="wp-comment-cookies-consent" type="checkbox" value="yes" /> <label for="wp-comment-cookies-consent">Save my name, email, and website in this browser for the next time I comment.</label></p>',
];

function signedIn(site: BlockSite, post: PostRecord, required: string): string {
  const name = escapeHtml(site.author(site.reader?.id ?? 0)?.name ?? '');
  const profile = escapeHtml(`${site.home}/${original.admin}/profile.php`);
  const leave = signInAddress(site, { action: 'logout', redirect_to: site.link(post) });
  return `<p class="logged-in-as">Logged in as ${name}. <a href="${profile}">Edit your profile</a>. <a href="${leave}">Log out?</a> ${required}</p>`;
}

function mustSignIn(site: BlockSite, post: PostRecord): string {
  return `You must be <a href="${signInAddress(site, { redirect_to: site.link(post) })}">logged in</a> to post a comment.`;
}

/** The sign-in page, a reserved path. */
export function signInAddress(site: BlockSite, query: Readonly<Record<string, string>>): string {
  const asked = new URLSearchParams(query).toString();
  return escapeHtml(`${site.home}/${original.login}${asked && `?${asked}`}`);
}
