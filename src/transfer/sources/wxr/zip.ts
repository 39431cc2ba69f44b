/**
 * Reads ZIP archives, in which hosts hand out exports of several files: the list of members, and the bytes of one after another. The
 * archive is anybody's, so every number in it is checked against the file, and no member is ever written anywhere.
 *
 * Source: PKWARE APPNOTE 6.3.10, sections 4.3 to 4.5.
 */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  /** Place of its header, and of its bytes the number in the archive. */
  readonly at: number;
  readonly size: number;
  readonly isDeflated: boolean;
  /** Why its bytes cannot be had. */
  readonly fault?: string;
}

/** The archive cannot be read. */
export class ZipFault extends Error {}

const endLength = 22;
const maxComment = 65_535;
const maxMembers = 10_000;
const maxDirectory = 16 * 1024 * 1024;
const deflated = 8;

/** Whether a file begins as archives do. */
export function isZip(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PK\x03\x04';
}

/** The members, in the order of the archive. @throws ZipFault */
export async function zipMembers(path: string): Promise<readonly ZipMember[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tail = await read(file, Math.max(0, size - endLength - maxComment), Math.min(size, endLength + maxComment));
    const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    if (end < 0 || end + endLength > tail.length) throw new ZipFault('the ZIP archive has no end: it was cut off');
    const { length, at } = await directoryOf(file, tail, end);
    if (length > maxDirectory || at + length > size) throw new ZipFault('the list of the archive is damaged');
    return membersIn(await read(file, at, length), size);
  } finally {
    await file.close();
  }
}

/** The bytes of a member. @throws what the inflation throws where they are damaged */
export async function* memberBytes(path: string, { at, size, isDeflated }: ZipMember): AsyncGenerator<Buffer> {
  const file = await open(path);
  let start: number;
  try {
    const head = await read(file, at, 30);
    if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50) throw new ZipFault('a member of the archive is damaged');
    start = at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  } finally {
    await file.close();
  }
  if (size === 0) return;
  const bytes = createReadStream(path, { start, end: start + size - 1, highWaterMark: 256 * 1024 });
  if (!isDeflated) return yield* bytes as AsyncIterable<Buffer>;
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
  bytes.on('error', (error) => inflate.destroy(error));
  yield* bytes.pipe(inflate) as AsyncIterable<Buffer>;
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Where the list of members is; in archives above 4 GB another record says it. */
async function directoryOf(
  file: FileHandle,
  tail: Buffer,
  end: number,
): Promise<{ readonly length: number; readonly at: number }> {
  const [length, at] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  const locator = end - 20;
  if ((length !== 0xffffffff && at !== 0xffffffff) || locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50)
    return { length, at };
  const record = await read(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
  if (record.length < 56 || record.readUInt32LE(0) !== 0x06064b50) throw new ZipFault('the list of the archive is damaged');
  return { length: Number(record.readBigUInt64LE(40)), at: Number(record.readBigUInt64LE(48)) };
}

function membersIn(list: Buffer, fileSize: number): readonly ZipMember[] {
  const members: ZipMember[] = [];
  for (let place = 0; place + 46 <= list.length && list.readUInt32LE(place) === 0x02014b50; ) {
    if (members.length === maxMembers) throw new ZipFault(`the archive has more than ${maxMembers} files`);
    const [flags, method] = [list.readUInt16LE(place + 8), list.readUInt16LE(place + 10)];
    const [nameLength, extraLength] = [list.readUInt16LE(place + 28), list.readUInt16LE(place + 30)];
    const name = list.toString('utf8', place + 46, place + 46 + nameLength);
    const extra = list.subarray(place + 46 + nameLength, place + 46 + nameLength + extraLength);
    const { size, at } = longNumbers(list, place, extra);
    place += 46 + nameLength + extraLength + list.readUInt16LE(place + 32);
    const fault =
      (flags & 1) !== 0
        ? 'it is encrypted'
        : method !== 0 && method !== deflated
          ? `it is packed in a way that is not read (method ${method})`
          : at + size > fileSize
            ? 'the archive is cut off before it'
            : undefined;
    members.push({ name, at, size, isDeflated: method === deflated, ...(fault === undefined ? {} : { fault }) });
  }
  return members;
}

/** Numbers that need more than four bytes stand behind the name. */
function longNumbers(list: Buffer, place: number, extra: Buffer): { readonly size: number; readonly at: number } {
  let [size, at] = [list.readUInt32LE(place + 20), list.readUInt32LE(place + 42)];
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    if (extra.readUInt16LE(field) !== 1) continue;
    const end = field + 4 + extra.readUInt16LE(field + 2);
    let next = field + 4 + (list.readUInt32LE(place + 24) === 0xffffffff ? 8 : 0);
    const take = (): number => {
      const number = next + 8 <= Math.min(end, extra.length) ? Number(extra.readBigUInt64LE(next)) : Number.POSITIVE_INFINITY;
      next += 8;
      return number;
    };
    if (size === 0xffffffff) size = take();
    if (at === 0xffffffff) at = take();
  }
  return { size, at };
}
