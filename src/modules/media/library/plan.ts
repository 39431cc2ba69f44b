/**
 * Saving, editing and deleting attachments. Every `plan…` here plans; `site.write` executes.
 *
 * Source: specification 2.5, 4.6; conformance scenarios media-library, media-sizes-and-editing.
 */
import { monthOf } from '../../../kernel/model/dates.ts';
import { blankPost, type PostInput, type PostRecord } from '../../content/posts/record.ts';
import { fail } from '../../../kernel/errors.ts';
import { type AttachmentRecord, isAttachment, uploadPath } from '../../content/attachments/record.ts';
import { mediaFolder, originalOf } from '../../../kernel/store/paths.ts';
import { same } from '../../../kernel/model/field.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { type PostType, publishes } from '../../types/record.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { removeComments } from '../../comments/record.ts';
import { writePost } from '../../content/posts/index.ts';
import { settingsWithout } from '../../content/settings/record.ts';
import { filterHtml } from '../../../render/filter.ts';
import type { PlanningSite, Site, WritePlan } from '../../../kernel/site/site.ts';
import { writeAttachment } from './file.ts';
import { broughtPath, noClientSizes } from '../files/client-sizes.ts';
import { stem, uniqueName } from '../files/names.ts';
import { extensionOf, mimeOf } from '../files/types.ts';

/** The input of a write. `excerpt` is the caption, `content` the description. */
export interface AttachmentInput extends Omit<PostInput, 'terms' | 'password' | 'sticky' | 'format' | 'order'> {
  readonly alt?: string;
}

/** A checked file, on disk or in memory, before it becomes media. */
export interface NewFile {
  /** Clean, with the extension of its type. */
  readonly name: string;
  readonly mime: string;
  readonly content: { readonly fromFile: string } | { readonly bytes: Uint8Array };
  /** From the file itself, used if the client sets none. */
  readonly title?: string;
  readonly caption?: string;
}

/**
 * Plans a new attachment with its file.
 * @param source  attachment it was edited from; 0 for none
 * @param client  client-side sizes
 * @returns its id
 * @throws RestError as `checkInput`
 */
export function planAttachment(
  site: PlanningSite,
  actor: Actor | null,
  file: NewFile,
  input: AttachmentInput,
  source = 0,
  client = noClientSizes,
): WritePlan<number> {
  checkInput(site, actor, input);
  const present = site.now();
  // An edited image goes into today's folder, as in the reference.
  const folder = source > 0 ? monthOf(present.local) : folderFor(site, input.parent ?? 0, present.local);
  const name = uniqueName(file.name, site.media.namesIn(mediaFolder + folder));
  const path = `${mediaFolder}${folder}/${name}.yaml`;
  const blank: AttachmentRecord = {
    ...blankPost(site.nextId('posts'), 'attachment'),
    path,
    kind: 'yaml',
    status: 'inherit',
    date: present.local,
    dateGmt: present.gmt,
    author: actor?.id ?? 0,
    comments: site.settings.value('comments') === 'closed' ? 'closed' : 'open',
    alt: '',
    mime: mimeOf(name) ?? file.mime,
    source,
    fetch: '',
    clientSizes: client,
  };
  const merged = merge(site, actor, blank, {
    ...input,
    title: input.title || file.title || stem(name),
    ...(input.excerpt || !file.caption ? {} : { excerpt: file.caption }),
  });
  const slug = freeSlug(site, merged, slugify(input.slug || merged.title) || String(blank.id));
  const after = { ...merged, slug, modified: merged.date, modifiedGmt: merged.dateGmt };
  return { changes: [{ path: originalOf(path), expect: null, ...file.content }, writeAttachment(site, after)], result: blank.id };
}

/** Plans a change of the sidecar. @throws RestError as `checkInput` */
export function planAttachmentUpdate(
  site: Site,
  actor: Actor | null,
  before: AttachmentRecord,
  input: AttachmentInput,
): WritePlan<number> {
  checkInput(site, actor, input, before);
  const merged = merge(site, actor, before, input);
  const wanted = input.slug === undefined ? merged.slug : slugify(input.slug);
  const slug = freeSlug(site, merged, wanted || slugify(merged.title) || String(before.id));
  const named = before.slug !== slug && before.slug !== '' ? [...before.aliases, before.slug] : before.aliases;
  const present = site.now();
  const after = {
    ...merged,
    slug,
    aliases: [...new Set(named)].filter((alias) => alias !== slug),
    modified: present.local,
    modifiedGmt: present.gmt,
  };
  return { changes: [writeAttachment(site, after, before)], result: before.id };
}

