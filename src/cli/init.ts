/**
 * `cms init`: a site in a new or empty folder. What people should know goes to standard error; the last line of standard
 * output is the administrator's application password, and there is no other.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { now } from '../kernel/model/dates.ts';
import { makeRepository } from './new-repository.ts';
import { ignored, scaffoldSite } from './new-site.ts';
import { basicSettings } from '../deployments.ts';
import { misuse } from './failure.ts';
import { email, language, login, systemZone, url, zone, examples } from './flags.ts';
import { type Io, paint } from './io.ts';

interface Options {
  readonly deployment: string;
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  readonly timezone: string;
  readonly admin: string;
  readonly email: string;
  readonly writing: string;
  readonly language: string;
  readonly repository?: true;
  readonly mergeDriver?: true;
}

/** What an empty folder may hold: the repository it will be kept in. */
const allowed = new Set(['.git', '.gitignore']);

export function defineInit(command: Command, io: Io): void {
  command
    .argument('<dir>', 'new or empty folder for the site')
    .addOption(
      new Option('--deployment <shape>', 'set of APIs that the site offers').choices(choicesOf('deployment')).default('basic'),
    )
    .option('--title <text>', 'name of the site (default: name of the folder)')
    .option('--description <text>', 'what the site is about, in a few words')
    .option('--url <address>', 'public URL (default: the address the server listens on)', url)
    .option('--timezone <zone>', "time zone of the site's dates", zone, systemZone())
    .option('--admin <login>', 'login of the administrator', login, 'admin')
    .option('--email <address>', "the administrator's e-mail address", email, '')
    .addOption(
      new Option('--writing <kind>', 'format of files that clients create; auto decides by the text')
        .choices(choicesOf('writing'))
        .default('auto'),
    )
    .option('--language <locale>', 'language of the site', language, 'en_US')
    .option('--repository', 'keep it in git: with a first post and page, schemas for editors and a check on every push')
    .option('--merge-driver', 'with --repository: let git merge front matter field by field')
    .action((dir: string, options: Options) => run(dir, options, io));
  examples(
    command,
    'cms init my-site --repository --merge-driver',
    'cms init my-site --title "Harbour Notes" --email me@example.com',
    'password=$(cms init my-site 2>/dev/null)',
  );
}

async function run(named: string, { title, repository, mergeDriver, ...options }: Options, io: Io): Promise<void> {
  if (mergeDriver && !repository)
    misuse('--merge-driver requires --repository', 'in a repository that is there: cms merge-driver --install');
  const dir = resolve(io.cwd, named);
  const before = await contentsOf(dir, named);
  const name = title ?? basename(dir);
  const password = await scaffoldSite({ ...options, dir, title: name });
  io.err(`${paint(io, 'err', 'green', 'created')} ${named}: ${name}`);
  io.err(`  serve it:  cms serve ${named}`);
  if (repository)
    await makeRepository(
      { dir, ...options, mergeDriver: mergeDriver === true, now: now(options.timezone, Date.now()).local },
      io,
    );
  else io.err(`  keep it in git: cms init --repository makes a repository, with a first post and page`);
  if (before.has('.gitignore') && !repository)
    io.err(`  .gitignore was not changed; add these lines to it: ${ignored.join(' and ')}`);
  io.err(`  application password of ${options.admin}, shown only once:`);
  io.out(password);
}

/** Names in a folder that may become a site; none for a folder that is not there. @throws Failure with status 2 */
export async function contentsOf(dir: string, named: string): Promise<Set<string>> {
  if (!existsSync(dir)) return new Set();
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return misuse(`"${named}" is a file, not a folder`, 'name a new or empty folder');
    throw error;
  });
  if (names.includes('site.yaml')) misuse(`"${named}" is already a site`, `to serve it: cms serve ${named}`);
  if (names.some((name) => !allowed.has(name)))
    misuse(`"${named}" is not empty`, 'name a new or empty folder; nothing was changed');
  return new Set(names);
}

function choicesOf(key: string): string[] {
  return Object.values(basicSettings.find((row) => row.key === key)?.schema.enum ?? []).map(String);
}
