/**
 * Eleventy's permalinks that are templates, `/notes/{{ title | slugify }}.html`: computed where they say no more than the page's own data,
 * its date and the generator's own filters for addresses; anything else is not known, and never guessed. No program is run.
 * Source: the generator's documentation (3.x) on permalinks, page variables and filters.
 */
import { foldAccents } from '../../../kernel/model/slugs.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Data } from './front-matter.ts';

export interface PermalinkPage {
  readonly data: Data;
  readonly title: string;
  /** `page.fileSlug` and `page.filePathStem`. */
  readonly fileSlug: string;
  readonly stem: string;
  /** Site time, '' for none. */
  readonly date: string;
}

type Value = string | number | undefined;

/** More of them is no address. */
const maxLength = 1000;

/** The address that a template gives; null where that is not known. */
export function permalinkOf(template: string, page: PermalinkPage): string | null {
  if (template.length > maxLength || template.includes('{%') || template.includes('${')) return null;
  const parts = template.split('{{');
  let address = parts[0] as string;
  for (const part of parts.slice(1)) {
    const end = part.indexOf('}}');
    const value = end === -1 ? undefined : expressionOf(part.slice(0, end).replace(/^-|-$/g, ''), page);
    if (value === undefined) return null;
    address += String(value) + part.slice(end + 2);
  }
  return `/${address}`.replace(/\/{2,}/g, '/').replace(/(^|\/)index\.html$/, '$1');
}

/** An expression with its filters. */
function expressionOf(expression: string, page: PermalinkPage): Value {
  const [first = '', ...filters] = expression.split('|').map((part) => part.trim());
  let value: Value = isDateName(first) && filters.length > 0 ? first : variable(first, page);
  for (const filter of filters) {
    if (value === undefined) return undefined;
    value = filtered(value, filter, page);
  }
  // A date alone is printed in a way that depends on the engine.
  return value !== undefined && isDateName(String(value)) ? undefined : value;
}

const isDateName = (name: string): boolean => name === 'page.date' || name === 'date';

function variable(name: string, { data, title, fileSlug, stem }: PermalinkPage): Value {
  const quoted = /^(["'])([^"']*)\1$/.exec(name)?.[2];
  if (quoted !== undefined) return quoted;
  if (name === 'page.fileSlug') return fileSlug;
  if (name === 'page.filePathStem') return stem;
  if (name === 'title') return title;
  if (!/^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)?$/.test(name) || name.startsWith('page.')) return undefined;
  const [key = '', member] = name.split('.');
  const own = Object.hasOwn(data, key) ? data[key] : undefined;
  const value = member === undefined ? own : mapOf(own)[member];
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function filtered(value: string | number, filter: string, page: PermalinkPage): Value {
  const [, name = '', argument = ''] = /^(\w+)(?:\s*:\s*|\()?(.*?)\)?$/.exec(filter) ?? [];
  const text = String(value);
  if (name === 'date') return isDateName(text) ? dated(page.date, argument) : undefined;
  if (isDateName(text) || argument !== '') return undefined;
  if (name === 'slugify' || name === 'slug') return slugified(text);
  if (name === 'downcase' || name === 'lower') return text.toLowerCase();
  if (name === 'upcase' || name === 'upper') return text.toUpperCase();
  if (name === 'trim' || name === 'strip') return text.trim();
  return name === 'url' || name === 'safe' || name === 'string' ? text : undefined;
}

/** As the generator's own filter makes it; undefined for what it would transcribe. */
function slugified(text: string): Value {
  const plain = foldAccents(text.replace(/&/g, ' and ').replace(/([A-Za-z\d])['\u2019]([ts])(?![A-Za-z])/g, '$1$2'));
  if (/[^\x00-\x7f\u2010-\u203a]/.test(plain)) return undefined;
  const slug = plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? undefined : slug;
}

/** `%Y/%m/%d` of a date. */
function dated(date: string, argument: string): Value {
  const format = /^(["'])([^"']*)\1$/.exec(argument.trim())?.[2];
  if (format === undefined || date === '') return undefined;
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-');
  const values = new Map([
    ...Object.entries({ Y: year, y: year.slice(2), m: month, d: day, H: date.slice(11, 13), M: date.slice(14, 16) }),
    ...Object.entries({ '-m': String(Number(month)), '-d': String(Number(day)), F: date.slice(0, 10), '%': '%' }),
  ]);
  let isKnown = true;
  const out = format.replace(/%(-?.)/g, (_, sign: string) => {
    const value = values.get(sign);
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  // Other engines have other signs.
  return isKnown && (/%/.test(format) || !/[A-Za-z]/.test(format)) ? out : undefined;
}
