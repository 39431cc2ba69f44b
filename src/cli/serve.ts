/**
 * `cms serve`: a content folder behind the interface, until it is asked to stop. With `--workers` several processes serve it.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { composeSite, type OpenOptions, openSite } from '../open-site.ts';
import type { Module } from '../kernel/module.ts';
import type { Site } from '../kernel/site/site.ts';
import { neutral } from '../kernel/rest/dialect.ts';
import { editorPath, hasEditor } from '../modules/website/editor-page/index.ts';
import { runPrimary, workerVariable } from '../workers/primary.ts';
import { runWorker } from '../workers/worker.ts';
import type { Around } from '../kernel/http/connections.ts';
import { createServer } from '../kernel/http/server.ts';
import { GitError } from '../kernel/store/git.ts';
import { isEngineAddress } from '../kernel/store/content-engine.ts';
import { trackedOwn } from '../kernel/store/repositories.ts';
import { watchCrash } from './crash.ts';
import { describeError, Failure, failed, misuse, refusalOf } from './failure.ts';
import { printProblem } from './findings/text.ts';
import { reportProblems } from './findings/watch.ts';
import { contentPlace, defaultHost, defaultPort, environmentPort, port, shownPlace, url, examples } from './flags.ts';
import { createLive, openBrowser } from './live.ts';
import { operatorOf } from './operator.ts';
import { createProgress, type Io, paint } from './io.ts';
import {
  loggingIo,
  observerOf,
  type Operations,
  type OperationsOptions,
  operationsOptions,
  ownProbes,
  readOperations,
  serveProbes,
} from './operations.ts';
import { collectAlone, collectAsPrimary, collectAsWorker } from '../operations/collect.ts';
import type { Observer } from '../operations/observe.ts';

export interface ServeOptions extends OperationsOptions {
  readonly port?: number;
  readonly host?: string;
  readonly readOnly?: true;
  readonly url?: string;
  readonly workers?: number;
  readonly open?: true;
}

const maxWorkers = 128;
/** Requests under way have this long to finish after the signal to stop; the process ends after two seconds in any case. */
const graceMs = 1500;
/** After something was thrown that nobody caught the process ends within this time, finished or not. */
const patienceMs = 2000;

export function defineServe(command: Command, io: Io): void {
  serveOptions(command)
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .option('--read-only', 'write nothing: add no ids to files, reject requests that change anything')
    .option('--open', 'open the site in a browser, and reload its pages whenever a file is saved')
    .action(async (named: string | undefined, options: ServeOptions) => {
      const dir = contentPlace(named, io);
      await serve(dir, options, io, (site, _, say) => {
        if (site.accounts.all().length > 0) return;
        say('  nobody can sign in yet; to create an administrator and a password:');
        const flag = named === undefined ? '' : ` --dir ${named}`;
        say(`  cms user create admin --role administrator${flag} && cms password create admin${flag}`);
      });
    });
  examples(command, 'cms serve my-site', 'cms serve my-site --port 8080 --host 0.0.0.0 --url https://example.com');
}

/** The options that every serving command has. */
export function serveOptions(command: Command): Command {
  return operationsOptions(command)
    .option('-p, --port <number>', `port to listen on; 0 picks a free one (default: $CMS_PORT, $PORT or ${defaultPort})`, port)
    .option('--host <address>', `address to listen on (default: $CMS_HOST or ${defaultHost})`)
    .option(
      '--url <address>',
      "the site's public URL, overriding site.yaml (default: url in site.yaml, else the address it listens on)",
      url,
    )
    .option('--workers <number>', 'number of server processes (default: $CMS_WORKERS or 1)', workers);
}

/**
 * Serves until the process is asked to stop.
 * @param ready  called once requests are answered; what it says is a line of the log
 */
