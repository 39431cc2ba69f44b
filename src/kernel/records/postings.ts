/**
 * Postings: for each value of an equal-index the slots of the records that have it. A value with one record (the common case
 * for slugs and paths) is a bare number, one with some an ascending list, one with many a bit a slot. New records take new
 * slots, so an addition is nearly always an append or the setting of a bit.
 */

import type { Key } from './types.ts';
import { hasBit, mark, noSlots, seek, type Slots, type SlotSet, slotsOf, wordsFor } from './sets.ts';
import { contentOf, insertAt, removeAt, type SlotList } from './slot-lists.ts';
import { grown } from './vocabulary.ts';

export interface Postings {
  /** The slots with the value; valid until the next change. */
  set(value: Key): SlotSet;
  count(value: Key): number;
  has(value: Key, slot: number): boolean;
  add(value: Key, slot: number): void;
  remove(value: Key, slot: number): void;
}

/** One bit a slot, in words that grow. */
export interface BitList {
  words: Int32Array;
  size: number;
}

/** So few are never worth bits. */
const fewSlots = 64;

export function createPostings(): Postings {
  const lists = new Map<Key, number | SlotList | BitList>();
  return {
    set(value) {
      const list = lists.get(value);
      if (list === undefined) return noSlots;
      return typeof list === 'number' ? one(list) : 'words' in list ? { ...list } : contentOf(list);
    },
    count(value) {
      const list = lists.get(value);
      return list === undefined ? 0 : typeof list === 'number' ? 1 : list.size;
    },
    has(value, slot) {
      const list = lists.get(value);
      if (list === undefined || typeof list === 'number') return list === slot;
      return 'words' in list ? hasBit(list.words, slot) : list.slots[seek(contentOf(list), slot, 0)] === slot;
    },
    add(value, slot) {
      const list = lists.get(value);
      if (list === undefined) lists.set(value, slot);
      else if (typeof list === 'number') {
        if (list !== slot) lists.set(value, { slots: Uint32Array.of(Math.min(list, slot), Math.max(list, slot)), size: 2 });
      } else if ('words' in list) addBit(list, slot);
      else if (addSlot(list, slot) > fewSlots && list.size > wordsFor(list.slots[list.size - 1]!)) {
        lists.set(value, bitsOf(contentOf(list)));
      }
    },
    remove(value, slot) {
      const list = lists.get(value);
      if (list === undefined) return;
      const left =
        typeof list === 'number' ? Number(list !== slot) : 'words' in list ? removeBit(list, slot) : removeSlot(list, slot);
      if (left === 0) lists.delete(value);
      else if (typeof list !== 'number' && 'words' in list && left * 2 < Math.max(fewSlots, list.words.length)) {
        const slots = slotsOf(list);
        lists.set(value, { slots, size: slots.length });
      }
    },
  };
}

/** `Uint32Array.of` takes several times as long. */
function one(slot: number): Uint32Array {
  const slots = new Uint32Array(1);
  slots[0] = slot;
  return slots;
}

/** Adds a slot to an ascending list, once. @returns the list's new size */
function addSlot(list: SlotList, slot: number): number {
  const at = list.size > 0 && list.slots[list.size - 1]! < slot ? list.size : seek(contentOf(list), slot, 0);
  if (at === list.size || list.slots[at] !== slot) insertAt(list, at, slot);
  return list.size;
}

/** Removes a slot from an ascending list, if there. @returns the list's new size */
function removeSlot(list: SlotList, slot: number): number {
  const at = seek(contentOf(list), slot, 0);
  if (at < list.size && list.slots[at] === slot) removeAt(list, at);
  return list.size;
}

export function bitsOf(slots: Slots): BitList {
  const words = new Int32Array(wordsFor((slots[slots.length - 1] ?? 0) + 1) + 8);
  mark(words, slots);
  return { words, size: slots.length };
}

export function addBit(list: BitList, slot: number): void {
  if (hasBit(list.words, slot)) return;
  if (slot >>> 5 >= list.words.length) {
    list.words = grown(list.words, Math.ceil((slot >>> 5) * 1.25) + 8);
  }
  list.words[slot >>> 5]! |= 1 << (slot & 31);
  list.size++;
}

/** @returns the list's new size */
export function removeBit(list: BitList, slot: number): number {
  if (!hasBit(list.words, slot)) return list.size;
  list.words[slot >>> 5]! &= ~(1 << (slot & 31));
  return --list.size;
}
