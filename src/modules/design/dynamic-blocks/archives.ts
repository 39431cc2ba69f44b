/** Date blocks: archives and the calendar. */
import { colours } from '../../../render/block-styles.ts';
import { table } from '../../../kernel/model/maps.ts';
import { wireConstants } from '../../../render/wire-constants.ts';
import type { ResultPage } from '../../../kernel/records/types.ts';
import { dropdownElement } from '../../../render/dropdown-script.ts';
import type { LiveBlock } from '../../../render/live-block.ts';
import { datePath } from '../../content/permalinks/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { escapeHtml, part, type Renderers, wholeNumber, wrap } from './markup.ts';
import type { BlockSite } from './view.ts';
import { printGmt } from '../../../kernel/model/dates.ts';

export const archiveBlocks: Renderers = { 'core/archives': archives, 'core/calendar': calendar };

/** The date prefix of a period, and its label. */
const periods = table({
  yearly: { length: 4, rest: '-01-01', format: 'Y' },
  monthly: { length: 7, rest: '-01', format: 'F Y' },
  daily: { length: 10, rest: '', format: 'F j, Y' },
} as const);

/** Maximum rows of an archive. */
const mostRows = 2000;

function archives(live: LiveBlock, site: BlockSite): string {
  const { attributes, run } = live;
  const type = String(attributes.type);
  const rows = Object.hasOwn(periods, type) ? rowsOf(site, type as keyof typeof periods) : (otherRows[type]?.(site) ?? []);
  const counted = (count: number): string => (attributes.showPostCounts ? `&nbsp;(${count})` : '');
  if (attributes.displayAsDropdown) {
    const id = `${part('archives')}-${run.unique()}`;
    const hidden = attributes.showLabel ? '' : ' screen-reader-text';
    const options = rows.map(({ href, label, count }) => `\t<option value='${href}'> ${label} ${counted(count)}</option>\n`);
    const select = `<select id="${id}" name="archive-dropdown">\n\t\t<option value="">${selectLabels[type] ?? 'Select Post'}</option>${options.join('')}</select>`;
    const label = `<label for="${id}" class="${part('archives__label')}${hidden}">Archives</label>`;
    return wrap('div', live, `${label}\n\t\t${select}${dropdownElement()}\n`, [part('archives-dropdown')]);
  }
  if (rows.length === 0) return wrap('div', live, 'No archives to show.', [part('archives-list')]);
  const items = rows.map(({ href, label, count }) => `\t<li><a href='${href}'>${label}</a>${counted(count)}</li>\n`);
  return wrap('ul', live, items.join(''), [part('archives-list')]);
}

const selectLabels: Readonly<Record<string, string>> = table({
  yearly: 'Select Year',
  monthly: 'Select Month',
  daily: 'Select Day',
  weekly: 'Select Week',
});

interface Row {
  readonly href: string;
  readonly label: string;
  readonly count: number;
}

/** Weeks, and single posts. */
const otherRows: Readonly<Record<string, (site: BlockSite) => readonly Row[]>> = table({
  weekly: weeks,
  postbypost: (site: BlockSite) => posts(site, 'date'),
  alpha: (site: BlockSite) => posts(site, 'title'),
});

/** Weeks with posts, newest first, by year and week number as in the reference's database. */
function weeks(site: BlockSite): readonly Row[] {
  const day = 86_400_000;
  const start = Number(site.setting('start_of_week')) || 0;
  const rows: Row[] = [];
  for (let left = publicPosts(site); left.records[0] && rows.length < mostRows && site.spend(1); ) {
    const { date } = left.records[0];
    const time = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
    const first = time - ((new Date(time).getUTCDay() - start + 7) % 7) * day;
    const before = publicPosts(site, { before: printGmt(first) });
    const [from, to] = [first, first + 6 * day].map((one) => site.formatted('', printGmt(one)));
    const href = escapeHtml(`${site.home}/?m=${date.slice(0, 4)}&w=${weekOf(time, start)}`).replaceAll('&amp;', '&#038;');
    rows.push({ href, label: `${from}&#8211;${to}`, count: left.total - before.total });
    left = before;
  }
  return rows;
}

/** The number of a week: 1 is the first with most of its days in the year, 0 is before. */
function weekOf(time: number, start: number): number {
  const day = 86_400_000;
  const newYear = Date.UTC(new Date(time).getUTCFullYear(), 0, 1);
  const offset = (new Date(newYear).getUTCDay() - start + 7) % 7;
  const days = Math.round((time - newYear) / day) + offset;
  return Math.floor(days / 7) + (offset <= 3 ? 1 : 0);
}

function posts(site: BlockSite, by: 'date' | 'title'): readonly Row[] {
  const { records } = site.posts({
    type: 'post',
    sort: { by, direction: by === 'date' ? 'desc' : 'asc' },
    isPublic: true,
    limit: mostRows,
  });
  const listed = site.spend(records.length) ? records : [];
  return listed.map((post) => ({
    href: escapeHtml(site.link(post)),
    label: site.plainTitle(post) || String(post.id),
    count: 1,
  }));
}

