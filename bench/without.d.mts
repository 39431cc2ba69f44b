export interface Feature {
  /** Below `src`. */
  readonly file: string;
  /** Stands there once. */
  readonly code: string;
  readonly instead: string;
  readonly measures: readonly string[];
}
export const features: Readonly<Record<string, Feature>>;
