/**
 * What goes on with the editor beside requests: calls that have to arrive, and jobs that are asked for now and then, so that a site
 * without a program that does it gets its translations all the same.
 */
import { RestError } from '../../../kernel/errors.ts';
import type { Job } from '../../../kernel/module.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Batch } from '../../../kernel/store/types.ts';
import type { JobEvent } from '../jobs/index.ts';
import type { JobRecord } from '../jobs/record.ts';
import type { OutboxKind } from '../upstream/record.ts';
import { fetchable, log, openJobs } from './editor.ts';
import { printGmt } from '../../../kernel/model/dates.ts';

/** How long the end of a job is told again after a start. */
const recentMs = 24 * 3_600_000;

export const pollEditor: Job = {
  name: 'external editor',
  start(site) {
    const { settings, outbox } = site.translationUpstream;
    const { editor } = settings;
    if (editor === null || editor.pollMs === 0 || site.store.readOnly) return () => undefined;
    let running: Promise<void> = Promise.resolve();
    const run = (): void => {
      running = running.then(() =>
        site.store.faults.background('external editor', async () => {
          await outbox.flush();
          await poll(site);
        }),
      );
    };
    const timer = setInterval(run, editor.pollMs);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await running;
    };
  },
};

/** Asks for all open jobs, and fetches what is finished. */
export async function poll(site: Site): Promise<void> {
  if (openJobs(site).length === 0) return;
  const arrived: number[] = [];
  try {
    let [lockKey, token, page, numberOfPages] = ['', '', 0, 0];
    for (;;) {
      const answer = await site.translationEditor.sync({ lockKey, token, page, numberOfPages, withManual: true });
      if (answer.lockKey === null) return;
      for (const { ateJobId, ateStatus, url } of answer.jobs) {
        const job = fetchable.includes(ateStatus) && url !== '' ? site.translationJobs.byEditorId(ateJobId) : undefined;
        if (job && (await fetched(site, job, url))) arrived.push(ateJobId);
      }
      if (answer.nextPage === null) break;
      [lockKey, token, page, numberOfPages] = [answer.lockKey, answer.ateToken ?? '', answer.nextPage, answer.numberOfPages ?? 0];
    }
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    log(site, `the editor could not be asked: ${error.code}`);
  }
  await site.translationEditor.confirm(arrived);
}

async function fetched(site: Site, job: JobRecord, url: string): Promise<boolean> {
  try {
    await site.translationEditor.fetch(job, url, null);
    return true;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    log(site, `job ${job.editorJobId} of the editor could not be applied: ${error.code}`);
    return false;
  }
}

/** Jobs that a batch shows as cancelled here: the editor has to be told. */
export function cancelledIn({ translationJobs }: Site, { entries }: Pick<Batch, 'entries'>): readonly number[] {
  return entries.flatMap(({ path }) => {
    const id = /^lang\/jobs\/(\d+)\.yaml$/.exec(path)?.[1];
    const job = id === undefined ? undefined : translationJobs.job(Number(id));
    return job && endedWith(job, 'cancel') ? [job.editorJobId] : [];
  });
}

/** Jobs that were cancelled, and those whose result was applied, a short while ago: whether the editor knows is not sure. */
export function endedLately(site: Site): Readonly<Record<OutboxKind, readonly number[]>> {
  const since = printGmt(site.clock() - recentMs);
  const jobs = [...site.translationJobs.statuses()].flatMap(({ job }) => site.translationJobs.job(job) ?? []);
  const lately = jobs.filter(({ history }) => (history.at(-1)?.at ?? '') > since);
  const idsOf = (event: JobEvent) => lately.filter((job) => endedWith(job, event)).map(({ editorJobId }) => editorJobId);
  return { cancel: idsOf('cancel'), confirm: idsOf('complete') };
}

function endedWith(job: JobRecord, event: JobEvent): boolean {
  return job.editor === 'ate' && job.editorJobId > 0 && job.history.at(-1)?.event === event;
}
