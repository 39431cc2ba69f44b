/**
 * `cms mcp`: the tools of a content folder for an agent on the same machine, over standard input and output.
 */
import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Command } from 'commander';
import type { Module } from '../kernel/module.ts';
import type { Dispatcher } from '../kernel/rest/types.ts';
import { createMcpServer } from '../modules/api/mcp/server.ts';
import { misuse } from './failure.ts';
import { contentPlace, shownPlace, examples } from './flags.ts';
import type { Io } from './io.ts';
import { type CallerOptions, callerOptions, withCaller } from './local-caller.ts';

interface Options extends CallerOptions {
  readonly uploads: readonly string[];
}

export function defineMcp(command: Command, io: Io): void {
  callerOptions(command.argument('[dir]', 'content folder (default: the current folder, or ./content)'))
    .option('--uploads <folder>', 'allow uploads of files in this folder; may be repeated', collect, [])
    .action((named: string | undefined, options: Options) => serve(contentPlace(named, io), options, io));
  examples(command, 'cms mcp my-site', 'cms mcp my-site --scope drafts', 'cms mcp my-site --uploads ~/Pictures');
}

async function serve(dir: string, { uploads, ...options }: Options, io: Io): Promise<void> {
  const localFolders = uploads.map((folder) => folderAt(resolve(io.cwd, folder), folder));
  const local: Module = { name: 'local-files', setup: () => ({ site: { localFolders } }) };
  await withCaller(dir, options, io, [local], async ({ site, dispatcher, user }) => {
    const asked = countRequests(dispatcher);
    const server = createMcpServer({ site, dispatcher: asked, request: { user } });
    const ended = new Promise<void>((done) => {
      process.stdin.once('end', done).once('close', done);
    });
    await server.connect(new StdioServerTransport());
    io.err(`tools of ${shownPlace(dir, io)} for an agent, over standard input and output; docs/agents.md says how to set one up`);
    await Promise.race([ended, io.stopped()]);
    await asked.done();
    await server.close();
  });
}

/** What was asked before the input ended is answered, and written, before the folder is closed. */
function countRequests({ dispatch }: Pick<Dispatcher, 'dispatch'>): Pick<Dispatcher, 'dispatch'> & { done(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  return {
    dispatch(request) {
      const work = dispatch(request);
      running.add(work);
      work.finally(() => running.delete(work)).catch(() => undefined);
      return work;
    },
    async done() {
      // Messages that have come are taken in turns of their own, and so are answers.
      for (let turn = 0; turn < 10; turn++) {
        await Promise.allSettled(running);
        await nextTurn();
      }
    },
  };
}

/** As the disk has it. @throws Failure with status 2 */
function folderAt(path: string, named: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) misuse(`--uploads: "${named}" is not a folder`);
  return realpathSync(path);
}

function collect(folder: string, before: readonly string[]): readonly string[] {
  return [...before, folder];
}
