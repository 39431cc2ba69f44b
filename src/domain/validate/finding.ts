/**
 * A finding: something to say about a file.
 */
import type { Severity } from '../../store/types.ts';

export interface Finding {
  readonly path: string;
  /** Leads to the value that is meant; [] is the file as a whole. */
  readonly keys: Keys;
  /** The key itself is meant, not its value. */
  readonly onKey?: true;
  readonly severity: Severity;
  /** Stable word for scripts. */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
}

export type Keys = readonly (string | number)[];

/** What is said, wherever it is said. */
export type Remark = Pick<Finding, 'severity' | 'rule' | 'message' | 'hint'>;

/** The site serves it otherwise than its author meant, or not at all. */
export function wrong(rule: string, message: string, hint?: string): Remark {
  return remark('error', rule, message, hint);
}

/** A likely slip. */
export function doubtful(rule: string, message: string, hint?: string): Remark {
  return remark('warning', rule, message, hint);
}

/** The hint at a likely misspelling, or another one when there is none. */
export function didYouMean(meant: string | undefined, otherwise?: string): string | undefined {
  return meant === undefined ? otherwise : `did you mean ${meant}?`;
}

function remark(severity: Severity, rule: string, message: string, hint: string | undefined): Remark {
  return { severity, rule, message, ...(hint === undefined ? {} : { hint }) };
}
