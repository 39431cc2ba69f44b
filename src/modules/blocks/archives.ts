/**
 * Blocks that lead to published posts by their dates: archives and the calendar.
 */
import { formatDate } from '../../kernel/model/dates.ts';
import { blockClass, wireConstants } from '../../kernel/model/wire-constants.ts';
import type { Clause, Page } from '../../kernel/records/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import { escapeHtml } from '../../kernel/model/escape.ts';
import type { PostRecord } from '../posts/record.ts';
import { link, type Rendering, wrap } from './markup.ts';

export function archives({ site, attributes }: Rendering): string {
  const rows: { label: string; path: string; count: number }[] = [];
  const byYear = attributes.type === 'yearly';
  // From one period to the next, not from post to post: there may be very many.
  for (let left = publicPosts(site); left.records[0]; ) {
    const { date } = left.records[0];
    const key = date.slice(0, byYear ? 4 : 7);
    const before = publicPosts(site, { before: `${key}${byYear ? '-01' : ''}-01T00:00:00` });
    rows.push({
      label: formatDate(byYear ? 'Y' : 'F Y', date, site.zone),
      path: `/${key.replace('-', '/')}/`,
      count: left.total - before.total,
    });
    left = before;
  }
  const count = (n: number): string => (attributes.showPostCounts ? `&nbsp;(${n})` : '');
  if (rows.length === 0) return wrap('div', 'archives', attributes, 'No archives to show.');
  if (attributes.displayAsDropdown) {
    const options = rows.map(
      ({ label, path, count: n }) => `<option value="${escapeHtml(site.url + path)}">${label}${count(n)}</option>`,
    );
    return wrap(
      'div',
      `archives-dropdown ${blockClass('archives')}`,
      attributes,
      `<label class="${blockClass('archives__label')}">Archives</label><select name="archive-dropdown">${options.join('')}</select>`,
    );
  }
  return wrap(
    'ul',
    `archives-list ${blockClass('archives')}`,
    attributes,
    rows.map(({ label, path, count: n }) => `<li>${link(site.url + path, label)}${count(n)}</li>`).join(''),
  );
}

export function calendar({ site, attributes }: Rendering): string {
  if (publicPosts(site).total === 0)
    return wrap('div', 'calendar', attributes, 'The calendar block is hidden because there are no published posts.');
  const present = site.now().local;
  const given =
    Number.isInteger(attributes.year) && Number.isInteger(attributes.month) && attributes.month >= 1 && attributes.month <= 12;
  const year = given ? Math.min(9999, Math.max(1, attributes.year as number)) : Number(present.slice(0, 4));
  const month = given ? (attributes.month as number) : Number(present.slice(5, 7));
  const prefix = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  const posts = publicPosts(
    site,
    { after: `${prefix}-01T00:00:00`, before: `${prefix}-31T23:59:59`, inclusive: true },
    Number.POSITIVE_INFINITY,
  ).records;
  const busy = new Map(posts.map((post) => [Number(post.date.slice(8, 10)), post.date.slice(0, 10)]));
  const start = Number(site.settings.value('start_of_week')) || 0;
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const week = names.map((_, at) => names[(at + start) % 7] as string);
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const cells = [
    ...Array.from({ length: (first - start + 7) % 7 }, () => '<td>&nbsp;</td>'),
    ...Array.from({ length: days }, (_, at) => {
      const date = busy.get(at + 1);
      return `<td>${date ? link(`${site.url}/${date.replaceAll('-', '/')}/`, String(at + 1)) : at + 1}</td>`;
    }),
  ];
  while (cells.length % 7 > 0) cells.push('<td>&nbsp;</td>');
  const rows = Array.from({ length: cells.length / 7 }, (_, at) => `<tr>${cells.slice(at * 7, at * 7 + 7).join('')}</tr>`);
  const head = week.map((name) => `<th scope="col" aria-label="${name}">${name.charAt(0)}</th>`).join('');
  const caption = formatDate('F Y', `${prefix}-01T00:00:00`, site.zone);
  return wrap(
    'div',
    'calendar',
    attributes,
    `<table class="${wireConstants.calendarClass}"><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}

/** What every visitor may see. */
export function publishedOf(type: string): Clause[] {
  return [
    { kind: 'in', index: 'type', values: [type] },
    { kind: 'in', index: 'status', values: ['publish'] },
  ];
}

/** The newest, or as many as are wanted, and how many there are in the range. */
function publicPosts(
  site: Site,
  range: Omit<Extract<Clause, { kind: 'range' }>, 'kind' | 'order'> = {},
  limit = 1,
): Page<PostRecord> {
  const where: Clause[] = [...publishedOf('post'), { kind: 'range', order: 'date', ...range }];
  return site.posts.query({ where, sort: { by: 'date', direction: 'desc' }, offset: 0, limit });
}
