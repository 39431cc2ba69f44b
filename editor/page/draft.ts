/** What was written and is not saved, kept in the browser: a closed tab or a net that is away loses nothing. */
import type { Values } from './changes.ts';

export interface Draft {
  readonly base: Values;
  readonly values: Values;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const nameOf = (place: string): string => `cms-draft ${new URL('.', document.baseURI).pathname} ${place}`;

export function keepDraft(place: string, draft: Draft): void {
  try {
    localStorage.setItem(nameOf(place), JSON.stringify(draft));
  } catch {
    // Full, or forbidden: the page still warns before it is left.
  }
}

export function dropDraft(place: string): void {
  try {
    localStorage.removeItem(nameOf(place));
  } catch {
    // As above.
  }
}

export function draftOf(place: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(nameOf(place)) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}
