/**
 * What a server says of files that it cannot read as they are, and of relative links in texts: each finding once, with its line,
 * when it comes, and when the file is well again.
 */
import { type Located, locate } from '../../kernel/store/locate.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { Problem } from '../../kernel/store/types.ts';
import type { Io } from '../io.ts';
import { createRelativeLinkLog } from './relative-links.ts';
import { printProblem } from './text.ts';

/** Of what is found at the start, this many are shown. */
const maxShown = 5;
/** A burst of changes is looked at once. */
const settleMs = 100;
/** Copies get an id of their own a second after they come. */
const againMs = 1500;
/** Private files are no content: nothing tells when others put some there. */
const privateMs = 30_000;

/** Says what is found now, and from now on what comes and goes. @param folder  as the user calls it */
export async function reportProblems(site: Site, folder: string, io: Io): Promise<void> {
  let known = new Map<string, Problem>();
  let isDue = false;
  let turn = Promise.resolve();
  const links = createRelativeLinkLog(site);

  const look = async (): Promise<void> => {
    const untrusted = (await site.store.private.inspect?.()) ?? [];
    const found = new Map([...untrusted, ...errorsOf(site)].map((problem) => [keyOf(problem), problem]));
    const fresh = [...found].flatMap(([key, problem]) => (known.has(key) ? [] : [problem]));
    const paths = new Set([...found.values()].map(({ path }) => path));
    const well = new Set([...known.values()].flatMap(({ path }) => (paths.has(path) ? [] : [path])));
    known = found;
    show(await placed(fresh.slice(0, maxShown), site), fresh.length);
    if (fresh.some(({ rule }) => rule === 'not-read-private'))
      io.err(`  to adopt private files that are yours: cms adopt ${folder}`);
    for (const path of well) if (site.store.knows(path)) io.err(`${path} is fixed; serving the current version`);
  };
  const show = (problems: readonly Located[], count = problems.length): void => {
    for (const problem of problems.slice(0, maxShown)) io.err(printProblem(problem, io, 'err'));
    if (count > maxShown) io.err(`… and ${count - maxShown} more: cms validate ${folder}`);
  };
  /** A file that cannot be looked into changes again, or has gone. */
  const next = (work: () => Promise<void>): void => {
    turn = turn.then(work).catch(() => undefined);
  };
  let isAgain = false;
  const lookAgain = async (): Promise<void> => {
    if (isAgain || !links.isWaiting()) return;
    isAgain = true;
    setTimeout(() => {
      isAgain = false;
      next(async () => show(await links.lookAgain()));
      next(lookAgain);
    }, againMs).unref();
  };
  const soon = (): void => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      next(look);
    }, settleMs).unref();
  };
  site.onChange((batch) => {
    next(async () => show(await links.look(batch)));
    next(lookAgain);
    soon();
  });
  site.renames.onReport((problems) => next(async () => show(problems)));
  setInterval(soon, privateMs).unref();
  await look();
  // Nobody waits for it: requests are answered meanwhile.
  next(async () => show(await links.lookAtAll()));
}

function errorsOf(site: Site): Problem[] {
  return site.problems().filter(({ severity, rule }) => severity === 'error' || rule === 'operator-setting');
}

function keyOf({ path, line, rule, message }: Problem): string {
  return JSON.stringify([path, line, rule, message]);
}

/** Memory keeps no lines: those of a value are looked up in its file. */
async function placed(problems: readonly Problem[], site: Site): Promise<Problem[]> {
  const out: Problem[] = [];
  for (const problem of problems) {
    const key = problem.rule === 'duplicate-id' ? 'id' : /^field:(.+)$/.exec(problem.rule)?.[1];
    const keys = problem.keys ?? (key === undefined ? [] : [key]);
    const [found] = keys.length === 0 ? [] : await locate([{ ...problem, keys }], (path) => site.store.readBytes(path));
    out.push(
      found ? { ...problem, line: found.line, column: found.column, ...(found.source ? { source: found.source } : {}) } : problem,
    );
  }
  return out;
}
