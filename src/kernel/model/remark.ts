/**
 * What is said about a file: by the server's log, by answers, and by `cms validate`. A rule is declared once, by whoever says it; a
 * remark is a case of one.
 */

/**
 * `error`: the site serves it otherwise than its author meant, or not at all. `warning`: a likely slip. `note`: good to know;
 * nothing has to be done.
 */
export type Severity = 'error' | 'warning' | 'note';

export interface Rule {
  readonly severity: Severity;
  readonly about: string;
  /** How to fix it. */
  readonly help: string;
  /** The effect of `--fix`; absent: none. */
  readonly fix?: string;
}

export const rule = (severity: Severity, about: string, help: string, fix?: string): Rule => ({
  severity,
  about,
  help,
  ...(fix === undefined ? {} : { fix }),
});

export type Rules = Readonly<Record<string, Rule>>;

export interface Remark {
  readonly severity: Severity;
  /** Stable rule name, for values with their key (`field:date`). */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
}

export type Keys = readonly (string | number)[];

/** A remark with its position in a file. */
export interface PlacedRemark extends Remark {
  readonly path: string;
  /** Path of the value; [] is the whole file. */
  readonly keys: Keys;
  /** The position is the key, not its value. */
  readonly onKey?: true;
  /** In the body: offset and length in UTF-16 units. */
  readonly at?: number;
  readonly length?: number;
}

/** Of values against their schemas, and of settings. */
export const valueRules = {
  field: rule('error', 'A value is invalid for its key.', 'The message says what is valid; docs/content.md lists all keys.'),
  'operator-setting': rule(
    'warning',
    'A key of `site.yaml` is an operator setting, and has no effect there.',
    'Remove it; the operator sets the variable that the hint names.',
  ),
} as const satisfies Rules;

/** Creates remarks of these rules. */
export function sayer<R extends Rules>(rules: R) {
  return (rule: (keyof R & string) | `field:${string}`, message: string, hint?: string): Remark => {
    const { severity } = rules[rule.replace(/:.*$/s, '')] as Rule;
    return { severity, rule, message, ...(hint === undefined ? {} : { hint }) };
  };
}

/** The hint for a likely misspelling, else another one. */
export function didYouMean(meant: string | undefined, otherwise?: string): string | undefined {
  return meant === undefined ? otherwise : `did you mean ${meant}?`;
}
