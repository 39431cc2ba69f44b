/**
 * Translation of custom fields, types, taxonomies, blocks, shortcodes and settings: one XML document, in the format that themes and extensions ship.
 *
 * Source: reference on languages, 3.
 */
declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly translationConfig: TranslationConfig;
    /** The mode of a field by name; undefined if not configured. */
    readonly fieldModes?: (kind: 'post' | 'term', name: string) => FieldMode | undefined;
  }
}

/** Translated, kept equal to the original, copied once, or ignored. */
export type FieldMode = (typeof fieldModes)[number];
export const fieldModes = ['translate', 'copy', 'copy-once', 'ignore'] as const;

export interface FieldRule {
  readonly mode: FieldMode;
  readonly label: string;
  readonly group: string;
  /** The editor control of a text. */
  readonly style: 'line' | 'textarea' | 'visual';
}

export interface KindRule {
  readonly isTranslated: boolean;
  /** Lists show the original if there is no translation. */
  readonly displayAsTranslated: boolean;
}

/** A translatable part of a block or shortcode. */
export interface RulePart {
  /** An XPath, or the name of an attribute. */
  readonly kind: 'xpath' | 'key';
  /** The XPath, or names from the outermost member inwards; `*` matches any. */
  readonly path: readonly string[];
  readonly label: string;
  /** Type of the text: `link`, `visual`, `media-url`, …; '' for plain text. */
  readonly type: string;
}

export interface BlockRule {
  readonly isTranslated: boolean;
  readonly label: string;
  readonly parts: readonly RulePart[];
}

export interface ShortcodeRule {
  readonly label: string;
  /** The content is not translated: configured so, encoded, raw markup or a URL. */
  readonly ignoresContent: boolean;
  /** Attribute → label. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A path of keys in stored settings; `*` in a name matches any characters. */
export type TextKey = readonly string[];

/** The rules of a document, by name. */
export interface ConfigRules {
  readonly types: ReadonlyMap<string, KindRule>;
  readonly taxonomies: ReadonlyMap<string, KindRule>;
  readonly fields: ReadonlyMap<string, FieldRule>;
  readonly termFields: ReadonlyMap<string, FieldRule>;
  /** Translatable members of structured fields. */
  readonly fieldTexts: readonly TextKey[];
  /** Settings whose texts are strings. */
  readonly adminTexts: readonly TextKey[];
  readonly blocks: ReadonlyMap<string, BlockRule>;
  readonly shortcodes: ReadonlyMap<string, ShortcodeRule>;
}

export interface TranslationConfig {
  /** The site's own document; '' for none. */
  readonly text: string;
  /** Merged rules: later documents win, the site's own one last. */
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

/** The setting with the document. */
export const configKey = 'translation_config';

/** Rules for blocks and shortcodes; undefined if not configured. */
export interface TextRules {
  /** @param name  with its namespace */
  block?(name: string): BlockTexts | undefined;
  shortcode?(name: string): ShortcodeTexts | undefined;
}

export interface BlockTexts {
  readonly label: string;
  /** The block itself is not translated; nested blocks follow their own rules. */
  readonly isLeftAlone: boolean;
  /** @param path  member names and list positions @returns the label or '' of a text; null: not translatable */
  attribute(path: readonly string[]): string | null;
}

export interface ShortcodeTexts {
  readonly label: string;
  /** The content is not translated. */
  readonly isVerbatim: boolean;
  /** @returns the label or '' of a text; null: not translatable */
  attribute(name: string): string | null;
}
