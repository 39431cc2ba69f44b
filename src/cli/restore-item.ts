/**
 * `cms restore ITEM`: an item as it was in a commit, written into its file as any edit is. The file keeps its name and its id; one that
 * was deleted comes back where it was.
 */
import { parseEntry, printEntry } from '../kernel/yaml/codec.ts';
import { kindOf } from '../kernel/store/paths.ts';
import { createStore } from '../kernel/store/store.ts';
import type { Store } from '../kernel/store/types.ts';
import { failed } from './failure.ts';
import { unifiedDiff } from '../modules/git/diff/index.ts';
import { historyOf, isBinary, type ItemHistory, momentOf, stateAt } from './item-history.ts';
import { type Io, paint } from './io.ts';

export interface ItemOptions {
  readonly dir?: string;
  readonly at?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export async function restoreItem(item: string, { dir: named, at, dryRun, json }: ItemOptions, io: Io): Promise<void> {
  const found = await historyOf(item, named, io);
  const { dir, path } = found;
  const store = await createStore({ dir, readOnly: dryRun === true });
  try {
    const before = await store.readBytes(path);
    const { state, bytes } = await wanted(found, at, before, store);
    const isSame = before !== null && Buffer.compare(before, bytes) === 0;
    if (!dryRun && !isSame) await store.commit([{ path, bytes }]);
    if (json)
      io.out(JSON.stringify({ path, commit: state.commit, date: new Date(state.at).toISOString(), changed: !isSame }, null, 2));
    else if (dryRun && !isBinary(bytes))
      io.out(unifiedDiff(path, path, before ? Buffer.from(before).toString('utf8') : '', bytes.toString('utf8')));
    else if (isSame) io.err(`${path} already is as in ${state.commit.slice(0, 8)}`);
    else
      io.err(
        `${paint(io, 'err', 'green', dryRun ? 'would restore' : 'restored')} ${path} as of ${momentOf(state)}: ${state.subject}`,
      );
  } finally {
    await store.close();
  }
}

/** The state that is meant, and the file as it will be. */
async function wanted({ history, states, path }: ItemHistory, at: string | undefined, before: Uint8Array | null, store: Store) {
  const candidates = at === undefined ? states : [stateAt(states, at)];
  const texts = await history.read(candidates);
  for (const state of candidates) {
    const bytes = texts.get(state);
    if (!bytes) continue;
    const own = withOwnId(path, bytes, before);
    if (at !== undefined || before === null || Buffer.compare(own, before) !== 0) return { state, bytes: own };
  }
  return failed(
    at === undefined
      ? `no commit has a different version of ${path}`
      : `the file was deleted in that commit, or is unreadable there`,
    store.readOnly ? undefined : 'cms log lists the commits of a file',
  );
}

/** The id that an item has stays its own, whatever it was then. */
function withOwnId(path: string, bytes: Buffer, before: Uint8Array | null): Buffer {
  if (before === null || kindOf(path) === 'blob' || kindOf(path) === null) return bytes;
  const id = (file: Uint8Array): unknown => {
    const parsed = parseEntry(path, file, { size: file.length, mtimeMs: 0 });
    return 'entry' in parsed ? parsed.entry.data.id : undefined;
  };
  const own = id(before);
  if (own === undefined || own === id(bytes)) return bytes;
  return Buffer.from(printEntry(bytes, { path, data: { id: own }, order: ['id'] }));
}
