/**
 * One item costs itself alone: what cannot be shown of it is left out, and whoever runs the site is told once, with its file.
 */
import { faultOf } from '../store/faults.ts';

export interface Spare {
  /**
   * What `make` gives; `instead` where it throws or rejects, with a refusal too: whoever asks may see the item. Faults of the disk are not
   * the item's: they are thrown on.
   * @param what  as the log calls it: `text`
   * @param of  whose it is
   */
  <T>(what: string, of: unknown, make: () => T, instead: T): T;
  /** Tells of something that an item could not have, as often as of an error: once. */
  note(what: string, of: unknown, why: string): void;
}

/** Lines that are remembered as logged. */
const maxRemembered = 1000;

export function createSpare(log: (line: string) => void): Spare {
  const logged = new Set<string>();

  function note(what: string, of: unknown, why: string): void {
    const line = `${nameOf(of)}: ${what} is not shown: ${why}`;
    if (logged.has(line)) return;
    if (logged.size >= maxRemembered) logged.clear();
    logged.add(line);
    log(line);
  }

  function told<T>(what: string, of: unknown, error: unknown, instead: T): T {
    if (faultOf(error) !== null) throw error;
    note(what, of, error instanceof Error ? error.message : String(error));
    return instead;
  }

  function spare<T>(what: string, of: unknown, make: () => T, instead: T): T {
    try {
      const made = make();
      if (!(made instanceof Promise)) return made;
      return made.catch((error: unknown) => told(what, of, error, instead)) as T;
    } catch (error) {
      return told(what, of, error, instead);
    }
  }
  return Object.assign(spare, { note });
}

/** The file of a record, or what there is to know it by. */
function nameOf(of: unknown): string {
  const { path, type, id } = (of ?? {}) as { readonly path?: unknown; readonly type?: unknown; readonly id?: unknown };
  if (typeof path === 'string' && path !== '') return path;
  return typeof id === 'number' ? `${typeof type === 'string' ? type : 'item'} ${id}` : 'an item';
}
