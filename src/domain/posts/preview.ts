/**
 * Preview tokens: signed and expiring, so that a front end can show an unsaved state without a session.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PostRecord } from '../../model/post.ts';
import type { RevisionRecord } from '../../model/revision.ts';
import type { Documents } from '../../store/types.ts';
import type { Site } from '../site.ts';

export interface Previews {
  /** A token for one post, good for `lifetimeSeconds` from `nowMs`. */
  sign(post: number, nowMs: number, lifetimeSeconds: number): string;
  /** Whether the token was given for the post and has not expired. */
  check(token: unknown, post: number, nowMs: number): boolean;
}

const KEY = 'preview.key';

/** The signing key is made on first use; a read-only site without one signs for as long as it is served. */
export async function createPreviews(documents: Documents, readOnly: boolean): Promise<Previews> {
  let key = await documents.get(KEY);
  if (!key) {
    key = randomBytes(32);
    if (!readOnly) await documents.set(KEY, key);
  }
  const secret = key;
  const seal = (post: number, expires: string): string =>
    createHmac('sha256', secret).update(`${post}.${expires}`).digest('base64url').slice(0, 32);
  return {
    sign(post, nowMs, lifetimeSeconds) {
      const expires = Math.floor(nowMs / 1000 + lifetimeSeconds).toString(36);
      return `${expires}.${seal(post, expires)}`;
    },
    check(token, post, nowMs) {
      const [expires, sealed] = typeof token === 'string' ? token.split('.') : [];
      if (!expires || !sealed || !(Number.parseInt(expires, 36) * 1000 > nowMs)) return false;
      const expected = Buffer.from(seal(post, expires));
      const given = Buffer.from(sealed);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** A post as its newest unsaved state would make it; the post itself when nobody has one that is newer. */
export function previewed(site: Pick<Site, 'revisions'>, post: PostRecord): PostRecord {
  let newest: RevisionRecord | undefined;
  for (const id of site.revisions.with('parent', post.id)) {
    const revision = site.revisions.get(id);
    if (revision?.autosave && revision.dateGmt >= post.modifiedGmt && (!newest || revision.dateGmt > newest.dateGmt))
      newest = revision;
  }
  return newest ? { ...post, title: newest.title, content: newest.content, excerpt: newest.excerpt } : post;
}
