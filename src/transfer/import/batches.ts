/**
 * Writes planned items some hundred files at a time: each batch is one commit and then a page of the import state, so an import can
 * be stopped between any two batches and continue later. Only a file that changes meanwhile is looked at again.
 */
import { logicalPath } from '../../kernel/model/logical-path.ts';
import { hash } from '../../kernel/store/bytes.ts';
import { etagOf, printEntry } from '../../kernel/yaml/codec.ts';
import { LockError } from '../../kernel/store/lock.ts';
import { StaleWriteError, type Entry, type FileChange, ReadOnlyError, type Store, type Write } from '../../kernel/store/types.ts';
import { fetchKey } from '../../modules/content/attachments/record.ts';
import type { ExistingFile } from './inventory.ts';
import type { SourceItem } from './items.ts';
import type { ImportState, Line } from './import-state.ts';
import type { PlannedItem } from './planned-item.ts';
import type { ImportOutcome, ImportLog, Category } from './report.ts';
import { labelOf, remark, categoryOf } from './source-scan.ts';

export interface ImportTask {
  readonly item: SourceItem;
  readonly category: Category;
  readonly planned: PlannedItem;
  /** Of what the source says. */
  readonly digest: string;
  /** The whole file as it would be new; null if it cannot be written, which has been reported. */
  print(): Write | null;
  /** What it names and what is not there, besides what `print` finds. */
  readonly wants?: readonly string[];
  /** The media file that is written with its sidecar. */
  readonly fileChange?: FileChange | undefined;
  /** Its bytes. */
  readonly fileSize?: number | undefined;
  /** Keys that the site itself sets or drops once the file is there, with what the import writes. */
  readonly siteKeys?: Readonly<Record<string, unknown>> | undefined;
}

export function taskOf(item: SourceItem, planned: PlannedItem, optionsHash: string): Omit<ImportTask, 'print'> {
  return { item, planned, category: categoryOf(item), digest: digestOf([item], optionsHash) };
}

/** Of what the source says, wherever in the source it says so. */
export function digestOf(items: readonly SourceItem[], optionsHash: string): string {
  const said = items.map(({ place: _, remarks: __, ...rest }) => rest);
  return hash(Buffer.from(`${optionsHash}\n${JSON.stringify(said)}`)).slice(0, 22);
}

export interface Batches {
  /** Nothing is written, and no media file is fetched. */
  readonly isRehearsal: boolean;
  /** Decides what happens to an item, and queues it. @returns the decision */
  put(task: ImportTask): Promise<ImportOutcome>;
  /** Queues the media file of an attachment whose sidecar is already there. */
  complete(task: ImportTask, fileChange: FileChange): Promise<void>;
  flush(): Promise<void>;
}

interface BatchOptions {
  readonly store: Store;
  readonly importState: ImportState;
  readonly report: ImportLog;
  /** The source overwrites files that were edited here. */
  readonly update: boolean;
  /** What an item that is printed names and what is not there: filled by `print`. */
  readonly unmet: string[];
  /** Whether something that an item named is there now. */
  isHere(want: string): boolean;
  /** Files that no import has written come with a new site: those of the source replace them. */
  readonly isNew: boolean;
  readonly dryRun: boolean;
  readonly maxChanges?: number;
  /** Called before each commit, for what must be there first. */
  readonly before?: (() => Promise<void>) | undefined;
}

interface QueuedWrite {
  readonly task: ImportTask;
  write: Write;
  /** Null: not counted. */
  readonly outcome: 'new' | 'updated' | null;
}

/** Batches under way. */
interface BatchState extends BatchOptions {
  readonly maxChanges: number;
  queue: QueuedWrite[];
  /** Of the queue, roughly. */
  bytes: number;
  /** Of its media files, which a run that is killed has to fetch again. */
  fileBytes: number;
}

const defaultMaxChanges = 256;
const maxBytes = 4 * 1024 * 1024;
const maxFileBytes = 4 * maxBytes;
const overwriteHint = '--update overwrites it with the version of the source';

export function createBatches(options: BatchOptions): Batches {
  const state: BatchState = {
    ...options,
    maxChanges: options.maxChanges ?? defaultMaxChanges,
    queue: [],
    bytes: 0,
    fileBytes: 0,
  };
  return {
    isRehearsal: options.dryRun,
    put: (task) => put(state, task),
    async complete(task, fileChange) {
      const { path, etag } = task.planned.existing as ExistingFile;
      const write = { path, expect: etag, data: { [fetchKey]: undefined }, order: [] };
      await enqueue(state, { task: { ...task, fileChange }, write, outcome: null });
    },
    flush: () => flush(state),
  };
}

