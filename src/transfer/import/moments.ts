/**
 * Dates of items, of which a source says the site time, GMT or both.
 */
import { type Moment, toGmt, toLocal } from '../../kernel/model/dates.ts';
import { isDate } from './source-scan.ts';
import type { WriteContext } from './write-context.ts';

/** The same for a source whose dates are those of its clock: where the zone of the site means another moment by them, they stay. */
export function momentIn(
  { hasSiteTime, site: { zone } }: WriteContext,
  local: string | undefined,
  gmt: string | undefined,
): Moment | null {
  const moment = momentOf(local, gmt, zone);
  return moment && hasSiteTime && isDate(local) && toLocal(moment.gmt, zone) !== local
    ? { local, gmt: toGmt(local, zone) }
    : moment;
}

/**
 * Both times of a date, of which one may be missing; null for none that can be read. Where both are said they are kept, unless
 * no zone could mean them both.
 */
export function momentOf(local: string | undefined, gmt: string | undefined, zone: string): Moment | null {
  if (isDate(local) && isDate(gmt)) {
    const minutes = (Date.parse(`${local}Z`) - Date.parse(`${gmt}Z`)) / 60_000;
    return Number.isInteger(minutes) && Math.abs(minutes) < 24 * 60 ? { local, gmt } : { local, gmt: toGmt(local, zone) };
  }
  if (isDate(local)) return { local, gmt: toGmt(local, zone) };
  return isDate(gmt) ? { local: toLocal(gmt, zone), gmt } : null;
}
