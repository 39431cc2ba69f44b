/** Work that one of several nodes does at a time, such as sending webhooks: by a lease in the engine that they share. */
import type { Shared } from '../store/types.ts';
import type { Site } from './site.ts';

/** A node that has died is missed after this. */
export const leaseMs = 15_000;

/**
 * Runs a job: where nodes share the content, while this one has the lease of that name, else at once.
 * @param everyMs  it asks for the lease, or prolongs it
 * @param start    may be called again after what it returned was called. A process that was stopped for a while wakes up in the middle
 *                 of its work: it asks before each step whether the lease is still its own
 * @returns ends it
 */
export function startLeased(
  { store }: Pick<Site, 'store'>,
  name: string,
  everyMs: number,
  start: (isHeld: () => boolean) => () => Promise<void>,
): () => Promise<void> {
  const { shared } = store;
  return shared === undefined ? start(() => true) : follow(shared);

  function follow(shared: Shared): () => Promise<void> {
    let stop: (() => Promise<void>) | null = null;
    let heldUntil = 0;
    let timer: NodeJS.Timeout | undefined;
    let isEnded = false;
    let asking: Promise<void> = Promise.resolve();

    const ask = async (): Promise<void> => {
      const asked = performance.now();
      const isHeld = await shared.lease(name, leaseMs).catch(() => null);
      if (isHeld) heldUntil = asked + leaseMs;
      // Where the engine cannot be asked, the lease goes on until it runs out.
      const mayRun = isHeld ?? performance.now() < heldUntil - everyMs;
      if (mayRun && !isEnded) stop ??= start(() => performance.now() < heldUntil);
      else await release();
      if (!isEnded) timer = setTimeout(again, everyMs).unref();
    };
    const again = (): void => {
      asking = store.faults.background(name, ask);
    };
    const release = async (): Promise<void> => {
      const stopping = stop;
      stop = null;
      await stopping?.();
    };
    again();
    return async () => {
      isEnded = true;
      clearTimeout(timer);
      await asking;
      const wasHeld = stop !== null;
      await release();
      // The next one need not wait for it to run out.
      if (wasHeld) await shared.lease(name, 0).catch(() => undefined);
    };
  }
}
