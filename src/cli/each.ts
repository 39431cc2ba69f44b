/** Work on many files, some at a time. */
import { InvalidArgumentError } from 'commander';

/** Works through a list, some at a time, until it is done or told to stop. @throws what `work` throws, but not for being stopped */
export async function each<T>(
  list: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const rest = list.values();
  const worker = async (): Promise<void> => {
    for (const one of rest) {
      if (signal.aborted) return;
      try {
        await work(one);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
}

/** The value of `--jobs`. */
export function jobs(text: string): number {
  const number = Number(text);
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= 16) return number;
  throw new InvalidArgumentError('Use a number from 1 to 16.');
}
