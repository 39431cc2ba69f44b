/**
 * The readers that follow the writer: what they are sent, what they have acknowledged, and who waits for that.
 *
 * A reader counts from the moment it says that it has caught up. From then on one that does not acknowledge in time is dropped.
 */
import type { Socket } from 'node:net';
import { frameOf, readFrames } from './frames.ts';
import type { Acknowledgement, Change, Message, Reply, Report, Snapshot } from './log-messages.ts';

interface Subscribers {
  readonly size: number;
  /** Number of the last message. */
  readonly seq: number;
  /** @param heard  called with its messages other than acknowledgements */
  add(reader: number, socket: Socket, snapshot: Snapshot, heard: (report: Report) => void): void;
  send(change: Change): void;
  /** Resolves when every reader that counts has acknowledged what was sent until now; null when they have. */
  replicated(): Promise<void> | null;
}

export interface SubscribersOptions {
  /** Called when a reader does not answer: it must not answer anybody any more. Its connection ends when that is so. */
  readonly drop: (reader: number) => void;
  readonly patienceMs?: number;
}

interface Subscriber {
  readonly reader: number;
  readonly socket: Socket;
  patience: NodeJS.Timeout | undefined;
  acknowledged: number;
  isLive: boolean;
}

/** Messages that wait for a reader that is still loading. */
const maxWaitingBytes = 64 * 1024 * 1024;

export function createSubscribers({ drop, patienceMs = 5000 }: SubscribersOptions): Subscribers {
  const subscribers = new Map<number, Subscriber>();
  let waiting: { readonly seq: number; readonly resolve: () => void }[] = [];
  let seq = 0;

  return {
    get size() {
      return subscribers.size;
    },
    get seq() {
      return seq;
    },
    add(reader, socket, snapshot, heard) {
      const subscriber: Subscriber = { reader, socket, patience: undefined, acknowledged: seq, isLive: false };
      subscribers.set(reader, subscriber);
      socket.on('close', () => {
        clearTimeout(subscriber.patience);
        if (subscribers.get(reader) === subscriber) subscribers.delete(reader);
        release();
      });
      socket.on('error', () => socket.destroy());
      readFrames(socket, (message) => {
        const reply = message as Reply;
        if ('seq' in reply) acknowledge(subscriber, reply);
        else heard(reply);
      });
      tell(subscriber, snapshot);
    },
    send(change) {
      seq++;
      if (subscribers.size === 0) return;
      const frame = frameOf({ ...change, seq });
      for (const subscriber of subscribers.values()) {
        subscriber.socket.write(frame);
        if (subscriber.isLive) expectAnswer(subscriber);
        // It has not begun to count; it will come again.
        else if (subscriber.socket.writableLength > maxWaitingBytes) subscriber.socket.destroy();
      }
    },
    replicated() {
      if (isAcknowledged(seq)) return null;
      return new Promise((resolve) => void waiting.push({ seq, resolve }));
    },
  };

  function acknowledge(subscriber: Subscriber, reply: Acknowledgement): void {
    subscriber.acknowledged = reply.seq;
    if (reply.kind === 'caught-up' && reply.seq === seq && !subscriber.isLive) {
      subscriber.isLive = true;
      tell(subscriber, { kind: 'live', seq });
    }
    clearTimeout(subscriber.patience);
    if (subscriber.isLive && subscriber.acknowledged < seq) expectAnswer(subscriber);
    release();
  }

  function expectAnswer(subscriber: Subscriber): void {
    clearTimeout(subscriber.patience);
    const { acknowledged, reader } = subscriber;
    // When this process itself was held up, the answer is there and not yet read.
    const judge = (): void =>
      void setImmediate(() => setImmediate(() => subscriber.acknowledged === acknowledged && drop(reader)));
    subscriber.patience = setTimeout(judge, patienceMs).unref();
  }

  function isAcknowledged(wanted: number): boolean {
    for (const { isLive, acknowledged } of subscribers.values()) if (isLive && acknowledged < wanted) return false;
    return true;
  }

  function release(): void {
    const ready = waiting.filter((one) => isAcknowledged(one.seq));
    if (ready.length === 0) return;
    waiting = waiting.filter((one) => !isAcknowledged(one.seq));
    for (const { resolve } of ready) resolve();
  }
}

function tell({ socket }: Subscriber, message: Message): void {
  socket.write(frameOf(message));
}
