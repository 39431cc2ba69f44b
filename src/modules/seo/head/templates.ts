/**
 * Titles and descriptions: which template a page has, and what becomes of it.
 *
 * Source: reference on seo/v1, 4.3, 5.1, 5.3; corrections from recordings.
 */
import { stripTags } from '../../../kernel/model/tags.ts';
import type { SeoPage } from './record.ts';
import { collapse, shownExcerpt } from './texts.ts';
import { descriptionOf, variable } from './variables.ts';

/** Characters that the variables of one template stand for: more are of no use in a title, and there may be many names. */
const maxFilled = 64 * 1024;

/** A name is whatever stands between the same two signs; `%%ct_genre%%single%%` is one name. */
const names = /%%([^%]+%%single|[^%]+)%%/gi;

/**
 * A template with its variables filled in, as text on one line. Names that are unknown or stand for nothing are taken out, and of
 * separators that then stand side by side one stays.
 */
export function fill(page: SeoPage, template: string): string {
  const text = page.filled.get(template) ?? made(page, template);
  page.filled.set(template, text);
  return text;
}

function made(page: SeoPage, template: string): string {
  const plain = stripTags(template);
  if (!plain.includes('%%')) return collapse(plain);
  let left = maxFilled;
  const whole = plain.replace(names, (_, name: string) => {
    const value = left > 0 ? (variable(page, name) ?? '').slice(0, left) : '';
    left -= value.length;
    return value;
  });
  const separator = /%%sep%%/i.test(plain) ? page.options.separatorCharacter : '';
  return collapse(stripTags(separator === '' ? whole : mergeSeparators(collapse(whole), separator)));
}

function mergeSeparators(text: string, separator: string): string {
  const escaped = separator.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return text.replace(new RegExp(`${escaped}(?:\\s*${escaped})*`, 'g'), () => separator);
}

export function titleTemplate({ options, target, values, post, site }: SeoPage): string {
  switch (target.kind) {
    case 'post':
      return values?.title || options.ofType(post?.type ?? '').title;
    case 'term':
      return values?.title || options.ofTaxonomy(target.term.taxonomy).title;
    case 'user':
      return site.seo.valuesOfUser(target.user).title || options.authorTitle;
    case 'home':
      return options.homeTitle;
    case 'archive':
      return options.ofType(target.type).archiveTitle;
    case 'date':
      return options.dateTitle;
    case 'search':
      return options.searchTitle;
    case 'missing':
      return options.missingTitle;
  }
}

export function descriptionTemplate({ options, target, values, post, site, tagline }: SeoPage): string {
  switch (target.kind) {
    case 'post':
      return values?.description || options.ofType(post?.type ?? '').description;
    case 'term':
      return values?.description || options.ofTaxonomy(target.term.taxonomy).description;
    case 'user':
      return site.seo.valuesOfUser(target.user).description || options.authorDescription;
    case 'home':
      return options.homeDescription || tagline;
    case 'archive':
      return options.ofType(target.type).archiveDescription;
    case 'date':
      return options.dateDescription;
    default:
      return '';
  }
}

/** Title for social networks: the one that is given, else that of the page. '' for none. */
export function socialTitle(page: SeoPage): string {
  const own = page.kind === 'home' ? page.options.frontTitle : page.values?.socialTitle;
  return fill(page, own || titleTemplate(page));
}

/** Description for social networks: the one that is given, else that of the page, else what the page is about. */
export function socialDescription(page: SeoPage): string {
  const own = page.kind === 'home' ? page.options.frontDescription : page.values?.socialDescription;
  const template = own || descriptionTemplate(page);
  if (template) return fill(page, template);
  if (page.target.kind === 'term') return descriptionOf(page.target.term);
  return page.post && !page.isLocked ? shownExcerpt(page) : '';
}
