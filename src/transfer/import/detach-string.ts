/**
 * A copy of a text that is to be kept. Parsers hand out parts of their buffers and of whole files; one small part that is kept
 * would keep all of it in memory.
 */
export function detachString(text: string): string {
  if (text.length < 13) return text;
  const coding = /^[\x00-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, coding).toString(coding);
}
