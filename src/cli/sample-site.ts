/**
 * A site in memory, of its settings and one public item of everything that has a file: what a deployment declares, asked without a
 * folder.
 */
import type { Module } from '../kernel/module.ts';
import { createSite } from '../kernel/site/create-site.ts';
import type { Site } from '../kernel/site/site.ts';
import { createFaults } from '../kernel/store/faults.ts';
import type { Batch, Entry, Store } from '../kernel/store/types.ts';
import { failed } from './failure.ts';
import { sampleEntries } from './public-methods.ts';

/** @param data  what `site.yaml` says */
export async function sampleSite(data: Entry['data'], modules: (deployment: unknown) => readonly Module[]): Promise<Site> {
  const declared = await createSite({ modules, store: settingsOnly(data) });
  return createSite({ modules, store: settingsOnly(data, sampleEntries(declared)) });
}

/** A site of its settings and a few files in memory; nothing of its content is read. */
function settingsOnly(data: Entry['data'], { entries = [], blobs = [] }: Partial<Pick<Batch, 'entries' | 'blobs'>> = {}): Store {
  const entry: Entry = { path: 'site.yaml', kind: 'yaml', data, body: '', etag: '', size: 0, mtimeMs: 0 };
  const batch = { entries: [entry, ...entries], blobs, removed: [], problems: [] };
  const nothing = { ...batch, entries: [], blobs: [] };
  const refuse = async (): Promise<never> => failed('this site is read-only');
  const documents = { get: async () => null, set: refuse, remove: refuse, keys: async () => [] };
  return {
    name: 'settings only',
    readOnly: true,
    load: async () => batch,
    visit: async () => [],
    commit: refuse,
    alone: refuse,
    sweep: async () => nothing,
    reread: async () => nothing,
    watch: async () => async () => {},
    stopWatching: async () => {},
    following: () => ({ by: null, pending: 0, since: null, sweeps: 0, sweptMs: 0, sweptAt: null, files: 0 }),
    current: (found) => found,
    knows: () => false,
    problems: () => [],
    readBytes: async () => null,
    locate: () => null,
    spoolFile: () => '',
    private: documents,
    cache: documents,
    derived: null,
    faults: createFaults(),
    git: null,
    close: async () => {},
  };
}
