/** A block while it is shown, and what shows it. */
import type { Block } from './blocks.ts';

/** What blocks tell those within them, by names; `postId` and `postType` are of the text itself. */
export type BlockContext = Readonly<Record<string, unknown>>;

/** A block while it is shown. */
export interface LiveBlock {
  readonly block: Block;
  /** Those that fit their schemas, and the defaults of the others. */
  // biome-ignore lint/suspicious/noExplicitAny: values fit the schemas of the block; objects and lists are looked into with care
  readonly attributes: Readonly<Record<string, any>>;
  readonly context: BlockContext;
  readonly run: BlockRun;
  /** What is saved in it, its inner blocks shown. @param more  told to them beside what they know */
  content(more?: BlockContext): string;
  /** Its inner blocks alone, one by one. */
  inner(more?: BlockContext): readonly string[];
  /** The same, each shown when it is asked for. */
  eachInner(more?: BlockContext): Iterable<string>;
}

export type BlockRenderer = (live: LiveBlock) => string;

/** One showing of one text. */
export interface BlockRun {
  /** What shows blocks that depend on the site; undefined for the others. */
  renderer(name: string): BlockRenderer | undefined;
  /** What attributes are that come from the site; undefined: nothing of it is known. */
  readonly bound?: (question: {
    readonly source: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly block: Block;
    readonly context: BlockContext;
  }) => unknown;
  /** A number that nothing else of the answer has. @param of  counts by itself: numbers of one kind of names */
  unique(of?: string): number;
  /** How many numbers have been given. */
  taken(): number;
  /** Takes the rules of a style sheet for classes that blocks are given; absent: nobody asks for them. */
  readonly rule?: ((css: string) => void) | undefined;
}

/** Numbers of one answer. */
export function createNumbers(numbers = new Map<string, number>()): Pick<BlockRun, 'unique' | 'taken'> {
  return {
    unique: (of = '') => nextNumber(numbers, of),
    taken: () => [...numbers.values()].reduce((sum, count) => sum + count, 0),
  };
}

/** The next number of a kind, from 1 on. */
function nextNumber(numbers: Map<string, number>, of: string): number {
  const number = (numbers.get(of) ?? 0) + 1;
  numbers.set(of, number);
  return number;
}
