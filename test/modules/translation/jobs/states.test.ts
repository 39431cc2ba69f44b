/** Reference on languages, 13.4: every pair of event and status, once as the table there says it. */
import { describe, expect, it } from 'vitest';
import { statusAfter, type JobEvent, knownStatus, transitions } from '../../../../src/modules/translation/jobs/states.ts';

const statuses = [0, 1, 2, 4, 9, 10, 40, 42];
const updated = { status: 10, needsUpdate: true };

/** Event → status before → status after; others are refused. */
const table: Readonly<Record<JobEvent, Readonly<Record<number, number>>>> = {
  order: { 0: 1, 1: 1, 2: 1, 4: 1, 9: 1, 10: 1, 40: 1, 42: 1 },
  assign: { 1: 1, 2: 1 },
  resign: { 1: 1, 2: 1 },
  save: { 1: 2, 2: 2 },
  complete: { 1: 10, 2: 10, 4: 10 },
  returned: { 9: 2 },
  accept: { 10: 10 },
  agency_ready: { 1: 4, 2: 4, 4: 4 },
  agency_working: { 1: 2, 2: 2, 4: 2 },
  agency_cancelled: { 1: 0, 2: 0, 4: 0 },
  editor_working: { 1: 2, 2: 2 },
  editor_cancelled: { 1: 0, 2: 0 },
  editor_hidden: { 1: 42, 2: 42 },
  send_failed: { 1: 40 },
  retried: { 40: 1 },
  cancel: { 1: 0, 2: 0, 4: 0, 40: 0 },
  original_edited: { 1: 1, 2: 2, 4: 4, 9: 9, 10: 10, 40: 40, 42: 0 },
  target_edited: { 1: 10, 2: 10 },
};

describe('the state table', () => {
  for (const event of Object.keys(transitions) as JobEvent[])
    it(`accepts ${event} only in valid states`, () => {
      for (const status of statuses)
        expect([status, statusAfter(event, status, null)]).toEqual([status, table[event][status] ?? null]);
    });

  it('returns to a translation that needed an update', () => {
    expect(statusAfter('cancel', 2, updated)).toBe(10);
    expect(statusAfter('cancel', 2, { ...updated, needsUpdate: false })).toBe(0);
    expect(statusAfter('cancel', 10, updated)).toBeNull();
  });

  it('has no other status', () => {
    expect(statuses.map(knownStatus)).toEqual(statuses);
    expect([3, 20, 30, -1, '10', null].map(knownStatus)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
