/**
 * What names between double percent signs stand for in templates.
 *
 * Source: reference on seo/v1, 5.2; corrections from recordings.
 */
import { table } from '../../../kernel/model/maps.ts';
import { formatDate } from '../../../kernel/model/dates.ts';
import { escapeHtml, escapeOnce } from '../../../kernel/model/escape.ts';
import { stripTags } from '../../../kernel/model/tags.ts';
import { isPublic } from '../../content/permalinks/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { escapeName } from '../../../kernel/model/escape.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import type { SeoPage } from './record.ts';
import { collapse, plainContent, plainExcerpt, termsOf } from './texts.ts';

type Variable = (page: SeoPage) => string;

/** The value of a variable; undefined for a name that is none. */
export function variable(page: SeoPage, name: string): string | undefined {
  const key = name.toLowerCase();
  const known = variables[key];
  if (known) return known(page);
  if (key.startsWith('cf_')) return customField(page, name.slice(3));
  if (key.startsWith('ct_desc_')) return descriptionOf(termsOf(page, key.slice(8))[0]);
  if (!key.startsWith('ct_')) return undefined;
  const [taxonomy = '', single] = key.slice(3).split('%%');
  const names = termsOf(page, taxonomy).map((term) => term.name);
  return (single === undefined ? names : names.slice(0, 1)).join(', ');
}

/** A setting that names a date format. */
const dated =
  (format: (page: SeoPage) => string, moment: (page: SeoPage) => string | undefined): Variable =>
  (page) => {
    const local = moment(page);
    return local === undefined || local === '' ? '' : formatDate(format(page), local, page.site.zone);
  };

const inFormat = (letters: string) => () => letters;
const dateFormat = ({ site }: SeoPage): string => String(site.settings.value('date_format'));
const timeFormat = ({ site }: SeoPage): string => String(site.settings.value('time_format'));
const published = ({ post }: SeoPage): string | undefined => post?.date;
const present = (page: SeoPage): string => {
  page.watch.volatile();
  return page.site.now().local;
};

const variables: Readonly<Record<string, Variable>> = table({
  title: ({ post }) => (post ? line(post.title) : ''),
  parent_title: (page) => line(parentOf(page)?.title ?? ''),
  archive_title: archiveTitle,
  sitename: ({ siteName }) => line(siteName),
  sitedesc: ({ tagline }) => line(tagline),
  sep: ({ options }) => options.separatorCharacter,
  excerpt: (page) => (page.isLocked || !page.post ? '' : plainExcerpt(page)),
  excerpt_only: ({ post, isLocked }) => (post && !isLocked ? line(post.excerpt) : ''),
  caption: ({ post, isLocked }) => (post && !isLocked ? line(post.excerpt) : ''),
  post_content: (page) => (page.isLocked || !page.post ? '' : plainContent(page)),
  date: (page) => (page.target.kind === 'date' ? archiveDate(page) : dated(dateFormat, published)(page)),
  modified: dated(dateFormat, ({ post }) => post?.modified),
  post_year: dated(inFormat('Y'), published),
  post_month: dated(inFormat('F'), published),
  post_day: dated(inFormat('d'), published),
  currentdate: dated(dateFormat, present),
  currenttime: dated(timeFormat, present),
  currentyear: dated(inFormat('Y'), present),
  currentmonth: dated(inFormat('F'), present),
  currentday: dated(inFormat('j'), present),
  category: (page) => termNames(page, 'category'),
  tag: (page) => termNames(page, 'post_tag'),
  primary_category: (page) => termNamed(page, page.values?.primary.category ?? 0)?.name ?? '',
  category_title: (page) => termsOf(page, hierarchicalTaxonomy(page))[0]?.name ?? '',
  category_description: termDescription,
  tag_description: termDescription,
  term_description: termDescription,
  term_title: (page) => termAt(page)?.name ?? '',
  term_hierarchy: termHierarchy,
  searchphrase: ({ target }) => (target.kind === 'search' ? escapeHtml(target.phrase) : ''),
  pt_single: (page) => typeLabel(page, 'singular_name'),
  pt_plural: (page) => typeLabel(page, 'name'),
  id: ({ post, target }) => String(post?.id ?? (target.kind === 'term' ? target.term.id : '')),
  permalink: ({ url }) => url,
  focuskw: ({ values }) => values?.keyphrase ?? '',
  name: (page) => escapeName(author(page)?.name ?? ''),
  author_first_name: (page) => escapeName(author(page)?.firstName ?? ''),
  author_last_name: (page) => escapeName(author(page)?.lastName ?? ''),
  user_description: (page) => line(escapeOnce(stripTags(author(page)?.description ?? ''))),
  userid: (page) => String(author(page)?.id ?? ''),
  // Only the first page of a list or a text has a URL here.
  page: () => '',
  pagenumber: () => '1',
  pagetotal: () => '1',
  term404: ({ target }) => (target.kind === 'missing' ? escapeHtml((target.slug ?? '').replaceAll('-', ' ')) : ''),
});

