/** Posts on disk: `<folder of the type>/…`, dated types by year and month, hierarchical ones with the path as hierarchy. */
import { datedName } from '../../../kernel/model/dated-paths.ts';
import { recordKeys } from '../../../kernel/extended.ts';
import { type Draft, type Fields, fileKeys, readFields } from '../../../kernel/model/field.ts';
import { bodilessPost, blankPost, isDated, type PostFields, type PostRecord, settlePost } from './record.ts';
import { parentPath, logicalPath } from '../../../kernel/model/logical-path.ts';
import { fileNameOf, slugify } from '../../../kernel/model/slugs.ts';
import { inForms, type TagValues, tagValuesKey, type UsualData, usualData } from '../front-matter/record.ts';
import { firstHeading } from '../front-matter/headings.ts';
import { hasBlocks } from '../../../render/blocks.ts';
import { asDraft, reserve, resolveSchedule, withStatusKeys } from './stated-status.ts';
import { atTopLevel, type TopLevelFields, topLevelNames, underMeta } from '../../types/index.ts';
import { hasOwnFiles, isAmongDrafts, newPlace, type PostType } from '../../types/record.ts';
import type { Entry, Write } from '../../../kernel/store/types.ts';
import { bodyOf, contextOf, writeRecord } from '../../../kernel/site/record-file.ts';
import type { FileKind } from '../../../kernel/site/file-kind.ts';
import type { PathRow } from '../../../kernel/site/path-table.ts';
import { statusRemarks } from './status-remarks.ts';
import { withBody } from './body.ts';
import type { Site } from '../../../kernel/site/site.ts';

type Shelved = Pick<Site, 'posts' | 'postFields' | 'refs' | 'zone' | 'statuses' | 'types'>;
type Placed = Shelved & Pick<Site, 'store' | 'writers' | 'modules'>;

const none: ReturnType<NonNullable<FileKind['faults']>> = [];

export function postPaths(types: Iterable<PostType>, fields: ReadonlyMap<string, PostFields>, all = types): PathRow[] {
  const places = [...all].filter(hasOwnFiles).flatMap((type) => type.folders.map((folder) => ({ folder: `${folder}/`, type })));
  // In folders of posts it is a list page.
  const holds = ({ hierarchical }: PostType, path: string): boolean => hierarchical || !/\/_index\.\w+$/.test(path);
  return [...types].filter(hasOwnFiles).flatMap((type) =>
    type.folders.map((folder): PathRow => {
      const inner = places.filter((place) => place.folder !== `${folder}/` && place.folder.startsWith(`${folder}/`));
      const isInner = (path: string): boolean => inner.some((place) => path.startsWith(place.folder) && holds(place.type, path));
      return {
        pattern: `${folder}/**.{md,markdown,html,htm}`,
        kind: 'post',
        type: type.name,
        space: 'posts',
        fields: (fields.get(type.name) ?? null) as PathRow['fields'],
        ...(type.hierarchical && inner.length === 0 ? {} : { accepts: (path) => holds(type, path) && !isInner(path) }),
        // Hierarchical slugs are unique among siblings.
        scope: (path) => (type.hierarchical ? `post:${type.name}:${parentPath(path)}` : `post:${type.name}`),
      };
    }),
  );
}

export function createPostKind(site: Site, type: PostType, isSlugTaken: (post: PostRecord) => boolean): FileKind<PostRecord> {
  const fields = site.postFields.get(type.name) ?? {};
  const known = knownKeys(fields);
  const topLevel = topLevelNames(fields, type.name);
  return {
    name: type.name,
    table: 'posts',
    refersTo: ['users', 'terms', 'attachment'],
    keys: fileKeys(fields),
    paths: postPaths([type], site.postFields, site.types.values()),
    read(source, id) {
      const entry = source as Entry;
      const cx = contextOf(site, entry.path, entry.mtimeMs);
      const draft = blankOf(entry, type.name, id);
      if (type.hierarchical) draft.parent = parentOf(site, type, entry.path);
      const usual = usualOf(entry, known, topLevel, site.settings.value(tagValuesKey) as TagValues);
      const { data, spelled } = withStatusKeys(usual.data);
      readFields(fields, data, draft, cx);
      draft.forms = usual.forms;
      draft.topLevel = usual.fields;
      if (isAmongDrafts(type, entry.path)) asDraft(draft, site.statuses);
      if (spelled) draft.stated = { ...(draft.stated ?? { keys: { status: data.status }, means: draft.status }), spelled };
      const hasDate = draft.date !== '';
      settlePost(draft, cx, site.statuses);
      resolveSchedule(draft, hasDate, site.clock());
      return draft;
    },
    isUndated: (source, post) => isUndatedPost(source, post as PostRecord | undefined, known),
    isFloating: ({ floating }) => floating,
    isSlugTaken,
    faults: ({ stated }) =>
      stated === null
        ? none
        : statusRemarks(stated.keys, site.statuses).flatMap(({ severity, rule, message, hint }) =>
            severity === 'error' ? [{ rule, message, ...(hint ? { hint } : {}) }] : [],
          ),
    cached: {
      blank: (entry, id) => blankOf(entry, type.name, id),
      keys: [...new Set([...keptKeys, ...recordKeys(fields)])],
      isAlone: !type.hierarchical,
    },
    *touched(before, after) {
      if (!type.hierarchical) return;
      const places = new Set([before, after].flatMap((post) => (post ? placesOf(site, post.path) : [])));
      if (before && after && logicalPath(before.path) === logicalPath(after.path)) return;
      for (const place of places) yield* site.posts.with('above', place);
    },
  };
}

