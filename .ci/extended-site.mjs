#!/usr/bin/env node
/**
 * Makes the site that the extended recordings begin with: `node .ci/extended-site.mjs DIR`. With `--basic`, the one that those of the
 * basic deployment do: with a default language whose addresses have no segment. With `--seo` and `--seo-values`, those of search
 * metadata: with that language alone. Only they were recorded with the head among the members of items. The last line is the password,
 * as the program that replays them wants it.
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
const settings = (text) => appendFileSync(join(dir, 'site.yaml'), text);
const url = 'url: { mode: directory, default_in_directory: false }';
if (flag === '--basic') {
  settings(`lang:\n  ${url}\nseo: { head_in_answers: false }\n`);
} else if (flag?.startsWith('--seo')) {
  settings(`lang:\n  default: en\n  languages:\n    en: { locale: en_US, name: English, native_name: English }\n  ${url}\n`);
  // The recorded site had an extension with these fields.
  mkdirSync(join(dir, 'plugins'));
  const meta = ['subtitle', 'alpha', 'alphabet', '_hidden'].map((name) => [name, { type: 'string', default: '' }]);
  const plugin = { name: 'recorded-fields', extend: { post: { meta: Object.fromEntries(meta) } } };
  writeFileSync(join(dir, 'plugins', 'recorded-fields.mjs'), `export default ${JSON.stringify(plugin)};\n`);
  if (flag === '--seo-values') settings(readFileSync(join(here, 'seo-values-site.yaml')));
} else {
  settings(readFileSync(join(here, 'extended-site.yaml')));
  settings('seo: { head_in_answers: false }\n');
  // The default category of the second language.
  mkdirSync(join(dir, 'terms', 'category'), { recursive: true });
  const category = 'name: Allgemein\nlang: de\ntranslation_of: uncategorized\n';
  writeFileSync(join(dir, 'terms', 'category', 'allgemein.yaml'), category);
}
process.stdout.write(made.stdout);
