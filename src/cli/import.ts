/**
 * `cms import`: a site from elsewhere becomes files. The folder named with --into is a site already, or becomes one first, with
 * what the source says of itself; its administrator's application password is then the last line on standard output, as with
 * `cms init`, and everything else goes to standard error.
 *
 * Files of an export that was split may come together or one after another: where earlier ones named what has come now, they are read
 * again.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Command, Option } from 'commander';
import { createOperatorFetcher } from '../http-client/fetch.ts';
import { formatNames, importerFor } from '../transfer/sources/all.ts';
import type { Importer } from '../transfer/sources/open.ts';
import { openSeal, stateDirectory } from '../kernel/store/state.ts';
import { createStore } from '../kernel/store/store.ts';
import { openContent } from '../open-content.ts';
import type { Store } from '../kernel/store/types.ts';
import { restoreArchive } from '../transfer/archive/restore.ts';
import { importSite } from '../transfer/import/import-site.ts';
import type { ImportOptions, Phase } from '../transfer/import/import-context.ts';
import { type Source, SourceError } from '../transfer/import/items.ts';
import type { Sibling } from '../transfer/import/import-state.ts';
import type { ImportReport } from '../transfer/import/report.ts';
import { Failure, failed, misuse, status } from './failure.ts';
import { email, login, url, zone, examples } from './flags.ts';
import { credentialsOf } from './import-credentials.ts';
import { printReport } from './import-report.ts';
import { checkReportFile, writeReportFile } from './import-report-file.ts';
import { type ImportTarget, makeSite, noteTold, targetOf } from './import-target.ts';
import { pluginsOf } from './plugins.ts';
import { modulesOf } from '../deployments.ts';
import { createProgress, type Io, type Progress, paint } from './io.ts';
import { operatorOf } from './operator.ts';

interface Options {
  readonly into?: string;
  readonly format?: string;
  readonly dryRun?: true;
  readonly json?: true;
  readonly report?: string;
  readonly keepGoing?: boolean;
  /** A folder; false for --no-media. */
  readonly media?: string | false;
  readonly download?: true;
  readonly to?: string;
  readonly loose?: true;
  readonly keepLinks?: true;
  readonly update?: true;
  readonly user?: string;
  readonly url?: string;
  readonly timezone?: string;
  readonly admin: string;
  readonly email?: string;
}

export function defineImport(command: Command, io: Io): void {
  command
    .argument('<source...>', 'a file, a folder, or the URL of a site; several files of one export')
    .option(
      '--into <dir>',
      'content folder; a new or empty folder becomes a site first (default: the current folder, or ./content)',
    )
    .addOption(new Option('--format <format>', 'format of the source (default: detected)').choices([...formatNames]))
    .option('--dry-run', 'report what would be done, without writing anything')
    .option('--json', 'print JSON')
    .option('--report <file>', 'write the report, with every old and new URL, as .html, .json or .csv')
    .option('--keep-going', 'import everything readable from a broken source, and exit with status 1 (the default)')
    .option('--no-keep-going', 'stop at the first error, and write nothing')
    .option('--media <dir>', 'local copy of the old uploads')
    .option('--no-media', 'import no files; cms media fetch downloads them later')
    .option('--download', 'download files that are not found locally')
    .addOption(new Option('--to <kind>', 'convert posts to Markdown where they render the same').choices(['markdown']))
    .option('--loose', 'with --to markdown: drop the classes that block editors add to headings, lists, quotes and tables')
    .option('--keep-links', 'do not rewrite links in texts')
    .option('--update', 'overwrite files that were edited here, and restore deleted ones')
    .option('--user <login>', 'user of a live site; prompts for the application password (or set CMS_IMPORT_CREDENTIALS)')
    .option('--url <address>', 'public URL of a new site', url)
    .option('--timezone <zone>', 'time zone of a new site (default: that of the source, if known)', zone)
    .option('--admin <login>', 'login of the administrator of a new site', login, 'admin')
    .option('--email <address>', "the administrator's email address", email)
    .action((sources: readonly string[], options: Options) => run(sources, options, io));
  examples(
    command,
    'cms import export.xml --into my-site',
    'cms import export-1.xml export-2.xml --into my-site',
    'cms import https://example.com --into my-site --user anna --report report.html',
    'cms import ../old-blog --into my-site --to markdown',
  );
}

