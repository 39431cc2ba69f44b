/**
 * One item costs itself alone: what cannot be shown of it is left out, and whoever runs the site is told once, with its file.
 */
import { paced } from '../scheduler.ts';
import { faultOf } from '../store/faults.ts';

export interface Spare {
  /**
   * What `make` gives; `instead` where it throws or rejects, with a refusal too: whoever asks may see the item. Faults of the disk are not
   * the item's: they are thrown on.
   * @param what  as the log calls it: `text`
   * @param of  whose it is
   */
  <T>(what: string, of: unknown, make: () => T, instead: T): T;
  /** The same for what is read from memory alone of a member of a list: nothing that is thrown ends the list. */
  ofMember<T>(what: string, of: unknown, make: () => T, instead: T): T;
  /**
   * What `make` gives of each member of a list, with room for others between them. A member that it throws for is left out, and so is one
   * that the disk does not give up now. Where it gives none up, that is thrown: an empty list would be taken for the truth.
   * @param make  null: there is nothing to list
   * @param of  whose a member is, where it is no record itself
   */
  each<R, T>(
    what: string,
    members: readonly R[],
    make: (member: R) => T | null | Promise<T | null>,
    of?: (member: R) => unknown,
  ): Promise<T[]>;
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
    note(what, of, said(error));
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

  const ofMember: Spare['ofMember'] = (what, of, make, instead) => {
    try {
      return make();
    } catch (error) {
      note(what, of, said(error));
      return instead;
    }
  };

  const each: Spare['each'] = async (what, members, make, of = (member) => member) => {
    const all = [];
    let fault: unknown = null;
    for await (const member of paced(members, 1)) {
      try {
        const made = make(member);
        const one = made instanceof Promise ? await made : made;
        if (one !== null) all.push(one);
      } catch (error) {
        if (faultOf(error) !== null) fault = error;
        note(what, of(member), said(error));
      }
    }
    if (fault !== null && all.length === 0) throw fault;
    return all;
  };
  return Object.assign(spare, { note, ofMember, each });
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The file of a record, or what there is to know it by. */
function nameOf(of: unknown): string {
  const { path, type, id } = (of ?? {}) as { readonly path?: unknown; readonly type?: unknown; readonly id?: unknown };
  if (typeof path === 'string' && path !== '') return path;
  return typeof id === 'number' ? `${typeof type === 'string' ? type : 'item'} ${id}` : 'an item';
}
