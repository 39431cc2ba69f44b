/**
 * `cms init`: a site in a new or empty folder. What people should know goes to standard error; the last line of standard
 * output is the administrator's application password, and there is no other.
 */
import { keepAddresses } from './adopted-addresses.ts';
import { writeAgentsFile } from './agents-file.ts';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { now } from '../kernel/model/dates.ts';
import { makeRepository } from './new-repository.ts';
import { adoptedSite } from './adopt-site.ts';
import { localeFor } from './new-languages.ts';
import { ignored, scaffoldSite, siteFile } from './new-site.ts';
import { basicSettings } from '../deployments.ts';
import { misuse } from './failure.ts';
import { email, language, languages, login, systemZone, url, zone, examples } from './flags.ts';
import { type Io, paint } from './io.ts';

interface Options {
  readonly deployment: string;
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  readonly timezone?: string;
  readonly admin?: string;
  readonly name?: string;
  readonly email: string;
  readonly writing: string;
  readonly language?: string;
  readonly languages?: readonly string[];
  readonly repository?: boolean;
  readonly mergeDriver?: true;
  readonly adopt?: true;
  readonly dryRun?: true;
}

/** Menu locations that the default theme shows. */
const themeLocations = { header: 'Header', footer: 'Footer' };

/** What an empty folder may hold: the repository it will be kept in, and what its owner tells programs. */
const allowed = new Set(['.git', '.gitignore', 'AGENTS.md']);

export function defineInit(command: Command, io: Io): void {
  command
    .argument('<dir>', 'new or empty folder for the site')
    .addOption(new Option('--deployment <shape>', 'APIs that the site offers').choices(choicesOf('deployment')).default('basic'))
    .option('--title <text>', 'name of the site (default: name of the folder)')
    .option('--description <text>', 'short description of the site')
    .option('--url <address>', 'public URL (default: the address the server listens on)', url)
    .option('--timezone <zone>', `time zone of the site's dates (default: ${systemZone()})`, zone)
    .option('--admin <login>', 'login of the administrator (default: admin)', login)
    .option('--name <text>', "the administrator's name for readers (default: --admin, or the name of the site)")
    .option('--email <address>', "the administrator's email address", email, '')
    .addOption(
      new Option('--writing <kind>', 'format of files that clients create; auto decides by the text')
        .choices(choicesOf('writing'))
        .default('auto'),
    )
    .option('--language <locale>', 'language of the site (default: en_US)', language)
    .option(
      '--languages <list>',
      'with --deployment extended: languages of the content, the default one first (en,de)',
      languages,
    )
    .option('--repository', 'create a git repository, with a first post and page, editor schemas and a check on every push')
    .option('--no-repository', 'do not ask for a repository')
    .option('--merge-driver', 'with --repository: merge front matter field by field')
    .option(
      '--adopt',
      'serve a Jekyll, Hugo, Astro or Eleventy site in place: writes a site.yaml from its configuration and folders, and leaves its files as they are',
    )
    .option('--dry-run', 'with --adopt: print the site.yaml it would get, without changing anything')
    .action((dir: string, options: Options) => run(dir, options, io));
  examples(
    command,
    'cms init my-site --repository --merge-driver',
    'cms init my-site --title "Harbour Notes" --email me@example.com',
    'cms init my-blog --adopt --dry-run',
    'password=$(cms init my-site 2>/dev/null)',
  );
}

