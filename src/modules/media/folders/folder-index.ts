/**
 * Folders in memory: the trees of all scopes and the settings of the site, as their files say. Ids are unique over all trees, because
 * clients name folders by nothing else: of two that are alike the first file keeps it, the other gets one of its own.
 */
import { same } from '../../../kernel/model/field.ts';
import { isId } from '../../../kernel/model/ids.ts';
import type { Change, Table } from '../../../kernel/records/types.ts';
import type { SiteKernel } from '../../../kernel/site/hooks.ts';
import type { PlanningSite } from '../../../kernel/site/site.ts';
import type { Batch, Entry, FileChange, Problem, Write } from '../../../kernel/store/types.ts';
import { type FolderRecord, folderSpace, type Scope, scopeOfPath, settingsFile, treePath } from './record.ts';
import { readSiteSettings, type SiteSettings } from './site-settings.ts';
import { emptyTree, listOf, readTree, type Tree, type TreeFault, writeTree } from './tree.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Media folders, by id. */
    readonly mediaFolders: Table<FolderRecord>;
    readonly folderTrees: FolderTrees;
  }
}

export interface FolderTrees {
  /** The tree of a scope; an empty one where there is no file. */
  of(scope: Scope): Tree;
  /** Those that have a file, the shared one first. */
  all(): readonly Tree[];
  readonly settings: SiteSettings;
  /** The file of the settings; null: there is none. */
  readonly settingsEntry: Entry | null;
}

export interface FolderIndex extends FolderTrees {
  /** Before ids are given out. */
  announce(batch: Batch): void;
  /** @returns the files that need ids written into them, joined with `others` */
  ingest(batch: Batch, others: readonly FileChange[]): readonly FileChange[];
  problems(): readonly Problem[];
}

export function createFolderIndex(
  site: Pick<PlanningSite, 'records' | 'nextId' | 'mediaFolders'>,
  { seeId }: Pick<SiteKernel, 'seeId'>,
): FolderIndex {
  const files = new Map<Scope, Entry>();
  /** Ids of rows whose files do not say them yet, by file and row. */
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
      for (const { path, data } of entries) {
        if (scopeOfPath(path) === null) continue;
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

  /** @returns whether a file of folders is in the batch */
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
      // What was served last stays.
      else unreadable.set(entry.path, { rule: 'folder-list', keys: ['folders'], message: 'folders must be a list' });
    }
    if (isTouched) settings = readSiteSettings(settingsEntry?.data ?? {});
    return isTouched;
  }

  function rebuild(): readonly Write[] {
    const used = new Set<number>();
    const found: Problem[] = [...unreadable].map(([path, fault]) => problemOf(path, fault, 'error'));
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
              problemOf(
                entry.path,
                { rule: 'folder-id', keys: ['folders', at, 'id'], message: `${said} is the id of another folder` },
                'warning',
              ),
            );
          return ownId(entry, at);
        },
        (fault) => found.push(problemOf(entry.path, fault, 'warning')),
      );
      trees.set(scope, tree);
      if (!isNumbered) writes.push(writeTree(tree, tree.rows));
    }
    faults = found;
    const changes = changesOf();
    // Settings are no record; what was answered before told others.
    site.records.apply(changes);
    return writes;
  }

  function ownId({ path, data }: Entry, at: number): number {
    const key = `${path}:${JSON.stringify(listOf(data)?.[at])}:${at}`;
    const id = given.get(key) ?? site.nextId(folderSpace);
    given.set(key, id);
    return id;
  }

  function changesOf(): Change[] {
    const changes: Change[] = [];
    const wanted = new Map([...trees.values()].flatMap(({ byId }) => [...byId]));
    for (const { id } of site.mediaFolders.all()) if (!wanted.has(id)) changes.push({ table: folderSpace, remove: id });
    for (const [id, folder] of wanted)
      if (!same(site.mediaFolders.get(id), folder)) changes.push({ table: folderSpace, put: folder });
    return changes;
  }
}

function problemOf(path: string, { rule, keys, message, hint }: TreeFault, severity: Problem['severity']): Problem {
  return { path, line: 1, column: 1, keys, severity, rule, message, ...(hint ? { hint } : {}) };
}
