/**
 * The content of an engine and that of folders: copied from one to the other byte for byte, with private documents; and as a folder of
 * its own for a command that works on files.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContentEngine, type Edit, EngineAwayError, everything } from '../kernel/store/content-engine.ts';
import { createFolderEngine } from '../engines/folder-engine.ts';
import { privateFolder } from '../engines/shared-documents.ts';
import { isPath } from '../kernel/store/paths.ts';
import { LocationError, readLocation } from '../engines/postgres/location.ts';
import { createPostgresEngine, newCommitId, type PostgresEngine, SchemaError } from '../engines/postgres/postgres-engine.ts';
import { siteState, stateDirectory } from '../kernel/store/state.ts';
import { createStore } from '../kernel/store/store.ts';
import { StaleWriteError } from '../kernel/store/types.ts';
import { failed, misuse } from './failure.ts';
import { engineAddress } from './flags.ts';
import { createProgress, type Io } from './io.ts';

/** Of one commit. */
const filesAtOnce = 256;
const bytesAtOnce = 16 * 1024 * 1024;
/** Larger files do not go into the database. */
const largestBytes = 256 * 1024 * 1024;

/** Path → etag. */
type Etags = ReadonlyMap<string, string>;

/** A folder with the content of an engine, as long as a command runs. */
export interface EngineCopy {
  readonly dir: string;
  /** Of the engine, as it may be shown. */
  readonly name: string;
  /** Brings what the command has changed back into the engine. @throws Failure when a node has changed one of these files */
  bringBack(): Promise<void>;
  end(): void;
}

/** @throws Failure */
export async function copyOut(io: Io): Promise<EngineCopy> {
  const above = realpathSync(mkdtempSync(join(tmpdir(), 'cms-engine-')));
  return withEngine(io, async (engine) => {
    // What is named after the folder, such as a backup, has a name that tells sites apart.
    const dir = join(above, readLocation(engineAddress(io.env.CMS_ENGINE ?? '')).schema);
    const end = (): void => {
      rmSync(above, { recursive: true, force: true });
      rmSync(siteState(stateDirectory(), dir), { recursive: true, force: true });
    };
    try {
      await engine.checkSchema();
      const present = await etagsIn(engine);
      // Where there is nothing, a new site can be made.
      if (present.size > 0) {
        const folder = await createFolderEngine(await createStore({ dir }));
        await copy(engine, folder, new Map(), io).finally(folder.close);
      }
      return { dir, name: engine.name, end, bringBack: () => bringBack(dir, present, io) };
    } catch (error) {
      end();
      throw error;
    }
  });
}

async function bringBack(dir: string, present: Etags, io: Io): Promise<void> {
  if (!existsSync(dir)) return;
  const folder = await createFolderEngine(await createStore({ dir, readOnly: true }));
  try {
    await withEngine(io, async (engine) => {
      const { written, gone } = await copy(folder, engine, present, io);
      if (written + gone === 0) return;
      await claimAll(engine);
      io.err(`${engine.name}: ${written} files written, ${gone} removed`);
    });
  } catch (error) {
    if (!(error instanceof StaleWriteError)) throw error;
    failed(`${error.path} was changed by a node meanwhile`, 'run the command again', error);
  } finally {
    await folder.close();
  }
}

/** Nodes that planned before it make their plans again. */
export async function claimAll(engine: ContentEngine): Promise<void> {
  await engine.commit({ id: newCommitId(), seen: await engine.position(), claims: [everything], edits: [] });
}

/** @throws Failure where no engine is named, or it cannot be used */
export async function withEngine<T>(io: Pick<Io, 'env'>, work: (engine: PostgresEngine) => Promise<T>): Promise<T> {
  const address = io.env.CMS_ENGINE || misuse('no engine is named', 'name a database with --engine or CMS_ENGINE');
  let engine: PostgresEngine | null = null;
  try {
    engine = createPostgresEngine(engineAddress(address));
    return await work(engine);
  } catch (error) {
    if (error instanceof LocationError) return misuse(`--engine: ${error.message}`);
    if (error instanceof EngineAwayError || error instanceof SchemaError) return failed(error.message, undefined, error);
    throw error;
  } finally {
    await engine?.close();
  }
}

/** Makes the content of one engine that of another. @param present  what that one has */
export async function copy(
  from: ContentEngine,
  to: ContentEngine,
  present: Etags,
  io: Io,
): Promise<{ readonly written: number; readonly gone: number }> {
  const progress = createProgress(io, 'copying files');
  const all = await etagsIn(from);
  const wanted = [...all].flatMap(([path, etag]) => (present.get(path) === etag ? [] : [path]));
  const gone = [...present.keys()].filter((path) => !all.has(path));
  const seen = await to.position();
  let edits: Edit[] = [];
  let [bytes, done] = [0, 0];
  const send = async (): Promise<void> => {
    if (edits.length > 0) await to.commit({ id: newCommitId(), seen, edits });
    done += edits.length;
    progress.update(done, wanted.length + gone.length);
    [edits, bytes] = [[], 0];
  };
  const add = async (path: string, content: Uint8Array | null): Promise<void> => {
    const length = content?.length ?? 0;
    const isAlone = path.startsWith(privateFolder);
    if (isAlone || edits.length >= filesAtOnce || bytes + length > bytesAtOnce) await send();
    edits.push({ path, bytes: content, expect: present.get(path) ?? null });
    bytes += length;
    if (isAlone) await send();
  };
  for (const path of wanted) {
    const content = (await from.read([path])).get(path)?.bytes ?? null;
    if (content === null) continue;
    if (content.length > largestBytes)
      failed(`${path} is larger than ${largestBytes} bytes`, 'move media to a bucket: docs/media-store.md');
    await add(path, content);
  }
  for (const path of gone) await add(path, null);
  await send();
  progress.end();
  return { written: wanted.length, gone: gone.length };
}

export async function etagsIn(engine: ContentEngine): Promise<Etags> {
  const etags = new Map<string, string>();
  await engine.list((files) => {
    for (const { path, etag } of files)
      if (etag !== null && (isPath(path) || path.startsWith(privateFolder))) etags.set(path, etag);
  });
  return etags;
}
