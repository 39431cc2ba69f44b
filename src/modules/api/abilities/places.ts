/**
 * What abilities name: an item by its number, its file or its address, and the request that shows whether the caller may have its file.
 */
import { fail } from '../../../kernel/errors.ts';
import { logicalPath } from '../../../kernel/model/logical-path.ts';
import type { Schemas } from '../../../kernel/model/schema.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { postAt, redirectAt, termAtUrl } from '../../content/permalinks/index.ts';
import type { PostType, Taxonomy } from '../../types/record.ts';
import { ask, wrongInput } from './inner.ts';
import { text, typed } from './record.ts';

export interface Named {
  readonly id?: number;
  readonly type?: string;
  readonly path?: string;
  readonly url?: string;
}

export interface AbilityPlace {
  /** File below the content folder. */
  readonly path: string;
  /** Absent: a file that is no item, such as `site.yaml`. */
  readonly item?: { readonly id: number; readonly type: string; readonly route: string; readonly isPost: boolean };
  /** The address that was asked for, where it redirects to that of the item. */
  readonly from?: string;
}

/** Content that is in no row of the table of paths. */
const settingsFiles = ['site.yaml', 'redirects.yaml'];

/** How an item is named: one of `id`, `path` and `url`. */
export const named: Schemas = {
  id: typed('integer', 'The number of an item.', { minimum: 1 }),
  type: text('With `id`: a taxonomy, for a term. Posts, pages and media need none.'),
  path: text('File of the content folder, such as `posts/hello.md`.', { maxLength: 1000 }),
  url: text('Address of an item on the site, or its path: `/hello/`. Redirects within the site are followed.', {
    maxLength: 2000,
  }),
};

/** @throws RestError ability_invalid_input, rest_post_invalid_id */
export function placeOf(call: Pick<Call, 'site'>, { id, type, path, url }: Named): AbilityPlace {
  const { site } = call;
  const given = [id, path, url].filter((one) => one !== undefined);
  if (given.length !== 1) wrongInput('Name one thing, by `id`, `path` or `url`.');
  if (path !== undefined) return atPath(site, path);
  if (url !== undefined) return atUrl(site, url);
  const taxonomy = site.taxonomies.get(type ?? '');
  const found = taxonomy ? site.terms.get(id as number) : site.posts.get(id as number);
  if (!found || (taxonomy && 'taxonomy' in found && found.taxonomy !== taxonomy.name)) return fail('rest_post_invalid_id');
  return placed(site, found);
}

/** Makes sure that the caller may have the file as it is. @returns its state. @throws RestError */
export async function mayHaveFile(call: Call, { item }: AbilityPlace): Promise<string | undefined> {
  if (item) return (await ask(call, 'GET', item.route, { query: { context: 'edit', _fields: 'id' } })).state;
  if (!call.can('manage_options')) fail('rest_forbidden');
  return undefined;
}

export function typeNamed({ types }: Pick<Site, 'types'>, name: string): PostType {
  const type = types.get(name);
  return type?.showInRest ? type : wrongInput(`There is no type "${name}": cms/describe lists them.`);
}

export function taxonomyNamed({ taxonomies }: Pick<Site, 'taxonomies'>, name: string): Taxonomy {
  const taxonomy = taxonomies.get(name);
  return taxonomy?.showInRest ? taxonomy : wrongInput(`There is no taxonomy "${name}": cms/describe lists them.`);
}

export const language = text('Code of a language, on sites with several; the default one otherwise. cms/describe lists them.');

/** @throws RestError ability_invalid_input */
export function inLanguage(
  { languages }: Pick<Site, 'languages'>,
  code: string | undefined,
): { readonly lang_language?: string } {
  if (code === undefined) return {};
  return languages?.codes.includes(code)
    ? { lang_language: code }
    : wrongInput(`There is no language "${code}": cms/describe lists them.`);
}

export const routeOf = ({ restNamespace, restBase }: Pick<PostType, 'restNamespace' | 'restBase'>): string =>
  `/${restNamespace}/${restBase}`;

type Found = NonNullable<ReturnType<Site['posts']['get']> | ReturnType<Site['terms']['get']>>;

function placed(site: Site, found: Found): AbilityPlace {
  const isPost = 'type' in found;
  const of = isPost ? site.types.get(found.type) : site.taxonomies.get(found.taxonomy);
  if (!of?.showInRest || found.path === '') return fail('rest_post_invalid_id');
  return { path: found.path, item: { id: found.id, type: of.name, route: `${routeOf(of)}/${found.id}`, isPost } };
}

function atPath(site: Site, path: string): AbilityPlace {
  const row = site.paths.find(path);
  // The items of a menu are in its file, and it is the menu that is meant.
  const posts = row?.kind === 'menu' ? [] : site.posts.with('place', logicalPath(path));
  for (const id of posts) {
    const post = site.posts.get(id);
    if (post?.path === path) return placed(site, post);
  }
  const term = row?.kind === 'post' ? undefined : [...site.terms.all()].find((one) => one.path === path);
  if (term) return placed(site, term);
  // Nothing but content is read: no path leads out of the folder, or into what the server keeps for itself.
  return (row || settingsFiles.includes(path)) && site.store.knows(path)
    ? { path }
    : fail('rest_post_invalid_id', {}, `There is no content file ${path}.`);
}

/** Redirects in a row that are followed. */
const mostRedirects = 10;

function atUrl(site: Site, url: string): AbilityPlace {
  const whole = url.startsWith('/') ? `${site.url}${url}` : url;
  let at = whole;
  for (let count = 0; count <= mostRedirects; count++) {
    const found = postAt(site, at) ?? termAtUrl(site, at);
    if (found) return { ...placed(site, found), ...(count === 0 ? {} : { from: url }) };
    const to = redirectAt(site, at);
    if (to === '') return fail('rest_post_invalid_id', {}, `${url} is gone (410).`);
    if (to === undefined) break;
    at = to;
  }
  // Whatever another site has at the end of it is not read.
  const where = at === whole ? `There is no item at ${url}.` : `${url} redirects to ${at}, where this site has no item.`;
  return fail('rest_post_invalid_id', {}, where);
}
