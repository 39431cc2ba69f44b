/**
 * The index of a site: which objects have a record, what their records say, and how far indexing has come.
 */
import { isId } from '../../../kernel/model/ids.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { jsonIn } from '../../../kernel/store/bytes.ts';
import type { Batch } from '../../../kernel/store/types.ts';
import { indexableOf } from './indexables.ts';
import { createLinkCounts, unread } from './links.ts';
import type { Indexable, IndexingState, IndexKey, SeoIndex } from './record.ts';
import { createIndexRows, type IndexRows } from './rows.ts';
import { objectOf, targetOf } from './targets.ts';

interface KeptIndex extends SeoIndex {
  /** What was saved while the site is open has a record, with its links where it is published. */
  notice(batch: Batch): void;
}

export const idSpace = 'seoRecords';
const stateDocument = 'seo/indexing.json';
const newSite: IndexingState = {
  indexing_first_time: true,
  indexing_started: null,
  indexing_reason: '',
  indexables_indexing_completed: false,
};
/** Larger changes, such as a checkout, are left to whoever indexes. */
const mostNoticed = 256;

export function createSeoIndex(site: Site, raiseIds: (highest: Readonly<Record<string, number>>) => void): KeptIndex {
  const { store } = site;
  const isThere = (key: IndexKey): boolean => targetOf(site, key) !== undefined;
  const rows = createIndexRows({ documents: store.cache, faults: store.faults, isThere });
  const countLinks = createLinkCounts(site, rows);

  const index: KeptIndex = {
    refresh: async () => {
      await rows.refresh();
      raiseIds({ [idSpace]: highestId(rows) });
    },
    has: (key) => rows.get(key) !== undefined,
    isLinked: (key) => rows.get(key)?.links !== undefined,
    make(key, { isLinked } = { isLinked: false }) {
      const row = rows.get(key);
      if (row && (row.links || !isLinked)) return;
      rows.set(key, {
        ...(row ?? { id: 0, createdAt: site.now().gmt.replace('T', ' ') }),
        ...(isLinked ? { links: unread } : {}),
      });
    },
    save: () => rows.save(),
    async show(keys) {
      const counts = await countLinks();
      const shown: Indexable[] = [];
      for (const key of keys) {
        const target = targetOf(site, key);
        const row = rows.get(key);
        if (!target || !row) continue;
        const numbered = row.id === 0 ? { ...row, id: await site.ownId(idSpace) } : row;
        if (numbered !== row) rows.set(key, numbered);
        // A failed one is logged, counts as done, and does not stop the others.
        await store.faults.background(`seo index, ${key}`, async () => {
          await site.heads.prepare(target);
          shown.push(indexableOf(site, target, key, numbered, counts));
        });
      }
      return shown;
    },
    async state() {
      const bytes = await store.cache.get(stateDocument);
      return { ...newSite, ...(mapOf(jsonIn(bytes)) as Partial<IndexingState>) };
    },
    async note(state) {
      const next = { ...(await index.state()), ...state };
      await store.cache.set(stateDocument, Buffer.from(JSON.stringify(next)));
    },
    notice({ entries }) {
      if (entries.length > mostNoticed) return;
      for (const { path, data } of entries) {
        const space = isId(data.id) ? site.paths.find(path)?.space : undefined;
        const key = space === 'posts' ? `post:${data.id}` : space === 'terms' ? `term:${data.id}` : '';
        const object = key === '' ? undefined : objectOf(site, key);
        if (object) index.make(key, { isLinked: 'taxonomy' in object || object.status === 'publish' });
      }
    },
  };
  return index;
}

function highestId(rows: IndexRows): number {
  let highest = 0;
  for (const [, { id }] of rows.all()) if (id > highest) highest = id;
  return highest;
}
