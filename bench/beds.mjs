/**
 * Where writes are measured. A root file system may say nothing of any other: ext4 without a journal takes up to 0.8 ms to make a
 * file after deletions. So the time of a write is taken on a journaled ext4 in a file, mounted by loop where this process may,
 * and its processor time on tmpfs, where the disk costs next to nothing.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const imageMb = 4096;
const shared = '/dev/shm';

/**
 * @param dir  a folder of the disk to be measured; its own file system is the bed when it is said, or when nothing can be mounted
 * @returns {folder, about, isJournaled, close}
 */
export function makeDiskBed(dir) {
  if (dir === undefined) {
    try {
      return makeImage(tmpdir());
    } catch (error) {
      console.error(`no file system can be mounted (${String(error.message).split('\n')[0]}): measuring on ${tmpdir()}`);
    }
  }
  return makeFolder(dir ?? tmpdir());
}

/** @returns as `makeDiskBed`, or null where there is no tmpfs */
export function makeMemoryBed() {
  try {
    if (typeOf(shared).type === 'tmpfs') return makeFolder(shared);
  } catch {
    // No such folder.
  }
  return null;
}

function makeImage(dir) {
  const own = mkdtempSync(join(dir, 'cms-bed-'));
  const [image, folder] = [join(own, 'image'), join(own, 'mounted')];
  const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    mkdirSync(folder);
    run('truncate', '--size', `${imageMb}M`, image);
    run('mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image);
    run('mount', '-o', 'loop', image, folder);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    throw error;
  }
  const close = () => {
    run('umount', '--lazy', folder);
    rmSync(own, { recursive: true, force: true });
  };
  return { folder, ...describe(folder), close };
}

function makeFolder(dir) {
  const folder = mkdtempSync(join(dir, 'cms-bed-'));
  return { folder, ...describe(folder), close: () => rmSync(folder, { recursive: true, force: true }) };
}

function describe(folder) {
  const { type, device, options } = typeOf(folder);
  if (!/^ext[34]$/.test(type)) return { about: type, isJournaled: null };
  const isJournaled = hasJournal(device);
  const journal = isJournaled === null ? 'journal unknown' : isJournaled ? 'journaled' : 'WITHOUT a journal';
  return { about: `${type}, ${journal}${/loop/.test(device) ? ', in a file' : ''} (${options})`, isJournaled };
}

/** The mount that a folder is in. */
function typeOf(folder) {
  const place = realpathSync(folder);
  statfsSync(place);
  const isAbove = (point) => point === '/' || place === point || place.startsWith(`${point}/`);
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, point]) => isAbove(point));
  const [device, , type, options] = mounts.reduce((best, one) => (one[1].length >= best[1].length ? one : best));
  return { device, type, options };
}

/** Null where the features of a device may not be read. */
function hasJournal(device) {
  try {
    const features = execFileSync('dumpe2fs', ['-h', device], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return /^Filesystem features:.*\bhas_journal\b/m.test(features);
  } catch {
    return null;
  }
}
