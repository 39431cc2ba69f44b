/** `cms media push` and `cms media pull`: the library from the folder to the media store, and back. */
import type { Command } from 'commander';
import type { Store } from '../kernel/store/types.ts';
import type { MediaStore } from '../modules/media/store/layered-store.ts';
import type { Moved } from '../modules/media/store/moves.ts';
import { openContent } from '../open-content.ts';
import { each, jobs } from './each.ts';
import { Failure, misuse, status } from './failure.ts';
import { contentFolder, examples } from './flags.ts';
import { createProgress, type Io, paint } from './io.ts';
import { operatorOf } from './operator.ts';

interface Flags {
  readonly jobs: number;
  readonly dryRun?: true;
  readonly json?: true;
}

/** One direction. */
interface Direction {
  readonly name: 'push' | 'pull';
  readonly about: string;
  readonly doing: string;
  /** Reads the site, and tells the files that there are to move. */
  find(store: Store, media: MediaStore): Promise<readonly string[]>;
}

const directions: readonly Direction[] = [
  {
    name: 'push',
    about: 'move media files from the folder to the media store',
    doing: 'moving files to the media store',
    async find(store, { moves }) {
      const paths: string[] = [];
      await store.visit((file) => void paths.push(file.path));
      return moves.inFolder(paths);
    },
  },
  {
    name: 'pull',
    about: 'copy media files from the media store into the folder, where they count first',
    doing: 'copying files from the media store',
    async find(store, { moves }) {
      await store.visit(() => undefined);
      return moves.inBucket();
    },
  },
];

export function defineMoves(command: Command, io: Io): void {
  for (const direction of directions) {
    const move = command
      .command(direction.name)
      .argument('[dir]', 'content folder (default: the current folder, or ./content)')
      .description(direction.about)
      .option('--jobs <n>', 'files at a time, 1 to 16', jobs, 4)
      .option('--dry-run', 'list the files, without moving any')
      .option('--json', 'print JSON')
      .action((named: string | undefined, flags: Flags) => run(contentFolder(named, io), direction, flags, io));
    examples(move, `cms media ${direction.name} my-site`);
  }
}

async function run(dir: string, { name, doing, find }: Direction, { jobs: atOnce, dryRun, json }: Flags, io: Io): Promise<void> {
  const store = await openContent({ dir, readOnly: dryRun === true }, operatorOf(dir, io));
  try {
    const { mediaStore } = store;
    if (!mediaStore)
      misuse('no media store is configured', 'set CMS_MEDIA_STORE, or media_store: in cms.config.yaml (docs/media-store.md)');
    await mediaStore.bucket.refresh();
    const paths = await find(store, mediaStore);
    if (dryRun) {
      if (json) return io.out(JSON.stringify({ wanted: paths }, null, 2));
      for (const path of paths) io.out(path);
      return io.err(`${paths.length} to ${name}`);
    }
    const aborted = new AbortController();
    void io.stopped().then(() => aborted.abort());
    const progress = createProgress(io, doing);
    const done: { readonly path: string; readonly outcome: Moved }[] = [];
    try {
      const move = async (path: string): Promise<void> => {
        done.push({ path, outcome: await mediaStore.moves[name](path) });
        progress.update(done.length, paths.length);
      };
      await each(paths, atOnce, move, aborted.signal);
    } finally {
      progress.end();
    }
    const left = done.flatMap(({ path, outcome }) => (typeof outcome === 'string' ? [] : [{ path, reason: outcome.reason }]));
    left.sort((a, b) => (a.path < b.path ? -1 : 1));
    const moved = done.length - left.length;
    const stopped = aborted.signal.aborted;
    if (json) io.out(JSON.stringify({ moved, left, stopped }, null, 2));
    else {
      for (const { path, reason } of left) io.out(`${paint(io, 'out', 'bold', path)}  ${reason}`);
      const remaining = paths.length - done.length;
      io.out(
        [
          `${moved} ${name}ed`,
          ...(left.length > 0 ? [`${left.length} left`] : []),
          ...(remaining > 0 ? [`${remaining} remaining`] : []),
        ].join(', '),
      );
    }
    if (left.length > 0 || stopped) throw new Failure(status.failed, '');
  } finally {
    await store.close();
  }
}
