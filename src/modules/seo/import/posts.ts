/**
 * Values of posts: a row of the other tool becomes the values of the post with its id, where the post has none yet.
 *
 * Source: reference of seo/v1, 3.8
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { writeRecord } from '../../../kernel/site/record-file.ts';
import type { Write } from '../../../kernel/store/types.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { isAddress, readValues, valueTable } from '../metadata/index.ts';
import type { SeoValues, WithSeo } from '../metadata/record.ts';
import type { SourceRow } from './source.ts';
import { translateTemplate } from '../metadata/index.ts';

/** Columns that every row has to have. */
export const neededColumns = [
  ...['id', 'post_id', 'title', 'description', 'og_title', 'og_description', 'twitter_use_og', 'twitter_title'],
  ...['twitter_description', 'canonical_url', 'keyphrases', 'og_image_type', 'og_image_url', 'og_image_custom_url'],
  ...['twitter_image_type', 'twitter_image_url', 'twitter_image_custom_url', 'robots_default', 'robots_noindex'],
  ...['robots_nofollow', 'robots_noarchive', 'robots_noimageindex', 'robots_nosnippet'],
] as const;

/** What people write themselves; a post with one of these is left as it is. */
const written: readonly (keyof SeoValues)[] = [
  ...(['title', 'description', 'keyphrase', 'noindex', 'nofollow', 'noimageindex', 'noarchive', 'nosnippet'] as const),
  ...(['canonical', 'socialTitle', 'socialDescription', 'image', 'cardTitle', 'cardDescription', 'cardImage'] as const),
];

/** The post that a row is of, where it takes values from it. */
export function postOf(site: Site, row: SourceRow): PostRecord | undefined {
  const post = site.posts.get(Number(row.post_id));
  if (!post || site.types.get(post.type)?.viewable !== true || !site.postFields.has(post.type)) return undefined;
  const { seo = {} } = post as PostRecord & WithSeo;
  return written.some((name) => seo[name] !== undefined) ? undefined : post;
}

/** The change of the file of a post; null when the row says nothing. */
export function planPost(site: Site, post: PostRecord, row: SourceRow): Write | null {
  const raw = valuesIn(row);
  if (Object.keys(raw).length === 0) return null;
  const values = readValues(valueTable, raw, { refs: site.refs, reader: post.id });
  const { seo = {} } = post as PostRecord & WithSeo;
  const after = { ...post, seo: { ...seo, ...values } };
  return writeRecord(site, site.postFields.get(post.type) ?? {}, after, post);
}

/** By the keys of files; without those that say nothing. */
function valuesIn(row: SourceRow): Readonly<Record<string, unknown>> {
  const text = (column: string): string => translateTemplate(scalarText(row[column]).trim());
  const isOn = (column: string): boolean => ['1', 'true'].includes(scalarText(row[column]));
  const card = isOn('twitter_use_og') ? 'og' : 'twitter';
  const robots = isOn('robots_default')
    ? {}
    : {
        noindex: isOn('robots_noindex'),
        ...Object.fromEntries(
          ['nofollow', 'noarchive', 'noimageindex', 'nosnippet'].flatMap((name) =>
            isOn(`robots_${name}`) ? [[name, true]] : [],
          ),
        ),
      };
  const texts = {
    title: text('title'),
    description: text('description'),
    keyphrase: keyphraseIn(row.keyphrases),
    canonical: addressIn(row.canonical_url),
    social_title: text('og_title'),
    social_description: text('og_description'),
    image: imageIn(row, 'og'),
    card_title: text(`${card}_title`),
    card_description: text(`${card}_description`),
    card_image: imageIn(row, card),
  };
  return { ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')), ...robots };
}

/** The picture that somebody has chosen; the others follow from the post. */
function imageIn(row: SourceRow, of: 'og' | 'twitter'): string {
  const type = scalarText(row[`${of}_image_type`]);
  if (type === 'custom') return '';
  return addressIn(row[type === 'custom_image' ? `${of}_image_custom_url` : `${of}_image_url`]);
}

function addressIn(value: unknown): string {
  const text = scalarText(value).trim();
  return isAddress(text) && !/[\s<>"]/.test(text) ? text : '';
}

/** The first keyphrase of a map that may be a text. */
function keyphraseIn(value: unknown): string {
  let said: unknown = value;
  try {
    if (typeof value === 'string') said = JSON.parse(value);
  } catch {
    return '';
  }
  return scalarText(mapOf(mapOf(said).focus).keyphrase).trim();
}
