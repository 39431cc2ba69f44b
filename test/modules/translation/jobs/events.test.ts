/** Random sequences of events against the state table, on a running site: what is refused changes nothing. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RestError } from '../../../../src/kernel/errors.ts';
import { type JobEvent, statusAfter, transitions } from '../../../../src/modules/translation/jobs/states.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { answered, ordered, siteFiles } from './site.ts';

let at: TestSite;
beforeAll(async () => {
  at = await startSite({ files: siteFiles });
});
afterAll(() => at.close());

/** `complete` and `save` come with texts, `order` with a new job; the others are events as they are. */
const steps = fc.constantFrom<JobEvent | 'deliver' | 'part'>(
  ...(Object.keys(transitions) as JobEvent[]).filter(
    (event) => !['order', 'complete', 'save', 'cancel', 'assign', 'resign'].includes(event),
  ),
  ...(['order', 'order', 'cancel', 'assign', 'resign', 'deliver', 'part', 'part'] as const),
);

it('job events match the table', async () => {
  const { site } = at;
  const jobs = site.translationJobs;
  const act = async (step: JobEvent | 'deliver' | 'part', rid: number, jobId: number): Promise<unknown> => {
    if (step === 'order') return ordered(site, 12, 'page');
    if (step === 'deliver') return jobs.applyResult(jobId, answered(site, jobId, { change: (text) => `${text}x` }), null);
    if (step === 'part') return jobs.applyResult(jobId, answered(site, jobId, { only: (id) => id === 'title' }), null);
    if (step === 'assign') return jobs.assign(jobId, 1, null);
    if (step === 'resign') return jobs.assign(jobId, 0, null);
    if (step === 'cancel') return jobs.cancel([rid], null);
    return jobs.setStatus(rid, step, null);
  };
  const eventOf = { deliver: 'complete', part: 'save' } as const;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 12 }), async (sequence) => {
      await ordered(site, 12, 'page');
      const rid = jobs.statusOf('post_page', 12, 'de')?.id ?? 0;
      for (const step of sequence) {
        const before = jobs.status(rid);
        const job = jobs.current(rid);
        if (!before || !job) throw new Error('the job is gone');
        const event = step === 'deliver' || step === 'part' ? eventOf[step] : step;
        const wanted = statusAfter(event, before.status, before.prev);
        const { generation } = site.records;
        const refusal = await act(step, rid, job.id).then(
          () => null,
          (error: unknown) => error,
        );
        const after = jobs.status(rid);
        if (refusal !== null) {
          expect(refusal).toBeInstanceOf(RestError);
          expect(site.records.generation).toBe(generation);
          expect(after).toEqual(before);
        } else if (site.records.generation !== generation) expect([step, after?.status]).toEqual([step, wanted ?? 'refused']);
        // Whatever happens, the job that counts is of this status.
        expect(jobs.current(rid)?.rid).toBe(rid);
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);