/** Whoever has written an item, or is the person of an archive. */
export function author({ site, target, post, watch }: SeoPage): UserRecord | undefined {
  if (target.kind === 'user') return watch.record(site.users, target.user.id);
  return post && watch.record(site.users, post.author);
}

/** The page above, if everybody may see it. */
function parentOf({ site, post, watch }: SeoPage): PostRecord | undefined {
  const above = post && post.parent > 0 ? watch.record(site.posts, post.parent) : undefined;
  return above && isPublic(site, above) ? above : undefined;
}

function termAt({ target }: SeoPage): TermRecord | undefined {
  return target.kind === 'term' ? target.term : undefined;
}

export function termNamed({ site, watch }: SeoPage, id: number): TermRecord | undefined {
  return id === 0 ? undefined : watch.record(site.terms, id);
}

function termNames(page: SeoPage, taxonomy: string): string {
  const term = termAt(page);
  if (term) return term.taxonomy === taxonomy ? term.name : '';
  return termsOf(page, taxonomy)
    .map(({ name }) => name)
    .join(', ');
}

function hierarchicalTaxonomy({ site, post }: SeoPage): string {
  return site.types.get(post?.type ?? '')?.taxonomies.find((name) => site.taxonomies.get(name)?.hierarchical) ?? '';
}

function termDescription(page: SeoPage): string {
  return descriptionOf(termAt(page));
}

export function descriptionOf(term: TermRecord | undefined): string {
  return line(term?.description ?? '');
}

function termHierarchy(page: SeoPage): string {
  const term = termAt(page);
  if (!term || !page.site.taxonomies.get(term.taxonomy)?.hierarchical) return '';
  return [...ancestorsOf(page, term), term].map(({ name }) => name).join(` ${page.options.separatorCharacter} `);
}

/** Terms above a term, the highest first. */
export function ancestorsOf(page: SeoPage, { id, parent }: TermRecord): readonly TermRecord[] {
  const above: TermRecord[] = [];
  const seen = new Set([id]);
  for (let term = termNamed(page, parent); term && !seen.has(term.id); term = termNamed(page, term.parent)) {
    seen.add(term.id);
    above.unshift(term);
  }
  return above;
}

function typeLabel({ site, post, target }: SeoPage, label: 'singular_name' | 'name'): string {
  const type = site.types.get(target.kind === 'archive' ? target.type : (post?.type ?? ''));
  return type?.labels[label] ?? '';
}

/** The period of an archive of dates. */
export function archiveDate(page: SeoPage): string {
  if (page.target.kind !== 'date') return '';
  const { date } = page.target;
  const format = date.length === 4 ? 'Y' : date.length === 7 ? 'F Y' : dateFormat(page);
  return formatDate(format, `${`${date}-01-01`.slice(0, 10)}T00:00:00`, page.site.zone);
}

function archiveTitle(page: SeoPage): string {
  const { target, site } = page;
  if (target.kind === 'term')
    return `${site.taxonomies.get(target.term.taxonomy)?.labels.singular_name ?? ''}: ${target.term.name}`;
  if (target.kind === 'user') return `Author: ${escapeName(target.user.name)}`;
  if (target.kind === 'date') return `${['Year', 'Month', 'Day'][(target.date.length - 4) / 3]}: ${archiveDate(page)}`;
  return target.kind === 'archive' ? `Archives: ${typeLabel(page, 'name')}` : 'Archives';
}

/** A custom field of an item or term that holds a text or number. */
function customField({ target }: SeoPage, name: string): string {
  const record = target.kind === 'post' ? target.post : target.kind === 'term' ? target.term : undefined;
  const { meta, fields } = (record ?? {}) as { readonly meta?: object; readonly fields?: object };
  for (const held of [meta, fields]) {
    const value: unknown = held && Object.hasOwn(held, name) ? held[name as never] : undefined;
    if (typeof value === 'string' || typeof value === 'number') return line(String(value));
  }
  return '';
}

/** Text on one line, without tags. */
function line(text: string): string {
  return collapse(stripTags(text));
}
