/**
 * `cms export`: a site as it leaves: one file, or a folder for a file server, which `--watch` keeps fresh.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { composeSite } from '../open-site.ts';
import { openFolder } from './open-folder.ts';
import { isEngineAddress } from '../kernel/store/content-engine.ts';
import type { Site } from '../kernel/site/site.ts';
import {
  type ExportReport,
  type ExportRequest,
  type ExportFormat,
  formats,
  rehearse,
  type FormatOption,
} from '../transfer/export/all.ts';
import type { Filter } from '../transfer/export/filter.ts';
import { type Group, groups } from '../transfer/export/static/requests.ts';
import { keepFresh } from '../transfer/export/static/watch.ts';
import { dialects, neutral } from '../kernel/rest/dialect.ts';
import { SourceError } from '../transfer/import/items.ts';
import { describeError, Failure, failed, misuse, status } from './failure.ts';
import { contentPlace, url, examples } from './flags.ts';
import { createProgress, type Io, paint, printTable } from './io.ts';

interface Options {
  readonly format: string;
  readonly out: string;
  readonly url?: string;
  readonly type?: readonly string[];
  readonly status?: readonly string[];
  readonly author?: string;
  readonly lang?: string;
  readonly after?: string;
  readonly before?: string;
  readonly private?: true;
  readonly dialect?: string;
  readonly markdown?: 'html' | 'source';
  readonly without?: readonly Group[];
  readonly force?: true;
  readonly watch?: true;
  readonly readOnly?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Which options are of use to which formats. */
const uses: readonly (readonly [keyof Options, FormatOption])[] = [
  ...(['type', 'status', 'author', 'lang', 'after', 'before'] as const).map((name) => [name, 'filter'] as const),
  ['private', 'private'],
  ['dialect', 'dialect'],
  ['markdown', 'markdown'],
  ['without', 'folder'],
  ['force', 'folder'],
  ['watch', 'folder'],
];

export function defineExport(command: Command, io: Io): void {
  const about = Object.entries(formats).map(([name, format]) => `${name}: ${format.about}`);
  const leaveOut = Object.entries(groups).map(([name, text]) => `${name}: ${text}`);
  command
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .addOption(new Option('--format <form>', about.join('; ')).choices(Object.keys(formats)).makeOptionMandatory())
    .requiredOption('--out <path>', 'output file, or output folder (static)')
    .option('--url <address>', "the site's public URL, overriding site.yaml", url)
    .option('--type <names>', 'only these types, comma-separated', names)
    .option('--status <names>', 'only these statuses, comma-separated', names)
    .option('--author <slug>', 'only items by this author')
    .option('--lang <locale>', 'only items in this language')
    .option('--after <date>', 'only items dated on or after this day: 2026-03-01')
    .option('--before <date>', 'only items dated before this day')
    .option('--private', 'include private data such as email addresses')
    .addOption(
      new Option('--dialect <name>', 'names of routes and fields (default: neutral)').choices(dialects.map(({ name }) => name)),
    )
    .addOption(new Option('--markdown <form>', 'wxr: how Markdown is exported (default: html)').choices(['html', 'source']))
    .option('--without <groups>', `static: groups of requests to leave out, comma-separated; ${leaveOut.join('; ')}`, groupNames)
    .option('--force', 'static: overwrite files that no export wrote')
    .option('--watch', 'static: keep running, and export again whenever something changes')
    .option('--read-only', 'write nothing into the content folder, not even ids')
    .option('--dry-run', 'report what would be written, without writing anything')
    .option('--json', 'print JSON')
    .action(async (named: string | undefined, options: Options) => run(contentPlace(named, io), options, io));
  examples(
    command,
    'cms export my-site --format json --out my-site.json',
    'cms export my-site --format static --out public --url https://example.com --watch',
  );
}

async function run(dir: string, options: Options, io: Io): Promise<void> {
  const format = formats[options.format] as ExportFormat;
  const out = resolve(io.cwd, options.out);
  checkUses(options, format);
  if (options.watch && options.dryRun) misuse('--watch cannot be combined with --dry-run');
  if (options.watch && options.json) misuse('--watch cannot be combined with --json');
  if (options.out === '-') misuse('--out - is not supported: an export is renamed into place when it is complete', 'name a file');
  const perform = (request: ExportRequest): Promise<ExportReport> =>
    options.dryRun ? rehearse(format, request) : format.write(request);
  checkPlace(dir, out, options.out, format.uses.includes('folder'));
  const stop = new AbortController();
  const stopped = io
    .stopped(Number.POSITIVE_INFINITY)
    .then(() => stop.abort(new Failure(status.failed, 'stopped', unfinished(format))));
  const readOnly = options.readOnly ?? options.dryRun ?? false;
  const site = await openFolder(dir, io, { readOnly, untouched: options.readOnly ?? false });
  try {
    if (options.url) site.setAddress(options.url, 'operator');
    if (format.uses.includes('folder') && site.url === '')
      misuse('the site has no URL, which a static export needs', 'pass --url https://example.com, or set url: in site.yaml');
    const write = async (): Promise<ExportReport> => {
      const progress = createProgress(io, 'writing');
      try {
        return await perform({
          site,
          registry: composeSite(site),
          out,
          filter: filterOf(options),
          private: options.private ?? false,
          dialect: dialects.find(({ name }) => name === options.dialect) ?? neutral,
          markdown: options.markdown ?? 'html',
          without: options.without ?? [],
          force: options.force ?? false,
          progress(done, total) {
            stop.signal.throwIfAborted();
            progress.update(done, total);
          },
        });
      } finally {
        progress.end();
      }
    };
    const report = await write().catch(refused);
    if (options.json)
      io.out(JSON.stringify({ format: options.format, out, ...(options.dryRun ? { dryRun: true } : {}), ...report }, null, 2));
    else for (const line of printReport(report, options, io)) io.out(line);
    if (!options.watch) return;
    io.err('watching for changes; press Ctrl-C to stop');
    const end = await watch(site, write, io);
    await stopped;
    await end();
  } finally {
    await site.close();
  }
}

