/**
 * Options of the site: settings of the other tool by their paths in a group, and the options that they become.
 *
 * Source: reference of seo/v1, 3.8
 */
import { isMap, table } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { decodeEntities } from '../../../render/text.ts';
import { separators } from '../metadata/index.ts';
import type { SettingGroup } from './source.ts';
import { translateTemplate } from '../metadata/index.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

type Values = Readonly<Record<string, unknown>>;

/** Maps in one another are followed so far. */
const maxDepth = 20;

/** Path → value of everything that is no map, in the order of paths. */
export function flatten(group: Values): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const walk = (values: Values, path: string, depth: number): void => {
    for (const [key, value] of Object.entries(values)) {
      if (!isMap(value)) found.set(`${path}/${key}`, value);
      else if (depth < maxDepth) walk(value, `${path}/${key}`, depth + 1);
    }
  };
  walk(group, '', 0);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The options that settings of a group become, by the reference's names; those that become none are left out. */
export function optionsOf(
  site: Site,
  group: SettingGroup,
  settings: ReadonlyMap<string, unknown>,
  all: ReadonlyMap<string, unknown>,
): Values {
  const made = [...settings].flatMap(([path, value]) => {
    const option = group === 'general_settings' ? generalOption(path, value) : pageOption(site, group, path, value, all);
    return option ? [option] : [];
  });
  return Object.fromEntries(made);
}

const archiveNames: Readonly<Record<string, string>> = table({ author: 'author-seo', date: 'archive-seo', search: 'search-seo' });

function generalOption(path: string, value: unknown): readonly [string, unknown] | null {
  const text = scalarText(value).trim();
  if (text === '') return null;
  switch (path) {
    case '/separator': {
      const name = Object.keys(separators).find((one) => separators[one] === decodeEntities(text));
      return name === undefined ? null : ['separator', name];
    }
    case '/siteTitle':
      return ['title-home-seo', translateTemplate(text)];
    case '/metaDescription':
      return ['metadesc-home-seo', translateTemplate(text)];
    case '/schema/siteRepresents':
      return ['company_or_person', text === 'person' ? 'person' : 'company'];
    case '/schema/person':
      return /^[1-9]\d{0,9}$/.test(text) ? ['company_or_person_user_id', Number(text)] : null;
    case '/schema/organizationName':
      return ['company_name', text];
    case '/schema/organizationLogo':
      return isPicture(text) ? ['company_logo', text] : null;
    case '/schema/personLogo':
      return isPicture(text) ? ['person_logo', text] : null;
    default:
      return null;
  }
}

const isPicture = (text: string): boolean => /^https?:\/\/[^\s<>"]+$/i.test(text) && isUrl(text);

/** Names of pages in options, by group: title, description and noindex of each have its name in them. */
const pageNames: Readonly<Record<Exclude<SettingGroup, 'general_settings'>, (site: Site, name: string) => string | undefined>> =
  table({
    default_archive_settings: (_site, name) => archiveNames[name],
    custom_archive_settings: ({ types }, name) => (types.has(name) ? `ptarchive-${name}` : undefined),
    posttype_default_settings: ({ types }, name) => (types.has(name) ? name : undefined),
    taxonomy_settings: ({ taxonomies }, name) => (taxonomies.has(name) ? `tax-${name}` : undefined),
  });

function pageOption(
  site: Site,
  group: Exclude<SettingGroup, 'general_settings'>,
  path: string,
  value: unknown,
  all: ReadonlyMap<string, unknown>,
): readonly [string, unknown] | null {
  const [, name = '', member = ''] = /^\/([\w-]+)\/(title|metaDescription|advanced\/robotsMeta\/noindex)$/.exec(path) ?? [];
  const page = pageNames[group](site, name);
  if (page === undefined) return null;
  const text = scalarText(value).trim();
  if (member === 'title') return text === '' ? null : [`title-${page}`, translateTemplate(text)];
  const isSearch = page === 'search-seo';
  if (member === 'metaDescription') return text === '' || isSearch ? null : [`metadesc-${page}`, translateTemplate(text)];
  const isUsual = all.get(`/${name}/advanced/robotsMeta/default`) === true;
  return isUsual || isSearch || typeof value !== 'boolean' ? null : [`noindex-${page}`, value];
}
