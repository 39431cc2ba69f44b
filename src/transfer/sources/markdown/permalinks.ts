/** Patterns of addresses, `/:year/:month/:slug/`: what they give for a page, and our own pattern where there is one for it. */
import { slugify } from '../../../kernel/model/slugs.ts';
import type { ImportRemark } from '../../import/items.ts';
import { rowOf } from './keys.ts';

interface Parts {
  readonly title: string;
  readonly slug: string;
  /** File name without date and extension. */
  readonly name: string;
  /** Site time, '' for none. */
  readonly date: string;
  readonly categories: readonly string[];
  /** `/`-separated folders. */
  readonly section: string;
  readonly collection?: string;
  readonly path?: string;
  /** `.html`, or '' where addresses are folders. */
  readonly extension?: string;
}

const monthNames = 'January February March April May June July August September October November December'.split(' ');

/** The address a pattern gives; '' where it has a token that is not known (`unknownToken`). */
export function fill(pattern: string, parts: Parts): string {
  const [year = '', month = '', day = ''] = parts.date.slice(0, 10).split('-');
  const [hour = '', minute = '', second = ''] = parts.date.slice(11).split(':');
  const at = parts.date === '' ? null : new Date(`${parts.date}Z`);
  const values: Readonly<Record<string, string>> = {
    year,
    short_year: year.slice(2),
    month,
    i_month: String(Number(month)),
    short_month: at ? (monthNames[at.getUTCMonth()] as string).slice(0, 3) : '',
    long_month: at ? (monthNames[at.getUTCMonth()] as string) : '',
    monthname: at ? (monthNames[at.getUTCMonth()] as string).toLowerCase() : '',
    day,
    i_day: String(Number(day)),
    y_day: at ? String(Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000) + 1).padStart(3, '0') : '',
    yearday: at ? String(Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / 86_400_000) + 1) : '',
    hour,
    minute,
    second,
    title: parts.slug,
    slug: parts.slug,
    slugorfilename: parts.slug,
    slugorcontentbasename: parts.slug,
    name: parts.name,
    filename: parts.name,
    contentbasename: parts.name,
    basename: parts.name,
    categories: [...new Set(parts.categories.map((name) => slugify(name)))].join('/'),
    section: parts.section.split('/')[0] ?? '',
    sections: parts.section,
    collection: parts.collection ?? '',
    path: parts.path ?? '',
    output_ext: parts.extension ?? '',
  };
  let isKnown = true;
  const path = pattern.replace(tokens, (_, token: string, part?: string) => {
    const value = part === undefined ? rowOf(values, token.toLowerCase()) : undefined;
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  return isKnown ? `/${path}`.replace(/\/{2,}/g, '/') : '';
}

/** Names behind colons, perhaps with a part of the value in brackets. */
const tokens = /:(\w+)(\[[^[\]]*\])?/g;

/** What of a pattern is not known; undefined: nothing. */
export function unknownToken(pattern: string): string | undefined {
  const nothing = { title: 'x', slug: 'x', name: 'x', date: '2000-01-01T00:00:00', categories: [], section: 'x' };
  return [...pattern.matchAll(tokens)].map(([token]) => token).find((token) => fill(token, nothing) === '');
}

/** Tokens that our own permalinks have. */
const ours: Readonly<Record<string, string>> = {
  year: '{year}',
  month: '{month}',
  day: '{day}',
  title: '{slug}',
  slug: '{slug}',
  slugorfilename: '{slug}',
  filename: '{slug}',
  contentbasename: '{slug}',
};

/** The pattern as `permalink` of `site.yaml` has it; null where ours says no such thing. `section` stands for `:section`. */
export function toPermalink(pattern: string, section = ''): string | null {
  const own = `/${pattern.replace(/:section(?=\/|$)/g, section)}/`
    .replace(/\/{2,}/g, '/')
    .replace(/:(\w+)/g, (all, token: string) => rowOf(ours, token.toLowerCase()) ?? all);
  return own.includes(':') || /\.\w+\/$/.test(own) || !own.includes('{slug}') ? null : own;
}

/** The remark on a pattern that our permalinks cannot express. */
export function unsupportedPermalink(pattern: string): ImportRemark {
  const message = `The permalink pattern ${pattern} is not supported; posts get other URLs.`;
  return { severity: 'changed', rule: 'permalink', message };
}
