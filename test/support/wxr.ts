/**
 * WXR files as the systems that export them write them: indented by tabs, texts in CDATA, one `wp:postmeta` a row, sections of
 * two kinds of line ends mixed by their users. Parts are texts, so that a test can break them.
 */

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

export interface WxrHead {
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  readonly language?: string;
}

/** The file from its declaration to before the first author. */
export function wxrHead({
  version = '1.2',
  title = 'Harbour',
  description = 'Notes',
  url = 'https://old.example',
  language = 'en-US',
}: WxrHead = {}): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a file generated as an export of a site. -->
<!-- generator="Example/6.9" created="2026-03-05 10:00" -->
<rss version="2.0"
\txmlns:excerpt="http://wordpress.org/export/${version}/excerpt/"
\txmlns:content="http://purl.org/rss/1.0/modules/content/"
\txmlns:wfw="http://wellformedweb.org/CommentAPI/"
\txmlns:dc="http://purl.org/dc/elements/1.1/"
\txmlns:wp="http://wordpress.org/export/${version}/"
>

<channel>
\t<title>${escaped(title)}</title>
\t<link>${url}</link>
\t<description>${escaped(description)}</description>
\t<pubDate>Thu, 05 Mar 2026 10:00:00 +0000</pubDate>
\t<language>${language}</language>
\t<wp:wxr_version>${version}</wp:wxr_version>
\t<wp:base_site_url>${url}</wp:base_site_url>
\t<wp:base_blog_url>${url}</wp:base_blog_url>
`;
}

export const wxrFoot = '</channel>\n</rss>\n';

export function wxrAuthor(
  id: number,
  login: string,
  rest: Partial<Record<'email' | 'display_name' | 'first_name' | 'last_name', string>> = {},
): string {
  const { email = `${login}@old.example`, display_name = login, first_name = '', last_name = '' } = rest;
  return `\t<wp:author><wp:author_id>${id}</wp:author_id><wp:author_login>${cdata(login)}</wp:author_login><wp:author_email>${cdata(email)}</wp:author_email><wp:author_display_name>${cdata(display_name)}</wp:author_display_name><wp:author_first_name>${cdata(first_name)}</wp:author_first_name><wp:author_last_name>${cdata(last_name)}</wp:author_last_name></wp:author>\n`;
}

export interface WxrTerm {
  readonly id: number;
  readonly slug: string;
  readonly name?: string;
  readonly parent?: string;
  readonly description?: string;
  readonly meta?: readonly (readonly [string, string])[];
}

export function wxrCategory({ id, slug, name = slug, parent = '', description, meta = [] }: WxrTerm): string {
  const text = description === undefined ? '' : `\n\t\t<wp:category_description>${cdata(description)}</wp:category_description>`;
  return `\t<wp:category>\n\t\t<wp:term_id>${id}</wp:term_id>\n\t\t<wp:category_nicename>${cdata(slug)}</wp:category_nicename>\n\t\t<wp:category_parent>${cdata(parent)}</wp:category_parent>\n\t\t<wp:cat_name>${cdata(name)}</wp:cat_name>${text}\n${metaRows('termmeta', meta)}\t</wp:category>\n`;
}

export function wxrTag({ id, slug, name = slug }: WxrTerm): string {
  return `\t<wp:tag>\n\t\t<wp:term_id>${id}</wp:term_id>\n\t\t<wp:tag_slug>${cdata(slug)}</wp:tag_slug>\n\t\t<wp:tag_name>${cdata(name)}</wp:tag_name>\n\t</wp:tag>\n`;
}

export function wxrTerm(taxonomy: string, { id, slug, name = slug, parent = '', description, meta = [] }: WxrTerm): string {
  const text = description === undefined ? '' : `\t\t<wp:term_description>${cdata(description)}</wp:term_description>\n`;
  return `\t<wp:term>\n\t\t<wp:term_id>${id}</wp:term_id>\n\t\t<wp:term_taxonomy>${cdata(taxonomy)}</wp:term_taxonomy>\n\t\t<wp:term_slug>${cdata(slug)}</wp:term_slug>\n\t\t<wp:term_parent>${cdata(parent)}</wp:term_parent>\n\t\t<wp:term_name>${cdata(name)}</wp:term_name>\n${text}${metaRows('termmeta', meta)}\t</wp:term>\n`;
}

export interface WxrItem {
  readonly id: number;
  readonly type?: string;
  readonly title?: string;
  readonly slug?: string;
  readonly content?: string;
  readonly excerpt?: string;
  readonly status?: string;
  readonly date?: string;
  readonly dateGmt?: string;
  readonly modified?: string;
  readonly modifiedGmt?: string;
  readonly creator?: string;
  readonly link?: string;
  readonly guid?: string;
  readonly parent?: number;
  readonly order?: number;
  readonly sticky?: boolean;
  readonly password?: string;
  readonly comments?: string;
  readonly pings?: string;
  readonly attachmentUrl?: string;
  /** Taxonomy, slug, name. */
  readonly terms?: readonly (readonly [string, string, string?])[];
  readonly meta?: readonly (readonly [string, string])[];
  /** Markup of comments, as `wxrComment` makes it. */
  readonly after?: string;
}

export function wxrItem(item: WxrItem): string {
  const {
    id,
    type = 'post',
    title = `Item ${id}`,
    slug = `item-${id}`,
    content = '',
    excerpt = '',
    status = 'publish',
    creator = 'anna',
  } = item;
  const { date = '2026-03-05 11:00:00', dateGmt = '2026-03-05 10:00:00', modified = date, modifiedGmt = dateGmt } = item;
  const {
    link = `https://old.example/${slug}/`,
    guid = `https://old.example/?p=${id}`,
    parent = 0,
    order = 0,
    sticky = false,
    password = '',
  } = item;
  const { comments = 'open', pings = 'open', attachmentUrl, terms = [], meta = [], after = '' } = item;
  const categories = terms
    .map(
      ([domain, nicename, name = nicename]) =>
        `\t\t<category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>\n`,
    )
    .join('');
  return `\t<item>
\t\t<title>${cdata(title)}</title>
\t\t<link>${escaped(link)}</link>
\t\t<pubDate>Thu, 05 Mar 2026 10:00:00 +0000</pubDate>
\t\t<dc:creator>${cdata(creator)}</dc:creator>
\t\t<guid isPermaLink="false">${escaped(guid)}</guid>
\t\t<description></description>
\t\t<content:encoded>${cdata(content)}</content:encoded>
\t\t<excerpt:encoded>${cdata(excerpt)}</excerpt:encoded>
\t\t<wp:post_id>${id}</wp:post_id>
\t\t<wp:post_date>${cdata(date)}</wp:post_date>
\t\t<wp:post_date_gmt>${cdata(dateGmt)}</wp:post_date_gmt>
\t\t<wp:post_modified>${cdata(modified)}</wp:post_modified>
\t\t<wp:post_modified_gmt>${cdata(modifiedGmt)}</wp:post_modified_gmt>
\t\t<wp:comment_status>${cdata(comments)}</wp:comment_status>
\t\t<wp:ping_status>${cdata(pings)}</wp:ping_status>
\t\t<wp:post_name>${cdata(slug)}</wp:post_name>
\t\t<wp:status>${cdata(status)}</wp:status>
\t\t<wp:post_parent>${parent}</wp:post_parent>
\t\t<wp:menu_order>${order}</wp:menu_order>
\t\t<wp:post_type>${cdata(type)}</wp:post_type>
\t\t<wp:post_password>${cdata(password)}</wp:post_password>
\t\t<wp:is_sticky>${sticky ? 1 : 0}</wp:is_sticky>
${attachmentUrl === undefined ? '' : `\t\t<wp:attachment_url>${cdata(attachmentUrl)}</wp:attachment_url>\n`}${categories}${metaRows('postmeta', meta)}${after}\t</item>
`;
}

