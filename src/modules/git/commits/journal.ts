/**
 * Writes without a commit yet, so that a crash loses none. A line is appended before and after each write, and flushed with it; the file is truncated
 * when nothing is pending. Each process has its own file, and a start takes over those of dead processes.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { makeFolder } from '../../../kernel/store/folders.ts';
import type { WriterId, CommittedFile } from './record.ts';

interface WriteNote {
  readonly by: WriterId;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly files: readonly CommittedFile[];
}

export interface JournaledWrite extends WriteNote {
  readonly seq: number;
  /** False: the process died before it could record the end of the write. */
  readonly isDone: boolean;
  /** Contents before somebody else wrote the files; null: none. */
  readonly captured: ReadonlyMap<string, Uint8Array | null>;
}

export interface Journal {
  /** Records a write. `durable` resolves when the record is flushed. */
  begin(note: WriteNote): { readonly seq: number; readonly durable: Promise<void> };
  end(seq: number): void;
  /** Saves the content of a file for the commit of these writes. */
  capture(seqs: readonly number[], path: string, bytes: Uint8Array | null): void;
  /** They are committed, or need no commit; also those that could not be recorded before. */
  settle(seqs: readonly number[]): void;
  close(): void;
}

type Line =
  | ({ readonly t: 'begin'; readonly seq: number; readonly by?: number | null } & Omit<WriteNote, 'by'>)
  | { readonly t: 'end'; readonly seq: number; readonly ok: boolean }
  | { readonly t: 'capture'; readonly seqs: readonly number[]; readonly path: string; readonly bytes: string | null }
  | { readonly t: 'settle'; readonly seqs: readonly number[] };

const folder = join('.cms', 'git');
const flushToDisk = promisify(fs.fdatasync);
/** Larger files are not saved: their later content is committed. */
export const maxCapturedBytes = 1024 * 1024;

/** @param root  absolute path of the content folder */
export function createJournal(root: string): Journal {
  const path = join(root, folder, `${process.pid}.jsonl`);
  const pending = new Set<number>();
  const owed: number[] = [];
  let file: number | null = null;
  let seq = 0;
  /** Terminates a torn last line, so that it does not damage the next one. */
  let isTorn = false;

  function append(line: Line): number {
    if (file === null) {
      makeFolder(join(root, folder), { mode: 0o700, within: root });
      file = fs.openSync(path, 'a', 0o600);
    }
    const bytes = Buffer.from(`${isTorn ? '\n' : ''}${JSON.stringify(line)}\n`);
    isTorn = true;
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done);
    isTorn = false;
    return file;
  }
  function forget(seqs: readonly number[]): void {
    for (const one of seqs) pending.delete(one);
    if (pending.size === 0 && file !== null) fs.ftruncateSync(file);
  }

  return {
    begin({ by, ...note }) {
      seq++;
      const open = append({ t: 'begin', seq, ...(by === undefined ? {} : { by }), ...note });
      pending.add(seq);
      return { seq, durable: flushToDisk(open) };
    },
    end: (one) => void append({ t: 'end', seq: one, ok: true }),
    capture(seqs, of, bytes) {
      if (bytes !== null && bytes.length > maxCapturedBytes) return;
      append({ t: 'capture', seqs, path: of, bytes: bytes === null ? null : Buffer.from(bytes).toString('base64') });
    },
    settle(seqs) {
      owed.push(...seqs);
      if (owed.length > 0) append({ t: 'settle', seqs: owed });
      forget(owed.splice(0));
    },
    close() {
      if (file === null) return;
      fs.closeSync(file);
      if (pending.size === 0) fs.rmSync(path, { force: true });
      file = null;
    },
  };
}

/**
 * Takes over the journals of dead processes, each once, so that nothing is committed twice.
 * @returns their writes in order, and a function that removes the journals
 */
export function leftJournals(root: string): { readonly writes: readonly JournaledWrite[]; remove(): void } {
  const names = fs.existsSync(join(root, folder)) ? fs.readdirSync(join(root, folder)) : [];
  const paths = names.flatMap((name) => {
    const [, since = Date.now(), of, taker] = /^(?:left-(\d+)-)?(\d+)(?:-by-(\d+))?\.jsonl$/.exec(name) ?? [];
    if (of === undefined || (name.startsWith('left-') ? taker !== undefined && isRunning(Number(taker)) : isRunning(Number(of))))
      return [];
    // This process may have the id of a dead one.
    const taken = join(root, folder, `left-${since}-${of}-by-${process.pid}.jsonl`);
    return isMoved(join(root, folder, name), taken) ? [taken] : [];
  });
  return {
    writes: paths.sort().flatMap((path) => readJournal(fs.readFileSync(path, 'utf8'))),
    remove() {
      for (const path of paths) fs.rmSync(path, { force: true });
    },
  };
}

/** The last line may be torn. */
function readJournal(text: string): JournaledWrite[] {
  const writes = new Map<number, JournaledWrite & { readonly captured: Map<string, Uint8Array | null> }>();
  for (const line of text.split('\n').flatMap(parseLine)) {
    if (line.t === 'begin') {
      const { t: _, by, ...note } = line;
      writes.set(line.seq, { ...note, by, isDone: false, captured: new Map() });
    } else if (line.t === 'end') {
      const write = writes.get(line.seq);
      if (write && line.ok) writes.set(line.seq, { ...write, isDone: true });
      else writes.delete(line.seq);
    } else if (line.t === 'settle') for (const seq of line.seqs) writes.delete(seq);
    else
      for (const seq of line.seqs)
        writes.get(seq)?.captured.set(line.path, line.bytes === null ? null : Buffer.from(line.bytes, 'base64'));
  }
  return [...writes.values()];
}

function parseLine(line: string): Line[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}

/** False if another process was faster. */
function isMoved(from: string, to: string): boolean {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Whether another process is running. */
function isRunning(pid: number): boolean {
  if (Number.isNaN(pid) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
