/** The readers that follow the writer, and what they are sent. What has been sent is told by the position, whoever is there to hear it. */
import type { Socket } from 'node:net';
import { frameOf, readFrames } from './frames.ts';
import type { Change, Message, Report, Snapshot } from './log-messages.ts';
import type { Position } from './position.ts';

interface Subscribers {
  readonly size: number;
  /** Number of the last message. */
  readonly seq: number;
  /** @param heard  called with its messages */
  add(socket: Socket, snapshot: Snapshot, heard: (report: Report) => void): void;
  send(change: Change): void;
  /** From now on messages count: those who follow nobody yet have missed something. */
  begin(): void;
  /** Nothing counts any more: who follows has everything that was answered. */
  end(): void;
}

/** Messages that wait for a reader. One that takes no more comes again, and reads the folder. */
const maxWaitingBytes = 64 * 1024 * 1024;

export function createSubscribers(position: Position): Subscribers {
  const sockets = new Set<Socket>();
  let seq = position.read();
  let hasBegun = false;
  const raise = (): void => position.write(++seq);
  /** Commits of a group are taken in one after the other, in one turn: what they change goes out at once, and wakes each reader once. */
  const together = (socket: Socket): void => {
    if (socket.writableCorked > 0) return;
    socket.cork();
    process.nextTick(() => socket.uncork());
  };
  return {
    get size() {
      return sockets.size;
    },
    get seq() {
      return seq;
    },
    add(socket, snapshot, heard) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => socket.destroy());
      readFrames(socket, (message) => heard(message as Report));
      socket.write(frameOf(snapshot satisfies Message));
    },
    send(change) {
      if (!hasBegun) return;
      raise();
      if (sockets.size === 0) return;
      const frame = frameOf({ ...change, seq } satisfies Message);
      for (const socket of sockets) {
        together(socket);
        socket.write(frame);
        if (socket.writableLength > maxWaitingBytes) socket.destroy();
      }
    },
    begin() {
      hasBegun = true;
      raise();
    },
    end() {
      hasBegun = false;
    },
  };
}
