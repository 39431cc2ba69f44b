/**
 * The time zone of a site, of which an export says nothing: it follows from the dates of its items, each told in the site's time
 * and in GMT. One offset is that offset; where it changes over the year it is a zone with such summers, by the name of its best-known city.
 */
import { toLocal } from '../../../kernel/model/dates.ts';

interface ZoneFinder {
  /** Site time and GMT of an item, `YYYY-MM-DDTHH:MM:SS`; '' where there is none. */
  note(local: string, gmt: string): void;
  /** The zone that fits most of the dates; undefined where there are none, or they fit no zone. */
  readonly zone: string | undefined;
}

/** Zones that change their offsets, one for each way of doing so: the first of those that fit as well is taken. */
const changing: readonly string[] = (
  'Europe/Berlin America/New_York Europe/London America/Los_Angeles America/Chicago Europe/Athens Australia/Sydney Pacific/Auckland ' +
  'America/Denver America/Sao_Paulo America/Mexico_City America/Halifax America/Santiago America/Argentina/Buenos_Aires Europe/Istanbul ' +
  'Europe/Moscow Asia/Jerusalem Asia/Tehran Africa/Cairo Australia/Adelaide America/St_Johns America/Anchorage America/Havana ' +
  'Asia/Beirut Asia/Amman America/Asuncion Africa/Casablanca Atlantic/Azores'
).split(' ');
/** Dates that are held against zones; more say no more. */
const mostPairs = 20_000;
/** Share of the dates that a zone has to fit: some are always written by programs that know no zone. */
const leastShare = 0.8;

export function createZoneFinder(): ZoneFinder {
  const pairs = new Map<string, number>();
  const offsets = new Map<number, number>();
  let total = 0;

  return {
    note(local, gmt) {
      if (local === '' || gmt === '') return;
      const minutes = (Date.parse(`${local}Z`) - Date.parse(`${gmt}Z`)) / 60_000;
      total++;
      if (!Number.isInteger(minutes / 15) || Math.abs(minutes) > 14 * 60) return;
      offsets.set(minutes, (offsets.get(minutes) ?? 0) + 1);
      const pair = `${gmt} ${local}`;
      if (pairs.size < mostPairs || pairs.has(pair)) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    },
    get zone() {
      const [usual] = [...offsets].sort((a, b) => b[1] - a[1]);
      if (usual === undefined) return undefined;
      let best = { zone: printOffset(usual[0]), fits: usual[1] };
      if (offsets.size > 1) {
        for (const zone of changing) {
          const fits = fitsOf(zone);
          if (fits > best.fits) best = { zone, fits };
        }
      }
      return best.fits >= total * leastShare ? best.zone : undefined;
    },
  };

  function fitsOf(zone: string): number {
    let fits = 0;
    for (const [pair, count] of pairs) {
      const [gmt = '', local = ''] = pair.split(' ');
      if (toLocal(gmt, zone) === local) fits += count;
    }
    return fits;
  }
}

function printOffset(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