/** Jumps from period to period, because there may be very many posts. */
function rowsOf(site: BlockSite, type: keyof typeof periods): readonly Row[] {
  const { length, rest, format } = periods[type];
  const rows: Row[] = [];
  for (let left = publicPosts(site); left.records[0] && rows.length < mostRows && site.spend(1); ) {
    const { date } = left.records[0];
    const key = date.slice(0, length);
    const before = publicPosts(site, { before: `${key}${rest}T00:00:00` });
    const href = escapeHtml(site.home + datePath(key));
    rows.push({ href, label: site.formatted(format, date), count: left.total - before.total });
    left = before;
  }
  return rows;
}

function calendar(live: LiveBlock, site: BlockSite): string {
  const { attributes } = live;
  if (publicPosts(site).total === 0)
    return site.reader ? '<div>The calendar block is hidden because there are no published posts.</div>' : '';
  const permalink = String(site.setting('permalink'));
  const isGiven =
    permalink.includes('{year}') &&
    permalink.includes('{month}') &&
    attributes.month !== undefined &&
    attributes.year !== undefined;
  const year = isGiven ? wholeNumber(attributes.year, 1970, 1, 9999) : Number(site.present.slice(0, 4));
  const month = isGiven ? wholeNumber(attributes.month, 1, 1, 12) : Number(site.present.slice(5, 7));
  const { classes, css } = colours(attributes);
  const style = css === '' ? '' : ` style="${escapeHtml(css)}"`;
  const names = [wireConstants.calendarClass, ...classes].map(escapeHtml).join(' ');
  const table = `<table${style} id="${wireConstants.calendarId}" class="${names}">${monthOf(site, year, month)}\n\t</table>`;
  return wrap('div', live, `${table}${neighbours(site, year, month)}`);
}

function monthOf(site: BlockSite, year: number, month: number): string {
  const prefix = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  const range = { after: `${prefix}-01T00:00:00`, before: `${prefix}-31T23:59:59`, inclusive: true };
  const busy = new Set(publicPosts(site, range, Number.POSITIVE_INFINITY).records.map(({ date }) => Number(date.slice(8, 10))));
  const start = Number(site.setting('start_of_week')) || 0;
  const week = (day: number): number => (new Date(Date.UTC(year, month - 1, day)).getUTCDay() - start + 7) % 7;
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
  const head = names.map((_, at) => names[(at + start) % 7] as string);
  let body = '';
  if (week(1) > 0) body += `\n\t\t<td colspan="${week(1)}" class="pad">&nbsp;</td>`;
  for (let day = 1; day <= days; day++) {
    if (day > 1 && week(day) === 0) body += '\n\t</tr>\n\t<tr>\n\t\t';
    const date = `${prefix}-${String(day).padStart(2, '0')}`;
    const told = `Posts published on ${site.formatted('F j, Y', `${date}T00:00:00`)}`;
    const shown = busy.has(day) ? `<a href="${escapeHtml(site.home + datePath(date))}" aria-label="${told}">${day}</a>` : day;
    body += `<td${date === site.present.slice(0, 10) ? ' id="today"' : ''}>${shown}</td>`;
  }
  const left = 6 - week(days);
  if (left > 0) body += `\n\t\t<td class="pad" colspan="${left}">&nbsp;</td>`;
  const columns = head.map((name) => `\n\t\t<th scope="col" aria-label="${name}">${name.charAt(0)}</th>`).join('');
  const caption = site.formatted('F Y', `${prefix}-01T00:00:00`);
  return `\n\t<caption>${caption}</caption>\n\t<thead>\n\t<tr>${columns}\n\t</tr>\n\t</thead>\n\t<tbody>\n\t<tr>${body}\n\t</tr>\n\t</tbody>`;
}

/** Links to adjacent months with posts. */
function neighbours(site: BlockSite, year: number, month: number): string {
  const prefix = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`;
  const before = publicPosts(site, { before: `${prefix}-01T00:00:00` }).records[0]?.date;
  const after = publicPosts(site, { after: `${prefix}-31T23:59:59` }, 1, 'asc').records[0]?.date;
  const to = (date: string, label: string): string =>
    `<a href="${escapeHtml(site.home + datePath(date.slice(0, 7)))}">${label}</a>`;
  const name = wireConstants.calendarNav;
  const previous = before ? to(before, `&laquo; ${site.formatted('M', before)}`) : '&nbsp;';
  const next = after ? to(after, `${site.formatted('M', after)} &raquo;`) : '&nbsp;';
  return `<nav aria-label="Previous and next months" class="${name}">\n\t\t<span class="${name}-prev">${previous}</span>\n\t\t<span class="pad">&nbsp;</span>\n\t\t<span class="${name}-next">${next}</span>\n\t</nav>`;
}

/** The newest (or oldest) post of a range, and the total. */
function publicPosts(
  site: BlockSite,
  range: { readonly before?: string; readonly after?: string; readonly inclusive?: boolean } = {},
  limit = 1,
  direction: 'asc' | 'desc' = 'desc',
): ResultPage<PostRecord> {
  const where = [{ kind: 'range' as const, order: 'date', ...range }];
  return site.posts({ type: 'post', where, sort: { by: 'date', direction }, isPublic: true, ...(limit < 1e9 ? { limit } : {}) });
}