export async function serve(dir: string, options: ServeOptions, given: Io, ready: Served['ready']): Promise<void> {
  const operations = readOperations(options, given);
  const io = loggingIo(given, operations);
  const wantedPort = options.port ?? environmentPort(io) ?? defaultPort;
  const host = options.host ?? (io.env.CMS_HOST || defaultHost);
  const count = options.workers ?? environmentWorkers(io) ?? 1;
  const served: Served = { dir, options, io, host, wantedPort, count, ready, operations, log: given.err };
  if (io.env[workerVariable] !== undefined && process.connected) return work(served);
  if (options.open && count > 1) misuse('--open works with a single process only', 'leave out --workers');
  const isEngine = isEngineAddress(dir);
  if (isEngine && count > 1) misuse('--workers works with a folder', 'with --engine, start more nodes, each a single process');
  const stopped = io.stopped();
  if (!isEngine) await refuseTracked(dir, io);
  await (count > 1 ? serveTogether(served, stopped) : serveAlone(served, stopped));
}

async function serveTogether({ io, host, wantedPort, count, operations }: Served, asked: Promise<void>): Promise<void> {
  const { attend, collect } = collectAsPrimary();
  const endProbes = await serveProbes(operations, collect, io);
  const crash = watchCrash(io.err, patienceMs);
  const stopped = Promise.race([asked, crash.crashed]);
  const run = runPrimary({ workers: count, port: wantedPort, host, log: io.err, stopped, graceMs, attend });
  const status = await run
    .catch((error: unknown) => refused(error, wantedPort, host))
    .finally(() => {
      crash.end();
      endProbes();
    });
  if (status !== 0 || crash.hasCrashed()) throw new Failure(status || 1, '');
}

async function serveAlone(served: Served, stopped: Promise<void>): Promise<void> {
  const { io, host, wantedPort, operations, log, options } = served;
  const observer = observerOf(operations, log);
  const collect = collectAlone(observer);
  const site = await open(served, observer);
  const live = options.open ? createLive() : null;
  const around: Around = live ? (handle) => observer.around(live.around(handle)) : observer.around;
  const server = createServer({ site, registry: composeSite(site), log: io.err, around });
  observer.serving(server);
  observer.probeWith(ownProbes(operations, collect));
  const crash = watchCrash(io.err, patienceMs);
  let endProbes: (() => void) | undefined;
  try {
    endProbes = await serveProbes(operations, collect, io);
    const address = await server.listen(wantedPort, host).catch((error: unknown) => refused(error, wantedPort, host));
    live?.attach(site);
    if (live && !options.url) site.setAddress(address, 'operator');
    await announce(served, site, address);
    if (live) openBrowser(`${address.replace('//0.0.0.0:', '//127.0.0.1:')}/`, io);
    await Promise.race([stopped, crash.crashed]);
    live?.close();
    await server.close(graceMs);
  } finally {
    endProbes?.();
    await site.close();
    crash.end();
  }
  if (crash.hasCrashed()) throw new Failure(1, '');
}

interface Served {
  readonly dir: string;
  readonly options: ServeOptions;
  readonly io: Io;
  readonly host: string;
  readonly wantedPort: number;
  /** Workers. */
  readonly count: number;
  readonly ready: (site: Site, address: string, say: (line: string) => void) => void | Promise<void>;
  readonly operations: Operations;
  /** Takes lines in the format of the log. */
  readonly log: (line: string) => void;
}

/** The leader of several workers, or the only process. */
async function open(served: Served, observer: Observer, more: OpenOptions = {}): Promise<Site> {
  const { io } = served;
  const progress = createProgress(io, 'reading files');
  const site = await openAs(served, observer, { progress: progress.update, ...more }).catch(unwritable(served));
  progress.end();
  await refuseUnread(site, served);
  await reportProblems(site, shown(served), io);
  return site;
}

const settingsFile: NonNullable<Module['required']>[number] = {
  matches: (path) => path === 'site.yaml',
  what: 'its settings',
  otherwise: 'every date and URL would be wrong',
};

/** @throws Failure when a file without which the site is not served cannot be read */
async function refuseUnread(site: Site, served: Served): Promise<void> {
  const { io } = served;
  const problems = site.store.problems();
  for (const { matches, what, otherwise } of [settingsFile, ...site.modules.list.flatMap(({ required = [] }) => required)]) {
    const broken = problems.find(({ path }) => matches(path));
    if (!broken) continue;
    await site.close();
    io.err(printProblem(broken, io, 'err'));
    failed(`${shown(served)}: cannot serve a site without ${what}`, otherwise);
  }
}