/** Plans the deletion of an attachment: its unshared files, and every reference to it. */
export function planAttachmentDelete(site: Site, media: AttachmentRecord): WritePlan<null> {
  const shown = [...site.posts.with('featured_media', media.id)].flatMap((id) => site.posts.get(id) ?? []);
  const cleared = shown.map((post) => {
    const after = { ...post, featuredMedia: 0 };
    return isAttachment(post) ? writeAttachment(site, after as AttachmentRecord, post) : writePost(site, after, post);
  });
  const isShared = site.media.sidecarsOf(originalOf(media.path)).some((path) => path !== media.path);
  const sidecar: FileChange[] = media.etag === '' ? [] : [{ remove: media.path, expect: media.etag }];
  return {
    changes: [
      ...cleared,
      ...settingsWithout(site, media.id, 'media'),
      ...sidecar,
      ...(isShared ? [] : [{ remove: originalOf(media.path) }]),
      ...(isShared ? [] : media.clientSizes.files.map(({ file }) => ({ remove: broughtPath(uploadPath(media), file) }))),
      ...removeComments(site, media.id),
    ],
    result: null,
  };
}

/** Attachments of a deleted post move to its parent (0: unattached). */
export function planDetach(site: Site, post: Pick<PostRecord, 'id' | 'parent'>): readonly FileChange[] {
  return [...site.posts.with('parent', post.id)].flatMap((id) => {
    const media = site.posts.get(id);
    return isAttachment(media) ? [writeAttachment(site, { ...media, parent: post.parent }, media)] : [];
  });
}

/** Whether files of a type may have a cover or poster image. */
export function hasCover(mime: string): boolean {
  return /^(?:audio|video)\//.test(mime);
}

/** The name of an edited image: `-edited` once, however often it is edited. */
export function editedName(name: string): string {
  const base = stem(name).replace(/-edited(?:-\d+)?$/, '');
  return `${base}-edited.${extensionOf(name)}`;
}

/**
 * Validation before anything is written.
 * @throws RestError rest_invalid_author, rest_cannot_publish, rest_invalid_param
 */
function checkInput(site: Site, actor: Actor | null, input: AttachmentInput, before?: AttachmentRecord): void {
  const type = site.types.get('attachment') as PostType;
  if (input.status !== undefined && input.status !== before?.status && publishes(site.statuses, input.status)) {
    if (!site.access.can(actor, type.capabilities.publish_posts)) fail('rest_cannot_publish');
  }
  if (input.author !== undefined && input.author !== actor?.id && !site.users.get(input.author)) fail('rest_invalid_author');
  if (input.parent && isAttachment(site.posts.get(input.parent))) fail('rest_invalid_param', {}, 'Invalid parent type.');
  if (input.parent && site.revisions.get(input.parent)) fail('rest_invalid_param', {}, 'Invalid parent type.');
}

/** The attachment with the input applied; markup is filtered by the user's permissions. */
function merge(site: Site, actor: Actor | null, before: AttachmentRecord, input: AttachmentInput): AttachmentRecord {
  const clean = site.access.can(actor, 'unfiltered_html') ? (html: string) => html : (html: string) => filterHtml(html, 'post');
  const texts = (['title', 'content', 'excerpt'] as const).flatMap((part) =>
    input[part] === undefined ? [] : [[part, clean(input[part])]],
  );
  const { date, slug: _, status, meta, featuredMedia, ...plain } = input;
  const after: AttachmentRecord = {
    ...before,
    ...plain,
    ...Object.fromEntries(texts),
    ...(date ? { date: date.local, dateGmt: date.gmt } : {}),
    // Of the post statuses, only private applies to files.
    ...(status === undefined ? {} : { status: status === 'private' ? 'private' : 'inherit' }),
    ...(meta === undefined || same(meta, before.meta) ? {} : { meta }),
  };
  if (featuredMedia === undefined || !hasCover(before.mime)) return after;
  const shown = site.posts.get(featuredMedia);
  return { ...after, featuredMedia: isAttachment(shown) && shown.mime.startsWith('image/') ? featuredMedia : 0 };
}

/** Attachments share slugs with posts of every type. */
function freeSlug(site: Site, media: AttachmentRecord, wanted: string): string {
  return site.writers.pickSlug('attachment', wanted, (slug) => {
    if (['embed', 'feed', 'rdf', 'rss', 'rss2', 'atom'].includes(slug)) return true;
    for (const id of site.posts.with('slug', slug)) if (id !== media.id && site.posts.get(id)?.slug === slug) return true;
    return false;
  });
}

/** Year and month of the post it is uploaded to, except for pages; else today's. */
function folderFor(site: Site, parent: number, today: string): string {
  const post = site.posts.get(parent);
  const date = post && post.type !== 'page' && Number(post.date.slice(0, 4)) > 0 ? post.date : today;
  return monthOf(date);
}
