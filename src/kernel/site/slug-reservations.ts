/**
 * Slugs that plans have picked, reserved until their files are in memory: plans made meanwhile pick others.
 */
import { uniqueSlug } from '../model/slugs.ts';

export interface Reservation {
  readonly slug: string;
  readonly wanted: string;
  /** Its suffix; 1 without one. */
  readonly number: number;
}

/** Whoever plans. */
export interface Planner {
  /** Tells writers apart. */
  readonly writer: object;
  readonly reservations: Reservation[];
}

interface SlugReservations {
  /**
   * As `uniqueSlug`; the slug is reserved, and slugs of others are avoided.
   * Cost: one look for each suffix that is taken, but for many writers who ask for one slug at once one look each.
   */
  pick(planner: Planner, scope: string, wanted: string, isTaken: (slug: string) => boolean): string;
  /** @param isUnused  the slugs are as free as before */
  release(reservations: readonly Reservation[], isUnused: boolean): void;
}

/** Suffixes of a wanted slug: all below `next` are taken, as long as somebody holds a reservation. */
interface Suffixes {
  next: number;
  reservations: number;
}

export function createSlugReservations(): SlugReservations {
  /** Scope and slug → its writer. */
  const reserved = new Map<string, object>();
  const suffixes = new Map<string, Suffixes>();

  return {
    pick({ writer, reservations }, scope, wanted, isTaken) {
      const nameOf = (slug: string): string => `${scope} ${slug}`;
      const known = suffixes.get(nameOf(wanted)) ?? { next: 2, reservations: 0 };
      let number = known.next - 2;
      const slug = uniqueSlug(
        wanted,
        (one) => {
          number++;
          const holder = reserved.get(nameOf(one));
          return (holder !== undefined && holder !== writer) || isTaken(one);
        },
        known.next,
      );
      if (reserved.get(nameOf(slug)) === writer) return slug;
      reserved.set(nameOf(slug), writer);
      const next = slug === wanted ? known.next : number + 1;
      suffixes.set(nameOf(wanted), { next, reservations: known.reservations + 1 });
      reservations.push({ slug: nameOf(slug), wanted: nameOf(wanted), number: slug === wanted ? 1 : number });
      return slug;
    },
    release(reservations, isUnused) {
      for (const { slug, wanted, number } of reservations) {
        reserved.delete(slug);
        const known = suffixes.get(wanted) as Suffixes;
        if (isUnused && number > 1) known.next = Math.min(known.next, number);
        if (--known.reservations === 0) suffixes.delete(wanted);
      }
    },
  };
}
