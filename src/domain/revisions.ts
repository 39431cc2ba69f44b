/**
 * Revisions: one for every change of a post's text, and one autosave for each user.
 *
 * Source: specification section 4.4; conformance scenarios revisions-of-posts, posts-states, autosaves-of-posts.
 */
import { fail } from '../errors.ts';
import { same } from '../model/field.ts';
import type { PostRecord } from '../model/post.ts';
import type { RevisionRecord } from '../model/revision.ts';
import type { FileChange } from '../store/types.ts';
import type { Actor } from './capabilities.ts';
import type { Plan, PostInput } from './posts.ts';
import { writeRevision } from './revision-shelf.ts';
import type { Site } from './site.ts';

/** Newest first. */
export function revisionsOf(site: Site, post: number, { autosaves = false } = {}): RevisionRecord[] {
  return [...site.revisions.with('parent', post)]
    .flatMap((id) => site.revisions.get(id) ?? [])
    .filter((revision) => autosaves || !revision.autosave)
    .sort((a, b) => b.id - a.id);
}

/**
 * The files that a change of a post leaves behind: a revision of the new state unless the last one says the same, and the
 * removal of those beyond the site's limit. The first change of a post always leaves one (observed).
 */
export function planRevision(site: Site, actor: Actor | null, before: PostRecord, after: PostRecord): FileChange[] {
  const limit = site.settings.value('revisions') as number;
  if (!site.types.get(after.type)?.supports.revisions || limit === 0 || after.status === 'auto-draft') return [];
  const known = revisionsOf(site, before.id);
  const last = known[0];
  if (
    last &&
    last.title === after.title &&
    last.content === after.content &&
    last.excerpt === after.excerpt &&
    same(last.meta, after.meta)
  )
    return [];
  const extra = limit < 0 ? [] : known.slice(limit - 1);
  return [writeRevision(site, revisionOf(site, after, actor)), ...extra.map((revision) => ({ remove: revision.path }))];
}

/** The autosave of a user for a post; undefined without one. */
export function autosaveOf(site: Site, post: number, user: number): RevisionRecord | undefined {
  return revisionsOf(site, post, { autosaves: true }).find((revision) => revision.autosave && revision.author === user);
}

/**
 * Plans the autosave of a user, in place of the one they have. Text that is the post's own is not worth one.
 * @returns its id @throws RestError rest_autosave_no_changes
 */
export function planAutosave(site: Site, actor: Actor, post: PostRecord, input: PostInput): Plan<number> {
  const known = autosaveOf(site, post.id, actor.id);
  const { title = '', content = '', excerpt = '' } = input;
  if (title === post.title && content === post.content && excerpt === post.excerpt) {
    return known ? { changes: [], result: known.id } : fail('rest_autosave_no_changes');
  }
  const state = revisionOf(site, { ...post, title, content, excerpt, meta: { ...post.meta, ...input.meta } }, actor, known?.id);
  const after: RevisionRecord = {
    ...state,
    autosave: true,
    path: known?.path ?? `revisions/${post.id}/autosave-${actor.id}${state.path.slice(state.path.lastIndexOf('.'))}`,
  };
  return { changes: [writeRevision(site, after, known)], result: after.id };
}

/** The state of a post as a revision of its own. */
export function revisionOf(site: Site, post: PostRecord, actor: Actor | null, id = site.nextId('posts')): RevisionRecord {
  const present = site.now();
  return {
    id,
    path: `revisions/${post.id}/${id}.${post.kind === 'md' ? 'md' : 'html'}`,
    etag: '',
    parent: post.id,
    author: actor?.id ?? 0,
    date: present.local,
    dateGmt: present.gmt,
    title: post.title,
    content: post.content,
    excerpt: post.excerpt,
    slug: `${post.id}-revision-v1`,
    autosave: false,
    meta: post.meta,
  };
}
