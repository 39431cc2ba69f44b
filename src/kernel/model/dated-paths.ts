/** Dates in names of files and folders: `2024-05-01-title.md`, `posts/2024/05/title.md`. */

/** A file name with a date: the day, `YYYY-MM-DD`, and the rest. */
export function datedName(name: string): { readonly date: string; readonly rest: string } | null {
  const found = /^(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?:[-_. ]+(.+))?$/.exec(name);
  if (!found || Number(found[2]) > 12 || Number(found[3]) > 31 || Number(found[2]) === 0) return null;
  return { date: `${found[1]}-${found[2]}-${found[3]}`, rest: found[4] ?? '' };
}

/**
 * The date that a path says, site time `YYYY-MM-DDTHH:MM:SS`, at midnight: of the file's name (for `index` the folder's), else of the
 * folders by year, month and day above it, the first of the month without a day. Null without a date, and for days that are none.
 */
export function dateInPath(path: string): string | null {
  const parts = path.split('/');
  const name = (parts.pop() as string).replace(/\.[^.]*$/, '');
  const named = datedName(name) ?? (/^_?index$/.test(name) ? datedName(parts.at(-1) ?? '') : null);
  const [, year, month, day = '01'] = /(?:^|\/)(\d{4})\/(\d{2})(?:\/(\d{2}))?(?:\/[^/]*\D[^/]*)?$/.exec(parts.join('/')) ?? [];
  for (const date of [named?.date, year === undefined ? undefined : `${year}-${month}-${day}`])
    if (date !== undefined && isDay(date)) return `${date}T00:00:00`;
  return null;
}

function isDay(date: string): boolean {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date);
}
