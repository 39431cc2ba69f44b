/**
 * Signatures of addresses: HMAC-SHA256 of the path and the sorted parameters, by a key of the site that is no content. Who has the key may
 * ask for any size; nobody else can have the server make pictures without end.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyIn } from '../../../kernel/store/key-documents.ts';
import type { Store } from '../../../kernel/store/types.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

const document = 'images/key';

/** The key, 64 hexadecimal digits; null where there is none yet. */
export async function readKey(store: Pick<Store, 'private'>): Promise<string | null> {
  const bytes = await store.private.get(document);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8').trim();
}

/** The key, made where there is none. */
export async function makeKey(store: Pick<Store, 'private'>): Promise<string> {
  const bytes = await keyIn(store.private, document, () => Buffer.from(`${randomBytes(32).toString('hex')}\n`));
  return Buffer.from(bytes).toString('utf8').trim();
}

/** The address with its signature, `s`. @throws TypeError for what is no address */
export function signed(address: string, key: string): string {
  const url = new URL(address);
  url.searchParams.delete('s');
  url.searchParams.sort();
  const text = `${url.pathname}?${url.searchParams}`;
  url.searchParams.set('s', createHmac('sha256', key).update(text).digest('base64url'));
  return url.href;
}

/** Whether the signature of an address, as it was sent, is that of the key. */
export function isSigned(url: string, key: string): boolean {
  if (!isUrl(url, 'http://localhost')) return false;
  const sent = new URL(url, 'http://localhost');
  const right = new URL(signed(sent.href, key)).searchParams.get('s') as string;
  const [given, wanted] = [sent.searchParams.get('s') ?? '', right].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
