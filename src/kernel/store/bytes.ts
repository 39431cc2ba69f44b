/** Bytes: their hash, and whether they are text. */

import { isAscii as isAsciiBytes, isUtf8 as isUtf8Bytes } from 'node:buffer';
import { createHash, hash as hashOf } from 'node:crypto';
import { paced } from '../scheduler.ts';

/** SHA-256 in URL-safe base 64. */
export function hash(bytes: Uint8Array): string {
  return hashOf('sha256', bytes, 'base64url');
}

/** The same of parts that follow one another; gives way to the event loop. */
export async function hashOfParts(parts: readonly Uint8Array[]): Promise<string> {
  const digest = createHash('sha256');
  for await (const part of paced(parts, 1)) {
    digest.update(part);
  }
  return digest.digest('base64url');
}

export function isUtf8(bytes: Uint8Array): boolean {
  return isUtf8Bytes(bytes);
}

export function isAscii(bytes: Uint8Array): boolean {
  return isAsciiBytes(bytes);
}
