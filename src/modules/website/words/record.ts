/**
 * Words of a theme, by what they are in English.
 */

/** A text, or one for each plural category of its language (`one`, `few`, `many`, `other`), by the value `count`. */
export type Word = string | Readonly<Record<string, string>>;
/** English → the text in another language. */
export type Words = Readonly<Record<string, Word>>;
/** By language: `de`, `pt-BR`. */
export type WordsByLanguage = ReadonlyMap<string, Words>;
