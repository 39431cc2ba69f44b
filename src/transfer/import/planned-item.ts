/**
 * What one item will be on the site, the draft of a plan that such items are put into, and how they form trees.
 */
import type { PostType } from '../../modules/types/record.ts';
import type { Naming } from './declarations.ts';
import type { ImportState, Line } from './import-state.ts';
import type { ExistingFile, Inventory } from './inventory.ts';
import type { SaidLanguage } from './item-language.ts';
import type { ContentKind } from './items.ts';
import type { ItemHeader, SourceScan } from './source-scan.ts';

export interface PlannedItem {
  readonly kind: ContentKind;
  readonly key: string;
  /** Type or taxonomy, as the site calls it. */
  readonly of: string;
  id: number;
  slug: string;
  /** Logical path, by which references name it: `pages/about`; of an attachment, its media file. '' for what has no path of its own. */
  place: string;
  /** Its file without extension: `pages/about/index`. */
  file: string;
  parent: PlannedItem | null;
  /** Code of its language; '' on a site without languages. */
  lang: string;
  /** What its source says of its language, if it does. */
  said?: SaidLanguage;
  /** What it translates. */
  original: PlannedItem | null;
  /** A parent that would have closed a cycle was left out. */
  isCut: boolean;
  /** Path it had on the old site, if it has another one here; '' for none. It becomes an alias. */
  formerPath: string;
  /** The file that already holds it. */
  existing: ExistingFile | null;
  readonly line: Line | null;
  /** Lines of other parts of the site. */
  readonly others?: readonly Line[];
  /** The user deleted its file; nothing refers to it. */
  readonly isGone: boolean;
  /** Nothing has to wait for it any more: it is being written, or will not be. */
  isSettled: boolean;
  /** What URLs are made of; of posts only, and released once they are made. */
  header: ItemHeader | null;
  /** It is not in this source: an earlier import of the same site made it. */
  readonly isKnown?: true;
  /** The address it had and the one it has here, for later imports of the same site. */
  address?: readonly [from: string, to: string];
  /** What it names and what is not there, see `Line`. */
  wants?: readonly string[];
}

export interface PlanOptions {
  readonly sourceScan: SourceScan;
  readonly naming: Naming;
  /** Records the slugs, paths and ids that are assigned. */
  readonly inventory: Inventory;
  readonly importState: ImportState;
  /** URL pattern of posts, `/{year}/{slug}/`. */
  readonly permalink: string;
  /** Names of the theme, here and in the source, if it states one; the slugs of user styles are these names. */
  readonly stylesheet: { readonly site: string; readonly source: string };
  /** Deleted files are restored. */
  readonly update: boolean;
}

/** A plan in the making. All maps but `types` and `accounts` go from the keys of the source to planned items. */
export interface PlanDraft extends PlanOptions {
  readonly types: ReadonlyMap<string, PostType>;
  /** Login in lower case → id of the account. */
  readonly accounts: ReadonlyMap<string, number>;
  /** Existing files that an item of the source is matched to. */
  readonly claimed: Set<ExistingFile>;
  readonly users: Map<string, PlannedItem>;
  readonly terms: Map<string, PlannedItem>;
  readonly posts: Map<string, PlannedItem>;
  readonly comments: Map<string, PlannedItem>;
  readonly links: Map<string, PlannedItem>;
  /** Attachments by their files. */
  readonly media: Map<string, PlannedItem>;
}

/** Planned items, each after its parent. */
export function* parentsFirst(all: Iterable<PlannedItem>): Generator<PlannedItem> {
  const done = new Set<PlannedItem>();
  for (const one of all) {
    const ancestors: PlannedItem[] = [];
    for (let at: PlannedItem | null = one; at && !done.has(at); at = at.parent) {
      done.add(at);
      ancestors.push(at);
    }
    yield* ancestors.reverse();
  }
}

/** Whether the file of a post is in the folder of its parent. */
export function isBelow(types: ReadonlyMap<string, PostType>, { of, parent }: PlannedItem): boolean {
  return parent !== null && parent.of === of && types.get(of)?.hierarchical === true;
}

/** Breaks every cycle of parents, at one place. */
export function cutCycles(all: Iterable<PlannedItem>): void {
  const done = new Set<PlannedItem>();
  for (const one of all) {
    const path = new Set<PlannedItem>();
    for (let at: PlannedItem | null = one; at && !done.has(at); at = at.parent) {
      if (path.has(at.parent as PlannedItem) || at.parent === at) {
        at.parent = null;
        at.isCut = true;
      }
      path.add(at);
    }
    for (const at of path) done.add(at);
  }
}
