/**
 * Eleventy: Markdown anywhere below its input folder, data files beside folders and pages, tags as collections, navigation in
 * front matter. Configuration and data written as programs are never run. Source: the generator's documentation (3.x).
 */
import { datedName } from '../../../kernel/model/dated-paths.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { textOrNone } from './astro.ts';
import { readZone } from './dates.ts';
import type { Data } from './front-matter.ts';
import { folderOf, type GeneratorFolder, nameOf } from './folder.ts';
import {
  addressOf,
  type SiteGenerator,
  isMedia,
  isRepositoryFile,
  type LocatedSource,
  localeOf,
  pageExtension,
  placeOfPage,
  type GeneratorPlan,
  postFolders,
  readDataFile,
  type FolderRole,
  settingsOf,
} from './site-generator.ts';
import { type PermalinkPage, permalinkOf } from './eleventy-permalinks.ts';
import { byComma, listOf, textOf } from './keys.ts';

const configs = [
  '.eleventy.js',
  '.eleventy.cjs',
  '.eleventy.mjs',
  'eleventy.config.js',
  'eleventy.config.mjs',
  'eleventy.config.cjs',
  'eleventy.config.ts',
];
/** Tags that only gather pages for templates. */
const gathering = new Set(['post', 'posts', 'page', 'pages', 'all', 'nav', 'article', 'articles', 'blog']);

export const eleventy: SiteGenerator = {
  name: 'eleventy',
  matches: ({ first, paths }) => first(...configs) !== undefined || paths.some((path) => /\.11ty(?:data)?\.\w+$/.test(path)),
  read,
};

