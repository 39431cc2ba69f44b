/**
 * What a site says of the translation of custom fields, types, taxonomies, blocks, shortcodes and settings: one XML document, in the
 * format that themes and extensions ship.
 *
 * Source: reference on languages, 3.
 */
declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly translationConfig: TranslationConfig;
    /** How a field of an item or a term is translated, by its name; undefined where nothing is said. */
    readonly fieldModes?: (kind: 'post' | 'term', name: string) => FieldMode | undefined;
  }
}

/** What becomes of a value in translations: translated, kept equal to the original, copied once, or left alone. */
export type FieldMode = 'translate' | 'copy' | 'copy-once' | 'ignore';

export interface FieldRule {
  readonly mode: FieldMode;
  readonly label: string;
  readonly group: string;
  /** How a text is edited. */
  readonly style: 'line' | 'textarea' | 'visual';
}

export interface KindRule {
  readonly isTranslated: boolean;
  /** Lists show the original where there is no translation. */
  readonly displayAsTranslated: boolean;
}

/** A part of a block or shortcode that holds text. */
export interface TextPart {
  /** An expression for elements, or the name of an attribute. */
  readonly kind: 'xpath' | 'key';
  /** The expression, or the names from the outermost member inwards; `*` stands for any. */
  readonly path: readonly string[];
  readonly label: string;
  /** What the text is: `link`, `visual`, `media-url`, …; '' for plain text. */
  readonly type: string;
}

export interface BlockRule {
  readonly isTranslated: boolean;
  readonly label: string;
  readonly parts: readonly TextPart[];
}

export interface ShortcodeRule {
  readonly label: string;
  /** What stands between its tags is no text to translate: the document says so, or that it is encoded, raw markup or an address. */
  readonly ignoresContent: boolean;
  /** Name of an attribute that is a text → its label. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A path of keys in stored settings, from the name of the setting inwards; `*` in a name stands for any characters. */
export type TextKey = readonly string[];

/** What a document says, by names. */
export interface ConfigRules {
  readonly types: ReadonlyMap<string, KindRule>;
  readonly taxonomies: ReadonlyMap<string, KindRule>;
  readonly fields: ReadonlyMap<string, FieldRule>;
  readonly termFields: ReadonlyMap<string, FieldRule>;
  /** Members of structured fields that are texts. */
  readonly fieldTexts: readonly TextKey[];
  /** Settings whose texts are strings. */
  readonly adminTexts: readonly TextKey[];
  readonly blocks: ReadonlyMap<string, BlockRule>;
  readonly shortcodes: ReadonlyMap<string, ShortcodeRule>;
}

export interface TranslationConfig {
  /** The site's own document; '' for none. */
  readonly text: string;
  /** What holds of everything that is said: later documents win, the site's own one last. */
  readonly rules: ConfigRules;
}

export const noRules: ConfigRules = {
  types: new Map(),
  taxonomies: new Map(),
  fields: new Map(),
  termFields: new Map(),
  fieldTexts: [],
  adminTexts: [],
  blocks: new Map(),
  shortcodes: new Map(),
};

/** Setting of the site that has the document. */
export const configKey = 'translation_config';

/** What a site says of its own blocks and of words in brackets; undefined where it says nothing of one. */
export interface TextRules {
  /** @param name  with its namespace */
  block?(name: string): BlockTexts | undefined;
  shortcode?(name: string): ShortcodeTexts | undefined;
}

export interface BlockTexts {
  readonly label: string;
  /** Nothing of the block itself is translated; of the blocks in it what is said of them. */
  readonly isLeftAlone: boolean;
  /** @param path  names of members and places in lists, from the outside @returns its label or '' of a text; null: it is none */
  attribute(path: readonly string[]): string | null;
}

export interface ShortcodeTexts {
  readonly label: string;
  /** What stands between its halves is no text. */
  readonly isVerbatim: boolean;
  /** @returns its label or '' of a text; null: it is none */
  attribute(name: string): string | null;
}
