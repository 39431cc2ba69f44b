/**
 * `cms diff`: what differs between two states of an item's file; without options, between the last commit and the file as it is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { failed } from './failure.ts';
import { unifiedDiff } from '../modules/git/diff/index.ts';
import { examples } from './flags.ts';
import { historyOf, isBinary, itemArgument, type ItemHistory, stateAt } from './item-history.ts';
import type { Io } from './io.ts';

interface Options {
  readonly dir?: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: true;
}

export function defineDiff(command: Command, io: Io): void {
  itemArgument(command)
    .option('--from <rev>', 'commit, revision id or day to compare (default: the last commit)')
    .option('--to <rev>', 'commit, revision id or day to compare it with (default: the current file)')
    .option('--json', 'print JSON')
    .action((item: string, options: Options) => run(item, options, io));
  examples(command, 'cms diff posts/hello.md', 'cms diff 7 --from 2026-03-01 --to 1a2b3c4d');
}

async function run(item: string, options: Options, io: Io): Promise<void> {
  const found = await historyOf(item, options.dir, io);
  const from = await side(found, options.from ?? (found.states[0]?.commit as string));
  const to = options.to === undefined ? present(found) : await side(found, options.to);
  if (isBinary(from.bytes) || isBinary(to.bytes)) failed(`${found.path} is not a text file`);
  const diff = unifiedDiff(from.path, to.path, from.bytes.toString('utf8'), to.bytes.toString('utf8'));
  if (options.json) io.out(JSON.stringify({ path: found.path, from: from.name, to: to.name, diff }, null, 2));
  else if (diff !== '') io.out(diff);
}

interface Side {
  readonly name: string;
  readonly path: string;
  readonly bytes: Buffer;
}

async function side({ history, states, path }: ItemHistory, at: string): Promise<Side> {
  const state = stateAt(states, at);
  const bytes = (await history.read([state])).get(state) ?? Buffer.alloc(0);
  return { name: state.commit, path: state.path ?? path, bytes };
}

function present({ dir, path }: ItemHistory): Side {
  const file = join(dir, path);
  return { name: 'file', path, bytes: existsSync(file) ? readFileSync(file) : Buffer.alloc(0) };
}
