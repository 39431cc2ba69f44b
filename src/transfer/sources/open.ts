/**
 * Which importer reads a source: said by name, or seen from what it is.
 */
import type { Operator } from '../../kernel/model/operator.ts';
import type { Source } from '../import/items.ts';

export interface OpenSource {
  /** What the user typed: a path or an address. */
  readonly source: string;
  /** Absolute path, when it is one. */
  readonly path: string | null;
  /** Further files that are read together with it, as far as the importer takes several. */
  readonly others?: readonly Pick<OpenSource, 'source' | 'path'>[];
  /** Folder for what an importer keeps between runs so that it can go on; made by whoever uses it. */
  readonly scratch: string;
  /** Goes on behind what cannot be read, where that is possible. */
  readonly keepGoing: boolean;
  /** Operator settings: what may be asked. Default: those of `kernel/model/operator.ts`. */
  readonly operator?: Operator | undefined;
  /** `login:application password` for a live source. */
  readonly credentials?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A line for people about what is going on (waiting, retrying). */
  readonly say?: ((line: string) => void) | undefined;
}

export interface Importer {
  readonly format: string;
  /** Whether a source looks like this format; cheap. */
  recognises(source: Pick<OpenSource, 'source' | 'path'>): boolean | Promise<boolean>;
  /** @throws SourceError when it cannot be opened */
  open(options: OpenSource): Promise<Source>;
}
