/**
 * Files as they are kept in memory: the text, and what stands in it when it is asked for.
 *
 * The texts of many files are joined into few long strings. A string of more than a megabyte that is made from bytes lies outside
 * the heap of V8, so that the collector neither copies nor walks through it, and a part of it costs nothing but a reference.
 */

import { isAscii } from 'node:buffer';
import { bodyEnd } from '../yaml/frontmatter.ts';
import type { Entry, EntryKind } from './types.ts';
import type { YamlMap } from '../yaml/parse.ts';

/** A string in which the texts of files stand. */
export interface TextArena {
  readonly text: string;
  /** Characters. */
  readonly length: number;
  /** Whether a byte holds each of its characters. */
  readonly isNarrow: boolean;
  /** Name of its file in the snapshot, once there is one. */
  file?: string;
}

export function arenaOf(text: string, narrow = isNarrow(text)): TextArena {
  return { text, length: text.length, isNarrow: narrow };
}

export type Reading = (text: string, kind: EntryKind) => YamlMap;

/** An entry whose values are read from its text when they are wanted, and may be forgotten again. */
export class FileEntry implements Entry {
  readonly path: string;
  readonly kind: EntryKind;
  readonly etag: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Where the text stands, and from where in it the body. */
  readonly arena: TextArena;
  readonly start: number;
  readonly end: number;
  readonly bodyAt: number;
  #read: Reading;
  #data: YamlMap | null;

  constructor(
    file: Pick<Entry, 'path' | 'kind' | 'etag' | 'size' | 'mtimeMs'>,
    place: { readonly arena: TextArena; readonly start: number; readonly end: number; readonly bodyAt: number },
    read: Reading,
    data: YamlMap | null = null,
  ) {
    this.path = file.path;
    this.kind = file.kind;
    this.etag = file.etag;
    this.size = file.size;
    this.mtimeMs = file.mtimeMs;
    this.arena = place.arena;
    this.start = place.start;
    this.end = place.end;
    this.bodyAt = place.bodyAt;
    this.#read = read;
    this.#data = data;
  }

  get text(): string {
    return this.arena.text.slice(this.start, this.end);
  }

  get body(): string {
    const { text } = this.arena;
    const from = this.start + this.bodyAt;
    return text.slice(from, bodyEnd(text, from, this.start, this.end));
  }

  get data(): YamlMap {
    this.#data ??= this.#read(this.text, this.kind);
    return this.#data;
  }

  release(): void {
    this.#data = null;
  }

  /** The same content at another time. */
  at(mtimeMs: number): FileEntry {
    return new FileEntry({ ...this, mtimeMs }, this, this.#read, this.#data);
  }
}

/** Characters of an arena: more than a megabyte, else the string would be one of the heap; not many more, because it stays while any text in it is used. */
export const arenaLength = 2_000_000;
/** Longer files stand alone. */
const maxJoined = 500_000;

export interface ArenaBuilder<F> {
  /** @param bytes  UTF-8 */
  add(file: F, bytes: Uint8Array): void;
  /** Joins what is left. */
  flush(): void;
}

/** @param done  told of every file once its text stands in an arena */
export function createArenaBuilder<F>(done: (file: F, arena: TextArena, start: number, end: number) => void): ArenaBuilder<F> {
  const parts = [createPart('latin1', done), createPart('utf16le', done)] as const;
  return {
    add(file, content) {
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
      const text = isAscii(bytes) ? null : bytes.toString('utf8');
      const isWide = text !== null && !isNarrow(text);
      const length = text?.length ?? bytes.length;
      if (length > maxJoined) done(file, arenaOf(text ?? bytes.toString('latin1'), !isWide), 0, length);
      else parts[isWide ? 1 : 0].add(file, text ?? bytes, length);
    },
    flush() {
      for (const part of parts) part.join();
    },
  };
}

/** Whether each character of the text fits into a byte. */
export function isNarrow(text: string): boolean {
  return !/[^\x00-\xff]/.test(text);
}

function createPart<F>(encoding: 'latin1' | 'utf16le', done: (file: F, arena: TextArena, start: number, end: number) => void) {
  const width = encoding === 'latin1' ? 1 : 2;
  const waiting: { readonly file: F; readonly start: number; readonly end: number }[] = [];
  let bytes: Buffer | null = null;
  let filled = 0;

  function join(): void {
    if (bytes === null || waiting.length === 0) return;
    const arena = arenaOf(bytes.toString(encoding, 0, filled * width), width === 1);
    filled = 0;
    for (const { file, start, end } of waiting.splice(0)) done(file, arena, start, end);
  }

  return {
    join,
    add(file: F, text: string | Buffer, length: number): void {
      if (filled + length > arenaLength) join();
      bytes ??= Buffer.allocUnsafeSlow(arenaLength * width);
      if (typeof text === 'string') bytes.write(text, filled * width, encoding);
      else text.copy(bytes, filled);
      waiting.push({ file, start: filled, end: filled + length });
      filled += length;
    },
  };
}
