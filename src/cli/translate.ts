/**
 * `cms translate`: what is to be translated, documents for translators, and what they send back. Nothing else is needed for it than
 * the content folder: jobs are files in it.
 */
import { table } from '../kernel/model/maps.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { RestError } from '../kernel/errors.ts';
import type { Site } from '../kernel/site/site.ts';
import { openFolder } from './open-folder.ts';
import type { JobOrder, Ordered, OrderElement, SkippedPair } from '../modules/translation/jobs/record.ts';
import { pseudoTargets } from '../modules/translation/jobs/index.ts';
import { type XliffVersion, xliffVersions } from '../modules/translation/xliff/record.ts';
import { Failure, failed, misuse, status } from './failure.ts';
import { contentPlace, examples } from './flags.ts';
import { createProgress, type Io, paint } from './io.ts';
import { readDocuments, writeDocuments } from './translate-files.ts';
import { importDocuments, inStages, patiently } from './translate-import.ts';
import { pairsOf, printStatus, type StatusOptions, stringElements } from './translate-status.ts';

interface Options extends StatusOptions {
  readonly dir?: string;
  readonly batch?: string;
  readonly deadline?: string;
  readonly translator?: string;
  readonly format?: XliffVersion;
  readonly out?: string;
}

const dirOption = ['--dir <dir>', 'content folder (default: the current folder, or ./content)'] as const;
const jsonOption = ['--json', 'print JSON'] as const;
const toOption = ['--to <codes>', 'languages to translate into, separated by commas', words] as const;
const typeOption = [
  '--type <names>',
  'only these types or taxonomies, separated by commas; string: texts of no item',
  words,
] as const;

export function defineTranslate(command: Command, io: Io): void {
  const overview = command
    .command('status')
    .description('count missing, outdated and ordered translations per language')
    .option(...toOption)
    .option(...typeOption)
    .option('--list', 'list the items as well')
    .option('--check', 'exit with 1 if a translation is missing or out of date')
    .option(...dirOption)
    .option(...jsonOption)
    .action((options: Options) => withSite(options, io, true, (site) => printStatus(site, options, io)));
  examples(overview, 'cms translate status', 'cms translate status --to de --list', 'cms translate status --check');
  const order = command
    .command('order [ids...]')
    .description('order missing and outdated translations, or those of the items with these ids')
    .requiredOption(...toOption)
    .option(...typeOption)
    .option('--all', 'include what is translated already, or ordered')
    .option('--batch <name>', 'name of the batch (default: the date)')
    .option('--deadline <day>', 'due date, such as 2026-05-01', day)
    .option('--translator <login>', 'login of the translator')
    .option(...dirOption)
    .option(...jsonOption)
    .action((ids: readonly string[], options: Options) =>
      withSite(options, io, false, async (site) => printOrdered(await orderJobs(site, ids, options, io), options, io)),
    );
  examples(order, 'cms translate order --to de', 'cms translate order 12 14 --to de,fr --deadline 2026-05-01');
  const out = command
    .command('export')
    .description('write the XLIFF of every open job into a folder, or a .zip file')
    .option(...toOption)
    .option('--out <path>', 'folder or .zip file (default: ./xliff)')
    .option('--format <version>', `XLIFF version: ${xliffVersions.join(' or ')} (default: from site.yaml, else 1.2)`, version)
    .option(...dirOption)
    .option(...jsonOption)
    .action((options: Options) => withSite(options, io, true, (site) => exportJobs(site, options, io)));
  examples(out, 'cms translate export --to de', 'cms translate export --to de --out spring.zip --format 2.0');
  const back = command
    .command('import <files...>')
    .description('read translated XLIFF: files, folders and .zip files')
    .option(...dirOption)
    .option(...jsonOption)
    .action((files: readonly string[], options: Options) =>
      withSite(options, io, false, (site) => importFiles(site, files, options, io)),
    );
  examples(back, 'cms translate import xliff', 'cms translate import de/job-7.xliff spring.zip');
  const pseudo = command
    .command('pseudo')
    .description('fill a language with a pseudo-translation, to test a front end')
    .requiredOption(...toOption)
    .option(...typeOption)
    .option(...dirOption)
    .option(...jsonOption)
    .action((options: Options) => withSite(options, io, false, (site) => translatePseudo(site, options, io)));
  examples(pseudo, 'cms translate pseudo --to en-xa');
}

