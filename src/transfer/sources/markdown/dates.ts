/**
 * The dates of a page, and the status that follows from them and from what hides a page.
 */
import { isZone, parseFileDate } from '../../../kernel/model/dates.ts';
import { usualDate } from '../../../modules/content/front-matter/dates.ts';
import { askedBy, flagOf, reserve } from '../../../modules/content/posts/stated-status.ts';
import { standardStatuses } from '../../../modules/types/statuses.ts';
import type { PostItem } from '../../import/items.ts';
import type { Data } from './front-matter.ts';
import { type Note, type Reader, textOf } from './keys.ts';
import type { GeneratorPlan, PageRole } from './site-generator.ts';

interface DateContext {
  readonly plan: GeneratorPlan;
  /** Milliseconds since the epoch, for dates of release and expiry. */
  readonly now: number;
}

interface ParsedDate {
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string;
  /** GMT, where the zone is known: from the text or from the settings of the site. */
  readonly dateGmt?: string;
}

/**
 * The moment a text or number means; null when it is no date.
 * @param zone  of the source's site times; null when it says none: then only an offset in the text gives the GMT
 */
export function readDate(raw: unknown, zone: string | null): ParsedDate | null {
  const usual = usualDate(raw);
  const moment = usual === null ? null : parseFileDate(usual, zone ?? 'UTC');
  if (!moment) return null;
  const knowsZone = zone !== null || /[Zz]$|\d[+-]\d\d:?\d\d$/.test(usual as string);
  return knowsZone ? { date: moment.local, dateGmt: moment.gmt } : { date: moment.local };
}

/** The zone, when it is one that can be converted. */
export function readZone(raw: unknown): string | null {
  const zone = typeof raw === 'string' ? raw.trim() : '';
  return zone !== '' && isZone(zone) ? zone : null;
}

const statusNames: ReadonlySet<string> = new Set(standardStatuses.map(({ name }) => name));

/** Keys that hide a page and leave it what it is. */
const hidingKeys = ['private', 'hidden', 'unlisted', 'visibility'] as const;

interface Dates {
  readonly date: string;
  readonly dateGmt: string;
  readonly modified: Partial<Pick<PostItem, 'modified' | 'modifiedGmt'>>;
}

/** Date and last change. A date that cannot be read is reported and kept. */
export function datesOf(reader: Reader, role: PageRole, { plan, now }: DateContext, note: Note): Dates {
  const isDate = (value: unknown): boolean => readDate(value, plan.zone) !== null;
  const given = reader.take('date', isDate);
  const odd = given ? undefined : reader.take('date', (value) => typeof value !== 'boolean' && !isDate(value));
  if (odd) {
    note(
      'changed',
      'unreadable-date',
      `invalid date in ${odd.key}: ${JSON.stringify(odd.value)?.slice(0, 80)}`,
      'use the form 2026-03-05T10:00:00',
    );
    reader.keep(odd.key);
  }
  const release = reader.take('release', isDate);
  const released = release ? readDate(release.value, plan.zone) : null;
  if (release) reader.keep(release.key);
  const isToCome = released !== null && Date.parse(`${released.dateGmt ?? released.date}Z`) > now;
  const found = isToCome ? released : readDate(given?.value ?? role.date, plan.zone);
  const changed = reader.take('modified', isDate);
  const modified = changed ? readDate(changed.value, plan.zone) : null;
  if (!found && role.type === 'post' && role.status !== 'draft' && !odd)
    note('note', 'undated', 'No date in the front matter or the file name.');
  return {
    date: found?.date ?? '',
    dateGmt: found?.dateGmt ?? '',
    modified: modified ? { modified: modified.date, ...(modified.dateGmt ? { modifiedGmt: modified.dateGmt } : {}) } : {},
  };
}

/** Drafts, expired pages and templates are drafts; a date to come schedules. */
export function statusOf(
  reader: Reader,
  role: PageRole,
  { plan, now }: DateContext,
  isHtml: boolean,
  body: string,
  data: Data,
  note: Note,
): string {
  const draft = reader.take('draft');
  if (draft && flagOf(draft.value) === undefined) reader.keep(draft.key);
  const published = reader.take('published', (value) => flagOf(value) !== undefined);
  const word = reader.take(
    'status',
    (value) => statusNames.has(textOf(value).toLowerCase()) || textOf(value).toLowerCase() === 'published',
  );
  const expiry = reader.take('expiry', (value) => readDate(value, plan.zone) !== null);
  if (expiry) reader.keep(expiry.key);
  const expires = expiry ? readDate(expiry.value, plan.zone) : null;
  if (expires && Date.parse(`${expires.dateGmt ?? expires.date}Z`) < now) {
    note('changed', 'expired', `Expired on ${expires.date}; imported as a draft.`);
    return 'draft';
  }
  if (askedBy('draft', draft?.value) !== null || askedBy('published', published?.value) !== null) return 'draft';
  if (data.permalink === false) {
    note('changed', 'no-address', 'It had no URL of its own; imported as a draft.');
    return 'draft';
  }
  // A page that is a loop over other pages shows nothing without its generator.
  if (isHtml && /\{%-?\s*(?:for|assign|capture|paginate)\b/.test(body)) {
    note('changed', 'template', 'The page is a template; imported as a draft.');
    return 'draft';
  }
  const said = textOf(word?.value).toLowerCase();
  const status = said === 'published' ? 'publish' : said || role.status || 'publish';
  const hiding = hidingKeys.flatMap((name) => reader.take(name) ?? []);
  const [first] = hiding.filter(({ key, value }) => askedBy(key.toLowerCase(), value) !== null);
  if (!first || reserve(standardStatuses, status) > 0) return status;
  if (flagOf(first.value) === true && first.key.toLowerCase() !== 'private')
    note('changed', 'unlisted', `${first.key}: ${String(first.value)} makes it private; unlisted items are not supported.`);
  return 'private';
}
