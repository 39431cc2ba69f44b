/** Webhooks: receivers set by the operator, and pending deliveries. */
import type { Pending } from '../../deliveries/index.ts';
import type { EventView, EventFilter } from '../view.ts';

/** An entry of the operator's `events:`. */
export interface Hook {
  readonly name: string;
  readonly preset: PresetName;
  readonly url: string;
  /** Signing secret; null without one. */
  readonly secret: Uint8Array | null;
  /** Credential of a service; '' without one. */
  readonly token: string;
  readonly filter: EventFilter;
  /** Receives non-public events, too. */
  readonly hidden: boolean;
  /** Interval in which changes are combined. */
  readonly waitMs: number;
  /** What is purged in a cache. */
  readonly by: 'tags' | 'paths';
  /** Soft purge: stale content may be served meanwhile. */
  readonly soft: boolean;
}

export const presetNames = ['webhook', 'deploy', 'next', 'astro', 'fastly', 'cloudflare', 'purge'] as const;
export type PresetName = (typeof presetNames)[number];

/** Combined changes of several events. */
export interface Changed {
  readonly paths: readonly string[];
  readonly tags: readonly string[];
  /** Any page may have changed. */
  readonly everything: boolean;
}

export interface Delivery extends Pending {
  readonly hook: string;
  readonly event: EventView | null;
  readonly changed: Changed;
}

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** In the private mount. */
export const documents = { prefix: 'events/', kept: 'events/deliveries.json', asked: 'events/resend.json' } as const;
