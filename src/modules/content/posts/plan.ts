/**
 * Saving, trashing and deleting posts: how fields depend on each other, and which files change. Every function here plans; `site.write` executes.
 *
 * Source: specification section 3; conformance scenarios posts-states, dates, posts-slugs-and-titles, pages.
 */
import { fail } from '../../../kernel/errors.ts';
import { blankPost, type PostInput, type PostRecord } from './record.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { shorten, slugify } from '../../../kernel/model/slugs.ts';
import { parentWithoutLoop, type PostType, publishes, isDraft } from '../../types/record.ts';
import { fileKeys } from '../../../kernel/model/field.ts';
import type { FileChange, Write } from '../../../kernel/store/types.ts';
import { cleanerFor, textParts } from './written-text.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { inBatches } from '../../../kernel/site/in-batches.ts';
import { guidsBelow } from '../permalinks/record.ts';
import { settingsWithout } from '../settings/record.ts';
import { keepAddress, keepGuid, keepHistory } from './history.ts';
import { freePath, kindAfter, kindOf, newPath, pathFor, writePost } from './file.ts';
import { isDerived, isTakenOrFormer, needsOwnSlug, ownSlug, wantedSlug } from './slugs.ts';
import { type Departure, withAuthor } from '../../people/users/record.ts';
import type { PlanningSite, Site, WritePlan } from '../../../kernel/site/site.ts';

const TRASHED = '__trashed';

type Leaves = 'a revision' | 'nothing';

/** A plan whose result is the post's id, with the planned post. */
export interface PostPlan extends WritePlan<number> {
  readonly after: PostRecord;
}

/**
 * Plans a new post.
 * @returns its id
 * @throws RestError as `checkInput`; empty_content
 */
export function planCreate(site: PlanningSite, actor: Actor | null, typeName: string, input: PostInput): PostPlan {
  const type = site.types.get(typeName) as PostType;
  checkInput(site, actor, type, input);
  const present = site.now();
  const blank: PostRecord = {
    ...blankPost(site.nextId('posts'), typeName),
    status: 'draft',
    date: present.local,
    dateGmt: present.gmt,
    floating: true,
    author: actor?.id ?? 0,
    comments: discussionDefault(site, type, 'comments'),
    pings: discussionDefault(site, type, 'pings'),
    terms: defaultTerms(site, type),
  };
  const merged = merge(site, actor, type, blank, input);
  refuseEmpty(type, merged);
  const dated = resolveDateAndStatus(site, actor, merged, input, undefined);
  const after = { ...dated, modified: dated.date, modifiedGmt: dated.dateGmt, kind: input.kind ?? kindOf(site, dated.content) };
  const path = input.beside === undefined ? pathFor(site, after, slugify(after.title)) : freePath(site, after, input.beside);
  const whole: PostRecord = { ...after, path };
  return { changes: [writePost(site, whole)], result: after.id, after: whole };
}

/**
 * Plans a change of a post, its revision, and the moves of its children.
 *
 * @param leaves  `nothing`: no revision
 * @throws RestError as `checkInput`; empty_content
 */
export function planUpdate(
  site: PlanningSite,
  actor: Actor | null,
  before: PostRecord,
  input: PostInput,
  leaves: Leaves = 'a revision',
): PostPlan {
  const type = site.types.get(before.type) as PostType;
  checkInput(site, actor, type, input, before);
  const merged = merge(site, actor, type, before, input);
  refuseEmpty(type, merged);
  const present = site.now();
  const settled: PostRecord = {
    ...resolveDateAndStatus(site, actor, merged, input, before),
    modified: present.local,
    modifiedGmt: present.gmt,
  };
  return planChange(site, actor, before, keepHistory(site, before, settled), leaves, input.kind);
}

