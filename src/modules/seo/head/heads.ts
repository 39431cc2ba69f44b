/**
 * Heads of pages, kept with their records until something that they show has changed.
 */
import { createAgingCache } from '../../../kernel/records/aging-cache.ts';
import { print, type SerializedJson } from '../../../kernel/rest/serialized-json.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Head, Heads, SeoTarget } from '../metadata/record.ts';
import { addressOf, isVisible, targetAt } from './addresses.ts';
import { headOf } from './head.ts';
import { createPage, picturesOf } from './page.ts';
import { mediaOf } from './pictures.ts';
import type { ReadRecords, Watch } from './record.ts';
import { visitorsView } from './texts.ts';
import { isProtected } from '../../content/posts/record.ts';

interface KeptHead {
  /** As bytes: the collector copies what is young and stays, and goes through what is old. */
  readonly answer: SerializedJson;
  /** What it was made of: asked for again, everything must be what it was. */
  readonly sources: Sources;
  /** State of all records in which that was last so. */
  generation: number;
}

/** In few objects: there is one of these for each head, and the collector goes through them. */
interface Sources {
  readonly target: SeoTarget;
  /** Ways to values, and the values, in turns. */
  readonly reads: unknown[];
  /** Tables, ids in them, and the records, in turns. */
  readonly records: unknown[];
}

/** Bytes of all that is kept. */
const room = 64 * 1024 * 1024;

export function createHeads(site: Site): Heads {
  const kept = createAgingCache<KeptHead>(room, ({ answer, sources }) => answer.length + weightOf(sources));
  /** Whoever shows several members of a head asks for one behind the other. */
  let latest: { readonly answer: SerializedJson; readonly head: Head } | undefined;

  function answerTo(target: SeoTarget): SerializedJson {
    const record = target.kind === 'post' ? target.post : target.kind === 'term' ? target.term : undefined;
    const known = record && kept.get('head', record);
    if (known && isCurrent(site, known)) return known.answer;
    const { head, sources, isLasting } = make(site, target);
    const answer = print({ ...head, status: 200 });
    latest = { answer, head };
    if (record && isLasting) kept.set('head', record, { answer, sources, generation: site.records.generation });
    return answer;
  }

  return {
    prepare(target) {
      const unread = unreadMedia(site, target);
      const reading = unread.length > 0 ? site.media.prepare(unread) : undefined;
      const rendering = target.kind === 'post' && !isProtected(target.post) ? visitorsView(site).prepare(target.post) : undefined;
      return reading && rendering ? reading.then(() => rendering) : (reading ?? rendering);
    },
    of(target) {
      const answer = answerTo(target);
      if (latest?.answer !== answer) latest = { answer, head: answer.toJSON() as Head };
      return latest.head;
    },
    answerTo,
    targetAt: (address) => targetAt(site, address),
    isVisible: (target, viewer) => isVisible(site, target, viewer),
    addressOf: (target) => addressOf(site, target),
  };
}

function isCurrent(site: Site, kept: KeptHead): boolean {
  if (kept.generation === site.records.generation) return true;
  const { target, reads, records } = kept.sources;
  for (let at = 0; at < reads.length; at += 2)
    if (!Object.is((reads[at] as (site: Site, target: SeoTarget) => unknown)(site, target), reads[at + 1])) return false;
  for (let at = 0; at < records.length; at += 3)
    if ((records[at] as ReadRecords<unknown>).get(records[at + 1] as number) !== records[at + 2]) return false;
  kept.generation = site.records.generation;
  return true;
}

function make(site: Site, target: SeoTarget): { readonly head: Head; readonly sources: Sources; readonly isLasting: boolean } {
  const reads: unknown[] = [];
  const records: unknown[] = [];
  let isLasting = true;
  const watch: Watch = Object.assign(
    <T>(read: (site: Site, target: SeoTarget) => T): T => {
      const value = read(site, target);
      reads.push(read, value);
      return value;
    },
    {
      // Parts of a head share few records.
      record<R>(table: ReadRecords<R>, id: number): R | undefined {
        for (let at = 0; at < records.length; at += 3)
          if (records[at] === table && records[at + 1] === id) return records[at + 2] as R | undefined;
        const record = table.get(id);
        records.push(table, id, record);
        return record;
      },
      volatile() {
        isLasting = false;
      },
    },
  );
  const head = headOf(createPage(site, target, watch));
  return { head, sources: { target, reads, records }, isLasting };
}

/** Bytes, about: a function that holds something is some hundred. */
function weightOf({ reads, records }: Sources): number {
  return reads.length * 50 + records.length * 8;
}

function unreadMedia(site: Site, target: SeoTarget) {
  return mediaOf(picturesOf(site, target)).filter((medium) => site.media.facts(medium) === undefined);
}