async function read(folder: GeneratorFolder): Promise<GeneratorPlan> {
  const program = await textOrNone(folder, folder.first(...configs));
  const given =
    /\binput\s*:\s*['"`]([^'"`$]+)['"`]/.exec(program)?.[1] ??
    /setInputDirectory\(\s*['"`]([^'"`$]+)['"`]/.exec(program)?.[1] ??
    '';
  const input = withoutTrailing(given.replace(/^\.?\/?/, ''), '/');
  const root = input === '' ? '' : `${input}/`;
  const sitePath = globalPath(folder, root);
  const site = await readDataFile(folder, sitePath);
  const { address, base } = addressOf(site.url ?? mapOf(site.site).url);
  const folders = await folderData(folder);
  const dirs = new Set(folder.paths.map(folderOf));

  const programs = await permalinkPrograms(folder);

  const dataFor = (path: string): Data => {
    const above: Data[] = [];
    for (let dir = folderOf(path); ; dir = folderOf(dir)) {
      above.unshift(folders.get(dir) ?? {});
      if (dir === '') break;
    }
    const own = folders.get(path.replace(/\.[^.]+$/, '')) ?? {};
    return Object.assign({}, ...above, own, { tags: [...new Set([...above, own].flatMap(({ tags }) => listOf(tags)))] });
  };

  function role(path: string): FolderRole {
    const inner = path.startsWith(root) ? path.slice(root.length) : path;
    if (path === sitePath) return { kind: 'data' };
    if (isRepositoryFile(path) || configs.includes(path) || /(?:^|\/)_/.test(inner)) return { kind: 'theme' };
    if (/\.11tydata\.json$/.test(path) || folders.has(path.replace(/(?:\/[^/]+)?\.json$/, ''))) return { kind: 'data' };
    if (pageExtension.test(path) && path.startsWith(root)) {
      const name = nameOf(inner);
      const dated = datedName(name);
      const { place, slug } = placeOfPage(inner, /^index$/i);
      const isSurelyPage =
        name === 'index' || (dirs.has(path.replace(/\.[^.]+$/, '')) && !postFolders.has(inner.split('/')[0] as string));
      return {
        kind: 'page',
        type: isSurelyPage ? 'page' : 'auto',
        place,
        slug: dated?.rest ? slugify(dated.rest) : slug,
        ...(dated ? { date: dated.date } : {}),
      };
    }
    return isMedia(path) ? { kind: 'file', url: `/${inner.replace(/^public\//, '')}` } : { kind: 'theme' };
  }

  function permalinkPage({ path, role: { place }, data, title, date }: LocatedSource): PermalinkPage {
    const inner = path.slice(root.length).replace(/\.[^./]+$/, '');
    const last = withoutDate(place.slice(place.lastIndexOf('/') + 1));
    return { data, title, date, fileSlug: last, stem: `/${withoutDate(inner)}` };
  }

  function unknownLink(page: LocatedSource): string | undefined {
    const program = programs.find(({ prefix }) => page.path.startsWith(prefix));
    const own = permalinkIn(page.data);
    if (program && own === undefined) return `${program.path} is a program that may say it`;
    if (typeof own === 'string')
      return permalinkOf(own, permalinkPage(page)) === null ? `its permalink ${own.slice(0, 200)} is computed` : undefined;
    return own === undefined || own === null || own === false ? undefined : 'its permalink is no text';
  }

  return {
    settings: settingsOf({
      name: textOf(site.title) || textOf(site.name),
      description: textOf(site.description),
      language: localeOf(site.language ?? site.lang),
      timezone: readZone(site.timezone),
    }),
    address,
    base,
    zone: readZone(site.timezone),
    author: site.author,
    declarations: [],
    menus: [],
    remarks: [],
    templates: 'nunjucks',
    addressKey: 'permalink',
    isTag: (tag) => !gathering.has(tag.toLowerCase()),
    role,
    defaults: dataFor,
    typeOf: (data, page) => {
      const tags = listOf(data.tags).map(textOf);
      const steps = page.place.split('/').slice(0, -1);
      return tags.some((tag) => /^(?:posts?|blog|articles?)$/.test(tag)) || steps.some((step) => postFolders.has(step))
        ? 'post'
        : 'page';
    },
    link(page: LocatedSource): string {
      const permalink = permalinkIn(page.data);
      if (permalink === false || unknownLink(page) !== undefined) return '';
      if (typeof permalink === 'string') return permalinkOf(permalink, permalinkPage(page)) ?? '';
      const { path, role } = page;
      const shown = withoutDate(role.place);
      return shown === '' || path === '' ? '/' : `/${shown}/`;
    },
    unknownLink,
    split: byComma,
    menusOf: (path, data, title) => {
      const entry = mapOf(data.eleventyNavigation);
      const id = textOf(entry.key);
      if (id === '') return [];
      const parent = textOf(entry.parent);
      const weight = typeof entry.order === 'number' ? entry.order : 1_000_000;
      return [
        {
          menu: 'main',
          id,
          title: textOf(entry.title) || id || title,
          url: textOf(entry.url),
          page: path,
          weight,
          ...(parent === '' ? {} : { parent }),
        },
      ];
    },
  };
}

/** What front matter or data say of the address; computed data win. */
function permalinkIn(data: Data): unknown {
  const computed = mapOf(data.eleventyComputed).permalink;
  return computed === undefined ? data.permalink : computed;
}

/** A place without the date that its last name begins with, which is no part of addresses. */
function withoutDate(place: string): string {
  const last = place.slice(place.lastIndexOf('/') + 1);
  const rest = datedName(last)?.rest;
  return rest ? place.slice(0, place.length - last.length) + rest : place;
}

/** Data of folders written as programs that speak of permalinks: what they say is not known. */
async function permalinkPrograms(
  folder: GeneratorFolder,
): Promise<readonly { readonly path: string; readonly prefix: string }[]> {
  const found: { path: string; prefix: string }[] = [];
  for (const path of folder.paths) {
    const base = /^(.*)\.11tydata\.[cm]?js$/.exec(path)?.[1];
    if (base === undefined || !/\bpermalink\b/.test(await textOrNone(folder, path))) continue;
    const dir = folderOf(path);
    const ofFolder = base === (dir === '' ? base : `${dir}/${dir.slice(dir.lastIndexOf('/') + 1)}`);
    found.push({ path, prefix: ofFolder ? (dir === '' ? '' : `${dir}/`) : `${base}.` });
  }
  return found;
}

/** `_data/metadata.json` or `_data/site.json`. */
function globalPath({ first }: GeneratorFolder, root: string): string | undefined {
  const names = ['metadata', 'site', 'meta'].flatMap((name) =>
    ['json', 'yaml', 'yml'].map((extension) => `${name}.${extension}`),
  );
  return first(...names.map((name) => `${root}_data/${name}`));
}

/** Data of folders (`posts/posts.json`, `posts/posts.11tydata.json`) and of pages (`posts/a.11tydata.json`), by their path. */
async function folderData(folder: GeneratorFolder): Promise<ReadonlyMap<string, Data>> {
  const found = new Map<string, Data>();
  for (const path of folder.paths) {
    if (!path.endsWith('.json') || /(?:^|\/)_/.test(path)) continue;
    const base = path.replace(/(?:\.11tydata)?\.json$/, '');
    const dir = folderOf(path);
    const ofFolder = dir !== '' && base === `${dir}/${dir.slice(dir.lastIndexOf('/') + 1)}`;
    const ofPage = path.endsWith('.11tydata.json') || ['md', 'markdown'].some((extension) => folder.has(`${base}.${extension}`));
    const key = ofFolder ? dir : ofPage ? base : null;
    if (key !== null) found.set(key, { ...found.get(key), ...(await readDataFile(folder, path)) });
  }
  return found;
}