/**
 * The values of a file under our keys.
 * @param known     keys of its type
 * @param topLevel  declared top-level fields
 * @param tags  meaning of tags and categories
 */
export function usualOf(
  entry: Pick<Entry, 'data' | 'path' | 'kind' | 'body'>,
  known: ReadonlySet<string>,
  topLevel: ReadonlySet<string>,
  tags?: TagValues,
): UsualData & { readonly fields: TopLevelFields | null } {
  const { data, fields } = underMeta(entry.data, topLevel);
  return { ...usualData(data, entry.path, known, entry.kind === 'md' ? () => entry.body : undefined, tags), fields };
}

export function knownKeys(fields: Fields<never, never>): ReadonlySet<string> {
  const known = keySets.get(fields) ?? new Set(fileKeys(fields));
  keySets.set(fields, known);
  return known;
}

const keySets = new WeakMap<object, ReadonlySet<string>>();
const undated: ReadonlySet<string> = new Set();

/** Drafts need no date, nor do trashed drafts. Items scheduled without a date stay hidden until a person sets one. */
export function isUndatedPost(entry: Entry, post?: PostRecord, known: ReadonlySet<string> = undated): boolean {
  if (entry.data.date !== undefined && entry.data.date !== null) return false;
  const { data } = usualData(entry.data, entry.path, known);
  if (data.date !== undefined && data.date !== null) return false;
  if (post === undefined) return data.status !== 'draft';
  // A published item with a future date in its path is scheduled without a status in its file.
  const isScheduled = post.status === 'future' && (post.stated === null || post.stated.keys.status !== undefined);
  return !post.floating && post.status !== 'trash' && !isScheduled;
}

/** What a post gets from its file as a whole. Assigned, not spread: V8 gives every frozen spread copy its own hidden class. */
function blankOf(entry: Entry, type: string, id: number): Draft<PostRecord> {
  const { path, etag, kind } = entry;
  return withBody(Object.assign(bodilessPost(id, type), { path, etag, kind }), entry);
}

const keptKeys = Object.keys(blankPost(0, '')).filter((key) => !['id', 'type', 'path', 'etag', 'kind', 'content'].includes(key));

/** The file change from `before` (none: a new file) to `after`, whose `path` is the target. */
export function writePost(site: Shelved, after: PostRecord, before?: PostRecord): Write {
  const write = writeRecord(site, site.postFields.get(after.type) ?? {}, after, before);
  // A status key in another case is replaced with the usual one.
  const gone = Object.entries(before?.stated?.spelled ?? {}).flatMap(([name, key]) =>
    Object.hasOwn(write.data, name) ? [[key, undefined]] : [],
  );
  const body = bodyOf(after, before);
  const changes = gone.length > 0 ? { ...write.data, ...Object.fromEntries(gone) } : write.data;
  // A new text may contain the title as before.
  const isSaid = body.body === undefined || (after.kind === 'md' && firstHeading(body.body) === after.title);
  const usual = inForms(changes, before?.forms ?? null, isSaid ? undefined : after.title);
  const data = atTopLevel(usual, before?.topLevel ?? null);
  return { ...write, data, ...body };
}

/** The path for a post: by date and status, or below its parent. If the name is taken, the id is appended (and the slug is then in the file). */
export function pathFor(site: Placed, post: PostRecord, fallbackName: string): string {
  const type = site.types.get(post.type) as PostType;
  const name = fileNameOf(post.slug || fallbackName || String(post.id));
  const place = type.hierarchical ? `${parentFolder(site, type, post)}/${name}` : newPlace(type, post, name);
  return freePath(site, post, `${place}.${post.kind === 'md' ? 'md' : 'html'}`);
}

/** Names by which children find their parent's file, also without its language mark. */
function placesOf({ refs }: Pick<Site, 'refs'>, path: string): readonly string[] {
  return refs.marks === undefined ? [logicalPath(path)] : [logicalPath(path), logicalPath(refs.marks.plain(path))];
}

