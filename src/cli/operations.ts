/**
 * Options of a serving command that say how it is watched over: what it logs, and where probes and metrics are asked for.
 */
import { type Command, Option } from 'commander';
import { createCompression } from '../operations/compression.ts';
import { printEvent, type LogFormat } from '../operations/lines.ts';
import { createObserver, type Observer } from '../operations/observe.ts';
import { createProbes, listenForProbes, type ProbeOptions } from '../operations/probes.ts';
import { failed, misuse } from './failure.ts';
import { defaultHost, port } from './flags.ts';
import type { Io } from './io.ts';

export interface OperationsOptions {
  readonly opsPort?: number;
  readonly opsHost?: string;
  readonly logFormat?: LogFormat;
  readonly log?: LogLevel;
  readonly logRequests?: true;
}

/** What is logged beside what goes wrong: nothing, what is written, or each request as well. */
type LogLevel = 'quiet' | 'writes' | 'requests';

/** How a server is watched over. */
export interface Operations {
  /** Null: probes are answered on the server's own port alone. */
  readonly port: number | null;
  readonly host: string;
  /** '': metrics are given on the port of their own alone. */
  readonly token: string;
  readonly format: LogFormat;
  readonly level: LogLevel;
}

const formats: readonly LogFormat[] = ['text', 'json'];
const levels: readonly LogLevel[] = ['quiet', 'writes', 'requests'];

export function operationsOptions(command: Command): Command {
  return command
    .option(
      '--ops-port <number>',
      'separate port for health probes and metrics; 0 picks a free one (default: $CMS_OPS_PORT or none)',
      port,
    )
    .option('--ops-host <address>', `address of that port (default: $CMS_OPS_HOST or ${defaultHost})`)
    .addOption(
      new Option('--log-format <format>', 'log lines as text or JSON (default: $CMS_LOG_FORMAT or text)').choices(formats),
    )
    .addOption(
      new Option(
        '--log <level>',
        'what to log in addition to errors (default: $CMS_LOG, or writes on a terminal and as JSON, otherwise quiet)',
      ).choices(levels),
    )
    .option('--log-requests', 'same as --log requests (default: $CMS_LOG_REQUESTS=1)');
}

/** @throws Failure with status 2 when a variable does not fit */
export function readOperations(
  { opsPort, opsHost, logFormat, log, logRequests }: OperationsOptions,
  { env, terminal }: Io,
): Operations {
  const format = logFormat ?? (env.CMS_LOG_FORMAT || 'text');
  if (!formats.includes(format as LogFormat)) misuse(`CMS_LOG_FORMAT=${format} is neither text nor json`);
  const usual = terminal.err || format === 'json' ? 'writes' : 'quiet';
  const level = log ?? (logRequests || env.CMS_LOG_REQUESTS === '1' ? 'requests' : env.CMS_LOG || usual);
  if (!levels.includes(level as LogLevel)) misuse(`CMS_LOG=${level} is not one of ${levels.join(', ')}`);
  return {
    port: opsPort ?? variablePort(env.CMS_OPS_PORT),
    host: opsHost ?? (env.CMS_OPS_HOST || defaultHost),
    token: env.CMS_METRICS_TOKEN ?? '',
    format: format as LogFormat,
    level: level as LogLevel,
  };
}

/** The same process, which says in the format of the log what it has to say. */
export function loggingIo(io: Io, { format }: Operations): Io {
  if (format === 'text') return io;
  const err = (message: string): void => io.err(printEvent({ event: 'message', message }, format));
  return { ...io, err, terminal: { ...io.terminal, err: false } };
}

/** What watches over the server, and what compresses its answers within that. */
export function observerOf({ format, level }: Operations, log: (line: string) => void): Observer {
  const observer = createObserver({ format, writes: level !== 'quiet', requests: level === 'requests', log });
  const compressed = createCompression();
  return { ...observer, around: (handle) => observer.around(compressed(handle)) };
}

/** What is answered on the server's own port. */
export function ownProbes({ token }: Operations, collect: ProbeOptions['collect']): ReturnType<typeof createProbes> {
  return createProbes({ token, collect }, true);
}

/** Listens on the port for probes, where there is to be one. @returns ends that */
export async function serveProbes(
  { port: wanted, host, token }: Operations,
  collect: ProbeOptions['collect'],
  io: Io,
): Promise<() => void> {
  if (wanted === null) return () => undefined;
  const probes = createProbes({ token, collect }, false);
  const listening = await listenForProbes(probes, { port: wanted, host }).catch((error: NodeJS.ErrnoException) =>
    failed(
      `port ${wanted} on ${host} cannot be used for probes: ${error.code ?? error.message}`,
      'choose another with --ops-port',
      error,
    ),
  );
  io.err(`probes and metrics at ${listening.address}`);
  return listening.close;
}

function variablePort(text: string | undefined): number | null {
  if (!text) return null;
  try {
    return port(text);
  } catch {
    return misuse(`CMS_OPS_PORT=${text} is not a valid port`, 'a port is a number from 0 to 65535');
  }
}
