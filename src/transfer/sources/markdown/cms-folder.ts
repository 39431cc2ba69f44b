/**
 * What a content folder of our own has besides pages and media: declarations, terms, authors, menus.
 */
import { composeModules } from '../../../kernel/compose-modules.ts';
import { fileKeys } from '../../../kernel/model/field.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { type RawItem, readItems, readTarget, type MenuTarget, type TargetWords } from '../../../modules/menus/menu-tree.ts';
import { mediaFolder } from '../../../kernel/store/paths.ts';
import { menuItemFields, menuKeys } from '../../../modules/menus/fields.ts';
import { postFields } from '../../../modules/content/posts/fields.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import { basicSettings } from '../../../deployments.ts';
import { findNamed } from '../../../kernel/model/named.ts';
import { slugify, slugOfFileName } from '../../../kernel/model/slugs.ts';
import { termKeys } from '../../../modules/content/terms/fields.ts';
import { standardStatuses } from '../../../modules/types/statuses.ts';
import { standardTaxonomies } from '../../../modules/types/taxonomies.ts';
import { declaredBy } from '../../../modules/types/declarations.ts';
import { isAmongDrafts, type PostType } from '../../../modules/types/record.ts';
import { standardTypes } from '../../../modules/types/types.ts';
import type { Entry } from '../../../kernel/store/types.ts';
import { userFields } from '../../../modules/people/users/fields.ts';
import { type DeclarationItem, given, type SourceItem, type MenuLinkItem, type PostItem } from '../../import/items.ts';
import { readDate } from './dates.ts';
import { type LocatedSource, readDataFile } from './site-generator.ts';
import { type Data, readPage, Unreadable } from './front-matter.ts';
import { type GeneratorFolder, nameOf } from './folder.ts';
import { listOf, textOf } from './keys.ts';

const taxonomyOfFolder = new Map(standardTaxonomies.map(({ folder, name }) => [folder, name]));
const words: TargetWords = new Map<string, { readonly itemType: 'post_type' | 'taxonomy'; readonly object: string }>([
  ...standardTypes.map(({ name }) => [name, { itemType: 'post_type', object: name }] as const),
  ...standardTaxonomies.map(({ folder, name }) => [folder, { itemType: 'taxonomy', object: name }] as const),
]);

/** `types` and `taxonomies` of `site.yaml`, without where their files are, which is another matter in the site that they come to. */
export function cmsDeclarations(site: Data): DeclarationItem[] {
  return (['type', 'taxonomy'] as const).flatMap((kind) =>
    Object.entries(mapOf(site[kind === 'type' ? 'types' : 'taxonomies'])).flatMap(([name, raw]): DeclarationItem[] => {
      const { folder: _folder, file_name: _fileName, drafts: _drafts, ...declaration } = mapOf(raw);
      const isBuiltIn = kind === 'type' && standardTypes.some((type) => type.name === name);
      return isBuiltIn ? [] : [{ kind, name, declaration, place: { source: 'site.yaml' } }];
    }),
  );
}

/** Front-matter key → taxonomy, of those that `site.yaml` declares. */
export function cmsTaxonomyKeys(site: Data): Readonly<Record<string, string>> {
  const rows = Object.entries(mapOf(site.taxonomies));
  return Object.fromEntries(rows.map(([name, raw]) => [textOf(mapOf(raw).rest_base) || name, name]));
}

/** Folder → type, of all types but posts, pages and media. */
export function cmsTypeFolders(site: Data): ReadonlyMap<string, string> {
  const declared = Object.entries(mapOf(site.types)).map(([name, raw]) => [textOf(mapOf(raw).rest_base) || name, name] as const);
  const built = standardTypes.filter(({ name, folder }) => ['cms_block', 'cms_navigation'].includes(name) && folder !== '');
  return new Map([...built.map(({ name, folder }) => [folder, name] as const), ...declared]);
}

