/**
 * Jekyll: `_config.yml`, `_posts` and `_drafts` anywhere, pages as they lie, collections in `_name`.
 * Source: the generator's documentation (4.x) on directory structure, front matter, permalinks and defaults.
 */
import { datedName } from '../../../kernel/model/dated-paths.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { readZone } from './dates.ts';
import type { Data } from './front-matter.ts';
import { folderOf, type GeneratorFolder, nameOf } from './folder.ts';
import {
  addressOf,
  declaredType,
  type SiteGenerator,
  htmlExtension,
  isMedia,
  isRepositoryFile,
  type LocatedSource,
  localeOf,
  type MenuEntry,
  pageExtension,
  type PageRole,
  placeOfPage,
  type GeneratorPlan,
  readDataFile,
  type FolderRole,
  settingsOf,
  typeName,
} from './site-generator.ts';
import { byCommaOrSpace, listOf, rowOf, textOf } from './keys.ts';
import { fill, toPermalink, unknownToken, unsupportedPermalink } from './permalinks.ts';

export const jekyll: SiteGenerator = {
  name: 'jekyll',
  matches: ({ first, paths }) => first(...configs) !== undefined || paths.some((path) => path.startsWith('_posts/')),
  read,
};

const configs = ['_config.yml', '_config.yaml', '_config.toml'];
/** Permalinks by name. */
const styles: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  weekdate: '/:categories/:year/:title:output_ext',
  none: '/:categories/:title:output_ext',
};
const themeFolders =
  /^(?:_(?:includes|layouts|sass|plugins|site|data|cache|tests?)|vendor|scripts?|bin|spec|gulp)(?:\/|$)|^(?:Gem|Rake|Docker|Make)file/;

async function read(folder: GeneratorFolder): Promise<GeneratorPlan> {
  const config = await readDataFile(folder, folder.first(...configs));
  const { address, base } = addressOf(config.url);
  const source = `${textOf(config.source_dir) || 'source'}/`;
  const isHexo = ['_posts/', '_drafts/'].some((name) => folder.paths.some((path) => path.startsWith(source + name)));
  const usual = isHexo ? '/:year/:month/:day/:title/' : (styles.date as string);
  const pattern = rowOf(styles, textOf(config.permalink)) ?? (textOf(config.permalink) || usual);
  const collections = collectionsOf(config.collections);
  const prefix = isHexo ? source : textOf(config.collections_dir) === '' ? '' : `${textOf(config.collections_dir)}/`;
  const data = await dataFiles(folder);
  const title = textOf(config.title) || textOf(config.name);
  const permalink = toPermalink(pattern.replace('/:categories', '').replace(':output_ext', ''));
  const types = [...collections].filter(([name]) => name !== 'posts' && name !== 'pages' && name !== 'drafts');

  function role(whole: string): FolderRole {
    const path = whole.startsWith(prefix) ? whole.slice(prefix.length) : whole;
    if (configs.includes(path) || /^_data\/(?:authors|navigation|nav|menus?)\.\w+$/.test(path)) return { kind: 'data' };
    if (themeFolders.test(path) || isRepositoryFile(path) || (isHexo && path === whole)) return { kind: 'theme' };
    const isPage = pageExtension.test(path);
    const isHtml = htmlExtension.test(path);
    const inPosts = /^(?:(.*)\/)?_(posts|drafts)\/(.*)$/.exec(path);
    if (inPosts && (isPage || isHtml)) {
      const dated = datedName(nameOf(path));
      const categories = (inPosts[1] ?? '').split('/').filter((name) => name !== '');
      const slug = slugify(dated && dated.rest !== '' ? dated.rest : nameOf(path));
      const draft = inPosts[2] === 'drafts' ? { status: 'draft' } : {};
      return { kind: 'page', type: 'post', slug, place: '', categories, ...(dated ? { date: dated.date } : {}), ...draft };
    }
    const collection = /^_([^/]+)\//.exec(path)?.[1];
    if (collection !== undefined && (isPage || isHtml) && collection !== 'pages' && collections.has(collection)) {
      const dated = datedName(nameOf(path));
      return {
        kind: 'page',
        type: typeName(collection),
        slug: slugify(dated?.rest || nameOf(path)),
        place: '',
        ...(dated ? { date: dated.date } : {}),
      };
    }
    if (isPage || isHtml) {
      const inner = path.replace(/^_pages\//, '');
      if (/(?:^|\/)_/.test(inner) && !isPage) return { kind: 'theme' };
      return {
        kind: 'page',
        type: 'page',
        ...placeOfPage(inner.replace(/(^|\/)_/g, '$1'), /^index$/i),
        ...(isHtml ? { needsFront: true } : {}),
      };
    }
    return isMedia(path) ? { kind: 'file', url: `/${path}` } : { kind: 'theme' };
  }

  /** What its address is made of; '' of a page that has it from its place. */
  function patternOf({ path, type, data: front }: LocatedSource): string {
    const given = textOf(front.permalink);
    if (given !== '') return rowOf(styles, given) ?? given;
    if (type === 'post') return pattern;
    const collection = /^_([^/]+)\//.exec(path.startsWith(prefix) ? path.slice(prefix.length) : path)?.[1] ?? '';
    return type === 'page' ? '' : textOf(mapOf(collections.get(collection)).permalink);
  }

  function link(page: LocatedSource): string {
    const { path, type, slug, title: name, date, categories, data: front } = page;
    const parts = { title: name, slug, name: slug, date, categories, section: folderOf(path), extension: '.html' };
    const given = textOf(front.permalink);
    const collection = /^_([^/]+)\//.exec(path.startsWith(prefix) ? path.slice(prefix.length) : path)?.[1] ?? '';
    const inner = path.replace(/^.*?\/|\.[^.]+$/g, '');
    if (given !== '') return fill(rowOf(styles, given) ?? given, { ...parts, collection, path: inner });
    if (type === 'post') return fill(pattern, parts);
    if (type !== 'page')
      return fill(textOf(mapOf(collections.get(collection)).permalink) || '/:collection/:path:output_ext', {
        ...parts,
        collection,
        path: inner,
      });
    if (page.role.place === '') return '/';
    const isFolder = /^index\./i.test(path.slice(path.lastIndexOf('/') + 1)) || (!isHexo && /\/$/.test(pattern));
    return `/${page.role.place}${isFolder ? '/' : '.html'}`;
  }

  return {
    settings: settingsOf({
      name: title,
      description: textOf(config.description) || textOf(config.tagline),
      language: localeOf(config.lang ?? config.locale ?? config.language),
      timezone: readZone(config.timezone),
      permalink,
      posts_per_page: typeof config.paginate === 'number' ? config.paginate : undefined,
    }),
    address,
    base: base + withoutTrailing(textOf(config.baseurl), '/') || (isHexo ? withoutTrailing(textOf(config.root), '/') : ''),
    zone: readZone(config.timezone),
    author: config.author,
    authors: mapOf(data.authors),
    ...(textOf(config.excerpt_separator) === '' ? {} : { excerptMark: textOf(config.excerpt_separator) }),
    declarations: types.map(([name]) => declaredType(typeName(name), name, '_config.yml')),
    menus: menusOf(data),
    remarks: permalink === null ? [unsupportedPermalink(pattern)] : [],
    templates: 'liquid',
    addressKey: 'permalink',
    role,
    defaults: (path, page) => defaultsFor(config.defaults, path, page),
    link,
    unknownLink(page) {
      const token = unknownToken(patternOf(page));
      return token && `its pattern has ${token}`;
    },
    split: (text, key) => (/^categor|^tags$/.test(key) && key !== 'category' ? byCommaOrSpace(text) : [text]),
  };
}

/** Collections by name, with what is said of them. */
function collectionsOf(raw: unknown): ReadonlyMap<string, unknown> {
  return new Map(Array.isArray(raw) ? raw.map((name) => [String(name), {}]) : Object.entries(mapOf(raw)));
}

/** `_data` files that are read: authors, and navigation by its usual names. Others are data of the theme. */
async function dataFiles(folder: GeneratorFolder): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of ['authors', 'navigation', 'nav', 'menu', 'menus']) {
    const path = folder.first(...['yml', 'yaml', 'json', 'toml'].map((extension) => `_data/${name}.${extension}`));
    if (path !== undefined) found[name] = await readDataFile(folder, path);
  }
  return found;
}

