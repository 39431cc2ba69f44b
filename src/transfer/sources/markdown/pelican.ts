/**
 * Pelican: `pelicanconf.py` (and `publishconf.py`), articles anywhere in its content folder, pages in `pages`. Settings are read as plain
 * values; a program is never run.
 * Source: the generator's documentation (4.11) on settings and on writing content.
 */
import { posix } from 'node:path';
import { datedName } from '../../../kernel/model/dated-paths.ts';
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import { decoded, slugify } from '../../../kernel/model/slugs.ts';
import type { ImportRemark } from '../../import/items.ts';
import { textOrNone } from './astro.ts';
import { readZone } from './dates.ts';
import type { Data } from './front-matter.ts';
import { folderOf, type GeneratorFolder, nameOf } from './folder.ts';
import { byComma, createReader, listOf, textOf, textsOf } from './keys.ts';
import { fill, toPermalink, unknownToken, unsupportedPermalink } from './permalinks.ts';
import { type PythonValues, readPythonValues } from './python-values.ts';
import {
  addressOf,
  type GeneratorPlan,
  isMedia,
  type LocatedSource,
  localeOf,
  type MenuEntry,
  pageExtension,
  type FolderRole,
  type SiteGenerator,
  settingsOf,
} from './site-generator.ts';

export const pelican: SiteGenerator = {
  name: 'pelican',
  matches: ({ first }) => first(...configs) !== undefined,
  read,
};

/** Later ones have the last word, as the second reads the first. */
const configs = ['pelicanconf.py', 'publishconf.py'] as const;
/** Settings that addresses and folders depend on. */
const essential = ['PATH', 'ARTICLE_PATHS', 'PAGE_PATHS', 'STATIC_PATHS', 'ARTICLE_URL', 'PAGE_URL', 'SLUGIFY_SOURCE', 'SITEURL'];
/** Parts of dates → tokens of `fill`. */
const dateParts: Readonly<Record<string, string>> = table({
  '%Y': ':year',
  '%y': ':short_year',
  '%m': ':month',
  '%-m': ':i_month',
  '%b': ':short_month',
  '%B': ':long_month',
  '%d': ':day',
  '%-d': ':i_day',
  '%j': ':y_day',
  '%H': ':hour',
  '%M': ':minute',
  '%S': ':second',
});

