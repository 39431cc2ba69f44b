/**
 * Heads of pages, kept with their records until something that they show has changed.
 */
import { createAgingCache } from '../../kernel/records/aging-cache.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { Head, Heads, SeoTarget } from '../seo/record.ts';
import { addressOf, isVisible, targetAt } from './addresses.ts';
import { headOf } from './head.ts';
import { createPage, picturesOf } from './page.ts';
import { mediaOf } from './pictures.ts';
import type { Watch } from './record.ts';
import { visitorsView } from './texts.ts';

interface KeptHead {
  readonly head: Head;
  /** What it was made of: asked for again, everything must be what it was. */
  readonly sources: readonly Source[];
  /** State of all records in which that was last so. */
  generation: number;
}

interface Source {
  readonly read: () => unknown;
  readonly value: unknown;
}

/** Bytes of all that is kept. */
const room = 64 * 1024 * 1024;

export function createHeads(site: Site): Heads {
  const kept = createAgingCache<KeptHead>(room, ({ head, sources }) => head.html.length * 6 + sources.length * 100);
  return {
    prepare(target) {
      const unread = unreadMedia(site, target);
      const reading = unread.length > 0 ? site.media.prepare(unread) : undefined;
      const rendering =
        target.kind === 'post' && target.post.password === '' ? visitorsView(site).prepare(target.post) : undefined;
      return reading && rendering ? reading.then(() => rendering) : (reading ?? rendering);
    },
    of(target) {
      const record = target.kind === 'post' ? target.post : target.kind === 'term' ? target.term : undefined;
      if (!record) return make(site, target).head;
      const known = kept.get('head', record);
      if (known && isCurrent(site, known)) return known.head;
      const made = make(site, target);
      if (made.isLasting) kept.set('head', record, { ...made, generation: site.records.generation });
      return made.head;
    },
    targetAt: (address) => targetAt(site, address),
    isVisible: (target, viewer) => isVisible(site, target, viewer),
    addressOf: (target) => addressOf(site, target),
  };
}

function isCurrent(site: Site, kept: KeptHead): boolean {
  if (kept.generation === site.records.generation) return true;
  if (!kept.sources.every(({ read, value }) => Object.is(read(), value))) return false;
  kept.generation = site.records.generation;
  return true;
}

function make(site: Site, target: SeoTarget): Pick<KeptHead, 'head' | 'sources'> & { readonly isLasting: boolean } {
  const sources: Source[] = [];
  let isLasting = true;
  const watch: Watch = Object.assign(
    <T>(read: () => T): T => {
      const value = read();
      sources.push({ read, value });
      return value;
    },
    {
      volatile() {
        isLasting = false;
      },
    },
  );
  const head = headOf(createPage(site, target, watch));
  return { head, sources, isLasting };
}

function unreadMedia(site: Site, target: SeoTarget) {
  return mediaOf(picturesOf(site, target)).filter((medium) => site.media.facts(medium) === undefined);
}
