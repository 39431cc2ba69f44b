/**
 * Scheduled posts publish themselves at their minute while the server runs, and at its start if their time has passed.
 */
import type { PostRecord } from '../../model/post.ts';
import { writePost } from './post-shelf.ts';
import type { Site } from '../site.ts';

/** After what could not be published: the disk may be full, somebody may be writing the file. */
const RETRY_MS = 5000;
/** The longest a timer can wait; later posts are looked at again then. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/**
 * Watches the posts whose status is `future`.
 * @returns a function that stops it
 */
export function createSchedule(site: Site, log: (line: string) => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  let generation = -1;
  let stopped = false;
  /** Posts that could not be published, once each. */
  const said = new Set<number>();
  const { faults } = site.store;
  const watch = setInterval(() => {
    if (site.records.generation !== generation) void faults.background('schedule', () => plan());
  }, 1000);
  watch.unref();
  void faults.background('schedule', publishDue);
  return () => {
    stopped = true;
    clearInterval(watch);
    if (timer) clearTimeout(timer);
  };

  /** Sets the timer for the next post that becomes due. @param least  ms */
  function plan(least = 0): void {
    if (stopped || site.store.readOnly) return;
    generation = site.records.generation;
    if (timer) clearTimeout(timer);
    const next = scheduled(site)[0];
    if (!next) return;
    const wait = Math.max(least, dueAt(next) - site.clock());
    timer = setTimeout(() => void faults.background('schedule', publishDue), Math.min(wait, MAX_WAIT_MS));
    timer.unref();
  }

  async function publishDue(): Promise<void> {
    let hasFailed = false;
    for (const post of scheduled(site)) {
      if (dueAt(post) > site.clock()) break;
      await publish(site, post.id).catch((error: unknown) => {
        hasFailed = true;
        if (faults.report(error) === null && !said.has(post.id)) log(`${post.path}: could not be published: ${String(error)}`);
        said.add(post.id);
      });
    }
    plan(hasFailed ? RETRY_MS : 0);
  }
}

/** Scheduled posts, the next one first. */
function scheduled(site: Site): readonly PostRecord[] {
  const ids = site.posts.with('status', 'future');
  return [...ids].flatMap((id) => site.posts.get(id) ?? []).sort((a, b) => dueAt(a) - dueAt(b));
}

function dueAt(post: PostRecord): number {
  return Date.parse(`${post.dateGmt}Z`);
}

/** Only the status changes: the post was last modified when it was written. */
async function publish(site: Site, id: number): Promise<void> {
  if (site.store.readOnly) return;
  await site.write(() => {
    const before = site.posts.get(id);
    return {
      changes: before?.status === 'future' ? [writePost(site, { ...before, status: 'publish' }, before)] : [],
      result: null,
    };
  });
}
