/**
 * The command line. Each command is a module of its own, loaded when it is called, so that `cms --help` is there at once.
 *
 * Exit status: 0 fine, 1 findings or failed work, 2 misuse.
 */
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { StateError, stateDirectory } from '../kernel/store/state.ts';
import type { EngineCopy } from './engine-copy.ts';
import { describeError, Failure, misuse, refusalOf, status } from './failure.ts';
import { type Io, paint } from './io.ts';
import { examples } from './help.ts';

/** What `bin/cms.js` runs it with. */
export { processIo } from './io.ts';

/** Adds arguments, options and the action to a command. */
type Define = (command: Command, io: Io) => void;

interface Listed {
  readonly name: string;
  readonly summary: string;
  /** Whether it is started often enough that its compiled code is kept. */
  readonly isCached?: true;
  /** It reads operator settings, and may be told which file has them. */
  readonly hasOperator?: true;
  /** What it does where `--engine` or `CMS_ENGINE` names a database. */
  readonly engine: OnEngine;
  load(): Promise<Define>;
}

/**
 * `asks`: it opens the engine itself, by `contentPlace` of `flags.ts`. `copies`: it works on a copy in a folder; whether what it changes
 * there is brought back. `refuses`: why it cannot work on one. Null: it has nothing to do with content.
 */
type OnEngine = 'asks' | { readonly copies: (options: Options) => boolean } | { readonly refuses: string } | null;
type Options = Readonly<Record<string, unknown>>;

const readsCopy: OnEngine = { copies: () => false };
/** History is that of a folder's repository. */
const inRemote: OnEngine = { refuses: 'the history of a database is in its git remote: use git in a clone of it' };

