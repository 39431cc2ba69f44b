/** Preview tokens: signed and expiring, so that a front end can show unsaved changes without a session. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PostRecord } from './record.ts';
import type { RevisionRecord } from '../revisions/record.ts';
import { keyIn } from '../../../kernel/store/key-documents.ts';
import type { TrustedDocuments } from '../../../kernel/store/types.ts';
import type { Site } from '../../../kernel/site/site.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly previews: Previews;
  }
}

interface Previews {
  /** A token for one post, valid for `lifetimeSeconds` from `nowMs`. */
  sign(post: number, nowMs: number, lifetimeSeconds: number): string;
  /** Whether the token is valid for the post. */
  check(token: unknown, post: number, nowMs: number): boolean;
  /** An unforgeable digest of a text: 43 letters and digits. */
  seal(text: string): string;
}

const KEY = 'preview.key';

/** The signing key is created on first use; a read-only site without one has a temporary key. */
export async function createPreviews(documents: TrustedDocuments, readOnly: boolean): Promise<Previews> {
  const secret = readOnly ? ((await documents.get(KEY)) ?? randomBytes(32)) : await keyIn(documents, KEY);
  const sealOf = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url');
  const seal = (post: number, expires: string): string => sealOf(`${post}.${expires}`).slice(0, 32);
  return {
    sign(post, nowMs, lifetimeSeconds) {
      const expires = Math.floor(nowMs / 1000 + lifetimeSeconds).toString(36);
      return `${expires}.${seal(post, expires)}`;
    },
    check(token, post, nowMs) {
      const [expires, sealed, ...more] = typeof token === 'string' ? token.split('.', 3) : [];
      if (!expires || !sealed || more.length > 0 || !/^[a-z\d]+$/.test(expires) || !(Number.parseInt(expires, 36) * 1000 > nowMs))
        return false;
      const expected = Buffer.from(seal(post, expires));
      const given = Buffer.from(sealed);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    seal: sealOf,
  };
}

/** Whether visitors need a preview link for the post: it has a URL and is not public or trashed. */
export function needsPreview(site: Pick<Site, 'types' | 'statuses'>, { type, status }: PostRecord): boolean {
  const isPublic = site.statuses.some((one) => one.name === status && one.public);
  return site.types.get(type)?.viewable === true && !isPublic && status !== 'trash';
}

/** A URL with a token that opens the newest state of a post without a session. @param link  of the post */
export function previewLink(site: Pick<Site, 'previews' | 'clock' | 'settings'>, { id }: PostRecord, link: string): string {
  const token = site.previews.sign(id, site.clock(), site.settings.value('preview_lifetime') as number);
  return `${link}${link.includes('?') ? '&' : '?'}preview_id=${id}&preview_nonce=${token}&preview=true`;
}

/** The state shown by a URL with a preview token; 'refused' for an invalid token; null if it requests no preview. */
export function previewAt(site: Site, query: Readonly<Record<string, unknown>>): PostRecord | 'refused' | null {
  if (query.preview_nonce === undefined && query.preview_id === undefined) return null;
  const post = site.posts.get(Number(query.preview_id));
  const isMeant = namedIn(query).every((id) => id === post?.id);
  if (!post || !isMeant || post.status === 'trash') return 'refused';
  return site.previews.check(query.preview_nonce, post.id, site.clock()) ? previewed(site, post) : 'refused';
}

/** Ids in a query; NaN if invalid. */
export function namedIn(query: Readonly<Record<string, unknown>>): number[] {
  return ['p', 'page_id', 'attachment_id'].flatMap((name) => (query[name] === undefined ? [] : [Number(query[name])]));
}

/** A post with its newest unsaved changes; the post itself if there are none. */
export function previewed(site: Pick<Site, 'revisions'>, post: PostRecord): PostRecord {
  let newest: RevisionRecord | undefined;
  for (const id of site.revisions.with('parent', post.id)) {
    const revision = site.revisions.get(id);
    if (revision?.autosave && revision.dateGmt >= post.modifiedGmt && (!newest || revision.dateGmt > newest.dateGmt))
      newest = revision;
  }
  return newest ? { ...post, title: newest.title, content: newest.content, excerpt: newest.excerpt } : post;
}
