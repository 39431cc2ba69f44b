/**
 * Time zones: how far they are ahead of GMT. Offsets are found once per zone and year by `Intl` and kept as a short list of changes,
 * so converting costs a look-up.
 */

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A stretch of about 13 months (a power of two in ms) with the offsets in it: `offsets[i]` holds from `starts[i]` on. */
interface Block {
  readonly starts: readonly number[];
  readonly offsets: readonly number[];
}
const BLOCK = 2 ** 35;
/** Finer than the shortest stay of any zone in an offset (Morocco leaves summer time for a month). */
const STEP = BLOCK / 64;

export interface Zone {
  /** Offset in ms of a zone that never changes. */
  readonly fixed: number | null;
  readonly format: Intl.DateTimeFormat | null;
  readonly blocks: Map<number, Block>;
}

/** Facts about the world, not state: what `Intl` said of each zone. */
const zones = new Map<string, Zone>();

/** @throws RangeError for an unknown zone */
export function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known) return known;
  const fixed = fixedOffset(name);
  const format = fixed === null ? new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }) : null;
  const zone: Zone = { fixed, format, blocks: new Map() };
  zones.set(name, zone);
  return zone;
}

function fixedOffset(name: string): number | null {
  if (name === '' || name === 'Z') return 0;
  const found = /^(?:UTC|GMT)?(?:([+-])(\d{1,2})(?::?([0-5]\d)|(\.\d+))?)?$/i.exec(name);
  if (!found) return null;
  const hours = Number(found[2] ?? 0) + Number(found[3] ?? 0) / 60 + Number(found[4] ?? 0);
  return (found[1] === '-' ? -1 : 1) * Math.round(hours * 60) * MINUTE;
}

/** Milliseconds the zone is ahead of GMT at an instant. */
export function offsetAt(zone: Zone, at: number): number {
  if (zone.fixed !== null) return zone.fixed;
  const index = Math.floor(at / BLOCK);
  let block = zone.blocks.get(index);
  if (!block) {
    block = findBlock(zone, index);
    zone.blocks.set(index, block);
  }
  let i = block.starts.length - 1;
  while (i > 0 && at < (block.starts[i] as number)) i--;
  return block.offsets[i] as number;
}

function findBlock(zone: Zone, index: number): Block {
  const from = index * BLOCK;
  const starts = [from];
  const offsets = [askOffset(zone, from)];
  for (let at = from; at < from + BLOCK; at += STEP) {
    const next = askOffset(zone, at + STEP);
    if (next === offsets.at(-1)) continue;
    let [low, high] = [at, at + STEP];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (askOffset(zone, middle) === next) high = middle;
      else low = middle;
    }
    starts.push(high);
    offsets.push(next);
  }
  return { starts, offsets };
}

function askOffset(zone: Zone, at: number): number {
  const found = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec((zone.format as Intl.DateTimeFormat).format(at));
  if (!found) return 0;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * HOUR + Number(found[3]) * MINUTE + Number(found[4] ?? 0) * 1000);
}

/** Instant of a site time (given as if it were GMT), see `toGmt` of `dates.ts`. */
export function resolveLocal(local: number, zone: Zone): number {
  const before = offsetAt(zone, local - DAY);
  const after = offsetAt(zone, local + DAY);
  if (before === after) return local - before;
  const early = local - before;
  const late = local - after;
  const holds = (at: number): boolean => at + offsetAt(zone, at) === local;
  if (holds(early) && holds(late)) return Math.max(early, late);
  return holds(late) ? late : early;
}
