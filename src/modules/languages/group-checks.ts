/** Checks of translation groups, with fixes: typical mistakes, and results of merges. Groups are read as in a running site. */
import { withoutTrailing } from '../../kernel/model/text-ends.ts';
import type { CheckFinding } from '../../kernel/module.ts';
import { aliasPath, isPathAlias } from '../content/permalinks/record.ts';
import { isMap, mapOf } from '../../kernel/model/maps.ts';
import { logicalPath, slugOfPath } from '../../kernel/model/logical-path.ts';
import { isMedia } from '../../kernel/store/paths.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { Batch, Entry } from '../../kernel/store/types.ts';
import { untranslatedKinds } from './config/index.ts';
import { declaredBy, standardTaxonomies, standardTypes } from '../types/index.ts';
import type { PostType, Taxonomy } from '../types/record.ts';
import { createFolderOf, createMarks, impliedReference, printReference, readReference, referenceTo } from './file-names.ts';
import { createLanguages } from './languages.ts';
import type { FolderOf, Languages } from './record.ts';

interface Member {
  readonly path: string;
  /** The same for all members of a group: the type or taxonomy. */
  readonly kind: string;
  readonly id: number;
  readonly lang: string;
  /** The name used in references. */
  readonly name: string;
  readonly formerNames: readonly string[];
  /** '' for an original. */
  readonly reference: string | number;
  /** The reference is in the file, not in its name. */
  readonly isStated: boolean;
}

interface Folder {
  readonly languages: Languages;
  readonly folderOf: FolderOf;
  readonly members: readonly Member[];
  readonly byName: ReadonlyMap<string, Member>;
  readonly byFormerName: ReadonlyMap<string, readonly Member[]>;
  readonly byId: ReadonlyMap<string, readonly Member[]>;
  /** References implied by file names. */
  readonly implied: ReadonlySet<string | number>;
}

type Content = Pick<Batch, 'entries' | 'blobs'>;

/** `lang:` with an unknown language. */
export function* unknownLanguages(content: Content): Iterable<CheckFinding> {
  const { languages, members } = readFolder(content);
  for (const { path, lang } of members)
    if (!languages.of(lang))
      yield {
        path,
        keys: ['lang'],
        message: `${JSON.stringify(lang)} is not a language of the site, so no list has this`,
        hint: `one of ${languages.codes.join(', ')}`,
      };
}

/** `translation_of:` with an unknown or impossible target. */
export function* lostReferences(content: Content): Iterable<CheckFinding> {
  const folder = readFolder(content);
  const orphans = new Map<string, Member[]>();
  for (const member of folder.members) {
    if (member.reference === '' || targetOf(folder, member) || isAmbiguous(folder, member)) continue;
    // `about.en.md` and `about.de.md` are a group without an `about.md`, unless that one was renamed.
    if (folder.implied.has(member.reference) && !renamedTo(folder, member)) continue;
    const key = `${member.kind} ${member.reference}`;
    orphans.set(key, [...(orphans.get(key) ?? []), member]);
  }
  for (const group of orphans.values()) yield* lost(folder, group);
}

/** Two items of a group in one language. */
export function* takenPlaces(content: Content): Iterable<CheckFinding> {
  const folder = readFolder(content);
  for (const group of groupsOf(folder)) {
    const holders = new Map<string, Member>();
    for (const member of ranked(folder, group)) {
      const holder = holders.get(member.lang);
      holders.set(member.lang, holder ?? member);
      if (holder === undefined) continue;
      const { path } = member;
      yield {
        path,
        ...(member.isStated ? { keys: ['translation_of'] } : {}),
        message: `${holder.path} is the translation into "${member.lang}" already`,
        hint: 'cms validate --fix takes this one out of the group',
        // An implied or referenced member only leaves explicitly.
        fix: { keys: ['translation_of'], value: isImplied(folder, member) ? false : undefined },
      };
    }
  }
}

