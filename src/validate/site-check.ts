/**
 * The content of an open site, judged as `cms validate` judges a folder.
 */
import { slugify } from '../kernel/model/slugs.ts';
import { locate } from '../kernel/store/locate.ts';
import type { CheckContent } from '../modules/api/abilities/record.ts';
import { declare } from './declarations.ts';
import { validate } from './validate.ts';

/** Reads the folder anew; memory follows what it finds. */
export const checkContent: CheckContent = async (site) => {
  const batch = await site.store.load();
  await site.ingest(batch);
  const model = declare({
    types: [...site.types.values()],
    taxonomies: [...site.taxonomies.values()],
    statuses: site.statuses,
    modules: site.modules.list,
    entry: site.settings.entry ?? undefined,
    meta: site.meta,
  });
  const people = site.accounts.all().map(({ id, slug, login }) => ({ id, slug: slug || slugify(login) }));
  const found = await locate(validate(batch, model, { clock: site.clock(), people }), site.store.readBytes);
  const unreadable = site.store.problems();
  return {
    files: batch.entries.length + batch.blobs.length + unreadable.length,
    problems: [...unreadable, ...found].map(({ source: _, ...one }) => one),
  };
};
