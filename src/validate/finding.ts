/**
 * A finding: something to say about a file, and, where it is safe, how to put it right.
 */
import { nearest } from '../kernel/model/spelling.ts';
import { type Keys, type PlacedRemark, sayer } from '../kernel/model/remark.ts';
import { rules } from './rules.ts';

export interface Finding extends PlacedRemark {
  readonly fix?: Fix;
}

/** What `--fix` does. */
export type Fix =
  /** New ids at these places. */
  | { readonly kind: 'ids'; readonly places: readonly Keys[] }
  /** Undefined takes the key out. */
  | { readonly kind: 'value'; readonly keys: Keys; readonly value: string | number | false | undefined }
  | { readonly kind: 'text'; readonly at: number; readonly length: number; readonly text: string }
  | { readonly kind: 'move'; readonly to: string };

/** @param rule  for values with the key behind it: `field:date` */
export const say = sayer(rules);

export type Speller = (word: string, candidates: ReadonlySet<string>) => string | undefined;

/** About a second of looking; a folder where everything is misspelt must not take hours. */
const patience = 100_000_000;

/** `nearest` over large sets, each word looked up once, until patience is at its end. */
export function createSpeller(): Speller {
  const known = new Map<ReadonlySet<string>, Map<string, string | undefined>>();
  let left = patience;
  return (word, candidates) => {
    const answers = known.get(candidates) ?? new Map<string, string | undefined>();
    known.set(candidates, answers);
    if (!answers.has(word)) {
      if (left <= 0 || word.length > 200) return undefined;
      left -= candidates.size * (word.length ** 2 + 10);
      answers.set(word, nearest(word, candidates));
    }
    return answers.get(word);
  };
}
