/** Sort keys of names and titles: ignoring case and accents, like the reference's database. */
export function sortKey(text: string): string {
  const lower = text.toLowerCase();
  return /^[\x00-\x7f]*$/.test(lower)
    ? lower
    : lower
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '')
        .replaceAll('ß', 'ss');
}