async function read(folder: GeneratorFolder): Promise<GeneratorPlan> {
  const config = new Map<string, unknown>();
  const computed = new Set<string>();
  for (const path of configs) {
    const found: PythonValues = readPythonValues(await textOrNone(folder, folder.first(path)));
    for (const [name, value] of found.values) config.set(name, value);
    for (const name of found.computed) computed.add(name);
  }
  const has = (name: string): boolean => config.has(name);
  const say = (name: string, usual: string): string => (typeof config.get(name) === 'string' ? String(config.get(name)) : usual);
  const folders = (name: string, usual: readonly string[]): readonly string[] =>
    (has(name)
      ? textsOf(config.get(name), (text) => [text]).concat(listOf(config.get(name)).includes('') ? [''] : [])
      : usual
    ).map(cleanFolder);

  const isUsual = folder.paths.some((path) => path.startsWith('content/'));
  const inside = cleanFolder(say('PATH', isUsual ? 'content' : ''));
  const prefix = inside === '' ? '' : `${inside}/`;
  const articles = folders('ARTICLE_PATHS', ['']);
  const pages = folders('PAGE_PATHS', ['pages']);
  const statics = folders('STATIC_PATHS', ['images']);
  const left = { post: folders('ARTICLE_EXCLUDES', []), page: folders('PAGE_EXCLUDES', []) };
  const output = cleanFolder(say('OUTPUT_PATH', 'output'));
  const paths = new Map(
    Object.entries(mapOf(config.get('EXTRA_PATH_METADATA'))).map(([path, said]) => [path, textOf(mapOf(said).path)]),
  );
  const byFile =
    say('SLUGIFY_SOURCE', 'title') === 'basename' ||
    ['FILENAME_METADATA', 'PATH_METADATA'].some((name) => say(name, '').includes('(?P<slug>'));
  const language = say('DEFAULT_LANG', 'en');
  const { address, base } = addressOf(config.get('SITEURL'));
  const usual = withoutNames(say('ARTICLE_URL', '{slug}.html'));

  function role(whole: string): FolderRole {
    if ((configs as readonly string[]).includes(whole)) return { kind: 'data' };
    if (!whole.startsWith(prefix) || (prefix === '' && isIn(whole, output))) return { kind: 'theme' };
    const path = whole.slice(prefix.length);
    const isPage = pageExtension.test(path);
    const place = paths.get(path);
    if (!isPage || place !== undefined) {
      if (!isMedia(path)) return { kind: 'theme' };
      return { kind: 'file', url: place !== undefined ? `/${place}` : statics.some((one) => isIn(path, one)) ? `/${path}` : '' };
    }
    const above = pages.filter((one) => isIn(path, one)).sort((a, b) => b.length - a.length)[0];
    const dated = datedName(nameOf(path));
    const slug = byFile ? slugify(dated?.rest || nameOf(path)) : '';
    if (above !== undefined && !left.page.some((one) => isIn(path, one)))
      return {
        kind: 'page',
        type: 'page',
        slug,
        place: path.slice(above === '' ? 0 : above.length + 1).replace(/\.[^.]+$/, ''),
      };
    if (!articles.some((one) => isIn(path, one)) || left.post.some((one) => isIn(path, one))) return { kind: 'theme' };
    return { kind: 'page', type: 'post', slug, place: '', ...(dated ? { date: dated.date } : {}) };
  }

  /** What front matter says where it says nothing. */
  function defaults(whole: string, { type }: { readonly type: string }): Data {
    const path = whole.slice(prefix.length);
    const given = config.get('DEFAULT_METADATA');
    const said = isMap(given) ? given : Object.fromEntries(listOf(given).map((row) => [textOf(listOf(row)[0]), listOf(row)[1]]));
    const within = folderOf(path);
    const category =
      config.get('USE_FOLDER_AS_CATEGORY') !== false && within !== ''
        ? within.split('/').at(-1)
        : say('DEFAULT_CATEGORY', 'misc');
    const parts = listOf(config.get('DEFAULT_DATE')).map(Number);
    const date = parts.length > 2 && parts.every(Number.isInteger) ? { date: dateOf(parts) } : {};
    return { ...said, ...(type === 'post' ? { ...date, category: said.category ?? category } : {}) };
  }

  /** Language of a page that is not in that of the site; '' for none. */
  function otherLanguage(data: Data): string {
    const lang = textOf(createReader(data).takeKey('lang'));
    return lang.toLowerCase() === language.toLowerCase() ? '' : lang;
  }

  /** The pattern of a page's address with what only its front matter says. */
  function patternOf({ type, data, slug, categories }: LocatedSource): string {
    const reader = createReader(data);
    const own = reader.takeKey('url') ?? reader.takeKey('save_as');
    const lang = otherLanguage(data);
    const name = type === 'page' ? 'PAGE' : 'ARTICLE';
    const plain = type === 'page' ? say('PAGE_URL', 'pages/{slug}.html') : say('ARTICLE_URL', '{slug}.html');
    const other = type === 'page' ? 'pages/{slug}-{lang}.html' : '{slug}-{lang}.html';
    const pattern = textOf(own) || (lang !== '' ? say(`${name}_LANG_URL`, other) : plain);
    const author = textOf(listOf(reader.take('author')?.value)[0]) || say('AUTHOR', '');
    const values: Data = { ...Object.fromEntries(Object.entries(data).map(([key, value]) => [key.toLowerCase(), value])), slug };
    return withoutNames(pattern).replace(/\{(\w+)\}/g, (all, key: string) => {
      if (key === 'lang') return lang || language;
      if (key === 'author') return slugify(author);
      if (key === 'category') return slugify(categories[0] ?? '');
      return Object.hasOwn(values, key) ? slugify(textOf(values[key])) : all;
    });
  }

  function link(page: LocatedSource): string {
    const { title, slug, date, categories } = page;
    const pattern = patternOf(page);
    if (/[{}]/.test(pattern)) return '';
    return fill(`/${pattern}`, { title, slug, name: slug, date, categories, section: '' }).replace(/\/index\.html$/, '/');
  }

  const own = toPermalink(usual.replace(/\.html$/, ''));
  const permalink = own !== null && /\{(?!(?:slug|year|month|day|category|author)\})/.test(own) ? null : own;
  return {
    settings: settingsOf({
      name: say('SITENAME', ''),
      description: say('SITESUBTITLE', ''),
      language: localeOf(language),
      timezone: readZone(config.get('TIMEZONE')),
      permalink,
      posts_per_page: typeof config.get('DEFAULT_PAGINATION') === 'number' ? config.get('DEFAULT_PAGINATION') : undefined,
    }),
    address,
    base,
    zone: readZone(config.get('TIMEZONE')),
    author: say('AUTHOR', '') || undefined,
    declarations: [],
    menus: menusOf(config.get('MENUITEMS')),
    remarks: [
      ...(permalink === null ? [unsupportedPermalink(say('ARTICLE_URL', ''))] : []),
      ...essential.filter((name) => computed.has(name)).map(computedRemark),
    ],
    templates: 'none',
    addressKey: 'url',
    role,
    defaults,
    link,
    unknownLink(page) {
      const pattern = patternOf(page);
      const token = /\{[^{}]*\}?/.exec(pattern)?.[0] ?? unknownToken(pattern);
      return token && `its pattern has ${token}`;
    },
    unbuilt: ({ type, date }) =>
      type === 'post' && date === '' && config.get('DEFAULT_DATE') !== 'fs'
        ? 'It has no date, so it was not published; imported as a draft.'
        : undefined,
    split: byComma,
    slugOf({ slug, data }) {
      const lang = slugify(otherLanguage(data));
      return lang === '' ? slug : `${slug}-${lang}`;
    },
    readLink: (target) => linkOf(target, prefix),
  };
}

