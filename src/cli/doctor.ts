/**
 * `cms doctor`: what keeps a site from being served well, on this machine and at its address, with what mends each thing.
 * `cms doctor auth`: why credentials do not work.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { operatorDefaults } from '../kernel/model/operator.ts';
import { readMediaStore } from '../modules/media/store/settings.ts';
import { stateDirectory } from '../kernel/store/state.ts';
import { parseYaml } from '../kernel/yaml/parse.ts';
import { defineAuth } from './doctor/auth.ts';
import { counted, type DoctorFinding, judgeOf, printFindings, say } from './doctor/finding.ts';
import { allowedHere, type PathAccess, lookAtContent, lookAtPermissions, lookAtZone, walk } from './doctor/folder.ts';
import { lookAtMachine, type Machine, thisMachine } from './doctor/machine.ts';
import { lookAtMediaStore } from './doctor/media-store.ts';
import { lookAtPort } from './doctor/port.ts';
import { lookAtProxies } from './doctor/proxies.ts';
import { lookAtRepository } from './doctor/repository.ts';
import { lookAtService } from './doctor/service.ts';
import { Failure, failed } from './failure.ts';
import { contentFolder, defaultHost, defaultPort, environmentPort, examples, port, systemZone, url } from './flags.ts';
import type { Io } from './io.ts';
import { configHint, ignoredConfig, operatorOf } from './operator.ts';
import { isUrl } from '../kernel/model/addresses.ts';

interface Options {
  readonly port?: number;
  readonly host?: string;
  readonly url?: string;
  readonly origin?: string;
  readonly json?: true;
}

/** Where a site is looked at, and by whom. */
export interface DoctorSurroundings {
  readonly machine: Machine;
  readonly isAllowed: PathAccess;
  /** Time zone of the system. */
  readonly zone: string;
}

export const surroundings: DoctorSurroundings = { machine: thisMachine, isAllowed: allowedHere, zone: systemZone() };

export function defineDoctor(command: Command, io: Io): void {
  command
    // Behind "auth" stand the options of that.
    .enablePositionalOptions()
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .option('-p, --port <number>', `port to check (default: $CMS_PORT, $PORT or ${defaultPort})`, port)
    .option('--host <address>', `address to check (default: $CMS_HOST or ${defaultHost})`)
    .option('--url <address>', 'also check the site from outside, at its public URL', url)
    .option('--origin <address>', 'with --url: origin of a front end with signed-in users', url)
    .option('--json', 'print JSON')
    .action((named: string | undefined, options: Options) => run(contentFolder(named, io), options, io));
  examples(command, 'cms doctor my-site', 'cms doctor my-site --url https://example.com --origin https://app.example.com');
  defineAuth(command.command('auth').description('find out why credentials do not work'), io);
}

async function run(dir: string, options: Options, io: Io): Promise<void> {
  if (options.origin !== undefined && options.url === undefined) throw new Failure(2, '--origin requires --url');
  const findings: DoctorFinding[] = [];
  for await (const finding of examine(dir, options, io)) {
    findings.push(finding);
    if (!options.json) say(finding, io);
  }
  if (options.json) io.out(printFindings(findings));
  const wrong = findings.filter(({ isFine }) => !isFine).length;
  if (wrong > 0) failed(options.json ? '' : `${counted(wrong, 'thing')} ${wrong === 1 ? 'needs' : 'need'} a look`);
}

/** Everything there is to say, part by part. Nothing is changed. */
export async function* examine(
  dir: string,
  { port, host, url: address, origin }: Options,
  io: Io,
  { machine, isAllowed, zone }: DoctorSurroundings = surroundings,
): AsyncIterable<DoctorFinding> {
  const seen = walk(dir, isAllowed);
  const state = stateDirectory(io.env);
  yield* lookAtMachine(machine, {
    ...seen,
    places: { 'the content folder': dir, 'the temporary folder': io.env.TMPDIR || '/tmp' },
  });
  yield await lookAtPort(host ?? (io.env.CMS_HOST || defaultHost), port ?? environmentPort(io) ?? defaultPort);
  yield* lookAtPermissions(dir, state, seen, isAllowed);
  const settings = readFileSync(join(dir, 'site.yaml'), 'utf8');
  yield lookAtZone(settings, zone);
  yield* lookAtRepository(resolve(dir), machine.clock(), io);
  // Where the media lie is a setting: without settings the content cannot be checked.
  const isSet = yield* lookAtSettings(dir, address ?? addressIn(settings), machine.clock, io);
  if (isSet) yield await lookAtContent(dir, io);
  if (address !== undefined) yield* lookAtService(address, origin ?? null);
}

/** @returns whether the settings can be read */
async function* lookAtSettings(
  dir: string,
  address: string | null,
  clock: () => number,
  io: Io,
): AsyncGenerator<DoctorFinding, boolean> {
  let operator = operatorDefaults();
  try {
    operator = operatorOf(dir, io);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield judgeOf('settings').no(`the server would not start: ${error.message}`, error.hint);
    return false;
  }
  const ignored = ignoredConfig(dir, io);
  if (ignored !== null)
    yield judgeOf('settings').no(`${ignored} does not count: git could bring it, and it sets up the server`, configHint);
  yield* lookAtProxies(operator, address);
  yield* lookAtMediaStore(readMediaStore(operator, io.env), clock);
  return true;
}

/** The address in `site.yaml`; null where it says none that can be read. */
function addressIn(text: string): string | null {
  try {
    const { url: said } = parseYaml(text);
    return typeof said === 'string' && isUrl(said) ? said : null;
  } catch {
    return null;
  }
}
