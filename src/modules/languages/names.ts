/** Names of languages. */

/** @param language  the language of the name */
export function languageName(code: string, language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