async function run([named = '', ...further]: readonly string[], options: Options, io: Io): Promise<void> {
  // Left to itself the heap grows to several times what is alive in it before it is looked through.
  setFlagsFromString('--heap-growing-percent=25');
  const isAddress = /^https?:\/\//i.test(named);
  const path = isAddress ? null : resolve(io.cwd, named);
  if (path !== null && !existsSync(path)) misuse(`"${named}" does not exist`, 'name a file, a folder, or a URL: https://…');
  const others = further.map((source) => ({ source, path: resolve(io.cwd, source) }));
  for (const { source, path: file } of others) if (!existsSync(file)) misuse(`"${source}" does not exist`, 'name a file');
  const mediaDir = typeof options.media === 'string' ? resolve(io.cwd, options.media) : undefined;
  if (mediaDir !== undefined && !existsSync(mediaDir)) misuse(`--media: "${options.media}" does not exist`);
  if (options.loose && options.to === undefined) misuse('--loose requires --to markdown');
  if (options.download && options.media === false) misuse('--download cannot be combined with --no-media');
  const reportFile = options.report === undefined ? undefined : resolve(io.cwd, options.report);
  if (reportFile !== undefined) checkReportFile(reportFile, options.report as string);
  const target = await targetOf(options.into, options, io);
  const importer = await importerFor({ source: named, path }, options.format);
  if (!importer) misuse(`cannot detect the format of "${named}"`, `pass --format: ${formatNames.join(', ')}`);
  for (const other of others)
    if (importer.format !== 'wxr' || (await importerFor(other, options.format))?.format !== 'wxr')
      misuse('only files of an export (WXR) can be imported together', 'import one source after another');
  if (importer.format === 'archive') checkArchive(options, target);
  if (options.user !== undefined && importer.format !== 'rest')
    misuse('--user applies to live sites only', 'the source of a live site is its URL: https://…');
  const stop = new AbortController();
  void io.stopped(Number.POSITIVE_INFINITY).then(() => stop.abort(new Error('stopped')));
  try {
    if (importer.format === 'archive' && path !== null) await restore(path, target, options, io, stop.signal);
    else {
      const from = { named: [named, ...further].join(' '), path, others, mediaDir, reportFile };
      await importFrom(importer, from, target, options, io, stop.signal);
    }
  } catch (error) {
    if (error instanceof SourceError) refuse(error);
    throw error;
  }
}

/** An archive is the files themselves: nothing of them can be chosen or made otherwise. @throws Failure with status 2 */
function checkArchive(options: Options, { isNew, shown }: ImportTarget): void {
  if (!isNew) misuse(`"${shown}" is already a site, and an archive cannot be merged into one`, 'use --into with a new folder');
  const { into: _, format: __, json: ___, admin, ...others } = options;
  const useless = Object.entries(others).find(([name, value]) => value !== undefined && !(name === 'media' && value === true));
  const name = useless?.[0] ?? (admin === 'admin' ? undefined : 'admin');
  if (name === undefined) return;
  const isNegated = (name === 'media' || name === 'keepGoing') && options[name] === false;
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  misuse(
    `--${isNegated ? 'no-' : ''}${flag} does not apply to an archive, which is restored as a whole`,
    'change the site afterwards',
  );
}

interface Named {
  readonly named: string;
  readonly path: string | null;
  readonly others: readonly { readonly source: string; readonly path: string }[];
  readonly mediaDir: string | undefined;
  readonly reportFile: string | undefined;
}

/** An import under way. */
interface Run {
  readonly importer: Importer;
  readonly target: ImportTarget;
  readonly options: Options;
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Where a rehearsal makes what it needs. */
  readonly temporary: string | null;
  readonly sealOf: (name: string) => string;
  /** Of the administrator of a site that was made. */
  password?: string;
}

