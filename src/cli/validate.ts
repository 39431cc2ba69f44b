/**
 * `cms validate`: what a person should know about the files of a site, as compilers say it. Reads only, unless --fix is given.
 */
import type { Command } from 'commander';
import { createAccounts } from '../domain/people/accounts.ts';
import { declaredBy } from '../domain/declared.ts';
import { type Circumstances, type Content, declare, locate, renumber, validate } from '../domain/validate.ts';
import { slugify } from '../model/slugs.ts';
import { standardTaxonomies } from '../model/taxonomies.ts';
import { standardTypes } from '../model/types.ts';
import { createStore } from '../store/store.ts';
import { Drift, type Problem, type Store } from '../store/types.ts';
import { Failure, failed, status } from './failure.ts';
import { contentFolder } from './flags.ts';
import { examples } from './help.ts';
import { createProgress, type Io, paint } from './io.ts';

interface Options {
  readonly json?: true;
  readonly fix?: true;
}

export function defineValidate(command: Command, io: Io): void {
  command
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .option('--json', 'print one JSON document: files, errors, warnings, problems')
    .option('--fix', 'write an id into files that have none, or one that another file has')
    .action(async (dir: string | undefined, options: Options) => run(contentFolder(dir, io), options, io));
  examples(command, 'cms validate my-site', "cms validate my-site --json | jq '.problems[].path'");
}

async function run(dir: string, { json, fix }: Options, io: Io): Promise<void> {
  const store = await createStore({ dir, readOnly: !fix });
  try {
    const progress = createProgress(io, 'reading files');
    const batch = await store.load(progress.update);
    progress.end();
    const declared = declaredBy(
      batch.entries.find(({ path }) => path === 'site.yaml'),
      standardTypes,
      standardTaxonomies,
    );
    const model = declare(declared);
    const circumstances = await circumstancesOf(store);
    const content = fix ? await fixed(batch, store, () => renumber(batch, model, circumstances)) : batch;
    if (fix && content !== batch && !json) io.err('ids written; see git diff');
    const found = await locate(validate(content, model, circumstances), store.readBytes);
    const problems = [...store.problems(), ...declared.problems, ...found];
    const files = content.entries.length + content.blobs.length + store.problems().length;
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    const warnings = problems.length - errors;
    if (json) io.out(JSON.stringify({ files, errors, warnings, problems }, null, 2));
    else {
      for (const problem of problems) io.out(printProblem(problem, io));
      io.out(printSummary(files, errors, warnings, io));
    }
    if (errors > 0) throw new Findings();
  } finally {
    await store.close();
  }
}

/** The exit status of findings; everything has been said. */
class Findings extends Failure {
  constructor() {
    super(status.failed, '');
  }
}

async function circumstancesOf(store: Store): Promise<Circumstances> {
  const accounts = await createAccounts(store.private);
  const sequences = await store.cache.get('sequences.json');
  return {
    clock: Date.now(),
    people: accounts.all().map(({ id, slug, login }) => ({ id, slug: slug || slugify(login) })),
    sequences: sequences === null ? {} : (JSON.parse(Buffer.from(sequences).toString('utf8')) as Record<string, number>),
  };
}

async function fixed(content: Content, store: Store, plan: () => ReturnType<typeof renumber>): Promise<Content> {
  const writes = plan();
  if (writes.length === 0) return content;
  try {
    const written = new Map((await store.commit(writes)).map((entry) => [entry.path, entry]));
    return { ...content, entries: content.entries.map((entry) => written.get(entry.path) ?? entry) };
  } catch (error) {
    if (error instanceof Drift)
      failed(`${error.path} was changed while ids were written`, 'nothing was written; run it again', error);
    throw error;
  }
}

/** `file:line:column severity message`, the line with a caret, and the hint. */
export function printProblem({ path, line, column, severity, message, hint, source }: Problem, io: Io): string {
  const lines = [
    `${paint(io, 'out', 'bold', `${path}:${line}:${column}`)} ${paint(io, 'out', severity === 'error' ? 'red' : 'yellow', severity)} ${message}`,
  ];
  if (source !== undefined && source.trim() !== '') lines.push(...printSource(source, column));
  if (hint !== undefined) lines.push(paint(io, 'out', 'dim', `    ${hint}`));
  return lines.join('\n');
}

const maxShown = 110;

/** The line and a caret below its column; of long lines, the part around it. */
function printSource(source: string, column: number): string[] {
  const start = column > maxShown - 20 ? Math.min(column - 40, Math.max(0, source.length - maxShown)) : 0;
  const part = source.slice(start, start + maxShown);
  const before = source.slice(start, column - 1).replace(/[^\t]/g, ' ');
  return [`    ${part}`, `    ${before}^`];
}

function printSummary(files: number, errors: number, warnings: number, io: Io): string {
  if (errors + warnings === 0) return paint(io, 'out', 'green', `${count(files, 'file')}, nothing found`);
  return `${count(errors, 'error')}, ${count(warnings, 'warning')} in ${count(files, 'file')}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
