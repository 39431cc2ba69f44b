/**
 * Files in one ZIP archive, in memory. Enough for exports: names in UTF-8, deflated, no encryption, below 4 GB.
 * Source: PKWARE APPNOTE 6.3, sections 4.3 and 4.4.
 */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  /** With `/` between segments. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** 1 January 1980, the first date there is: an archive of the same files is the same bytes. */
const date = 0x21;
const utf8Names = 0x800;
const deflated = 8;

export function createZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path);
    const data = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    for (const [at, value] of [
      [0, 20],
      [2, utf8Names],
      [4, deflated],
      [6, 0],
      [8, date],
      [22, name.length],
      [24, 0],
    ] as const)
      common.writeUInt16LE(value, at);
    for (const [at, value] of [
      [10, crc32(bytes)],
      [14, data.length],
      [18, bytes.length],
    ] as const)
      common.writeUInt32LE(value, at);
    const local = Buffer.concat([signature(0x04034b50), common, name, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([signature(0x02014b50), version, common, rest, name]));
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  for (const at of [4, 6]) end.writeUInt16LE(files.length, at);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, signature(0x06054b50), end]);
}

const version = Buffer.from([20, 0]);

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
