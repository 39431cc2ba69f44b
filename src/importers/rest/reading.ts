/**
 * What of a list is asked for and how its items are to be read.
 */
import { kept } from '../../model/kept-names.ts';
import { mapOf } from '../../model/maps.ts';
import { SourceError } from '../../transfer/items.ts';
import type { Client, Params } from './client.ts';
import type { Discovered } from './discover.ts';
import type { PostContext } from './posts.ts';
import { argumentsOf, type Kind } from './site.ts';
import type { Spool } from './spool.ts';
import { list } from './values.ts';

/** A site that is being read. */
export interface Reading {
  readonly found: Discovered;
  readonly client: Client;
  readonly spool: Spool;
  readonly isSignedIn: boolean;
}

/** Fields of items that the interface itself has; others that may be written were added by other programs. */
const ownFields = new Set(
  (
    'id type status slug title content excerpt date date_gmt modified modified_gmt author parent post menu_order sticky password ' +
    'format template comment_status ping_status guid link featured_media meta alt_text caption description source_url ' +
    'media_details media_type mime_type font_family_settings theme_json_version'
  ).split(' '),
);
/** Not asked for: made of the others. */
const derived = new Set(['media_type', 'mime_type', 'theme_json_version']);

/** How the posts of a type are read. @param users  keys of the users, filled as they are read */
export function contextOf(
  { found, isSignedIn }: Reading,
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
    more: Object.keys(writable).filter((field) => !ownFields.has(field) && !bases.has(dialect.readWord(field))),
    defaults: new Map(
      Object.entries(meta).flatMap(([key, schema]) => ('default' in mapOf(schema) ? [[key, mapOf(schema).default]] : [])),
    ),
    users,
    ours: found.isOurs && isSignedIn ? index.home : undefined,
    readWord: dialect.readWord,
  };
}

/** Asks for what is read and nothing else: the source then renders no text in vain. Nothing where its fields are not known. */
export function fieldsOf(
  { found }: Reading,
  { name, route }: Kind,
  { taxonomies, more, ours }: PostContext,
): (isEdit: boolean) => Params {
  if (argumentsOf(found.index, route, 'POST') === null) return () => ({});
  const texts = name === 'attachment' ? ['title', 'caption', 'description'] : ['title', 'content', 'excerpt', 'guid'];
  return (isEdit) => {
    const parts = texts.flatMap((field) => (isEdit ? [`${field}.raw`] : [field]));
    const plain = [...ownFields].filter((field) => !texts.includes(field) && !derived.has(field));
    const shown = isEdit ? ['title.rendered', 'permalink_template', ...(ours === undefined ? [] : ['content.rendered'])] : [];
    return { _fields: [...plain, ...parts, ...shown, ...taxonomies.keys(), ...more, kept.patternSync].join(',') };
  };
}

/** One answer, kept; null where it is refused. @param route  as the source spells it. @throws SourceError */
export async function askOnce(
  { client, spool }: Pick<Reading, 'client' | 'spool'>,
  route: string,
  params: Params = {},
): Promise<unknown> {
  const name = `${route} ${JSON.stringify(params)}`;
  for await (const line of spool.lines(name)) return (line as { readonly body: unknown }).body;
  const { status, body, url } = await client.get(route, params);
  if (status >= 500 || (status === 200 && body === undefined))
    throw new SourceError(`answers with errors (${status})`, { source: url });
  const kept = status === 200 ? (body ?? null) : null;
  await spool.add(name, { body: kept });
  return kept;
}
