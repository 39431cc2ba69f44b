/**
 * The position: number of the last change that the writer has told of. It is in a file of eight bytes, which the primary hands to every
 * worker, open. The writer raises it before it answers; a reader looks at it before it answers, which takes about a microsecond,
 * and waits for what it does not have yet.
 */
import * as fs from 'node:fs';

export interface Position {
  read(): number;
  write(seq: number): void;
}

/** Where a worker finds it among the files that it is started with: behind the standard ones and the channel to the primary. */
export const positionHandle = 4;

const length = 8;

/** @returns handle of the new file */
export function makePosition(file: string): number {
  const handle = fs.openSync(file, 'wx+', 0o600);
  openPosition(handle).write(0);
  return handle;
}

export function openPosition(handle: number): Position {
  const [read, written] = [new Float64Array(1), new Float64Array(1)];
  const [readBytes, writtenBytes] = [new Uint8Array(read.buffer), new Uint8Array(written.buffer)];
  return {
    read() {
      fs.readSync(handle, readBytes, 0, length, 0);
      return read[0] as number;
    },
    write(seq) {
      written[0] = seq;
      fs.writeSync(handle, writtenBytes, 0, length, 0);
    },
  };
}
