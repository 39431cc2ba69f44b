/**
 * The values that items have: key below `seo:` in the file, name as a member of `meta`, form and default. The one place where they stand.
 *
 * Source: reference on seo/v1, 2.1 to 2.3; decisions, "Where things are kept".
 */
import { FieldProblem, type FileContext, flag, integer, type References, text, texts } from '../../../kernel/model/field.ts';
import { isMap, mapOf } from '../../../kernel/model/maps.ts';
import { of, type Schema } from '../../../kernel/model/schema.ts';
import { isAddress } from './option-table.ts';
import { articleTypes, pageTypes, type SeoPicture, type SeoValues, type UserSeoValues } from './record.ts';

type Values = Readonly<Record<string, unknown>>;

/** How the file holds a value and how `meta` spells it, where texts are all there is. */
interface ValueForm<T> {
  readonly schema: Schema;
  parse(raw: unknown, key: string, cx: ReadContext): T;
  print(value: T, refs: References): unknown;
  /** Undefined: leaves the value as it is. */
  fromMeta(sent: string): T | undefined;
  toMeta(value: T): string;
}

/** @param reader  id of the item that is read */
export interface ReadContext extends Pick<FileContext, 'refs'> {
  readonly reader?: number | undefined;
}

export interface ValueRow {
  /** Key in the file. */
  readonly key: string;
  /** Name as a member of `meta`; absent: more than one name stands for it, or none. */
  readonly meta?: string;
  // biome-ignore lint/suspicious/noExplicitAny: forms of different values stand in one table
  readonly form: ValueForm<any>;
  readonly default: unknown;
}

const line: ValueForm<string> = {
  schema: text.form as Schema,
  parse: (raw, key) => text.parse(raw, key),
  print: (value) => value,
  fromMeta: (sent) => sent,
  toMeta: (value) => value,
};

const count = (highest: number): ValueForm<number> => ({
  schema: { type: 'integer', minimum: 0, maximum: highest },
  parse(raw, key) {
    const value = integer.parse(raw, key);
    if (value >= 0 && value <= highest) return value;
    throw new FieldProblem('seo', `${key} must be from 0 to ${highest}`);
  },
  print: (value) => value,
  fromMeta: (sent) => (/^\d{1,6}$/.test(sent) ? Math.min(Number(sent), highest) : sent === '' ? 0 : undefined),
  toMeta: String,
});

const mark: ValueForm<boolean> = {
  schema: { type: 'boolean' },
  parse: (raw, key) => flag.parse(raw, key),
  print: (value) => value,
  fromMeta: (sent) => sent === '1' || sent === 'true' || sent === 'on',
  toMeta: (value) => (value ? '1' : '0'),
};

/** Whether a page is kept out of indexes; null: as its type says. */
const indexing: ValueForm<boolean | null> = {
  ...mark,
  schema: { type: ['boolean', 'null'] },
  parse: (raw, key) => (raw === null ? null : flag.parse(raw, key)),
  fromMeta: (sent) => (sent === '1' ? true : sent === '2' ? false : null),
  toMeta: (value) => (value === null ? '0' : value ? '1' : '2'),
};

const oneOf = (words: readonly string[]): ValueForm<string> => ({
  ...line,
  schema: { type: 'string', enum: ['', ...words] },
  parse(raw, key) {
    if (raw === '' || raw === null || words.includes(String(raw))) return String(raw ?? '');
    throw new FieldProblem('seo', `${JSON.stringify(raw)} is not a valid ${key}`, `one of ${words.join(', ')}`);
  },
  fromMeta: (sent) => (sent === '' || words.includes(sent) ? sent : undefined),
});

/** A medium by id or path, which stays as it is written while there is none; or an address. */
const picture: ValueForm<SeoPicture> = {
  schema: { type: ['string', 'integer', 'null'] },
  parse(raw, key, { refs, reader }) {
    if (typeof raw === 'number') return raw;
    const named = text.parse(raw, key);
    return named === '' || isAddress(named) ? named : refs.postId('attachment', named, reader) || named;
  },
  print: (value, refs) => (typeof value === 'number' ? refs.postRef('attachment', value) : value),
  fromMeta: (sent) => sent,
  toMeta: (value) => (typeof value === 'number' ? '' : value),
};