/** `./content/` as `content`. */
function cleanFolder(path: string): string {
  const clean = posix.normalize(path.trim()).replace(/^(?:\.\.?(?:\/|$)|\/)+|\/+$/g, '');
  return clean === '.' ? '' : clean;
}

function isIn(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** `{date:%Y}` as `:year`; what is not known of it stays. */
function withoutNames(pattern: string): string {
  return pattern.replace(/^\//, '').replace(/\{date:([^{}]*)\}/g, (all, format: string) => {
    const named = format.replace(/%-?[a-zA-Z]/g, (part) => dateParts[part] ?? '\0');
    return named.includes('\0') ? all : named;
  });
}

function dateOf([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: readonly number[]): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
}

/** `{filename}../a.md`, `{static}/images/b.png`, `|filename|c.md`: from the top of the content folder, or from the file itself. */
function linkOf(target: string, prefix: string): { readonly path: string } | { readonly url: string } | undefined {
  const [, kind = '', path = ''] =
    /^(?:\{|%7B|\||%7C)(filename|static|attach|photo|index|tag|category|author)(?:\}|%7D|\||%7C)(.*)$/is.exec(target) ?? [];
  if (kind === '') return undefined;
  const word = kind.toLowerCase();
  if (word === 'index') return { url: '/' };
  if (['tag', 'category', 'author'].includes(word)) return { url: `/${word}/${slugify(decoded(path))}/` };
  return { path: path.startsWith('/') ? `/${prefix}${path.slice(1)}` : path };
}

/** `MENUITEMS`: pairs of title and address. */
function menusOf(raw: unknown): MenuEntry[] {
  return listOf(raw).flatMap((row, weight): MenuEntry[] => {
    const [title = '', url = ''] = listOf(row).map(textOf);
    return title === '' || url === '' ? [] : [{ menu: 'main', id: String(weight), title, url, weight }];
  });
}

function computedRemark(name: string): ImportRemark {
  return {
    severity: 'changed',
    rule: 'computed-setting',
    message: `${name} is computed in the configuration, which is not run; its default counts.`,
    hint: 'write it as a plain value, then import again',
  };
}