/** The path that a file would have in the usual folder of its type, and whether it lies among drafts. */
export function cmsUsualPath(site: Data): (path: string) => { readonly usual: string; readonly isDraft: boolean } {
  const { types } = declaredBy({ data: site } as Entry, standardTypes, standardTaxonomies);
  const places = types
    .flatMap((type) => type.folders.map((folder) => ({ type, folder, usual: standardFolder(type) })))
    .sort((a, b) => b.folder.length - a.folder.length);
  return (path) => {
    const place = places.find(({ folder }) => path.startsWith(`${folder}/`));
    if (!place) return { usual: path, isDraft: false };
    return { usual: place.usual + path.slice(place.folder.length), isDraft: isAmongDrafts(place.type, path) };
  };
}

function standardFolder({ name, restBase }: PostType): string {
  return standardTypes.find((one) => one.name === name)?.folder ?? restBase;
}

/** Settings whose references are keys of items, as terms and pages have them here. */
export function cmsSettings(folder: GeneratorFolder, site: Data): Data {
  const refer = (key: string, value: string): string | undefined => {
    if (key === 'default_category') return `category:${value}`;
    const type = key.endsWith('_page') ? 'page' : 'attachment';
    return targetKey(folder, { itemType: 'post_type', object: type, ref: value, url: '' });
  };
  return Object.fromEntries(
    basicSettings.flatMap(({ key, refers }) => {
      const value = site[key];
      if (key === 'url' || value === undefined) return [];
      return [[key, refers && typeof value === 'string' ? refer(key, value) : value]];
    }),
  );
}

/** Keys that settings of ours do not have, and modules may. */
export function cmsExtraSettings(site: Data): Data {
  const known = new Set(basicSettings.map(({ key }) => key));
  return Object.fromEntries(Object.entries(site).filter(([key]) => !known.has(key) && !['types', 'taxonomies'].includes(key)));
}

/** What of a file no field of ours takes. */
function extraOf(data: Data, known: readonly string[]): { readonly extra?: Data } {
  const rest = Object.entries(data).filter(([key, value]) => !known.includes(key) && value !== null);
  return rest.length === 0 ? {} : { extra: Object.fromEntries(rest) };
}

const noModules = { modules: composeModules([]) };
const statuses = { statuses: standardStatuses, meta: {} };
const sidecarKeys = standardTypes
  .filter(({ name }) => name === 'attachment')
  .flatMap((type) => fileKeys(postFields({ type, taxonomies: standardTaxonomies, ...statuses })));
const linkKeys = [...words.keys(), 'url', 'archive', 'type', 'object', 'object_id', 'id', 'parent', 'order', 'items'].concat(
  fileKeys(menuItemFields(noModules)),
);

/** The address a page of ours has there; '' where more than its file says it. */
export function cmsLink(site: Data, { path, type, slug, date, role: { place }, data }: LocatedSource): string {
  if (type === 'page') {
    const steps = place.split('/');
    if (place === '' || (site.front === 'page' && site.front_page === place)) return '/';
    return `/${[...steps.slice(0, -1), slug].join('/')}/`;
  }
  if (type !== 'post') {
    const declared = mapOf(mapOf(site.types)[type]);
    const isUsual = Object.hasOwn(mapOf(site.types), type) && declared.hierarchical !== true && declared.public !== false;
    return isUsual ? `/${type}/${slug}/` : '';
  }
  const id = typeof data.id === 'number' ? String(data.id) : '';
  const values: Data = { slug, id, year: date.slice(0, 4), month: date.slice(5, 7), day: date.slice(8, 10) };
  const link = (textOf(site.permalink) || '/{slug}/').replace(/\{(slug|id|year|month|day)\}/g, (_, word: string) =>
    textOf(values[word]),
  );
  return link.includes('{') || link.includes('//') || !path.startsWith('posts/') ? '' : link;
}

/** What sidecars say of media, by the path of the original; those that cannot be read are in `folder.unreadable`. */
export async function cmsSidecars(folder: GeneratorFolder): Promise<ReadonlyMap<string, Data>> {
  const found = new Map<string, Data>();
  for (const path of folder.paths) {
    const original = /^(media\/.+)\.ya?ml$/.exec(path)?.[1];
    if (original === undefined) continue;
    const data = await readDataFile(folder, path);
    if (!folder.unreadable.has(path)) found.set(original, data);
  }
  const named = new Set([...found.values()].flatMap(({ post }) => (typeof post === 'number' ? [post] : [])));
  if (named.size === 0) return found;
  const places = await placesOf(folder, named);
  for (const [path, data] of found) if (places.has(data.post)) found.set(path, { ...data, post: places.get(data.post) });
  return found;
}

