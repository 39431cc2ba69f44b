/**
 * What an export says of itself.
 */

/** Something of the site that the format does not hold. */
export interface Omission {
  /** `post: draft`, `meta of terms`. */
  readonly what: string;
  readonly count: number;
  readonly reason: string;
}
