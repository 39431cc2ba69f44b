/**
 * `cms validate`: what a person should know about the files of a site. Reads only, unless --fix is given.
 */
import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readSequences } from '../kernel/store/taken-ids.ts';
import { createAccounts } from '../modules/people/accounts/accounts.ts';
import { committedEntries } from '../validate/committed.ts';
import { declaredBy } from '../modules/types/declarations.ts';
import { readRecords } from '../kernel/site/record-cache.ts';
import { createWitness } from '../kernel/site/witness.ts';
import { headBytes } from '../modules/media/files/types.ts';
import { type Circumstances, contested, repair, validate } from '../validate/validate.ts';
import { type Content, declare, type Declarations } from '../validate/declarations.ts';
import { locate } from '../kernel/store/locate.ts';
import type { RepairPlan } from '../validate/repairs.ts';
import { rules } from '../validate/rules.ts';
import type { Rule } from '../kernel/model/remark.ts';
import { slugify } from '../kernel/model/slugs.ts';
import { standardTaxonomies } from '../modules/types/taxonomies.ts';
import { standardTypes } from '../modules/types/types.ts';
import { printEntry } from '../kernel/yaml/codec.ts';
import { findRepository, GitError } from '../kernel/store/git.ts';
import { kindOf } from '../kernel/store/paths.ts';
import { embeddedRepositories, trackedProblems } from '../validate/repositories.ts';
import { scanFolder } from './folder-files.ts';
import { problemOf } from '../kernel/store/problems.ts';
import { isHalfWritten, type OpenStore } from '../kernel/store/store.ts';
import { openContent } from '../open-content.ts';
import { StaleWriteError, type Entry, type Problem, type Store } from '../kernel/store/types.ts';
import { Failure, failed, misuse, status } from './failure.ts';
import { unifiedDiff } from '../modules/git/diff/index.ts';
import { printGithub } from './findings/github.ts';
import { countsOf, type FindingsReport, printJson, printRules } from './findings/report.ts';
import { printSarif } from './findings/sarif.ts';
import { printText } from './findings/text.ts';
import { modulesOf } from '../deployments.ts';
import { operatorOf } from './operator.ts';
import { contentFolder, examples } from './flags.ts';
import { createProgress, type Io, printTable } from './io.ts';
import { allowsPlugins, configHint, ignoredConfig } from './operator.ts';
import { pluginsOf } from './plugins.ts';
import { findPlugins } from '../load-plugins.ts';

interface Options {
  readonly format: 'text' | 'json' | 'sarif' | 'github';
  readonly json?: true;
  readonly notes?: true;
  readonly fix?: true;
  readonly dryRun?: true;
  readonly rules?: true;
  readonly maxWarnings?: number;
}

export function defineValidate(command: Command, io: Io): void {
  command
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'json', 'sarif', 'github']).default('text'))
    .option('--json', 'same as --format json')
    .option('--notes', 'also show notes; other formats always include them')
    .option('--max-warnings <number>', 'fail if there are more warnings than this', whole)
    .option('--fix', 'fix what is safe to fix: ids, former slugs and URLs')
    .option('--dry-run', 'with --fix: show the changes, without writing them')
    .option('--rules', 'list the rules that are checked')
    .action(async (dir: string | undefined, { json, ...options }: Options) => {
      if (json && options.format !== 'text' && options.format !== 'json')
        misuse(`--json cannot be combined with --format ${options.format}`);
      const chosen: Options = json ? { ...options, format: 'json' } : options;
      if (chosen.dryRun && !chosen.fix) misuse('--dry-run requires --fix');
      refuseIdle(chosen);
      if (chosen.rules) {
        listRules(chosen, io);
        return;
      }
      await run(contentFolder(dir, io), chosen, io);
    });
  examples(
    command,
    'cms validate my-site',
    'cms validate my-site --fix --dry-run',
    'cms validate --format github --max-warnings 0',
  );
}

/** A list of rules and a diff take few of the options. @throws Failure with status 2 for one that would do nothing */
function refuseIdle({ rules: lists, dryRun, fix, notes, maxWarnings, format }: Options): void {
  if (!lists && !dryRun) return;
  const given = {
    fix: lists && fix,
    notes,
    'max-warnings': maxWarnings,
    format: !['text', lists ? 'json' : 'text'].includes(format),
  };
  const idle = Object.entries(given).find(([, value]) => value !== undefined && value !== false);
  if (idle) misuse(`--${idle[0]} does not apply to ${lists ? '--rules' : '--dry-run'}`);
}

