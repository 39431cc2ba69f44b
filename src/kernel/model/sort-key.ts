/**
 * How names and titles sort: without regard to case and accents, as in the reference's database.
 */
export function sortKey(text: string): string {
  const lower = text.toLowerCase();
  return /^[\x00-\x7f]*$/.test(lower)
    ? lower
    : lower
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .replaceAll('ß', 'ss');
}
