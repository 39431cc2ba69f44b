/**
 * A finding: something to say about a file, and, where it is safe, how to put it right.
 */
import { nearest } from '../kernel/model/spelling.ts';
import { type RuleName, rules, type Severity } from './rules.ts';

export type { Severity } from './rules.ts';

export interface Finding {
  readonly path: string;
  /** Leads to the value that is meant; [] is the file as a whole. */
  readonly keys: Keys;
  /** The key itself is meant, not its value. */
  readonly onKey?: true;
  /** In the body instead: offset and length in UTF-16 units. */
  readonly at?: number;
  readonly length?: number;
  readonly severity: Severity;
  /** Stable word for scripts: a name of `rules`, for values with the key behind it (`field:date`). */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
  readonly fix?: Fix;
}

export type Keys = readonly (string | number)[];

/** What `--fix` does. */
export type Fix =
  /** New ids at these places. */
  | { readonly kind: 'ids'; readonly places: readonly Keys[] }
  | { readonly kind: 'value'; readonly keys: Keys; readonly value: string }
  | { readonly kind: 'text'; readonly at: number; readonly length: number; readonly text: string }
  | { readonly kind: 'move'; readonly to: string };

/** What is said, wherever it is said. */
export type Remark = Pick<Finding, 'severity' | 'rule' | 'message' | 'hint'>;

/** @param rule  for values with the key behind it: `field:date` */
export function say(rule: RuleName | `field:${string}`, message: string, hint?: string): Remark {
  const { severity } = rules[rule.replace(/:.*$/s, '') as RuleName];
  return { severity, rule, message, ...(hint === undefined ? {} : { hint }) };
}

/** The hint at a likely misspelling, or another one when there is none. */
export function didYouMean(meant: string | undefined, otherwise?: string): string | undefined {
  return meant === undefined ? otherwise : `did you mean ${meant}?`;
}

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
