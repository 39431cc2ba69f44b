/**
 * Writing what was planned, some hundred files at a time: each batch is one commit and then a page of the import state, so that an
 * import may be stopped between any two and go on. A file that somebody changes meanwhile is looked at again, and only it.
 */
import { logicalPath } from '../../modules/posts/record.ts';
import { hash } from '../../kernel/store/bytes.ts';
import { etagOf, printEntry } from '../../kernel/yaml/codec.ts';
import { LockError } from '../../kernel/store/lock.ts';
import { StaleWriteError, type Entry, type FileChange, ReadOnlyError, type Store, type Write } from '../../kernel/store/types.ts';
import { fetchKey } from '../../modules/media/record.ts';
import type { ExistingFile } from './inventory.ts';
import type { Item } from './items.ts';
import type { ImportState, Line } from './import-state.ts';
import type { PlannedItem } from './planned-item.ts';
import type { Outcome, Report, Category } from './report.ts';
import { labelOf, remark, categoryOf } from './source-scan.ts';

export interface Task {
  readonly item: Item;
  readonly sort: Category;
  readonly planned: PlannedItem;
  /** Of what the source says. */
  readonly digest: string;
  /** The whole file as it would be new; null: it cannot be, which has been said. */
  print(): Write | null;
  /** A file that goes along (the bytes of a picture). */
  readonly fileChange?: FileChange | undefined;
}

export function taskOf(item: Item, planned: PlannedItem, optionsHash: string): Omit<Task, 'print'> {
  return { item, planned, sort: categoryOf(item), digest: digestOf([item], optionsHash) };
}

/** Of what the source says, wherever in it that stands. */
export function digestOf(items: readonly Item[], optionsHash: string): string {
  const said = items.map(({ place: _, remarks: __, ...rest }) => rest);
  return hash(Buffer.from(`${optionsHash}\n${JSON.stringify(said)}`)).slice(0, 22);
}

export interface Batches {
  /** Nothing is written, and no file is brought. */
  readonly isRehearsal: boolean;
  /** Decides what becomes of an item and takes it in. @returns what that is */
  put(task: Task): Promise<Outcome>;
  /** Bytes for an attachment whose sidecar was there before them. */
  complete(task: Task, bytes: FileChange): Promise<void>;
  flush(): Promise<void>;
}

interface BatchOptions {
  readonly store: Store;
  readonly importState: ImportState;
  readonly report: Report;
  /** The source's version is taken where a file here has been edited. */
  readonly update: boolean;
  /** Files that no run of the import wrote are those that a site is made with: the source's take their place. */
  readonly isNew: boolean;
  readonly dryRun: boolean;
  readonly maxChanges?: number;
  /** Done before each commit: what must be there first. */
  readonly before?: (() => Promise<void>) | undefined;
}

interface QueuedWrite {
  readonly task: Task;
  write: Write;
  /** Null: nothing is counted. */
  readonly outcome: 'new' | 'updated' | null;
}

const MAX_CHANGES = 256;
const MAX_BYTES = 4 * 1024 * 1024;

