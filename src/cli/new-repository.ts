/**
 * A new site as a git repository: what git is to know of its files, schemas for editors, a check on every push, and a first post and page.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slugify } from '../kernel/model/slugs.ts';
import { findRepository } from '../kernel/store/git.ts';
import { failed } from './failure.ts';
import { addLines, installDriver } from './merge-driver.ts';
import { type Io, paint } from './io.ts';
import { ignored } from './new-site.ts';
import { writeSchemas } from './schema.ts';

interface RepositoryOptions {
  readonly dir: string;
  /** Login of the administrator, who writes the first post. */
  readonly admin: string;
  /** Their name, which the first commit has. */
  readonly name: string;
  readonly email: string;
  /** Site time, `YYYY-MM-DDTHH:MM:SS`. */
  readonly now: string;
  /** Lets git merge front matter field by field. */
  readonly mergeDriver: boolean;
}

const attributes = [
  '# Texts have one kind of line end in the repository; media stay as they are.',
  '* text=auto',
  'media/** -text',
];

const check = `# Checks the content on every push; findings are shown at their lines.
# Set the variable CMS_PACKAGE of the repository to where npm finds the program: a registry's name, a tarball or a git address.
name: Check the content
on: [push, pull_request]
jobs:
  validate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          # Lost addresses are found by comparing with what was there.
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: 20
      - run: npx --yes --package "\${{ vars.CMS_PACKAGE }}" cms validate . --format github
`;

/** Ids below are those of what a new site is expected to hold. */
const firstFiles = ({ now, admin }: RepositoryOptions): Readonly<Record<string, string>> => ({
  [`posts/${now.slice(0, 4)}/${now.slice(5, 7)}/hello.md`]: `---
id: 4
title: Hello
date: ${now}
author: ${slugify(admin)}
tags: []
---
This is the first post. It is a file; change it and look at the site again.
`,
  'pages/about.md': `---
id: 5
title: About
date: ${now}
author: ${slugify(admin)}
---
This is a page. Its address is its path: \`pages/about.md\` is at \`/about/\`.
`,
});

/** Makes the files, and a first commit of the whole site. @throws Failure when git cannot be run; the site is there then */
export async function makeRepository(options: RepositoryOptions, io: Io): Promise<void> {
  const { dir, admin, name, email } = options;
  for (const [path, text] of Object.entries({ ...firstFiles(options), '.github/workflows/validate.yml': check }))
    put(join(dir, path), text);
  addLines(join(dir, '.gitignore'), ignored);
  addLines(join(dir, '.gitattributes'), attributes);
  const schemas = await writeSchemas(dir, join(dir, '.schemas'), io);
  const byFile = Object.fromEntries(schemas.map(({ name, files }) => [`./.schemas/${name}.schema.json`, files]));
  put(join(dir, '.vscode/settings.json'), `${JSON.stringify({ 'yaml.schemas': byFile }, null, 2)}\n`);
  if (findRepository(dir) === null) git(dir, 'init', '--quiet', '--initial-branch=main');
  if (options.mergeDriver) installDriver(dir, io);
  git(dir, 'add', '--all', '.');
  const by = ['-c', `user.name=${name}`, '-c', `user.email=${email || `${admin.replace(/\s+/g, '.')}@localhost`}`];
  git(dir, ...by, '-c', 'commit.gpgsign=false', 'commit', '--quiet', '--no-verify', '--message', 'Begin the site', '--', '.');
  io.err(`${paint(io, 'err', 'green', 'committed')} the site to a git repository, with a first post and page`);
}

function put(path: string, text: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function git(dir: string, ...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('git', ['-C', dir, ...args], { encoding: 'utf8' });
  if (status !== 0)
    failed(`the site was created, but git failed: ${(error?.message ?? stderr).trim()}`, `to create one: git init ${dir}`);
}
