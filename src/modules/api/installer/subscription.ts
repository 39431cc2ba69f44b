/**
 * The data of the site's subscription, last fetched from the operator's URL. Anyone may trigger a refresh, once in two hours, counted from its start.
 */
import { createOperatorFetcher, FetchError, type Fetcher } from '../../../http-client/fetch.ts';
import { mapOf } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { jsonIn } from '../../../kernel/store/bytes.ts';

export interface Subscription {
  readonly isRegistered: boolean;
  /** @returns false if one was done recently. Resolves when it is done, with or without data */
  refresh(): Promise<boolean>;
  /** The last data; null for none. */
  data(): Promise<unknown>;
}

interface Stored {
  /** Milliseconds since the epoch. */
  readonly lastRefresh: number;
  readonly data: unknown;
}

const restMs = 7_200_000;
const timeoutMs = 10_000;
const maxBytes = 1024 * 1024;
const document = 'installer/subscription.json';
const nothing: Stored = { lastRefresh: 0, data: null };

export function createSubscription(
  { store, operator, clock }: Pick<Site, 'store' | 'operator' | 'clock'>,
  fetcher: Fetcher = createOperatorFetcher(operator, { timeoutMs }),
): Subscription {
  const url = operator['installer.feed_url'];
  let stored: Promise<Stored> | null = null;
  let lastRefresh = 0;

  return {
    isRegistered: url !== '',
    async refresh() {
      const { lastRefresh: before, data } = await read();
      // Synchronous until the claim.
      if (Math.max(before, lastRefresh) + restMs > clock()) return false;
      lastRefresh = clock();
      const claimed = lastRefresh;
      await save({ lastRefresh: claimed, data });
      await store.faults.background('installer.feed_url', async () => save({ lastRefresh: claimed, data: await fetchData() }));
      return true;
    },
    data: async () => (await read()).data,
  };

  function read(): Promise<Stored> {
    stored ??= store.cache.get(document).then(parse, () => nothing);
    return stored;
  }

  async function save(next: Stored): Promise<void> {
    stored = Promise.resolve(next);
    await store.faults.background('installer', () => store.cache.set(document, Buffer.from(JSON.stringify(next))));
  }

  /** @throws Error without the URL, which may contain a key */
  async function fetchData(): Promise<unknown> {
    const answer = await fetcher.get(url, { maxBytes, own: [new URL(url).origin] }).catch((error: unknown) => {
      throw new Error(error instanceof FetchError && error.refused ? 'the address is refused' : 'nothing came from the address');
    });
    if (answer.status !== 200) throw new Error(`the address answered ${answer.status}`);
    if (answer.isCut) throw new Error('the answer is too large');
    try {
      return JSON.parse(answer.body.toString('utf8'));
    } catch {
      throw new Error('the answer is not JSON');
    }
  }
}

function parse(bytes: Uint8Array | null): Stored {
  const { lastRefresh, data } = mapOf(jsonIn(bytes)) as unknown as Stored;
  return Number.isFinite(lastRefresh) ? { lastRefresh, data } : nothing;
}
