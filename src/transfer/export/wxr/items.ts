/**
 * Items of a WXR document: posts of every type with their comments, attachments, links of menus. What is a field here and a
 * meta row or a term there is turned back by the same names the importer reads (`transfer/sources/wxr/names.ts`).
 */
import { isPathAlias } from '../../../modules/content/permalinks/aliases.ts';
import { isAttachment, uploadPath } from '../../../modules/content/attachments/record.ts';
import { uploadsRoot } from '../../../kernel/store/paths.ts';
import type { CommentRecord } from '../../../modules/comments/record.ts';
import type { MenuItemRecord } from '../../../modules/menus/record.ts';
import { withoutHeading } from '../../../modules/content/front-matter/headings.ts';
import { isTitledByText, type PostRecord } from '../../../modules/content/posts/record.ts';
import { authorEmail, authorName, authorUrl } from '../../../modules/comments/view.ts';
import { themeOf } from '../../../modules/design/themes/themes.ts';
import { isElsewhere, uploadUrl } from '../../../modules/media/library/view.ts';
import { targetId } from '../../../modules/menus/view.ts';
import { defaultGuid, linkOf } from '../../../modules/content/permalinks/record.ts';
import { absolute } from '../../../modules/content/posts/view.ts';
import { absoluteUploads } from '../../../render/addresses.ts';
import { renderMarkdown } from '../../../render/markdown.ts';
import type { Site } from '../../../kernel/site/site.ts';
import {
  approvals,
  areaTaxonomy,
  formatPrefix,
  menuKeys,
  metaKeys,
  stylesPrefix,
  themed,
  themeTaxonomy,
  zeroDate,
} from '../../sources/wxr/names.ts';
import { printPhp } from '../../sources/wxr/php-values.ts';
import { original } from '../../../kernel/rest/dialect.ts';
import type { Xml } from '../../../render/xml.ts';
import { addedMeta, element, loginOf, printMeta, printMetaRow, rfcDate, slugInExport } from './channel.ts';
import type { Omissions } from '../omissions.ts';
import { fileUrl, withSearchRows } from './search-rows.ts';

interface ItemOptions {
  /** Email addresses and the like of those who commented. */
  readonly isPrivate: boolean;
  /** `html`: Markdown goes out as the HTML it means; `source`: as it is written. */
  readonly markdown: 'html' | 'source';
}

type Rows = readonly (readonly [key: string, value: string])[];

/** One `<item>`. */
export function printItem(site: Site, xml: Xml, post: PostRecord, options: ItemOptions, omissions: Omissions): string {
  const author = site.users.get(post.author);
  const link = site.url + linkOf(site, post, true);
  const isLink = post.type === 'nav_menu_item';
  const head = [
    xml.element('title', xml.cdata(post.title)),
    xml.element('link', xml.text(link)),
    ...(post.dateGmt === '' || post.floating ? [] : [xml.element('pubDate', rfcDate(post.dateGmt))]),
    xml.element('dc:creator', xml.cdata(author ? loginOf(author) : '')),
    xml.element('guid', xml.text(guidOf(site, post)), { isPermaLink: 'false' }),
    xml.element('description', ''),
    xml.element('content:encoded', xml.cdata(bodyOf(site, post, options, omissions))),
    xml.element('excerpt:encoded', xml.cdata(post.excerpt)),
  ];
  const rows = [
    ['wp:post_id', post.id],
    ['wp:post_date', dateOf(post.floating ? post.modified : post.date)],
    ['wp:post_date_gmt', post.floating ? zeroDate : dateOf(post.dateGmt)],
    ['wp:post_modified', dateOf(post.modified)],
    ['wp:post_modified_gmt', dateOf(post.modifiedGmt)],
    ['wp:comment_status', post.comments],
    ['wp:ping_status', post.pings],
    ['wp:post_name', post.type === 'cms_global_styles' ? stylesPrefix + post.slug : post.slug],
    ['wp:status', post.status],
    ['wp:post_parent', isLink ? 0 : post.parent],
    ['wp:menu_order', post.order],
    ['wp:post_type', original.wireName(post.type)],
    ['wp:post_password', post.password],
    ['wp:is_sticky', post.sticky ? 1 : 0],
    ...(isAttachment(post) ? [['wp:attachment_url', fileUrl(site, post)] as const] : []),
  ] as const;
  const printed = rows.map(([name, value]) => xml.element(name, typeof value === 'number' ? String(value) : xml.cdata(value)));
  const isThemed = themed.has(post.type);
  const { theme: _theme, area: _area, ...customMeta } = post.meta;
  const names = site.types.get(post.type)?.extensionNames ?? [post.type];
  const added = withSearchRows(site, post, addedMeta(site, post, ...names));
  const meta = [
    ...fieldMeta(site, post, omissions).map(([key, value]) => printMetaRow(xml, 'wp:postmeta', key, value)),
    ...printMeta(xml, 'wp:postmeta', { ...added, ...(isThemed ? customMeta : post.meta) }, omissions),
  ];
  const body = [...head, ...printed, ...termsOf(site, post).map((term) => printTermOf(xml, term)), ...meta];
  const comments = commentsOf(site, post).map((comment) => printComment(site, xml, comment, options, omissions));
  return `\t<item>\n${body.map((row) => `\t\t${row}\n`).join('')}${comments.join('')}\t</item>\n`;
}

