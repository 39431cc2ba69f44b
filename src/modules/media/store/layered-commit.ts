/** A commit to folder and bucket: objects, then sidecars, then removals; an error in between reverts the objects. */
import {
  type Entry,
  type FileChange,
  StaleWriteError,
  type Store,
  type TakeFile,
  type WriteBytes,
} from '../../../kernel/store/types.ts';
import type { Blob } from '../../../kernel/store/types.ts';
import { type Bucket, dropSpooled, isKept } from './bucket.ts';
import type { Overlay } from './overlay.ts';

interface CommitParts {
  readonly inner: Store;
  readonly bucket: Bucket;
  readonly overlay: Overlay;
  /** Keeps an uploaded file as a copy of the object. */
  readonly keepCopy: (file: Blob, from: string) => Promise<void>;
}

type Put = WriteBytes | TakeFile;

/** What was done, and a copy of the previous object; null: nothing. */
interface Done {
  readonly change: Put;
  readonly blob: Blob;
  readonly before: string | null;
}

export function createCommit(parts: CommitParts): Store['commit'] {
  const { inner, bucket, overlay } = parts;
  return async (changes, deadlineMs, basis) => {
    const [puts, removals, rest] = parted(overlay, changes);
    if (puts.length + removals.length === 0) return noted(overlay, changes, await inner.commit(changes, deadlineMs, basis));
    const beganMs = performance.now();
    const done: Done[] = [];
    try {
      for (const change of puts) {
        const before = await makeWay(parts, change);
        done.push({ change, before, blob: await bucket.put(change.path, change) });
      }
      // The wait for the bucket does not count.
      const deadline = deadlineMs === undefined ? undefined : deadlineMs + performance.now() - beganMs;
      const entries = noted(overlay, changes, await inner.commit(rest, deadline, basis));
      for (const one of done) await settle(parts, one);
      for (const path of removals)
        await inner.faults.background(`${path}: removing it from the media store`, () => bucket.remove(path));
      return entries;
    } catch (error) {
      for (const one of done) await takeBack(parts, one);
      throw error;
    } finally {
      overlay.note();
    }
  };
}

/** Splits changes into uploads, removals, and those of the folder. */
function parted(
  { isHere }: Overlay,
  changes: readonly FileChange[],
): readonly [readonly Put[], readonly string[], readonly FileChange[]] {
  const puts: Put[] = [];
  const removals: string[] = [];
  const rest: FileChange[] = [];
  for (const change of changes) {
    const path = 'remove' in change ? change.remove : change.path;
    // Files in the folder stay there until moved.
    if (!isKept(path) || isHere(path)) rest.push(change);
    else if ('remove' in change) removals.push(path);
    else if ('bytes' in change || 'fromFile' in change) puts.push(change);
    else rest.push(change);
  }
  return [puts, removals, rest];
}

/** @returns a copy of the replaced object. @throws StaleWriteError if something is there that must not be */
async function makeWay({ inner, bucket, overlay }: CommitParts, { path, expect }: Put): Promise<string | null> {
  // A person may have just put it there.
  if (inner.locate(path) !== null) throw new StaleWriteError(path);
  const isThere = await bucket.look(path);
  if (isThere && expect === null) throw new StaleWriteError(path);
  const blob = isThere ? overlay.blobAt(path) : undefined;
  return blob ? bucket.copyOf(blob) : null;
}

async function settle({ inner, keepCopy }: CommitParts, { change, blob }: Done): Promise<void> {
  await inner.faults.background(`${blob.path}: keeping a copy`, async () => {
    if ('fromFile' in change) await keepCopy(blob, change.fromFile);
  });
  await dropSpooled(change);
}

async function takeBack({ inner, bucket }: CommitParts, { change: { path }, before }: Done): Promise<void> {
  await inner.faults.background(`${path}: taking it back from the media store`, async () => {
    if (before === null) await bucket.remove(path);
    else await bucket.put(path, { fromFile: before });
  });
}

function noted({ sidecars }: Overlay, changes: readonly FileChange[], entries: readonly Entry[]): readonly Entry[] {
  for (const change of changes) if ('remove' in change) sidecars.remove(change.remove);
  for (const entry of entries) sidecars.put(entry);
  return entries;
}