const commands: readonly Listed[] = [
  {
    name: 'init',
    engine: null,
    summary: 'create a site in a new or empty folder',
    load: async () => (await import('./init.ts')).defineInit,
  },
  {
    name: 'serve',
    engine: 'asks',
    hasOperator: true,
    summary: 'serve a content folder',
    isCached: true,
    load: async () => (await import('./serve.ts')).defineServe,
  },
  {
    name: 'start',
    engine: { refuses: 'start serves the folder ./content: use cms serve' },
    hasOperator: true,
    summary: 'serve ./content as a demo, with an administrator created on the first run',
    isCached: true,
    load: async () => (await import('./start.ts')).defineStart,
  },
  {
    name: 'import',
    engine: { copies: ({ dryRun }) => dryRun !== true },
    hasOperator: true,
    summary: 'import a site from another system',
    load: async () => (await import('./import.ts')).defineImport,
  },
  {
    name: 'validate',
    engine: { copies: ({ fix, dryRun }) => fix === true && dryRun !== true },
    hasOperator: true,
    summary: 'check the files of a content folder',
    load: async () => (await import('./validate.ts')).defineValidate,
  },
  {
    name: 'schema',
    engine: readsCopy,
    hasOperator: true,
    summary: 'write JSON Schemas of the files for editors',
    load: async () => (await import('./schema.ts')).defineSchema,
  },
  {
    name: 'user',
    engine: 'asks',
    hasOperator: true,
    summary: 'list, create, change and delete users',
    load: async () => (await import('./user.ts')).defineUser,
  },
  {
    name: 'password',
    engine: 'asks',
    hasOperator: true,
    summary: 'create, list and revoke application passwords',
    load: async () => (await import('./password.ts')).definePassword,
  },
  {
    name: 'doctor',
    engine: readsCopy,
    hasOperator: true,
    summary: 'check the setup of a site, or why credentials do not work',
    load: async () => (await import('./doctor.ts')).defineDoctor,
  },
  {
    name: 'adopt',
    engine: { refuses: 'private files in a database need no adopting: whoever may write them has its password' },
    summary: 'adopt accounts and other private files that were not created on this machine',
    load: async () => (await import('./adopt.ts')).defineAdopt,
  },
  {
    name: 'engine',
    engine: 'asks',
    summary: 'set up a database for several nodes, and move content in and out',
    load: async () => (await import('./engine.ts')).defineEngine,
  },
  {
    name: 'media',
    engine: { refuses: 'media commands work on files: copy the content with cms engine pull' },
    hasOperator: true,
    summary: 'fetch, list and prepare media files',
    load: async () => (await import('./media.ts')).defineMedia,
  },
  {
    name: 'events',
    engine: 'asks',
    hasOperator: true,
    summary: 'list, test and resend webhooks',
    load: async () => (await import('./events.ts')).defineEvents,
  },
  {
    name: 'mail',
    engine: 'asks',
    hasOperator: true,
    summary: 'list, test and resend email',
    load: async () => (await import('./mail.ts')).defineMail,
  },
  {
    name: 'images',
    engine: 'asks',
    hasOperator: true,
    summary: 'sign image URLs in other sizes',
    load: async () => (await import('./images.ts')).defineImages,
  },
  {
    name: 'export',
    engine: 'asks',
    hasOperator: true,
    summary: 'export a site as one file or as static files',
    load: async () => (await import('./export.ts')).defineExport,
  },
  {
    name: 'backup',
    engine: readsCopy,
    hasOperator: true,
    summary: 'archive content and private data, also while a server runs',
    load: async () => (await import('./backup.ts')).defineBackup,
  },
  {
    name: 'translate',
    engine: 'asks',
    hasOperator: true,
    summary: 'order translations, and exchange them as XLIFF',
    load: async () => (await import('./translate.ts')).defineTranslate,
  },
  {
    name: 'log',
    engine: inRemote,
    hasOperator: true,
    summary: "list the commits of an item's file",
    load: async () => (await import('./log.ts')).defineLog,
  },
  {
    name: 'diff',
    engine: inRemote,
    hasOperator: true,
    summary: "compare two versions of an item's file",
    load: async () => (await import('./diff.ts')).defineDiff,
  },
  {
    name: 'restore',
    engine: { refuses: 'restore works on a folder, without --engine and CMS_ENGINE: push that folder then' },
    hasOperator: true,
    summary: 'restore an item from git, or a folder from a backup',
    load: async () => (await import('./restore.ts')).defineRestore,
  },
  {
    name: 'merge-driver',
    engine: null,
    summary: 'merge content files for git, field by field',
    load: async () => (await import('./merge-driver.ts')).defineMergeDriver,
  },
  {
    name: 'redirects',
    engine: 'asks',
    hasOperator: true,
    summary: 'list the redirects of a site, or print them for a host',
    load: async () => (await import('./redirects.ts')).defineRedirects,
  },
  {
    name: 'routes',
    engine: readsCopy,
    summary: 'list the routes of the REST API',
    hasOperator: true,
    load: async () => (await import('./routes.ts')).defineRoutes,
  },
  {
    name: 'openapi',
    engine: 'asks',
    hasOperator: true,
    summary: 'print the API of a site as OpenAPI 3.1, or as a page',
    load: async () => (await import('./openapi.ts')).defineOpenApi,
  },
  {
    name: 'types',
    engine: 'asks',
    hasOperator: true,
    summary: 'print TypeScript types and a client of a site',
    load: async () => (await import('./types.ts')).defineTypes,
  },
  {
    name: 'item',
    engine: 'asks',
    hasOperator: true,
    summary: 'list, read, create, change and delete items',
    load: async () => (await import('./item.ts')).defineItem,
  },
  {
    name: 'mcp',
    engine: 'asks',
    hasOperator: true,
    summary: 'offer the tools of a content folder to an agent, over stdio',
    load: async () => (await import('./mcp.ts')).defineMcp,
  },
  {
    name: 'completion',
    engine: null,
    summary: 'print a completion script for bash, zsh or fish',
    async load() {
      const { defineCompletion } = await import('./completion.ts');
      return (command, io) => defineCompletion(command, io, () => createProgram(null, io));
    },
  },
];

/** Runs a command line. @returns the exit status */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let copy: KeptCopy | null = null;
  try {
    const program = await createProgram(argv, io, (taken) => {
      copy = taken;
    });
    return await finished(program.parseAsync(argv, { from: 'user' }), () => copy);
  } catch (error) {
    return report(error, io);
  }
}

/** A copy of an engine, and whether what is changed there is brought back. */
interface KeptCopy {
  readonly copy: EngineCopy;
  readonly isChanged: boolean;
}

/** What the command has found does not keep what it has changed from the engine; what nobody expected does. */
async function finished(work: Promise<unknown>, copyOf: () => KeptCopy | null): Promise<number> {
  try {
    const failure = await work.then(
      () => null,
      (error: unknown) => {
        if (error instanceof Failure) return error;
        throw error;
      },
    );
    const taken = copyOf();
    if (taken?.isChanged) await taken.copy.bringBack();
    if (failure) throw failure;
    return status.fine;
  } finally {
    copyOf()?.copy.end();
  }
}

/**
 * @param argv  the command line: of the command that it calls all is known, of the others the name. Null: all of all commands
 * @param take  is given a copy of the engine that a command works on
 */
