/**
 * Posts on disk: `<folder of the type>/…`, dated types by year and month, hierarchical ones with the path as hierarchy.
 */
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

/** Files of the types that have their own. */
export function postPaths(types: Iterable<PostType>, fields: ReadonlyMap<string, PostFields>, all = types): PathRow[] {
  const places = [...all].filter(hasOwnFiles).flatMap((type) => type.folders.map((folder) => ({ folder: `${folder}/`, type })));
  // In folders of posts it is the page of a list.
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
        // Items of a hierarchy need their own slug only among their siblings.
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
 * @param topLevel  declared fields that it may have beside them
 * @param tags  what tags and categories are, as the site says it
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

/** The keys of a type. */
export function knownKeys(fields: Fields<never, never>): ReadonlySet<string> {
  const known = keySets.get(fields) ?? new Set(fileKeys(fields));
  keySets.set(fields, known);
  return known;
}

const keySets = new WeakMap<object, ReadonlySet<string>>();
const undated: ReadonlySet<string> = new Set();

/**
 * Drafts need no date, nor does what was one before it went to the trash. What is scheduled without saying when stays hidden until
 * a person says it.
 */
export function isUndatedPost(entry: Entry, post?: PostRecord, known: ReadonlySet<string> = undated): boolean {
  if (entry.data.date !== undefined && entry.data.date !== null) return false;
  const { data } = usualData(entry.data, entry.path, known);
  if (data.date !== undefined && data.date !== null) return false;
  if (post === undefined) return data.status !== 'draft';
  // Of what is published with a date to come in its path, the status is scheduled as well, and not said by the file.
  const isScheduled = post.status === 'future' && (post.stated === null || post.stated.keys.status !== undefined);
  return !post.floating && post.status !== 'trash' && !isScheduled;
}

/** What a post has from its file as a whole. Assigned, not spread: V8 gives every frozen copy by spreading a hidden class of its own. */
function blankOf(entry: Entry, type: string, id: number): Draft<PostRecord> {
  const { path, etag, kind } = entry;
  return withBody(Object.assign(bodilessPost(id, type), { path, etag, kind }), entry);
}

const keptKeys = Object.keys(blankPost(0, '')).filter((key) => !['id', 'type', 'path', 'etag', 'kind', 'content'].includes(key));

/** The file change that turns the file of `before` (none: a new file) into that of `after`, whose `path` is where it goes. */
export function writePost(site: Shelved, after: PostRecord, before?: PostRecord): Write {
  const write = writeRecord(site, site.postFields.get(after.type) ?? {}, after, before);
  // A status key in another case goes where the one of its usual name comes or goes.
  const gone = Object.entries(before?.stated?.spelled ?? {}).flatMap(([name, key]) =>
    Object.hasOwn(write.data, name) ? [[key, undefined]] : [],
  );
  const body = bodyOf(after, before);
  const changes = gone.length > 0 ? { ...write.data, ...Object.fromEntries(gone) } : write.data;
  // A new text may say the title as the one before did.
  const isSaid = body.body === undefined || (after.kind === 'md' && firstHeading(body.body) === after.title);
  const usual = inForms(changes, before?.forms ?? null, isSaid ? undefined : after.title);
  const data = atTopLevel(usual, before?.topLevel ?? null);
  return { ...write, data, ...body };
}

/**
 * Where the file of a post belongs: by its date and status, or below its parent. A name that another file has gets the post's id behind it
 * (the slug is then written into the file).
 */
export function pathFor(site: Placed, post: PostRecord, fallbackName: string): string {
  const type = site.types.get(post.type) as PostType;
  const name = fileNameOf(post.slug || fallbackName || String(post.id));
  const place = type.hierarchical ? `${parentFolder(site, type, post)}/${name}` : newPlace(type, post, name);
  return freePath(site, post, `${place}.${post.kind === 'md' ? 'md' : 'html'}`);
}

/** Names of a file by which those below it find it: without its mark as well. */
function placesOf({ refs }: Pick<Site, 'refs'>, path: string): readonly string[] {
  return refs.marks === undefined ? [logicalPath(path)] : [logicalPath(path), logicalPath(refs.marks.plain(path))];
}

/** The path, or another that modules have for it; where these are other posts', the same with the post's id behind the name. */
export function freePath(site: Placed, post: PostRecord, path: string): string {
  const isOthers = (place: string): boolean => [...site.posts.with('place', logicalPath(place))].some((id) => id !== post.id);
  // A file that cannot be served (its id is another's, it cannot be read) is in nobody's memory and still there.
  const isOccupied = (place: string): boolean => site.store.knows(place) || site.writers.isLocked(place);
  const { extensionNames, folders } = site.types.get(post.type) as PostType;
  const { fileNames } = site.modules.extension(extensionNames);
  const free = fileNames(path, post, site as Site).find((one) => !isOthers(one) && (one === post.path || !isOccupied(one)));
  if (free !== undefined) return free;
  // `pages/about/index.md` has the name of its folder; in the folder of its type a file is called `index` itself.
  const isIndex = path.includes('/index.') && !folders.includes(path.replace(/\/[^/]*$/, ''));
  return path.replace(isIndex ? /(\/index\.[^./]*)$/ : /(\.[^./]*)$/, `-${post.id}$1`);
}

/** Whether a file stands where its slug, date and parent say; one that a person put elsewhere stays there. */
export function standsInPlace(site: Shelved, post: PostRecord): boolean {
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
  // Below a page that there is in several languages, say, a file belongs to the one with its own mark.
  for (const place of mark === '' ? [above] : [`${above}.${mark}`, `${above}/index.${mark}`, above])
    for (const id of site.posts.with('place', place)) if (site.posts.get(id)?.type === type.name) return id;
  return 0;
}

/** A file follows its slug, date and parent, unless a person put it somewhere else. */
export function newPath(site: Site, before: PostRecord, after: PostRecord, known?: PostRecord['kind']): string {
  const type = site.types.get(after.type) as PostType;
  const isElsewhere = !type.hierarchical && newPlace(type, before, 'x') !== newPlace(type, after, 'x');
  const redated = isElsewhere && !after.floating && standsInPlace(site, before);
  const renamed = before.slug !== after.slug && after.slug !== '';
  const kind = known ?? rejudged(site, before, after);
  // What is no draft any more does not stay where drafts are.
  if (isAmongDrafts(type, before.path) && reserve(site.statuses, after.status) === 0)
    return pathFor(site, { ...after, kind }, slugify(after.title));
  if (!redated && !renamed && kind === before.kind && before.parent === after.parent) return before.path;
  const [, index] = /\/(_?index)\.[^/]*$/.exec(before.path) ?? [];
  // The folder of a post holds what belongs to it.
  if (index !== undefined && !type.hierarchical) return before.path;
  const path = pathFor(site, { ...after, kind }, slugify(after.title));
  if (index !== undefined) return path.replace(/(\.[^./]*)$/, `/${index}$1`);
  if (redated || standsInPlace(site, before)) return path;
  const isNamedByDate = isDated(type) && datedName(before.path.replace(/^.*\/|\.[^./]*$/g, '')) !== null;
  const day = isNamedByDate ? `${after.date.slice(0, 10)}-` : '';
  const name = fileNameOf(after.slug || slugify(after.title) || String(after.id)) + path.replace(/^.*\./, '.');
  return freePath(site, after, before.path.replace(/(?<![^/])[^/]*$/, '') + day + name);
}

/** The kind of file that an item has with this body. */
export function kindAfter(site: Site, before: PostRecord, content: string): PostRecord['kind'] {
  return before.path === '' ? kindOf(site, content) : rejudged(site, before, { ...before, content });
}

/** In `auto` writing, an empty or wholly replaced body is judged again. */
function rejudged(site: Site, before: PostRecord, after: PostRecord): PostRecord['kind'] {
  if (site.settings.value('writing') !== 'auto' || before.content === after.content || after.content === '') return before.kind;
  const lines = new Set(before.content.split('\n').map((line) => line.trim()));
  const shares = after.content.split('\n').some((line) => line.trim() !== '' && lines.has(line.trim()));
  return shares ? before.kind : kindOf(site, after.content);
}

/** The kind of file for a body that comes in over the interface (architecture section 3, `writing`). */
export function kindOf(site: Site, body: string): 'md' | 'html' {
  const writing = site.settings.value('writing');
  if (writing !== 'auto') return writing === 'markdown' ? 'md' : 'html';
  return hasBlocks(body) || MARKUP.test(body) ? 'html' : 'md';
}

/** Block-level markup at the start of a line. */
const MARKUP =
  /^\s{0,3}<\/?(?:address|article|aside|blockquote|center|details|dialog|dd|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|iframe|legend|li|main|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio)[\s>/]/im;
