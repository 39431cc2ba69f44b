/**
 * Types and taxonomies that have become public since the site was opened last: people are told of them once. What was there when the
 * site was first opened is not new.
 */
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { jsonIn } from '../../../kernel/store/bytes.ts';
import { changeOptions } from '../configuration/index.ts';

/** Names that were public. Kept with what can be made again: without it, nothing is new. */
interface Known {
  readonly types: readonly string[];
  readonly taxonomies: readonly string[];
}

const document = 'seo/known-types.json';

/** Looks once. @returns what ends it: resolves when it is done */
export function findNewTypes(site: Site): () => Promise<void> {
  const done = site.store.readOnly ? Promise.resolve() : site.store.faults.background('seo', () => look(site));
  return () => done;
}

async function look(site: Site): Promise<void> {
  const { cache } = site.store;
  const bytes = await cache.get(document);
  const before = parse(bytes);
  const now: Known = {
    types: [...site.types.values()].filter((type) => type.public).map(({ name }) => name),
    taxonomies: [...site.taxonomies.values()].filter((taxonomy) => taxonomy.public).map(({ name }) => name),
  };
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  if (before) await announce(site, before, now);
  await cache.set(document, Buffer.from(JSON.stringify(now)));
}

async function announce(site: Site, before: Known, now: Known): Promise<void> {
  const [types, taxonomies] = [added(before.types, now.types), added(before.taxonomies, now.taxonomies)];
  await changeOptions(site, ({ newPostTypes, newTaxonomies }) => ({
    // Items that are no longer public are left out.
    new_post_types: joined(newPostTypes, types, now.types),
    new_taxonomies: joined(newTaxonomies, taxonomies, now.taxonomies),
  }));
}

const added = (before: readonly string[], now: readonly string[]) => now.filter((name) => !before.includes(name));

const joined = (listed: readonly string[], more: readonly string[], now: readonly string[]) =>
  [...new Set([...listed, ...more])].filter((name) => now.includes(name));

function parse(bytes: Uint8Array | null): Known | null {
  const { types, taxonomies } = mapOf(jsonIn(bytes));
  return Array.isArray(types) && Array.isArray(taxonomies) ? { types, taxonomies } : null;
}
