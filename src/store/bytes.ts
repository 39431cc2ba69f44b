/** Bytes: their hash, and whether they are text. */

import { isAscii as isAsciiBytes, isUtf8 as isUtf8Bytes } from 'node:buffer';
import { hash as hashOf } from 'node:crypto';

/** SHA-256 in URL-safe base 64. */
export function hash(bytes: Uint8Array): string {
  return hashOf('sha256', bytes, 'base64url');
}

export function isUtf8(bytes: Uint8Array): boolean {
  return isUtf8Bytes(bytes);
}

export function isAscii(bytes: Uint8Array): boolean {
  return isAsciiBytes(bytes);
}
