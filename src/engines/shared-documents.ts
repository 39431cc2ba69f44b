/** Private documents in an engine: accounts, sessions, keys. A sign-in on one node holds on all. */
import { randomUUID } from 'node:crypto';
import { checkPath } from '../kernel/store/paths.ts';
import { etagOf } from '../kernel/yaml/codec.ts';
import { type DocumentEdit, ReadOnlyError, StaleWriteError, type TrustedDocuments } from '../kernel/store/types.ts';
import type { ContentEngine, Edit, StoredFile } from '../kernel/store/content-engine.ts';

/** Where they are: no path of content begins with a dot. */
export const privateFolder = '.private/';

interface SharedDocuments extends TrustedDocuments {
  /** Notes a state of one. @returns its key, if this is news */
  note(file: StoredFile): string | null;
  /** All that there are have been noted. */
  listed(): void;
  /** In the engine, of all that are known. */
  paths(): readonly string[];
}

/** As the engine has it. */
export function editOf({ key, bytes, before }: DocumentEdit): Edit {
  const expect = before === undefined ? {} : { expect: before && etagOf(before) };
  return { path: `${privateFolder}${checkPath(key)}`, bytes, ...expect };
}

/** Writers of one document that come in each other's way so often have a fault. */
const maxTries = 100;

export function createSharedDocuments(engine: ContentEngine, readOnly: boolean): SharedDocuments {
  const known = new Map<string, StoredFile>();
  /** Whether all are known. */
  let isListed = false;

  const note: SharedDocuments['note'] = (file) => {
    if (!file.path.startsWith(privateFolder)) return null;
    const key = file.path.slice(privateFolder.length);
    if ((known.get(key)?.seq ?? -1) >= file.seq) return null;
    known.set(key, file);
    return key;
  };

  const update: NonNullable<TrustedDocuments['update']> = async (key, alter) => {
    const path = `${privateFolder}${checkPath(key)}`;
    if (readOnly) throw new ReadOnlyError(`private/${key}`);
    for (let tries = 1; ; tries++) {
      const before = (await engine.read([path])).get(path);
      const bytes = alter(before?.bytes ?? null);
      if (bytes === undefined || (bytes === null && before === undefined)) return;
      try {
        const edit = { path, expect: before?.etag ?? null, bytes };
        const { seq, timeMs } = await engine.commit({ id: randomUUID(), seen: 0, edits: [edit] });
        note({ path, etag: bytes === null ? null : 'own', size: bytes?.length ?? 0, seq, timeMs, bytes });
        return;
      } catch (error) {
        if (!(error instanceof StaleWriteError) || tries === maxTries) throw error;
      }
    }
  };

  return {
    note,
    paths: () => [...known.values()].flatMap(({ path, etag }) => (etag === null ? [] : [path])),
    async get(key) {
      const path = `${privateFolder}${checkPath(key)}`;
      const file = known.get(key) ?? (await engine.read([path])).get(path);
      return file?.bytes ?? null;
    },
    set: (key, bytes) => update(key, () => bytes),
    remove: (key) => update(key, () => null),
    update,
    listed() {
      isListed = true;
    },
    async keys(prefix = '') {
      // A command that opens no site has not listed anything yet.
      if (!isListed) await engine.list((files) => files.forEach(note));
      isListed = true;
      return [...known].flatMap(([key, { etag }]) => (etag !== null && key.startsWith(prefix) ? [key] : [])).sort();
    },
    stamp(key) {
      const file = known.get(key);
      // A sequence cannot be mistaken for another one, as times can: it is as old as it needs to be.
      return file === undefined || file.etag === null ? null : { ino: file.seq, size: file.size, mtimeMs: 0, ctimeMs: 0 };
    },
  };
}