async function put(state: BatchState, task: ImportTask): Promise<ImportOutcome> {
  const { planned, category } = task;
  const outcome = await decide(state, task);
  planned.isSettled = true;
  if (outcome !== 'new' && outcome !== 'updated') {
    state.report.count(category, outcome);
    await identify(state, task);
    return outcome;
  }
  state.unmet.length = 0;
  const printed = task.print();
  planned.wants = [...new Set([...(task.wants ?? []), ...state.unmet])];
  if (printed === null) {
    state.report.count(category, 'lost');
    return 'lost';
  }
  await enqueue(state, { task, write: outcome === 'new' ? printed : overExisting(printed, task), outcome });
  return outcome;
}

/** A file that names nobody's id gets the one that what is new refers to. */
async function identify(state: BatchState, task: ImportTask): Promise<void> {
  const { kind, id, existing } = task.planned;
  if (existing === null || existing.id > 0 || id === 0 || (kind !== 'term' && kind !== 'user')) return;
  const write = { path: existing.path, expect: existing.etag, data: { id }, order: ['id'] };
  await enqueue(state, { task, write, outcome: null });
}

async function decide(state: BatchState, task: ImportTask): Promise<ImportOutcome> {
  const { importState, report, update } = state;
  const { planned, digest, item } = task;
  const { existing, line, others = [], isGone } = planned;
  if (isGone) {
    if (line?.flag !== 'gone') {
      remark(report, item, 'note', 'deleted-here', `${line?.path} was deleted here and stays deleted`, '--update restores it');
      importState.note({ ...(line as Line), flag: 'gone' });
    }
    return 'kept';
  }
  if (existing === null) return 'new';
  if ('standsIn' in item) return 'unchanged';
  if (line === null || line.etag === '') return decideUnrecorded(state, task, existing);
  const isSource = line.digest === digest;
  const etags = [line, ...others].flatMap(({ etag, flag }) => (flag === 'theirs' ? [] : [etag]));
  const isFile = etags.includes(existing.etag) || (await isSitesChange(state, task, existing, etags));
  // What it lost before may have come with another part of the site.
  if (isSource && isFile) return line.wants?.some((want) => state.isHere(want)) ? 'updated' : 'unchanged';
  if (isFile || update) return 'updated';
  if (line.flag === 'theirs' && isSource && line.etag === existing.etag) return 'kept';
  remark(report, item, 'note', 'edited-here', `${existing.path} was edited here and is left alone`, overwriteHint);
  return 'kept';
}

/** Whether only the site itself has changed a file since an import wrote it. */
async function isSitesChange(
  { store }: BatchState,
  { siteKeys = {} }: ImportTask,
  { path }: ExistingFile,
  etags: readonly string[],
): Promise<boolean> {
  const keys = Object.entries(siteKeys);
  const bytes = keys.length === 0 ? null : await store.readBytes(path);
  if (bytes === null) return false;
  const subsets: (readonly [string, unknown])[][] = [[]];
  for (const key of keys) subsets.push(...subsets.map((some) => [...some, key]));
  return subsets.some((some) => {
    const write = { path, data: Object.fromEntries(some), order: some.map(([key]) => key) };
    try {
      return etags.includes(etagOf(printEntry(bytes, write)));
    } catch {
      return false;
    }
  });
}

/** For a file that no earlier run has written, as far as is known. */
function decideUnrecorded(state: BatchState, task: ImportTask, { path, etag }: ExistingFile): ImportOutcome {
  state.unmet.length = 0;
  const write = task.print();
  task.planned.wants = [...new Set([...(task.wants ?? []), ...state.unmet])];
  if (write === null) return 'lost';
  const isSame = write.path === path && etagOf(printEntry(null, write)) === etag;
  record(state, task, path, etag, isSame ? '' : 'theirs');
  if (isSame) return 'unchanged';
  if (state.update || state.isNew) return 'updated';
  remark(state.report, task.item, 'note', 'found-here', `${path} already exists and is left alone`, overwriteHint);
  return 'kept';
}

/** The change that makes an existing file say what the source says; keys of others in it stay. */
function overExisting(write: Write, { planned, siteKeys = {} }: ImportTask): Write {
  const { path, etag, slug, aliases: kept } = planned.existing as ExistingFile;
  // A date that the site has set stays.
  const isGone = (key: string): boolean => !Object.hasOwn(write.data, key) && (key !== 'date' || !Object.hasOwn(siteKeys, key));
  const gone = Object.fromEntries(write.order.filter(isGone).map((key) => [key, undefined]));
  // Files may still name it by its former slug.
  const isRenamed = slug !== '' && planned.slug !== slug && write.order.includes('aliases');
  const former = [...((write.data.aliases as string[] | undefined) ?? []), ...(kept ?? []), ...(isRenamed ? [slug] : [])];
  const aliases = isRenamed || kept ? { aliases: [...new Set(former)] } : {};
  const from = path === write.path ? {} : { from: path };
  return { ...write, ...from, expect: etag, data: { ...gone, ...write.data, ...aliases } };
}

