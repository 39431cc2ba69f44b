/**
 * The site of a folder, for commands that look at all of it.
 */
import type { Site } from '../kernel/site/site.ts';
import { type OpenOptions, openSite } from '../open-site.ts';
import { createProgress, type Io } from './io.ts';
import { operatorOf } from './operator.ts';

/** Opens it, and shows how far reading its files has come. */
export async function openFolder(dir: string, io: Io, how: Pick<OpenOptions, 'readOnly' | 'untouched'>): Promise<Site> {
  const progress = createProgress(io, 'reading files');
  const site = await openSite(dir, { ...how, operator: operatorOf(dir, io), progress: progress.update });
  progress.end();
  return site;
}
