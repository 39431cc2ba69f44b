#!/usr/bin/env node
/**
 * Random requests against the built program, in both spellings: `npm run build:modules && node bench/fuzz.mjs --requests 100000 --seed 7`.
 * Exit status: 0 no differences, 1 differences, which are printed.
 */
import { isLeftOut, programOf } from './fuzz/program.mjs';
import { runLockstep } from './fuzz/lockstep.mjs';
import { readOptions } from './options.mjs';

const { values } = readOptions({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    'restart-every': { type: 'string', default: '1000' },
  },
});

const dist = (path) => import(`../.build-modules/${path}.js`);
const program = programOf({
  dialect: await dist('kernel/rest/dialect'),
  newSite: await dist('cli/new-site'),
  openSite: await dist('open-site'),
  dispatch: await dist('kernel/rest/dispatch'),
  address: await dist('kernel/http/address'),
  request: await dist('kernel/http/request'),
  answers: await dist('kernel/http/answers'),
  frontCache: await dist('kernel/http/front-cache'),
  errors: await dist('kernel/errors'),
  deployments: await dist('deployments'),
  validate: await dist('kernel/rest/validate'),
});

const start = performance.now();
const { differences, answered } = await runLockstep(program, {
  requests: Number(values.requests),
  seed: Number(values.seed),
  restartEvery: Number(values['restart-every']),
  isLeftOut,
  report: (difference) => console.log(difference),
  progress(done, found) {
    if (done % 1000 === 0)
      console.error(`${done} requests, ${found} differences, ${Math.round((performance.now() - start) / 1000)} s`);
  },
});
console.log(
  `${values.requests} requests with seed ${values.seed}: ${JSON.stringify(answered)}, ${differences.length} differences`,
);
process.exitCode = differences.length > 0 ? 1 : 0;