/** Id → place, of texts with one of some ids. */
async function placesOf(folder: GeneratorFolder, ids: ReadonlySet<unknown>): Promise<ReadonlyMap<unknown, string>> {
  const places = new Map<unknown, string>();
  for (const path of folder.paths) {
    if (!/\.(?:md|html)$/.test(path)) continue;
    try {
      const { id } = readPage(await folder.text(path)).data;
      if (ids.has(id)) places.set(id, logicalPath(path));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
    }
  }
  return places;
}

/** An attachment with what its sidecar says. */
export function withSidecar(item: PostItem, data: Data, { first }: GeneratorFolder, zone: string | null): PostItem {
  const text = (key: string): string => textOf(data[key]);
  const date = readDate(data.date, zone);
  const belongs = text('post');
  const parent =
    belongs === ''
      ? undefined
      : first(...['md', 'html', 'yaml'].flatMap((kind) => [`${belongs}.${kind}`, `${belongs}/index.${kind}`]));
  return {
    ...item,
    title: text('title') || item.title,
    slug: text('slug') || item.slug,
    content: text('description'),
    excerpt: text('caption'),
    ...(typeof data.id === 'number' ? { id: data.id } : {}),
    ...(item.media ? { media: { ...item.media, alt: text('alt') } } : {}),
    ...(text('author') === '' ? {} : { author: text('author') }),
    ...(parent === undefined ? {} : { parent }),
    ...extraOf(data, sidecarKeys),
    ...date,
  };
}

/** Attachments of which there is a sidecar alone: their files are elsewhere. */
export function* cmsRemoteMedia(folder: GeneratorFolder, sidecars: ReadonlyMap<string, Data>): Generator<PostItem> {
  for (const [key, data] of sidecars) {
    if (folder.has(key)) continue;
    const name = nameOf(key);
    const url = textOf(data.fetch);
    const media = { path: key.slice(mediaFolder.length), ...(url === '' ? {} : { url }) };
    const common = { kind: 'post', type: 'attachment', content: '', markup: 'html', status: 'inherit' } as const;
    yield { ...common, key, slug: slugOfFileName(name), title: name, media, place: { source: `${key}.yaml` } };
  }
}

const sheet = /^(terms\/([^/]+)|users|menus)\/[^/]+\.ya?ml$/;

/** Files of terms, authors and menus; those that cannot be read are in `folder.unreadable`. */
export async function cmsDataFiles(folder: GeneratorFolder): Promise<ReadonlyMap<string, Data>> {
  const found = new Map<string, Data>();
  for (const path of folder.paths) {
    if (!sheet.test(path)) continue;
    const data = await readDataFile(folder, path);
    if (!folder.unreadable.has(path)) found.set(path, data);
  }
  return found;
}

/** What the files of a folder mean by the name or id of a term or a person: its slug, as the server finds it (`findNamed`). */
export function cmsNames(
  sheets: ReadonlyMap<string, Data>,
  hasIds: boolean,
): (kind: string, ref: string | number) => string | undefined {
  const names = new Map<string, string>();
  const note = (name: string, slug: string): void => void (names.has(name) || names.set(name, slug));
  for (const [path, data] of sheets) {
    const found = sheet.exec(path);
    if (!found || path.startsWith('menus/')) continue;
    const isUser = path.startsWith('users/');
    const kind = isUser ? 'user' : (taxonomyOfFolder.get(found[2] as string) ?? (found[2] as string));
    const slug = textOf(data.slug) || nameOf(path);
    note(`${kind} ${slugify(slug)}`, slug);
    for (const alias of listOf(data.aliases)) note(`${kind} ~${slugify(textOf(alias))}`, slug);
    if (typeof data.id === 'number') note(`${kind} #${data.id}`, slug);
    if (isUser) note(`${kind} =${(textOf(data.name) || slug).toLowerCase()}`, slug);
  }
  return (kind, ref) => {
    if (typeof ref === 'number') return hasIds || kind === 'user' ? names.get(`${kind} #${ref}`) : undefined;
    return findNamed(ref, {
      present: (slug) => names.get(`${kind} ${slug}`),
      former: (slug) => names.get(`${kind} ~${slug}`),
      shown: (name) => names.get(`${kind} =${name}`),
    });
  };
}

