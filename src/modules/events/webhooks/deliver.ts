/** One delivery attempt. */
import type { Fetcher } from '../../../http-client/fetch.ts';
import type { Refused } from '../../deliveries/index.ts';
import { type PresetSite, presets } from './presets.ts';
import type { Delivery, Hook } from './record.ts';

/** Maximum Retry-After. */
const longestMs = 3_600_000;
/** Of the response, of which only the status matters. */
const maxBytes = 4096;

/** Null on success. Never throws. */
export async function deliver(
  fetcher: Fetcher,
  hook: Hook,
  delivery: Delivery,
  site: PresetSite,
  signal?: AbortSignal,
): Promise<Refused | null> {
  try {
    for (const { method, url, headers, body } of presets[hook.preset].requests(hook, delivery, site)) {
      const answer = await fetcher.send(url, { method, body }, { headers, maxBytes, signal });
      if (answer.status >= 200 && answer.status < 300) continue;
      const atLeastMs = Math.min(longestMs, 1000 * (Number(answer.headers['retry-after']) || 0));
      // Source: Standard Webhooks, "Deliverability and reliability": 410 means unsubscribe.
      return { error: `answered ${answer.status}`, atLeastMs, isFinal: answer.status === 410 };
    }
    return null;
  } catch (error) {
    // The URL may be a secret.
    return { error: (error as Error).message.replaceAll(hook.url, 'its URL') };
  }
}
