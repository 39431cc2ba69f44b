/**
 * The content of a post is the body of its file, cut out of the file's text when it is asked for: most are not, and after a start
 * with a snapshot the texts are still on the disk.
 */
import type { Entry } from '../../../kernel/store/types.ts';

/** Lets a class give a private field to an object that is there already. */
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

/** One for all: records with a getter each would have a hidden class each. */
const content: PropertyDescriptor & ThisType<Filed> = {
  get() {
    return Filed.bodyOf(this);
  },
  enumerable: true,
  configurable: true,
};

/** The record, with the body of a file as its content. A copy of it by spreading has the text itself. */
export function withBody<R extends object>(record: R, entry: Entry): R & { content: string } {
  new Filed(record, entry);
  return Object.defineProperty(record, 'content', content) as R & { content: string };
}
