/**
 * Identity: which of several files that state one id keeps it. Whoever has held it does; the newcomer gets an id of its own. The
 * server, when it loads a folder, and `cms validate` ask here.
 */
import { isCopyOf, looksLikeCopy } from './copies.ts';

/** What is known of a file that states an id which others state as well. */
export interface Claimant {
  readonly path: string;
  /** It had the id when the server last kept what it knows. */
  readonly wasServed?: boolean;
  /**
   * It has the id in the commit of HEAD: how many commits of HEAD's own line are behind the one that brought it, counted from the
   * newest, as a number below 0. What a merge has brought is as old as the merge.
   */
  readonly arrived?: number;
  /** Last change and making of the file, milliseconds since the epoch. */
  readonly mtimeMs?: number;
  readonly birthMs?: number;
}

/** The one that keeps the id first. The same whatever the order in which they are given. */
export function rankClaimants(claimants: readonly Claimant[]): readonly Claimant[] {
  const rows = claimants.map((claimant) => ({ claimant, signs: signsOfCopy(claimant, claimants) }));
  rows.sort((a, b) => {
    const [one, other] = [a.claimant, b.claimant];
    const isKnown = (claimant: Claimant): boolean => claimant.arrived !== undefined;
    return (
      Number(other.wasServed ?? false) - Number(one.wasServed ?? false) ||
      Number(isKnown(other)) - Number(isKnown(one)) ||
      (one.arrived ?? 0) - (other.arrived ?? 0) ||
      a.signs - b.signs ||
      // Times of files that git knows are those of a checkout.
      (isKnown(one) ? 0 : (one.mtimeMs ?? 0) - (other.mtimeMs ?? 0) || (one.birthMs ?? 0) - (other.birthMs ?? 0)) ||
      (one.path < other.path ? -1 : 1)
    );
  });
  return rows.map(({ claimant }) => claimant);
}

function signsOfCopy({ path }: Claimant, all: readonly Claimant[]): number {
  const isOne = all.some((other) => other.path !== path && isCopyOf(path, other.path) && !isCopyOf(other.path, path));
  return (isOne ? 2 : 0) + (looksLikeCopy(path) ? 1 : 0);
}
