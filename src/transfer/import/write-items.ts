/**
 * The passes that write items and comments. One that came before what it refers to (a page before its parent, a post before its
 * picture, a comment before its post) waits; where too many wait, the source is gone through again for those that are left.
 */
import { type Batches, taskOf, type Task } from './batches.ts';
import type { Inventory } from './inventory.ts';
import { writeFontItem } from './fonts.ts';
import { fontTypes } from './target-paths.ts';
import { type CommentItem, type PostItem, type Source, SourceError } from './items.ts';
import { detachString } from './detach-string.ts';
import type { ObtainedFile, MediaImport } from './media.ts';
import type { CommenterQueue } from './accounts.ts';
import { isBelow, type PlannedItem } from './planned-item.ts';
import type { WriteContext } from './write-context.ts';
import { writeCommentItem, writeMediaItem, writePostItem } from './records.ts';
import { labelOf, reportLost, remark, remarksOf, reportBroken, categoryOf } from './source-scan.ts';
import { createDeferredItems } from './deferred-items.ts';

interface WriteItemsOptions {
  readonly source: Source;
  readonly context: WriteContext;
  readonly batches: Batches;
  readonly inventory: Inventory;
  /** Null: no bytes are brought. */
  readonly mediaImport: MediaImport | null;
  readonly commenters: CommenterQueue;
  /** Name and address of people by id, which their comments do not repeat. */
  readonly profiles: ReadonlyMap<number, { readonly name: string; readonly url: string }>;
  readonly optionsHash: string;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number) => void) | undefined;
}

/** Attachments whose bytes are brought at a time. */
const AHEAD = 8;

