/**
 * `cms serve`: a content folder behind the interface, until it is asked to stop.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { relative } from 'node:path';
import type { Command } from 'commander';
import { composeSite, openSite } from '../deployments.ts';
import type { Site } from '../domain/site.ts';
import { neutral } from '../rest/dialect.ts';
import { createServer } from '../server/server.ts';
import { failed } from './failure.ts';
import { contentFolder, defaultHost, defaultPort, environmentPort, port, url } from './flags.ts';
import { examples } from './help.ts';
import { createProgress, type Io, paint } from './io.ts';

export interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  readonly readOnly?: true;
  readonly url?: string;
}

/** Requests under way have this long to finish after the signal to stop; the process ends after two seconds in any case. */
const graceMs = 1500;

export function defineServe(command: Command, io: Io): void {
  serveOptions(command)
    .argument('[dir]', 'content folder (default: the current folder, or ./content)')
    .option('--read-only', 'write nothing: no ids into files, no requests that change anything')
    .action(async (named: string | undefined, options: ServeOptions) => {
      const dir = contentFolder(named, io);
      await serve(dir, options, io, (site) => {
        if (site.accounts.all().length > 0) return;
        io.err('  nobody can sign in yet; to make an administrator and a password:');
        const flag = named === undefined ? '' : ` --dir ${named}`;
        io.err(`  cms user create admin --role administrator${flag} && cms password create admin${flag}`);
      });
    });
  examples(command, 'cms serve my-site', 'cms serve my-site --port 8080 --host 0.0.0.0 --url https://example.com');
}

/** The options that every serving command has. */
export function serveOptions(command: Command): Command {
  return command
    .option('-p, --port <number>', `port to listen on; 0 takes a free one (default: $CMS_PORT, $PORT or ${defaultPort})`, port)
    .option('--host <address>', `address to listen on (default: $CMS_HOST or ${defaultHost})`)
    .option(
      '--url <address>',
      "the site's public address, whatever site.yaml says (default: site.yaml's url, else where it listens)",
      url,
    );
}

/**
 * Serves until the process is asked to stop.
 * @param ready  called once requests are answered
 */
export async function serve(
  dir: string,
  options: ServeOptions,
  io: Io,
  ready: (site: Site, address: string) => void | Promise<void>,
): Promise<void> {
  const wantedPort = options.port ?? environmentPort(io) ?? defaultPort;
  const host = options.host ?? (io.env.CMS_HOST || defaultHost);
  const stopped = io.stopped();
  await refuseTracked(dir);
  const progress = createProgress(io, 'reading files');
  const site = await openSite(dir, { readOnly: options.readOnly ?? false, progress: progress.update });
  progress.end();
  const server = createServer({ site, registry: composeSite(site), log: (line) => io.err(line) });
  try {
    const address = await server.listen(wantedPort, host).catch((error: unknown) => refused(error, wantedPort, host));
    if (options.url) site.setAddress(options.url, 'operator');
    const folder = relative(io.cwd, dir) || '.';
    io.err(
      `serving ${folder} at ${paint(io, 'err', 'cyan', `${address}${neutral.root}/`)}${options.readOnly ? ' (read-only)' : ''}`,
    );
    const unread = site.problems().filter(({ severity }) => severity === 'error').length;
    if (unread > 0) io.err(`  ${unread} of its files cannot be served as they are; cms validate ${folder} says why`);
    await ready(site, address);
    await stopped;
    await Promise.race([server.close(), pause(graceMs)]);
  } finally {
    await site.close();
  }
}

/**
 * Accounts and keys are never content: a folder whose `.cms` came out of git could bring an administrator with a pull request.
 * @throws Failure when git tracks something below `.cms`
 */
async function refuseTracked(dir: string): Promise<void> {
  // Without git, or outside a checkout, nothing came out of it.
  const { stdout } = await promisify(execFile)('git', ['-C', dir, 'ls-files', '--', '.cms']).catch(() => ({ stdout: '' }));
  const [first] = stdout.split('\n').filter((line) => line !== '');
  if (first)
    failed(
      `${first} is tracked by git; accounts and keys must not come with the content`,
      'git rm -r --cached .cms takes them out',
    );
}

function refused(error: unknown, port: number, host: string): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    failed(`port ${port} on ${host} is in use`, '--port takes another one; --port 0 takes any that is free', error);
  if (code === 'EACCES')
    failed(`port ${port} on ${host} needs more rights`, 'ports below 1024 are reserved; choose another with --port', error);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    failed(
      `--host ${host} is no address of this machine`,
      '127.0.0.1 is this machine alone, 0.0.0.0 every network it is in',
      error,
    );
  throw error;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
