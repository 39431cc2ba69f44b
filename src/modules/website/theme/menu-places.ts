/**
 * Where the default theme shows menus: it has a header and a footer, and sites call their menu locations as they like.
 */

/** Locations that sound like a footer. */
const below = /foot|bottom|legal|social/i;

/** The locations that are shown in the header and in the footer. @param names  of locations that hold a menu, in order */
export function placesOf(names: readonly string[]): { readonly header: string | undefined; readonly footer: string | undefined } {
  const named = (place: string): string | undefined => names.find((name) => name === place);
  return {
    header: named('header') ?? names.find((name) => !below.test(name)),
    footer: named('footer') ?? names.find((name) => below.test(name)),
  };
}

/**
 * Whether a theme shows the menu of a location.
 * @param templates  texts of the site's own templates
 */
export function isShown(location: string, names: readonly string[], templates: readonly string[]): boolean {
  const { header, footer } = placesOf(names);
  if (location === header || location === footer) return true;
  // A template that goes through all of them names none.
  return templates.some((text) => /\bin menus\b|\bmenus\[(?!['"])/.test(text) || text.split(/[^\w-]+/).includes(location));
}
