/**
 * A list of slots that grows and shrinks in place; what the positions mean is the owner's business.
 */

import type { Slots } from './sets.ts';
import { grown } from './vocabulary.ts';

export interface SlotList {
  slots: Uint32Array;
  size: number;
}

export function insertAt(list: SlotList, at: number, slot: number): void {
  if (list.size === list.slots.length) {
    list.slots = grown(list.slots, Math.max(4, Math.ceil(list.size * 1.5)));
  }
  list.slots.copyWithin(at + 1, at, list.size++);
  list.slots[at] = slot;
}

export function removeAt(list: SlotList, at: number): void {
  list.slots.copyWithin(at, at + 1, list.size--);
}

/** The list's present content; valid until the list changes. */
export const contentOf = (list: SlotList): Slots => list.slots.subarray(0, list.size);
