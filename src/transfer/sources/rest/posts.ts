/**
 * Posts of every type as a live site shows them: whole in the edit context, else as a visitor sees them.
 */
import { plainText } from '../../../render/text.ts';
import { renderMarkdown } from '../../../render/markdown.ts';
import { withoutAlertTitles } from '../../../render/markdown-rules.ts';
import { mediaShortcodes, replaceShortcodes } from '../../../render/shortcodes.ts';
import { wireConstants } from '../../../render/wire-constants.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import { given, type ItemLanguage, type MediaFile, type PostItem, type ImportRemark } from '../../import/items.ts';
import type { Row } from './collection.ts';
import { id, keyOf, list, moment, raw, rendered, text, typed } from './values.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { isDraft } from '../../../modules/types/record.ts';
import { standardStatuses } from '../../../modules/types/index.ts';

/** What reading a post needs to know of its site. */
export interface PostContext {
  /** Neutral name of the type. */
  readonly type: string;
  /** Field that lists terms → taxonomy. */
  readonly taxonomies: ReadonlyMap<string, string>;
  /** Fields that belong to no part of the interface and may be written, so they are data of the item. */
  readonly more: readonly string[];
  /** Registered meta → its default, where the source says one. */
  readonly defaults: ReadonlyMap<string, unknown>;
  /** Keys of the users that are known. */
  readonly users: ReadonlySet<string>;
  /** Of the texts of our own server, which may be Markdown: its address. */
  readonly cmsHome: string | undefined;
  readWord(word: string): string;
}

/** Ends the slugs of trashed items. */
const trashedSuffix = '__trashed';

export function readPost(row: Row, url: string, context: PostContext, language?: ItemLanguage): PostItem {
  const { type } = context;
  const remarks: ImportRemark[] = [];
  const isMedia = type === 'attachment';
  const stored = raw(row, isMedia ? 'description' : 'content');
  const status = text(row, 'status') || 'publish';
  const slug = text(row, 'slug');
  const isTrashed = status === 'trash';
  const author = keyOf(row, 'author');
  const parent = keyOf(row, isMedia ? 'post' : 'parent');
  const meta = metaOf(row, context);
  const number = id(row);
  const order = row.menu_order;
  const media = isMedia ? mediaOf(row) : undefined;
  if (isMedia && media === undefined)
    remarks.push({ severity: 'lost', rule: 'no-file', message: 'the source does not say where its file is' });
  if (mapOf(row.content).protected === true && stored === undefined)
    remarks.push({
      severity: 'lost',
      rule: 'protected-content',
      message: 'its text is password-protected',
      hint: 'import with an application password',
    });
  if (
    !isMedia &&
    stored === undefined &&
    rendered(row, 'content') === '' &&
    mapOf(row.content).rendered === undefined &&
    type !== 'nav_menu_item'
  )
    remarks.push({ severity: 'lost', rule: 'no-content', message: 'the source does not show its text' });
  return given<PostItem>({
    kind: 'post',
    key: String(number ?? text(row, 'id')),
    place: { source: url },
    type,
    slug: isTrashed && slug.endsWith(trashedSuffix) ? slug.slice(0, -trashedSuffix.length) : slug,
    title: titleOf(row),
    content: stored ?? (isMedia ? withoutPicture(rendered(row, 'description')) : rendered(row, 'content')),
    markup: stored !== undefined && context.cmsHome !== undefined && isMarkdown(stored, row, context.cmsHome) ? 'md' : 'html',
    status,
    id: number,
    excerpt: isMedia ? captionOf(row) : excerptOf(row),
    ...datesOf(row, status),
    author: author !== undefined && context.users.has(author) ? author : undefined,
    parent,
    order: typeof order === 'number' && Number.isSafeInteger(order) && order !== 0 ? order : undefined,
    sticky: row.sticky === true ? true : undefined,
    password: text(row, 'password') || undefined,
    format: text(row, 'format') || undefined,
    template: text(row, 'template') || undefined,
    comments: openOf(row, 'comment_status'),
    pings: openOf(row, 'ping_status'),
    guid: guidOf(row, context),
    link: text(row, 'link') || undefined,
    terms: termsOf(row, context),
    featuredMedia: keyOf(row, 'featured_media'),
    trashed: isTrashed ? { status: 'draft', slug: slug.replace(/__trashed$/, '') } : undefined,
    media,
    language,
    meta: Object.keys(meta).length > 0 ? meta : undefined,
    remarks: remarks.length > 0 ? remarks : undefined,
  });
}