/** Plans trashing. @throws RestError rest_already_trashed */
export function planTrash(site: PlanningSite, actor: Actor | null, before: PostRecord): WritePlan<number> {
  if (before.status === 'trash') fail('rest_already_trashed');
  const present = site.now();
  const marked = before.slug.endsWith(TRASHED) ? before.slug : shorten(before.slug, 200 - TRASHED.length) + TRASHED;
  const slug = ownSlug(site, before, marked);
  const after: PostRecord = {
    ...before,
    status: 'trash',
    sticky: false,
    slug,
    terms: withDefault(site, site.types.get(before.type) as PostType, before.terms),
    trashed: { status: before.status, slug: before.slug },
    floating: false,
    modified: present.local,
    modifiedGmt: present.gmt,
  };
  const { changes, result } = planChange(site, actor, before, keepGuid(site, before, after));
  return { changes: [...changes, ...settingsWithout(site, before.id, 'page')], result };
}

/**
 * Moves all but the last children of a post up in batches, because thousands are too many for one plan. Must be called before the post is deleted.
 */
export async function reparentChildren(site: Site, post: PostRecord): Promise<void> {
  await inBatches(childrenOf(site, post), (part) =>
    site.write(() => ({
      changes: raised(
        site,
        post,
        part.flatMap(({ id }) => site.posts.get(id) ?? []),
      ),
      result: null,
    })),
  );
}

/** Plans a deletion, with the files of other modules and, for hierarchical types, the move of children to the parent. */
export function planDelete(site: Site, post: PostRecord): WritePlan<null> {
  return {
    changes: [
      ...raised(site, post, childrenOf(site, post)),
      ...site.companions.flatMap((companion) => companion.kept?.(site, post) ?? []),
      { remove: post.path, expect: post.etag },
      ...site.companions.flatMap((companion) => companion.removed?.(site, post) ?? []),
      ...settingsWithout(site, post.id, 'page'),
    ],
    result: null,
  };
}

/**
 * What happens to the posts of a deleted user. With an heir, only the author changes; otherwise posts and pages are trashed, and deleted if they are
 * trashed already or cannot be.
 */
export function departureOf(site: Site): Departure {
  return {
    async before({ user, heir, actor }) {
      // One by one: moving a page moves its children.
      for (const id of heir === null ? [...site.posts.with('author', user)] : []) {
        await site.write((site) => {
          const post = site.posts.get(id);
          const goes = post?.author === user && site.types.get(post.type)?.deleteWithUser;
          return { changes: goes ? putAway(site, actor, post).changes : [], result: null };
        });
      }
    },
    written: {
      table: site.posts,
      // Remaining posts name their author by id: the name of a deleted user would create a new author.
      release: (post, { user, heir }) => withAuthor(post, heir ? site.refs.userRef(heir) : (heir ?? user)),
    },
  };
}

function putAway(site: PlanningSite, actor: Actor | null, post: PostRecord): WritePlan<unknown> {
  const isFinal = post.status === 'trash' || !['post', 'page'].includes(post.type);
  return isFinal ? planDelete(site, post) : planTrash(site, actor, post);
}

function childrenOf(site: Site, post: PostRecord): readonly PostRecord[] {
  return [...site.posts.with('parent', post.id)]
    .flatMap((id) => site.posts.get(id) ?? [])
    .filter(({ type }) => type === post.type);
}

/** Children that move up to the place of their parent, unless they have moved meanwhile. */
function raised(site: Site, post: PostRecord, children: readonly PostRecord[]): readonly FileChange[] {
  return children.flatMap((child) => {
    if (child.parent !== post.id) return [];
    const after = keepGuid(site, child, keepAddress(site, child, { ...child, parent: post.parent }));
    return moveTree(site, child, { ...after, path: pathFor(site, after, slugify(child.title)) });
  });
}

function planChange(
  site: PlanningSite,
  actor: Actor | null,
  before: PostRecord,
  changed: PostRecord,
  leaves: Leaves = 'a revision',
  kind?: PostRecord['kind'],
): PostPlan {
  const after = { ...changed, path: newPath(site, before, changed, kind) };
  const companions = leaves === 'nothing' ? [] : site.companions;
  const left = companions.flatMap((companion) => companion.changed?.(site, actor, before, after) ?? []);
  return { changes: [...moveTree(site, before, after), ...left], result: before.id, after };
}

