/** What the writer tells its readers, and how it reaches them. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, it } from 'vitest';
import { readFrames } from '../../../src/kernel/http/cluster/frames.ts';
import type { Message, Snapshot } from '../../../src/kernel/http/cluster/log-messages.ts';
import { createSubscribers } from '../../../src/kernel/http/cluster/subscribers.ts';

const snapshot: Snapshot = { kind: 'snapshot', seq: 1, address: '', fixed: {}, unwritten: [], modules: [] };

it('reach readers in one piece where they happen in one turn, in order', async () => {
  let position = 0;
  const subscribers = createSubscribers({
    read: () => position,
    write(seq) {
      position = seq;
    },
  });
  /** Bytes as the system gets them. */
  const pieces: Buffer[] = [];
  const socket = new Duplex({
    read: () => undefined,
    writev(chunks, done) {
      pieces.push(Buffer.concat(chunks.map(({ chunk }) => chunk)));
      done();
    },
  });
  subscribers.begin();
  subscribers.add(socket as Socket, snapshot, () => undefined);
  const turn = (...keys: string[]) =>
    new Promise<void>((resolve) => {
      for (const key of keys) subscribers.send({ kind: 'document', key });
      setImmediate(resolve);
    });
  await turn('a', 'b', 'c');
  await turn('d');
  expect(pieces).toHaveLength(3);
  const told: unknown[] = [];
  const reader = new Duplex({ read: () => undefined });
  readFrames(reader as Socket, (message) => told.push({ ...(message as Message) }));
  reader.push(Buffer.concat(pieces));
  await new Promise(setImmediate);
  expect(told).toEqual([snapshot, ...['a', 'b', 'c', 'd'].map((key, at) => ({ kind: 'document', key, seq: 2 + at }))]);
  expect(position).toBe(5);
  subscribers.end();
  await turn('e');
  expect([pieces.length, position]).toEqual([3, 5]);
});
