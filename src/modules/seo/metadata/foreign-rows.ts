/**
 * What other tools for search engines leave in the meta of items, as the rows of ours: Rank Math, All in One SEO, SEOPress and The SEO
 * Framework. Only rows that the tools themselves document or write for every item are read.
 */
import { isMap, mapOf, table } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { translateTemplate } from './variables.ts';

type Rows = Readonly<Record<string, unknown>>;

interface ForeignRows {
  /** By the names of ours. */
  readonly rows: Rows;
  /** Names of the rows that say it. */
  readonly names: readonly string[];
}

/** A text of another tool as ours. */
type Reader = (text: string) => string;

const plain: Reader = (text) => text;
const first: Reader = (text) => text.split(',', 1)[0]?.trim() ?? '';
/** `%title%` → `%%title%%`. */
const single: Reader = (text) =>
  text.replace(/(?<!%)%([a-z_]{1,40}(?:\([^()%]{0,100}\))?)%(?!%)/g, (_, name: string) => `%%${nameOf(name)}%%`);
const double: Reader = (text) => text.replace(/%%([a-z_]{1,40})%%/g, (_, name: string) => `%%${nameOf(name)}%%`);
const isOn = (text: string): boolean => ['1', 'on', 'yes', 'true'].includes(text);

const otherNames = table({
  post_title: 'title',
  sitetitle: 'sitename',
  sitename: 'sitename',
  tagline: 'sitedesc',
  sitedesc: 'sitedesc',
  post_excerpt: 'excerpt',
  post_category: 'category',
  categories: 'category',
  _category_title: 'term_title',
  term: 'term_title',
  org_name: 'sitename',
});
const nameOf = (name: string): string => otherNames[name as keyof typeof otherNames] ?? name;

/** Row → ours, and how its text is read. */
const texts: ReadonlyMap<string, readonly [name: string, read: Reader]> = new Map([
  ...rowsFor('rank_math_', {
    title: ['_seo_title', single],
    description: ['_seo_metadesc', single],
    focus_keyword: ['_seo_focuskw', first],
    canonical_url: ['_seo_canonical', plain],
    breadcrumb_title: ['_seo_bctitle', single],
    facebook_title: ['_seo_opengraph-title', single],
    facebook_description: ['_seo_opengraph-description', single],
    facebook_image: ['_seo_opengraph-image', plain],
    facebook_image_id: ['_seo_opengraph-image-id', plain],
    twitter_title: ['_seo_twitter-title', single],
    twitter_description: ['_seo_twitter-description', single],
    twitter_image: ['_seo_twitter-image', plain],
    twitter_image_id: ['_seo_twitter-image-id', plain],
    pillar_content: ['_seo_is_cornerstone', plain],
  }),
  ...rowsFor('_aioseo_', {
    title: ['_seo_title', translateTemplate],
    description: ['_seo_metadesc', translateTemplate],
    og_title: ['_seo_opengraph-title', translateTemplate],
    og_description: ['_seo_opengraph-description', translateTemplate],
    twitter_title: ['_seo_twitter-title', translateTemplate],
    twitter_description: ['_seo_twitter-description', translateTemplate],
  }),
  ...rowsFor('_aioseop_', {
    title: ['_seo_title', plain],
    description: ['_seo_metadesc', plain],
    custom_link: ['_seo_canonical', plain],
  }),
  ...rowsFor('_seopress_', {
    titles_title: ['_seo_title', double],
    titles_desc: ['_seo_metadesc', double],
    analysis_target_kw: ['_seo_focuskw', first],
    robots_canonical: ['_seo_canonical', plain],
    robots_breadcrumbs: ['_seo_bctitle', plain],
    social_fb_title: ['_seo_opengraph-title', double],
    social_fb_desc: ['_seo_opengraph-description', double],
    social_fb_img: ['_seo_opengraph-image', plain],
    social_fb_img_attachment_id: ['_seo_opengraph-image-id', plain],
    social_twitter_title: ['_seo_twitter-title', double],
    social_twitter_desc: ['_seo_twitter-description', double],
    social_twitter_img: ['_seo_twitter-image', plain],
    social_twitter_img_attachment_id: ['_seo_twitter-image-id', plain],
    robots_primary_cat: ['_seo_primary_category', plain],
  }),
  ...rowsFor('_', {
    genesis_title: ['_seo_title', plain],
    genesis_description: ['_seo_metadesc', plain],
    genesis_canonical_uri: ['_seo_canonical', plain],
    open_graph_title: ['_seo_opengraph-title', plain],
    open_graph_description: ['_seo_opengraph-description', plain],
    twitter_title: ['_seo_twitter-title', plain],
    twitter_description: ['_seo_twitter-description', plain],
    social_image_url: ['_seo_opengraph-image', plain],
    social_image_id: ['_seo_opengraph-image-id', plain],
  }),
]);

