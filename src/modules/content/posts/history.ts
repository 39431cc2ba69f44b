/** What is kept of a post's former state: its URLs and its guid. */
import { aliasKey, pathKey } from '../permalinks/aliases.ts';
import { same } from '../../../kernel/model/field.ts';
import type { PostRecord } from './record.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { defaultGuid, pathOf } from '../permalinks/record.ts';

/** A changed slug of a published post becomes an alias, or its whole path if the parent changes; the guid stays. */
export function keepHistory(site: Site, before: PostRecord, after: PostRecord): PostRecord {
  const named = before.status === 'publish' && before.slug !== '' && before.slug !== after.slug;
  const aliases = (named ? [...before.aliases, before.slug] : before.aliases).filter((alias) => alias !== after.slug);
  const unique = [...new Set(aliases)];
  return keepGuid(site, before, keepAddress(site, before, same(unique, before.aliases) ? after : { ...after, aliases: unique }));
}

/** The whole path of a published hierarchical item with a new parent, because its slug alone would not resolve. */
export function keepAddress(site: Site, before: PostRecord, after: PostRecord): PostRecord {
  const isMoved =
    before.parent !== after.parent && site.types.get(before.type)?.hierarchical && site.types.get(before.type)?.viewable;
  if (!isMoved || before.status !== 'publish' || before.slug === '') return after;
  const own = pathKey(pathOf(site, after));
  const former = pathOf(site, before).split('/').map(decoded).join('/');
  const aliases = [...after.aliases.filter((alias) => alias !== former), former].filter((alias) => aliasKey(alias) !== own);
  return former === '/' ? after : { ...after, aliases };
}

export function keepGuid(site: Site, before: PostRecord, after: PostRecord): PostRecord {
  if (before.guid !== '') return after;
  const guid = defaultGuid(site, before);
  return guid === defaultGuid(site, after) ? after : { ...after, guid };
}
