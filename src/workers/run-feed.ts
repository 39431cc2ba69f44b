/**
 * The feed of a run: a file in which the workers of one server tell one another what has changed, a line of JSON after the other. A line is
 * appended in one piece, so all of them read the same lines in the same order, each from where it was. Whether there is something new takes a
 * look of about a microsecond.
 *
 * A file that has grown long is followed by another one, which begins with what a worker that starts then has to know. The folder is the run's
 * own: nobody else writes into it.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { ModuleMessage } from '../kernel/store/types.ts';
import type { Unwritten } from './unwritten.ts';

/** What one worker tells the others. */
export interface News {
  /** Files that are about to be written. */
  readonly writing?: readonly string[];
  /** Files that have been written, or were found changed. */
  readonly paths?: readonly string[];
  /** Of what was written into them, where it is known. */
  readonly etags?: Readonly<Record<string, string>>;
  /** Names that have been taken with them. */
  readonly claims?: readonly string[];
  /** So many files were found changed that they are not named. */
  readonly everything?: true;
  /** What files are still to get. */
  readonly unwritten?: readonly Unwritten[];
  /** Keys of private documents that have been changed. */
  readonly documents?: readonly string[];
  readonly messages?: readonly ModuleMessage[];
  readonly leases?: readonly RunLease[];
  /** Keys of `site.yaml` that count as they were when the run began. */
  readonly fixed?: Readonly<Record<string, unknown>>;
}

export interface RunLease {
  readonly name: string;
  readonly holder: string;
  /** By the clock that all processes of the machine share. */
  readonly until: number;
}

/** A line of the feed. Numbers rise by one, over all files. */
interface Line {
  readonly seq: number;
  /** Number of the worker that wrote it; 0: what stands at the beginning of a file. */
  readonly from: number;
  readonly news: News;
}

export interface RunFeed {
  /** Of the last line that was read. */
  readonly seq: number;
  /** Bytes that were read of the present file. */
  readonly length: number;
  isBehind(): boolean;
  /** The lines since the last call, one's own as well. */
  read(): readonly Line[];
  append(news: News): void;
  /** Goes on in a new file. To be called by one worker, when it has read everything. @param state  for those who start with that file */
  renew(state: News): void;
  close(): void;
}

type Written = { readonly from: number; readonly seq?: number; readonly next?: true } & News;

const piece = Buffer.allocUnsafe(64 * 1024);
const newline = 0x0a;
/** Files that are kept, for whoever is behind. */
const mostParts = 8;
const nameOf = (part: number): string => `feed-${part}`;

/** @param seq  what the numbers rise from */
export function makeRunFeed(folder: string, seq: number): void {
  fs.writeFileSync(join(folder, nameOf(1)), beginning(seq, {}), { flag: 'wx', mode: 0o600 });
}

/** Keeps its files from looking old. */
export function touchRunFeed(folder: string): void {
  const now = new Date();
  for (const name of fs.readdirSync(folder)) fs.utimesSync(join(folder, name), now, now);
  fs.utimesSync(folder, now, now);
}

/** From the beginning of its last file. @throws NodeJS.ErrnoException */
export function openRunFeed(folder: string, from: number): RunFeed {
  let part = Math.max(...fs.readdirSync(folder).flatMap((name) => Number(/^feed-(\d+)$/.exec(name)?.[1] ?? [])));
  let handle = open();
  let offset = 0;
  let rest = Buffer.alloc(0);
  let seq = 0;
  /** Own lines that have not come round. */
  let own: News[] = [];

  function open(): number {
    return fs.openSync(join(folder, nameOf(part)), fs.constants.O_RDWR | fs.constants.O_APPEND);
  }

  function append(news: News): void {
    fs.writeSync(handle, `${JSON.stringify({ from, ...news })}\n`);
    own.push(news);
  }

  /** What was appended to the old file meanwhile nobody reads. */
  function goOn(): void {
    fs.closeSync(handle);
    part++;
    handle = open();
    [offset, rest] = [0, Buffer.alloc(0)];
    const again = own;
    own = [];
    for (const news of again) append(news);
  }

  return {
    get seq() {
      return seq;
    },
    get length() {
      return offset;
    },
    isBehind: () => fs.readSync(handle, piece, 0, 1, offset + rest.length) > 0,
    read() {
      const lines: Line[] = [];
      for (let isMore = true; isMore; ) {
        const count = fs.readSync(handle, piece, 0, piece.length, offset + rest.length);
        isMore = count === piece.length;
        const bytes = Buffer.concat([rest, piece.subarray(0, count)]);
        const end = bytes.lastIndexOf(newline) + 1;
        offset += end;
        rest = bytes.subarray(end);
        for (const line of bytes.toString('utf8', 0, end).split('\n').slice(0, -1)) {
          const { from: by, seq: begins, next, ...news } = JSON.parse(line) as Written;
          if (next) {
            goOn();
            isMore = true;
            break;
          }
          seq = begins ?? seq + 1;
          if (by === from) own.shift();
          lines.push({ seq, from: by, news });
        }
      }
      return lines;
    },
    append,
    renew(state) {
      fs.writeFileSync(join(folder, nameOf(part + 1)), beginning(seq, state), { mode: 0o600 });
      fs.writeSync(handle, `${JSON.stringify({ from, next: true })}\n`);
      fs.rmSync(join(folder, nameOf(part - mostParts)), { force: true });
    },
    close: () => fs.closeSync(handle),
  };
}

function beginning(seq: number, state: News): string {
  return `${JSON.stringify({ ...state, from: 0, seq })}\n`;
}