/** `_data/navigation.yml`: lists of `title`, `url` and `children`, by menu or alone. */
function menusOf(data: Readonly<Record<string, unknown>>): MenuEntry[] {
  const source = mapOf(data.navigation ?? data.nav ?? data.menus ?? data.menu);
  const entries: MenuEntry[] = [];
  const add = (menu: string, items: unknown, parent: string): void => {
    for (const item of listOf(items).map(mapOf)) {
      const title = textOf(item.title) || textOf(item.name) || textOf(item.text);
      const url = textOf(item.url) || textOf(item.link) || textOf(item.href);
      if ((title === '' && url === '') || parent.split('>').length > 20) continue;
      const id = `${parent}>${entries.length}`;
      entries.push({ menu, id, title, url, weight: entries.length, ...(parent === '' ? {} : { parent }) });
      add(menu, item.children ?? item.sublinks ?? item.subfolderitems ?? item.pages, id);
    }
  };
  for (const [name, items] of Object.entries(source)) if (Array.isArray(items)) add(name === 'list' ? 'main' : name, items, '');
  return entries;
}

/** `defaults` of the configuration: values by scope, the more exact path wins. */
function defaultsFor(raw: unknown, path: string, role: PageRole): Data {
  const type = role.type === 'post' ? (role.status === 'draft' ? 'drafts' : 'posts') : role.type === 'page' ? 'pages' : role.type;
  const fitting = listOf(raw)
    .map(mapOf)
    .filter(({ scope }) => {
      const { path: below, type: only } = mapOf(scope);
      const prefix = textOf(below).replace(/^\/|\/$|\*+.*$/g, '');
      return (
        (prefix === '' || path === prefix || path.startsWith(`${prefix.replace(/\/$/, '')}/`)) &&
        (textOf(only) === '' || textOf(only) === type)
      );
    });
  fitting.sort((a, b) => textOf(mapOf(a.scope).path).length - textOf(mapOf(b.scope).path).length);
  return Object.assign({}, ...fitting.map(({ values }) => mapOf(values)));
}