function guidOf(site: Site, post: PostRecord): string {
  if (post.guid === '' && isAttachment(post)) return uploadUrl(site, uploadPath(post));
  return absolute(site, post.guid === '' ? defaultGuid(site, post) : post.guid);
}

function bodyOf(site: Site, post: PostRecord, { markdown }: ItemOptions, omissions: Omissions): string {
  const text = isTitledByText(post) ? withoutHeading(post.content, post.title) : post.content;
  const content = leadElsewhere(site, text);
  if (post.kind !== 'md' || themed.has(post.type)) return absoluteUploads(content, site.url);
  if (markdown === 'source') {
    omissions.add('Markdown', 'exported as source, which the importing system has to support');
    return content;
  }
  omissions.add('Markdown', 'exported as HTML');
  return asMarkup(site, content, `${post.id}`);
}

/** A Markdown text as the importing system takes it: it would show every line of a paragraph on one of its own. */
function asMarkup(site: Site, content: string, anchor: string): string {
  return renderMarkdown(content, {
    typography: false,
    home: site.url,
    joinsLines: true,
    anchor,
    language: String(site.settings.value('language')),
  });
}

/** Media that are still to be fetched are where they came from. */
function leadElsewhere(site: Site, content: string): string {
  if (!content.includes(`${uploadsRoot}/`)) return content;
  return content.replace(localMedia, (whole, path: string) => {
    const media = site.posts.get(site.refs.postId('attachment', path));
    return isAttachment(media) && isElsewhere(site, media) ? media.fetch : whole;
  });
}

const localMedia = new RegExp(`(?<=^|["'(\\s=,])${uploadsRoot}/([^\\s"'()<>\\\\?#]+)`, 'g');

/** What is a field here and a meta row there. */
function fieldMeta(site: Site, post: PostRecord, omissions: Omissions): Rows {
  const rows: [string, string][] = [];
  const { featured, template, oldSlug, file, alt, trashStatus, trashTime, trashSlug } = metaKeys;
  if (post.type === 'nav_menu_item') return linkMeta(site, post as MenuItemRecord);
  if (post.featuredMedia > 0) rows.push([featured, String(post.featuredMedia)]);
  if (post.template !== '') rows.push([template, post.template]);
  for (const alias of post.aliases) if (!isPathAlias(alias)) rows.push([oldSlug, alias]);
  if (post.aliases.some(isPathAlias)) omissions.add('former URLs that are whole paths', 'WXR contains only former slugs');
  if (isAttachment(post)) {
    rows.push([file, uploadPath(post)]);
    if (post.alt !== '') rows.push([alt, post.alt]);
    if (post.source > 0) omissions.add('originals of edited images', 'WXR does not record them');
  }
  if (post.status === 'trash' && post.trashed) {
    const { status, slug } = post.trashed;
    rows.push(
      [trashStatus, status],
      [trashTime, String(Math.floor(Date.parse(`${post.modifiedGmt}Z`) / 1000))],
      [trashSlug, slug],
    );
  }
  return rows;
}

