/**
 * An agency without a service: a folder outside the content. What is to be translated lies in `out/<id>.xliff`; what is translated comes as
 * `<id>.xliff` beside it, and goes to `done/` once it is applied. The id is that of the job.
 *
 * Source: reference on languages, 7.
 */
import { mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../kernel/errors.ts';
import type { AgencySettings } from '../upstream/index.ts';
import type { Agency, AgencyJob } from './record.ts';

const maxFileBytes = 5 * 1024 * 1024;

export function createDropFolder({ id, dropFolder }: AgencySettings): Agency {
  const fileOf = (job: number): string => join(dropFolder, `${job}.xliff`);
  const sizeOf = async (job: number): Promise<number | null> => {
    try {
      const found = await stat(fileOf(job));
      return found.isFile() ? found.size : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  };
  return {
    id,
    async send(job, _status, xliff) {
      const out = join(dropFolder, 'out');
      await mkdir(out, { recursive: true });
      const target = join(out, `${job.id}.xliff`);
      const file = await open(`${target}.part`, 'w');
      try {
        await file.writeFile(xliff);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${target}.part`, target);
      return job.id;
    },
    async states(ids) {
      const found: AgencyJob[] = [];
      for (const job of ids)
        found.push({ id: job, state: (await sizeOf(job)) === null ? 'waiting_translation' : 'translation_ready', tsStatus: '' });
      return found;
    },
    async fetch(job) {
      const size = (await sizeOf(job)) ?? fail('lang_job_not_ready');
      if (size > maxFileBytes) fail('lang_too_large', { limit: maxFileBytes });
      return readFile(fileOf(job), 'utf8');
    },
    async delivered(job) {
      if ((await sizeOf(job)) === null) return;
      await mkdir(join(dropFolder, 'done'), { recursive: true });
      await rename(fileOf(job), join(dropFolder, 'done', `${job}.xliff`));
    },
    // A file exists or not: no search is needed.
    syncBatches: () => Promise.resolve([]),
    queuedBatches: () => Promise.resolve([]),
  };
}
