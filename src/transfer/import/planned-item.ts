/**
 * What one item will be on the site, and how such things plannedSite below one another.
 */
import type { PostType } from '../../modules/types/types.ts';
import type { ExistingFile } from './inventory.ts';
import type { Line } from './import-state.ts';
import type { ItemHeader } from './source-scan.ts';

export type Kind = 'user' | 'term' | 'post' | 'comment' | 'menu-link';

export interface PlannedItem {
  readonly kind: Kind;
  readonly key: string;
  /** Type or taxonomy, as the site calls it. */
  readonly of: string;
  id: number;
  slug: string;
  /** By which others call it: `pages/about`; of an attachment, its media file. '' for what has no place of its own. */
  place: string;
  /** Its file without extension: `pages/about/index`. */
  file: string;
  parent: PlannedItem | null;
  /** A parent that would have closed a circle was left out. */
  isCut: boolean;
  /** Path it had, where it has another one here; '' for none. It leads here. */
  formerPath: string;
  /** The file that holds it already. */
  existing: ExistingFile | null;
  readonly line: Line | null;
  /** A person deleted its file; nothing refers to it. */
  readonly isGone: boolean;
  /** Nothing has to wait for it any more: it is on its way to the disk, or will not come. */
  isSettled: boolean;
  /** What addresses are made of; of posts alone, and let go when they are made. */
  header: ItemHeader | null;
}

/** Planned things, each after its parent. */
export function* parentsFirst(all: Iterable<PlannedItem>): Generator<PlannedItem> {
  const done = new Set<PlannedItem>();
  for (const one of all) {
    const line: PlannedItem[] = [];
    for (let at: PlannedItem | null = one; at && !done.has(at); at = at.parent) {
      done.add(at);
      line.push(at);
    }
    yield* line.reverse();
  }
}

/** Whether a post stands in the folder of its parent. */
export function isBelow(types: ReadonlyMap<string, PostType>, { of, parent }: PlannedItem): boolean {
  return parent !== null && parent.of === of && types.get(of)?.hierarchical === true;
}

/** Cuts what is below itself loose, at one place. */
export function cutCircles(all: Iterable<PlannedItem>): void {
  const done = new Set<PlannedItem>();
  for (const one of all) {
    const way = new Set<PlannedItem>();
    for (let at: PlannedItem | null = one; at && !done.has(at); at = at.parent) {
      if (way.has(at.parent as PlannedItem) || at.parent === at) {
        at.parent = null;
        at.isCut = true;
      }
      way.add(at);
    }
    for (const at of way) done.add(at);
  }
}
