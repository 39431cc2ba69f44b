/**
 * Writes items and comments. One that comes before what it refers to (a page before its parent, a post before its image, a comment
 * before its post) is deferred; if too many are deferred, the source is read again for the others.
 */
import { type Batches, taskOf, type ImportTask } from './batches.ts';
import { createDeferredItems, type DeferredItems } from './deferred-items.ts';
import { writeFontItem } from './fonts.ts';
import type { Inventory } from './inventory.ts';
import type { CommenterQueue } from './accounts.ts';
import { type CommentItem, detachString, type PostItem, type Source, SourceError } from './items.ts';
import type { MediaImport, ObtainedFile } from './media.ts';
import { isBelow, type PlannedItem } from './planned-item.ts';
import { isUndated, type Profiles, writeCommentItem, writeMediaItem, writePostItem } from './records.ts';
import { categoryOf, labelOf, remark, remarksOf, reportBroken, reportLost } from './source-scan.ts';
import { fontTypes, mediaFileOf } from './target-paths.ts';
import type { WriteContext } from './write-context.ts';
import { fetchKey } from '../../modules/content/attachments/record.ts';
import { isUrl } from '../../kernel/model/addresses.ts';

interface WriteItemsOptions {
  readonly source: Source;
  readonly context: WriteContext;
  readonly batches: Batches;
  readonly inventory: Inventory;
  /** Null: no media files are imported. */
  readonly mediaImport: MediaImport | null;
  readonly commenters: CommenterQueue;
  readonly profiles: Profiles;
  readonly optionsHash: string;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number) => void) | undefined;
}

type Writable = PostItem | CommentItem;

/** An attachment whose file is being obtained. */
interface PendingMedia {
  readonly item: PostItem;
  readonly planned: PlannedItem;
  readonly file: Promise<ObtainedFile | null>;
}

/** The writing under way. */
interface WriteState extends WriteItemsOptions {
  readonly deferred: DeferredItems<Writable, PlannedItem>;
  /** Those that are deferred. */
  readonly waiting: Set<PlannedItem>;
  readonly done: Set<PlannedItem>;
  readonly pending: PendingMedia[];
  /** Nothing waits any more: what is left waits for what is left. */
  isForced: boolean;
  /** Shows again how far the source was read: files come in between. */
  redraw: () => void;
}

/** Attachments whose files are obtained at a time. */
const maxPending = 8;

/** @returns whether the source was read to its end; false when it broke off or `signal` was aborted */
export async function writeItems(options: WriteItemsOptions): Promise<boolean> {
  const { batches, context, signal } = options;
  const deferred = createDeferredItems<Writable, PlannedItem>((item) => item.content.length * 2 + 1000);
  const state: WriteState = {
    ...options,
    deferred,
    waiting: new Set(),
    done: new Set(),
    pending: [],
    isForced: false,
    redraw: () => undefined,
  };
  for (let pass = 1; ; pass++) {
    const before = state.done.size;
    let left = 0;
    try {
      left = await runPass(state, pass === 1);
    } catch (error) {
      if (!signal?.aborted && !(error instanceof SourceError)) throw error;
      await finishAllMedia(state);
      if (error instanceof SourceError) reportBroken(context.report, error);
      await writeDeferred(state);
      return false;
    }
    await finishAllMedia(state);
    if (signal?.aborted) {
      await batches.flush();
      return false;
    }
    if (left === 0) break;
    state.isForced = state.done.size === before;
  }
  await writeDeferred(state);
  return true;
}

/** Goes through the source once. @returns how many items have to come again */
async function runPass(state: WriteState, isFirst: boolean): Promise<number> {
  let left = 0;
  const progress = (done: number, total: number): void => {
    state.redraw = () => state.progress?.(done, total);
    state.redraw();
  };
  for await (const item of state.source.items('write', state.progress && progress)) {
    if (state.signal?.aborted) break;
    if (item.kind !== 'post' && item.kind !== 'comment') continue;
    if (plannedOf(state, item) !== undefined) left += (await writeOrDefer(state, item)) ? 0 : 1;
    else if (isFirst) reportUnplanned(state, item);
  }
  return left;
}

async function writeDeferred(state: WriteState): Promise<void> {
  state.isForced = true;
  state.waiting.clear();
  for (const item of state.deferred.rest()) await writeOrDefer(state, item);
  await finishAllMedia(state);
  await state.batches.flush();
}

/** Writes an item and those that waited for it. @returns false when it has to come again in another pass */
async function writeOrDefer(state: WriteState, first: Writable): Promise<boolean> {
  const { deferred, waiting, done } = state;
  const queue = [first];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    const planned = plannedOf(state, item) as PlannedItem;
    if (done.has(planned) || (item === first && waiting.has(planned))) continue;
    const need = state.isForced ? undefined : needsOf(state, item, planned).find((other) => !other.isSettled);
    if (need && item === first && !deferred.add(item, need)) return false;
    if (need) {
      if (item !== first) deferred.addAgain(item, need);
      waiting.add(planned);
      continue;
    }
    waiting.delete(planned);
    done.add(planned);
    await writeOne(state, item, planned);
    if (planned.isSettled) queue.push(...deferred.release(planned));
  }
  return true;
}

