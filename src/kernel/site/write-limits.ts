/**
 * Which files whoever asks may write, where that is not all of them: said once, around the handling of a request, and heeded by every
 * write in it, those of requests within it included. What goes on in the background afterwards is not theirs.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { pathsOf } from '../store/commit-plan.ts';
import type { FileChange } from '../store/types.ts';
import { fail } from '../errors.ts';

type MayWrite = (path: string) => boolean;

const limits = new AsyncLocalStorage<MayWrite>();

/** Within others, what all of them allow. */
export function writingWithin<T>(mayWrite: MayWrite | undefined, work: () => T): T {
  if (mayWrite === undefined) return work();
  const outer = limits.getStore();
  return limits.run(outer === undefined ? mayWrite : (path) => outer(path) && mayWrite(path), work);
}

/** Work that is nobody's any more, with what refuses the changes that whoever began it may not make. */
export function withLimits<T>(work: (check: (changes: readonly FileChange[]) => void) => T): T {
  const mayWrite = limits.getStore();
  if (mayWrite === undefined) return work(() => undefined);
  return limits.exit(() => work(check));

  function check(changes: readonly FileChange[]): void {
    // Asked of every path: a rehearsal wants to know them all.
    const refused = changes.flatMap(pathsOf).filter((path) => !(mayWrite as MayWrite)(path));
    if (refused.length > 0) fail('rest_insufficient_scope');
  }
}
