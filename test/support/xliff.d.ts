declare module 'xliff' {
  /** A text, an inline element by its kind, or several of them. */
  type Value = string | InlineElement | readonly Value[];
  type InlineElement = Readonly<Record<string, { readonly id?: string; readonly contents?: Value }>>;

  interface Unit {
    readonly source: Value;
    readonly target?: Value;
    readonly note?: Value;
    readonly additionalAttributes: Readonly<Record<string, string>>;
  }

  interface Resources {
    readonly sourceLanguage: string;
    readonly targetLanguage: string;
    /** File → unit → what it says. */
    readonly resources: Readonly<Record<string, Readonly<Record<string, Unit>>>>;
  }

  const xliff: {
    xliff12ToJs(text: string, options: { readonly captureSpacesBetweenElements: boolean }): Promise<Resources>;
    xliff2js(text: string): Promise<Resources>;
  };
  export type { InlineElement, Resources, Unit, Value };
  export default xliff;
}
