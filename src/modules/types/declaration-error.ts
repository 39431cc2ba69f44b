/** Says which part of a declaration in `site.yaml` makes no sense. */
export class DeclarationError extends Error {
  /** The way to the value that is meant, below the declaration; [] for its name. */
  readonly keys: readonly string[];
  constructor(keys: readonly string[], message: string) {
    super(message);
    this.keys = keys;
  }
}
