/**
 * What of a list is asked for and how its items are to be read.
 */
import { wireConstants } from '../../../render/wire-constants.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import { type LostItem, SourceError } from '../../import/items.ts';
import type { RestClient, RestParams } from './client.ts';
import type { RestCollection } from './collection.ts';
import type { Discovered } from './discover.ts';
import { type RestLanguages, languageFields } from './languages.ts';
import type { PostContext } from './posts.ts';
import { argumentsOf, type Kind } from './site.ts';
import type { Spool } from './spool.ts';
import { list } from './values.ts';

/** A site that is being read. */
export interface RestReading {
  readonly found: Discovered;
  readonly client: RestClient;
  readonly spool: Spool;
  readonly isSignedIn: boolean;
  /** What cannot be read is put into `lost`; else it is thrown. */
  readonly keepGoing: boolean;
  /** By its address. */
  readonly lost: Map<string, LostItem>;
}

/** Fields of items that the interface itself has; others that may be written were added by other programs. */
const apiFields = new Set(
  (
    'id type status slug title content excerpt date date_gmt modified modified_gmt author parent post menu_order sticky password ' +
    'format template comment_status ping_status guid link featured_media meta alt_text caption description source_url ' +
    'media_details media_type mime_type font_family_settings theme_json_version'
  ).split(' '),
);
/** Not asked for: made of the others. */
const derived = new Set(['media_type', 'mime_type', 'theme_json_version']);
/** What an upload is told beside the fields of the item. */
const uploadArgs = new Set(['url', 'generate_sub_sizes', 'convert_format']);
/** Of media these come whole or not at all, whatever is asked of them (observed). */
const wholeTexts = new Set(['caption', 'description']);

/** How the posts of a type are read. @param users  keys of the users, filled as they are read */
export function contextOf(
  { found, isSignedIn, languages }: RestReading & { readonly languages: RestLanguages },
  { name, route, row }: Kind,
  taxonomies: readonly Kind[],
  users: ReadonlySet<string>,
): PostContext {
  const { dialect, index } = found;
  const held = new Set(list(row.taxonomies).map((word) => dialect.readWord(String(word))));
  const fields = new Map(taxonomies.filter((one) => held.has(one.name)).map((one) => [one.base, one.name]));
  const bases = new Set([...fields.keys()].map((base) => dialect.readWord(base)));
  const writable = argumentsOf(index, route, 'POST') ?? {};
  const meta = mapOf(mapOf(writable.meta).properties);
  return {
    type: name,
    taxonomies: fields,
    more: Object.keys(writable).filter(
      (field) =>
        !apiFields.has(field) &&
        !bases.has(dialect.readWord(field)) &&
        !(name === 'attachment' && uploadArgs.has(field)) &&
        !languages.isArgument(route, field),
    ),
    defaults: new Map(
      Object.entries(meta).flatMap(([key, schema]) => ('default' in mapOf(schema) ? [[key, mapOf(schema).default]] : [])),
    ),
    users,
    cmsHome: found.isCms && isSignedIn ? index.home : undefined,
    readWord: dialect.readWord,
  };
}

/** Asks for what is read and nothing else: the source then renders no text in vain. Nothing where its fields are not known. */
export function fieldsOf(
  { found }: RestReading,
  { name, route }: Kind,
  { taxonomies, more, cmsHome: ours }: PostContext,
): (isEdit: boolean) => RestParams {
  if (argumentsOf(found.index, route, 'POST') === null) return () => ({});
  const texts = name === 'attachment' ? ['title', 'caption', 'description'] : ['title', 'content', 'excerpt', 'guid'];
  return (isEdit) => {
    const parts = texts.flatMap((field) => (isEdit && !wholeTexts.has(field) ? [`${field}.raw`] : [field]));
    const plain = [...apiFields].filter((field) => !texts.includes(field) && !derived.has(field));
    // A part of what is named whole would end the list of names (observed).
    const isShown = ours !== undefined && texts.includes('content');
    const shown = isEdit ? ['title.rendered', 'permalink_template', ...(isShown ? ['content.rendered'] : [])] : [];
    const others = new Set([...taxonomies.keys(), ...more, ...languageFields, wireConstants.patternSync]);
    return { _fields: [...plain, ...parts, ...shown, ...others].join(',') };
  };
}

/** One answer, kept; null where it is refused, or cannot be read. @param route  as the source spells it. @throws SourceError */
export async function askOnce(reading: RestReading, route: string, params: RestParams = {}): Promise<unknown> {
  const { client, spool, keepGoing } = reading;
  const name = `${route} ${JSON.stringify(params)}`;
  for await (const line of spool.lines(name)) {
    const { body, failed } = line as { readonly body: unknown; readonly failed?: number };
    if (failed !== undefined) reportLost(reading, fault(failed, client.address(route, params)));
    return body;
  }
  const { status, body, url } = await client.get(route, params);
  if (status >= 500 || (status === 200 && body === undefined)) {
    if (!keepGoing) throw fault(status, url);
    await spool.add(name, { body: null, failed: status });
    reportLost(reading, fault(status, url));
    return null;
  }
  const kept = status === 200 ? (body ?? null) : null;
  await spool.add(name, { body: kept });
  return kept;
}

/** Items of a list in all; 0 when it may not be read, or cannot be. @throws SourceError */
export async function startList(reading: RestReading, collection: RestCollection): Promise<number> {
  try {
    return await collection.start();
  } catch (error) {
    giveUp(reading, error);
    return 0;
  }
}

/** What there is of a list, up to where it cannot be read on. @throws SourceError */
export async function* rowsOfList(reading: RestReading, collection: RestCollection): ReturnType<RestCollection['rows']> {
  try {
    if (collection.variant >= 0) yield* collection.rows();
  } catch (error) {
    giveUp(reading, error);
  }
}

function giveUp(reading: RestReading, error: unknown): void {
  if (!reading.keepGoing || !(error instanceof SourceError) || error.stops) throw error;
  reportLost(reading, error);
}

function reportLost({ lost }: RestReading, { message, place, hint }: SourceError): void {
  const remark = {
    severity: 'lost',
    rule: 'broken',
    message,
    unreadable: true,
    ...(hint === undefined ? {} : { hint }),
  } as const;
  lost.set(place.source, { kind: 'lost', what: 'answer', place, remarks: [remark] });
}

function fault(status: number, url: string): SourceError {
  const message = status === 200 ? 'responds with something other than JSON' : `responds with errors (${status})`;
  return new SourceError(message, { source: url }, { hint: 'check the log of the source' });
}
