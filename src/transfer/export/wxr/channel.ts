/**
 * The head of a WXR document: the site, its authors and its terms.
 */
import { printFields } from '../../../kernel/model/field.ts';
import { contextOf } from '../../../kernel/site/record-file.ts';
import type { MenuRecord } from '../../../modules/menus/record.ts';
import type { CommentRecord } from '../../../modules/comments/record.ts';
import type { PostRecord } from '../../../modules/content/posts/record.ts';
import type { TermRecord } from '../../../modules/content/terms/record.ts';
import type { UserRecord } from '../../../modules/people/users/record.ts';
import { generator } from '../../../modules/website/feeds/print.ts';
import { decodeEntities } from '../../../render/text.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Translated } from '../../../modules/languages/record.ts';
import { printMetaValue } from '../../sources/wxr/php-values.ts';
import { original } from '../../../kernel/rest/dialect.ts';
import type { Xml } from '../../../render/xml.ts';
import type { Omissions } from '../omissions.ts';
import { withSearchRows } from './search-rows.ts';

const wxrVersion = '1.2';
const exportNamespace = `http://wordpress.org/export/${wxrVersion}/`;

export const foot = '</channel>\n</rss>\n';

/** The document up to its first author. @param newest  GMT date of the newest item, '' for none */
export function printHead(site: Site, xml: Xml, newest: string): string {
  const text = (key: string): string => decodeEntities(String(site.settings.value(key)));
  const language = String(site.settings.value('language')).replaceAll('_', '-');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<rss version="2.0" xmlns:excerpt="${exportNamespace}excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="${exportNamespace}">`,
    '<channel>',
    line(xml.element('title', xml.text(text('name')))),
    line(xml.element('link', xml.text(site.url))),
    line(xml.element('description', xml.text(text('description')))),
    ...(newest === '' ? [] : [line(xml.element('pubDate', rfcDate(newest)))]),
    line(xml.element('language', xml.text(language))),
    line(xml.element('generator', generator)),
    line(xml.element('wp:wxr_version', wxrVersion)),
    line(xml.element('wp:base_site_url', xml.text(site.url))),
    line(xml.element('wp:base_blog_url', xml.text(site.url))),
    '',
  ].join('\n');
}

/** An author. @param isPrivate  with the email address */
export function printAuthor(site: Site, xml: Xml, user: UserRecord, isPrivate: boolean, omissions: Omissions): string {
  for (const key of ['description', 'url', 'aliases'] as const)
    if ((user[key]?.length ?? 0) > 0) omissions.add(`${key} of users`, 'WXR contains only the names of authors');
  for (const key of Object.keys(addedMeta(site, user, 'user')))
    omissions.add(`${key} of users`, 'WXR contains only the names of authors');
  if (!isPrivate && user.account?.email) omissions.add('email addresses of users', 'only --private includes them');
  const rows = [
    ['wp:author_id', String(user.id)],
    ['wp:author_login', xml.cdata(loginOf(user))],
    ['wp:author_email', xml.cdata(isPrivate ? (user.account?.email ?? '') : '')],
    ['wp:author_display_name', xml.cdata(user.name)],
    ['wp:author_first_name', xml.cdata(user.firstName)],
    ['wp:author_last_name', xml.cdata(user.lastName)],
  ] as const;
  // On one line: some readers look for authors line by line.
  return `\t${xml.element('wp:author', rows.map(([name, value]) => xml.element(name, value)).join(''))}\n`;
}

/** The name by which items call their author. */
export function loginOf(user: UserRecord): string {
  return user.account?.login || user.slug;
}