export interface WxrComment {
  readonly id: number;
  readonly author?: string;
  readonly content?: string;
  readonly approved?: string;
  readonly type?: string;
  readonly parent?: number;
  readonly user?: number;
  readonly meta?: readonly (readonly [string, string])[];
}

export function wxrComment({
  id,
  author = 'Bob',
  content = 'Well said.',
  approved = '1',
  type = 'comment',
  parent = 0,
  user = 0,
  meta = [],
}: WxrComment): string {
  return `\t\t<wp:comment>
\t\t\t<wp:comment_id>${id}</wp:comment_id>
\t\t\t<wp:comment_author>${cdata(author)}</wp:comment_author>
\t\t\t<wp:comment_author_email>${cdata(`${author.toLowerCase()}@mail.example`)}</wp:comment_author_email>
\t\t\t<wp:comment_author_url></wp:comment_author_url>
\t\t\t<wp:comment_author_IP>${cdata('192.0.2.7')}</wp:comment_author_IP>
\t\t\t<wp:comment_date>${cdata('2026-03-06 09:00:00')}</wp:comment_date>
\t\t\t<wp:comment_date_gmt>${cdata('2026-03-06 08:00:00')}</wp:comment_date_gmt>
\t\t\t<wp:comment_content>${cdata(content)}</wp:comment_content>
\t\t\t<wp:comment_approved>${cdata(approved)}</wp:comment_approved>
\t\t\t<wp:comment_type>${cdata(type)}</wp:comment_type>
\t\t\t<wp:comment_parent>${parent}</wp:comment_parent>
\t\t\t<wp:comment_user_id>${user}</wp:comment_user_id>
${metaRows('commentmeta', meta)}\t\t</wp:comment>
`;
}