const list: ValueForm<readonly string[]> = {
  schema: texts.form as Schema,
  parse: (raw, key) => texts.parse(raw, key),
  print: (value) => value,
  fromMeta: (sent) => sent.split(',').flatMap((one) => one.trim() || []),
  toMeta: (value) => value.join(','),
};

/** The primary term by taxonomy. */
const primary: ValueForm<Readonly<Record<string, number>>> = {
  schema: of(['object', 'null'], 'The primary term by taxonomy.', { additionalProperties: { type: ['string', 'integer'] } }),
  parse(raw, key, { refs }) {
    if (raw !== null && !isMap(raw)) throw new FieldProblem('seo', `${key} must be a map of taxonomies and terms`);
    const named = Object.entries(mapOf(raw)).map(([taxonomy, term]) => [
      taxonomy,
      typeof term === 'number' ? term : refs.termId(taxonomy, text.parse(term, key)),
    ]);
    return Object.fromEntries(named);
  },
  print: (value, refs) =>
    Object.fromEntries(Object.entries(value).map(([taxonomy, id]) => [taxonomy, refs.termRef(taxonomy, id)])),
  fromMeta: () => undefined,
  toMeta: () => '',
};

const row = <T>(key: string, meta: string, form: ValueForm<T>, standard: T): ValueRow => ({
  key,
  ...(meta === '' ? {} : { meta }),
  form,
  default: standard,
});

export const valueTable: Readonly<Record<keyof SeoValues, ValueRow>> = {
  title: row('title', '_seo_title', line, ''),
  description: row('description', '_seo_metadesc', line, ''),
  keyphrase: row('keyphrase', '_seo_focuskw', line, ''),
  score: row('score', '_seo_linkdex', count(100), 0),
  readability: row('readability', '_seo_content_score', count(100), 0),
  inclusiveLanguage: row('inclusive_language', '_seo_inclusive_language_score', count(100), 0),
  cornerstone: row('cornerstone', '_seo_is_cornerstone', mark, false),
  noindex: row<boolean | null>('noindex', '_seo_meta-robots-noindex', indexing, null),
  nofollow: row('nofollow', '_seo_meta-robots-nofollow', mark, false),
  noimageindex: row('noimageindex', '', mark, false),
  noarchive: row('noarchive', '', mark, false),
  nosnippet: row('nosnippet', '', mark, false),
  breadcrumb: row('breadcrumb', '_seo_bctitle', line, ''),
  canonical: row('canonical', '_seo_canonical', line, ''),
  redirect: row('redirect', '_seo_redirect', line, ''),
  socialTitle: row('social_title', '_seo_opengraph-title', line, ''),
  socialDescription: row('social_description', '_seo_opengraph-description', line, ''),
  image: row<SeoPicture>('image', '', picture, ''),
  cardTitle: row('card_title', '_seo_twitter-title', line, ''),
  cardDescription: row('card_description', '_seo_twitter-description', line, ''),
  cardImage: row<SeoPicture>('card_image', '', picture, ''),
  pageType: row('page_type', '_seo_schema_page_type', oneOf(pageTypes), ''),
  articleType: row('article_type', '_seo_schema_article_type', oneOf(articleTypes), ''),
  primary: row('primary', '', primary, {}),
  readingMinutes: row('reading_minutes', '_seo_estimated-reading-time-minutes', count(10_000), 0),
};

export const userValueTable: Readonly<Record<keyof UserSeoValues, ValueRow>> = {
  title: row('title', 'seo_title', line, ''),
  description: row('description', 'seo_metadesc', line, ''),
  noindex: row('noindex', 'seo_noindex_author', { ...mark, toMeta: (value: boolean) => (value ? 'on' : '') }, false),
  networkA: row('network_a', 'network_a', line, ''),
  networkB: row('network_b', 'network_b', line, ''),
  profiles: row('profiles', 'other_profile_urls', list, []),
  pronouns: row('pronouns', 'seo_pronouns', line, ''),
};

export const noValues: SeoValues = Object.freeze(defaultsOf(valueTable)) as unknown as SeoValues;
export const noUserValues: UserSeoValues = Object.freeze(defaultsOf(userValueTable)) as unknown as UserSeoValues;

function defaultsOf(table: Readonly<Record<string, ValueRow>>): Values {
  return Object.fromEntries(Object.entries(table).map(([property, { default: standard }]) => [property, standard]));
}
