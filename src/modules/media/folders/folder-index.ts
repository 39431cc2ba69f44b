/**
 * Folders in memory: all trees and the site's settings. Ids are unique over all trees, because clients only send the id: of duplicates the first file
 * keeps it.
 */
import { same } from '../../../kernel/model/field.ts';
import { isId } from '../../../kernel/model/ids.ts';
import type { RecordChange, Table } from '../../../kernel/records/types.ts';
import type { SiteKernel } from '../../../kernel/site/hooks.ts';
import type { PlanningSite } from '../../../kernel/site/site.ts';
import { problemOf } from '../../../kernel/store/problems.ts';
import type { Batch, Entry, FileChange, Problem, Write } from '../../../kernel/store/types.ts';
import { type FolderRecord, folderSpace, type Scope, scopeOfPath, settingsFile, treePath } from './record.ts';
import { readSiteSettings, type SiteSettings } from './site-settings.ts';
import { emptyTree, listOf, readTree, type Tree, type TreeFault, writeTree } from './tree.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly mediaFolders: Table<FolderRecord>;
    readonly folderTrees: FolderTrees;
  }
}

export interface FolderTrees {
  /** The tree of a scope; empty without a file. */
  of(scope: Scope): Tree;
  /** Trees with a file, the shared one first. */
  all(): readonly Tree[];
  readonly settings: SiteSettings;
  /** Null if there is none. */
  readonly settingsEntry: Entry | null;
}

interface FolderIndex extends FolderTrees {
  /** Must be called before ids are assigned. */
  announce(batch: Batch): void;
  /** @returns files that need ids, merged with `others` */
  ingest(batch: Batch, others: readonly FileChange[]): readonly FileChange[];
  problems(): readonly Problem[];
}

export function createFolderIndex(
  site: Pick<PlanningSite, 'records' | 'nextId' | 'mediaFolders'>,
  { seeId }: Pick<SiteKernel, 'seeId'>,
): FolderIndex {
  const files = new Map<Scope, Entry>();
  /** Assigned but unwritten ids, by file and row. */
  const given = new Map<string, number>();
  const unreadable = new Map<string, TreeFault>();
  let trees = new Map<Scope, Tree>();
  let faults: readonly Problem[] = [];
  let settingsEntry: Entry | null = null;
  let settings = readSiteSettings({});

  return {
    of: (scope) => trees.get(scope) ?? emptyTree(scope, treePath(scope)),
    all: () => [...trees.values()],
    get settings() {
      return settings;
    },
    get settingsEntry() {
      return settingsEntry;
    },
    announce({ entries }) {
      for (const entry of entries) {
        if (scopeOfPath(entry.path) === null) continue;
        const { data } = entry;
        if (isId(data.last_id)) seeId(folderSpace, data.last_id);
        for (const row of listOf(data) ?? []) {
          const id = (row as { id?: unknown } | null)?.id;
          if (isId(id)) seeId(folderSpace, id);
        }
      }
    },
    ingest(batch, others) {
      if (!take(batch)) return others;
      const writes = rebuild();
      return [...others, ...writes];
    },
    problems: () => faults,
  };

  /** @returns whether the batch contains a folder file */
  function take({ entries, removed }: Batch): boolean {
    let isTouched = false;
    for (const path of removed) {
      const scope = scopeOfPath(path);
      if (scope === null && path !== settingsFile) continue;
      isTouched = true;
      unreadable.delete(path);
      if (scope === null) settingsEntry = null;
      else files.delete(scope);
    }
    for (const entry of entries) {
      const scope = scopeOfPath(entry.path);
      if (scope === null && entry.path !== settingsFile) continue;
      isTouched = true;
      unreadable.delete(entry.path);
      if (scope === null) settingsEntry = entry;
      else if (listOf(entry.data) !== null) files.set(scope, entry);
      // The last good state stays.
      else unreadable.set(entry.path, { rule: 'folder-list', keys: ['folders'], message: 'folders must be a list' });
    }
    if (isTouched) settings = readSiteSettings(settingsEntry?.data ?? {});
    return isTouched;
  }

  function rebuild(): readonly Write[] {
    const used = new Set<number>();
    const found: Problem[] = [...unreadable].map(([path, fault]) => problemOf(path, fault));
    const writes: Write[] = [];
    trees = new Map();
    for (const [scope, entry] of [...files].sort(([a], [b]) => a - b)) {
      let isNumbered = true;
      const tree = readTree(
        scope,
        entry,
        (said, at) => {
          if (isId(said) && !used.has(said)) {
            used.add(said);
            return said;
          }
          isNumbered = false;
          if (isId(said))
            found.push(
              problemOf(entry.path, {
                rule: 'folder-id',
                severity: 'warning',
                keys: ['folders', at, 'id'],
                message: `${said} is the id of another folder`,
              }),
            );
          return ownId(entry, at);
        },
        (fault) => found.push(problemOf(entry.path, { ...fault, severity: 'warning' })),
      );
      trees.set(scope, tree);
      if (!isNumbered) writes.push(writeTree(tree, tree.rows));
    }
    faults = found;
    const changes = changesOf();
    // Settings are not records, but affect cached responses.
    site.records.apply(changes);
    return writes;
  }

  function ownId({ path, data }: Entry, at: number): number {
    const key = `${path}:${JSON.stringify(listOf(data)?.[at])}:${at}`;
    const id = given.get(key) ?? site.nextId(folderSpace);
    given.set(key, id);
    return id;
  }

  function changesOf(): RecordChange[] {
    const changes: RecordChange[] = [];
    const wanted = new Map([...trees.values()].flatMap(({ byId }) => [...byId]));
    for (const { id } of site.mediaFolders.all()) if (!wanted.has(id)) changes.push({ table: folderSpace, remove: id });
    for (const [id, folder] of wanted)
      if (!same(site.mediaFolders.get(id), folder)) changes.push({ table: folderSpace, put: folder });
    return changes;
  }
}
