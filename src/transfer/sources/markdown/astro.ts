/**
 * Astro: collections below `src/content`, pages below `src/pages`, files below `public`. The configuration is a program: it is
 * searched for the address of the site and never run. Source: the framework's documentation (5.x).
 */
import { datedName } from '../../../kernel/model/dated-paths.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { GeneratorFolder } from './folder.ts';
import { nameOf } from './folder.ts';
import {
  addressOf,
  declaredType,
  type SiteGenerator,
  isMedia,
  type LocatedSource,
  pageExtension,
  placeOfPage,
  type GeneratorPlan,
  postFolders,
  type FolderRole,
  settingsOf,
  typeName,
} from './site-generator.ts';
import { byComma, textOf } from './keys.ts';

const configs = ['mjs', 'ts', 'js', 'mts', 'cjs'].map((extension) => `astro.config.${extension}`);

export const astro: SiteGenerator = {
  name: 'astro',
  matches: ({ first, paths }) => first(...configs) !== undefined || paths.some((path) => path.startsWith('src/content/')),
  read,
};

async function read(folder: GeneratorFolder): Promise<GeneratorPlan> {
  const program = await textOrNone(folder, folder.first(...configs));
  const { address, base } = addressOf(/\bsite\s*:\s*['"`]([^'"`$]+)['"`]/.exec(program)?.[1]);
  const named = /\bbase\s*:\s*['"`]([^'"`$]+)['"`]/.exec(program)?.[1];
  const below = named && withoutTrailing(named.replace(/^\//, ''), '/');
  const constants = await textOrNone(folder, folder.first('src/consts.ts', 'src/consts.js', 'src/config.ts'));
  const constant = (name: string): string =>
    new RegExp(`\\b${name}\\b\\s*[:=]\\s*(['"\`])([^'"\`$\\n]*)\\1`).exec(constants)?.[2] ?? '';
  const collections = new Set(folder.paths.flatMap((path) => /^src\/(?:content|data)\/([^/]+)\/.*\.mdx?$/.exec(path)?.[1] ?? []));
  const types = [...collections].filter((name) => !postFolders.has(name) && name !== 'pages');

  function role(path: string): FolderRole {
    const [, below] = /^src\/(?:content|data|pages)\/(.+)$/.exec(path) ?? [];
    const isPage = pageExtension.test(path);
    if (below !== undefined && isPage && /(?:^|\/)_/.test(below)) {
      // What begins with `_` is not built: it is read as if it had another name, and held back.
      const plain = role(path.slice(0, -below.length) + below.replace(/(^|\/)_+/g, '$1'));
      return plain.kind === 'page' ? { ...plain, status: 'draft', why: 'Its name begins with _; imported as a draft.' } : plain;
    }
    const inCollection = /^src\/(?:content|data)\/([^/]+)\/(.+)$/.exec(path);
    if (inCollection && isPage) {
      const [, collection = '', inner = ''] = inCollection;
      if (collection === 'pages') return { kind: 'page', type: 'page', ...placeOfPage(inner) };
      const { place, slug } = placeOfPage(inner, /^index$/i);
      const dated = datedName(place.slice(place.lastIndexOf('/') + 1));
      return {
        kind: 'page',
        type: postFolders.has(collection) ? 'post' : typeName(collection),
        slug,
        place: '',
        ...(dated ? { date: dated.date } : {}),
      };
    }
    if (path.startsWith('src/pages/') && isPage) {
      const inner = path.slice('src/pages/'.length);
      if (inner.includes('[')) return { kind: 'theme' };
      const section = inner.includes('/') ? (inner.split('/')[0] as string) : '';
      if (postFolders.has(section) && !/^index\./.test(inner.slice(section.length + 1)))
        return { kind: 'page', type: 'post', slug: slugify(nameOf(inner)), place: '' };
      return { kind: 'page', type: 'page', ...placeOfPage(inner, /^index$/i) };
    }
    if (!isMedia(path)) return { kind: 'theme' };
    if (path.startsWith('public/')) return { kind: 'file', url: path.slice('public'.length) };
    return path.startsWith('src/') ? { kind: 'file', url: '' } : { kind: 'theme' };
  }

  function link({ path, role: { place, status }, type, data }: LocatedSource): string {
    if (status === 'draft') return '';
    const inPages = /^src\/pages\/(.+)$/.exec(path)?.[1];
    if (inPages !== undefined)
      return `/${inPages.replace(pageExtension, '').replace(/(?:^|\/)index$/, '')}/`.replace(/\/{2,}/g, '/');
    const [, collection = '', inner = ''] = /^src\/(?:content|data)\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (type === 'page') return place === '' ? '/' : `/${place}/`;
    const slug =
      textOf(data.slug) ||
      inner
        .replace(pageExtension, '')
        .replace(/\/index$/, '')
        .split('/')
        .map((step) => slugify(step))
        .join('/');
    return `/${collection}/${slug}/`;
  }

  return {
    settings: settingsOf({
      name: constant('SITE_TITLE') || constant('title'),
      description: constant('SITE_DESCRIPTION') || constant('desc'),
    }),
    address,
    base: base + (below ? `/${below}` : ''),
    zone: null,
    declarations: types.map((name) => declaredType(typeName(name), name, `src/content/${name}`)),
    menus: [],
    remarks: [],
    templates: 'mdx',
    role,
    defaults: () => ({}),
    drafts: ['_*'],
    link,
    split: byComma,
  };
}

/** A program's text; it is only looked through. */
export async function textOrNone(folder: GeneratorFolder, path: string | undefined): Promise<string> {
  return path === undefined ? '' : (await folder.text(path).catch(() => '')).slice(0, 200_000);
}
