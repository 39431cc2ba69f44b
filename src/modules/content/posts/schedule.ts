/**
 * Publishes scheduled posts on time while the site is served, and at start.
 *
 * A post is scheduled by its date, whatever the status in its file, so publication needs no write: the file is read again, and `status: future` is
 * then removed from it.
 */
import { printGmt } from '../../../kernel/model/dates.ts';
import type { PostRecord } from './record.ts';
import { saysFuture, statusAt } from './stated-status.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { writePost } from './file.ts';

/** Upper bound of a timer, because the system clock may change. */
const maxWaitMs = 60_000;

/** Watches posts with status `future`. @returns a function that stops it */
export function createSchedule(site: Site): () => void {
  let timer: NodeJS.Timeout | null = null;
  let generation = -1;
  const { faults } = site.store;
  /** Due records that stay hidden until their file changes: it is unreadable, or has no date. */
  const stuck = new WeakSet<PostRecord>();
  const watch = setInterval(() => {
    if (site.records.generation !== generation) void faults.background('schedule', () => plan());
  }, 1000);
  watch.unref();
  void faults.background('schedule', publishDue);
  for (const post of site.posts.all()) tidy(post);
  return () => {
    clearInterval(watch);
    if (timer) clearTimeout(timer);
    timer = null;
  };

  /** Sets the timer for the next due post. */
  function plan(): void {
    generation = site.records.generation;
    if (timer) clearTimeout(timer);
    timer = null;
    let next = Number.POSITIVE_INFINITY;
    for (const post of scheduled(site)) if (!stuck.has(post)) next = Math.min(next, dueAt(post));
    if (next === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(
      () => void faults.background('schedule', publishDue),
      Math.min(Math.max(0, next - site.clock()), maxWaitMs),
    );
    timer.unref();
  }

  function publishDue(): void {
    const due = scheduled(site).filter((post) => !stuck.has(post) && dueAt(post) <= site.clock());
    if (due.length > 0)
      site.refresh(
        'posts',
        due.map(({ id }) => id),
      );
    for (const { id } of due) {
      const post = site.posts.get(id);
      if (post?.status === 'future') stuck.add(post);
      else if (post) tidy(post);
    }
    plan();
  }

  /** Removes `status: future` from the file of a published post, without changing the modification date. */
  function tidy(post: PostRecord): void {
    if (site.store.readOnly || !saysFuture(post)) return;
    void faults.background(`${post.path}: marking as published`, () =>
      site.write(() => {
        const before = site.posts.get(post.id);
        if (before === undefined || !saysFuture(before)) return { changes: [], result: null };
        const { status: _, ...keys } = before.stated?.keys ?? {};
        const after: PostRecord = { ...before, stated: { keys, means: before.status } };
        return { changes: [writePost(site, after, before)], result: null };
      }),
    );
  }
}

/** Cached posts whose status no longer matches their date. */
export function untimely(site: Pick<Site, 'posts' | 'clock'>): readonly number[] {
  const nowGmt = printGmt(site.clock());
  const ids: number[] = [];
  for (const { id, status, dateGmt } of site.posts.all())
    if ((status === 'publish' || status === 'future') && status !== statusAt(dateGmt, nowGmt)) ids.push(id);
  return ids;
}

function scheduled(site: Site): readonly PostRecord[] {
  return [...site.posts.with('status', 'future')].flatMap((id) => site.posts.get(id) ?? []);
}

function dueAt(post: PostRecord): number {
  return Date.parse(`${post.dateGmt}Z`);
}
