/**
 * The addresses that the items of an adopted folder had: those that are others now lead on by `redirects.yaml`, and those that nobody knows
 * are named. Where they were, the importer says; where they are, the check of the folder.
 */
import { modulesOf } from '../deployments.ts';
import { now } from '../kernel/model/dates.ts';
import { pathKey } from '../modules/content/permalinks/aliases.ts';
import { logicalPath } from '../kernel/model/logical-path.ts';
import { createStore } from '../kernel/store/store.ts';
import { createRedirects } from '../modules/content/permalinks/redirects.ts';
import { declaredBy } from '../modules/types/declarations.ts';
import { standardTaxonomies } from '../modules/types/taxonomies.ts';
import { standardTypes } from '../modules/types/types.ts';
import { writeRedirects } from '../transfer/import/address-table.ts';
import { adoptedItems } from '../transfer/sources/markdown.ts';
import { createAddresses } from '../validate/addresses.ts';
import { declare } from '../validate/declarations.ts';
import { readParsedFiles } from '../validate/parsed-file.ts';
import { siteFileOf, zoneOf } from '../validate/settings.ts';
import type { Io } from './io.ts';

const maxShown = 20;

/** Keeps the addresses of a folder that has just become a site, and says which are lost. */
export async function keepAddresses(dir: string, io: Io): Promise<void> {
  const store = await createStore({ dir });
  try {
    const content = await store.load();
    const file = siteFileOf(content);
    const declared = declaredBy(file, standardTypes, standardTaxonomies);
    const model = declare({ ...declared, modules: modulesOf(file?.data.deployment), entry: file });
    const zone = zoneOf(content);
    const { parsedFiles } = readParsedFiles(content, model, zone);
    const redirects = createRedirects();
    redirects.take({ ...content, removed: [], problems: [] });
    const nowGmt = now(zone, Date.now()).gmt;
    const addresses = createAddresses({ parsedFiles, model, entry: file, zone, nowGmt, spell: () => undefined, redirects });
    const moved: { rule: string; to: string }[] = [];
    const lost: string[] = [];
    for await (const item of adoptedItems(dir)) {
      if (item.kind !== 'post' || item.type === 'attachment') continue;
      const unknown = item.remarks?.find(({ rule }) => rule === 'unknown-address');
      if (unknown) lost.push(`${item.key}: ${unknown.message}`);
      const former = item.link ?? '';
      if (former === '' || item.status !== 'publish') continue;
      const address = addresses.at(logicalPath(item.key))?.address ?? null;
      if (address === null) lost.push(`${item.key}: its URL ${former} leads nowhere`);
      else if (pathKey(address) !== pathKey(former) && pathKey(former) !== '' && addresses.find(former, '').kind !== 'there')
        moved.push({ rule: former, to: address });
    }
    await writeRedirects(store, moved, { remark: ({ message }) => io.err(`  ${message}`) });
    if (moved.length > 0)
      io.err(
        `  ${moved.length} former URL${moved.length === 1 ? '' : 's'} lead${moved.length === 1 ? 's' : ''} on: redirects.yaml`,
      );
    for (const line of lost.slice(0, maxShown)) io.err(`  ${line}`);
    if (lost.length > maxShown) io.err(`  and ${lost.length - maxShown} more`);
  } finally {
    await store.close();
  }
}
