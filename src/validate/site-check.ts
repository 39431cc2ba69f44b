/**
 * The content of an open site, judged as `cms validate` judges a folder: all of it, or one file.
 */
import { slugify } from '../kernel/model/slugs.ts';
import { locate } from '../kernel/store/locate.ts';
import type { PlacedRemark } from '../kernel/model/remark.ts';
import type { Site } from '../kernel/site/site.ts';
import type { CheckContent } from '../modules/api/abilities/record.ts';
import { declare, type Declarations } from './declarations.ts';
import { validate, validateFile } from './validate.ts';

/** Reads the folder anew; memory follows what it finds. */
export const checkContent: CheckContent = async (site) => {
  const batch = await site.store.load();
  await site.ingest(batch);
  const people = site.accounts.all().map(({ id, slug, login }) => ({ id, slug: slug || slugify(login) }));
  const found = await locate(validate(batch, modelOf(site), { clock: site.clock(), people }), site.store.readBytes);
  const unreadable = site.store.problems();
  return {
    files: batch.entries.length + batch.blobs.length + unreadable.length,
    problems: [...unreadable, ...found].map(({ source: _, ...one }) => one),
  };
};

/** What is said of one file; what only a look at all files shows (two with one id, what nothing uses) is not. Cost: that file. */
export async function checkFile(site: Site, path: string): Promise<readonly PlacedRemark[]> {
  const batch = await site.store.reread([path]);
  // Whoever reads a file anew is told alone what is new in it.
  await site.ingest(batch);
  const { entries, problems } = batch;
  const unreadable = problems.map(({ rule, message, hint }) => ({
    ...{ path, keys: [], severity: 'error' as const, rule, message },
    ...(hint === undefined ? {} : { hint }),
  }));
  return [...unreadable, ...validateFile(site, entries, modelOf(site))];
}

function modelOf(site: Site): Declarations {
  return declare({
    types: [...site.types.values()],
    taxonomies: [...site.taxonomies.values()],
    statuses: site.statuses,
    modules: site.modules.list,
    entry: site.settings.entry ?? undefined,
    meta: site.meta,
  });
}