/** What git could bring to set up the server, and to run on it. */
function operatorProblems(dir: string, io: Io): readonly Problem[] {
  const config = ignoredConfig(dir, io);
  if (config === null) return [];
  const problem = (path: string, rule: 'operator-file' | 'plugin-in-repository', message: string): Problem => ({
    ...{ path, line: 1, column: 1, rule, severity: 'error' as const, message, hint: configHint },
  });
  const names = allowsPlugins(dir, io) ? findPlugins(dir) : [];
  return [
    problem(config, 'operator-file', 'Its settings do not count: git could bring them, and they set up the server.'),
    ...names.map((name) =>
      problem(name, 'plugin-in-repository', 'It is not run: only a file that git could bring allows plugins.'),
    ),
  ];
}

async function run(dir: string, options: Options, io: Io): Promise<void> {
  const { format, fix, dryRun, maxWarnings } = options;
  const store = await openContent({ dir, readOnly: !fix || dryRun === true }, operatorOf(dir, io));
  try {
    const progress = createProgress(io, 'reading files');
    const halfWritten = await halfWrittenIn(store);
    const batch = await store.load(progress.update);
    progress.end();
    const file = batch.entries.find(({ path }) => path === 'site.yaml');
    const declared = declaredBy(file, standardTypes, standardTaxonomies);
    const plugins = await pluginsOf(dir, io);
    const model = declare({
      ...declared,
      modules: [...modulesOf(file?.data.deployment), ...plugins],
      hasPlugins: plugins.length > 0,
      entry: file,
    });
    const committed = await lastCommit(dir, batch.entries, store, io);
    const content: Content = { ...batch, others: await othersIn(dir) };
    const keepers = (await keepersOf(store, content, model)) ?? [];
    const circumstances = { ...(await circumstancesOf(store)), committed, keepers, isInRepository: isInRepository(dir) };
    if (dryRun) return await show(repair(content, model, circumstances), store, io);
    const { repairs, left } = fix ? await fixed(content, model, circumstances, store) : { repairs: [], left: content };
    const declarations = declared.problems.map((one) => ({ ...one, keys: one.keys ?? [] }));
    const found = await locate([...declarations, ...validate(left, model, circumstances)], store.readBytes);
    const around = [...operatorProblems(dir, io), ...(await folderProblems(dir, store))];
    const problems = [...halfWritten, ...store.problems(), ...around, ...found];
    const files = left.entries.length + left.blobs.length + store.problems().length;
    const report: FindingsReport = { files, problems, repairs, base: baseOf(dir, io) };
    for (const line of print(report, options, io)) io.out(line);
    const { errors, warnings } = countsOf(problems);
    if (errors === 0 && warnings > (maxWarnings ?? Number.POSITIVE_INFINITY)) {
      if (format === 'text') io.err(`more than ${maxWarnings} warning${maxWarnings === 1 ? '' : 's'}`);
      throw new Findings();
    }
    if (errors > 0) throw new Findings();
  } finally {
    await store.close();
  }
}

/** What lies in the folder and is no content: private files of others, what git has of our own, repositories. */
async function folderProblems(dir: string, store: Store): Promise<Problem[]> {
  const tracked = await trackedProblems(dir).catch((error: unknown) => {
    if (error instanceof GitError) return [];
    throw error;
  });
  return [...((await store.private.inspect?.()) ?? []), ...tracked, ...(await embeddedRepositories(dir))];
}

/** What could not be finished when the folder was opened. */
async function halfWrittenIn(store: OpenStore): Promise<readonly Problem[]> {
  if (!(await isHalfWritten(store))) return [];
  const { severity, about, help } = rules['half-written'];
  return [{ ...problemOf('.cms/log', { rule: 'half-written', message: about, hint: help }), severity: severity as 'warning' }];
}

/** The exit status of findings; everything has been said. */
class Findings extends Failure {
  constructor() {
    super(status.failed, '');
  }
}

function print(report: FindingsReport, { format, notes, fix }: Options, io: Io): string[] {
  if (format === 'json') return [printJson(report, fix === true)];
  if (format === 'sarif') return [printSarif(report)];
  return format === 'github' ? printGithub(report) : printText(report, notes === true, io);
}

function listRules({ format }: Options, io: Io): void {
  if (format === 'json') {
    io.out(printRules());
    return;
  }
  const rows = Object.entries<Rule>(rules).map(([name, { severity, about, fix }]) => [name, severity, fix ? 'yes' : '', about]);
  for (const line of printTable(['RULE', 'SEVERITY', 'FIX', 'DESCRIPTION'], rows)) io.out(line);
}