export function createBatches(options: BatchOptions): Batches {
  const { store, importState, report, update, isNew, dryRun, maxChanges = MAX_CHANGES } = options;
  let queue: QueuedWrite[] = [];
  let bytes = 0;

  return {
    isRehearsal: dryRun,
    async put(task) {
      const { planned } = task;
      const outcome = decide(task);
      planned.isSettled = true;
      if (outcome !== 'new' && outcome !== 'updated') {
        report.count(task.sort, outcome);
        return outcome;
      }
      const printed = task.print();
      if (printed === null) {
        report.count(task.sort, 'lost');
        return 'lost';
      }
      await add({ task, write: outcome === 'new' ? printed : overKnown(printed, planned), outcome });
      return outcome;
    },
    complete: async (task, bytes) => {
      const { path, etag } = task.planned.existing as ExistingFile;
      const write = { path, expect: etag, data: { [fetchKey]: undefined }, order: [] };
      await add({ task: { ...task, fileChange: bytes }, write, outcome: null });
    },
    flush,
  };

  async function add(queued: QueuedWrite): Promise<void> {
    queue.push(queued);
    bytes += (queued.write.body?.length ?? 0) + 500;
    if (queue.length >= maxChanges || bytes >= MAX_BYTES) await flush();
  }

  function decide(task: Task): Outcome {
    const { planned, digest, item } = task;
    const { existing: known, line, isGone } = planned;
    if (isGone) {
      if (line?.flag !== 'gone') {
        remark(report, item, 'note', 'deleted-here', `${line?.path} was deleted here and stays deleted`, '--update restores it');
        importState.note({ ...(line as Line), flag: 'gone' });
      }
      return 'kept';
    }
    if (known === null) return 'new';
    if ('standsIn' in item) return 'unchanged';
    if (line === null || line.etag === '') return decideFound(task, known);
    const isSource = line.digest === digest;
    const isFile = line.etag === known.etag && line.flag !== 'theirs';
    if (isSource && isFile) return 'unchanged';
    if (isFile || update) return 'updated';
    if (line.flag === 'theirs' && isSource && line.etag === known.etag) return 'kept';
    remark(report, item, 'note', 'edited-here', `${known.path} was edited here and is left alone`, takesSource);
    return 'kept';
  }

  /** A file that no earlier run has made, as far as is known. */
  function decideFound(task: Task, { path, etag }: ExistingFile): Outcome {
    const write = task.print();
    if (write === null) return 'lost';
    const isSame = write.path === path && etagOf(printEntry(null, write)) === etag;
    note(task, path, etag, isSame ? '' : 'theirs');
    if (isSame) return 'unchanged';
    if (update || isNew) return 'updated';
    remark(report, task.item, 'note', 'found-here', `${path} already exists and is left alone`, takesSource);
    return 'kept';
  }

  /** The change that makes the file that is there say what the source says; keys of others in it stay. */
  function overKnown(write: Write, planned: PlannedItem): Write {
    const { path, etag, slug } = planned.existing as ExistingFile;
    const gone = Object.fromEntries(write.order.filter((key) => !Object.hasOwn(write.data, key)).map((key) => [key, undefined]));
    // Files may still name it by its former slug.
    const isRenamed = slug !== '' && planned.slug !== slug && write.order.includes('aliases');
    const aliases = isRenamed ? { aliases: [...new Set([...((write.data.aliases as string[] | undefined) ?? []), slug])] } : {};
    const from = path === write.path ? {} : { from: path };
    return { ...write, ...from, expect: etag, data: { ...gone, ...write.data, ...aliases } };
  }

  async function flush(): Promise<void> {
    const batch = queue;
    queue = [];
    bytes = 0;
    report.sample();
    if (batch.length > 0) {
      await options.before?.();
      await commit(batch);
    }
    if (!dryRun) await importState.save();
  }

  async function commit(batch: readonly QueuedWrite[]): Promise<void> {
    let left = [...batch];
    for (let tries = 0; left.length > 0; tries++) {
      try {
        await write(left);
        return;
      } catch (error) {
        if (isFatal(error)) throw error;
        const culprit =
          error instanceof StaleWriteError && tries < batch.length ? left.find((one) => touches(one, error.path)) : undefined;
        if (culprit) {
          if (!evade(culprit)) left = left.filter((one) => one !== culprit);
          continue;
        }
        if (left.length === 1) {
          give(left[0] as QueuedWrite, error);
          return;
        }
        // Which of them it was is only seen one by one.
        for (const one of left) await commit([one]);
        return;
      }
    }
  }

  async function write(batch: readonly QueuedWrite[]): Promise<void> {
    if (dryRun) {
      for (const { task, outcome } of batch) if (outcome) report.count(task.sort, outcome);
      return;
    }
    const entries = await store.commit(
      batch.flatMap(({ task, write }) => (task.fileChange ? [task.fileChange, write] : [write])),
    );
    batch.forEach(({ task, outcome }, at) => {
      const { path, etag } = entries[at] as Entry;
      if (outcome) report.count(task.sort, outcome);
      const { line, existing: known } = task.planned;
      const isOurs = outcome !== null || line?.flag === '' || line === null;
      note(task, path, etag, isOurs && (outcome !== null || line?.etag === known?.etag) ? '' : 'theirs');
    });
  }

  function note({ planned, digest }: Task, path: string, etag: string, flag: '' | 'theirs'): void {
    importState.note({ kind: planned.kind, key: planned.key, id: planned.id, path, digest, etag, flag });
  }

  /** A file of this name has appeared, or the known one was edited. @returns whether it is to be tried again */
  function evade(queued: QueuedWrite): boolean {
    const { task, outcome, write } = queued;
    const { planned, item, sort } = task;
    const name = `${planned.file}-${planned.id}`;
    const isStuck = outcome !== 'new' || planned.of === 'attachment' || write.path.startsWith(name);
    planned.file = isStuck ? planned.file : name;
    planned.place = logicalPath(`${planned.file}.x`);
    const again = isStuck ? null : task.print();
    if (again !== null && again.path !== write.path) {
      queued.write = again;
      return true;
    }
    remark(
      report,
      item,
      'note',
      'edited-here',
      `${write.path} was changed during the import and is left alone`,
      'run the import again',
    );
    if (outcome) report.count(sort, 'kept');
    return false;
  }

  function give({ task }: QueuedWrite, error: unknown): void {
    const { item, sort } = task;
    report.count(sort, 'failed');
    const message = error instanceof Error ? error.message : String(error);
    report.remark({ severity: 'error', rule: 'not-written', message, what: labelOf(item), place: item.place });
  }
}

const takesSource = '--update overwrites it with the version of the source';

function touches({ task, write }: QueuedWrite, path: string): boolean {
  return (
    write.path === path ||
    write.from === path ||
    (task.fileChange !== undefined && 'path' in task.fileChange && task.fileChange.path === path)
  );
}

/** The disk or the lock, which the next file would not fare better with. */
function isFatal(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof LockError || error instanceof ReadOnlyError) return true;
  return /^E(?:NOSPC|ROFS|ACCES|PERM|MFILE|DQUOT|IO)$/.test((error as NodeJS.ErrnoException).code ?? '');
}
