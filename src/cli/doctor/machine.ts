/**
 * The machine that a site is served on: its Node, its image library, its clock, room on the disk and watches of folders.
 */
import { readFileSync, statfsSync } from 'node:fs';
import { availableFormats, type Format } from '../../modules/media/files/image.ts';
import { type DoctorFinding, judgeOf } from './finding.ts';

/** What the doctor asks of the machine. */
export interface Machine {
  /** Version of Node, as `20.19.0`. */
  readonly node: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Room of the disk that holds a path; null where the system does not say. */
  readonly room: (path: string) => { readonly bytes: number; readonly files: number } | null;
  /** Watches that a user may have at a time; null where the system counts none. */
  readonly watches: () => number | null;
  /** Formats in which pictures can be made. @throws when there is no image library */
  readonly formats: () => Promise<readonly Format[]>;
}

const leastBytes = 200 * 1024 ** 2;
const leastFiles = 1000;
/** Of other programs: editors watch folders, too. */
const watchesOfOthers = 1024;
/** Times of files that may be ahead of the clock. */
const mostAheadMs = 60_000;
const wanted: readonly Format[] = ['jpeg', 'png', 'gif', 'webp', 'avif'];

export const thisMachine: Machine = {
  node: process.versions.node,
  clock: Date.now,
  room(path) {
    try {
      const { bavail, bsize, ffree, files } = statfsSync(path);
      // A system that makes files as they come says that it has none.
      return { bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree };
    } catch {
      return null;
    }
  },
  watches() {
    try {
      return Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
    } catch {
      return null;
    }
  },
  formats: availableFormats,
};

/**
 * @param places     folders that are written to, by what they are
 * @param folders    how many folders the content has
 * @param newestMs   when the newest file of the content was changed
 */
export async function* lookAtMachine(
  machine: Machine,
  {
    places,
    folders,
    newestMs,
  }: { readonly places: Readonly<Record<string, string>>; readonly folders: number; readonly newestMs: number },
): AsyncIterable<DoctorFinding> {
  yield nodeOf(machine);
  yield await imagesOf(machine);
  yield clockOf(machine, newestMs);
  yield* Object.entries(places).map(([what, path]) => roomOf(machine, what, path));
  yield watchesOf(machine, folders);
}

function nodeOf({ node }: Machine): DoctorFinding {
  const { ok, no } = judgeOf('node');
  const major = Number.parseInt(node, 10);
  if (major % 2 === 0) return ok(`Node ${node}`);
  return no(
    `Node ${node} is no release with long support: its faults stay once the next one is out`,
    `install Node ${major - 1} or ${major + 1}`,
  );
}

async function imagesOf({ formats }: Machine): Promise<DoctorFinding> {
  const { ok, no } = judgeOf('images');
  try {
    const made = await formats();
    const missing = wanted.filter((format) => !made.includes(format));
    if (missing.length === 0) return ok(`the image library makes ${made.join(', ')}`);
    return no(
      `the image library makes no ${missing.join(', ')}`,
      'use the one that comes with sharp: npm uninstall sharp && npm install sharp, without SHARP_FORCE_GLOBAL_LIBVIPS',
    );
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return no(
      `the image library does not load, so uploaded pictures get no sizes: ${reason}`,
      'install it for this machine: npm install --include=optional sharp (in Docker: for the system of the image, not that of the host)',
    );
  }
}

function clockOf({ clock }: Machine, newestMs: number): DoctorFinding {
  const { ok, no } = judgeOf('clock');
  const ahead = newestMs - clock();
  if (ahead <= mostAheadMs) return ok(`the clock says ${new Date(clock()).toISOString()}`);
  return no(
    `a file was changed at ${new Date(newestMs).toISOString()}, which is still to come: the clock is wrong, here or where it was written`,
    'set it from the network: timedatectl set-ntp true; scheduled items and sessions go by it',
  );
}

function roomOf({ room }: Machine, what: string, path: string): DoctorFinding {
  const { ok, no } = judgeOf('disk');
  const left = room(path);
  if (left === null) return ok(`${what}: the system does not say how much room there is`);
  const shown = `${Math.round(left.bytes / 1024 ** 2)} MB`;
  const fix =
    'make room: a write that finds none is answered with 507. Old backups, .cms/cache of stopped servers and logs can go';
  if (left.bytes < leastBytes) return no(`${what}: ${shown} of room are left`, fix);
  if (left.files < leastFiles) return no(`${what}: the disk takes ${left.files} files more, however small`, fix);
  return ok(`${what}: ${shown} of room`);
}

function watchesOf({ watches }: Machine, folders: number): DoctorFinding {
  const { ok, no } = judgeOf('watches');
  const given = watches();
  if (given === null) return ok('the system sets no number of watches');
  if (folders + watchesOfOthers <= given) return ok(`${folders} folders to watch, ${given} may be watched`);
  return no(
    `${folders} folders to watch, and a user may watch ${given} in all: edits by hand are then found by looking every few seconds`,
    'allow more: echo fs.inotify.max_user_watches=524288 > /etc/sysctl.d/60-watches.conf && sysctl --system',
  );
}
