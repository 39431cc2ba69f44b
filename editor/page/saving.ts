/** Saving what somebody else may have changed meanwhile. */
import type { ApiError } from './api.ts';
import { changesOf, type Values } from './changes.ts';
import type { MergedValues } from './values.ts';

/** As the server has it. */
export interface Stored {
  readonly etag: string;
  readonly values: Values;
}

/** To be decided by the person. */
export interface Undecided<S extends Stored> {
  readonly merge: MergedValues;
  readonly fresh: S;
}

interface Way<S extends Stored> {
  /** @throws ApiError 412 in another state than that of `from` */
  write(from: S, changes: Values): Promise<S>;
  load(): Promise<S>;
}

/** So often others may be faster. */
const mostTries = 5;

/** Writes what has changed, merged with what others have changed meanwhile. @returns the new state, or what only the person can decide */
export async function saveMerged<S extends Stored>(
  stored: S,
  values: Values,
  { write, load }: Way<S>,
): Promise<S | Undecided<S>> {
  let [from, given] = [stored, values];
  for (let tries = 1; ; tries++) {
    const changes = changesOf(from.values, given);
    // Somebody else has made it so.
    if (Object.keys(changes).length === 0) return from;
    try {
      return await write(from, changes);
    } catch (error) {
      if ((error as ApiError).status !== 412 || tries === mostTries) throw error;
    }
    // Merging has the editor of texts with it, and is seldom needed.
    const [fresh, { mergeValues }] = await Promise.all([load(), import('./values.ts')]);
    const merge = mergeValues(from.values, given, fresh.values);
    if (merge.conflicts.length > 0) return { merge, fresh };
    [from, given] = [fresh, merge.resolve([])];
  }
}

export const isUndecided = <S extends Stored>(result: S | Undecided<S>): result is Undecided<S> => 'merge' in result;
