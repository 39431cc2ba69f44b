/**
 * Hugo: configuration in TOML, YAML or JSON, sections below `content`, page bundles with their files, menus in configuration and
 * front matter. Source: the generator's documentation (0.140) on organisation, front matter, permalinks, menus and taxonomies.
 */
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { readZone } from './dates.ts';
import type { Data } from './front-matter.ts';
import { folderOf, type GeneratorFolder, nameOf } from './folder.ts';
import {
  addressOf,
  type SiteGenerator,
  htmlExtension,
  isMedia,
  type LocatedSource,
  localeOf,
  type MenuEntry,
  pageExtension,
  type GeneratorPlan,
  postFolders,
  readDataFile,
  type FolderRole,
  settingsOf,
  titleOf,
} from './site-generator.ts';
import { byComma, listOf, rowOf, textOf } from './keys.ts';
import { cascadesOf } from './cascades.ts';
import { fill, toPermalink, unknownToken, unsupportedPermalink } from './permalinks.ts';

export const hugo: SiteGenerator = {
  name: 'hugo',
  matches: ({ first, paths }) =>
    first(...configNames('')) !== undefined ||
    paths.some((path) => path.startsWith('config/_default/')) ||
    paths.some((path) => /^content\/.*(?:^|\/)_index\.md$/.test(path)) ||
    (paths.some((path) => path.startsWith('content/')) && paths.some((path) => path.startsWith('archetypes/'))),
  read,
};

const extensions = ['toml', 'yaml', 'yml', 'json'];
/** Files of `config/_default` that stand for a key. */
const parts = ['params', 'menus', 'menu', 'permalinks', 'taxonomies', 'languages', 'build', 'markup'];

function configNames(folder: string): string[] {
  const names = ['hugo', 'config'].flatMap((name) => extensions.map((extension) => `${folder}${name}.${extension}`));
  return [...names, `${folder}zola.toml`];
}

/** A site as its configuration describes it. */
interface HugoSite {
  readonly config: Data;
  readonly params: Data;
  /** Folder of the pages, and folders of static files, each with a slash. */
  readonly content: string;
  readonly statics: readonly string[];
  /** The default language, and all. */
  readonly language: string;
  readonly languages: readonly string[];
  /** Front-matter key → taxonomy. */
  readonly taxonomies: Readonly<Record<string, string>>;
  /** Sections whose pages are posts. */
  readonly posts: readonly string[];
  /** Section → permalink pattern; and that of posts. */
  readonly patterns: Data;
  readonly postPattern: string;
  /** Zola lays out its folders in the same way, with other names for a few things. */
  readonly isZola: boolean;
}

async function read(folder: GeneratorFolder): Promise<GeneratorPlan> {
  const site = siteOf(folder, lowerKeys(await configOf(folder)));
  const { config, params, taxonomies, language, postPattern } = site;
  const { address, base } = addressOf(config.baseurl ?? config.base_url);
  const permalink = toPermalink(postPattern, site.posts[0] ?? '');
  const cascades = await cascadesOf(folder, config.cascade, site.content, (path) => inLanguage(site, path).inner);
  const customTaxonomies = Object.entries(taxonomies).filter(([, name]) => name !== 'category' && name !== 'post_tag');
  return {
    settings: settingsOf({
      name: textOf(config.title),
      description: textOf(params.description) || textOf(params.subtitle) || (site.isZola ? textOf(config.description) : ''),
      language: localeOf(language),
      timezone: readZone(config.timezone),
      permalink,
      posts_per_page: [config.paginate, mapOf(config.pagination).pagersize, mapOf(config.pagination).pagerSize].find(
        (count) => typeof count === 'number',
      ),
    }),
    address,
    base,
    zone: readZone(config.timezone),
    author: params.author ?? config.author,
    declarations: customTaxonomies.map(([plural, name]) => ({
      kind: 'taxonomy',
      name,
      declaration: { plural: titleOf(plural), singular: titleOf(name), rest_base: slugify(plural), types: ['post', 'page'] },
      place: { source: folder.first(...configNames('')) ?? 'config' },
    })),
    taxonomies: Object.fromEntries(customTaxonomies),
    menus: Object.entries(mapOf(config.menus ?? config.menu)).flatMap(([menu, entries]) =>
      listOf(entries)
        .map(mapOf)
        .map((entry, at) => entryOf(menu, entry, '', at)),
    ),
    remarks: permalink === null ? [unsupportedPermalink(postPattern)] : [],
    templates: 'hugo',
    addressKey: site.isZola ? 'path' : 'url',
    role: (path) => roleOf(site, path),
    defaults: (path) => {
      if (!path.startsWith(site.content)) return {};
      const { inner, lang } = inLanguage(site, path);
      return {
        ...cascades({ path, inner, lang: lang || language }),
        ...(lang === '' || lang === language ? {} : { lang }),
      };
    },
    link: (page) => linkOf(site, page),
    unknownLink({ path, role: { place }, type }) {
      const { inner } = inLanguage(site, path);
      const section = inner.includes('/') ? (inner.split('/')[0] as string) : '';
      const token = type === 'post' || place.includes('/') ? unknownToken(textOf(rowOf(site.patterns, section))) : undefined;
      return token && `its pattern has ${token}`;
    },
    split: byComma,
    pictureOf: (path, data) => (nameOf(path) === 'index' ? siblingImage(folder, folderOf(path), data) : undefined),
    menusOf: (path, data, title) => menusOfPage(path, data, title),
  };
}

