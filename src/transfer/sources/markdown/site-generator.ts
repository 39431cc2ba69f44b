/**
 * What one kind of site says of its folder: which file is what, where it was on the web, and which settings there are. The rest
 * of the importer knows no kind of site by name.
 */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { mimeOf } from '../../../modules/media/files/types.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import type { DeclarationItem, SourceItem, PostItem, ImportRemark } from '../../import/items.ts';
import { type Data, readData, Unreadable } from './front-matter.ts';
import { folderOf, type GeneratorFolder, nameOf } from './folder.ts';
import { textOf } from './keys.ts';

export interface SiteGenerator {
  readonly name: string;
  matches(folder: GeneratorFolder): boolean;
  /** Reads the configuration; what of it cannot be read is in `folder.unreadable`. */
  read(folder: GeneratorFolder): Promise<GeneratorPlan>;
}

/** What a file is. */
export type FolderRole =
  | PageRole
  /** A file that visitors fetch: `url` is its address without the base, '' when it has none of its own. */
  | { readonly kind: 'file'; readonly url: string }
  /** Belongs to the generator or the repository: not content. */
  | { readonly kind: 'theme' }
  /** A description of a term. */
  | { readonly kind: 'term'; readonly taxonomy: string; readonly name: string }
  /** Was read with the configuration. */
  | { readonly kind: 'data' };

export interface PageRole {
  readonly kind: 'page';
  /** `auto`: the front matter decides, by `typeOf` of the plan. */
  readonly type: string;
  /** By its name; front matter may say otherwise. */
  readonly slug: string;
  /** Place among the pages, `docs/install`; '' for the front page. The page above is the one whose place is its folder. */
  readonly place: string;
  /** From the file name, `2026-03-05`. */
  readonly date?: string;
  readonly status?: string;
  /** Why it is a draft, where that is more than its folder's name. */
  readonly why?: string;
  /** From its folders. */
  readonly categories?: readonly string[];
  /** Without front matter it is no page but a plain file. */
  readonly needsFront?: boolean;
}

/** A page of which all is known that an address is made of. */
export interface LocatedSource {
  readonly path: string;
  readonly role: PageRole;
  readonly type: string;
  readonly slug: string;
  readonly title: string;
  readonly data: Data;
  /** Site time, '' for none. */
  readonly date: string;
  readonly categories: readonly string[];
}

export interface MenuEntry {
  readonly menu: string;
  /** Name by which others stand below it. */
  readonly id: string;
  readonly title: string;
  /** Address or path of a page; '' for a page given by `page`. */
  readonly url: string;
  /** Path of the page's file. */
  readonly page?: string;
  readonly parent?: string;
  /** Sorts the entries of a menu; the same: as they come. */
  readonly weight: number;
}

export interface GeneratorPlan {
  /** Keys of `site.yaml`. */
  readonly settings: Data;
  /** Keys of `site.yaml` that may be of modules. */
  readonly extra?: Data;
  /** `https://example.com` without a slash; '' when unknown. */
  readonly address: string;
  /** Path the site is below, `/blog`; '' for none. */
  readonly base: string;
  readonly zone: string | null;
  /** Author of what names none: text or map as front matter has it. */
  readonly author?: unknown;
  /** What the site knows of its authors, by key. */
  readonly authors?: Data;
  /** Text between lead and rest, where it is not the usual mark. */
  readonly excerptMark?: string;
  readonly declarations: readonly DeclarationItem[];
  /** Front-matter key → taxonomy, for those besides categories and tags. */
  readonly taxonomies?: Readonly<Record<string, string>>;
  readonly menus: readonly MenuEntry[];
  readonly remarks: readonly ImportRemark[];
  /** How bodies are written besides Markdown. */
  readonly templates: 'liquid' | 'hugo' | 'mdx' | 'nunjucks' | 'wiki' | 'none';
  role(path: string): FolderRole;
  /** Front matter that folders and configuration give a file; its own wins. */
  defaults(path: string, role: PageRole): Data;
  /** Type of a page whose role says `auto`. */
  typeOf?(data: Data, role: PageRole): string;
  /** Address a page had, below the base: `/2026/03/hello/`; '' for none. */
  link(page: LocatedSource): string;
  /** Why the address of a page is not known, where `link` gives none for that. */
  unknownLink?(page: LocatedSource): string | undefined;
  /** Why a page is not built, where its front matter decides; it becomes a draft. */
  unbuilt?(page: LocatedSource): string | undefined;
  /** What a link in the generator's own notation means: a path from the page or from the top, or an address here; undefined: as it is written. */
  readLink?(target: string): { readonly path: string } | { readonly url: string } | undefined;
  /** The slug of a page that shares the one it says with pages in other languages. */
  slugOf?(page: LocatedSource): string;
  /** Beginnings of the names of files and folders that hold what is not published: `_*`. */
  readonly drafts?: readonly string[];
  /** Front-matter key that says the whole address of a page. */
  readonly addressKey?: string;
  /** False for tags that only steer the generator. */
  isTag?(tag: string): boolean;
  /** What a folder with files of its terms and people means by the name of one: its slug; undefined where nothing is called so. */
  named?(kind: string, ref: string | number): string | undefined;
  /** Cuts a text of several tags or categories. */
  split(text: string, key: string): readonly string[];
  /** Path of a page's picture where its front matter names none. */
  pictureOf?(path: string, data: Data): string | undefined;
  /** An attachment with what the folder says of it. */
  complete?(attachment: PostItem): PostItem;
  /** What the folder holds besides pages and files; the same in every run. */
  items?(): AsyncIterable<SourceItem>;
  /** Entries of menus that a page's front matter makes. */
  menusOf?(path: string, data: Data, title: string): readonly MenuEntry[];
}