/** Members without an original: the renamed one takes its place, else one of them. */
function* lost(folder: Folder, group: readonly Member[]): Iterable<CheckFinding> {
  const [first] = group as [Member, ...Member[]];
  const moved = renamedTo(folder, first);
  const heir = moved ?? ranked(folder, group)[0] ?? first;
  for (const member of group) {
    const { path, reference, isStated } = member;
    const isOther = typeof reference === 'number' && (folder.byId.get(`#${reference}`)?.length ?? 0) > 0;
    const value = member === heir ? undefined : printReference(heir.name, path, folder.folderOf);
    const said = JSON.stringify(printReference(reference, path, folder.folderOf));
    yield {
      path,
      ...(isStated ? { keys: ['translation_of'] } : {}),
      message: isOther
        ? `${said} is of another kind, so this is no translation of it`
        : `there is nothing called ${said} to be translated`,
      hint: moved ? `it is ${moved.path} now; cms validate --fix writes that` : 'cms validate --fix mends the group',
      fix: { keys: ['translation_of'], value: value === false ? undefined : value },
    };
  }
}

/** The current name of a reference: renamed, or below something renamed. */
function renamedTo({ byName, byFormerName }: Folder, { reference, lang, kind }: Member): Member | undefined {
  if (typeof reference !== 'string') return undefined;
  // From the whole name up: `/pages/about/team`, then `/pages/about` with `/team` below it.
  for (let at = reference.length; at > 0; at = reference.lastIndexOf('/', at - 1)) {
    const former = (byFormerName.get(reference.slice(0, at)) ?? []).filter((one) => one.kind === kind);
    const found = former.flatMap((one) => byName.get(one.name + reference.slice(at)) ?? []).filter((one) => one.lang !== lang);
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

/** A duplicate id is ambiguous until each item has its own. */
function isAmbiguous({ byId }: Folder, { reference, kind }: Member): boolean {
  return typeof reference === 'number' && (byId.get(`${kind}#${reference}`)?.length ?? 0) > 1;
}

function isImplied({ languages }: Folder, { path }: Member): boolean {
  return impliedReference(path, createMarks(languages)) !== '';
}

/** The original first, then by id. */
function ranked({ languages }: Folder, group: readonly Member[]): readonly Member[] {
  const rank = ({ reference, lang }: Member): number => (reference === '' ? 0 : lang === languages.default ? 1 : 2);
  return [...group].sort((a, b) => rank(a) - rank(b) || (a.id || Infinity) - (b.id || Infinity) || (a.path < b.path ? -1 : 1));
}

function targetOf({ byName, byId }: Folder, { reference, kind }: Member): Member | undefined {
  if (typeof reference === 'string') return byName.get(reference);
  const found = byId.get(`${kind}#${reference}`) ?? [];
  return found.length === 1 ? found[0] : undefined;
}

/** Connected members. */
function groupsOf(folder: Folder): readonly (readonly Member[])[] {
  const above = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next;
    return root;
  };
  const join = (a: string, b: string): void => {
    const [root, other] = [rootOf(a), rootOf(b)];
    if (root !== other) above.set(root, other);
  };
  for (const member of folder.members) {
    if (member.reference === '' || isAmbiguous(folder, member)) continue;
    const target = targetOf(folder, member);
    join(member.path, target ? target.path : `${member.kind} ${member.reference}`);
    if (typeof member.reference === 'string') join(member.path, `${member.kind} ${member.reference}`);
  }
  const groups = new Map<string, Member[]>();
  for (const member of folder.members) {
    const root = rootOf(member.path);
    groups.set(root, [...(groups.get(root) ?? []), member]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

const folders = new WeakMap<Content['entries'], Folder>();

function readFolder({ entries }: Content): Folder {
  const known = folders.get(entries);
  if (known) return known;
  const site = entries.find(({ path }) => path === 'site.yaml');
  const settings = mapOf(site?.data);
  const languages = createLanguages({ settings: { value: (key) => settings[key] } });
  const { types, taxonomies } = declaredBy(site, standardTypes, standardTaxonomies);
  const kindAt = createKinds(types, taxonomies);
  const folderOf = createFolderOf(() => types);
  const untranslated = untranslatedKinds(settings);
  // Untranslated kinds have no groups, and are in the lists of all languages.
  const isTranslated = (kind: string): boolean => !untranslated.types.has(kind) && !untranslated.taxonomies.has(kind);
  const members = entries.flatMap((entry) => {
    const kind = kindAt(entry.path);
    return kind === '' || !isMap(entry.data) || !isTranslated(kind) ? [] : [memberOf(entry, kind, languages, folderOf)];
  });
  const byFormerName = new Map<string, Member[]>();
  const byId = new Map<string, Member[]>();
  for (const member of members) {
    for (const name of member.formerNames) byFormerName.set(name, [...(byFormerName.get(name) ?? []), member]);
    for (const key of [`#${member.id}`, `${member.kind}#${member.id}`]) byId.set(key, [...(byId.get(key) ?? []), member]);
  }
  const implied = new Set(members.flatMap(({ isStated, reference }) => (isStated ? [] : [reference])));
  const byName = new Map(members.map((one) => [one.name, one]));
  const folder = { languages, folderOf, members, byName, byFormerName, byId, implied };
  folders.set(entries, folder);
  return folder;
}

/** The type or taxonomy of a file, '' if it cannot be translated. */
function createKinds(types: readonly PostType[], taxonomies: readonly Taxonomy[]): (path: string) => string {
  const terms = new Map(taxonomies.map(({ folder, name }) => [folder, name]));
  const builtIn = new Set(standardTypes.map(({ name }) => name));
  const places = types
    .filter(({ name }) => name === 'post' || name === 'page' || !builtIn.has(name))
    .flatMap(({ name, folders }) => folders.map((folder) => ({ name, folder: `${folder}/` })))
    // Of nested folders, the inner one.
    .sort((a, b) => b.folder.length - a.folder.length);
  return (path) => {
    const [top = '', second = ''] = path.split('/');
    if (top === 'terms') return terms.get(second) ?? second;
    const isData = /\.ya?ml$/.test(path);
    if (isMedia(path)) return isData ? 'attachment' : '';
    if (top === 'menus') return isData ? 'nav_menu' : '';
    return /\.(?:md|markdown|html?)$/.test(path) ? (places.find(({ folder }) => path.startsWith(folder))?.name ?? '') : '';
  };
}

function memberOf({ path, data }: Entry, kind: string, languages: Languages, folderOf: FolderOf): Member {
  const isTerm = path.startsWith('terms/');
  const marks = createMarks(languages);
  const raw = data.translation_of;
  const isStated = raw !== undefined && raw !== null && typeof raw !== 'object' && raw !== true;
  const slug = typeof data.slug === 'string' ? slugify(data.slug) : slugOfPath(marks.plain(path));
  const aliases = Array.isArray(data.aliases) ? data.aliases.map(String) : [];
  const formerNames = (alias: string): string | readonly string[] =>
    isTerm ? referenceTo(path, slugify(alias)) : formerPlaces(path, alias, folderOf);
  return {
    path,
    kind,
    id: typeof data.id === 'number' ? data.id : 0,
    lang: typeof data.lang === 'string' ? data.lang : marks.of(path) || languages.default,
    name: referenceTo(path, slug),
    formerNames: aliases.flatMap(formerNames),
    reference: isStated ? readReference(raw as string, path, folderOf) : impliedReference(path, marks),
    isStated,
  };
}

/** Possible former paths for a former slug or URL. */
function formerPlaces(path: string, alias: string, folderOf: FolderOf): readonly string[] {
  const name = slugOfPath(`x/${alias.replace(/^.*\/(?=[^/]+\/?$)|\/$/g, '') || 'x'}.md`);
  const beside = `/${logicalPath(path).replace(/(?<![^/])[^/]*$/, '')}${name}`;
  return isPathAlias(alias) ? [beside, `/${folderOf(path)}${withoutTrailing(aliasPath(alias), '/')}`] : [beside];
}