async function run(named: string, options: Options, io: Io): Promise<void> {
  const { repository: wanted, mergeDriver, adopt, dryRun, ...given } = options;
  if (mergeDriver && !wanted)
    misuse('--merge-driver requires --repository', 'in an existing repository: cms merge-driver --install');
  if (given.languages && given.deployment !== 'extended') misuse('--languages requires --deployment extended');
  if (dryRun && !adopt) misuse('--dry-run requires --adopt');
  if (adopt && wanted)
    misuse('--adopt cannot be combined with --repository', 'it leaves the folder as it is; create a repository with git init');
  const dir = resolve(io.cwd, named);
  const before = await contentsOf(dir, named, { isAdopted: adopt === true });
  const adopted = adopt ? await adoptedSite(dir, named, io) : undefined;
  const said = Object.fromEntries(Object.entries({ ...given, ...languagesOf(given) }).filter(([, value]) => value !== undefined));
  const site = {
    ...given,
    title: basename(dir),
    timezone: systemZone(),
    language: 'en_US',
    admin: 'admin',
    ...Object.fromEntries(Object.entries(adopted ?? {}).filter(([, value]) => value !== undefined)),
    ...said,
    dir,
  };
  if (dryRun) {
    for (const line of siteFile(site).trimEnd().split('\n')) io.out(line);
    return;
  }
  const name = given.name ?? given.admin ?? (await askName(site.title, io));
  const repository = wanted ?? (adopt ? false : await wantsRepository(io));
  const password = await scaffoldSite({ ...site, name, ...(repository ? { settings: { menu_locations: themeLocations } } : {}) });
  // A generator that builds an adopted folder, too, could make a page of it.
  if (!adopt) writeAgentsFile(dir);
  io.err(`${paint(io, 'err', 'green', 'created')} ${named}: ${site.title}`);
  io.err(`  serve it:  cms serve ${named}`);
  if (given.deployment === 'extended' && !site.languages)
    io.err('  its content is in English and German, at /en/ and /de/; change them with lang: in site.yaml, or --languages');
  if (adopt) await keepAddresses(dir, io);
  if (adopt) io.err(`  check it:  cms validate ${named}`);
  else if (repository)
    await makeRepository({ ...site, name, mergeDriver: mergeDriver === true, now: now(site.timezone, Date.now()).local }, io);
  else io.err(`  keep it in git: git init -q ${named}`);
  if (before.has('.gitignore') && !repository)
    io.err(`  .gitignore was not changed; add these lines to it: ${ignored.join(', ')}`);
  io.err(`  application password of ${site.admin}, shown only once:`);
  io.out(password);
}

/** The languages of the content and that of the site go together: whoever names one of them has named the other. */
function languagesOf({ deployment, language: own, languages: named }: Options): Pick<Options, 'language' | 'languages'> {
  if (deployment !== 'extended') return {};
  if (named) return { languages: named, language: own ?? (named[0] as string) };
  return own ? { languages: [localeFor(own)] } : {};
}

/** Nobody wants the byline "admin": without an answer, the site signs what is written. */
async function askName(title: string, io: Io): Promise<string> {
  return (await io.ask?.(`Your name, as readers see it [${title}] `))?.trim() || title;
}

/** Whether the person at the terminal wants one; nobody else is asked. */
async function wantsRepository(io: Io): Promise<boolean> {
  const answer = await io.ask?.('Keep the site in a git repository, with a first post and page? [Y/n] ');
  return answer !== undefined && !/^\s*n/i.test(answer);
}

/** Names in a folder that may become a site; none for a folder that is not there. @throws Failure with status 2 */
export async function contentsOf(
  dir: string,
  named: string,
  { isAdopted = false }: { readonly isAdopted?: boolean } = {},
): Promise<Set<string>> {
  if (!existsSync(dir)) return isAdopted ? misuse(`"${named}" does not exist`, 'name the folder of the site') : new Set();
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return misuse(`"${named}" is a file, not a folder`, 'name a new or empty folder');
    throw error;
  });
  if (names.includes('site.yaml')) misuse(`"${named}" is already a site`, `to serve it: cms serve ${named}`);
  if (!isAdopted && names.some((name) => !allowed.has(name)))
    misuse(`"${named}" is not empty`, 'name a new or empty folder; nothing was changed');
  return new Set(names);
}

function choicesOf(key: string): string[] {
  return Object.values(basicSettings.find((row) => row.key === key)?.schema.enum ?? []).map(String);
}