/** Terms, authors and menus with their items. */
export function* cmsItems(folder: GeneratorFolder, sheets: ReadonlyMap<string, Data>): Generator<SourceItem> {
  for (const path of folder.paths) {
    const found = sheet.exec(path);
    if (!found) continue;
    const data = sheets.get(path);
    if (data === undefined) continue;
    const place = { source: path };
    const slug = textOf(data.slug) || nameOf(path);
    const common = {
      place,
      ...(typeof data.id === 'number' ? { id: data.id } : {}),
      ...(data.meta === undefined ? {} : { meta: mapOf(data.meta) }),
    };
    if (path.startsWith('users/')) {
      const about = {
        firstName: textOf(data.first_name),
        lastName: textOf(data.last_name),
        description: textOf(data.description),
        url: textOf(data.url),
      };
      yield {
        kind: 'user',
        key: slug,
        login: '',
        slug,
        name: textOf(data.name) || slug,
        ...common,
        ...about,
        ...extraOf(data, fileKeys(userFields)),
      };
    } else if (path.startsWith('terms/')) {
      const taxonomy = taxonomyOfFolder.get(found[2] as string) ?? (found[2] as string);
      const parent = textOf(data.parent) === '' ? {} : { parent: `${taxonomy}:${textOf(data.parent)}` };
      yield {
        kind: 'term',
        key: `${taxonomy}:${slug}`,
        taxonomy,
        slug,
        name: textOf(data.name) || slug,
        description: textOf(data.description),
        ...common,
        ...parent,
        ...extraOf(data, termKeys),
      };
    } else {
      const menu = `nav_menu:${slug}`;
      const locations = listOf(data.locations).map(textOf);
      yield {
        kind: 'term',
        key: menu,
        taxonomy: 'nav_menu',
        slug,
        name: textOf(data.name) || slug,
        locations,
        autoAdd: data.auto_add === true,
        ...common,
        ...extraOf(data, menuKeys),
      };
      yield* menuLinks(folder, path, menu, readItems(data.items), undefined, { count: 0 });
    }
  }
}

function* menuLinks(
  folder: GeneratorFolder,
  path: string,
  menu: string,
  items: readonly RawItem[],
  parent: string | undefined,
  state: { count: number },
): Generator<SourceItem> {
  for (const raw of items) {
    const order = ++state.count;
    const key = `${menu}/${order}`;
    const { itemType, object, ref, url } = readTarget(raw, words);
    const target = targetKey(folder, { itemType, object, ref, url });
    yield given<MenuLinkItem>({
      kind: 'menu-link',
      key,
      menu,
      order,
      itemType,
      object,
      place: { source: path },
      title: textOf(raw.title),
      attrTitle: textOf(raw.attr_title),
      description: textOf(raw.description),
      url: url || undefined,
      target,
      parent,
      id: typeof raw.id === 'number' ? raw.id : undefined,
      window: raw.target === '_blank' ? '_blank' : undefined,
      ...extraOf(raw, linkKeys),
    });
    if (order < 10_000) yield* menuLinks(folder, path, menu, readItems(raw.items), key, state);
  }
}

/** Key of what an item names by slug or path. */
function targetKey({ paths, first }: GeneratorFolder, { itemType, object, ref }: MenuTarget): string | undefined {
  if (typeof ref !== 'string') return undefined;
  if (itemType === 'taxonomy') return `${object}:${ref}`;
  const folder = standardTypes.find(({ name }) => name === object)?.folder ?? object;
  const names = ['md', 'html'].flatMap((extension) => [`${folder}/${ref}.${extension}`, `${folder}/${ref}/index.${extension}`]);
  if (object === 'attachment') return first(`${folder}/${ref}`);
  return first(...names) ?? paths.find((path) => path.startsWith(`${folder}/`) && nameOf(path) === ref);
}