/** The write of one post and, if its path changes, the moves of its descendants. */
function moveTree(site: Site, before: PostRecord, after: PostRecord): FileChange[] {
  const plain = ({ path }: PostRecord): string => logicalPath(site.refs.marks?.plain(path) ?? path);
  const [from, to] = [plain(before), plain(after)];
  const guids = guidsBelow(site, before, after);
  const moves = from === to ? [] : movesBelow(site, before, from, to, guids);
  const order = fileKeys(site.postFields.get(before.type) ?? {});
  const moved = new Set(moves.flatMap(({ from }) => from));
  const kept = [...guids].flatMap(([{ path, etag }, guid]) =>
    moved.has(path) ? [] : [{ path, expect: etag, data: { guid }, order }],
  );
  return [writePost(site, after, before), ...moves, ...kept];
}

/** Moves of descendants' files; their content stays, except for guids that must now be stored. */
function movesBelow(site: Site, post: PostRecord, from: string, to: string, guids: ReadonlyMap<PostRecord, string>): Write[] {
  const { peerGroup } = site.modules.extension((site.types.get(post.type) as PostType).extensionNames);
  const moves: Write[] = [];
  const order = fileKeys(site.postFields.get(post.type) ?? {});
  const moved = new Set([post.id]);
  const above = [from];
  for (let place = above.pop(); place !== undefined; place = above.pop()) {
    for (const id of site.posts.with('above', place)) {
      const child = site.posts.get(id);
      // If another post shares the folder, its children stay.
      if (child?.type !== post.type || (!moved.has(child.parent) && peerGroup(child) !== peerGroup(post))) continue;
      moved.add(id);
      const guid = guids.get(child);
      const data = guid === undefined ? {} : { guid };
      moves.push({ path: to + child.path.slice(from.length), from: child.path, expect: child.etag, data, order });
      above.push(logicalPath(site.refs.marks?.plain(child.path) ?? child.path));
    }
  }
  return moves;
}

/**
 * Validation as in the reference.
 * @throws RestError rest_cannot_publish, rest_invalid_author, rest_invalid_field, rest_post_invalid_id
 */
function checkInput(site: Site, actor: Actor | null, type: PostType, input: PostInput, before?: PostRecord): void {
  if (input.status !== undefined && input.status !== before?.status && publishes(site.statuses, input.status)) {
    if (!site.access.can(actor, type.capabilities.publish_posts)) fail('rest_cannot_publish');
  }
  if (input.author !== undefined && input.author !== actor?.id && !site.users.get(input.author)) fail('rest_invalid_author');
  const password = input.password ?? before?.password ?? '';
  if (input.sticky && (password !== '' || before?.password))
    fail('rest_invalid_field', {}, 'A post can not be sticky and have a password.');
  if (input.password && before?.sticky) fail('rest_invalid_field', {}, 'A sticky post can not be password protected.');
  if (input.parent && !site.posts.get(input.parent)) fail('rest_post_invalid_id', { status: 400 }, 'Invalid post parent ID.');
}

/** The post with the input applied; markup is filtered by the user's permissions. */
function merge(site: Site, actor: Actor | null, type: PostType, before: PostRecord, input: PostInput): PostRecord {
  const clean = cleanerFor(site.access, actor);
  const kind = input.kind ?? kindAfter(site, before, input.content ?? before.content);
  const filtered = textParts.flatMap((part) => (input[part] === undefined ? [] : [[part, clean(part, input[part], kind)]]));
  const { date: _, slug: __, beside: ___, terms, meta, parent, ...plain } = input;
  return {
    ...before,
    ...plain,
    ...Object.fromEntries(filtered),
    parent: parent === undefined ? before.parent : parentWithoutLoop(site.posts, before.id, parent),
    terms: { ...withDefault(site, type, before.terms), ...knownTerms(site, terms ?? {}) },
    meta: meta ?? before.meta,
    featuredMedia: input.featuredMedia === undefined ? before.featuredMedia : featured(site, before, input.featuredMedia),
    format: input.format || before.format,
    ...(type.supports.author ? {} : { author: before.author }),
  };
}

