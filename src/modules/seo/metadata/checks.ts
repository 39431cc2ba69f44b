/**
 * What is likely wrong with the search metadata of a folder, whether a site is open or not: titles that are empty or doubled, descriptions
 * that are cut, canonicals that lead nowhere, pictures that are missing or too large, and pages of a menu that nobody can find.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { logicalPath, slugOfPath } from '../../../kernel/model/logical-path.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { didYouMean } from '../../../kernel/model/remark.ts';
import { propertiesOf, type Schema } from '../../../kernel/model/schema.ts';
import { nearest } from '../../../kernel/model/spelling.ts';
import type { Check, CheckFinding } from '../../../kernel/module.ts';
import type { Batch, Entry } from '../../../kernel/store/types.ts';
import { isAddress } from './option-table.ts';
import { seoSetting } from './options.ts';
import { userValueTable, valueTable } from './values.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { statusStated } from '../../content/posts/index.ts';
import { standardStatuses } from '../../types/index.ts';
import { isPublic } from '../../types/record.ts';

type Content = Pick<Batch, 'entries' | 'blobs'>;
type Keys = readonly (string | number)[];

/** Characters that search engines show of a description. */
const shownDescription = 160;
/** Networks pass over larger pictures. */
const maxPictureBytes = 2 * 1024 * 1024;

export const seoChecks: readonly Check[] = [
  { rule: 'seo-key', severity: 'warning', run: unknownKeys },
  { rule: 'seo-title', severity: 'warning', run: titles },
  { rule: 'seo-description', severity: 'warning', run: descriptions },
  { rule: 'seo-canonical', severity: 'warning', run: canonicals },
  { rule: 'seo-picture', severity: 'warning', run: pictures },
  { rule: 'seo-noindex', severity: 'warning', run: hiddenInMenus },
];

const valuesOf = ({ data }: Entry): Readonly<Record<string, unknown>> => mapOf(data.seo);
const hasPage = ({ path }: Entry): boolean => /^(?:posts|pages)\//.test(path);
const isShown = ({ data }: Entry): boolean => isPublic(standardStatuses, statusStated(data, standardStatuses));

/** What nobody reads: slips of those who write by hand. */
function* unknownKeys({ entries }: Content): Iterable<CheckFinding> {
  for (const entry of entries) {
    const found =
      entry.path === 'site.yaml'
        ? strangeKeys(seoSetting.schema, entry.data.seo)
        : Object.keys(valuesOf(entry)).flatMap((key) => {
            const known = keysOf(entry.path.startsWith('users/') ? userValueTable : valueTable);
            return known.includes(key) ? [] : [{ keys: [key], known }];
          });
    for (const { keys, known } of found) {
      const message = `nothing is called ${JSON.stringify(keys.at(-1))} ${keys.length === 1 ? 'in seo' : `in seo.${keys.slice(0, -1).join('.')}`}`;
      yield {
        path: entry.path,
        keys: ['seo', ...keys],
        message,
        hint: didYouMean(nearest(String(keys.at(-1)), known), known.join(', ')),
      };
    }
  }
}

const keysOf = (table: Readonly<Record<string, { readonly key: string }>>): readonly string[] =>
  Object.values(table).map(({ key }) => key);

/** Keys of a map, at any depth, that its schema has not; `known`: those that it has there. */
function strangeKeys(schema: Schema, value: unknown): readonly { readonly keys: Keys; readonly known: readonly string[] }[] {
  const properties = propertiesOf(schema);
  const { additionalProperties: others } = schema;
  const known = Object.keys(properties);
  if (known.length === 0 && typeof others !== 'object') return [];
  return Object.entries(mapOf(value)).flatMap(([key, inner]) => {
    const form = properties[key] ?? (typeof others === 'object' ? others : undefined);
    if (form === undefined) return [{ keys: [key], known }];
    return strangeKeys(form, inner).map((one) => ({ ...one, keys: [key, ...one.keys] }));
  });
}

