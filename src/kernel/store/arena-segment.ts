/**
 * Texts in a file of the snapshot, read when one of them is first wanted: a start needs few, and what it is spared is most of
 * the bytes of a folder. A file that is damaged or gone by then is made up for by the files whose texts stood in it.
 */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { etagOf } from '../yaml/codec.ts';
import { faultOf } from './faults.ts';
import type { Seal } from './state.ts';
import type { FileEntry, TextArena } from './text-arena.ts';

/** A file of the snapshot. */
export interface SegmentFile {
  readonly file: string;
  readonly isNarrow: boolean;
  /** Characters. */
  readonly length: number;
  /** Of the bytes, under the key of this machine. */
  readonly code: string;
}

/** Memory that one segment after another is read into: fresh memory of this size costs as much as the reading. */
export interface SegmentBuffer {
  bytes: Buffer;
}

interface Options {
  /** A file's bytes as they are now. */
  readonly reread: (path: string) => Uint8Array | null;
  /** Called when the segment turns out to be damaged. */
  readonly lost: () => void;
  readonly seal: Seal;
  readonly buffer: SegmentBuffer;
}

export class ArenaSegment implements TextArena {
  readonly isNarrow: boolean;
  readonly length: number;
  file?: string;
  readonly #path: string;
  readonly #segment: SegmentFile;
  readonly #options: Options;
  /** Entries whose texts are here, until they are read. */
  #entries: FileEntry[] = [];
  #text: string | null = null;

  /**
   * @throws when the segment is not there, or not of its length
   */
  constructor(dir: string, segment: SegmentFile, options: Options) {
    if (!/^[\w-]+\.text$/.test(segment.file)) throw new TypeError('not a segment');
    this.isNarrow = segment.isNarrow;
    this.length = segment.length;
    this.file = segment.file;
    this.#path = join(dir, segment.file);
    this.#segment = segment;
    this.#options = options;
    if (fs.lstatSync(this.#path).size !== this.#width * this.length) throw new TypeError('a segment of another length');
  }

  /** Called once for each entry whose text is here. */
  holds(entry: FileEntry): void {
    this.#entries.push(entry);
  }

  get text(): string {
    if (this.#text === null) {
      this.#text = this.#read() ?? this.#remake();
      this.#entries = [];
    }
    return this.#text;
  }

  get #width(): number {
    return this.isNarrow ? 1 : 2;
  }

  /** Null for a damaged segment. @throws NodeJS.ErrnoException when the disk does not let it be read now: it may well be whole */
  #read(): string | null {
    const { seal, buffer } = this.#options;
    const scratch = roomIn(buffer, this.#width * this.length);
    try {
      const file = fs.openSync(this.#path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
      try {
        let filled = 0;
        for (let count = -1; count !== 0; filled += count)
          count = fs.readSync(file, scratch, filled, scratch.length - filled, filled);
        const { file: name, code } = this.#segment;
        const isWhole = filled === scratch.length && seal.quick(name, scratch).toString('base64url') === code;
        return isWhole ? scratch.toString(this.isNarrow ? 'latin1' : 'utf16le') : null;
      } finally {
        fs.closeSync(file);
      }
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  /** The texts out of their files. One that has changed meanwhile is blank: what it says now is about to be taken in. */
  #remake(): string {
    const parts: string[] = [];
    let end = 0;
    for (const entry of this.#entries.sort((a, b) => a.start - b.start)) {
      if (entry.start < end) continue;
      const length = entry.end - entry.start;
      parts.push(' '.repeat(entry.start - end), this.#textOf(entry)?.padEnd(length).slice(0, length) ?? ' '.repeat(length));
      end = entry.end;
    }
    delete this.file;
    this.#options.lost();
    try {
      // Without its file the next start reads everything, and the snapshot is rewritten.
      fs.rmSync(this.#path, { force: true });
    } catch {
      // It is damaged, which the next start finds out as well.
    }
    return parts.join('');
  }

  /** @throws NodeJS.ErrnoException */
  #textOf({ path, etag }: FileEntry): string | null {
    try {
      const bytes = this.#options.reread(path);
      return bytes !== null && etagOf(bytes) === etag ? Buffer.from(bytes).toString('utf8') : null;
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }
}

/** Not there, or no file any more: reading it again will give nothing else. */
function isGone(error: unknown): boolean {
  return faultOf(error) === null || ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function roomIn(buffer: SegmentBuffer, size: number): Buffer {
  if (size > buffer.bytes.length) buffer.bytes = Buffer.allocUnsafeSlow(size);
  return buffer.bytes.subarray(0, size);
}
