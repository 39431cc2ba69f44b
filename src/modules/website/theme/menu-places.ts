/** Menu locations for header and footer of the default theme, by the names that sites use. */

/** Names that mean a footer. */
const below = /foot|bottom|legal|social/i;

/** The locations for header and footer. @param names  of locations with a menu, in order */
export function placesOf(names: readonly string[]): { readonly header: string | undefined; readonly footer: string | undefined } {
  const named = (place: string): string | undefined => names.find((name) => name === place);
  return {
    header: named('header') ?? names.find((name) => !below.test(name)),
    footer: named('footer') ?? names.find((name) => below.test(name)),
  };
}

/**
 * Whether a theme shows a location.
 * @param templates  texts of the site's own templates
 */
export function isShown(location: string, names: readonly string[], templates: readonly string[]): boolean {
  const { header, footer } = placesOf(names);
  if (location === header || location === footer) return true;
  // A template that iterates over all of them names none.
  return templates.some((text) => /\bin menus\b|\bmenus\[(?!['"])/.test(text) || text.split(/[^\w-]+/).includes(location));
}
