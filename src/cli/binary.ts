/** Whether bytes are no text, as git judges it: a zero among the first of them. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
