import type { Dialect } from '../../src/kernel/rest/dialect.ts';

interface Spelling {
  /** Neutral text as the spelling has it. */
  write(text: string): string;
  /** Back. */
  read(text: string): string;
  /** Finds what the spelling must not have of the other one. */
  readonly foreign: RegExp;
}

/** Finds what a spelling must not have of the other one. */
export const foreign: Readonly<Record<Dialect['name'], RegExp>>;

export function spellingOf(dialect: Dialect): Spelling;
