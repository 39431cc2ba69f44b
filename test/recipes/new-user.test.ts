/** The way of `docs/moving.md` up to the website, which the recipes have: with an export file and a live site, by the packed program. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** npm takes its time where others work. */
const patienceMs = 900_000;

it(
  'a new user moves a site with only what the docs say',
  async () => {
    const script = resolve(import.meta.dirname, '../../bench/new-user.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--no-front', '--cache'], { maxBuffer: 1e7 });
    expect(stdout).toMatch(/^file +[\d.]+ s {2}cms import export\.xml/m);
    expect(stdout).toMatch(/^live +[\d.]+ s {2}cms import http:\/\/127\.0\.0\.1:\d+\/blog .*--user anna/m);
    for (const name of ['file', 'live'])
      for (const command of ['cms validate', 'git init', 'cms serve', 'cms media fetch', 'cms redirects'])
        expect(stdout).toMatch(new RegExp(`^${name} +[\\d.]+ s {2}${command}`, 'm'));
  },
  patienceMs,
);