function siteOf(folder: GeneratorFolder, config: Data): HugoSite {
  const content = `${textOf(config.contentdir) || 'content'}/`;
  const statics = listOf(config.staticdir).map(textOf);
  const params = lowerKeys(mapOf(config.params));
  const posts = postSections(params.mainsections ?? config.mainsections, sectionsOf(folder, content));
  const permalinks = mapOf(config.permalinks);
  const patterns = { ...permalinks, ...mapOf(permalinks.page) } as Data;
  const isZola = config.base_url !== undefined && config.baseurl === undefined;
  return {
    isZola,
    config,
    params,
    content,
    statics: (statics.some(Boolean) ? statics : ['static']).map((name) => `${name}/`),
    language:
      textOf(config.defaultcontentlanguage) ||
      textOf(config.languagecode) ||
      textOf(config.locale) ||
      textOf(config.default_language),
    languages: Object.keys(mapOf(config.languages)),
    taxonomies: taxonomiesOf(config.taxonomies),
    posts,
    patterns,
    postPattern:
      posts.map((name) => textOf(rowOf(patterns, name))).find((pattern) => pattern !== '') ?? `/${posts[0] ?? 'posts'}/:slug/`,
  };
}

/** A path below `content` without its language: of `de/posts/a.md` and `posts/a.de.md`. */
function inLanguage({ content, languages }: HugoSite, whole: string): { readonly inner: string; readonly lang: string } {
  const path = whole.slice(content.length);
  const first = path.split('/')[0] as string;
  if (languages.includes(first)) return { inner: path.slice(first.length + 1), lang: first };
  const suffix = /^(.*)\.([a-z]{2}(?:-[a-z]{2,4})?)(\.[^./]+)$/i.exec(path);
  return suffix && languages.includes(suffix[2] as string)
    ? { inner: `${suffix[1]}${suffix[3]}`, lang: suffix[2] as string }
    : { inner: path, lang: '' };
}

function roleOf(site: HugoSite, path: string): FolderRole {
  const { content, statics, language, taxonomies, posts } = site;
  if (configNames('').includes(path) || path.startsWith('config/_default/')) return { kind: 'data' };
  if (!path.startsWith(content)) {
    const root = statics.find((name) => path.startsWith(name));
    const below = root?.length ?? (path.startsWith('assets/') ? 'assets/'.length : -1);
    return below >= 0 && isMedia(path) ? { kind: 'file', url: `/${path.slice(below)}` } : { kind: 'theme' };
  }
  const { inner, lang } = inLanguage(site, path);
  const isPage = pageExtension.test(inner) || htmlExtension.test(inner);
  if (!isPage) return isMedia(inner) ? { kind: 'file', url: `/${inner}` } : { kind: 'theme' };
  const steps = inner.split('/');
  const section = steps.length > 1 ? (steps[0] as string) : '';
  const name = nameOf(inner);
  const taxonomy = rowOf(taxonomies, section);
  if (taxonomy !== undefined && /^_?index$/.test(name))
    return steps.length === 3 ? { kind: 'term', taxonomy, name: steps[1] as string } : { kind: 'theme' };
  const folder = folderOf(inner);
  const logical = name === 'index' || name === '_index' ? folder : folder === '' ? name : `${folder}/${name}`;
  const place = lang === '' || lang === language ? logical : logical === '' ? lang : `${lang}/${logical}`;
  const last = logical.slice(logical.lastIndexOf('/') + 1);
  const slug = slugify(site.isZola ? last.replace(/^\d{4}-\d{2}-\d{2}[-_](?=.)/, '') : last) || 'home';
  if (!posts.includes(section) || name === '_index') return { kind: 'page', type: 'page', slug, place };
  const date = /^(\d{4}-\d{2}-\d{2})/.exec(last)?.[1];
  return { kind: 'page', type: 'post', slug, place: '', ...(date === undefined ? {} : { date }) };
}

function linkOf(site: HugoSite, { path, role: { place }, type, slug, title, date, categories, data }: LocatedSource): string {
  const said = textOf(data.path);
  const url = site.isZola ? said && `${withoutTrailing(said, '/')}/` : textOf(data.url);
  if (url !== '') return /^https?:/.test(url) ? '' : `/${url.replace(/^\/+/, '')}`;
  const { inner } = inLanguage(site, path);
  const folder = folderOf(inner);
  if (nameOf(inner) === '_index') return folder === '' ? '/' : `/${pathSlug(folder)}/`;
  const section = inner.includes('/') ? (inner.split('/')[0] as string) : '';
  const pattern = type === 'post' || place.includes('/') ? textOf(rowOf(site.patterns, section)) : '';
  const isIndex = nameOf(inner) === 'index';
  const above = isIndex ? folderOf(folder) : folder;
  if (pattern !== '') {
    const name = isIndex ? folder.split('/').at(-1) : nameOf(inner);
    return fill(pattern, { title, slug, name: name ?? slug, date, categories, section: above });
  }
  const ending = site.config.uglyurls === true ? '.html' : '/';
  return `/${pathSlug(above)}${above === '' ? '' : '/'}${slug}${ending}`;
}