function linkMeta(site: Site, link: MenuItemRecord): Rows {
  const objectId = targetId(site, link);
  return [
    [menuKeys.type, link.itemType],
    [menuKeys.parent, String(link.parent)],
    [menuKeys.objectId, String(objectId)],
    [menuKeys.object, original.wireName(link.object)],
    [menuKeys.target, link.window],
    [menuKeys.classes, printPhp(link.classes.length === 0 ? [''] : link.classes)],
    [menuKeys.xfn, link.xfn.join(' ')],
    [menuKeys.url, link.itemType === 'custom' ? link.url : ''],
  ];
}

interface TermOf {
  readonly domain: string;
  readonly slug: string;
  /** As markup. */
  readonly name: string;
}

function termsOf(site: Site, post: PostRecord): readonly TermOf[] {
  const terms = Object.entries(post.terms).flatMap(([taxonomy, ids]) =>
    ids.flatMap((id): TermOf[] => {
      const term = site.terms.get(id);
      return term ? [{ domain: original.wireName(taxonomy), slug: slugInExport(term), name: term.name }] : [];
    }),
  );
  const made: TermOf[] = [];
  const add = (domain: string, slug: string): void => void made.push({ domain, slug, name: slug });
  if (post.format !== 'standard' && post.type === 'post') add('post_format', formatPrefix + post.format);
  if (themed.has(post.type)) add(themeTaxonomy, String(post.meta.theme ?? themeOf(site).stylesheet));
  if (typeof post.meta.area === 'string' && post.type === 'cms_template_part') add(areaTaxonomy, post.meta.area);
  return [...terms, ...made];
}

function printTermOf(xml: Xml, { domain, slug, name }: TermOf): string {
  return xml.element('category', xml.cdata(name), { domain, nicename: slug });
}

function commentsOf(site: Site, post: PostRecord): readonly CommentRecord[] {
  return [...site.comments.with('post', post.id)].sort((a, b) => a - b).flatMap((id) => site.comments.get(id) ?? []);
}

function printComment(site: Site, xml: Xml, comment: CommentRecord, { isPrivate }: ItemOptions, omissions: Omissions): string {
  const commenter = site.commenters.get(comment.id);
  if (!isPrivate && commenter) omissions.add('email and IP addresses of comments', 'only --private includes them');
  const isMarkdown = comment.path.endsWith('.md');
  if (isMarkdown) omissions.add('Markdown', 'exported as HTML');
  const rows = [
    ['wp:comment_id', comment.id],
    ['wp:comment_author', authorName(site, comment)],
    ['wp:comment_author_email', isPrivate ? authorEmail(site, comment) : ''],
    ['wp:comment_author_url', authorUrl(site, comment)],
    ['wp:comment_author_IP', isPrivate ? (commenter?.ip ?? '') : ''],
    ['wp:comment_agent', isPrivate ? (commenter?.agent ?? '') : ''],
    ['wp:comment_date', dateOf(comment.date)],
    ['wp:comment_date_gmt', dateOf(comment.dateGmt)],
    ['wp:comment_content', isMarkdown ? asMarkup(site, comment.content, `c${comment.id}`) : comment.content],
    ['wp:comment_approved', approvals[comment.status]],
    ['wp:comment_type', comment.type],
    ['wp:comment_parent', comment.parent],
    ['wp:comment_user_id', comment.author],
  ] as const;
  const was = comment.was === null ? [] : [printMetaRow(xml, 'wp:commentmeta', metaKeys.trashStatus, approvals[comment.was])];
  const meta = { ...addedMeta(site, comment, 'comment'), ...comment.meta };
  return element(xml, 'wp:comment', rows, [...was, ...printMeta(xml, 'wp:commentmeta', meta, omissions)], '\t\t');
}

function dateOf(date: string): string {
  return date === '' ? zeroDate : date.replace('T', ' ');
}