/** A customised template or part; it belongs to a theme and is found by that. */
export function readTemplate(row: Row, url: string, context: PostContext): PostItem {
  const number = id(row, wireConstants.templatePost);
  const { meta: _, ...post } = readPost({ ...row, id: number ?? 0 }, url, context);
  const area = text(row, 'area');
  return {
    ...post,
    title: raw(row, 'title') ?? titleOf(row),
    excerpt: text(row, 'description'),
    meta: { theme: text(row, 'theme'), ...(area === '' ? {} : { area }) },
  };
}

/** A post whose text is the settings it holds, as fonts and styles are. */
export function readSheet(row: Row, url: string, { type, title, slug, content, parent, meta }: SheetFacts): PostItem {
  const number = id(row);
  return given<PostItem>({
    kind: 'post',
    key: String(number),
    place: { source: url },
    type,
    slug,
    title,
    content: JSON.stringify(content),
    markup: 'html',
    status: 'publish',
    id: number,
    parent,
    meta,
  });
}

interface SheetFacts {
  readonly type: string;
  readonly title: string;
  readonly slug: string;
  readonly content: unknown;
  readonly parent?: string;
  readonly meta?: Row;
}

/** The stored title, or the shown one as it was typed; of a protected post without the word before it. */
function titleOf(row: Row): string {
  const stored = raw(row, 'title');
  if (stored !== undefined) return stored;
  const shown = typed(rendered(row, 'title'));
  return mapOf(row.content).protected === true ? shown.replace(/^[^\s:]{1,40}: /, '') : shown;
}

/**
 * Dates. The interface shows one for every draft; where nothing but a save set it, it is the last change itself, and the draft
 * has none of its own.
 */
function datesOf(row: Row, status: string) {
  const [date, dateGmt] = [moment(row, 'date'), moment(row, 'date_gmt')];
  const [modified, modifiedGmt] = [moment(row, 'modified'), moment(row, 'modified_gmt')];
  const floats = isDraft(standardStatuses, status) && date === modified;
  return { date: floats ? '' : date, dateGmt: floats ? '' : dateGmt, modified, modifiedGmt };
}

/** What identifies the item for ever; on our own server without one of its own that is its present address, here as there. */
function guidOf(row: Row, { cmsHome: ours }: PostContext): string | undefined {
  const guid = raw(row, 'guid') || rendered(row, 'guid');
  return guid === '' || (ours !== undefined && [text(row, 'link'), text(row, 'source_url')].includes(guid)) ? undefined : guid;
}

function openOf(row: Row, name: string): 'open' | 'closed' | undefined {
  const value = text(row, name);
  return value === '' ? undefined : value === 'open' ? 'open' : 'closed';
}