/** Rows that keep an item, or something of it, from search engines. `-1` asks for it to be shown. */
const robots: ReadonlyMap<string, string> = new Map([
  ['_aioseop_noindex', 'noindex'],
  ['_aioseop_nofollow', 'nofollow'],
  ['_seopress_robots_index', 'noindex'],
  ['_seopress_robots_follow', 'nofollow'],
  ['_seopress_robots_imageindex', 'noimageindex'],
  ['_seopress_robots_archive', 'noarchive'],
  ['_seopress_robots_snippet', 'nosnippet'],
  ['_genesis_noindex', 'noindex'],
  ['_genesis_nofollow', 'nofollow'],
  ['_genesis_noarchive', 'noarchive'],
]);

/** All that The SEO Framework has of a term is in one row. */
const termRow = 'autodescription-term-settings';
const termKeys: Readonly<Record<string, string>> = table({
  doctitle: '_genesis_title',
  description: '_genesis_description',
  canonical: '_genesis_canonical_uri',
  noindex: '_genesis_noindex',
  nofollow: '_genesis_nofollow',
  noarchive: '_genesis_noarchive',
  og_title: '_open_graph_title',
  og_description: '_open_graph_description',
  tw_title: '_twitter_title',
  tw_description: '_twitter_description',
  social_image_url: '_social_image_url',
  social_image_id: '_social_image_id',
});

/** What other tools say, without what a row of ours says already. Cost: one look at each name. */
export function rowsOfOthers(meta: Rows): ForeignRows {
  const rows: Record<string, unknown> = {};
  const names: string[] = [];
  const directives = new Set<string>();
  const say = (name: string, value: string): void => {
    if (value !== '' && meta[name] === undefined) rows[name] ??= value;
  };
  const read = (name: string, value: unknown): boolean => {
    const known = texts.get(name);
    const primary = /^(?:rank_math_primary_|_primary_term_)([\w-]+)$/.exec(name)?.[1];
    if (known) say(known[0], known[1](scalarText(value).trim()));
    else if (primary !== undefined) say(`_seo_primary_${primary}`, scalarText(value));
    else if (name === 'rank_math_robots') for (const one of listOf(value)) directives.add(one);
    else if (robots.has(name)) {
      if (isOn(scalarText(value))) directives.add(robots.get(name) as string);
      else if (scalarText(value) === '-1') directives.add('index');
    } else return false;
    return true;
  };
  for (const [name, value] of Object.entries(meta)) {
    if (name === termRow && isMap(value))
      for (const [key, one] of Object.entries(mapOf(value))) if (Object.hasOwn(termKeys, key)) read(termKeys[key] as string, one);
    if (name === termRow || read(name, value)) names.push(name);
  }
  if (directives.has('noindex')) say('_seo_meta-robots-noindex', '1');
  else if (directives.has('index')) say('_seo_meta-robots-noindex', '2');
  if (directives.has('nofollow')) say('_seo_meta-robots-nofollow', '1');
  const advanced = ['noimageindex', 'noarchive', 'nosnippet'].filter((name) => directives.has(name));
  if (advanced.length > 0) say('_seo_meta-robots-adv', advanced.join(','));
  const target = scalarText(meta._seopress_redirections_value);
  if (target !== '' && isOn(scalarText(meta._seopress_redirections_enabled))) {
    say('_seo_redirect', target);
    names.push('_seopress_redirections_value', '_seopress_redirections_enabled');
  }
  return { rows, names };
}

/** A list as it is, or as one that is written as text. */
function listOf(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.map(String)
    : scalarText(value)
        .split(',')
        .map((one) => one.trim());
}

function rowsFor(
  prefix: string,
  rows: Readonly<Record<string, readonly [string, Reader]>>,
): readonly (readonly [string, readonly [string, Reader]])[] {
  return Object.entries(rows).map(([name, row]) => [prefix + name, row]);
}
