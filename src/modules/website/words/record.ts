/** Texts of a theme, by English text. */

/** A text, or one per plural category (`one`, `few`, `many`, `other`), by the value `count`. */
export type Word = string | Readonly<Record<string, string>>;
/** English → translation. */
export type Words = Readonly<Record<string, Word>>;
/** By language: `de`, `pt-BR`. */
export type WordsByLanguage = ReadonlyMap<string, Words>;