export const pageExtension = /\.(?:md|markdown|mdown|mkdn?|mkd|mdx)$/i;
export const htmlExtension = /\.html?$/i;
/** Folders and file names that hold posts in most sites. */
export const postFolders: ReadonlySet<string> = new Set([
  'post',
  'posts',
  '_posts',
  'blog',
  'blogs',
  'article',
  'articles',
  'news',
  'journal',
  'writing',
]);
const repositoryFiles =
  /^(?:readme|license|licence|changelog|contributing|code_of_conduct|security|agents|authors|todo|copying)(?:\.\w+)?$/i;
/** Names of files that say something to machines. */
const machineFiles =
  /^(?:(?:robots|humans|ads|security|requirements|cname)\.txt|(?:package|package-lock|composer|tsconfig|manifest)\.json)$/i;
const codeTypes = new Set(['text/css', 'application/java', 'text/richtext']);
const sourceCode = /\.(?:c|cc|h|asc)$/i;

/** Whether visitors fetch such a file: pictures, sounds, documents; not style sheets and code. */
export function isMedia(path: string): boolean {
  const mime = mimeOf(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return mime !== null && !codeTypes.has(mime) && !sourceCode.test(name) && !machineFiles.test(name);
}

export function isRepositoryFile(path: string): boolean {
  return !path.includes('/') && (repositoryFiles.test(path) || machineFiles.test(path));
}

/** A file of configuration or data; {} when there is none, or it cannot be read, which is then in `folder.unreadable`. */
export async function readDataFile(folder: GeneratorFolder, path: string | undefined): Promise<Data> {
  if (path === undefined) return {};
  try {
    return readData(path, await folder.text(path));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    folder.unreadable.set(path, error);
    return {};
  }
}

/** `https://example.com/blog/` in its parts; a text without a host is only a path. */
export function addressOf(raw: unknown): { readonly address: string; readonly base: string } {
  const found = /^(https?:\/\/[^/?#\s]+)(\/[^?#\s]*)?$/i.exec(textOf(raw));
  return { address: found?.[1] ?? '', base: withoutTrailing(found?.[2] ?? '', '/') };
}

/** `de`, `en-us` and `en_GB` as locales; '' when it is none. */
export function localeOf(raw: unknown): string {
  try {
    const { language, region } = new Intl.Locale(textOf(raw).replace('_', '-')).maximize();
    return region === undefined ? language : `${language}_${region}`;
  } catch {
    return '';
  }
}

/** Settings that say something. */
export function settingsOf(all: Readonly<Record<string, unknown>>): Data {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '' && value !== undefined && value !== null));
}

/** Name of a type or taxonomy out of any name; `taken` are words that mean something else. */
export function typeName(raw: string): string {
  const slug = slugify(raw).replace(/[^a-z0-9_-]/g, '');
  const name = withoutTrailing(slug.slice(0, 20), '-');
  return name === '' ? 'items' : reservedNames.has(name) ? `${name.slice(0, 15)}-item` : name;
}

const reservedNames = new Set(
  'terms users media menus comments revisions blocks navigation category tag post_tag author feed search fonts styles'.split(' '),
);

export function declaredType(name: string, label: string, path: string): DeclarationItem {
  const plural = titleOf(label);
  const declaration = {
    plural,
    singular: plural.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''),
    supports: supported,
    taxonomies: ['category', 'post_tag'],
  };
  return { kind: 'type', name, declaration, place: { source: path } };
}

const supported = 'title editor author thumbnail excerpt revisions custom-fields page-attributes'.split(' ');

/** `getting-started` as people write it: `Getting started`. */
export function titleOf(name: string): string {
  const words = name.replace(/[-_]+/g, ' ').trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Place of a page among the pages by its path: `index` files stand for their folder. */
export function placeOfPage(
  path: string,
  indexNames = /^(?:_?index|readme)$/i,
): { readonly place: string; readonly slug: string } {
  const folder = folderOf(path);
  const name = nameOf(path);
  const place = indexNames.test(name) ? folder : folder === '' ? name : `${folder}/${name}`;
  return { place, slug: slugify(place.slice(place.lastIndexOf('/') + 1)) || 'home' };
}