/** The path, or the one that modules choose; if taken by another post, with the post's id appended. */
export function freePath(site: Placed, post: PostRecord, path: string): string {
  const isOthers = (place: string): boolean => [...site.posts.with('place', logicalPath(place))].some((id) => id !== post.id);
  // An unreadable or duplicate file is not in memory but still on disk.
  const isOccupied = (place: string): boolean => site.store.knows(place) || site.writers.isLocked(place);
  const { extensionNames, folders } = site.types.get(post.type) as PostType;
  const { fileNames } = site.modules.extension(extensionNames);
  const free = fileNames(path, post, site as Site).find((one) => !isOthers(one) && (one === post.path || !isOccupied(one)));
  if (free !== undefined) return free;
  // `pages/about/index.md` is named by its folder; at the top of the type's folder it is `index` itself.
  const isIndex = path.includes('/index.') && !folders.includes(path.replace(/\/[^/]*$/, ''));
  return path.replace(isIndex ? /(\/index\.[^./]*)$/ : /(\.[^./]*)$/, `-${post.id}$1`);
}

/** Whether a file is where its slug, date and parent put it; other places are kept. */
function standsInPlace(site: Shelved, post: PostRecord): boolean {
  const type = site.types.get(post.type) as PostType;
  return type.hierarchical || parentPath(post.path) === parentPath(`${newPlace(type, post, 'x')}.md`);
}

function parentFolder(site: Shelved, type: PostType, post: PostRecord): string {
  const parent = type.hierarchical ? site.posts.get(post.parent) : undefined;
  return parent?.type === type.name ? logicalPath(site.refs.marks?.plain(parent.path) ?? parent.path) : type.folder;
}

function parentOf(site: Shelved, type: PostType, path: string): number {
  const { marks } = site.refs;
  const above = parentPath(marks?.plain(path) ?? path);
  if (type.folders.includes(above)) return 0;
  const mark = marks?.of(path) ?? '';
  // Below a page in several languages, a file belongs to the one with its own mark.
  for (const place of mark === '' ? [above] : [`${above}.${mark}`, `${above}/index.${mark}`, above])
    for (const id of site.posts.with('place', place)) if (site.posts.get(id)?.type === type.name) return id;
  return 0;
}

/** A file follows its slug, date and parent, unless a person put it elsewhere. */
export function newPath(site: Site, before: PostRecord, after: PostRecord, known?: PostRecord['kind']): string {
  const type = site.types.get(after.type) as PostType;
  const isElsewhere = !type.hierarchical && newPlace(type, before, 'x') !== newPlace(type, after, 'x');
  const redated = isElsewhere && !after.floating && standsInPlace(site, before);
  const renamed = before.slug !== after.slug && after.slug !== '';
  const kind = known ?? rejudged(site, before, after);
  // A published item leaves the drafts folder.
  if (isAmongDrafts(type, before.path) && reserve(site.statuses, after.status) === 0)
    return pathFor(site, { ...after, kind }, slugify(after.title));
  if (!redated && !renamed && kind === before.kind && before.parent === after.parent) return before.path;
  const [, index] = /\/(_?index)\.[^/]*$/.exec(before.path) ?? [];
  // A post's folder contains its files.
  if (index !== undefined && !type.hierarchical) return before.path;
  const path = pathFor(site, { ...after, kind }, slugify(after.title));
  if (index !== undefined) return path.replace(/(\.[^./]*)$/, `/${index}$1`);
  if (redated || standsInPlace(site, before)) return path;
  const isNamedByDate = isDated(type) && datedName(before.path.replace(/^.*\/|\.[^./]*$/g, '')) !== null;
  const day = isNamedByDate ? `${after.date.slice(0, 10)}-` : '';
  const name = fileNameOf(after.slug || slugify(after.title) || String(after.id)) + path.replace(/^.*\./, '.');
  return freePath(site, after, before.path.replace(/(?<![^/])[^/]*$/, '') + day + name);
}

/** The kind of file for an item with this body. */
export function kindAfter(site: Site, before: PostRecord, content: string): PostRecord['kind'] {
  return before.path === '' ? kindOf(site, content) : rejudged(site, before, { ...before, content });
}

/** With `writing: auto`, an empty or replaced body is classified again. */
function rejudged(site: Site, before: PostRecord, after: PostRecord): PostRecord['kind'] {
  if (site.settings.value('writing') !== 'auto' || before.content === after.content || after.content === '') return before.kind;
  const lines = new Set(before.content.split('\n').map((line) => line.trim()));
  const shares = after.content.split('\n').some((line) => line.trim() !== '' && lines.has(line.trim()));
  return shares ? before.kind : kindOf(site, after.content);
}

/** The kind of file for a body from REST (architecture section 3, `writing`). */
export function kindOf(site: Site, body: string): 'md' | 'html' {
  const writing = site.settings.value('writing');
  if (writing !== 'auto') return writing === 'markdown' ? 'md' : 'html';
  return hasBlocks(body) || MARKUP.test(body) ? 'html' : 'md';
}

/** Block-level markup at the start of a line. */
const MARKUP =
  /^\s{0,3}<\/?(?:address|article|aside|blockquote|center|details|dialog|dd|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|legend|li|main|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio)[\s>/]/im;
