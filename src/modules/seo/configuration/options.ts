/**
 * Changes of options by routes.
 */
import type { Site } from '../../../kernel/site/site.ts';
import type { SeoOptions } from '../metadata/record.ts';

type Values = Readonly<Record<string, unknown>>;

/** @param change  options by the reference's names, made of those in force when its turn comes; those that stay may be left out */
export async function changeOptions(site: Site, change: (options: SeoOptions) => Values): Promise<void> {
  const isChanged = await site.write(() => {
    const changes = site.seo.planOptions(change(site.seo.options()));
    return { changes, result: changes.length > 0, once: 'seo-options' };
  });
  // Values derived from settings are valid for one generation.
  if (isChanged) site.records.apply([]);
}
