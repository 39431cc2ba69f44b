/**
 * The site of a folder, for commands that look at all of it.
 */
import type { Site } from '../kernel/site/site.ts';
import { openSite } from '../open-site.ts';
import { createProgress, type Io } from './io.ts';
import { operatorOf } from './operator.ts';

/** Opens it, and shows how far reading its files has come. */
export async function openFolder(dir: string, io: Io, { readOnly }: { readonly readOnly: boolean }): Promise<Site> {
  const progress = createProgress(io, 'reading files');
  const site = await openSite(dir, { operator: operatorOf(dir, io), readOnly, progress: progress.update });
  progress.end();
  return site;
}
