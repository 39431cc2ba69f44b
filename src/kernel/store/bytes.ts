/** Bytes: their hash, and what JSON they hold. */

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

/** What a stored document says; null without one, and for what is no JSON. */
export function jsonIn(bytes: Uint8Array | null): unknown {
  try {
    return bytes === null ? null : JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}