export interface WxrCorpus {
  readonly items: number;
  /** Bytes of a body, about. */
  readonly bodyBytes: number;
}

/** A whole large export, piece by piece: posts, every tenth item a page, every fifth an attachment, a comment on every second. */
export function* wxrCorpus({ items, bodyBytes }: WxrCorpus): Generator<string> {
  const taxa = 50;
  yield wxrHead();
  for (let i = 1; i <= 20; i++) yield wxrAuthor(i, `author${i}`, { display_name: `Author ${i}` });
  for (let i = 1; i <= taxa; i++)
    yield wxrCategory({ id: i, slug: `category-${i}`, name: `Category ${i}`, parent: i > 40 ? `category-${i - 40}` : '' });
  for (let i = 1; i <= 10 * taxa; i++) yield wxrTag({ id: taxa + i, slug: `tag-${i}` });
  const paragraph = 'The light comes up behind the warehouses, and for ten minutes the whole basin is the colour of “apricots”. ';
  const block = `<!-- wp:paragraph -->\n<p>${paragraph}<a href="https://old.example/item-1007/">More</a> &amp; on.</p>\n<!-- /wp:paragraph -->\n\n`;
  const body = block.repeat(Math.ceil(bodyBytes / Buffer.byteLength(block)));
  for (let i = 1; i <= items; i++) {
    const id = 1000 + i;
    const day = String(1 + (i % 28)).padStart(2, '0');
    const date = `20${String(10 + (i % 16)).padStart(2, '0')}-${String(1 + (i % 12)).padStart(2, '0')}-${day} 08:00:00`;
    const shared = { id, date, dateGmt: date, creator: `author${1 + (i % 20)}`, title: `Item number ${i}` };
    if (i % 5 === 0) {
      const file = `${date.slice(0, 4)}/${date.slice(5, 7)}/picture-${i}.jpg`;
      const url = `https://old.example/wp-content/uploads/${file}`;
      yield wxrItem({
        ...shared,
        type: 'attachment',
        status: 'inherit',
        attachmentUrl: url,
        content: 'A picture.',
        meta: [
          ['_wp_attached_file', file],
          ['_wp_attachment_metadata', 'a:2:{s:5:"width";i:800;s:6:"height";i:600;}'],
        ],
      });
    } else if (i % 10 === 1)
      yield wxrItem({ ...shared, type: 'page', content: body, comments: 'closed', pings: 'closed', order: i % 7 });
    else
      yield wxrItem({
        ...shared,
        content: `<!-- wp:paragraph -->\n<p>Number ${i}.</p>\n<!-- /wp:paragraph -->\n\n${body}`,
        terms: [
          ['category', `category-${1 + (i % taxa)}`],
          ['post_tag', `tag-${1 + (i % (10 * taxa))}`],
        ],
        meta: [
          ['_edit_last', '1'],
          ['rating', String(i % 6)],
          ...(i > 5 && i % 3 === 0 ? [['_thumbnail_id', String(1000 + i - (i % 5 || 5))] as const] : []),
        ],
        after: i % 2 === 0 ? wxrComment({ id: i }) : '',
      });
  }
  yield wxrFoot;
}

function metaRows(name: string, meta: readonly (readonly [string, string])[]): string {
  return meta
    .map(
      ([key, value]) =>
        `\t\t<wp:${name}>\n\t\t\t<wp:meta_key>${cdata(key)}</wp:meta_key>\n\t\t\t<wp:meta_value>${cdata(value)}</wp:meta_value>\n\t\t</wp:${name}>\n`,
    )
    .join('');
}
