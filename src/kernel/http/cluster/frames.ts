/**
 * Messages over a socket, one after the other: four bytes that say how long, then a value as `node:v8` writes it. Both ends are
 * processes of one server and of one version.
 */
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const HEAD_BYTES = 4;

export function frameOf(value: unknown): Buffer {
  const body = serialize(value);
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  frame.writeUInt32BE(body.length);
  body.copy(frame, HEAD_BYTES);
  return frame;
}

/** Calls `take` with every message that comes, in order. */
export function readFrames(socket: Socket, take: (message: unknown) => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  let wanted = HEAD_BYTES;
  socket.on('data', (part: Buffer) => {
    parts.push(part);
    length += part.length;
    // A long message comes in many parts: they are joined once.
    if (length < wanted) return;
    let bytes = Buffer.concat(parts);
    for (;;) {
      wanted = bytes.length < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + bytes.readUInt32BE();
      if (bytes.length < wanted) break;
      take(deserialize(bytes.subarray(HEAD_BYTES, wanted)));
      bytes = bytes.subarray(wanted);
    }
    parts = bytes.length > 0 ? [bytes] : [];
    length = bytes.length;
  });
}
