/**
 * The content of a post is a slice of its file's text, cut when requested: most are not, and after a start with a snapshot the texts are still on
 * disk.
 */
import type { Entry } from '../../../kernel/store/types.ts';

/** Lets a class add a private field to an existing object. */
const Given = class {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a private field is given to what the parent's constructor returns
    return object;
  }
} as new (
  object: object,
) => object;

class Filed extends Given {
  readonly #entry: Entry;

  constructor(record: object, entry: Entry) {
    super(record);
    this.#entry = entry;
  }

  static bodyOf(record: Filed): string {
    return record.#entry.body;
  }
}

/** Shared: a getter per record would give each its own hidden class. */
const content: PropertyDescriptor & ThisType<Filed> = {
  get() {
    return Filed.bodyOf(this);
  },
  enumerable: true,
  configurable: true,
};

/** The record with the body of a file as content. A copy by spreading contains the text itself. */
export function withBody<R extends object>(record: R, entry: Entry): R & { content: string } {
  new Filed(record, entry);
  return Object.defineProperty(record, 'content', content) as R & { content: string };
}
