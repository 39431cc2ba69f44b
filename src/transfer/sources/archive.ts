/**
 * Our own archive is not taken apart into items: it is restored whole (`transfer/archive/restore.ts`). This row of the list of
 * importers is how it is recognised, and what says so when it is asked for otherwise.
 */
import { isArchive } from '../archive/archive.ts';
import { SourceError } from '../import/items.ts';
import type { Importer } from './open.ts';

export const archiveImporter: Importer = {
  format: 'archive',
  recognises: ({ path }) => path !== null && isArchive(path),
  open: async ({ source, path }) => {
    const isOne = path !== null && (await isArchive(path));
    throw new SourceError(
      isOne ? 'an archive is restored whole, not merged into a site' : 'not a site archive',
      { source },
      { hint: isOne ? 'use --into with a new folder' : 'create one with cms export --format archive' },
    );
  },
};
