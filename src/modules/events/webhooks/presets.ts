/**
 * Webhook presets: a row per kind of service, from events to requests.
 *
 * Source: Standard Webhooks 1.0.0 (headers, signature, payload); Fastly API, "Purging"; Cloudflare API, "Purge cached content"; Vercel, "Incremental
 * static regeneration" (the bypass token of Astro's adapter); RFC 9110, 9.1, for the method PURGE of Varnish and nginx.
 */
import { createHmac } from 'node:crypto';
import { table } from '../../../kernel/model/maps.ts';
import type { Delivery, Hook, Outgoing, PresetName } from './record.ts';

interface Preset {
  /** Several events are combined. */
  readonly isBatched: boolean;
  readonly waitMs: number;
  readonly needs: 'secret' | 'token' | null;
  requests(hook: Hook, delivery: Delivery, site: PresetSite): readonly Outgoing[];
}

export interface PresetSite {
  /** Seconds since the epoch. */
  readonly now: number;
  /** Origin of the website. */
  readonly origin: string;
  /** All public paths, if everything may have changed. */
  everyPath(): readonly string[];
}

const json = { 'Content-Type': 'application/json' };
/** Keys per request. */
const perFastly = 256;
/** Tags or URLs per request, on every plan. */
const perCloudflare = 30;

export const presets: Readonly<Record<PresetName, Preset>> = table({
  webhook: {
    isBatched: false,
    waitMs: 0,
    needs: 'secret',
    requests(hook, { event, ...delivery }, site) {
      const [type, timestamp] = [
        event ? `${event.kind}.${event.action}` : 'test',
        event?.time ?? new Date(site.now * 1000).toISOString(),
      ];
      return [signed(hook, delivery.id, site, { type, timestamp, data: event ?? {} })];
    },
  },
  deploy: {
    isBatched: true,
    waitMs: 10_000,
    needs: null,
    requests: ({ url, token }) => [{ method: 'POST', url, headers: bearer(token) }],
  },
  next: {
    isBatched: true,
    waitMs: 1000,
    needs: 'secret',
    requests: (hook, { id, changed }, site) => [signed(hook, id, site, { ...changed })],
  },
  astro: {
    isBatched: true,
    waitMs: 1000,
    needs: 'token',
    requests: ({ url, token }, { changed }, site) =>
      pathsOf(changed, site).map((path) => ({ method: 'GET', url: url + path, headers: { 'x-prerender-revalidate': token } })),
  },
  fastly: {
    isBatched: true,
    waitMs: 1000,
    needs: 'token',
    requests({ url, token, soft }, { changed }) {
      const headers = { 'Fastly-Key': token, Accept: 'application/json' };
      if (changed.everything) return [{ method: 'POST', url: `${url}/purge_all`, headers }];
      return portions(changed.tags, perFastly).map((surrogate_keys) => ({
        method: 'POST',
        url: `${url}/purge`,
        headers: { ...headers, ...json, ...(soft ? { 'Fastly-Soft-Purge': '1' } : {}) },
        body: JSON.stringify({ surrogate_keys }),
      }));
    },
  },
  cloudflare: {
    isBatched: true,
    waitMs: 1000,
    needs: 'token',
    requests({ url, token, by }, { changed }, { origin }) {
      const files = changed.paths.map((path) => origin + path);
      const some = by === 'tags' ? portions(changed.tags, perCloudflare) : portions(files, perCloudflare);
      const bodies = changed.everything
        ? [{ purge_everything: true }]
        : some.map((list) => ({ [by === 'tags' ? 'tags' : 'files']: list }));
      const headers = { ...bearer(token), ...json };
      return bodies.map((body) => ({ method: 'POST', url: `${url}/purge_cache`, headers, body: JSON.stringify(body) }));
    },
  },
  purge: {
    isBatched: true,
    waitMs: 1000,
    needs: null,
    requests: ({ url, token }, { changed }, site) =>
      pathsOf(changed, site).map((path) => ({ method: 'PURGE', url: url + path, headers: bearer(token) })),
  },
});

/** Source: Standard Webhooks, "Signature scheme": id, time and body, joined by dots. */
function signed({ url, secret }: Hook, id: string, { now }: PresetSite, payload: object): Outgoing {
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', secret as Uint8Array)
    .update(`${id}.${now}.${body}`)
    .digest('base64');
  const headers = { ...json, 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': `v1,${signature}` };
  return { method: 'POST', url, headers, body };
}

function pathsOf({ paths, everything }: Delivery['changed'], site: PresetSite): readonly string[] {
  return everything ? site.everyPath() : paths;
}

function bearer(token: string): Record<string, string> {
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

function portions<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
