/**
 * Items as the files of the site: every field through its own declaration, references by the plan, links inside texts to where
 * things are now. What a field cannot take is said.
 */
import { noClientSizes } from '../../modules/media/files/client-sizes.ts';
import { aliasPath, isPathAlias } from '../../modules/content/permalinks/aliases.ts';
import type { AttachmentRecord } from '../../modules/content/attachments/record.ts';
import { originalOf } from '../../kernel/store/paths.ts';
import type { CommentRecord } from '../../modules/comments/record.ts';
import type { Moment } from '../../kernel/model/dates.ts';
import { fileKeys } from '../../kernel/model/field.ts';
import { blankPost, formats, type PostRecord } from '../../modules/content/posts/record.ts';
import { firstHeading } from '../../modules/content/front-matter/headings.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { blankTerm, type TermRecord } from '../../modules/content/terms/record.ts';
import { escapeName } from '../../kernel/model/escape.ts';
import { type Account, blankUser, defaultName, type UserRecord } from '../../modules/people/users/record.ts';
import { writeComment } from '../../modules/comments/file.ts';
import { stylesType } from '../../modules/design/themes/styles.ts';
import { writeAttachment } from '../../modules/media/library/file.ts';
import { mimeOf } from '../../modules/media/files/types.ts';
import { writeUser } from '../../modules/people/users/file.ts';
import { writePost } from '../../modules/content/posts/file.ts';
import { writeTerm } from '../../modules/content/terms/file.ts';
import { maxTextBytes } from '../../kernel/yaml/codec.ts';
import type { Write } from '../../kernel/store/types.ts';
import type { Naming } from './declarations.ts';
import { type WriteContext, refTo, reportParent, reportPostParent, reportSlug, reportUnknownReference } from './write-context.ts';
import { cleanMeta, maxMatter, withExtra, withinLimits, without } from './front-matter.ts';
import type { CommentItem, MenuLinkItem, PostItem, TermItem, UserItem } from './items.ts';
import { languageKeys, withoutLanguage } from './language-keys.ts';
import { momentIn, momentOf } from './moments.ts';
import type { PlannedItem } from './planned-item.ts';
import { statusOf } from './planned-site.ts';
import { extensionNames, withSearchValues } from './search-values.ts';
import { isDate, remark } from './source-scan.ts';

type KeyedItem = CommentItem | MenuLinkItem | PostItem | TermItem | UserItem;

/** Stands in a record where there is no date; such a date is not written. */
const nowhen: Moment = { local: '1970-01-01T00:00:00', gmt: '1970-01-01T00:00:00' };

/** The whole file of a post, at its planned place. Null: it does not fit, which has been said. */
export function writePostItem(context: WriteContext, said: PostItem, planned: PlannedItem): Write | null {
  const item = withSearchValues(context, withoutLanguage(context, said, planned), planned);
  const { site, report } = context;
  const { text, kind } = bodyOf(context, item, planned);
  if (Buffer.byteLength(text) > maxTextBytes - maxMatter) {
    remark(report, item, 'lost', 'too-large', 'its text exceeds the size limit of a file');
    return null;
  }
  const path = `${planned.file}.${kind}`;
  context.shortcodes.look(text, kind, path, item.place);
  const record: PostRecord = { ...postRecord(context, item, planned), content: text, kind, path };
  const write = writePost(site as never, record);
  const isTitled = item.isTitledByText && kind === 'md' && firstHeading(text) === record.title;
  const titled = isTitled ? { ...write, data: without(write.data, 'title') } : write;
  return inLanguage(context, said, planned, finish(context, item, titled, record));
}

/** @param fetch  where the bytes are, while they are not here */
export function writeMediaItem(context: WriteContext, said: PostItem, planned: PlannedItem, fetch: string): Write | null {
  const item = withSearchValues(context, withoutLanguage(context, said, planned), planned);
  const { site, plan } = context;
  const path = `${planned.place}.yaml`;
  const edited = item.media?.edited === undefined ? undefined : plan.posts.get(item.media.edited);
  const record: AttachmentRecord = {
    ...postRecord(context, item, planned),
    kind: 'yaml',
    path,
    content: local(context, item.content),
    alt: item.media?.alt ?? '',
    mime: mimeOf(originalOf(path)) ?? '',
    source: edited && !edited.isGone ? edited.id : 0,
    fetch,
    clientSizes: noClientSizes,
  };
  return inLanguage(context, said, planned, finish(context, item, writeAttachment(site as never, record), record));
}