/** @returns whether the source was gone through to its end; false when it broke off or `signal` was aborted */
export async function writeItems(passing: WriteItemsOptions): Promise<boolean> {
  const { source, context, batches, inventory, mediaImport, commenters, profiles, optionsHash, signal, progress } = passing;
  const { plan, report, site: plannedSite } = context;
  const room = createDeferredItems<PostItem | CommentItem, PlannedItem>(sizeOf);
  const inside = new Set<PlannedItem>();
  const done = new Set<PlannedItem>();
  const ahead: { readonly item: PostItem; readonly planned: PlannedItem; readonly brought: Promise<ObtainedFile | null> }[] = [];
  let isForced = false;

  for (let pass = 1; ; pass++) {
    const before = done.size;
    let left = 0;
    try {
      for await (const item of source.items('write', progress)) {
        if (signal?.aborted) break;
        if (item.kind !== 'post' && item.kind !== 'comment') continue;
        if (plannedOf(item) === undefined) {
          if (pass === 1) loseUnplanned(item);
        } else if (!(await handle(item))) left++;
      }
    } catch (error) {
      if (!signal?.aborted && !(error instanceof SourceError)) throw error;
      await drain();
      if (error instanceof SourceError) reportBroken(report, error);
      await finish();
      return false;
    }
    await drain();
    if (signal?.aborted) {
      await batches.flush();
      return false;
    }
    if (left === 0) break;
    // What is left waits for what is left: some of it has to begin.
    isForced = done.size === before;
  }
  await finish();
  return true;

  async function finish(): Promise<void> {
    isForced = true;
    inside.clear();
    for (const item of room.rest()) await handle(item);
    await drain();
    await batches.flush();
  }

  /** @returns false when it has to come again in another pass */
  async function handle(first: PostItem | CommentItem): Promise<boolean> {
    const queue = [first];
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const planned = plannedOf(item) as PlannedItem;
      if (done.has(planned) || (item === first && inside.has(planned))) continue;
      const need = isForced ? undefined : needsOf(item, planned).find((other) => !other.isSettled);
      if (need && item === first && !room.wait(item, need)) return false;
      if (need) {
        if (item !== first) room.keep(item, need);
        inside.add(planned);
        continue;
      }
      inside.delete(planned);
      done.add(planned);
      await take(item, planned);
      if (planned.isSettled) queue.push(...room.release(planned));
    }
    return true;
  }

  async function take(item: PostItem | CommentItem, planned: PlannedItem): Promise<void> {
    remarksOf(report, item);
    if (item.kind === 'comment') return takeComment(item, planned);
    if (planned.of === 'attachment') return takeMedia(item, planned);
    const print = fontTypes.has(planned.of) ? writeFontItem : writePostItem;
    await batches.put({ ...taskOf(item, planned, optionsHash), print: () => print(context, item, planned) });
  }

  async function takeComment(item: CommentItem, planned: PlannedItem): Promise<void> {
    const post = plan.posts.get(item.post) as PlannedItem;
    if (post.isGone) {
      planned.isSettled = true;
      report.count(categoryOf(item), 'kept');
      return;
    }
    const { email = '', ip = '', agent = '' } = item;
    // What is private first: nobody sees the comment before it is there.
    if (!planned.isGone && !commenters.has(planned.id) && email + ip + agent !== '')
      commenters.add(planned.id, { email: detachString(email), ip: detachString(ip), agent: detachString(agent) });
    await batches.put({
      ...taskOf(item, planned, optionsHash),
      print: () => writeCommentItem(context, item, planned, post, profiles),
    });
  }

  async function takeMedia(item: PostItem, planned: PlannedItem): Promise<void> {
    const isWanted =
      mediaImport !== null && !planned.isGone && item.media !== undefined && !inventory.blobs.has(planned.place.toLowerCase());
    const brought = isWanted
      ? (mediaImport as MediaImport).obtain(item.media as NonNullable<PostItem['media']>, planned.place)
      : Promise.resolve(null);
    brought.catch(() => undefined);
    ahead.push({ item, planned, brought });
    if (ahead.length >= AHEAD) await finishMedia();
  }

  async function drain(): Promise<void> {
    while (ahead.length > 0) await finishMedia();
  }

  async function finishMedia(): Promise<void> {
    const { item, planned, brought: pending } = ahead.shift() as (typeof ahead)[number];
    const brought = signal?.aborted ? await pending.catch(() => null) : await pending;
    const beside = brought && 'change' in brought ? brought.change : undefined;
    const isHere =
      beside !== undefined || inventory.blobs.has(planned.place.toLowerCase()) || (brought !== null && 'present' in brought);
    if (brought && 'note' in brought && brought.note) remark(report, item, 'note', 'media-kind', brought.note);
    const url = item.media?.url ?? '';
    const fetch = !isHere && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : '';
    const one: Task = {
      ...taskOf(item, planned, optionsHash),
      fileChange: beside,
      print: () => writeMediaItem(context, item, planned, fetch),
    };
    const outcome = await batches.put(one);
    for (const waiting of room.release(planned)) {
      inside.delete(plannedOf(waiting) as PlannedItem);
      if (!(await handle(waiting))) room.keep(waiting, planned);
    }
    if (beside) {
      report.files.brought++;
      if (outcome === 'unchanged' || outcome === 'kept') await batches.complete(one, beside);
      return;
    }
    if (isHere || planned.isGone || batches.isRehearsal) return;
    report.files.missing++;
    if (brought && 'missing' in brought) {
      const hint = brought.hint ?? (fetch === '' ? `put the file at ${planned.place}` : 'cms media fetch downloads it');
      const { missing: message, isUnreadable } = brought;
      const severity = isUnreadable || fetch === '' ? 'lost' : 'note';
      const about = { severity, rule: 'missing-bytes', message, hint, what: labelOf(item), place: item.place } as const;
      report.remark(isUnreadable ? { ...about, unreadable: true } : about);
    }
  }

  function plannedOf(item: PostItem | CommentItem): PlannedItem | undefined {
    return item.kind === 'post' ? plan.posts.get(item.key) : plan.comments.get(item.key);
  }

  function needsOf(item: PostItem | CommentItem, planned: PlannedItem): PlannedItem[] {
    if (item.kind === 'comment') return [plan.posts.get(item.post) as PlannedItem, ...(planned.parent ? [planned.parent] : [])];
    const above = isBelow(plannedSite.types, planned) || fontTypes.has(planned.of) ? planned.parent : null;
    const named = [item.featuredMedia, item.media?.edited].flatMap((key) =>
      key === undefined ? [] : (plan.posts.get(key) ?? []),
    );
    return [...(above ? [above] : []), ...named].filter((other) => other !== planned);
  }

  function loseUnplanned(item: PostItem | CommentItem): void {
    remarksOf(report, item);
    if (item.kind === 'comment') reportLost(report, item, 'no-post', 'its post is not in the source, or could not be imported');
    else if (item.type === 'attachment')
      reportLost(report, item, 'media-kind', `unsupported file type: ${item.media?.path ?? 'none'}`);
    else reportLost(report, item, 'no-place', `the site does not store items of the type ${item.type}`);
  }
}

function sizeOf(item: PostItem | CommentItem): number {
  return item.content.length * 2 + 1000;
}
