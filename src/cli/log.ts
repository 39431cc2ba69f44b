/**
 * `cms log`: the commits of an item's file, under all the names that it has had.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { stateIds } from '../modules/git/history/index.ts';
import { examples } from './flags.ts';
import { historyOf, itemArgument, momentOf } from './item-history.ts';
import { type Io, printTable } from './io.ts';

interface Options {
  readonly dir?: string;
  readonly limit?: number;
  readonly json?: true;
}

export function defineLog(command: Command, io: Io): void {
  itemArgument(command)
    .option('--limit <number>', 'show only the newest', many)
    .option('--json', 'print JSON')
    .action((item: string, options: Options) => run(item, options, io));
  examples(command, 'cms log posts/hello.md', 'cms log 7 --dir my-site --json');
}

async function run(item: string, { dir, limit, json }: Options, io: Io): Promise<void> {
  const { path, states } = await historyOf(item, dir, io);
  const shown = states.slice(0, limit);
  if (json) {
    const ids = new Map([...stateIds(states)].map(([id, state]) => [state, id]));
    const commits = shown.map((state) => ({
      revision: ids.get(state),
      commit: state.commit,
      date: new Date(state.at).toISOString(),
      author: state.author,
      subject: state.subject,
      change: state.kind,
      path: state.path,
    }));
    io.out(JSON.stringify({ path, commits }, null, 2));
    return;
  }
  const rows = shown.map((state, at) => {
    const isMoved = state.path !== (at === 0 ? path : shown[at - 1]?.path);
    const about = isMoved ? `${state.subject} [${state.path ?? 'outside'}]` : state.subject;
    return [state.commit.slice(0, 8), momentOf(state), state.author.name, about];
  });
  for (const line of printTable(['COMMIT', 'DATE', 'AUTHOR', 'SUBJECT'], rows)) io.out(line);
}

function many(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number, 1 or more.');
}