function words(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function day(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('A day is written as 2026-05-01.');
}

function version(text: string): XliffVersion {
  const known = xliffVersions.find((one) => one === text);
  if (known) return known;
  throw new InvalidArgumentError(`XLIFF is written as ${xliffVersions.join(' or ')}.`);
}

async function withSite(
  { dir: named, to = [] }: Options,
  io: Io,
  readOnly: boolean,
  work: (site: Site) => void | Promise<void>,
): Promise<void> {
  const dir = contentPlace(named, io);
  const site = await openFolder(dir, io, { readOnly });
  try {
    const { languages } = site as Partial<Site>;
    if (!languages) misuse('translations are part of the extended deployment', 'set deployment: extended in site.yaml');
    const stranger = to.find((code) => !languages.of(code));
    if (stranger !== undefined)
      misuse(
        `--to: "${stranger}" is not a language of the site`,
        `languages are ${languages.codes.join(', ')}; add it to lang.languages`,
      );
    await work(site);
  } catch (error) {
    if (error instanceof RestError) failed(error.message, undefined, error);
    throw error;
  } finally {
    await site.close();
  }
}

async function orderJobs(site: Site, ids: readonly string[], options: Options, io: Io): Promise<Ordered> {
  const { to = [], all, batch = site.now().local.slice(0, 10), deadline = '', translator } = options;
  const numbers = ids.map((id) => (/^[1-9]\d{0,9}$/.test(id) ? Number(id) : misuse(`"${id}" is not the id of an item`)));
  const pairs = pairsOf(site, options);
  const wanted = pairs.filter(
    ({ item, state }) => (numbers.length === 0 || numbers.includes(item)) && (all || state === 'missing' || state === 'outdated'),
  );
  const strangers = numbers.filter((id) => !pairs.some(({ item }) => item === id));
  if (strangers.length > 0) failed(`no original with the id ${strangers.join(', ')}`, 'cms translate status --list shows ids');
  const person = translator === undefined ? undefined : site.accounts.byLogin(translator);
  if (translator !== undefined && !person) failed(`no user named "${translator}"`, 'cms user list shows all users');
  const items = wanted.map(({ item, type, target }): OrderElement => ({ id: item, type, targets: [target] }));
  const elements = [...items, ...(numbers.length === 0 ? await stringElements(site, options) : [])];
  const progress = createProgress(io, 'ordering');
  let done: Ordered = { batch: null, created: [], skipped: [] };
  // What was ordered stays ordered when a later part fails.
  for (let at = 0; at < elements.length; at += 64) {
    const { batch: joined } = done;
    const asked: JobOrder = {
      name: batch,
      deadline,
      editor: 'local',
      automatic: false,
      translators: person ? Object.fromEntries(to.map((code) => [code, person.id])) : {},
      elements: elements.slice(at, at + 64),
      ...(joined ? { batch: joined } : {}),
    };
    const part = await patiently(() => site.translationJobs.create(asked, null));
    done = { batch: part.batch, created: [...done.created, ...part.created], skipped: [...done.skipped, ...part.skipped] };
    progress.update(Math.min(at + 64, elements.length), elements.length);
  }
  progress.end();
  return done;
}

const reasons: Readonly<Record<SkippedPair['reason'], string>> = table({
  unknown_item: 'is not there any more',
  not_original: 'is a translation itself',
  same_language: 'is in this language',
  unknown_language: 'is to be in a language that the site does not have',
  untranslatable_type: 'is of a type without languages',
  no_language_pair: 'is in languages that the translator does not have',
  nothing_to_translate: 'has nothing to translate',
});

function printOrdered({ batch, created, skipped }: Ordered, { json }: Options, io: Io): void {
  if (json) io.out(JSON.stringify({ batch: batch && { id: batch.id, name: batch.name }, created, skipped }, null, 2));
  for (const { item, target, reason } of skipped) io.err(`item ${item} to ${target} ${reasons[reason]}`);
  if (created.length === 0) io.err('nothing to order');
  else io.err(`ordered ${created.length} ${created.length === 1 ? 'job' : 'jobs'} in batch ${batch?.id}`);
  if (skipped.length > 0) throw new Failure(status.failed, '');
}

async function exportJobs(site: Site, options: Options, io: Io): Promise<void> {
  const { translationJobs: jobs } = site;
  const open = [...jobs.statuses()].flatMap((one) => {
    const job = jobs.current(one.id);
    const isWanted = !options.to || options.to.includes(one.target);
    return job && isWanted && one.service === 'local' && jobs.isOpen(job) ? [{ job, target: one.target }] : [];
  });
  const progress = createProgress(io, 'exporting');
  function* documents() {
    for (const [at, { job, target }] of open.entries()) {
      yield { name: `${target}/job-${job.id}.xliff`, text: jobs.xliff(job.id, options.format) };
      progress.update(at + 1, open.length);
    }
  }
  const out = options.out ?? 'xliff';
  const files = await writeDocuments(out, documents(), io);
  progress.end();
  if (options.json) io.out(JSON.stringify({ out, files }, null, 2));
  io.err(open.length === 0 ? 'no open jobs' : `wrote ${files.length} ${files.length === 1 ? 'document' : 'documents'} to ${out}`);
}

/** Of one file. */
const shownRefusals = 20;

async function importFiles(site: Site, files: readonly string[], options: Options, io: Io): Promise<void> {
  const progress = createProgress(io, 'importing');
  const found = await readDocuments(files, io);
  const results = await importDocuments(site, found, (done) => progress.update(done, found.length));
  progress.end();
  const refused = results.filter(({ error }) => error !== '');
  if (options.json) io.out(JSON.stringify(results, null, 2));
  for (const { file, refusals } of refused)
    for (const { line, column, message, hint } of refusals.slice(0, shownRefusals)) {
      const place = line === undefined ? file : `${file}:${line}:${column}`;
      io.err(`${paint(io, 'err', 'red', place)}: ${message}`);
      if (hint !== '') io.err(`  ${hint}`);
    }
  const partly = results.filter(({ error, finished, units }) => error === '' && finished < units);
  for (const { file, finished, units } of partly)
    io.err(`${file}: ${finished} of ${units} units are translated; saved in the job`);
  io.err(`imported ${results.length - refused.length} of ${results.length} documents`);
  if (refused.length > 0) throw new Failure(status.failed, '');
}

async function translatePseudo(site: Site, options: Options, io: Io): Promise<void> {
  const { created, skipped } = await orderJobs(site, [], options, io);
  const progress = createProgress(io, 'translating');
  const { translationJobs: jobs } = site;
  const items = await inStages(
    site,
    created.map(({ jobId: job }) => ({ job })),
    async ({ job }) => (await jobs.save(job, pseudoTargets(jobs, job), null)).item,
    (done) => progress.update(done, created.length),
  );
  progress.end();
  if (options.json) io.out(JSON.stringify({ created, skipped, items }, null, 2));
  io.err(`pseudo-translated ${items.length} ${items.length === 1 ? 'item' : 'items'}`);
}