async function configOf(folder: GeneratorFolder): Promise<Data> {
  let config: Record<string, unknown> = { ...(await readDataFile(folder, folder.first(...configNames('')))) };
  const inner = await readDataFile(folder, folder.first(...configNames('config/_default/')));
  config = { ...config, ...inner };
  for (const key of parts) {
    const path = folder.first(...extensions.map((extension) => `config/_default/${key}.${extension}`));
    if (path !== undefined) config[key] = { ...mapOf(config[key]), ...(await readDataFile(folder, path)) };
  }
  return config;
}

/** Keys of configuration are known in any case. */
function lowerKeys(data: Data): Data {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key.toLowerCase(), value]));
}

const usualSingulars: Readonly<Record<string, string>> = table({ tags: 'tag', categories: 'category' });

/** Front-matter key → taxonomy. */
function taxonomiesOf(raw: unknown): Readonly<Record<string, string>> {
  const named = listOf(raw).map((one) => textOf(mapOf(one).name));
  const given = Array.isArray(raw)
    ? named.filter((name) => name !== 'authors').map((name) => [name, rowOf(usualSingulars, name) ?? name] as const)
    : Object.entries(mapOf(raw)).map(([singular, plural]) => [textOf(plural), singular] as const);
  const rows = given.length > 0 ? given : [['categories', 'category'] as const, ['tags', 'tag'] as const];
  return Object.fromEntries(
    rows
      .filter(([plural]) => plural !== '')
      .map(([plural, singular]) => [plural, singular === 'tag' ? 'post_tag' : slugify(singular).slice(0, 32)]),
  );
}

/** Sections with the number of their files. */
function sectionsOf({ paths }: GeneratorFolder, content: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const section = path.startsWith(content) ? path.slice(content.length).split('/') : [];
    if (section.length > 1 && pageExtension.test(path))
      counts.set(section[0] as string, (counts.get(section[0] as string) ?? 0) + 1);
  }
  return counts;
}

/** Sections of posts: what the configuration says, the usual names, else the largest section, as the generator has it. */
function postSections(given: unknown, sections: ReadonlyMap<string, number>): readonly string[] {
  const said = listOf(given)
    .map(textOf)
    .filter((name) => name !== '');
  if (said.length > 0) return said;
  const usual = [...sections.keys()].filter((name) => postFolders.has(name));
  if (usual.length > 0) return usual;
  return [...sections]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 1)
    .map(([name]) => name);
}

function entryOf(menu: string, entry: Data, fallback: string, at: number): MenuEntry {
  const item = lowerKeys(entry);
  const title = textOf(item.name) || textOf(item.title) || fallback;
  const url = textOf(item.url) || textOf(item.pageref);
  return {
    menu,
    id: textOf(item.identifier) || title,
    title,
    url,
    weight: typeof item.weight === 'number' && item.weight !== 0 ? item.weight : 1_000_000 + at,
    ...(textOf(item.parent) === '' ? {} : { parent: textOf(item.parent) }),
  };
}

/** `menu: main`, `menus: [main, footer]`, or a map of menus with what the entry says. */
function menusOfPage(path: string, data: Data, title: string): readonly MenuEntry[] {
  const raw = data.menus ?? data.menu;
  const named =
    typeof raw === 'string'
      ? [[raw, {}] as const]
      : Array.isArray(raw)
        ? raw.map((name) => [textOf(name), {}] as const)
        : Object.entries(mapOf(raw));
  return named
    .filter(([menu]) => menu !== '')
    .map(([menu, entry]) => ({ ...entryOf(menu, mapOf(entry), title, 0), url: '', page: path }));
}

/** The picture of a bundle, as themes find it: by what `resources` says of it, or by its name. */
function siblingImage(folder: GeneratorFolder, dir: string, data: Data): string | undefined {
  const told = listOf(data.resources)
    .map(mapOf)
    .find(({ name, src }) => /^(?:featured|cover|header|thumbnail)/i.test(textOf(name) || textOf(src)));
  const names = ['featured', 'featured-image', 'feature', 'cover', 'thumbnail'];
  const usual = names.flatMap((name) =>
    ['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif'].map((extension) => `${dir}/${name}.${extension}`),
  );
  return folder.first(...(told ? [`${dir}/${textOf(told.src)}`] : []), ...usual);
}

function pathSlug(path: string): string {
  return path
    .split('/')
    .map((step) => slugify(step) || step)
    .join('/');
}