/** A term: categories and tags have elements of their own. */
export function printTerm(site: Site, xml: Xml, term: TermRecord, omissions: Omissions): string {
  const { taxonomy, id, name, description } = term;
  const slug = slugInExport(term);
  const parent = site.terms.get(term.parent)?.slug ?? '';
  if (term.aliases.length > 0) omissions.add('former slugs of terms', 'WXR does not contain them');
  if (taxonomy === 'nav_menu') addMenuOmissions(term as MenuRecord, omissions);
  const added = withSearchRows(site, term, addedMeta(site, term, taxonomy, 'term'));
  const meta = printMeta(xml, 'wp:termmeta', { ...added, ...term.meta }, omissions);
  if (taxonomy === 'category') {
    const rows = [
      ['wp:term_id', id],
      ['wp:category_nicename', slug],
      ['wp:category_parent', parent],
      ['wp:cat_name', name],
      ['wp:category_description', description],
    ] as const;
    return element(xml, 'wp:category', rows, meta);
  }
  if (taxonomy === 'post_tag') {
    const rows = [
      ['wp:term_id', id],
      ['wp:tag_slug', slug],
      ['wp:tag_name', name],
      ['wp:tag_description', description],
    ] as const;
    return element(xml, 'wp:tag', rows, meta);
  }
  const rows = [
    ['wp:term_id', id],
    ['wp:term_taxonomy', original.wireName(taxonomy)],
    ['wp:term_slug', slug],
    ['wp:term_parent', parent],
    ['wp:term_name', name],
    ['wp:term_description', description],
  ] as const;
  return element(xml, 'wp:term', rows, meta);
}

/** A menu in a file like `main.de.yaml` has the slug of the one it stands for; in WXR a slug is of one menu. */
export function slugInExport({ path, slug }: Pick<TermRecord, 'path' | 'slug'>): string {
  const mark = /^menus\/[^/]+\.([a-z]{2,3}(?:-[a-z0-9]+)*)\.ya?ml$/.exec(path)?.[1];
  return mark === undefined ? slug : `${slug}-${mark}`;
}

function addMenuOmissions({ locations, autoAdd }: MenuRecord, omissions: Omissions): void {
  omissions.add('menu locations', 'WXR does not contain them', locations.length);
  if (autoAdd) omissions.add('menus that add new pages automatically', 'WXR does not record this');
}

type Meta = Readonly<Record<string, unknown>>;

/** Fields that modules add, as their files say them: the format has meta rows for what it does not know. */
export function addedMeta(
  site: Site,
  record: PostRecord | TermRecord | CommentRecord | UserRecord,
  ...names: readonly string[]
): Meta {
  const printed = printFields(site.modules.extension(names).fields, { record, cx: contextOf(site, record.path) });
  return inLanguage(site, record as Partial<Translated> & typeof record, printed);
}

/** With language and original, which files may say by their names alone: of posts by the id of the original, of terms by its slug. */
function inLanguage(site: Partial<Pick<Site, 'translations'>>, record: Partial<Translated>, meta: Meta): Meta {
  const { lang, translationOf, taxonomy } = record;
  if (!lang || translationOf === undefined || !site.translations) return meta;
  const { lang: _, translation_of: __, ...others } = meta;
  const original = site.translations.original(record as Translated);
  const named = taxonomy === undefined ? String(original.id) : `${taxonomy}:${slugInExport(original)}`;
  const slug = taxonomy === undefined ? record.slug : slugInExport(record as TermRecord);
  return {
    ...others,
    lang,
    ...(original.id === record.id ? {} : { translation_of: named }),
    ...(slug === record.slug ? {} : { language_slug: record.slug }),
  };
}

/** Custom fields as rows, under the names of the original. */
export function printMeta(
  xml: Xml,
  name: string,
  meta: Readonly<Record<string, unknown>>,
  omissions: Omissions,
): readonly string[] {
  return Object.entries(meta).map(([key, value]) => {
    if (typeof value === 'number' || typeof value === 'boolean' || value === null)
      omissions.add('custom fields that are numbers, true, false or empty', 'WXR stores them as text');
    return printMetaRow(xml, name, original.wireName(key), printMetaValue(value));
  });
}

export function printMetaRow(xml: Xml, name: string, key: string, value: string): string {
  return xml.element(name, xml.element('wp:meta_key', xml.cdata(key)) + xml.element('wp:meta_value', xml.cdata(value)));
}

/** An element with children on a line each: texts as CDATA, numbers plain. */
export function element(
  xml: Xml,
  name: string,
  rows: readonly (readonly [name: string, value: string | number])[],
  more: readonly string[] = [],
  indent = '\t',
): string {
  const printed = rows.map(([key, value]) => xml.element(key, typeof value === 'number' ? String(value) : xml.cdata(value)));
  return `${indent}<${name}>\n${[...printed, ...more].map((row) => `${indent}\t${row}\n`).join('')}${indent}</${name}>\n`;
}

/** A GMT date as feeds have it. */
export function rfcDate(gmt: string): string {
  return new Date(`${gmt}Z`).toUTCString().replace('GMT', '+0000');
}

function line(markup: string): string {
  return `\t${markup}`;
}