/** Dates, status and slug, which depend on each other. */
function resolveDateAndStatus(
  site: Site,
  actor: Actor | null,
  merged: PostRecord,
  input: PostInput,
  before: PostRecord | undefined,
): PostRecord {
  const present = site.now();
  const floats = isDraft(site.statuses, merged.status);
  let post = merged;
  if (input.date === null || (input.date === undefined && merged.floating)) {
    post = { ...post, date: present.local, dateGmt: present.gmt, floating: floats };
  } else if (input.date) {
    post = { ...post, date: input.date.local, dateGmt: input.date.gmt, floating: false };
  }
  post = { ...post, status: byDate(post, present.gmt) };
  const wanted = wantedSlug(site, actor, post, input, before);
  const isHeld = isDerived(input, before) ? isTakenOrFormer : undefined;
  post = {
    ...post,
    slug: wanted === '' || !needsOwnSlug(site, post, input, before) ? wanted : ownSlug(site, post, wanted, isHeld),
  };
  if (post.status === 'private') post = { ...post, password: '' };
  return post.status === 'trash' ? post : { ...post, trashed: null };
}

/** A published post with a future date is scheduled, and a scheduled one with a past date is published. */
function byDate(post: PostRecord, gmt: string): string {
  const ahead = Date.parse(`${post.dateGmt}Z`) - Date.parse(`${gmt}Z`) >= 60_000;
  if (post.status === 'publish' && ahead) return 'future';
  return post.status === 'future' && !ahead ? 'publish' : post.status;
}

function refuseEmpty(type: PostType, post: PostRecord): void {
  // Pages, which have no excerpt, may be empty (observed).
  if (!type.supports.editor || !type.supports.title || !type.supports.excerpt) return;
  // A lone 0 counts as empty, as in the reference.
  if ([post.title, post.content, post.excerpt].every((text) => text === '' || text === '0')) fail('empty_content');
}

function knownTerms(site: Site, terms: Readonly<Record<string, readonly number[]>>): Record<string, readonly number[]> {
  return Object.fromEntries(
    Object.entries(terms).map(([taxonomy, ids]) => [
      taxonomy,
      [...new Set(ids)].filter((id) => site.terms.get(id)?.taxonomy === taxonomy).sort((a, b) => a - b),
    ]),
  );
}

function discussionDefault(site: Site, type: PostType, what: 'comments' | 'pings'): 'open' | 'closed' {
  if (type.name !== 'post') return 'closed';
  return site.settings.value(what) === 'closed' ? 'closed' : 'open';
}

/** A post that lost its last category gets the default one with the next change (observed). */
function withDefault(site: Site, type: PostType, terms: PostRecord['terms']): PostRecord['terms'] {
  return (terms.category ?? []).length > 0 ? terms : { ...terms, ...defaultTerms(site, type) };
}

function defaultTerms(site: Site, type: PostType): Record<string, readonly number[]> {
  const id = type.name === 'post' ? site.refs.defaultTerm('category') : 0;
  return id === 0 ? {} : { category: [id] };
}

/** An unknown id changes nothing; an id that is not an image removes the featured image (observed). */
function featured(site: Site, before: PostRecord, id: number): number {
  const media = site.posts.get(id);
  if (id !== 0 && !media) return before.featuredMedia;
  return media?.type === 'attachment' && /\.(jpe?g|png|gif|webp|avif|svg|heic|ico|bmp)$/i.test(media.path.replace(/\.yaml$/, ''))
    ? id
    : 0;
}