async function importFrom(
  importer: Importer,
  from: Named,
  target: ImportTarget,
  options: Options,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  const { dryRun = false } = options;
  const temporary = dryRun ? await mkdtemp(join(tmpdir(), 'cms-import-')) : null;
  const run: Run = { importer, target, options, io, signal, temporary, sealOf: createSealer(target.dir) };
  try {
    const report = await bringIn(run, from);
    const { again = [], options: optionsHash, ...plain } = report;
    const told = { ...plain, source: from.named, into: target.shown };
    if (from.reportFile !== undefined) await writeReportFile(from.reportFile, told);
    say(told, dryRun ? undefined : run.password, target, options, io);
    if (!dryRun) await noteTold(target, options, report.complete);
    if (!dryRun && report.complete) for (const part of again) await mend(run, part, optionsHash, from);
    if (isFailed(report)) throw new Failure(status.failed, '');
  } catch (error) {
    // The site was made before: without its password nobody could get in.
    if (run.password !== undefined && !dryRun && !(error instanceof Failure)) {
      sayPassword(run.password, target, options, io);
      await noteTold(target, options, false);
    }
    throw error;
  } finally {
    if (temporary !== null) await rm(temporary, { recursive: true, force: true });
  }
}

/** Imports an earlier part of the same site again, for what it lost then and has come since; says so where that cannot be. */
async function mend(
  run: Run,
  { name: whole, seal, options }: Sibling,
  optionsHash: string | undefined,
  from: Named,
): Promise<void> {
  const { io, sealOf, signal } = run;
  const name = whole.replace(/^\w+ /, '');
  const paths = name.split('\n');
  const isOurs = seal !== '' && seal === sealOf(name) && paths.every((path) => existsSync(path));
  if (!isOurs || options !== optionsHash || signal.aborted) {
    io.err(`  ${paths.join(' ')} names items that are here now; import it again to put that right`);
    return;
  }
  const [path = '', ...more] = paths;
  const others = more.map((other) => ({ source: other, path: other }));
  const target = { ...run.target, isNew: false };
  const report = await bringIn({ ...run, target }, { ...from, named: path, path, others }, true);
  const mended = report.rows.reduce((sum, { kind, updated }) => sum + (kind === 'menu-link' ? 0 : updated), 0);
  io.err(`  ${paths.join(' ')} was read again: ${mended} of its items named what is here now`);
}

/** One source into the folder. @param isAgain  an earlier part of the site, of which only what was lost is wanted */
async function bringIn(run: Run, from: Named, isAgain = false): Promise<ImportReport> {
  const { importer, target, io, signal, temporary, sealOf } = run;
  const options: Options = isAgain ? { ...run.options, keepGoing: true } : run.options;
  const { dryRun = false, keepGoing = true, update = false } = options;
  const operator = operatorOf(target.dir, io);
  const plugins = await pluginsOf(target.dir, io);
  const bar = createBar(io);
  let source: Source | undefined;
  let store: Store | undefined;
  try {
    source = await importer.open({
      source: from.named,
      path: from.path,
      others: from.others,
      scratch: scratchOf(temporary ?? target.dir, from.named),
      keepGoing,
      operator,
      credentials: importer.format === 'rest' ? await credentialsOf(options.user, io) : undefined,
      signal,
      say: (line) => {
        bar.end();
        io.err(line);
      },
    });
    return await importSite({
      source,
      seal: sealOf(source.name),
      modules: (deployment) => [...modulesOf(deployment), ...plugins],
      operator,
      async open(site, people) {
        const dir = target.isNew && temporary !== null ? join(temporary, 'site') : target.dir;
        if (target.isNew) run.password = await makeSite(dir, target, options, site, people);
        store = await openContent({ dir, readOnly: dryRun && !target.isNew }, operator);
        return { store, isNew: target.isNew };
      },
      mediaDir: from.mediaDir,
      media: options.media !== false,
      fetcher: options.download ? createOperatorFetcher(operator) : undefined,
      toMarkdown: options.to === 'markdown' && (options.loose ? 'loose' : 'strict'),
      keepLinks: options.keepLinks ?? false,
      update: update && !isAgain,
      dryRun,
      keepGoing,
      addresses: from.reportFile !== undefined && !isAgain,
      signal,
      progress: bar.update,
    });
  } finally {
    bar.end();
    await source?.close();
    await store?.close();
  }
}