export async function createProgram(
  argv: readonly string[] | null,
  io: Io,
  take: (copy: KeptCopy) => void = () => undefined,
): Promise<Command> {
  const program = new Command('cms')
    .description('A content backend for websites: a folder of files behind a REST API.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.replace(/\n$/, '')),
      writeErr: (text) => io.err(text.replace(/\n$/, '')),
      outputError: (text, write) =>
        write(text.replace(/^error: (?:command-argument value (?='))?/, `${paint(io, 'err', 'red', 'cms:')} `)),
    });
  const called = argv?.filter((word) => !word.startsWith('-')).find((word) => word !== 'help');
  for (const { name, summary, isCached, hasOperator, engine, load } of commands) {
    const command = program.command(name).description(summary);
    if (isCached && name === called) cacheCode();
    if (argv !== null && name !== called) continue;
    const env = { ...io.env };
    let copied: EngineCopy | null = null;
    const own = { ...io, env, copied: () => copied };
    (await load())(command, own);
    if (engine !== null)
      takeEngine(command, engine, own, (copy) => {
        copied = copy.copy;
        take(copy);
      });
    if (hasOperator) {
      const description = 'file with operator settings (default: cms.config.yaml next to the content folder)';
      takeOption(command, ['config', '<file>', description], (file) => Object.assign(env, { CMS_CONFIG: file }));
    }
  }
  return examples(program, 'cms init my-site', 'cms serve my-site');
}

function takeEngine(
  command: Command,
  engine: NonNullable<OnEngine>,
  io: Io & { readonly env: Record<string, string | undefined> },
  take: (copy: KeptCopy) => void,
): void {
  const description = 'database of several nodes, in place of a content folder (default: $CMS_ENGINE)';
  const name = (address: string): void => void Object.assign(io.env, { CMS_ENGINE: address });
  if (typeof engine === 'object' && 'copies' in engine) {
    command.option('--engine <address>', description);
    command.hook('preAction', async (_, called) => {
      if (called !== command) return;
      const options = called.opts<Options>();
      if (typeof options.engine === 'string') name(options.engine);
      if (!io.env.CMS_ENGINE) return;
      const { copyOut } = await import('./engine-copy.ts');
      take({ copy: await copyOut({ ...io, env: { ...io.env } }), isChanged: engine.copies(options) });
      // From now on it is a folder.
      name('');
    });
    return;
  }
  const refuses = typeof engine === 'object' ? engine.refuses : null;
  takeOption(command, ['engine', '<address>', description], refuses === null ? name : () => misuse(refuses), refuses !== null);
  command.hook('preAction', () => {
    if (refuses !== null && io.env.CMS_ENGINE) misuse(refuses);
  });
}

/** `--config` and `--engine`, of the command or of those below it that do the work. */
function takeOption(
  command: Command,
  option: readonly [string, string, string],
  take: (value: string) => void,
  isHidden = false,
): void {
  for (const below of command.commands) takeOption(below, option, take, isHidden);
  // Of several commands below one, each takes it; the one above only where it does something itself.
  if (command.commands.length > 0 && command.registeredArguments.length === 0) return;
  const [name, argument, description] = option;
  command.addOption(new Option(`--${name} ${argument}`, description).hideHelp(isHidden));
  command.hook('preAction', (called) => {
    const value = called.opts<Record<string, string | undefined>>()[name];
    if (value !== undefined) take(value);
  });
}

/**
 * Keeps compiled code in `<state>/code`, where Node can (from 22.1): a start then takes about an eighth less. Only in a state
 * directory that a site has used already: it is its owner's alone and outside the content, and whoever may write there may run code.
 * `NODE_COMPILE_CACHE` names another place, `NODE_DISABLE_COMPILE_CACHE=1` none.
 */
function cacheCode(): void {
  const { enableCompileCache } = module as { enableCompileCache?: (dir: string) => unknown };
  const state = stateDirectory();
  if (existsSync(join(state, 'key'))) enableCompileCache?.(join(state, 'code'));
}

function report(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? status.fine : status.misused;
  const isKnown = error instanceof Failure;
  if (isKnown && error.message === '') return error.status;
  io.err(`${paint(io, 'err', 'red', 'cms:')} ${describeError(error)}`);
  const hint = isKnown || error instanceof StateError ? error.hint : undefined;
  if (hint) io.err(`  ${hint}`);
  if (io.env.CMS_DEBUG) io.err(stackOf(error));
  else if (!isKnown && !hint)
    io.err(refusalOf(error) ? '  check its owner and permissions' : '  CMS_DEBUG=1 shows where this happened');
  return isKnown ? error.status : status.failed;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack}${error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`}`;
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  return version;
}
