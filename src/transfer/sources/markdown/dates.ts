/**
 * The dates of a page, and the status that follows from them and from what hides a page.
 */
import { isZone, parseFileDate } from '../../../kernel/model/dates.ts';
import { usualDate } from '../../../modules/content/front-matter/dates.ts';
import { foldKey } from '../../../modules/content/front-matter/names.ts';
import {
  flagOf,
  hidingKey,
  isPageless,
  reserve,
  restrictions,
  statusNamed,
  statusStated,
  withStatusKeys,
} from '../../../modules/content/posts/stated-status.ts';
import { standardStatuses } from '../../../modules/types/statuses.ts';
import type { PostItem } from '../../import/items.ts';
import type { Data } from './front-matter.ts';
import type { Note, KeyReader } from './keys.ts';
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

const statusNames = standardStatuses.map(({ name }) => name).filter((name) => name !== 'inherit');

interface Dates {
  readonly date: string;
  readonly dateGmt: string;
  readonly modified: Partial<Pick<PostItem, 'modified' | 'modifiedGmt'>>;
}

/** Date and last change. A date that cannot be read is reported and kept. */
export function datesOf(reader: KeyReader, role: PageRole, { plan, now }: DateContext, note: Note): Dates {
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

/** What is asked of a page's status besides its keys. */
interface StatusContext extends DateContext {
  readonly role: PageRole;
  readonly isHtml: boolean;
  readonly body: string;
  /** Front matter with what folders and configuration give, and its own alone. */
  readonly data: Data;
  readonly own: Data;
}

/**
 * The status that the keys of a page say (`statusStated`), as the server reads them where the folder is served; drafts besides are expired
 * pages, templates and what lies among drafts. A date to come schedules.
 */
export function statusOf(reader: KeyReader, { plan, now, role, isHtml, body, data, own }: StatusContext, note: Note): string {
  const status = statusStated(data, standardStatuses);
  takeStatusKeys(reader, data);
  const word = reader.take('status', (value) => statusNamed(value, statusNames) !== undefined);
  const odd = word ? undefined : reader.take('status');
  if (odd) {
    note('changed', 'unknown-status', `unknown status ${JSON.stringify(odd.value)?.slice(0, 80)}; imported as a draft`);
    reader.keep(odd.key);
  }
  const expiry = reader.take('expiry', (value) => readDate(value, plan.zone) !== null);
  if (expiry) reader.keep(expiry.key);
  const expires = expiry ? readDate(expiry.value, plan.zone) : null;
  if (expires && Date.parse(`${expires.dateGmt ?? expires.date}Z`) < now) {
    note('changed', 'expired', `Expired on ${expires.date}; imported as a draft.`);
    return 'draft';
  }
  const { spelled = {} } = withStatusKeys(data);
  const pageless = Object.values(spelled).find((key) => isPageless(key) && foldKey(key) !== 'state');
  const becomes = status === 'private' ? 'private' : 'a draft';
  if (pageless !== undefined)
    note(
      'changed',
      'no-address',
      `It had no URL of its own (${pageless}); imported as ${becomes === 'private' ? 'private' : 'a draft'}.`,
    );
  if (reserve(standardStatuses, statusStated(own, standardStatuses)) < reserve(standardStatuses, status))
    note('changed', 'inherited-status', `Its folder or the configuration makes it ${becomes}.`);
  if (reserve(standardStatuses, status) > 1) return status;
  // A page that is a loop over other pages shows nothing without its generator.
  if (isHtml && /\{%-?\s*(?:for|assign|capture|paginate)\b/.test(body)) {
    note('changed', 'template', 'The page is a template; imported as a draft.');
    return 'draft';
  }
  if (role.status === 'draft' && reserve(standardStatuses, status) === 0) {
    if (role.why !== undefined) note('changed', 'held-back', role.why);
    return 'draft';
  }
  const unlisted = unlistedKeys.find((key) =>
    Object.keys(data).some((one) => foldKey(one) === key && flagOf(data[one]) === true),
  );
  if (status === 'private' && unlisted !== undefined)
    note('changed', 'unlisted', `${unlisted}: true makes it private; unlisted items are not supported.`);
  return status;
}

const unlistedKeys = ['hidden', 'unlisted'];

/** Uses up the keys that the status is read of; a value that is none of theirs stays, for people to see. */
function takeStatusKeys(reader: KeyReader, data: Data): void {
  for (const key of Object.keys(data)) {
    const name = isPageless(key) ? undefined : ownName(key);
    const isOdd = name !== undefined && name !== 'visibility' && flagOf(data[key]) === undefined;
    if (name !== undefined && !isOdd) reader.takeKey(key);
    else if (isPageless(key) && Object.values(withStatusKeys({ [key]: data[key] }).spelled ?? {}).length > 0) reader.takeKey(key);
  }
}

/** The restriction that a key is, under whatever name. */
function ownName(key: string): string | undefined {
  const name = hidingKey(key) ?? key;
  return Object.hasOwn(restrictions, name) ? name : undefined;
}