export function writeTermItem(context: WriteContext, said: TermItem, planned: PlannedItem): Write {
  const item = withSearchValues(context, withoutLanguage(context, said, planned), planned);
  const write = writeTerm(context.site, termRecord(context, item, planned));
  return inLanguage(context, said, planned, complete(context, item, write, [planned.of, 'term']));
}

/** With the language and the original of the item. */
export function inLanguage(context: WriteContext, item: PostItem | TermItem, planned: PlannedItem, write: Write): Write {
  const keys = languageKeys(context, item, planned, write.path);
  return Object.keys(keys).length === 0 ? write : { ...write, data: { ...write.data, ...keys } };
}

export function termRecord(context: WriteContext, item: TermItem, planned: PlannedItem): TermRecord {
  if (item.parent !== undefined && planned.parent === null)
    reportParent(context, item, planned, context.plan.terms.get(item.parent));
  reportSlug(context, item, planned);
  return {
    ...blankTerm(planned.id, planned.of),
    path: `${planned.file}.yaml`,
    name: escapeName(item.name || planned.slug),
    slug: planned.slug,
    description: local(context, item.description ?? ''),
    parent: planned.parent?.id ?? 0,
    meta: cleanMeta(context, item, context.naming.model.meta[planned.of]),
  };
}

/** @param account  the one they have, or will have; a name is not told twice */
export function writeUserItem(context: WriteContext, item: UserItem, planned: PlannedItem, account: Account | null): Write {
  const path = `${planned.file}.yaml`;
  const url = item.url ?? '';
  const isAddress = url === '' || url === '/' || /^https?:\/\/[^\s]+$/i.test(url);
  if (!isAddress) remark(context.report, item, 'lost', 'no-address', `invalid URL ${JSON.stringify(url)}`);
  reportSlug(context, item, planned);
  const record: UserRecord = {
    ...blankUser(planned.id),
    path,
    slug: planned.slug,
    name: item.name || planned.slug,
    firstName: item.firstName ?? '',
    lastName: item.lastName ?? '',
    nickname: item.nickname || defaultName(path, account),
    description: local(context, item.description ?? ''),
    url: isAddress ? url : '',
    account,
  };
  return complete(context, item, writeUser(context.site, record), ['user']);
}

/** Name and URL of users by id, which their comments do not repeat. */
export type Profiles = ReadonlyMap<number, { readonly name: string; readonly url: string }>;

export function writeCommentItem(
  context: WriteContext,
  item: CommentItem,
  planned: PlannedItem,
  post: PlannedItem,
  profiles: Profiles,
): Write {
  const { plan, report, site } = context;
  const user = item.author === undefined ? undefined : plan.users.get(item.author);
  if (item.author !== undefined && !user) reportUnknownReference(context, item, 'author', item.author, 'user');
  const author = user && !user.isGone ? user.id : 0;
  const profile = profiles.get(author);
  if (item.parent !== undefined && planned.parent === null) reportParent(context, item, planned, plan.comments.get(item.parent));
  const date = momentIn(context, item.date, item.dateGmt);
  if (!date && (item.date || item.dateGmt))
    remark(report, item, 'changed', 'unreadable-date', `invalid date ${item.date || item.dateGmt}`);
  const at = date ?? nowhen;
  // With the name of an account goes its address, unless another is given.
  const isSigned = author > 0 && item.name === profile?.name;
  const record: CommentRecord = {
    id: planned.id,
    path: planned.existing?.path ?? `comments/${post.id}/${planned.id}.html`,
    etag: '',
    post: post.id,
    parent: planned.parent?.id ?? 0,
    author,
    name: isSigned ? null : item.name,
    url: isSigned && (item.url ?? '') === profile?.url ? null : item.url || (isSigned ? '' : null),
    date: at.local,
    dateGmt: at.gmt,
    content: local(context, item.content),
    status: item.status,
    was: item.was ?? null,
    type: item.type || 'comment',
    meta: cleanMeta(context, item),
  };
  const [write] = writeComment(site, record);
  const limited = complete(context, item, write as Write, ['comment']);
  return date ? limited : { ...limited, data: without(limited.data, 'date') };
}

