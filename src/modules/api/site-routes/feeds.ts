/**
 * Feeds in use. A copy is fresh for the operator's interval, and stale while the platform fails; without a copy there is an error. Concurrent
 * requests share one fetch, and a failed one is not repeated for half a minute.
 */
import { environment } from '../../../kernel/environment.ts';
import { fail } from '../../../kernel/errors.ts';
import { createOperatorFetcher, FetchError, type Fetcher } from '../../../http-client/fetch.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { jsonIn } from '../../../kernel/store/bytes.ts';
import { askedFields, type FeedItem, readItems } from './feed-items.ts';
import { type FeedSetting, type FeedType, readFeeds, type RemoteFeed } from './feed-settings.ts';
import { printGmt } from '../../../kernel/model/dates.ts';

interface FeedAnswer {
  readonly id: number;
  readonly type: FeedType;
  /** GMT: when the copy was made. */
  readonly updated: string;
  /** The source is unavailable; the items are the last ones. */
  readonly stale: boolean;
  readonly data: readonly FeedItem[];
}

export interface Feeds {
  /** @throws RestError rest_feed_not_found, rest_feed_unavailable */
  read(type: FeedType, id: string): Promise<FeedAnswer>;
}

interface Copy {
  /** Identifies the declaration. */
  readonly of: string;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  readonly items: readonly FeedItem[];
}

interface FeedState {
  copy: Copy | null;
  /** Whether the copy is current as of the last attempt. */
  isCurrent: boolean;
  /** No attempt before this time, in milliseconds since the epoch. */
  restUntil: number;
  asking: Promise<void> | null;
}

const timeoutMs = 5000;
const maxBytes = 1024 * 1024;
const restMs = 30_000;

/** @throws OperatorFault */
export function createFeeds(
  site: Pick<Site, 'store' | 'operator' | 'clock'>,
  fetcher: Fetcher = createOperatorFetcher(site.operator, { timeoutMs }),
): Feeds {
  const feeds = readFeeds(site.operator.feeds);
  const states = new Map<FeedSetting, Promise<FeedState>>();
  const { store, clock } = site;

  return {
    async read(type, id) {
      const feed = feeds.get(`${type}/${Number(id)}`) ?? fail('rest_feed_not_found');
      const loading = states.get(feed) ?? load(feed);
      states.set(feed, loading);
      const state = await loading;
      const isFresh = isGood(feed, state.copy) || (await renew(feed, state));
      const { copy } = state;
      if (!copy) return fail('rest_feed_unavailable');
      const updated = `${printGmt(copy.madeAt)}Z`;
      return { id: feed.id, type, updated, stale: !isFresh, data: copy.items.slice(0, feed.limit) };
    },
  };

  function isGood(feed: FeedSetting, copy: Copy | null): boolean {
    return feed.source === 'remote' && copy !== null && copy.madeAt + feed.lifetimeMs > clock();
  }

  /** @returns whether the copy is current */
  async function renew(feed: FeedSetting, state: FeedState): Promise<boolean> {
    if (state.restUntil > clock()) return false;
    state.asking ??= ask(feed, state).finally(() => {
      state.asking = null;
    });
    await state.asking;
    return state.isCurrent;
  }

  async function ask(feed: FeedSetting, state: FeedState): Promise<void> {
    const items = await itemsOf(feed).catch((error: unknown) => {
      void store.faults.background(`feeds.${feed.type}.${feed.id}`, () => Promise.reject(new Error(reasonOf(error))));
      return null;
    });
    state.isCurrent = items !== null;
    // A file is read each time, because it may be fixed.
    state.restUntil = items === null && feed.source === 'remote' ? clock() + restMs : 0;
    if (items === null || (feed.source === 'file' && JSON.stringify(items) === JSON.stringify(state.copy?.items))) return;
    state.copy = { of: identityOf(feed), madeAt: clock(), items };
    await save(feed, state.copy);
  }

  /** @throws FeedFailure, FetchError */
  async function itemsOf(feed: FeedSetting): Promise<readonly FeedItem[]> {
    const bytes = feed.source === 'file' ? await store.readBytes(feed.path) : await answerOf(feed, fetcher);
    if (bytes === null) throw new FeedFailure('there is no such file');
    if (bytes.length > maxBytes) throw new FeedFailure('it is too large');
    return readItems(feed, bytes) ?? failed('what it says is no list of items');
  }

  async function load(feed: FeedSetting): Promise<FeedState> {
    const known = await store.cache.get(fileOf(feed)).catch(() => null);
    return { copy: known && readCopy(known, identityOf(feed)), isCurrent: false, restUntil: 0, asking: null };
  }

  async function save(feed: FeedSetting, copy: Copy): Promise<void> {
    if (store.readOnly) return;
    await store.faults.background('feeds', () => store.cache.set(fileOf(feed), Buffer.from(JSON.stringify(copy))));
  }
}

/** Why a feed fails, without secrets in its URL. */
class FeedFailure extends Error {}

function failed(why: string): never {
  throw new FeedFailure(why);
}

function reasonOf(error: unknown): string {
  if (error instanceof FeedFailure) return error.message;
  if (!(error instanceof FetchError)) return 'it could not be read';
  return error.refused ? 'its address is refused, or has no host' : 'it could not be reached in time';
}

/** The token is only sent to the platform. */
async function answerOf(feed: RemoteFeed, fetcher: Fetcher): Promise<Uint8Array> {
  const token = environment[feed.tokenEnv] || failed(`the variable ${feed.tokenEnv} has no token`);
  const { list, fields } = askedFields[feed.type];
  const query = new URLSearchParams({ fields, limit: String(feed.limit), access_token: token });
  // The operator's URL may be private.
  const { status, body, isCut } = await fetcher.get(`${feed.url}/${feed.account}/${list}?${query}`, {
    maxBytes,
    headers: { Accept: 'application/json' },
    own: [new URL(feed.url).origin],
  });
  if (status !== 200) failed(`it answered ${status}`);
  return isCut ? failed('its answer is too large') : body;
}

function identityOf(feed: FeedSetting): string {
  return feed.source === 'file' ? `file ${feed.path}` : `${feed.url} ${feed.account}`;
}

function fileOf({ type, id }: FeedSetting): string {
  return `feeds/${type}-${id}.json`;
}

/** Null if it is not a copy of this feed. */
function readCopy(bytes: Uint8Array, identity: string): Copy | null {
  const copy = mapOf(jsonIn(bytes)) as unknown as Copy;
  return copy.of === identity && Array.isArray(copy.items) && Number.isFinite(copy.madeAt) ? copy : null;
}
