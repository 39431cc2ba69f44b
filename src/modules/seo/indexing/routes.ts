/**
 * Indexing, a batch a call: objects without a record get one, and texts whose links were never read are read.
 *
 * Shape    `{objects, next_url}`; the address is that of the route, or false when there were fewer objects than a batch has
 * Access   people who write
 * Source   specification 4.11; reference of seo/v1, 3.10, 3.11
 */
import type { Endpoint } from '../../../kernel/rest/types.ts';
import { type Call, CREATE, type Namespace, needs } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { IndexingState, IndexKey } from './record.ts';
import { objectOf, type TargetSort, sorts } from './targets.ts';

const mayIndex = needs('edit_posts');

const nothing = { objects: [], next_url: false };
const batch = 25;
const linkBatch = 5;

export function indexingRoutes(site: Site): Namespace['routes'] {
  const missing = createMissing(site);
  const index = (sort: TargetSort, limit: number) =>
    route(`indexing/${sort}`, (call, path) =>
      run(
        call,
        path,
        limit,
        missing(sort, limit, (key) => site.seoIndex.has(key)),
        (key) => site.seoIndex.make(key),
      ),
    );
  const link = (sort: 'posts' | 'terms') =>
    route(`link-indexing/${sort}`, (call, path) =>
      run(
        call,
        path,
        linkBatch,
        missing(sort, linkBatch, (key) => isRead(site, key)),
        (key) => site.seoIndex.make(key, { isLinked: true }),
      ),
    );
  return [
    index('posts', batch),
    index('terms', batch),
    index('post-type-archives', batch),
    index('general', 4),
    route(
      'indexing/prepare',
      note(({ site: { clock } }) => ({ indexing_first_time: false, indexing_started: Math.floor(clock() / 1000) })),
    ),
    route(
      'indexing/indexables-complete',
      note(() => ({ indexables_indexing_completed: true })),
    ),
    route(
      'indexing/complete',
      note(() => ({ indexing_reason: '', indexing_started: null })),
    ),
    link('posts'),
    link('terms'),
  ];
}

function route(name: string, handle: (call: Call, path: string) => Promise<object>): Namespace['routes'][number] {
  const path = `/seo/v1/${name}`;
  const own: Endpoint['handle'] = (call) => handle(call, path);
  return { path, endpoints: [{ methods: CREATE, args: {}, allow: mayIndex, handle: own }] };
}

function note(state: (call: Call) => Partial<IndexingState>): (call: Call) => Promise<object> {
  return async (call) => {
    await call.site.seoIndex.note(state(call));
    return nothing;
  };
}

async function run(
  { site, urls }: Call,
  path: string,
  limit: number,
  missing: Promise<readonly IndexKey[]>,
  make: (key: IndexKey) => void,
): Promise<object> {
  const keys = await missing;
  for (const key of keys) make(key);
  const objects = await site.seoIndex.show(keys);
  await site.seoIndex.save();
  return { objects, next_url: keys.length >= limit ? urls.rest(path) : false };
}

/** Links are read of what is published. */
function isRead(site: Site, key: IndexKey): boolean {
  const object = objectOf(site, key);
  if (!object || (!('taxonomy' in object) && object.status !== 'publish')) return true;
  return site.seoIndex.isLinked(key);
}

/** Finds the first objects that are not done, ids ascending. The list of all is made once for each state of the records. */
function createMissing(site: Site) {
  const lists = new Map<TargetSort, { readonly generation: number; readonly keys: readonly IndexKey[] }>();
  return async (sort: TargetSort, limit: number, isDone: (key: IndexKey) => boolean): Promise<readonly IndexKey[]> => {
    await site.seoIndex.refresh();
    const { generation } = site.records;
    const known = lists.get(sort);
    const list = known?.generation === generation ? known : { generation, keys: await sorts[sort](site) };
    lists.set(sort, list);
    const found: IndexKey[] = [];
    for (const key of list.keys) {
      if (found.length === limit) break;
      if (!isDone(key)) found.push(key);
    }
    return found;
  };
}
