/**
 * Images, posts, terms and users in the standard format, as front ends of the original read them.
 *
 * Source: reference media-tools-menus-fields C.2; recorded exchanges of fields/v3.
 */
import type { FieldCall } from '../../../kernel/model/field.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { imageSizes, sourceUrl } from '../../media/library/index.ts';
import { type AttachmentRecord, isAttachment, uploadPath } from '../../content/attachments/record.ts';
import { defaultGuid, linkOf } from '../../content/permalinks/record.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import { createTermView } from '../../content/terms/index.ts';
import { rawTerm, type TermRecord } from '../../content/terms/record.ts';
import type { UserRecord } from '../../people/users/record.ts';

type Shown = Readonly<Record<string, unknown>>;

export function urlOfFile(site: Site, post: PostRecord): string {
  return isAttachment(post) ? sourceUrl(site, post) : '';
}

/** `sizes` is flat: URL, width and height of each; a size larger than the image repeats the image. */
export function attachmentObject(call: FieldCall, post: PostRecord): Shown {
  if (!isAttachment(post)) return {};
  const { site } = call;
  const url = sourceUrl(site, post);
  const [type = '', subtype = ''] = post.mime.split('/');
  return {
    ID: post.id,
    id: post.id,
    title: post.title,
    filename: uploadPath(post).replace(/^.*\//, ''),
    filesize: site.media.fileOf(post)?.size ?? 0,
    url,
    link: site.url + linkOf(site, post, false),
    alt: post.alt,
    author: String(post.author),
    description: post.content,
    caption: post.excerpt,
    name: post.slug,
    status: post.status,
    uploaded_to: post.parent,
    date: sqlDate(post.dateGmt),
    modified: sqlDate(post.modifiedGmt),
    menu_order: 0,
    mime_type: post.mime,
    type,
    subtype,
    icon: '',
    ...dimensionsOf(site, post, url),
  };
}

/** A crop, with its source image. */
export function cropObject(call: FieldCall, post: PostRecord): Shown {
  const source = isAttachment(post) ? call.site.posts.get(post.source) : undefined;
  return { ...attachmentObject(call, post), original_image: source ? attachmentObject(call, source) : null };
}

/** Requires `media.prepare`. */
function dimensionsOf(site: Site, media: AttachmentRecord, url: string): Shown {
  const layout = site.media.layout(media);
  if (layout === null) return {};
  const folder = url.slice(0, url.lastIndexOf('/') + 1);
  const { width, height } = layout.full;
  const sizes = imageSizes(site).flatMap(({ name }): [string, unknown][] => {
    const made = layout.sizes.find((one) => one.name === name);
    const shown = made
      ? { url: folder + encodeURIComponent(made.file), width: made.width, height: made.height }
      : { url, width, height };
    return [
      [name, shown.url],
      [`${name}-width`, shown.width],
      [`${name}-height`, shown.height],
    ];
  });
  return { width, height, sizes: Object.fromEntries(sizes) };
}

/** The raw record of a post, without its password; protected parts only for its editors. */
export function postObject(call: FieldCall, post: PostRecord): Shown {
  const { site } = call;
  const isLocked = isProtected(post) && !call.can('edit_post', post);
  return {
    ID: post.id,
    post_author: String(post.author),
    post_date: sqlDate(post.date),
    post_date_gmt: sqlDate(post.dateGmt),
    post_content: isLocked ? '' : post.content,
    post_title: post.title,
    post_excerpt: isLocked ? '' : post.excerpt,
    post_status: post.status,
    comment_status: post.comments,
    ping_status: post.pings,
    post_password: '',
    post_name: post.slug,
    to_ping: '',
    pinged: '',
    post_modified: sqlDate(post.modified),
    post_modified_gmt: sqlDate(post.modifiedGmt),
    post_content_filtered: '',
    post_parent: post.parent,
    guid: post.guid.startsWith('http') ? post.guid : site.url + (post.guid === '' ? defaultGuid(site, post) : post.guid),
    menu_order: post.order,
    post_type: call.request.dialect.wireName(post.type),
    post_mime_type: isAttachment(post) ? post.mime : '',
    comment_count: String(commentsOf(site, post)),
    filter: 'raw',
  };
}

function commentsOf(site: Site, post: PostRecord): number {
  let approved = 0;
  for (const id of site.comments.with('post', post.id)) if (site.comments.get(id)?.status === 'approved') approved++;
  return approved;
}

export function termObject(call: FieldCall, term: TermRecord): Shown {
  const count = createTermView(call.site, (word) => word).count(term);
  return rawTerm(term, { taxonomy: call.request.dialect.wireName(term.taxonomy), parent: term.parent, count });
}

/** The public profile; email addresses only for users who may edit it. */
export function userObject(call: FieldCall, user: UserRecord): Shown {
  return {
    ID: user.id,
    user_firstname: user.firstName,
    user_lastname: user.lastName,
    nickname: user.nickname,
    user_nicename: user.slug,
    display_name: user.name,
    user_email: call.can('edit_user', user.id) ? (user.account?.email ?? '') : '',
    user_url: user.url,
    user_description: user.description,
  };
}

function sqlDate(local: string): string {
  return local.replace('T', ' ');
}
