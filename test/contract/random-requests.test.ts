/**
 * The short form of `bench/fuzz.mjs`: random requests in both spellings, each answer against its schema, and reads again after a
 * restart. `FUZZ_SEED=…` draws others, `FUZZ_REQUESTS=…` more of them.
 */
import { describe, expect, it } from 'vitest';
import { runLockstep } from '../../bench/fuzz/lockstep.mjs';
import { isLeftOut, programOf } from '../../bench/fuzz/program.mjs';
import * as newSite from '../../src/cli/new-site.ts';
import * as deployments from '../../src/deployments.ts';
import * as errors from '../../src/kernel/errors.ts';
import * as address from '../../src/kernel/http/address.ts';
import * as answers from '../../src/kernel/http/answers.ts';
import * as frontCache from '../../src/kernel/http/front-cache.ts';
import * as request from '../../src/kernel/http/request.ts';
import * as dialect from '../../src/kernel/rest/dialect.ts';
import * as dispatch from '../../src/kernel/rest/dispatch.ts';
import * as validate from '../../src/kernel/rest/validate.ts';
import * as openSite from '../../src/open-site.ts';

const modules = { dialect, newSite, openSite, dispatch, address, request, answers, frontCache, errors, deployments, validate };
const requests = Number(process.env.FUZZ_REQUESTS ?? 500);
const seed = Number(process.env.FUZZ_SEED ?? 11);

describe('random requests', () => {
  it('return the same in both dialects, match their schemas, and survive a restart', async () => {
    const { differences, answered } = await runLockstep(programOf(modules), { requests, seed, restartEvery: 250, isLeftOut });
    expect(differences).toEqual([]);
    // They reach behind the checks: some read and write.
    expect(answered[200]).toBeGreaterThan(requests / 10);
    expect(answered[201]).toBeGreaterThan(requests / 100);
    expect(answered[400]).toBeGreaterThan(requests / 10);
  }, 120_000);

  it('report differences', async () => {
    const odd = {
      ...answers,
      createAnswers(...options: Parameters<typeof answers.createAnswers>): answers.AnswerOf {
        const answerOf = answers.createAnswers(...options);
        return async (incoming, { dialect, ...address }, ...rest) => {
          const written = await answerOf(incoming, { dialect, ...address }, ...rest);
          if (!written?.body || dialect.name !== 'original') return written;
          return { ...written, body: Buffer.from(written.body).toString().replace('"id":', '"cms_block":') };
        };
      },
    };
    const run = await runLockstep(programOf({ ...modules, answers: odd }), { requests: 40, seed, restartEvery: 40, isLeftOut });
    expect(run.differences.some((line) => line.includes('the spellings differ'))).toBe(true);
    expect(run.differences.some((line) => line.includes('in the original spelling has'))).toBe(true);
  }, 120_000);
});
