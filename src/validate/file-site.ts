/**
 * The site as the finders and makers of addresses know it (`modules/content/permalinks/`), over parsed files: a folder is judged as it stands, so
 * there is no record of what the server would not serve either.
 */
import { aliasKey } from '../modules/content/permalinks/aliases.ts';
import type { Draft, FileContext, References } from '../kernel/model/field.ts';
import { isId } from '../kernel/model/ids.ts';
import { logicalPath, parentPath } from '../kernel/model/logical-path.ts';
import { findNamed } from '../kernel/model/named.ts';
import { slugify } from '../kernel/model/slugs.ts';
import { createSettings } from '../kernel/site/settings.ts';
import type { Site } from '../kernel/site/site.ts';
import type { Entry } from '../kernel/store/types.ts';
import { createMarks } from '../modules/languages/file-names.ts';
import { createLanguages } from '../modules/languages/languages.ts';
import type { Redirects } from '../modules/content/permalinks/redirects.ts';
import { blankPost, type PostRecord, settlePost } from '../modules/content/posts/record.ts';
import { blankTerm, type TermRecord } from '../modules/content/terms/record.ts';
import { placeNamed } from '../modules/types/record.ts';
import type { Declarations } from './declarations.ts';
import { aliasesOf, type ParsedFile } from './parsed-file.ts';
import { statusAt } from '../modules/content/posts/stated-status.ts';

export interface FileSiteSetup {
  readonly parsedFiles: readonly ParsedFile[];
  readonly model: Declarations;
  /** `site.yaml`. */
  readonly entry: Entry | undefined;
  readonly zone: string;
  readonly nowGmt: string;
  readonly redirects: Pick<Redirects, 'find'>;
  /** Slugs of those who may have pages without a file. */
  readonly people?: readonly { readonly slug: string; readonly name?: string }[];
}

export interface FileSite {
  readonly site: Site;
  /** What addresses are made of; its id is the file's own where it says one, else one that no file has. */
  recordOf(item: ParsedFile): PostRecord;
  /** The file of an item of the site. */
  fileOf(record: PostRecord): ParsedFile;
  readonly byPlace: Pick<ReadonlyMap<string, ParsedFile>, 'get' | 'values'>;
}

export function createFileSite({ parsedFiles, model, entry, zone, nowGmt, redirects, people = [] }: FileSiteSetup): FileSite {
  const settings = createSettings(model.settings, entry);
  const languages = createLanguages({ settings });
  const marks = model.modules.address.length > 0 ? createMarks(languages) : null;
  const types = new Map(model.types.map((type) => [type.name, type]));
  const items = parsedFiles.filter(({ kind, of }) => (kind === 'post' || kind === 'media') && types.get(of)?.viewable);
  const byPlace = new Map(items.map((item) => [logicalPath(item.entry.path), item]));
  const byId = new Map<number, ParsedFile>();
  const bySlug = new Map<string, ParsedFile[]>();
  for (const item of items) {
    const { id } = item.entry.data;
    if (isId(id) && !byId.has(id)) byId.set(id, item);
    for (const name of [item.slug, ...aliasesOf(item).map((alias) => `~${aliasKey(alias)}`)]) put(bySlug, name, item);
  }
  const records = new Map<ParsedFile, PostRecord>();
  const files = new Map<number, ParsedFile>();

  function recordOf(item: ParsedFile): PostRecord {
    const known = records.get(item);
    if (known) return known;
    const stated = item.entry.data.id;
    const id = isId(stated) && byId.get(stated) === item ? stated : -records.size - 1;
    const { path, mtimeMs } = item.entry;
    const record: Draft<PostRecord> = { ...blankPost(id, item.of), ...item.draft, id, slug: item.slug, parent: 0 };
    if (!record.date) settlePost(record, { path, mtimeMs, zone } as FileContext, model.statuses);
    if (record.status === 'publish' || record.status === 'future') record.status = statusAt(record.dateGmt, nowGmt);
    records.set(item, record);
    files.set(id, item);
    const parent = parentOf(item);
    if (parent) record.parent = recordOf(parent).id;
    return record;
  }

  function parentOf({ kind, of, uses, entry: { path } }: ParsedFile): ParsedFile | undefined {
    if (kind === 'media') {
      const ref = uses.find(({ keys }) => keys[0] === 'post')?.ref;
      return typeof ref === 'number' ? byId.get(ref) : byPlace.get(placeNamed(ref ?? ''));
    }
    if (!types.get(of)?.hierarchical) return undefined;
    const mark = marks?.of(path) ?? '';
    const place = parentPath(path);
    // `about/team.de.md` is below `about.de.md`, where there is one.
    return (mark === '' ? undefined : byPlace.get(`${place}.${mark}`)) ?? byPlace.get(place);
  }

  function itemWith(id: number): PostRecord | undefined {
    const item = files.get(id) ?? byId.get(id);
    return item && recordOf(item);
  }

  const site = {
    ...{ modules: model.modules, statuses: model.statuses, settings, types, languages, redirects },
    taxonomies: new Map(model.taxonomies.map((taxonomy) => [taxonomy.name, taxonomy])),
    posts: {
      get: itemWith,
      with: (_: 'slug', name: string) => new Set((bySlug.get(name) ?? []).map((item) => recordOf(item).id)),
    },
    terms: termsIn(parsedFiles),
    users: usersIn(parsedFiles, people),
    refs: {
      postId(type, ref) {
        if (typeof ref === 'number') return itemWith(ref)?.id ?? 0;
        const [item] = types.get(type)?.folders.flatMap((folder) => byPlace.get(`${folder}/${placeNamed(ref)}`) ?? []) ?? [];
        return item ? recordOf(item).id : 0;
      },
    } as References,
    // Which items stand for the front page in other languages is for whoever knows all groups.
    translations: { idIn: () => 0 },
  };
  return { site: site as unknown as Site, recordOf, fileOf: ({ id }) => files.get(id) as ParsedFile, byPlace };
}

