/**
 * Pictures of people at the avatar service that the reference names.
 */
import { createHash } from 'node:crypto';
import { avatarSizes } from './record.ts';

/** Addresses of somebody's picture, by size in pixels. Only a digest of the e-mail address shows. */
export function avatarUrls(email: string): Record<string, string> {
  const address = email.trim().toLowerCase();
  const digest = address === '' ? '' : createHash('sha256').update(address).digest('hex');
  return Object.fromEntries(avatarSizes.map((size) => [size, `https://secure.gravatar.com/avatar/${digest}?s=${size}&d=mm&r=g`]));
}