/** The author of an item; of one that nobody in the source has written, whoever imports it. */
function authorOf(context: WriteContext, item: PostItem): number {
  const { plan, importer, report, unmet } = context;
  const { author = '', isUnattributed } = item;
  if (!isUnattributed || plan.users.has(author)) return refTo(context, item, 'author', plan.users, item.author);
  if (author === '' && !importer) return 0;
  if (author !== '') unmet.push(`user ${author}`);
  const said =
    author === '' ? 'it names no author' : `its author ${JSON.stringify(author.slice(0, 60))} is not among those of the source`;
  const now = importer ? `it is by ${importer.login} now` : 'it has none here';
  remark(report, item, 'changed', 'unknown-author', `${said}; ${now}`, 'write author: into its file if that is wrong');
  return importer?.id ?? 0;
}

/** Whether the site will date an item, since its source does not. */
export function isUndated(context: WriteContext, { date, dateGmt, status }: PostItem, { of }: PlannedItem): boolean {
  const { statuses } = context.site;
  const here = statusOf(statuses, of, status);
  return momentIn(context, date, dateGmt) === null && !statuses.some(({ name, dateFloating }) => name === here && dateFloating);
}

/** What all posts have in common; the body and the path are not settled yet. */
function postRecord(context: WriteContext, item: PostItem, planned: PlannedItem): PostRecord {
  const { site, report, naming } = context;
  const { of } = planned;
  const type = site.types.get(of);
  const status = statusOf(site.statuses, of, item.status);
  if (status === 'draft' && item.status !== 'draft')
    remark(
      report,
      item,
      'changed',
      'unknown-status',
      `${item.status ? `unknown status ${JSON.stringify(item.status)}` : 'no status'}; imported as a draft`,
    );
  const date = momentIn(context, item.date, item.dateGmt);
  const modified = momentIn(context, item.modified, item.modifiedGmt);
  if (date && isDate(item.dateGmt) && date.gmt !== item.dateGmt)
    remark(
      report,
      item,
      'changed',
      'other-zone',
      `its date ${date.local} is kept, but means another moment in the time zone of the site (${site.zone})`,
    );
  for (const [given, read] of [
    [item.date || item.dateGmt, date],
    [item.modified || item.modifiedGmt, modified],
  ] as const)
    if (given && !read) remark(report, item, 'changed', 'unreadable-date', `invalid date ${JSON.stringify(given)}`);
  if (isUndated(context, item, planned))
    remark(
      report,
      item,
      'note',
      'undated',
      'it has no date, so the modification time of its file counts',
      'add date: to the file',
    );
  const shown = date ?? modified ?? nowhen;
  const author = authorOf(context, item);
  const featured = refTo(context, item, 'featured media', context.plan.posts, item.featuredMedia);
  reportPostParent(context, item, planned);
  reportSlug(context, item, planned);
  const has = new Set(fileKeys(site.postFields.get(of) ?? {}));
  const noPlace = (key: string, isUsed: boolean, what: string): void => {
    if (isUsed && !has.has(key)) remark(report, item, 'lost', 'no-field', `items of the type ${of} cannot have ${what}`);
  };
  const format = item.format === undefined ? 'standard' : (formats.find((one) => one === item.format) ?? 'standard');
  if (item.format !== undefined && item.format !== format && item.format !== '')
    remark(report, item, 'changed', 'unknown-format', `unknown format ${JSON.stringify(item.format)}`);
  noPlace('order', Boolean(item.order), 'an order');
  noPlace('sticky', item.sticky === true, 'a sticky flag');
  noPlace('format', format !== 'standard', 'a format');
  noPlace('featured_media', featured > 0, 'a featured image');
  noPlace('password', Boolean(item.password), 'a password');
  noPlace('excerpt', Boolean(item.excerpt) && of !== 'attachment', 'an excerpt');
  const closed = of === 'page' ? 'closed' : 'open';
  return {
    ...blankPost(planned.id, of),
    slug: planned.slug,
    status,
    title: item.title,
    excerpt: local(context, item.excerpt ?? ''),
    date: shown.local,
    dateGmt: shown.gmt,
    floating: !date,
    modified: (modified ?? shown).local,
    modifiedGmt: (modified ?? shown).gmt,
    author,
    parent: planned.parent?.id ?? 0,
    order: item.order ?? 0,
    featuredMedia: featured,
    comments: item.comments ?? closed,
    pings: item.pings ?? (of === 'attachment' ? 'closed' : closed),
    format,
    sticky: item.sticky ?? false,
    template: item.template ?? '',
    password: status === 'private' ? '' : (item.password ?? ''),
    guid: item.guid ?? '',
    terms: termsOf(context, item, type?.taxonomies ?? [], naming),
    meta: metaOf(context, item, planned),
    aliases: aliasesOf(item, planned),
    trashed: status === 'trash' ? (item.trashed ?? null) : null,
  };
}