/** Terms that have files, and those that are made because a file names them. */
function termsIn(parsedFiles: readonly ParsedFile[]) {
  const terms: Draft<TermRecord>[] = [];
  const byName = new Map<string, number[]>();
  const byId = new Map<unknown, number>();
  const add = (taxonomy: string, slug: string, more: Partial<TermRecord> = {}): void => {
    const term = { ...blankTerm(terms.push(blankTerm(0, '')), taxonomy), ...more, slug };
    terms[term.id - 1] = term;
    for (const name of [slug, ...term.aliases.map((alias) => `~${alias}`)]) put(byName, `${taxonomy}:${name}`, term.id);
  };
  const files = parsedFiles.filter(({ kind }) => kind === 'term');
  for (const item of files) {
    add(item.of, item.slug, {
      ...(item.draft as Partial<TermRecord>),
      id: terms.length,
      taxonomy: item.of,
      aliases: aliasesOf(item),
    });
    byId.set(`${item.of}:${String(item.entry.data.id)}`, terms.length);
  }
  const named = (taxonomy: string, ref: string | number): number | undefined =>
    typeof ref === 'number'
      ? byId.get(`${taxonomy}:${ref}`)
      : findNamed(ref, {
          present: (slug) => byName.get(`${taxonomy}:${slug}`)?.[0],
          former: (slug) => byName.get(`${taxonomy}:~${slug}`)?.[0],
        });
  for (const { uses } of parsedFiles)
    for (const { target, ref } of uses)
      if (target.kind === 'term' && typeof ref === 'string' && named(target.taxonomy, ref) === undefined)
        add(target.taxonomy, slugify(ref));
  for (const [at, { of, uses }] of files.entries()) {
    const ref = uses.find(({ keys }) => keys[0] === 'parent')?.ref;
    (terms[at] as Draft<TermRecord>).parent = (ref === undefined ? undefined : named(of, ref)) ?? 0;
  }
  return { get: (id: number) => terms[id - 1], with: (_: 'slug', name: string) => new Set(byName.get(name)) };
}

/** The same of people. */
function usersIn(parsedFiles: readonly ParsedFile[], people: NonNullable<FileSiteSetup['people']>) {
  const users: { readonly id: number; readonly slug: string }[] = [];
  const byName = new Map<string, number>();
  const byShown = new Map<string, number>();
  const add = (slug: string, aliases: readonly string[] = [], shown?: unknown): void => {
    const id = users.push({ id: users.length + 1, slug });
    for (const name of [slug, ...aliases.map((alias) => `~${alias}`)]) if (!byName.has(name)) byName.set(name, id);
    const called = typeof shown === 'string' ? shown.toLowerCase() : '';
    if (called !== '' && !byShown.has(called)) byShown.set(called, id);
  };
  const known = (slug: string): number | undefined => byName.get(slug);
  const things = { present: known, former: (slug: string) => known(`~${slug}`), shown: (name: string) => byShown.get(name) };
  for (const item of parsedFiles) if (item.kind === 'user') add(item.slug, aliasesOf(item), item.draft.name);
  for (const { slug, name } of people) if (!byName.has(slug)) add(slug, [], name);
  for (const { uses } of parsedFiles)
    for (const { target, ref } of uses)
      if (target.kind === 'user' && typeof ref === 'string' && findNamed(ref, things) === undefined) add(slugify(ref), [], ref);
  return { get: (id: number) => users[id - 1] ?? anybody, lowest: (_: 'slug', name: string) => byName.get(name) };
}

/** Whose slug is not known stands for one segment of an address all the same. */
const anybody = { id: 0, slug: '-' } as const;

function put<T>(lists: Map<string, T[]>, key: string, one: T): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}
