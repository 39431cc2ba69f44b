/**
 * Documents of XLIFF, 1.2 and 2.0, as far as jobs of translation need them: one file, its languages, its units with their codes.
 *
 * Source: OASIS XLIFF 1.2 and 2.0; reference on languages, 12.
 */
import type { Piece, TargetPiece } from '../units/record.ts';

export const xliffVersions = ['1.2', '2.0'] as const;
export type XliffVersion = (typeof xliffVersions)[number];

/** How far a unit is. `memory`, `fuzzy`: from an earlier translation of the same source, or of another. */
export type XliffState = 'untranslated' | 'memory' | 'fuzzy' | 'translated' | 'needs-review' | 'final';

export interface XliffUnit {
  /** Unique in the file. */
  readonly id: string;
  /** `html`, `plaintext`, `x-markdown`. */
  readonly datatype: string;
  /** For translators; '' for none. */
  readonly note: string;
  readonly source: readonly Piece[];
  /** Null: none. */
  readonly target: readonly Piece[] | readonly TargetPiece[] | null;
  readonly state: XliffState;
}

export interface XliffFile {
  /** Names the job. */
  readonly original: string;
  readonly sourceLang: string;
  readonly targetLang: string;
  /** What kind of item it is of. */
  readonly kind: string;
  /** Where a reader sees the original; '' for nowhere. */
  readonly href: string;
  readonly units: readonly XliffUnit[];
}

/** What a document says. */
export interface ReadXliff {
  readonly version: XliffVersion;
  readonly original: string;
  readonly sourceLang: string;
  /** '' where it says none. */
  readonly targetLang: string;
  readonly units: readonly ReadUnit[];
}

export interface ReadUnit {
  readonly id: string;
  /** Text without codes. */
  readonly source: string;
  /** Null: there is no target, or nothing in it. */
  readonly target: readonly TargetPiece[] | null;
  readonly state: XliffState;
  /** Inline elements that are not XLIFF's. */
  readonly strangers: readonly string[];
  readonly position: XliffPosition;
}

/** Both from 1. */
export interface XliffPosition {
  readonly line: number;
  readonly column: number;
}

/** What cannot be read as XLIFF, and where; no place is that of what is missing. */
export class XliffError extends Error {
  readonly position: XliffPosition | null;
  constructor(message: string, position: XliffPosition | null = null) {
    super(message);
    this.position = position;
  }
}

export const namespaces: Readonly<Record<XliffVersion, string>> = {
  '1.2': 'urn:oasis:names:tc:xliff:document:1.2',
  '2.0': 'urn:oasis:names:tc:xliff:document:2.0',
};