/** An excerpt of its own; one that was made of the text is none. */
function excerptOf(row: Row): string | undefined {
  const stored = raw(row, 'excerpt');
  if (stored !== undefined) return stored;
  const shown = plainText(rendered(row, 'excerpt'));
  if (shown === '' || /\[(?:&hellip;|…|&#8230;|\.{3})\]\s*$/.test(shown)) return undefined;
  const squeezed = (value: string): string => value.replace(/\s+/g, ' ');
  const isBeginning = squeezed(plainText(rendered(row, 'content'))).startsWith(squeezed(shown));
  return isBeginning ? undefined : typed(shown);
}

function captionOf(row: Row): string {
  return raw(row, 'caption') ?? rendered(row, 'caption').replace(/^\s*<p>((?:(?!<\/p>)[\s\S])*)<\/p>\s*$/, '$1');
}

/** The shown description of a media file begins with the file itself. */
function withoutPicture(html: string): string {
  return html.replace(/^\s*<(p|div)\b[^>]*class="attachment"[^>]*>[\s\S]*?<\/\1>\s*/, '');
}

function termsOf(row: Row, { taxonomies }: PostContext): Record<string, readonly string[]> | undefined {
  const found = [...taxonomies].flatMap(([field, taxonomy]) => {
    const keys = list(row[field])
      .filter((one) => typeof one === 'number')
      .map(String);
    return keys.length === 0 ? [] : [[taxonomy, keys] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Registered meta that says something, and fields that other programs added to the item. */
function metaOf(row: Row, { more, defaults, readWord }: PostContext): Record<string, unknown> {
  const isTold = (name: string, value: unknown): boolean =>
    defaults.has(name) && typeof value !== 'object' ? value !== defaults.get(name) : !isEmpty(value);
  const all = [
    ...Object.entries(mapOf(row.meta)),
    ...[...more, wireConstants.patternSync].map((name) => [name, row[name]] as const),
  ];
  return Object.fromEntries(all.filter(([name, value]) => isTold(name, value)).map(([name, value]) => [readWord(name), value]));
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return typeof value === 'object' && Object.values(value as object).every(isEmpty);
}

function mediaOf(row: Row): MediaFile | undefined {
  const url = text(row, 'source_url');
  if (!isUrl(url)) return undefined;
  const alt = text(row, 'alt_text');
  return { path: pathOf(row, new URL(url)), url, ...(alt === '' ? {} : { alt }) };
}

/** Below the uploads: as the file's details have it, else what its address has behind the usual folder, or the date. */
function pathOf(row: Row, { pathname }: URL): string {
  const path = decoded(pathname);
  const said = text(mapOf(row.media_details), 'file').replace(/^\/+/, '');
  if (said !== '' && path.endsWith(`/${said}`)) return said;
  const below = /\/uploads\/(?:sites\/\d+\/)?(.+)$/.exec(path)?.[1] ?? /\/(\d{4}\/\d\d\/[^/]+)$/.exec(path)?.[1];
  return below ?? (path.split('/').at(-1) as string);
}

/** Whether a text is Markdown: read so it is what the server shows. */
function isMarkdown(stored: string, row: Row, home: string): boolean {
  const shown = mapOf(row.content).rendered;
  if (typeof shown !== 'string' || stored === '') return false;
  return [true, false].some((typography) =>
    isShownAs(bare(renderMarkdown(stored, { typography, home, anchor: `${row.id}` })), bare(shown)),
  );
}

/** Without what is known of its pictures, and what depends on the language: that is added when a text is shown. */
function bare(html: string): string {
  const added = / (?:loading|decoding|fetchpriority|width|height|srcset|sizes)="[^"]*"/g;
  return withoutAlertTitles(html).replace(/<img\s[^<>]*>/g, (tag) => tag.replace(added, '').replace(/(?<!\s)\s*\/?>$/, '>'));
}

/** Whether one is the other, but for what its shortcodes show. */
function isShownAs(html: string, shown: string): boolean {
  const [first = '', ...others] = replaceShortcodes(html, mediaShortcodes, () => '\0').split('\0');
  let at = shown.startsWith(first) ? first.length : -1;
  for (const part of others) {
    const found = at < 0 ? -1 : shown.indexOf(part, at);
    at = found < 0 ? -1 : found + part.length;
  }
  return at === shown.length || (others.length > 0 && at >= 0 && shown.endsWith(others.at(-1) as string));
}