async function writeOne(state: WriteState, item: Writable, planned: PlannedItem): Promise<void> {
  const { context, batches, optionsHash } = state;
  remarksOf(context.report, item);
  if (item.kind === 'comment') return writeComment(state, item, planned);
  if (planned.of === 'attachment') return startMedia(state, item, planned);
  const print = fontTypes.has(planned.of) ? writeFontItem : writePostItem;
  const siteKeys = isUndated(context, item, planned) ? { date: undefined } : {};
  await batches.put({ ...taskOf(item, planned, optionsHash), siteKeys, print: () => print(context, item, planned) });
}

async function writeComment(state: WriteState, item: CommentItem, planned: PlannedItem): Promise<void> {
  const { context, batches, commenters, profiles, optionsHash } = state;
  const post = context.plan.posts.get(item.post) as PlannedItem;
  if (post.isGone) {
    planned.isSettled = true;
    context.report.count(categoryOf(item), 'kept');
    return;
  }
  const { email = '', ip = '', agent = '' } = item;
  // Private data first: nobody sees the comment before it is written.
  if (!planned.isGone && !commenters.has(planned.id) && email + ip + agent !== '')
    commenters.add(planned.id, { email: detachString(email), ip: detachString(ip), agent: detachString(agent) });
  const print = () => writeCommentItem(context, item, planned, post, profiles);
  await batches.put({ ...taskOf(item, planned, optionsHash), print });
}

async function startMedia(state: WriteState, item: PostItem, planned: PlannedItem): Promise<void> {
  const { mediaImport, pending } = state;
  const isWanted = mediaImport !== null && !planned.isGone && item.media !== undefined && !hasBytes(state, planned);
  const file = isWanted
    ? (mediaImport as MediaImport).obtain(item.media as NonNullable<PostItem['media']>, mediaFileOf(planned))
    : Promise.resolve(null);
  file.catch(() => undefined);
  pending.push({ item, planned, file });
  if (pending.length >= maxPending) await finishMedia(state);
}

async function finishAllMedia(state: WriteState): Promise<void> {
  while (state.pending.length > 0) await finishMedia(state);
}

async function finishMedia(state: WriteState): Promise<void> {
  const { context, batches, deferred, waiting, signal, optionsHash } = state;
  const { report } = context;
  const { item, planned, file } = state.pending.shift() as PendingMedia;
  const obtained = signal?.aborted ? await file.catch(() => null) : await file;
  const { change: fileChange, size: fileSize } = obtained && 'change' in obtained ? obtained : {};
  const isHere = fileChange !== undefined || hasBytes(state, planned) || (obtained !== null && 'present' in obtained);
  if (obtained && 'note' in obtained && obtained.note) remark(report, item, 'note', 'media-kind', obtained.note);
  const url = item.media?.url ?? '';
  const fetch = !isHere && /^https?:\/\//i.test(url) && isUrl(url) ? url : '';
  const print = () => writeMediaItem(context, item, planned, fetch);
  const siteKeys = {
    ...(isUndated(context, item, planned) ? { date: undefined } : {}),
    ...(url !== '' && fetch === '' ? { [fetchKey]: url } : {}),
  };
  const task: ImportTask = { ...taskOf(item, planned, optionsHash), fileChange, fileSize, siteKeys, print };
  const outcome = await batches.put(task);
  for (const released of deferred.release(planned)) {
    waiting.delete(plannedOf(state, released) as PlannedItem);
    if (!(await writeOrDefer(state, released))) deferred.addAgain(released, planned);
  }
  if (fileChange) {
    report.files.brought++;
    report.files.bytes += fileSize ?? 0;
    state.redraw();
    if (outcome === 'unchanged' || outcome === 'kept') await batches.complete(task, fileChange);
    return;
  }
  if (isHere || planned.isGone || batches.isRehearsal) return;
  report.files.missing++;
  if (!obtained || !('missing' in obtained)) return;
  const hint = obtained.hint ?? (fetch === '' ? `put the file at ${planned.place}` : 'cms media fetch downloads it');
  const { missing: message, isUnreadable } = obtained;
  const severity = isUnreadable || fetch === '' ? 'lost' : 'note';
  const about = { severity, rule: 'missing-bytes', message, hint, what: labelOf(item), place: item.place } as const;
  report.remark(isUnreadable ? { ...about, unreadable: true } : about);
}

function hasBytes({ inventory }: WriteState, planned: PlannedItem): boolean {
  return inventory.blobs.has(mediaFileOf(planned).toLowerCase());
}

function plannedOf({ context: { plan } }: WriteState, item: Writable): PlannedItem | undefined {
  return item.kind === 'post' ? plan.posts.get(item.key) : plan.comments.get(item.key);
}

/** What has to be written before an item. */
function needsOf({ context: { plan, site } }: WriteState, item: Writable, planned: PlannedItem): PlannedItem[] {
  if (item.kind === 'comment') return [plan.posts.get(item.post) as PlannedItem, ...(planned.parent ? [planned.parent] : [])];
  const above = isBelow(site.types, planned) || fontTypes.has(planned.of) ? planned.parent : null;
  const named = [item.featuredMedia, item.media?.edited].flatMap((key) => (key === undefined ? [] : (plan.posts.get(key) ?? [])));
  return [...(above ? [above] : []), ...named].filter((other) => other !== planned);
}

function reportUnplanned({ context: { report } }: WriteState, item: Writable): void {
  remarksOf(report, item);
  if (item.kind === 'comment') reportLost(report, item, 'no-post', 'its post is not in the source, or could not be imported');
  else if (item.type === 'attachment')
    reportLost(report, item, 'media-kind', `unsupported file type: ${item.media?.path ?? 'none'}`);
  else reportLost(report, item, 'no-place', `the site does not store items of the type ${item.type}`);
}
