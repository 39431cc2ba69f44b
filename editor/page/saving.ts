/** Saving what somebody else may have changed meanwhile. */
import { useState } from 'preact/hooks';
import type { ApiError } from './api.ts';
import { changesOf, type Values } from './changes.ts';
import { useOnce } from './once.ts';
import { useGuard } from './router.tsx';
import type { Choice, MergedValues } from './values.ts';
import { say } from './words.ts';

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

/** A form of fields that are saved together, and are still there to be edited while they are. */
export function useSaving<S extends Stored>(way: Way<S>) {
  const [stored, setStored] = useState<S | null>(null);
  const [values, setValues] = useState<Values>({});
  const [merged, setMerged] = useState<Undecided<S> | null>(null);
  const [told, setTold] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, once] = useOnce();
  const isDirty = stored !== null && Object.keys(changesOf(stored.values, values)).length > 0;
  useGuard(() => isDirty);
  const show = (from: S, now = from.values): void => {
    setStored(from);
    setValues(now);
  };
  const save = async (): Promise<void> => {
    setFault('');
    if (!isDirty) return setTold(say('Nothing has changed.'));
    try {
      const saved = await saveMerged(stored, values, way);
      if (isUndecided(saved)) {
        setMerged(saved);
        return setTold(say('Someone else has changed this, too'));
      }
      setStored(saved);
      // What was written while it was being saved stays.
      setValues((now) => ({ ...saved.values, ...changesOf(values, now) }));
      setTold(say('Saved.'));
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const decide = (choices: readonly Choice[]): void => {
    if (merged) show(merged.fresh, merged.merge.resolve(choices));
    setMerged(null);
    setTold(say('Review it, then save.'));
    document.getElementById('content')?.focus();
  };
  const failed = ({ message }: Error): void => setFault(message);
  const merge = merged?.merge ?? null;
  return { stored, values, setValues, merge, told, fault, isBusy, show, failed, decide, save: () => void once(save) };
}
