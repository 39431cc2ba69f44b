#!/usr/bin/env node
/**
 * Makes the site that the extended recordings begin with: `node .ci/extended-site.mjs DIR`. With `--basic`, the one that those of the
 * basic deployment do: with a default language whose addresses have no segment. The last line is the password, as the program that
 * replays them wants it.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [dir, flag] = process.argv.slice(2);
const init = ['init', dir, '--deployment', 'extended', '--title', 'Example Site', '--admin', 'admin'];
const site = ['--email', 'admin@example.com', '--timezone', 'Europe/Berlin', '--writing', 'markup'];
const made = spawnSync(process.execPath, [join(here, '..', 'bin', 'cms.js'), ...init, ...site], { encoding: 'utf8' });
if (made.status !== 0) {
  process.stderr.write(made.stderr);
  process.exit(1);
}
if (flag === '--basic') {
  appendFileSync(join(dir, 'site.yaml'), 'lang:\n  url: { mode: directory, default_in_directory: false }\n');
} else {
  appendFileSync(join(dir, 'site.yaml'), readFileSync(join(here, 'extended-site.yaml')));
  // The default category of the second language.
  mkdirSync(join(dir, 'terms', 'category'), { recursive: true });
  const category = 'name: Allgemein\nlang: de\ntranslation_of: uncategorized\n';
  writeFileSync(join(dir, 'terms', 'category', 'allgemein.yaml'), category);
}
process.stdout.write(made.stdout);
