import { describe, expect, it } from 'vitest';
import { defineStatus, standardStatuses } from '../../../../src/modules/types/statuses.ts';
import { filterStatuses, writableStatuses } from '../../../../src/modules/types/record.ts';

describe('statuses', () => {
  // Recorded in types-taxonomies-statuses.json (what editors see) and in the catalogue (the filter's enum).
  it.each([
    ['publish', { label: 'Published', public: true, queryable: true, dateFloating: false, showInList: true }],
    ['future', { label: 'Scheduled', private: false, protected: true, public: false, queryable: false, showInList: true }],
    ['draft', { label: 'Draft', protected: true, dateFloating: true }],
    ['pending', { label: 'Pending', protected: true, dateFloating: true }],
    ['private', { label: 'Private', private: true, protected: false, public: false }],
    ['trash', { internal: true, listed: true, showInList: false, searchable: false }],
    ['auto-draft', { internal: true, listed: false, dateFloating: true }],
    ['inherit', { internal: true, listed: false, searchable: true }],
  ])('%s', (name, flags) => {
    expect(standardStatuses.find((one) => one.name === name)).toMatchObject(flags);
  });

  it('can be written unless they are internal; a filter accepts all of them, and any', () => {
    const writable = ['publish', 'future', 'draft', 'pending', 'private'];
    const requests = ['request-pending', 'request-confirmed', 'request-failed', 'request-completed'];
    expect(writableStatuses(standardStatuses)).toEqual(writable);
    expect(filterStatuses(standardStatuses)).toEqual([...writable, 'trash', 'auto-draft', 'inherit', ...requests, 'any']);
  });

  it('of a namespace are internal unless readers are declared', () => {
    expect(defineStatus({ name: 'hidden', label: 'Hidden' })).toMatchObject({ internal: true, listed: false });
    const off = defineStatus({ name: 'off', label: 'Off', protected: true });
    expect(off).toMatchObject({ internal: false, listed: true, showInList: true, searchable: true });
    expect(writableStatuses([...standardStatuses, off])).toContain('off');
  });
});