/** Former slugs and paths, as the source has them, and the path it had there where that is another one here. */
function aliasesOf({ aliases = [] }: PostItem, { slug, formerPath }: PlannedItem): string[] {
  const said = aliases.map((alias) => (isPathAlias(alias) ? aliasPath(alias) : slugify(alias)));
  return [...new Set([...said, formerPath])].filter((alias) => alias !== '' && alias !== slug);
}

/** The body as its file has it: links and ids are those of this site; Markdown where that is asked for and says the same. */
function bodyOf(
  context: WriteContext,
  item: PostItem,
  planned: PlannedItem,
): { readonly text: string; readonly kind: 'md' | 'html' } {
  const { report, toMarkdown } = context;
  const text = local(context, context.ids.rewrite(item.content));
  // Settings of the design are data, in a file of the kind that the site itself makes.
  if (planned.of === stylesType) return { text, kind: 'md' };
  if (item.markup === 'md' || toMarkdown === undefined || planned.of.startsWith('cms_')) return { text, kind: item.markup };
  const markdown = toMarkdown(text);
  if (markdown === null) {
    report.markdown.kept++;
    remark(report, item, 'note', 'kept-as-markup', 'it would not render the same as Markdown, so it stays markup');
    return { text, kind: 'html' };
  }
  report.markdown.converted++;
  return { text: markdown, kind: 'md' };
}

/** A text with links to where things are now. */
function local({ links, report, unmet }: WriteContext, text: string): string {
  if (links === null || text === '') return text;
  const { text: rewritten, files, pages, unknown } = links.rewrite(text);
  for (const address of unknown) unmet.push(`link ${address}`);
  report.links.files += files;
  report.links.pages += pages;
  return rewritten;
}

/** Ids of the terms of an item by taxonomy, of those its type has. */
function termsOf(
  context: WriteContext,
  item: PostItem,
  own: readonly string[],
  naming: Naming,
): Record<string, readonly number[]> {
  const terms: Record<string, readonly number[]> = {};
  for (const [name, keys] of Object.entries(item.terms ?? {})) {
    const taxonomy = naming.taxonomies.get(name);
    if (taxonomy === null || keys.length === 0) continue;
    if (taxonomy === undefined || !own.includes(taxonomy)) {
      remark(context.report, item, 'lost', 'no-taxonomy', `items of the type ${item.type} cannot have terms of ${name}`);
      continue;
    }
    const ids = keys.flatMap((key) => {
      const term = context.plan.terms.get(key);
      if (term?.of === taxonomy) return term.isGone ? [] : [term.id];
      reportUnknownReference(context, item, name, key, 'term');
      return [];
    });
    terms[taxonomy] = [...new Set(ids)];
  }
  return terms;
}

/** Ends a file: keys of modules and of nobody, and no more front matter than readers take. */
export function complete(context: WriteContext, item: KeyedItem, write: Write, names: readonly string[]): Write {
  const { path, order: known = [] } = write;
  return withinLimits(context, item, { ...write, data: withExtra(context, item, write.data, { path, known, names }) });
}

/** Meta of a post; styles that became those of another theme no longer name their own. */
function metaOf(context: WriteContext, item: PostItem, planned: PlannedItem): Record<string, unknown> {
  const meta = cleanMeta(context, item, context.naming.model.meta[planned.of]);
  return planned.of === stylesType && planned.slug !== item.slug ? without(meta, 'theme') : meta;
}

/** Ends the file of a post: no date where there is none. */
function finish(context: WriteContext, item: PostItem, write: Write, { type, floating }: PostRecord): Write {
  const isUndated = floating && momentOf(item.modified, item.modifiedGmt, context.site.zone) === null;
  const data = isUndated ? without(write.data, 'modified') : write.data;
  return complete(context, item, { ...write, data }, extensionNames(context.site, type));
}