function whole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number, 0 or more.');
}

async function circumstancesOf(store: Store): Promise<Circumstances> {
  const accounts = await createAccounts(store.private);
  return {
    clock: Date.now(),
    people: accounts.all().map(({ id, slug, login, name }) => ({ id, slug: slug || slugify(login), name })),
    sequences: await readSequences(store),
    head: (path) => headOf(store.locate(path)),
    template: (path) => textOf(store.locate(path)),
  };
}

/** Who keeps the ids that several files have, as a server of this folder would decide. */
async function keepersOf(store: Store, content: Content, model: Declarations): Promise<Circumstances['keepers']> {
  const contests = contested(content, model);
  if (contests.length === 0) return [];
  const bytes = await store.derived?.read();
  return createWitness(store, bytes ? readRecords(bytes) : null)(contests);
}

/** Null where there is none, or git does not let it be read: then nothing is said of lost addresses. */
async function lastCommit(dir: string, entries: readonly Entry[], store: Store, io: Io): Promise<readonly Entry[] | null> {
  try {
    return await committedEntries(dir, entries, store.readBytes);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    io.err(`cms: cannot read the last commit, so lost URLs are not checked: ${error.message}`);
    return null;
  }
}

/** One that cannot be told is none of this command's. */
function isInRepository(dir: string): boolean {
  try {
    return findRepository(realpathSync(dir)) !== null;
  } catch {
    return true;
  }
}

function textOf(file: string | null): string | null {
  try {
    return file === null ? null : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function headOf(file: string | null): Uint8Array | null {
  if (file === null) return null;
  try {
    const open = openSync(file, 'r');
    const bytes = Buffer.alloc(headBytes);
    try {
      return bytes.subarray(0, readSync(open, bytes, 0, headBytes, 0));
    } finally {
      closeSync(open);
    }
  } catch {
    return null;
  }
}

/** What lies in the folder and is no content by its name. */
async function othersIn(dir: string): Promise<string[]> {
  const files = await scanFolder(realpathSync.native(dir));
  return files.filter(({ path, refused }) => refused === undefined && kindOf(path) === null).map(({ path }) => path);
}

/** What would be changed, as a diff. */
async function show({ steps }: RepairPlan, store: Store, io: Io): Promise<void> {
  const states = new Map<string, { readonly from: string; readonly before: Uint8Array; readonly after: Uint8Array }>();
  for (const write of steps.flat()) {
    const from = write.from ?? write.path;
    const known = states.get(write.path);
    const before = known?.after ?? (await store.readBytes(from));
    if (before === null) continue;
    states.set(write.path, { from: known?.from ?? from, before: known?.before ?? before, after: printEntry(before, write) });
  }
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
  for (const [path, { from, before, after }] of states) io.out(unifiedDiff(from, path, text(before), text(after)));
}

/** Rounds of repairs: what one lays open, the next one mends. */
const rounds = 5;

async function fixed(
  content: Content,
  model: Declarations,
  circumstances: Circumstances,
  store: Store,
): Promise<{ readonly repairs: RepairPlan['repairs']; readonly left: Content }> {
  const repairs: RepairPlan['repairs'][number][] = [];
  let left = content;
  for (let round = 0; round < rounds; round++) {
    const plan = repair(left, model, circumstances);
    if (round === 0 || plan.steps.length > 0) repairs.push(...plan.repairs);
    if (plan.steps.length === 0) break;
    left = await applied(plan, left, store);
  }
  return { repairs, left };
}

async function applied({ steps }: RepairPlan, content: Content, store: Store): Promise<Content> {
  const written = new Map<string, Entry>();
  const gone = new Set<string>();
  try {
    for (const writes of steps) {
      const current = writes.map((write) => ({ ...write, expect: written.get(write.path)?.etag ?? write.expect }));
      for (const entry of await store.commit(current)) written.set(entry.path, entry);
      for (const { from } of current) if (from !== undefined) gone.add(from);
    }
  } catch (error) {
    if (error instanceof StaleWriteError)
      failed(
        `${error.path} was changed while it was being fixed`,
        'git diff shows what was written; run the command again',
        error,
      );
    throw error;
  }
  const untouched = content.entries.filter(({ path }) => !written.has(path) && !gone.has(path));
  return { ...content, entries: [...untouched, ...written.values()] };
}

function baseOf(dir: string, io: Io): string {
  const path = relative(io.cwd, dir);
  return path === '' || path.startsWith('..') ? '' : `${path.split(sep).join('/')}/`;
}
