import { expect, it } from 'vitest';
import { BodyError } from '../../../src/kernel/rest/body-error.ts';
import { createBodyRoom } from '../../../src/kernel/http/body-room.ts';

const MB = 1024 * 1024;

it('hands out memory until none is left, and a share of it to visitors', () => {
  const room = createBodyRoom();
  const visitors = Array.from({ length: 32 }, () => room.open(false));
  for (const visitor of visitors) visitor.take(MB);
  expect(() => room.open(false).take(1)).toThrow(BodyError);
  room.open(true).take(32 * MB);
  visitors[0]?.close();
  visitors[0]?.close();
  room.open(false).take(MB);
  expect(() => room.open(false).take(1)).toThrow(BodyError);
});

it('serves the queue in order, also when a client leaves it', async () => {
  const room = createBodyRoom();
  const order: number[] = [];
  const [first, second, third] = [room.open(true), room.open(true), room.open(true)];
  await first.turn();
  const waiting = [second.turn().then(() => order.push(2)), third.turn().then(() => order.push(3))];
  await Promise.resolve();
  expect(order).toEqual([]);
  first.close();
  await waiting[0];
  expect(order).toEqual([2]);
  second.close();
  await waiting[1];
  third.close();
  await room.open(true).turn();
});

it('limits the length of the queue', async () => {
  const room = createBodyRoom();
  await room.open(true).turn();
  for (let count = 0; count < 16; count++) void room.open(true).turn();
  await expect(room.open(true).turn()).rejects.toMatchObject({ status: 503 });
});
