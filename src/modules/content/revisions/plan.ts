/**
 * Revisions: one per change of a post's text, and one autosave per user.
 *
 * Source: specification section 4.4; conformance scenarios revisions-of-posts, posts-states, autosaves-of-posts.
 */
import { recordKeys } from '../../../kernel/extended.ts';
import { same } from '../../../kernel/model/field.ts';
import type { PostRecord, PostInput } from '../posts/record.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { type RevisionRecord, revisionsOf } from './record.ts';
import type { Batch, Entry, FileChange } from '../../../kernel/store/types.ts';
import { cleanerFor, type WrittenPart, textParts } from '../posts/written-text.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { type Leaving, withAuthor } from '../../people/users/record.ts';
import { writeRevision } from './file.ts';
import type { PlanningSite, Site, WritePlan } from '../../../kernel/site/site.ts';

/**
 * The files written with a change of a post: a revision of the new state unless the last one is the same, and the removal of those beyond the limit.
 * The first change always makes one (observed).
 */
export function planRevision(site: PlanningSite, actor: Actor | null, before: PostRecord, after: PostRecord): FileChange[] {
  const limit = limitOf(site);
  if (!site.types.get(after.type)?.supports.revisions || limit === 0 || after.status === 'auto-draft') return [];
  const known = revisionsOf(site, before.id);
  const last = known[0];
  const isSame =
    last && saysTheSame(last, after) && same(last.meta, after.meta) && same(addedTo(site, last), addedTo(site, after));
  if (isSame) return [];
  return [writeRevision(site, revisionOf(site, after, actor)), ...beyondLimit(site, known)];
}

/** Number of stored revisions: none if they come from git. */
function limitOf({ settings }: Pick<Site, 'settings'>): number {
  const said = settings.value('revisions');
  return said === 'git' ? 0 : Number(said);
}

/** Removals that make room for one more. */
function beyondLimit(site: Site, known: readonly RevisionRecord[]): FileChange[] {
  const limit = limitOf(site);
  return limit < 0 ? [] : known.slice(limit - 1).map(({ path }) => ({ remove: path }));
}

/** Larger batches are a checkout or a pull: git has those states. */
const MAX_REPLACED = 20;

/**
 * Revisions of what hand edits replace, unless one has the same text.
 *
 * @param batch  changes on disk, not yet ingested
 * @returns  the changes to make once it is
 */
export function replacedBy(site: PlanningSite, batch: Batch): () => FileChange[] {
  if (site.store.readOnly || batch.entries.length > MAX_REPLACED) return () => [];
  const served = batch.entries
    .flatMap(({ path }) => [...site.posts.with('place', logicalPath(path))])
    .flatMap((id) => site.posts.get(id) ?? []);
  return () =>
    served.flatMap((before) => {
      const after = site.posts.get(before.id);
      const supports = site.types.get(before.type)?.supports.revisions && limitOf(site) !== 0;
      if (!after || !supports || isSameText(before, after)) return [];
      const known = revisionsOf(site, before.id);
      if (known.some((one) => isSameText(one, before))) return [];
      return [writeRevision(site, revisionOf(site, before, { id: before.author, roles: [] })), ...beyondLimit(site, known)];
    });
}

/** A revision of what others have made of a post's file, which the post does not become; none if one has the same text. */
export function planOther(site: PlanningSite, { path, data, body }: Entry, author: number): WritePlan<void> {
  const [id] = site.posts.with('place', logicalPath(path));
  const post = id === undefined ? undefined : site.posts.get(id);
  const isKept = post && site.types.get(post.type)?.supports.revisions && limitOf(site) !== 0;
  if (!isKept) return { changes: [], result: undefined };
  const text: Text = { title: String(data.title ?? ''), content: body, excerpt: String(data.excerpt ?? '') };
  const known = revisionsOf(site, post.id);
  if (known.some((one) => isSameText(one, text))) return { changes: [], result: undefined };
  const revision = revisionOf(site, { ...post, ...text }, { id: author, roles: [] });
  return { changes: [writeRevision(site, revision), ...beyondLimit(site, known)], result: undefined };
}

function isSameText(a: Text, b: Text): boolean {
  return a.title === b.title && a.content === b.content && a.excerpt === b.excerpt;
}

type Text = Pick<PostRecord, WrittenPart>;

/** Like `isSameText`, but ignores differences in white space. */
function saysTheSame(a: Text, b: Text): boolean {
  return textParts.every((part) => a[part] === b[part] || isAlike(a[part], b[part]));
}

/** Equal except for white space; in one pass, as texts may be megabytes. */
export function isAlike(a: string, b: string): boolean {
  const [one, another] = [a.trim(), b.trim()];
  let at = 0;
  let other = 0;
  while (at < one.length && other < another.length) {
    const sign = signAt(one, at);
    if (sign !== signAt(another, other)) return false;
    at = behind(one, at, sign);
    other = behind(another, other, sign);
  }
  return at === one.length && other === another.length;
}

const [tab, lineFeed, carriageReturn, space] = [9, 10, 13, 32];

function signAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code === carriageReturn ? lineFeed : code === tab ? space : code;
}

/** The position after a character, or after a run of spaces or line endings. */
function behind(text: string, at: number, sign: number): number {
  let next = at + 1;
  if (sign === lineFeed || sign === space) while (signAt(text, next) === sign) next++;
  return next;
}

export function autosaveOf(site: Site, post: number, user: number): RevisionRecord | undefined {
  return revisionsOf(site, post, { autosaves: true }).find((revision) => revision.autosave && revision.author === user);
}

/**
 * Plans a user's autosave, replacing the previous one; unchanged if the text is the post's own.
 * @returns its id
 */
export function planAutosave(site: PlanningSite, actor: Actor, post: PostRecord, input: PostInput): WritePlan<number> {
  const known = autosaveOf(site, post.id, actor.id);
  const clean = cleanerFor(site.access, actor);
  const text: Text = {
    title: clean('title', input.title ?? ''),
    content: clean('content', input.content ?? '', post.kind),
    excerpt: clean('excerpt', input.excerpt ?? ''),
  };
  if (known && saysTheSame(post, text)) return { changes: [], result: known.id };
  const state = revisionOf(
    site,
    { ...post, ...addedTo(site, { ...post, ...input }), ...text, meta: input.meta ?? post.meta },
    actor,
    known?.id,
  );
  const after: RevisionRecord = {
    ...state,
    autosave: true,
    path: known?.path ?? `revisions/${post.id}/autosave-${actor.id}${state.path.slice(state.path.lastIndexOf('.'))}`,
  };
  return { changes: [writeRevision(site, after, known)], result: after.id };
}

/** All states of a deleted post. */
export function removeRevisions(site: Site, post: Pick<PostRecord, 'id'>): FileChange[] {
  return revisionsOf(site, post.id, { autosaves: true }).map(({ path }) => ({ remove: path }));
}

/** Revisions of a deleted user go to the heir, or stay as they are. */
export function giveRevision(revision: RevisionRecord, { heir }: Leaving): readonly FileChange[] {
  return heir === null ? [] : withAuthor(revision, heir);
}

/** The state of a post as a revision. */
function revisionOf(site: PlanningSite, post: PostRecord, actor: Actor | null, id = site.nextId('posts')): RevisionRecord {
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
    ...addedTo(site, post),
  };
}

/** The values of fields that modules add to revisions. */
export function addedTo(site: Site, record: object): Readonly<Record<string, unknown>> {
  const { fields } = site.modules.extension(['revision'], ['fields']);
  const held = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries(recordKeys(fields).map((key) => [key, held[key]]));
}