/** Codes that only this machine can make for sources of a folder: names in a folder that comes from elsewhere are not followed. */
function createSealer(dir: string): (name: string) => string {
  return (name) => openSeal(stateDirectory()).of('import-source', `${dir}\n${name}`).slice(0, 22);
}

/**
 * Where an importer keeps what it has fetched, so that another run need not: with what can be made again. Nobody else can tell the name,
 * and so put answers there that the source has not given.
 */
function scratchOf(dir: string, source: string): string {
  return join(dir, '.cms', 'cache', 'fetched', openSeal(stateDirectory()).of('fetched', `${dir}\n${source}`).slice(0, 22));
}

function isFailed({ complete, unreadable, rows, remarks }: ImportReport): boolean {
  return (
    !complete ||
    unreadable > 0 ||
    rows.some(({ failed: some }) => some > 0) ||
    remarks.some(({ severity }) => severity === 'error')
  );
}

/** The report: where a password is the result, beside it. */
function say(report: ImportReport, password: string | undefined, target: ImportTarget, options: Options, io: Io): void {
  if (options.json) {
    // Every address is for the file.
    const { addresses: _, ...rest } = report;
    io.out(JSON.stringify(password === undefined ? rest : { ...rest, password }, null, 2));
    return;
  }
  const stream = target.isNew ? 'err' : 'out';
  for (const line of printReport(report, (style, text) => paint(io, stream, style, text), target.shown)) io[stream](line);
  if (password !== undefined) sayPassword(password, target, options, io);
}

function sayPassword(password: string, { shown }: ImportTarget, { admin, json }: Options, io: Io): void {
  io.err(`  serve it:  cms serve ${shown}`);
  io.err(`  application password of ${admin}, shown only once:`);
  if (json) io.err(`  ${password}`);
  else io.out(password);
}

async function restore(file: string, { dir, shown }: ImportTarget, options: Options, io: Io, signal: AbortSignal): Promise<void> {
  const progress = createProgress(io, 'restoring');
  const restored = await restoreArchive({ file, into: dir, progress: progress.update, signal });
  progress.end();
  const untrusted = restored.private ? await untrustedIn(dir) : 0;
  if (options.json) io.out(JSON.stringify(restored, null, 2));
  else {
    io.out(`${paint(io, 'out', 'green', 'restored')} ${shown}: ${restored.name}, ${restored.files} files`);
    if (!restored.private) io.err('  it contains no accounts; create one: cms user create, then cms password create');
  }
  if (untrusted > 0) {
    io.err('  its accounts were not created on this machine, so nobody can sign in with them yet');
    io.err(`  to review and adopt them:  cms adopt ${shown}`);
  }
}

/** Private files of an archive that do not count here. */
async function untrustedIn(dir: string): Promise<number> {
  const store = await createStore({ dir, readOnly: true });
  try {
    return ((await store.private.inspect?.()) ?? []).length;
  } finally {
    await store.close();
  }
}

/** One bar for all phases, each with its own count. */
function createBar(io: Io): { readonly update: NonNullable<ImportOptions['progress']>; end(): void } {
  let current: { readonly phase: Phase; readonly bar: Progress } | undefined;
  return {
    update(phase, done, total, { brought, bytes } = { brought: 0, missing: 0, bytes: 0 }) {
      if (current?.phase !== phase) {
        current?.bar.end();
        current = { phase, bar: createProgress(io, phase) };
      }
      const files = brought === 0 ? '' : `${brought} file${brought === 1 ? '' : 's'} (${(bytes / 1_000_000).toFixed(1)} MB)`;
      current.bar.update(done, total, files);
    },
    end: () => current?.bar.end(),
  };
}

/** @throws Failure naming the place as compilers do */
function refuse({ message, place: { source, line, column }, hint }: SourceError): never {
  const at = [source, ...(line === undefined ? [] : [line]), ...(column === undefined ? [] : [column])].join(':');
  failed(`${at}: ${message}`, hint ?? 'nothing was written');
}