/** Of items that everybody sees: none, or that of another one in the same language. */
function* titles({ entries }: Content): Iterable<CheckFinding> {
  const first = new Map<string, string>();
  for (const entry of entries.filter((one) => hasPage(one) && isShown(one))) {
    const { title: own } = valuesOf(entry);
    const keys: Keys = own === undefined ? ['title'] : ['seo', 'title'];
    const title = String(own ?? entry.data.title ?? '').trim();
    if (title === '' && String(entry.data.title ?? '').trim() === '') {
      yield {
        path: entry.path,
        message: 'a page without a title is found by the name of the site alone',
        hint: 'give it a title',
      };
      continue;
    }
    // Variables can make different titles of one template.
    if (title === '' || title.includes('%%')) continue;
    const key = `${languageOf(entry)} ${title.toLowerCase()}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, entry.path);
    else yield { path: entry.path, keys, message: `${other} has the same title`, hint: 'say what tells the two apart' };
  }
}

/** What a file says of its language, or its name. */
function languageOf({ path, data }: Entry): string {
  return typeof data.lang === 'string' ? data.lang : (/\.([a-z]{2,3}(?:-[a-z0-9]+)?)\.[^./]+$/.exec(path)?.[1] ?? '');
}

function* descriptions({ entries }: Content): Iterable<CheckFinding> {
  for (const entry of entries) {
    const { description } = valuesOf(entry);
    if (typeof description !== 'string' || description.includes('%%')) continue;
    const { length } = [...description.trim()];
    if (length > shownDescription && entry.path !== 'site.yaml')
      yield {
        path: entry.path,
        keys: ['seo', 'description'],
        message: `the description has ${length} characters; search engines cut it after about ${shownDescription}`,
      };
  }
}

/** Those of the site itself that no file has; those elsewhere are not asked for. */
function* canonicals({ entries }: Content): Iterable<CheckFinding> {
  const settings = entries.find(({ path }) => path === 'site.yaml')?.data ?? {};
  const homes = [settings.url, settings.home].flatMap((one) => (typeof one === 'string' && isUrl(one) ? new URL(one) : []));
  const slugs = new Set(entries.flatMap(slugsOf));
  for (const entry of entries) {
    const { canonical } = valuesOf(entry);
    if (typeof canonical !== 'string' || canonical === '') continue;
    const finding = (message: string, hint: string): CheckFinding => ({
      path: entry.path,
      keys: ['seo', 'canonical'],
      message,
      hint,
    });
    const isPath = /^\/(?!\/)/.test(canonical);
    if (!isPath && !(/^https?:\/\//i.test(canonical) && isUrl(canonical))) {
      yield finding(`${JSON.stringify(canonical)} is no address`, 'write it with its scheme, or as a path of the site');
      continue;
    }
    const url = new URL(canonical, 'https://site.example');
    if (!isPath && !homes.some(({ host }) => host === url.host)) continue;
    const last = url.pathname.split('/').findLast((segment) => segment !== '');
    if (last !== undefined && !slugs.has(slugify(last)))
      yield finding(`${JSON.stringify(canonical)} leads nowhere on the site`, 'name the address of an item or term');
  }
}

/** Slugs by which the addresses of a file may end, present and former. */
function slugsOf({ path, data }: Entry): readonly string[] {
  const { slug, aliases } = data;
  const plain = slugOfPath(path).replace(/\.[a-z-]+$/, '');
  const named = [...(typeof slug === 'string' ? [slug] : []), ...(Array.isArray(aliases) ? aliases.map(String) : [])];
  return [slugOfPath(path), plain, ...named.flatMap((one) => one.split('/').filter((part) => part !== ''))].map((one) =>
    slugify(one),
  );
}

function* pictures({ entries, blobs }: Content): Iterable<CheckFinding> {
  const sizes = new Map(blobs.map(({ path, size }) => [path, size]));
  for (const entry of entries)
    for (const [keys, named] of picturesOf(entry)) {
      if (typeof named !== 'string' || named === '' || isAddress(named)) continue;
      const path = `media/${named.replace(/^\/+/, '')}`;
      const size = sizes.get(path);
      if (size === undefined)
        yield {
          path: entry.path,
          keys,
          message: `there is no picture ${path}`,
          hint: 'write its path below media/, or its address',
        };
      else if (size > maxPictureBytes)
        yield {
          path: entry.path,
          keys,
          message: `${path} has ${(size / 1024 / 1024).toFixed(1)} MiB; networks show pictures of 2 MiB at most`,
        };
    }
}

const pictureKeys: readonly Keys[] = [['image'], ['card_image'], ['organization', 'logo'], ['person', 'logo'], ['home', 'image']];

function picturesOf(entry: Entry): readonly (readonly [Keys, unknown])[] {
  return pictureKeys.map((keys) => [['seo', ...keys], keys.reduce<unknown>((value, key) => mapOf(value)[key], entry.data.seo)]);
}

/** Pages that a menu leads to and search engines are told to pass over. */
function* hiddenInMenus({ entries }: Content): Iterable<CheckFinding> {
  const hidden = new Map(
    entries.filter((entry) => valuesOf(entry).noindex === true).map((entry) => [logicalPath(entry.path), entry.path]),
  );
  if (hidden.size === 0) return;
  for (const { path, data } of entries) {
    if (!path.startsWith('menus/')) continue;
    for (const [folder, named] of itemsOf(data.items)) {
      const page = hidden.get(`${folder}/${named}`);
      if (page !== undefined)
        yield {
          path: page,
          keys: ['seo', 'noindex'],
          message: `${path} leads to it, and search engines are told to pass it over`,
        };
    }
  }
}

/** Pages and posts of a menu at any depth, by their folder and place. */
function* itemsOf(items: unknown): Iterable<readonly [string, string]> {
  for (const item of Array.isArray(items) ? items.map(mapOf) : []) {
    if (typeof item.page === 'string') yield ['pages', item.page];
    if (typeof item.post === 'string') yield ['posts', item.post];
    yield* itemsOf(item.items);
  }
}