function unfinished({ uses }: ExportFormat): string {
  return uses.includes('folder') ? 'the next run continues from here' : 'existing files were not changed';
}

function watch(site: Site, write: () => Promise<ExportReport>, io: Io): Promise<() => Promise<void>> {
  return keepFresh({
    site,
    async refresh(changed) {
      const { files } = await write();
      if (!files || files.written.length + files.removed.length === 0) return;
      const [first = 'scheduled change', ...others] = changed;
      const what = others.length === 0 ? first : `${first} and ${others.length} more`;
      io.out(`${what}: ${files.written.length} written, ${files.removed.length} removed`);
    },
    failed: (error) => io.err(`${paint(io, 'err', 'red', 'cms:')} ${describeError(error)}`),
  });
}

function filterOf({ type, status, author, lang, after, before }: Options): Filter {
  return {
    ...(type ? { types: type } : {}),
    ...(status ? { statuses: status } : {}),
    ...(author === undefined ? {} : { author }),
    ...(lang === undefined ? {} : { lang }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
  };
}

/** @throws Failure for an option that the format has no use for */
function checkUses(options: Options, { uses: known }: ExportFormat): void {
  for (const [name, use] of uses) {
    if (options[name] === undefined || known.includes(use)) continue;
    const able = Object.keys(formats).filter((one) => formats[one]?.uses.includes(use));
    misuse(`--${name} does not apply to --format ${options.format}`, `it applies to ${able.join(', ')}`);
  }
}

/** An export inside the content would be content; one around it could take it away. */
function checkPlace(dir: string, out: string, shown: string, isFolder: boolean): void {
  const target = realOf(out);
  const content = isEngineAddress(dir) ? null : realpathSync(dir);
  if (content && isBelow(target, content)) misuse(`--out ${shown} is inside the content folder`, 'choose a path outside it');
  const present = statSync(target, { throwIfNoEntry: false });
  if (isFolder && present && !present.isDirectory()) misuse(`--out ${shown} is a file; a static export needs a folder`);
  if (!isFolder && present?.isDirectory()) misuse(`--out ${shown} is a folder; this format writes a single file`);
  if (content && isFolder && isBelow(content, target))
    misuse(`--out ${shown} contains the content folder`, 'choose another folder');
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || isAbsolute(way));
}

/** The path without symbolic links, as far as it is there. */
function realOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = dirname(path);
  return above === path ? path : resolve(realOf(above), relative(above, path));
}

function refused(error: unknown): never {
  if (error instanceof RangeError) misuse(error.message);
  if (error instanceof SourceError) failed(error.message, error.hint, error);
  throw error;
}

function* printReport({ counts, bytes, left, files }: ExportReport, { out, dryRun }: Options, io: Io): Generator<string> {
  const things = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  const size = `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  yield `${dryRun ? 'would write ' : ''}${paint(io, 'out', 'green', out)}: ${things.join(', ')}; ${size}`;
  if (files)
    yield `${files.written.length} files ${dryRun ? 'to write' : 'written'}, ${files.unchanged} unchanged, ${files.removed.length} removed`;
  const kept = (files?.kept ?? []).map(
    (file) => [file, '1', 'exists and was not written by an export; --force overwrites it'] as const,
  );
  const rows = [...left.map(({ what, count, reason }) => [what, String(count), reason] as const), ...kept];
  if (rows.length === 0) return;
  yield '';
  yield* printTable(['NOT INCLUDED', 'COUNT', 'REASON'], rows);
}

function names(text: string): readonly string[] {
  const list = text.split(',').map((name) => name.trim());
  if (list.every((name) => name !== '')) return list;
  throw new InvalidArgumentError('Separate names with commas: post,page');
}

function groupNames(text: string): readonly Group[] {
  const list = names(text);
  const known = Object.keys(groups);
  const unknown = list.find((name) => !known.includes(name));
  if (unknown === undefined) return list as readonly Group[];
  throw new InvalidArgumentError(`Unknown group "${unknown}". Groups: ${known.join(', ')}.`);
}