async function enqueue(state: BatchState, queued: QueuedWrite): Promise<void> {
  state.queue.push(queued);
  state.bytes += (queued.write.body?.length ?? 0) + 500;
  state.fileBytes += queued.task.fileSize ?? 0;
  if (state.queue.length >= state.maxChanges || state.bytes >= maxBytes || state.fileBytes >= maxFileBytes) await flush(state);
}

async function flush(state: BatchState): Promise<void> {
  const batch = state.queue;
  state.queue = [];
  state.bytes = 0;
  state.fileBytes = 0;
  state.report.sample();
  if (batch.length > 0) {
    await state.before?.();
    await commit(state, batch);
  }
  if (!state.dryRun) await state.importState.save();
}

/** Writes a batch; what fails or changes meanwhile is written again without the file that caused it. */
async function commit(state: BatchState, batch: readonly QueuedWrite[]): Promise<void> {
  let left = [...batch];
  for (let tries = 0; left.length > 0; tries++) {
    try {
      await write(state, left);
      return;
    } catch (error) {
      if (isFatal(error)) throw error;
      const culprit =
        error instanceof StaleWriteError && tries < batch.length ? left.find((one) => touches(one, error.path)) : undefined;
      if (culprit) {
        if (!renameTarget(state, culprit)) left = left.filter((one) => one !== culprit);
        continue;
      }
      if (left.length === 1) {
        reportFailed(state, left[0] as QueuedWrite, error);
        return;
      }
      // Which of them it was only shows one by one.
      for (const one of left) await commit(state, [one]);
      return;
    }
  }
}

async function write(state: BatchState, batch: readonly QueuedWrite[]): Promise<void> {
  const { store, report, dryRun } = state;
  const changes = batch.flatMap(({ task, write: one }) => (task.fileChange ? [task.fileChange, one] : [one]));
  const entries = dryRun ? null : await store.commit(changes);
  batch.forEach(({ task, outcome }, at) => {
    if (outcome) report.count(task.category, outcome);
    if (entries === null) return;
    const { path, etag } = entries[at] as Entry;
    const { line, existing } = task.planned;
    const isOurs = outcome !== null || line?.flag === '' || line === null;
    record(state, task, path, etag, isOurs && (outcome !== null || line?.etag === existing?.etag) ? '' : 'theirs');
  });
}

function record(
  { importState }: BatchState,
  { planned, digest }: ImportTask,
  path: string,
  etag: string,
  flag: '' | 'theirs',
): void {
  const { kind, key, id, wants = [], address, said } = planned;
  const language = said === undefined || said.group === '' ? {} : { language: [said.lang, said.group] as const };
  importState.note({
    kind,
    key,
    id,
    path,
    digest,
    etag,
    flag,
    wants,
    ...(address === undefined ? {} : { address }),
    ...language,
  });
}

/** A file of this name has appeared, or the existing one was edited. @returns whether to try again under another name */
function renameTarget({ report }: BatchState, queued: QueuedWrite): boolean {
  const { task, outcome, write: before } = queued;
  const { planned, item, category } = task;
  const name = `${planned.file}-${planned.id}`;
  const isStuck = outcome !== 'new' || planned.of === 'attachment' || before.path.startsWith(name);
  planned.file = isStuck ? planned.file : name;
  planned.place = logicalPath(`${planned.file}.x`);
  const again = isStuck ? null : task.print();
  if (again !== null && again.path !== before.path) {
    queued.write = again;
    return true;
  }
  const message = `${before.path} was changed during the import and is left alone`;
  remark(report, item, 'note', 'edited-here', message, 'run the import again');
  if (outcome) report.count(category, 'kept');
  return false;
}

function reportFailed({ report }: BatchState, { task: { item, category } }: QueuedWrite, error: unknown): void {
  report.count(category, 'failed');
  const message = error instanceof Error ? error.message : String(error);
  report.remark({ severity: 'error', rule: 'not-written', message, what: labelOf(item), place: item.place });
}

function touches({ task, write: { path: target, from } }: QueuedWrite, path: string): boolean {
  return (
    target === path ||
    from === path ||
    (task.fileChange !== undefined && 'path' in task.fileChange && task.fileChange.path === path)
  );
}

/** The disk or the lock, with which the next file would not fare better. */
function isFatal(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof LockError || error instanceof ReadOnlyError) return true;
  return /^E(?:NOSPC|ROFS|ACCES|PERM|MFILE|DQUOT|IO)$/.test((error as NodeJS.ErrnoException).code ?? '');
}