async function openAs({ dir, options, io }: Served, observer: Observer, more: OpenOptions): Promise<Site> {
  const site = await openSite(dir, {
    operator: operatorOf(dir, io, { serves: true }),
    readOnly: options.readOnly ?? false,
    untouched: options.readOnly ?? false,
    log: io.err,
    ...more,
    modules: [observer.module],
    wrap: observer.wrap,
  });
  if (options.url) site.setAddress(options.url, 'operator');
  return site;
}

/** The folder as the user would name it. */
function shown({ dir, io }: Served): string {
  return shownPlace(dir, io);
}

function unwritable(served: Served): (error: unknown) => never {
  return (error) => {
    if (refusalOf(error) === undefined) throw error;
    failed(`cannot write to ${shown(served)}: ${describeError(error)}`, '--read-only serves it without writing', error);
  };
}

/** As one of several processes. */
async function work(served: Served): Promise<void> {
  const { io, operations, log } = served;
  const operator = operatorOf(served.dir, io, { serves: true });
  const number = Number(io.env[workerVariable]);
  const observer = observerOf(operations, log);
  observer.probeWith(ownProbes(operations, collectAsWorker(observer, number)));
  await runWorker({
    observed: observer,
    connections: { ...operator, max_connections: Math.ceil(operator.max_connections / served.count) },
    crash: watchCrash((line) => io.err(`[${io.env[workerVariable]}] ${line}`), patienceMs),
    graceMs,
    open: (seat) => (seat.isLeader ? open(served, observer, { seat }) : openAs(served, observer, { seat })),
    compose: composeSite,
    log: io.err,
    ready: (site, address) => announce(served, site, address),
    isMarked: io.env.CMS_DEBUG !== undefined && io.env.CMS_DEBUG !== '',
  });
}

async function announce(served: Served, site: Site, address: string): Promise<void> {
  const { options, io, count, ready } = served;
  const how = `${options.readOnly ? ' (read-only)' : ''}${count > 1 ? ` with ${count} workers` : ''}`;
  io.err(`serving ${shown(served)} at ${paint(io, 'err', 'cyan', `${address}${neutral.root}/`)}${how}`);
  if (hasEditor(site) && !options.readOnly)
    io.err(`  write in a browser at ${paint(io, 'err', 'cyan', `${address}${editorPath}`)}`);
  await ready(site, address, io.err);
}

function workers(text: string): number {
  const number = Number(text);
  if (/^\d{1,3}$/.test(text) && number >= 1 && number <= maxWorkers) return number;
  throw new InvalidArgumentError(`Use a number from 1 to ${maxWorkers}.`);
}

function environmentWorkers({ env }: Io): number | undefined {
  if (!env.CMS_WORKERS) return undefined;
  try {
    return workers(env.CMS_WORKERS);
  } catch {
    return misuse(`CMS_WORKERS=${env.CMS_WORKERS} is not a valid number of workers`, `use a number from 1 to ${maxWorkers}`);
  }
}

/**
 * Accounts and keys are never content. Those that git brought have no effect (`kernel/store/trusted.ts`); this says so before anybody
 * relies on them, and stays right where git cannot be asked.
 * @throws Failure when git tracks something of `.cms`
 */
async function refuseTracked(dir: string, io: Io): Promise<void> {
  try {
    const [first] = await trackedOwn(dir);
    if (first !== undefined)
      failed(
        `${first} is tracked by git; accounts and keys must not be part of the content`,
        'to untrack them: git rm -r --cached .cms',
      );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    io.err(`cannot tell whether git tracks .cms: ${describeError(error)}`);
    io.err('  private files from other machines are ignored in any case');
  }
}

function refused(error: unknown, port: number, host: string): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    failed(`port ${port} on ${host} is in use`, 'choose another with --port; --port 0 picks a free one', error);
  if (code === 'EACCES')
    failed(
      `port ${port} on ${host} requires elevated privileges`,
      'ports below 1024 are reserved; choose another with --port',
      error,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    failed(
      `--host ${host} is not an address of this machine`,
      'use 127.0.0.1 for this machine only, 0.0.0.0 for all of its networks',
      error,
    );
  throw error;
}
