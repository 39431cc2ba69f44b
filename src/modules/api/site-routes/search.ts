/**
 * The search of the site, for front ends: published items and terms with every word of the query, the best first.
 *
 * A word counts 5 in the title, 3 in the slug, 2 in the excerpt, 1.5 in fields and 1 in the text, and twice that where it is a whole
 * word. Of more than 5,000 items that fit, the 5,000 newest are ranked.
 *
 * Source: reference on site routes, D.3
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import { fold } from '../../../kernel/records/fold.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { sourceUrl } from '../../media/library/index.ts';
import { type AttachmentRecord, isAttachment } from '../../content/attachments/record.ts';
import { linkOf, termLink } from '../../content/permalinks/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { languageTagOf } from './language.ts';
import { excerptOf, textOf, weightIn } from './search-text.ts';

interface SearchRequest {
  /** Folded. */
  readonly words: readonly string[];
  /** Types of items, including `media` and `term`. */
  readonly types: readonly string[];
  /** Custom fields that are searched. */
  readonly fields: readonly string[];
  /** Excluded ids. */
  readonly exclude: readonly number[];
}

/** Something found. */
export interface Hit {
  readonly type: string;
  readonly record: PostRecord | TermRecord;
  readonly score: number;
  /** Site time; '' for terms. */
  readonly date: string;
}

/** Searched parts, folded, with weights. */
type Part = readonly [weight: number, text: string];

const maxCandidates = 5000;

/** Matches, best first. */
export async function findHits(call: Call, request: SearchRequest): Promise<readonly Hit[]> {
  if (request.words.length === 0) return [];
  const hits: Hit[] = [];
  for (const type of request.types) {
    const records: readonly (PostRecord | TermRecord)[] =
      type === 'term' ? termsOf(call, request) : await itemsOf(call, request, type);
    for await (const record of paced(records)) {
      const score = scoreOf('taxonomy' in record ? partsOfTerm(record) : partsOfItem(record, request.fields), request.words);
      if (score > 0) hits.push({ type, record, score, date: 'taxonomy' in record ? '' : record.date });
    }
  }
  return hits.sort((a, b) => b.score - a.score || (a.date < b.date ? 1 : a.date > b.date ? -1 : b.record.id - a.record.id));
}

/** A result. Requires `media.prepare`. */
export function shownHit(call: Call, { type, record, score }: Hit, words: readonly string[]): Readonly<Record<string, unknown>> {
  const { site } = call;
  const isTerm = 'taxonomy' in record;
  const path = isTerm ? termLink(site, record) : linkOf(site, record, true);
  const text = isTerm ? textOf(record.description, '') : textOf(record.content, record.kind);
  const summary = isTerm ? '' : textOf(record.excerpt, record.kind);
  const isInText = words.some((word) => fold(text).includes(word));
  return {
    id: record.id,
    type,
    subtype: call.request.dialect.wireName(isTerm ? record.taxonomy : record.type),
    title: textOf(isTerm ? record.name : record.title, ''),
    slug: record.slug,
    url: site.url + path,
    path,
    excerpt: excerptOf(isInText || summary === '' ? text : summary, words),
    image: isTerm ? null : imageOf(site, record),
    date: isTerm ? null : record.date,
    lang: languageTagOf(call, record),
    score,
  };
}

/** The image of an item: featured, or itself. */
export function pictureOf(site: Pick<Site, 'posts'>, record: PostRecord | TermRecord): AttachmentRecord | null {
  if ('taxonomy' in record) return null;
  const picture = isAttachment(record) ? record : site.posts.get(record.featuredMedia);
  return isAttachment(picture) && picture.mime.startsWith('image/') ? picture : null;
}

function imageOf(site: Site, record: PostRecord): Readonly<Record<string, unknown>> | null {
  const picture = pictureOf(site, record);
  return picture && { id: picture.id, url: sourceUrl(site, picture), alt: picture.alt };
}

/** Published items of a type with every word, newest first, within the scopes of modules. */
async function itemsOf(call: Call, { words, fields, exclude }: SearchRequest, type: string): Promise<readonly PostRecord[]> {
  const name = type === 'media' ? 'attachment' : type;
  const where: Clause[] = [
    { kind: 'in', index: 'type', values: [name] },
    { kind: 'in', index: 'status', values: [type === 'media' ? 'inherit' : 'publish'] },
    { kind: 'in', index: 'password', values: [0] },
    ...(exclude.length > 0 ? [{ kind: 'ids' as const, values: exclude, not: true }] : []),
    ...call.site.modules.extension(call.site.types.get(name)?.extensionNames ?? [name]).scope(call),
    ...words.map((word): Clause => ({ kind: 'any', of: [[inTexts(word)], [{ kind: 'test', test: inNames(word, fields) }]] })),
    ...(type === 'media' ? [{ kind: 'test' as const, test: isOfPublished(call.site) }] : []),
  ];
  const { records } = await call.site.posts.find({
    where,
    sort: { by: 'date', direction: 'desc' },
    offset: 0,
    limit: maxCandidates,
  });
  return records;
}

function inTexts(word: string): Clause {
  return { kind: 'search', columns: ['title', 'content', 'excerpt'], words: [word], without: [] };
}

/** Parts without an index. */
function inNames(word: string, fields: readonly string[]): (record: never) => boolean {
  return ((post: PostRecord) =>
    post.slug.includes(word) || (fields.length > 0 && fold(fieldTexts(post, fields)).includes(word))) as (
    record: never,
  ) => boolean;
}

/** A file is public if its item is. */
function isOfPublished({ posts }: Pick<Site, 'posts'>): (record: never) => boolean {
  return ((media: PostRecord) => media.parent === 0 || (posts.get(media.parent)?.status ?? 'publish') === 'publish') as (
    record: never,
  ) => boolean;
}

function termsOf(call: Call, { words }: SearchRequest): readonly TermRecord[] {
  const { site } = call;
  return [...site.taxonomies.values()]
    .filter((taxonomy) => taxonomy.public && taxonomy.showInRest)
    .flatMap(({ name }) => {
      const scope = site.modules.extension([name, 'term']).scope(call);
      const where: Clause[] = [{ kind: 'in', index: 'taxonomy', values: [name] }, ...scope];
      const { records } = site.terms.query({ where, sort: { by: 'id', direction: 'asc' }, offset: 0, limit: maxCandidates });
      return records.filter((term) => words.every((word) => partsOfTerm(term).some(([, text]) => text.includes(word))));
    });
}

function partsOfTerm({ name, slug }: TermRecord): readonly Part[] {
  return [
    [5, fold(textOf(name, ''))],
    [3, slug],
  ];
}

function partsOfItem(post: PostRecord, fields: readonly string[]): readonly Part[] {
  return [
    [5, fold(textOf(post.title, ''))],
    [3, post.slug],
    [2, fold(textOf(post.excerpt, post.kind))],
    [1.5, fields.length > 0 ? fold(fieldTexts(post, fields)) : ''],
    [1, fold(textOf(post.content, post.kind))],
  ];
}

/** 0 if a word is in no part: the index may have matched markup. */
function scoreOf(parts: readonly Part[], words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    let found = 0;
    for (const [weight, text] of parts) found += weight * weightIn(text, word);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

/** Texts of custom fields, added by a module. */
function fieldTexts(post: PostRecord, names: readonly string[]): string {
  const values = mapOf((post as { readonly fields?: unknown }).fields);
  return names
    .map((name) => values[name])
    .filter((value) => typeof value === 'string')
    .join(' ');
}
