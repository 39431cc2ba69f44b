/**
 * Postings: for each value of an equal-index the slots of the records that have it, ascending. New records take new slots,
 * so an addition is nearly always an append. A value with one record (the common case for slugs and paths) is a bare number.
 */

import type { Key } from './types.ts';
import { contentOf, insertAt, noSlots, removeAt, seek, type SlotList, type Slots } from './slots.ts';

export interface Postings {
  /** The slots with the value; valid until the next change. */
  slots(value: Key): Slots;
  count(value: Key): number;
  add(value: Key, slot: number): void;
  remove(value: Key, slot: number): void;
}

export function createPostings(): Postings {
  const lists = new Map<Key, number | SlotList>();
  return {
    slots(value) {
      const list = lists.get(value);
      if (list === undefined) return noSlots;
      return typeof list === 'number' ? Uint32Array.of(list) : contentOf(list);
    },
    count(value) {
      const list = lists.get(value);
      return list === undefined ? 0 : typeof list === 'number' ? 1 : list.size;
    },
    add(value, slot) {
      const list = lists.get(value);
      if (list === undefined) lists.set(value, slot);
      else if (typeof list !== 'number') addSlot(list, slot);
      else if (list !== slot) lists.set(value, { slots: Uint32Array.of(Math.min(list, slot), Math.max(list, slot)), size: 2 });
    },
    remove(value, slot) {
      const list = lists.get(value);
      if (list === undefined) return;
      if (typeof list === 'number' ? list === slot : removeSlot(list, slot) === 0) lists.delete(value);
    },
  };
}

/** Adds a slot to an ascending list, once. */
export function addSlot(list: SlotList, slot: number): void {
  const at = list.size > 0 && list.slots[list.size - 1]! < slot ? list.size : seek(contentOf(list), slot, 0);
  if (at === list.size || list.slots[at] !== slot) insertAt(list, at, slot);
}

/** Removes a slot from an ascending list, if there. @returns the list's new size */
export function removeSlot(list: SlotList, slot: number): number {
  const at = seek(contentOf(list), slot, 0);
  if (at < list.size && list.slots[at] === slot) removeAt(list, at);
  return list.size;
}
